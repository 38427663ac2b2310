"""Random games of a ruleset that calls some answers `seldom`: laid down before they are played in a bench.

Without this a random game would end by the first resignation. Who drives such a game could look at each option for
that, but most would not: so the answers are laid down, and the loop is the bare one. The adapters know such answers by
their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from inspect import signature
from random import Random
from typing import Any, NamedTuple, cast

from interpreter import Game, State, apply
from interpreter.choices.draw import SELDOM_ODDS, is_rare

GAMES = 10
LONGEST = 500  # decisions of a game that is driven one by one


class LaidCourse(NamedTuple):
    """A game from this seed: the places of its answers among the options."""

    seed: int
    answers: list[int]


def courses_to_follow(game: Game, seats: int) -> list[LaidCourse]:
    """Random games, if the ruleset has answers that are seldom; else none."""
    return courses(game, seats, GAMES) if game.machine.seldom else []


def courses(game: Game, seats: int, games: int) -> list[LaidCourse]:
    """The courses of so many random games, by seed from 0."""
    found = []
    for seed in range(games):
        chance, state = Random(seed), game.new(seats, seed=seed)
        answers: list[int] = []
        while (decision := state.decision) is not None and len(answers) < LONGEST:
            place = draw(chance.random, range(len(decision.options)), rare_places(state))
            answers.append(place)
            apply(state, decision.options[place])
        found.append(LaidCourse(seed, answers))
    return found


def rare_places(state: State) -> set[int]:
    """The places of the options that are seldom."""
    decision = state.decision
    assert decision is not None, "something is asked"
    seldom = state.game.machine.seldom.get(decision.number, frozenset())
    return {place for place, option in enumerate(decision.options) if is_rare(option.raw, seldom)}


def rare_numbers(game: Game, seats: int) -> set[int]:
    """The numbers that adapters give to answers that are seldom, as far as random games meet them."""
    if not game.machine.seldom:
        return set()
    from tools.adapters.actions import ActionSpace  # those of the checkout that is measured

    earlier = "program" in signature(ActionSpace).parameters  # another checkout
    space, found = ActionSpace(cast(Any, game.program if earlier else game)), set[int]()
    for course in courses_to_follow(game, seats):
        state = game.new(seats, seed=course.seed)
        for place in course.answers:
            decision = state.decision
            assert decision is not None, "the game is played again"
            rare = [decision.options[at] for at in rare_places(state)]
            if rare:
                found |= {number for number, option in space.by_number(decision).items() if option in rare}
            apply(state, decision.options[place])
    return found


def draw(random: Callable[[], float], offered: Sequence[int], rare: Container[int]) -> int:
    """Draw one of these; one that is rare once in a while only, or where there is nothing else."""
    found = offered[int(random() * len(offered))]
    if found in rare and random() * SELDOM_ODDS >= 1:
        others = [other for other in offered if other not in rare]
        return others[int(random() * len(others))] if others else found
    return found
