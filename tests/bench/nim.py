"""Nim with piles of 1, 3, 5 and 7: take any number from one pile; whoever takes the last one loses."""

from __future__ import annotations

from random import Random

PILES = (1, 3, 5, 7)


class Nim:
    def __init__(self) -> None:
        self.piles = list(PILES)
        self.player = 0
        self.moves = 0

    def over(self) -> bool:
        return not any(self.piles)

    def legal_moves(self) -> list[tuple[int, int]]:
        return [(pile, taken) for pile, size in enumerate(self.piles) for taken in range(1, size + 1)]

    def play(self, move: tuple[int, int]) -> None:
        pile, taken = move
        self.piles[pile] -= taken
        self.moves += 1
        self.player = 1 - self.player

    def returns(self) -> list[float]:
        """The seat that would be next wins: the other one took the last."""
        return [1.0, -1.0] if self.player == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Nim()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
