"""The point of no return: which steps a player may take back.

Undo itself is a snapshot that the tool stores. A step may be taken back as long as nobody has learned anything from it:
no chance was drawn, no hidden thing became known to a seat, no answer given at once with others was laid open, nothing
that the one who answered does not see decided what followed or was said openly, and no other seat has been asked that
sees hidden things of its own.
"""

from __future__ import annotations

from dsl.program import NOBODY
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.rules.rounds import goes_on
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import CHANCE, CHOICE, ChoiceEntry, LogEntry, PendingAnswer
from interpreter.session.interrupts import moment_decision, open_decision
from interpreter.session.state import State, copy
from interpreter.visibility import audiences
from interpreter.visibility.learning import Learning


def reveals(before: State, after: State) -> bool:
    """True if something became known to somebody between two states of one game (`after` later than `before`)."""
    new = after.log[len(before.log) :]
    seat = before.decision.seat if before.decision else 0
    asked = {entry.seat for entry in new if entry.kind == CHOICE and not entry.is_waiting()}
    if after.decision is not None and not in_one_round(before, after):
        asked.add(after.decision.seat)
    if asked - {seat} and any(e.audience != NOBODY for e in audiences.private_entries(after.game)):
        return True
    return has_new_information(before, after)


def in_one_round(before: State, after: State) -> bool:
    """True if both wait for answers of one loop `at once`: those who are asked next were asked before."""
    one, two = before.decision, after.decision
    return one is not None and two is not None and goes_on(before.game, one.words, two.words)


def has_new_information(before: State, after: State) -> bool:
    """True if chance was drawn between two states of one game, a hidden thing or an earlier answer became known to a
    seat, or what is hidden from the seat that answered decided what happened."""
    if any(entry.kind == CHANCE for entry in after.log[len(before.log) :]) or _thing_became_known(before, after):
        return True
    seats = range(1, after.seats + 1)
    if any(audiences.sees_more(after.game, before.words, after.words, seat) for seat in seats):
        return True
    if any(was.is_waiting() and not now.is_waiting() for was, now in zip(before.log, after.log, strict=False)):
        return True
    return after.game.has_secrets and _answers_told(before, after)


def _answers_told(before: State, after: State) -> bool:
    """True if an answer between two states told the one who gave it something. Takes the answers once more."""
    position = copy(before)
    for entry in after.log[len(before.log) :]:
        decision = _answered_decision(position, entry)
        option = _find_option(decision, entry) if decision is not None else None
        if decision is None or option is None or decision.tells_asked(option.raw):
            return True
        answers = Learning(position.game, decision.seat)
        words = decision.words[:]
        try:
            answers.take(words, option.raw, position.script)
        except (IllegalAnswer, RulesetError):
            return True
        if answers.learned:
            return True
        position.replace_words(words)
    return False


def _answered_decision(position: State, entry: LogEntry) -> Decision | None:
    """The question that an entry of the log answers in this position: the pending one, that of another member of a loop
    `open to`, or which action `at any moment` is taken; None for an outcome of chance, or if nothing is asked."""
    decision = position.decision
    if entry.kind == CHANCE or decision is None:
        return None
    if entry.address == ASKED_ANY_MOMENT:
        return moment_decision(position, entry.seat) or decision
    return (open_decision(position, entry.decider()[0]) or decision) if entry.address == decision.address else decision


def _find_option(decision: Decision, entry: LogEntry) -> Option | None:
    """The option that an entry of the log took; None if it is not offered."""
    code = entry.pending.option.code if isinstance(entry.pending, PendingAnswer | ChoiceEntry) else entry.code
    number = next((n for n, o in enumerate(decision.offers) if o.code == code), -1)
    return decision.options[number] if number >= 0 else None


def _thing_became_known(before: State, after: State) -> bool:
    """True if some seat knows the place of a thing in `after`, but not in `before`."""
    base = after.game.program.known_base
    if not base:
        return False
    things = range(base, base + len(after.game.program.thing_ids))
    return any(after.words[i] & ~before.words[i] for i in things)
