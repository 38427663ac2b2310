"""Ways to pay and to gain that an answer names: `build mill, paying ones 2`.

Where there are several ways, the way is a question, and the name answers it. The only way is taken without a
question, so its name is compared with what has been paid: the words before it are played again by a machine that
records payments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from interpreter.core.errors import IllegalAnswer
from interpreter.core.run import Run
from interpreter.explaining.reason import Reason, Refused
from interpreter.machine.machine import Machine
from interpreter.play.undo import has_new_information
from interpreter.rules.names import hint
from interpreter.rules.payments import (
    GAINING,
    PAYING,
    PaymentList,
    is_same_payment,
    payment_ids,
    words_before_payment,
)
from interpreter.rules.rules import Rules
from interpreter.semantics import purses
from interpreter.session.advance import step
from interpreter.session.decision import Decision
from interpreter.session.matching import best_match
from interpreter.session.state import State, copy

NAMING = frozenset((PAYING, GAINING))  # the words before the name of a way
MAX_LISTED = 8  # ways that a refusal lists


@dataclass(frozen=True, slots=True)
class PaidAlone:
    """A payment or gain without a question: by which thing, in which way, and (`only`) with no other possible."""

    gain: bool
    payer: int
    ids: tuple[str, ...]
    only: bool


class RecordingMachine(Machine):
    """The reference machine, which records what is paid and gained without a question."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules.program)
        self.paid: list[PaidAlone] = []
        handler = self.ex[ir.Pay]

        def pay(m: Run, s: ir.Pay, t: list[Any]) -> int:
            amount = m.value(s.amount, t)
            if amount > 0 and not m.probing and (s.way is None or m.value(s.way, t) == 0):
                args = [m.value(arg, t) for arg in s.args]
                purse = purses.open_purse(m, s.purse, list(args))
                found = (purses.ranked_gains if s.gain else purses.ranked_payments)(m, purse, amount)
                listed = PaymentList(s.gain, args[0], purse.units, found)
                ids = [payment_ids(rules, listed, number) for number in range(1, min(len(found), 1) + 1)]
                self.paid += [PaidAlone(s.gain, args[0], each, len(found) == 1) for each in ids]
            return handler(m, s, t)

        self.ex[ir.Pay] = pay


class Naming:
    """The answer in which ways are named: its words, and the state that it began on. `play` takes an answer."""

    def __init__(
        self, start: State, words: Sequence[str], who: str | int | None, before: State | None, play: Callable[..., None]
    ) -> None:
        self.start = copy(start)
        self.words = list(words)
        self.who = who
        self.before = before
        self.play = play
        self.named: list[PaidAlone] = []  # what has been named, and was paid without a question

    def paid_alone(self, left: int) -> tuple[list[PaidAlone], State]:
        """The payments that the words before the last `left` of them have made without a question, forced answers
        included; with the state that they lead to."""
        trial = copy(self.start)
        recorder = RecordingMachine(trial.game)
        trial.game = trial.game.played_by(recorder)
        if said := self.words[: len(self.words) - left]:
            self.play(trial, said, self.who)
        while (decision := trial.decision) is not None and not is_way(decision) and take_forced(trial, decision):
            pass
        return recorder.paid, trial

    def paid_by(self, keyword: str, left: int, who: str | int | None) -> tuple[list[PaidAlone], State]:
        """The payments, or gains, of `who` without a question that the words have not named before; with the state
        behind them."""
        paid, after = self.paid_alone(left)
        mine = [p for p in paid if p.gain == (keyword == GAINING) and is_of(after, p.payer, who)]
        for named in self.named:
            if named in mine:
                mine.remove(named)
        return mine, after

    def check_new_information(self, keyword: str, state: State) -> None:
        if self.before is not None and has_new_information(self.before, state):
            raise IllegalAnswer(
                f"what `{keyword}` names comes after new information, so it cannot be named in advance: give the "
                "answer alone, and ask for the ways then (`pay` in the terminal)"
            )


def is_way(decision: Decision) -> bool:
    return decision.site.payment is not None


def is_of(state: State, payer: int, who: str | int | None) -> bool:
    """True if `who` may name how this thing pays: a seat names its own ways, and those of things that are no seats."""
    names = state.game.names
    seat = names.seat_number(payer)
    return who is None or not seat or str(who) in (str(seat), names.seat_id(seat), state.game.program.thing_ids[payer])


def take_payment(state: State, words: list[str], naming: Naming, who: str | int | None) -> list[str]:
    """Pay or gain as the words name it, the first of which is `paying` or `gaining`, after taking forced answers before
    it. Only answers of `who` may name a way. Gives the words that are left."""
    keyword, rest = words[0], words[1:]
    left = words_behind_paid(state, keyword, rest, naming, who) if way_of(state, keyword, who) is None else None
    if left is not None:
        return left
    other = False  # whether there was a way of the other sort instead
    while (decision := state.decision) is not None:
        if way_of(state, keyword, who) is decision:
            naming.check_new_information(keyword, state)
            option, used = best_match(decision, rest) if rest else (None, 0)
            if option is not None:
                step(state, decision, option, automatic=False)
                return rest[used:]
            if (left := words_behind_paid(state, keyword, rest, naming, who)) is not None:
                return left
            raise unknown_way(rest, keyword, f" at {decision.address}", [option.ids for option in decision.options])
        other = other or (is_way(decision) and (who is None or decision.asks(who)))
        if not take_forced(state, decision):
            break
    naming.check_new_information(keyword, state)
    only = [p.ids for p in naming.paid_by(keyword, len(words), who)[0] if p.only]
    if only:
        raise unknown_way(rest, keyword, " here", only)
    verb, noun = ("gain", "gain") if keyword == GAINING else ("pay", "payment")
    guess = f"; did you mean `{PAYING if keyword == GAINING else GAINING}`?" if other else ""
    message = f"`{keyword}` says how to {verb}, but there is no {noun} now{guess}"
    raise Refused(message, [Reason("word", message)])


def way_of(state: State, keyword: str, who: str | int | None) -> Decision | None:
    """The open question, if it is how `who` pays or gains."""
    decision = state.decision
    if decision is None or decision.site.payment is None or not (who is None or decision.asks(who)):
        return None
    return decision if decision.site.payment.gain == (keyword == GAINING) else None


def words_behind_paid(
    state: State, keyword: str, rest: list[str], naming: Naming, who: str | int | None
) -> list[str] | None:
    """The words behind the name of what has been paid without a question; None if they do not name it."""
    mine, after = naming.paid_by(keyword, len(rest) + 1, who)
    end = words_before_payment(rest)
    for paid in mine:
        size = len(paid.ids)
        if is_same_payment(paid.ids, rest[:size]) and (size == end or begins_answer(state.decision, rest[size:])):
            naming.check_new_information(keyword, after)
            naming.named.append(paid)
            return rest[size:]
    return None


def begins_answer(decision: Decision | None, words: Sequence[str]) -> bool:
    return decision is not None and best_match(decision, words)[0] is not None


def unknown_way(rest: list[str], keyword: str, where: str, ways: Sequence[Sequence[str]]) -> Refused:
    """The refusal of a way that is not offered, with those that are and the nearest of them."""
    verb = "gain" if keyword == GAINING else "pay"
    typed, known = " ".join(rest[: words_before_payment(rest)]), [" ".join(ids) for ids in ways]
    listed = ", ".join(f"`{way}`" for way in known[:MAX_LISTED])
    more = f" and {len(known) - MAX_LISTED} more" if len(known) > MAX_LISTED else ""
    message = f"`{typed}` is not a way to {verb}{where}; possible: {listed}{more}{hint(typed, known)}"
    return Refused(message, [Reason("way", message)])


def take_forced(state: State, decision: Decision) -> bool:
    """Take the forced option, if there is one; gives whether there was."""
    option = decision.forced
    if option is not None:
        step(state, decision, option, automatic=True)
    return option is not None
