"""The steps of a game: the machine runs on, the log grows, forced answers are taken.

Takes a state and an option that is offered, or an outcome that is possible; changes the state. `interpreter.play` first
checks what a player or a driver asks for.
"""

from __future__ import annotations

from dsl import program as hdr
from interpreter.core.errors import RulesetError
from interpreter.core.question import Option as MachineOption
from interpreter.rules.rules import Rules
from interpreter.session.chance import Outcome
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import chance_entry, choice_entry
from interpreter.session.state import OpenPlan, State
from interpreter.visibility.cells import unseen_by_predicate

AUTOMATIC_LIMIT = 10_000  # forced answers in a row; more of them are an endless loop


def begin(state: State) -> None:
    """Start the game on an empty store and run to the first question."""
    words = state.words[:]
    state.game.machine.start(words, state.game.program.entry, ())
    run_on(state, words)


def run_on(state: State, words: list[int], option: MachineOption | None = None, outcome: Outcome | None = None) -> None:
    """Take `option` (one that is offered) or `outcome` (one that is possible) if one is given, run on, and log the
    outcomes of chance; `words` become the store of the state at the end."""
    machine = state.game.machine
    machine.draws.clear()
    machine.plan_start = []
    machine.checked = state.checked
    continues_shuffle = outcome is not None and words[hdr.DRAWN] > 0  # a shuffle goes on: its line of the log grows
    if outcome is not None:
        machine.draw(words, outcome.code, state.script)
    elif option is None:
        machine.run(words, state.script)
    else:
        machine.take(words, option, state.script)
    if continues_shuffle:
        del state.log[-1]
    require_sight(state.game, words)
    state.replace_words(words, machine.offers, machine.undecided)
    if machine.draws:
        state.log.extend([chance_entry(state.game, words, draw) for draw in machine.draws])
    record_plan(state)


def require_sight(rules: Rules, words: list[int]) -> None:
    """Where a predicate says who sees what the pending question reads, the seats that are asked must be among them;
    else the options would be a peek, which is a fault of the ruleset."""
    if not words[hdr.SITE] or not rules.answers[words[hdr.SITE] - 1].site.sighted:
        return
    decision = Decision(rules, words)
    for asked in [decision, *decision.of_open_members()]:
        symbol = unseen_by_predicate(rules, asked.words, asked.seat)
        if symbol:
            raise rules.machine.fault(
                f"`{decision.address}` is decided by `{symbol}`, which {asked.seat_id} does not see: ask somebody who "
                "does, or let a number of a place be chosen",
                decision.site.span,
                decision.site.cites,
            )


def step(state: State, decision: Decision, option: Option, automatic: bool) -> None:
    """Take an offered option, but not the forced answers that follow."""
    entries = len(state.log)
    state.automatic = state.automatic + 1 if automatic else 0
    if state.automatic > AUTOMATIC_LIMIT:
        raise endless_answers(state.game, state.words)
    state.log.append(choice_entry(decision, option, automatic))
    try:
        run_on(state, decision.words[:], option.raw)
    except Exception:
        del state.log[entries:]
        raise
    if decision.site.at_once and not is_same_round(state, decision):
        reveal_answers(state)


def endless_answers(rules: Rules, words: list[int]) -> RulesetError:
    """The fault of a game that goes on and on without a choice."""
    site, rules.machine.words = rules.answers[words[hdr.SITE] - 1].site, words
    return rules.machine.fault(
        f"{AUTOMATIC_LIMIT} questions with one possible answer in a row, the last at `{site.address}`: "
        "this does not seem to end",
        site.span,
        site.cites,
    )


def is_same_round(state: State, before: Decision) -> bool:
    """Whether the open question belongs to the same round of answers of a loop `at once` as the question `before`: the
    position in the order of the members goes up, or a member goes on."""
    now = state.decision
    if now is None or now.site.at_once is None or now.site.at_once != before.site.at_once:
        return False
    frame = before.words[hdr.FP]
    if now.words[hdr.FP] != frame:
        return False
    slot = frame + hdr.FRAME_LINK + now.site.at_once[1]
    if before.words[slot] != now.words[slot]:
        return before.words[slot] < now.words[slot]
    return now.number > before.number or (now.number == before.number and now.cursor > 0)


def reveal_answers(state: State) -> None:
    """Reveal simultaneous answers to everybody, now that all have answered."""
    for number, entry in enumerate(state.log):
        if entry.is_waiting():
            state.log[number] = entry.revealed()


def record_plan(state: State) -> None:
    """Store the position before the plan that is open now; a plan that was already open keeps its position."""
    machine = state.game.machine
    if not state.words[hdr.PLAN]:
        state.plan = None
    elif machine.plan_start:
        seat = state.game.names.seat_number(state.words[hdr.PLAN_SEAT])
        state.plan = OpenPlan(seat, tuple(machine.plan_start), len(state.log))


def settle(state: State, paying: int = 0) -> None:
    """Take forced answers, usual payments and gains included, if the state says so; with `paying`, stop where this
    seat can pay or gain in several ways."""
    while state.auto and (decision := state.decision) is not None and (option := decision.forced) is not None:
        if paying and decision.site.by_default and decision.seat == paying:
            return
        step(state, decision, option, automatic=True)
