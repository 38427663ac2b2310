"""Plays a game in both engines at once and compares all that can be seen from outside at every step.

Compared are: who is to act, what is offered, what chance may bring and how likely, when the game ends and what it is
worth, and, through `Knowledge`, what is hidden from whom. It plays no rules of its own.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import interpreter as rw
from tests.spiel.pairs import Pair
from tools.adapters.rewards import Rewards
from tools.adapters.seen import memory, observation


@dataclass
class Knowledge:
    """What each player knows, in both engines, over all positions met: two positions are the same to a player in one
    engine if and only if they are in the other. A player knows all that was told so far; where OpenSpiel has no words
    for that (`recalls`), what is to be seen now. For a game of which OpenSpiel's words leave out what is past, both
    sides are given all that they said before in the same game."""

    pair: Pair
    ours: dict[tuple[int, str], str] = field(default_factory=dict)  # (seat, what OpenSpiel tells it) -> what we tell it
    theirs: dict[tuple[int, str], str] = field(default_factory=dict)
    past: dict[int, tuple[str, str]] = field(default_factory=dict)  # of the game that is played

    def note(self, state: rw.State, other: Any) -> None:
        recalls = other.get_game().get_type().provides_information_state_string
        for seat in range(1, self.pair.seats + 1):
            here = memory(state, seat) if recalls else observation(state, seat)
            there = other.information_state_string(seat - 1) if recalls else other.observation_string(seat - 1)
            if self.pair.forgets:
                before, before_there = self.past.get(seat, ("", ""))
                here, there = f"{digest(before)} {here}", f"{digest(before_there)} {there}"
                self.past[seat] = here, there
            same(self.ours, (seat, there), here, f"seat {seat} can tell apart here what is one to it there")
            same(self.theirs, (seat, here), there, f"seat {seat} can tell apart there what is one to it here")

    @property
    def shared(self) -> int:
        """How many things a player may know; less than the positions noted, where something is hidden."""
        return len(self.theirs)


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def same(known: dict[tuple[int, str], str], key: tuple[int, str], value: str, message: str) -> None:
    first = known.setdefault(key, value)
    assert first == value, f"{message}:\n{key[1]}\n--- was\n{first}\n--- is\n{value}"


@dataclass
class Tally:
    """What was compared."""

    games: int = 0
    decisions: int = 0
    draws: int = 0
    known: int = 0


def play(pair: Pair, chooser: random.Random, tally: Tally, knowledge: Knowledge | None = None) -> None:
    """One random game in both engines."""
    state, other = pair.new()
    if knowledge is not None:
        knowledge.past.clear()
    rewards = Rewards(pair.ours.program, pair.rewards)
    while True:
        skip_certain_draws(state, other)
        if other.is_terminal():
            break
        if knowledge is not None and (pair.forgets or not other.is_chance_node()):
            knowledge.note(state, other)
            tally.known += pair.seats
        if other.is_chance_node():
            same_chance(pair, state, other, chooser)
            tally.draws += 1
            continue
        if other.is_simultaneous_node():
            actions = [same_question(pair, state, other, player, chooser) for player in range(pair.seats)]
            other.apply_actions(actions)
            tally.decisions += pair.seats
        else:
            other.apply_action(same_question(pair, state, other, other.current_player(), chooser))
            tally.decisions += 1
    while pair.last and state.decision is not None and len(state.decision.options) == 1:
        rw.apply(state, state.decision.options[0])
    assert state.over, f"OpenSpiel's game is over, ours asks {state.decision and state.decision.address}"
    assert rewards.of(state) == other.returns(), f"the end is worth {rewards.of(state)}, there {other.returns()}"
    tally.games += 1


def skip_certain_draws(state: rw.State, other: Any) -> None:
    """OpenSpiel asks chance even where only one thing can come; we do not."""
    while other.is_chance_node() and state.chance is None:
        ((action, _),) = other.chance_outcomes()
        other.apply_action(action)


def same_chance(pair: Pair, state: rw.State, other: Any, chooser: random.Random) -> None:
    """Compare what may come and draw one of it, in both games."""
    assert state.chance is not None and pair.drawn is not None, "OpenSpiel draws, we do not"
    ours = {pair.drawn(o.id): o for o in state.chance.outcomes}
    theirs = {pair.word(other, -1, action): (action, p) for action, p in other.chance_outcomes()}
    assert len(ours) == len(state.chance.outcomes), "two outcomes have one name"
    assert sorted(ours) == sorted(theirs), f"chance may bring {sorted(ours)}, there {sorted(theirs)}"
    assert sum(o.probability for o in ours.values()) == 1
    for word, (_, p) in theirs.items():
        assert math.isclose(ours[word].probability, p, rel_tol=1e-12), f"{word}: {ours[word].probability}, there {p}"
    word = chooser.choice(sorted(theirs))
    rw.apply(state, ours[word])
    other.apply_action(theirs[word][0])


def same_question(pair: Pair, state: rw.State, other: Any, player: int, chooser: random.Random) -> int:
    """Compare who is asked and what is offered; choose, take it in our game and give the action for the other."""
    decision = state.decision
    assert decision is not None, f"OpenSpiel asks player {player}, we ask nobody"
    assert decision.seat == player + 1, f"seat {decision.seat} is asked, there seat {player + 1}"
    ours = {pair.answer(decision.address, o.ids, decision.seat): o for o in decision.options}
    theirs = {pair.word(other, player, a): a for a in other.legal_actions(player)}
    assert len(ours) == len(decision.options), "two options have one name"
    assert sorted(ours) == sorted(theirs), f"{decision.address} offers {sorted(ours)}, there {sorted(theirs)}"
    word = chooser.choice(sorted(theirs))
    rw.apply(state, ours[word])
    return int(theirs[word])
