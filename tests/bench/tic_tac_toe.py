"""Tic-tac-toe: two seats mark nine cells in turn, three in a row win."""

from __future__ import annotations

from random import Random

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
ROWS_THROUGH = [[row for row in ROWS if cell in row] for cell in range(9)]
EMPTY = -1


class TicTacToe:
    def __init__(self) -> None:
        self.board = [EMPTY] * 9
        self.player = 0
        self.moves = 0
        self.winner = EMPTY

    def over(self) -> bool:
        return self.winner != EMPTY or self.moves == 9

    def legal_moves(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.board) if mark == EMPTY]

    def play(self, cell: int) -> None:
        board, player = self.board, self.player
        board[cell] = player
        self.moves += 1
        for a, b, c in ROWS_THROUGH[cell]:
            if board[a] == board[b] == board[c]:
                self.winner = player
        self.player = 1 - player

    def returns(self) -> list[float]:
        if self.winner == EMPTY:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = TicTacToe()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
