"""Liar's dice for two with one die each: bids rise until somebody doubts; sixes count as every face."""

from __future__ import annotations

from random import Random

SIDES = 6
DICE = 2
BIDS = SIDES * DICE  # bid = (quantity - 1) * SIDES + face - 1
LIAR = BIDS


class LiarsDice:
    def __init__(self, dice: list[int]) -> None:
        self.dice = dice
        self.bid = -1
        self.player = 0
        self.moves = 0
        self.called = False

    def over(self) -> bool:
        return self.called

    def legal_moves(self) -> list[int]:
        higher = list(range(self.bid + 1, BIDS))
        if self.bid >= 0:
            higher.append(LIAR)
        return higher

    def play(self, move: int) -> None:
        if move == LIAR:
            self.called = True
        else:
            self.bid = move
        self.moves += 1
        self.player = 1 - self.player

    def returns(self) -> list[float]:
        quantity, face = divmod(self.bid, SIDES)
        matching = sum(die in (face + 1, SIDES) for die in self.dice)
        bidder = self.player  # the turn has passed on from who doubted
        winner = bidder if matching > quantity else 1 - bidder
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = LiarsDice([rng.randint(1, SIDES) for _ in range(DICE)])
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
