"""Plays a game in both engines at once and compares all that can be seen from outside at every step.

It compares who is to act, the options, the outcomes of chance and their probabilities, the end of the game and its
rewards, and, through `Knowledge`, what is hidden from whom. It plays no rules of its own.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import pyspiel

import interpreter as rw
from tests.spiel.pairs import Pair
from tools.adapters.observations import observation, view_with_log
from tools.adapters.rewards import Rewards

Ours = tuple[rw.Option | rw.Outcome, ...]  # one, or all the small answers that make a whole one
Step = tuple[Ours, int]  # ours, and OpenSpiel's action


@dataclass
class Knowledge:
    """What each player knows, in both engines, over all positions met: two positions are the same to a player in one
    engine if and only if they are in the other. A player knows all that was reported so far; where OpenSpiel has no
    words for that (`recalls`), only what can be seen now. For a game whose past OpenSpiel's words leave out, both sides
    are given all that they reported before in the same game."""

    pair: Pair
    ours: dict[tuple[int, str], str] = field(default_factory=dict)  # (seat, what OpenSpiel tells it) -> what we tell it
    theirs: dict[tuple[int, str], str] = field(default_factory=dict)
    past: dict[int, tuple[str, str]] = field(default_factory=dict)  # of the game that is played

    def note(self, state: rw.State, other: Any) -> None:
        recalls = other.get_game().get_type().provides_information_state_string
        for player in range(self.pair.seats):
            seat = self.pair.seat(player)
            ours = view_with_log(state, seat) if recalls else observation(state, seat)
            theirs = other.information_state_string(player) if recalls else other.observation_string(player)
            if self.pair.forgets:
                before, before_there = self.past.get(seat, ("", ""))
                ours, theirs = f"{digest(before)} {ours}", f"{digest(before_there)} {theirs}"
                self.past[seat] = ours, theirs
            check_same(self.ours, (seat, theirs), ours, f"seat {seat} can tell apart here what is one to it there")
            check_same(self.theirs, (seat, ours), theirs, f"seat {seat} can tell apart there what is one to it here")

    @property
    def shared(self) -> int:
        """The number of different situations of players; fewer than the positions noted where something is hidden."""
        return len(self.theirs)


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def check_same(known: dict[tuple[int, str], str], key: tuple[int, str], value: str, message: str) -> None:
    first = known.setdefault(key, value)
    assert first == value, f"{message}:\n{key[1]}\n--- was\n{first}\n--- is\n{value}"


@dataclass
class Tally:
    """The numbers of what was compared."""

    games: int = 0
    decisions: int = 0
    draws: int = 0
    known: int = 0


def play(pair: Pair, chooser: random.Random, tally: Tally, knowledge: Knowledge | None = None) -> None:
    """One random game in both engines."""
    state, other = pair.new()
    if knowledge is not None:
        knowledge.past.clear()
    while compare_position(pair, state, other, tally, knowledge):
        asked = range(pair.seats) if other.is_simultaneous_node() else [other.current_player()]
        actions = []
        for player in asked:
            ours, action = chooser.choice(compare_options(pair, state, other, player))
            take(state, ours)
            actions.append(action)
        if other.is_simultaneous_node():
            other.apply_actions(actions)
        else:
            other.apply_action(*actions)


def play_all(pair: Pair, tally: Tally, knowledge: Knowledge) -> None:
    """Every game that there is."""
    assert not pair.forgets, "what was reported before is kept for one game at a time"
    left = [pair.new()]
    while left:
        state, other = left.pop()
        if compare_position(pair, state, other, tally, knowledge):
            for ours, action in compare_options(pair, state, other, other.current_player()):
                left.append((take(rw.copy(state), ours), other.child(action)))


def take(state: rw.State, steps: Ours) -> rw.State:
    for step in steps:
        rw.apply(state, step)
    return state


def compare_position(pair: Pair, state: rw.State, other: Any, tally: Tally, knowledge: Knowledge | None) -> bool:
    """Compare a position: whether it is the end, the rewards there, what players know. False: it is the end."""
    while other.is_chance_node() and state.chance is None:
        outcomes = other.chance_outcomes()  # OpenSpiel asks chance even where only one thing can come, we do not
        words = {pair.word(other, pyspiel.PlayerId.CHANCE, action) for action, _ in outcomes}
        assert len(words) == 1, f"OpenSpiel draws one of {sorted(words)}, we do not"
        other.apply_action(outcomes[0][0])
    if other.is_terminal():
        if pair.cut is not None and pair.cut(other):
            tally.games += 1
            return False
        while pair.last and state.decision is not None and len(state.decision.options) == 1:
            rw.apply(state, state.decision.options[0])
        assert state.over, f"OpenSpiel's game is over, we ask {state.decision and state.decision.address}"
        ours = Rewards(pair.ours.program, pair.rewards).of(state)
        rewards = [ours[pair.seat(player) - 1] for player in range(pair.seats)]
        assert rewards == other.returns(), f"the end is worth {rewards}, there {other.returns()}"
        tally.games += 1
        return False
    if knowledge is not None and (pair.forgets or not other.is_chance_node()):
        knowledge.note(state, other)
        tally.known += pair.seats
    if other.is_chance_node():
        tally.draws += 1
    else:
        tally.decisions += pair.seats if other.is_simultaneous_node() else 1
    return True


def compare_options(pair: Pair, state: rw.State, other: Any, player: int) -> list[Step]:
    """Compare what may happen next; gives each possibility in both engines' terms, in the order of its words."""
    ours = draws(pair, state, other) if player == pyspiel.PlayerId.CHANCE else answers(pair, state, player)
    theirs = {pair.word(other, player, action): action for action in other.legal_actions(player)}
    assert sorted(ours) == sorted(theirs), f"we offer {sorted(ours)}, there it is {sorted(theirs)}"
    return [(ours[word], theirs[word]) for word in sorted(ours)]


def answers(pair: Pair, state: rw.State, player: int) -> dict[str, Ours]:
    """The options of the seat that OpenSpiel asks, by its words."""
    decision = state.decision
    assert decision is not None, f"OpenSpiel asks player {player}, we ask nobody"
    seat = pair.seat(player)
    assert decision.seat == seat, f"seat {decision.seat} is asked, there seat {seat}"
    rows = list(whole_answers(pair, state))
    found = {
        pair.answer(decision.address, tuple(word for option in row for word in option.ids), seat): tuple(row)
        for row in rows
    }
    assert len(found) == len(rows), "two options have one name"
    return dict(found)


def whole_answers(pair: Pair, state: rw.State) -> Iterator[list[rw.Option]]:
    """The options, each with those that belong to it."""
    assert state.decision is not None
    for option in state.decision.options:
        after = rw.apply(rw.copy(state), option) if pair.parts else None
        if after is not None and after.decision is not None and after.decision.address in pair.parts:
            for rest in whole_answers(pair, after):
                yield [option, *rest]
        else:
            yield [option]


def draws(pair: Pair, state: rw.State, other: Any) -> dict[str, Ours]:
    """The outcomes of chance by OpenSpiel's words; they are as likely here as there, all of one word together."""
    assert state.chance is not None and pair.drawn is not None, "OpenSpiel draws, we do not"
    found = {pair.drawn(outcome.id): outcome for outcome in state.chance.outcomes}
    assert len(found) == len(state.chance.outcomes), "two outcomes have one name"
    assert sum(outcome.probability for outcome in found.values()) == 1
    likely: dict[str, float] = {}
    for action, probability in other.chance_outcomes():
        word = pair.word(other, pyspiel.PlayerId.CHANCE, action)
        likely[word] = likely.get(word, 0.0) + probability
    for word, there in likely.items():
        here = found[word].probability if word in found else 0
        assert math.isclose(here, there, rel_tol=1e-12), f"{word} has the probability {here}, there {there}"
    return {word: (outcome,) for word, outcome in found.items()}
