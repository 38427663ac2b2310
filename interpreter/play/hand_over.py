"""The hand-over of a game at its end: the facts with which another game may begin.

Takes a state of a game that is over and gives plain data (`interpreter.rules.facts`); the other game is not known here.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import Type, with_own_keys
from interpreter.rules.facts import fact_of, flat_rows, nested, texts
from interpreter.session.state import State


class HandOverError(ValueError):
    """A game hands nothing on: it is not over, or its rules hand nothing on."""


def hand_over(state: State) -> dict[str, Any]:
    """The facts that this game hands on, by name. Raises HandOverError."""
    program = state.game.program
    if not program.hands_on:
        raise HandOverError(f"`{program.id}` hands nothing on: no line of its rules says `hands on`")
    if not state.over:
        raise HandOverError(f"this game of `{program.id}` is not over; what is handed on is known at its end")
    names = state.game.names
    found: dict[str, Any] = {}
    for fact in program.hands_on:
        keys, t = fact_types(state, fact)
        told = [(texts(names, row, keys), fact_of(names, value, t)) for row, value in rows(state, fact)]
        if keys or told:
            found[fact.name] = nested(told)
    return found


def fact_types(state: State, fact: ir.HandedOn) -> tuple[list[Type], Type]:
    """The keys of a fact, those of its values among them, and the type of one value."""
    function = state.game.program.functions[fact.fn]
    return with_own_keys([t for _, t in function.params], function.result)


def rows(state: State, fact: ir.HandedOn) -> list[tuple[tuple[int, ...], Any]]:
    """The rows of a fact as things stand, each with its keys: those of seats that play, and for which its condition
    holds."""
    game = state.game
    evaluate = game.machine.eval_fn
    function = game.program.functions[fact.fn]
    found: list[tuple[tuple[int, ...], Any]] = []
    keys = [t for _, t in function.params]
    for row in game.names.keys(keys):
        if not game.names.plays(row, keys, state.seats):
            continue
        if fact.where < 0 or evaluate(state.words, fact.where, list(row)):
            value = evaluate(state.words, fact.fn, list(row))
            found += flat_rows(game.names, row, value, function.result, state.seats)
    return found
