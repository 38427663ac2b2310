"""Taking one small decision, or one outcome of chance, for a driver.

An option that is not offered is refused with its reasons and leaves the state as it was. `interpreter.play.answer`
takes whole answers in words.
"""

from __future__ import annotations

from interpreter.core.errors import IllegalAnswer
from interpreter.explaining.reasons import refusal
from interpreter.session.advance import run_on, settle, step
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.decision import Decision, Option
from interpreter.session.interrupts import is_moment, moment_decision, open_decision
from interpreter.session.state import State


def apply(state: State, option: Option | Outcome | tuple[int, ...], paying: bool = False) -> State:
    """Take one small decision, or an outcome of the awaited chance event, and go on to the next question. With
    `paying`, what this seat pays or gains next is a question too if there are several ways, and so on after each of
    these; otherwise it is paid in the usual way. IllegalAnswer leaves the state unchanged."""
    if isinstance(option, Outcome):
        return draw(state, option)
    decision = state.decision
    if isinstance(option, Option) and option.decision is not decision:
        if is_moment(option):
            decision = moment_decision(state, option.decision.seat)
        elif decision is not None and option.decision.actor != decision.actor:
            decision = open_decision(state, option.decision.actor) or decision
    if decision is None:
        awaited = f"an outcome of chance is awaited at {state.chance.address}" if state.chance else "the game is over"
        raise IllegalAnswer(f"{awaited}; nothing is asked")
    step(state, decision, find_offered(decision, option), automatic=False)
    settle(state, decision.seat if paying or decision.site.by_default else 0)
    return state


def draw(state: State, outcome: Outcome) -> State:
    """Take a possible outcome of the awaited chance event."""
    event = state.chance
    found = event.outcome(outcome.id) if event else None
    if event is None or found is None:
        where = f"at {event.address}, where {_possible(event)}" if event else "now: no chance event is awaited"
        raise IllegalAnswer(f"the outcome `{outcome.id}` cannot come {where}")
    run_on(state, state.words[:], outcome=found)
    settle(state)
    return state


def _possible(event: ChanceEvent) -> str:
    ids = [o.id for o in event.outcomes]
    are = "outcomes are" if len(ids) > 1 else "outcome is"
    return f"the possible {are} {', '.join(ids[:20])}{f' and {len(ids) - 20} more' if len(ids) > 20 else ''}"


def find_offered(decision: Decision, option: Option | tuple[int, ...]) -> Option:
    """The option of this decision with the same code; raises IllegalAnswer where there is none."""
    if isinstance(option, Option) and option.decision is decision and option.raw in decision.offers:
        return option
    code = option.code if isinstance(option, Option) else tuple(option)
    for number, known in enumerate(decision.offers):
        if known.code == code:
            return decision.options[number]
    raise refusal(decision, option if isinstance(option, Option) else code)
