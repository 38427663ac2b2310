"""Leduc poker: six cards (three ranks twice), two rounds of betting, a public card in between, pairs win."""

from __future__ import annotations

from random import Random

FOLD, CALL, RAISE = 0, 1, 2
ANTE = 1
STAKES = (2, 4)  # of a raise in each round
MOST_RAISES = 2  # a round


class LeducPoker:
    def __init__(self, deck: list[int]) -> None:
        """`deck`: the cards of seat 0, of seat 1, and the public card; rank = card // 2."""
        self.deck = deck
        self.paid = [ANTE, ANTE]
        self.round = 0
        self.raises = 0
        self.calls = 0  # in a row, in this round
        self.player = 0
        self.folded = -1
        self.moves = 0

    def over(self) -> bool:
        return self.round == 2 or self.folded >= 0

    def legal_moves(self) -> list[int]:
        moves = [CALL]
        if self.paid[self.player] < self.paid[1 - self.player]:
            moves.append(FOLD)
        if self.raises < MOST_RAISES:
            moves.append(RAISE)
        return moves

    def play(self, move: int) -> None:
        player, paid = self.player, self.paid
        self.moves += 1
        self.player = 1 - player
        if move == FOLD:
            self.folded = player
        elif move == RAISE:
            paid[player] = paid[1 - player] + STAKES[self.round]
            self.raises += 1
            self.calls = 0
        else:
            paid[player] = paid[1 - player]
            self.calls += 1
            if self.calls == 2 or self.raises:
                self.round += 1
                self.raises = self.calls = self.player = 0

    def returns(self) -> list[float]:
        if self.folded >= 0:
            winner = 1 - self.folded
        else:
            first, second, public = (card // 2 for card in self.deck)
            if first == second:
                return [0.0, 0.0]
            if public in (first, second):
                winner = 0 if public == first else 1
            else:
                winner = 0 if first > second else 1
        prize = self.paid[1 - winner]
        return [prize, -prize] if winner == 0 else [-prize, prize]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = LeducPoker(rng.sample(range(6), 3))
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
