"""Kuhn poker: three cards, an ante of one, one bet of one, the higher card wins at the showdown."""

from __future__ import annotations

from random import Random

PASS, BET = 0, 1
MOVES = [PASS, BET]


class KuhnPoker:
    def __init__(self, cards: list[int]) -> None:
        self.cards = cards
        self.history: list[int] = []

    @property
    def player(self) -> int:
        return len(self.history) % 2

    def over(self) -> bool:
        history = self.history
        return len(history) == 3 or len(history) == 2 and history != [PASS, BET]

    def legal_moves(self) -> list[int]:
        return MOVES

    def play(self, move: int) -> None:
        self.history.append(move)

    def returns(self) -> list[float]:
        history = self.history
        if history[-2:] == [BET, PASS]:
            winner, prize = len(history) % 2, 1  # who passed was the last to act
        else:
            winner, prize = int(self.cards[1] > self.cards[0]), 2 if BET in history else 1
        return [prize, -prize] if winner == 0 else [-prize, prize]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = KuhnPoker(rng.sample(range(3), 2))
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return len(game.history), game.returns()
