"""Lamplight plays as the same game that is written by hand in plain Python, with the same shuffles."""

from __future__ import annotations

import random
from functools import cache

import pytest

from interpreter import Game, load, result
from interpreter.core.question import RawOption
from interpreter.session.driver import Driver
from tests.bench.lamplight import Lamplight, Move

ANSWERS = 400  # in each game, at most


@cache
def game() -> Game:
    return load("lamplight")


def sort_of(thing: int) -> str:
    """The sort of a card: its id without the number of the copy."""
    return game().program.thing_ids[thing].split("_")[0]


def move_of(option: RawOption) -> Move:
    return sort_of(option.values[0]) if option.values else None


class Shuffles:
    """Chance as the ruleset draws it, told to the other game: it names all cards of a shuffle but the last."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.drawn = rng, list[str]()

    def settle(self, driver: Driver) -> None:
        """Draw up to the next question."""
        while driver.waits_for_chance:
            value, _ = self.rng.choice(driver.outcomes)
            self.drawn.append(sort_of(value))
            driver.draw(value)

    def order(self, cards: list[str]) -> list[str]:
        named, left = self.drawn[: max(len(cards) - 1, 0)], list(cards)
        del self.drawn[: len(named)]
        for card in named:
            left.remove(card)
        return named + left


def play(seats: int, seed: int) -> tuple[Lamplight, Driver]:
    rng = random.Random(seed)
    shuffles = Shuffles(rng)
    driver = game().driver(seats, chance="ask", auto=False)
    shuffles.settle(driver)
    other = Lamplight(shuffles.order, seats)
    for _ in range(ANSWERS):
        if other.over():
            break
        assert not shuffles.drawn and driver.seat == other.player + 1
        moves = [move_of(option) for option in driver.options]
        assert set(moves) == set(other.legal_moves())
        move = rng.choice(sorted(set(moves), key=str))
        driver.answer(moves.index(move))
        shuffles.settle(driver)
        other.play(move)
    return other, driver


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lock_step_with_the_game_by_hand(seats: int) -> None:
    over = 0
    for seed in range(6):
        other, driver = play(seats, seed)
        assert driver.over == other.over()
        if other.over():
            over += 1
            found = result(driver.state())
            assert [found.scores[n + 1] for n in range(seats)] == [other.glow(n) for n in range(seats)]
            assert sorted(found.winners) == [n + 1 for n in other.winners()]
    assert over > 2
