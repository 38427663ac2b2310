"""The result of a game: scores and winners, by the values that the manifest names under `result`.

`score` may take a seat or an actor; the actors that took part are read from the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dsl.base.types import MemberType
from dsl.program import Program
from interpreter.rules.names import Names
from interpreter.session.state import State

Actors = dict[str, tuple[str, int]]  # id of an actor that is not a seat -> (its kind, the seat that decides for it)


@dataclass(slots=True)
class Result:
    """The outcome of a state as it stands: `scores` by the number of the seat, `actor_scores` by the id of an actor
    that is not a seat, and the numbers of the seats that win. `has_winners` is false where the rules do not say who
    wins and only one seat plays; then nobody wins, and nobody has lost."""

    scores: dict[int, int] = field(default_factory=dict)
    actor_scores: dict[str, int] = field(default_factory=dict)  # that of its seat, unless the score is by actor
    winners: list[int] = field(default_factory=list)
    has_winners: bool = True

    @property
    def lost(self) -> bool:
        """True if all seats have lost to the game itself: the rules say who wins, and it is nobody."""
        return self.has_winners and not self.winners


def actors_of(state: State, since: int = 0, known: Actors | None = None) -> Actors:
    """Actors that decided something, in the order of their first decision, added to `known`."""
    found: Actors = {} if known is None else known
    for entry in state.log[since:]:
        actor, domain, seat = entry.decider()
        if actor and domain and domain != state.game.program.seat_kind:
            found.setdefault(actor, (domain, seat))
    return found


def scores(state: State, actors: Actors | None = None) -> Result:
    """The scores in this state, by the value `score` of the ruleset."""
    actors = actors_of(state) if actors is None else actors
    program, names, machine = state.game.program, state.game.names, state.game.machine
    number = program.result.get("score", -1)
    if number < 0 or not program.functions[number].params:
        return Result()
    type_ = program.functions[number].params[0][1]
    if (kind := kind_of_actors(program)) is None:
        seats = range(1, state.seats + 1)
        of_seats = {seat: machine.eval_fn(state.words, number, [names.seat_thing(seat)]) for seat in seats}
        return Result(of_seats, scores_of_deciders(of_seats, actors))
    parsed = {actor: [names.parse(actor, type_)] for actor, (domain, _) in actors.items() if domain == kind}
    of_actors = {actor: machine.eval_fn(state.words, number, args) for actor, args in parsed.items()}
    return Result(scores_of_seats(of_actors, actors), of_actors)


def kind_of_actors(program: Program) -> str | None:
    """The kind of actors that have a score of their own; None if seats have one, or nobody."""
    number = program.result.get("score", -1)
    params = program.functions[number].params if number >= 0 else ()
    type_ = params[0][1] if params else None
    return type_.domain if isinstance(type_, MemberType) and type_.domain != program.seat_kind else None


def scores_of_deciders(of_seats: Mapping[int, int], actors: Actors) -> dict[str, int]:
    """The scores of actors that have that of their seat."""
    return {actor: of_seats[seat] for actor, (_, seat) in actors.items() if seat in of_seats}


def scores_of_seats(of_actors: Mapping[str, int], actors: Actors) -> dict[int, int]:
    """The scores of seats that have the best one of their actors."""
    found: dict[int, int] = {}
    for actor, score in of_actors.items():
        seat = actors[actor][1]
        found[seat] = max(score, found.get(seat, score))
    return found


def result(state: State, actors: Actors | None = None) -> Result:
    """The scores and the winners of this state, over or not: by the value `winners`, or without it the seats with the
    highest score. A value `winners` that gives nobody says that all have lost."""
    actors = actors_of(state) if actors is None else actors
    found = scores(state, actors)
    number = state.game.program.result.get("winners", -1)
    ids = None
    if number >= 0:
        value = state.game.machine.eval_fn(state.words, number, [])
        ids = state.game.names.items(value, state.game.program.functions[number].result)
    tell_winners(found, ids, state.seats, state.game.names, actors)
    return found


def tell_winners(found: Result, ids: Sequence[str] | None, seats: int, names: Names, actors: Actors) -> None:
    """Write the winners into a result: those with these ids of seats or actors; None: those with the highest score."""
    if ids is None:
        found.has_winners = seats > 1 and bool(found.scores)
        best = max(found.scores.values(), default=0)
        found.winners = [seat for seat, n in found.scores.items() if n == best and found.has_winners]
    else:
        numbers = {names.seat_id(seat): seat for seat in range(1, seats + 1)}
        won = [numbers.get(id_) or actors.get(id_, ("", 0))[1] for id_ in ids]
        found.winners = [seat for seat in dict.fromkeys(won) if seat]
