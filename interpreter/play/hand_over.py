"""What a game hands on at its end: the facts with which another game may begin.

Takes a state of a game that is over and gives plain data (`interpreter.rules.facts`); the other game is not known here.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from interpreter.rules.facts import fact_of, table_of
from interpreter.session.state import State


class HandOverError(ValueError):
    """There is nothing to hand on: the game is not over, or its rules hand nothing on."""


def hand_over(state: State) -> dict[str, Any]:
    """The facts that this game hands on, by name. Raises HandOverError."""
    program = state.game.program
    if not program.hands_on:
        raise HandOverError(f"`{program.id}` hands nothing on: no line of its rules says `hands on`")
    if not state.over:
        raise HandOverError(f"this game of `{program.id}` is not over; what is handed on is known at its end")
    return {fact.name: _fact(state, fact) for fact in program.hands_on}


def _fact(state: State, fact: ir.HandedOn) -> Any:
    game = state.game
    function = game.program.functions[fact.fn]

    def value(row: tuple[int, ...]) -> Any:
        if fact.where >= 0 and not game.machine.eval_fn(state.words, fact.where, list(row)):
            raise KeyError(row)
        return fact_of(game.names, game.machine.eval_fn(state.words, fact.fn, list(row)), function.result)

    return table_of(game.names, [t for _, t in function.params], state.seats, value)
