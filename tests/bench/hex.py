"""Hex on 11 by 11 without a swap: seat 0 joins the top and bottom rows, seat 1 the left and right columns."""

from __future__ import annotations

from random import Random

SIZE = 11
CELLS = SIZE * SIZE  # cell = row * SIZE + column
EMPTY = -1
LAST = SIZE - 1


def neighbours(cell: int) -> list[int]:
    row, column = divmod(cell, SIZE)
    around = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0)]
    near = [(row + r, column + c) for r, c in around]
    return [r * SIZE + c for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE]


NEIGHBOURS = [neighbours(cell) for cell in range(CELLS)]
PLACE = ([cell // SIZE for cell in range(CELLS)], [cell % SIZE for cell in range(CELLS)])  # between a seat's two sides


class Hex:
    def __init__(self) -> None:
        self.board = [EMPTY] * CELLS
        self.player = 0
        self.moves = 0
        self.winner = EMPTY

    def over(self) -> bool:
        return self.winner != EMPTY

    def legal_moves(self) -> list[int]:
        return [cell for cell, stone in enumerate(self.board) if stone == EMPTY]

    def play(self, cell: int) -> None:
        self.board[cell] = self.player
        if self.joins(cell):
            self.winner = self.player
        self.moves += 1
        self.player = 1 - self.player

    def joins(self, cell: int) -> bool:
        """Whether the chain of this stone touches both sides of its player."""
        board, player, place = self.board, self.player, PLACE[self.player]
        chain, seen = [cell], {cell}
        first = last = False
        for stone in chain:
            if place[stone] == 0:
                first = True
            elif place[stone] == LAST:
                last = True
            if first and last:
                return True
            for near in NEIGHBOURS[stone]:
                if board[near] == player and near not in seen:
                    seen.add(near)
                    chain.append(near)
        return False

    def returns(self) -> list[float]:
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Hex()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
