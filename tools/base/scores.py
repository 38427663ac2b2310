"""The result of a game: scores and winners, by the values that the manifest names under `result`.

`score` may take a seat or an actor; the actors that took part are read from the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.base.types import MemberType
from interpreter import State

Actors = dict[str, tuple[str, int]]  # id of an actor that is not a seat -> (its kind, the seat that decides for it)


@dataclass(slots=True)
class Scores:
    seats: dict[int, int] = field(default_factory=dict)
    actors: dict[str, int] = field(default_factory=dict)  # each has the score of its seat, unless the score is by actor
    winning_seats: list[int] = field(default_factory=list)


def actors_of(state: State, since: int = 0, known: Actors | None = None) -> Actors:
    """Actors that decided something, in the order of their first decision, added to `known`."""
    found: Actors = {} if known is None else known
    for entry in state.log[since:]:
        actor, domain, seat = entry.decider()
        if actor and domain and domain != state.game.program.seat_kind:
            found.setdefault(actor, (domain, seat))
    return found


def scores(state: State, actors: Actors | None = None) -> Scores:
    """The scores in this state, by the value `score` of the ruleset."""
    actors = actors_of(state) if actors is None else actors
    found = Scores()
    program, names, machine = state.game.program, state.game.names, state.game.machine
    number = program.result.get("score", -1)
    if number < 0 or not program.functions[number].params:
        return found
    type_ = program.functions[number].params[0][1]
    if isinstance(type_, MemberType) and type_.domain != program.seat_kind:
        for actor, (domain, seat) in actors.items():
            if domain == type_.domain:
                found.actors[actor] = machine.eval_fn(state.words, number, [names.parse(actor, type_)])
                found.seats[seat] = max(found.actors[actor], found.seats.get(seat, found.actors[actor]))
    else:
        for seat in range(1, state.seats + 1):
            found.seats[seat] = machine.eval_fn(state.words, number, [names.seat_thing(seat)])
        found.actors = {actor: found.seats[seat] for actor, (_, seat) in actors.items() if seat in found.seats}
    return found


def result(state: State, actors: Actors | None = None) -> Scores:
    """The scores and the winning seats: by the value `winners`, or without it the seats with the highest score."""
    actors = actors_of(state) if actors is None else actors
    found = scores(state, actors)
    program, names = state.game.program, state.game.names
    number = program.result.get("winners", -1)
    if number < 0:
        best = max(found.seats.values(), default=0)
        found.winning_seats = [seat for seat, n in found.seats.items() if n == best]
    else:
        value = state.game.machine.eval_fn(state.words, number, [])
        ids = names.items(value, program.functions[number].result)
        seats = {names.seat_id(s): s for s in range(1, state.seats + 1)}
        won = [seats.get(id_) or actors.get(id_, ("", 0))[1] for id_ in ids]
        found.winning_seats = [seat for seat in dict.fromkeys(won) if seat]
    return found


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
