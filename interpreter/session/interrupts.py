"""Interrupts, answers of somebody who is not the one asked: other members of a loop `open to`, and actions `at any
moment`.

Each is a `Decision` on a store of its own, one step away from that of the state; taking one of its options goes on from
there. An action `at any moment` runs on top of the pending question, which is asked again afterwards with its options
listed anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import program as hdr
from dsl.base.types import MemberType
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.session.decision import DECLINE, Decision, Option
from interpreter.session.matching import best_match
from interpreter.session.state import State


def is_moment(option: Option) -> bool:
    return option.decision.address == ASKED_ANY_MOMENT


# ------------------------------------------------------------ open to


def open_decision(state: State, who: str | int) -> Decision | None:
    """The question of another member of the pending `open to` loop; None if `who` is not one whose answer is
    awaited."""
    decision = state.decision
    if decision is None or decision.asks(who):
        return decision
    return next((found for found in decision.of_open_members() if found.asks(who)), None)


# ------------------------------------------------------------ at any moment


def moment_decision(state: State, seat: int) -> Decision | None:
    """The question which action `at any moment` this seat takes now; None if it cannot take any: the rules have none,
    the game is over or waits for chance, another seat's plan is open, or an answer has been begun."""
    game, words = state.game, state.words
    if game.program.moment_proc < 0 or state.over or state.chance or not 0 < seat <= state.seats:
        return None
    if words[hdr.PLAN] and game.names.seat_number(words[hdr.PLAN_SEAT]) != seat:
        return None
    if state.decision is not None and state.decision.cursor:
        return None
    words, game.runner.checked = words[:], state.checked
    game.runner.interrupt(words, game.program.moment_proc, [game.names.seat_thing(seat)])
    return Decision(game, words)


def moments(state: State, seat: int) -> list[Option]:
    """The actions `at any moment` that this seat may take now, out of turn; `apply` takes one like any other option."""
    decision = moment_decision(state, seat)
    return [o for o in decision.options if o.kind != DECLINE] if decision else []


def find_moment(
    state: State, words: Sequence[str], who: str | int | None
) -> tuple[Decision, Option | None, list[str], int] | None:
    """The action `at any moment` that these words name: its question, the option (None: refused), all its words, and
    how many of the given ones were used. None if they name no such action, or if `who` cannot act now. `who` may be an
    actor: its id is then the first word after the action."""
    program = state.game.program
    site = next((s for s in program.sites if s.address == ASKED_ANY_MOMENT), None)
    if site is None or not words or words[0] not in [a.name for a in site.alternatives]:
        return None
    who = state.decision.seat if who is None and state.decision is not None else who
    seats = [s for s in range(1, state.seats + 1) if str(who) in (str(s), state.game.names.seat_id(s))]
    forms = [list(words), *with_each_actor(state, words)] if seats else [[words[0], str(who), *words[1:]]]
    refused: tuple[Decision, Option | None, list[str], int] | None = None
    for seat in seats or range(1, state.seats + 1):
        decision = moment_decision(state, seat)
        for form in forms if decision is not None else ():
            assert decision is not None
            option, used = best_match(decision, form)
            if option is not None and option.kind != DECLINE:
                return decision, option, form, used - (len(form) - len(words))
            if refused is None or (not seats and _decides_for_actor(decision, form)):
                refused = (decision, None, form, 0)
    return refused


def with_each_actor(state: State, words: Sequence[str]) -> list[list[str]]:
    """The words with each actor in turn after the action, as if the answer had named the one that acts."""
    program = state.game.program
    site = next(s for s in program.sites if s.address == ASKED_ANY_MOMENT)
    alternative = next(a for a in site.alternatives if a.name == words[0])
    type_ = alternative.binders[0][3] if alternative.binders else None
    domain = program.domains.get(type_.domain) if isinstance(type_, MemberType) else None
    return [[words[0], id_, *words[1:]] for id_ in domain.ids] if domain else []


def _decides_for_actor(decision: Decision, words: Sequence[str]) -> bool:
    """True if the seat that is asked decides for the actor named after the action, as the first guard of such an action
    tests."""
    alternative = next(a for a in decision.site.alternatives if a.name == words[0])
    if len(words) < 2 or not alternative.binders or not alternative.guards:
        return False
    _, slot, _, type_ = alternative.binders[0]
    value = decision.game.names.parse(words[1], type_)
    return value is not None and bool(decision.game.evaluate(decision.words, alternative.guards[0].test, {slot: value}))
