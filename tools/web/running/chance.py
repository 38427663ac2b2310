"""Chance at a table comes from the system and not from a seed: who could guess the seed of a game would know its cards.

A game that is begun with `chance="ask"` waits at each event; here the outcome is drawn by its exact weights.
"""

from __future__ import annotations

import secrets
from random import SystemRandom

from interpreter import Game, Outcome, State, apply

SYSTEM = SystemRandom()
SEED_BITS = 128  # of a seed that decides nothing but has to be written in a save


def new_state(game: Game, seats: int, options: dict[str, str]) -> State:
    """A new game, run to its first question. Raises what `Game.new` and the rules raise."""
    state = game.new(seats=seats, options=options, seed=secrets.randbits(SEED_BITS), chance="ask")
    draw_chance(state)
    return state


def draw_chance(state: State) -> None:
    """Draw at every event that the game waits for."""
    while (event := state.chance) is not None:
        apply(state, drawn(event.outcomes))


def drawn(outcomes: tuple[Outcome, ...]) -> Outcome:
    at = SYSTEM.randrange(outcomes[0].total)
    for outcome in outcomes:
        at -= outcome.weight
        if at < 0:
            return outcome
    raise AssertionError("the weights of outcomes add up to their total")
