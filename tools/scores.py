"""How a game ended, for people and reports: scores and winners by the values that the manifest names under `result`.

`score` may take a seat or an actor; the actors that took part are read from the log, so nothing here knows what they
are.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.types import MemberType
from interpreter import State


@dataclass(slots=True)
class Scores:
    seats: dict[int, int] = field(default_factory=dict)
    actors: dict[str, int] = field(default_factory=dict)  # id of an actor that is not a seat -> score
    winners: list[str] = field(default_factory=list)  # ids, as the ruleset gives them
    winning_seats: list[int] = field(default_factory=list)


def actors_of(state: State) -> dict[str, tuple[str, int]]:
    """Actors that decided something, in the order of their first decision: id -> (domain, seat that decided for it)."""
    found: dict[str, tuple[str, int]] = {}
    for entry in state.log:
        if entry.actor and entry.actor_domain and entry.actor_domain != state.game.program.seat_kind:
            found.setdefault(entry.actor, (entry.actor_domain, entry.seat))
    return found


def scores(state: State) -> Scores:
    """What the ruleset's own values say about the store as it is now."""
    program, names, machine = state.game.program, state.game.names, state.game.machine
    found = Scores()
    actors = actors_of(state)
    number = program.result.get("score", -1)
    if number >= 0:
        function = program.functions[number]
        type_ = function.params[0][1] if function.params else None
        if isinstance(type_, MemberType) and type_.domain != program.seat_kind:
            for actor, (domain, seat) in actors.items():
                if domain == type_.domain:
                    value = machine.eval_fn(state.words, number, [names.parse(actor, type_)])
                    found.actors[actor] = value
                    found.seats[seat] = max(value, found.seats.get(seat, value))
        elif isinstance(type_, MemberType):
            for seat in range(1, state.seats + 1):
                found.seats[seat] = machine.eval_fn(state.words, number, [names.seat_thing(seat)])
            found.actors = {actor: found.seats[seat] for actor, (_, seat) in actors.items() if seat in found.seats}
    number = program.result.get("winners", program.result.get("winner", -1))
    if number >= 0:
        function = program.functions[number]
        found.winners = [
            w for w in names.items(machine.eval_fn(state.words, number, []), function.result) if w != "none"
        ]
        seat_ids = {names.seat_id(s): s for s in range(1, state.seats + 1)}
        found.winning_seats = [
            seat_ids.get(w) or actors.get(w, ("", 0))[1] for w in found.winners if w in seat_ids or w in actors
        ]
    return found


def standing(state: State, seat: int) -> int:
    """The manifest's `evaluate` for a seat; 0 where none is declared."""
    number = state.game.program.evaluate
    if number < 0:
        return 0
    value: int = state.game.machine.eval_fn(state.words, number, [state.game.names.seat_thing(seat)])
    return value
