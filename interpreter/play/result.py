"""The result of a game: scores and winners, by the values that the manifest names under `result`.

`score` may take a seat or an actor; the actors that took part are read from the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.base.types import MemberType
from interpreter.session.state import State

Actors = dict[str, tuple[str, int]]  # id of an actor that is not a seat -> (its kind, the seat that decides for it)


@dataclass(slots=True)
class Result:
    """What a state is worth: `scores` by the number of the seat, `actor_scores` by the id of an actor that is not a
    seat, and the numbers of the seats that win. `has_winners` is false where the rules do not say who wins and only one
    seat plays; then nobody wins, and nobody has lost."""

    scores: dict[int, int] = field(default_factory=dict)
    actor_scores: dict[str, int] = field(default_factory=dict)  # that of its seat, unless the score is by actor
    winners: list[int] = field(default_factory=list)
    has_winners: bool = True

    @property
    def lost(self) -> bool:
        """Whether all seats have lost to the game itself: the rules say who wins, and it is nobody."""
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
    found = Result()
    program, names, machine = state.game.program, state.game.names, state.game.machine
    number = program.result.get("score", -1)
    if number < 0 or not program.functions[number].params:
        return found
    type_ = program.functions[number].params[0][1]
    if isinstance(type_, MemberType) and type_.domain != program.seat_kind:
        for actor, (domain, seat) in actors.items():
            if domain == type_.domain:
                found.actor_scores[actor] = machine.eval_fn(state.words, number, [names.parse(actor, type_)])
                found.scores[seat] = max(found.actor_scores[actor], found.scores.get(seat, found.actor_scores[actor]))
    else:
        for seat in range(1, state.seats + 1):
            found.scores[seat] = machine.eval_fn(state.words, number, [names.seat_thing(seat)])
        found.actor_scores = {actor: found.scores[seat] for actor, (_, seat) in actors.items() if seat in found.scores}
    return found


def result(state: State, actors: Actors | None = None) -> Result:
    """The scores and the winners of this state, over or not: by the value `winners`, or without it the seats with the
    highest score. A value `winners` that gives nobody says that all have lost."""
    actors = actors_of(state) if actors is None else actors
    found = scores(state, actors)
    program, names = state.game.program, state.game.names
    number = program.result.get("winners", -1)
    if number < 0:
        found.has_winners = state.seats > 1 and bool(found.scores)
        best = max(found.scores.values(), default=0)
        found.winners = [seat for seat, n in found.scores.items() if n == best and found.has_winners]
    else:
        value = state.game.machine.eval_fn(state.words, number, [])
        ids = names.items(value, program.functions[number].result)
        seats = {names.seat_id(s): s for s in range(1, state.seats + 1)}
        won = [seats.get(id_) or actors.get(id_, ("", 0))[1] for id_ in ids]
        found.winners = [seat for seat in dict.fromkeys(won) if seat]
    return found
