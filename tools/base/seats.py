"""The names of seats, and what the ruleset says that its position is worth."""

from __future__ import annotations

from interpreter import State
from interpreter.play.result import Actors


def seat_name(state: State, seat: int, actors: Actors, lang: str) -> str:
    """The name of the only actor that a seat decides for, else that of the seat."""
    texts, names = state.game.texts, state.game.names
    own = [(id_, kind) for id_, (kind, by) in actors.items() if by == seat]
    if len(own) == 1:
        return texts.id(lang, own[0][1], own[0][0])
    return texts.id(lang, state.game.program.seat_kind, names.seat_id(seat))


def evaluate_seat(state: State, seat: int) -> int:
    """The manifest's `evaluate` for a seat; 0 where none is declared."""
    number = state.game.program.evaluate
    if number < 0:
        return 0
    value: int = state.game.machine.eval_fn(state.words, number, [state.game.names.seat_thing(seat)])
    return value
