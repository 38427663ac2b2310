"""Goofspiel for two with 13 cards: a prize turns up, both bid at once, the higher bid takes it; ties take nothing."""

from __future__ import annotations

from random import Random

CARDS = 13


class Goofspiel:
    def __init__(self, prizes: list[int]) -> None:
        """`prizes` in the order in which they turn up."""
        self.prizes = prizes
        self.hands = [list(range(1, CARDS + 1)) for _ in range(2)]
        self.points = [0, 0]
        self.round = 0

    def over(self) -> bool:
        return self.round == CARDS

    def legal_moves(self, player: int) -> list[int]:
        return self.hands[player]

    def play(self, bids: list[int]) -> None:
        first, second = bids
        if first != second:
            self.points[0 if first > second else 1] += self.prizes[self.round]
        self.hands[0].remove(first)
        self.hands[1].remove(second)
        self.round += 1

    def returns(self) -> list[float]:
        first, second = self.points
        return [0.0, 0.0] if first == second else [1.0, -1.0] if first > second else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Goofspiel(rng.sample(range(1, CARDS + 1), CARDS))
    decisions = 0
    while not game.over():
        game.play([rng.choice(game.legal_moves(player)) for player in (0, 1)])
        decisions += 2
    return decisions, game.returns()
