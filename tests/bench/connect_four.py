"""Connect Four on 7 columns of 6: discs drop in turn, four in a row win, a full board is a draw."""

from __future__ import annotations

from random import Random

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # of a column in the list: one cell above it stays empty
EMPTY = -1
STEPS = (1, HEIGHT - 1, HEIGHT, HEIGHT + 1)  # up, the two diagonals, along the row
BOARD = [EMPTY] * (COLUMNS * HEIGHT + HEIGHT + 1)  # the cells behind the last column are also those before the first


class ConnectFour:
    def __init__(self) -> None:
        self.board = BOARD[:]
        self.tops = [column * HEIGHT for column in range(COLUMNS)]  # the next free cell of each column
        self.player = 0
        self.moves = 0
        self.winner = EMPTY

    def over(self) -> bool:
        return self.winner != EMPTY or self.moves == COLUMNS * ROWS

    def legal_moves(self) -> list[int]:
        return [column for column, top in enumerate(self.tops) if top % HEIGHT < ROWS]

    def play(self, column: int) -> None:
        board, player = self.board, self.player
        cell = self.tops[column]
        board[cell] = player
        self.tops[column] = cell + 1
        for step in STEPS:
            ahead = cell + step
            while board[ahead] == player:
                ahead += step
            behind = cell - step
            while board[behind] == player:
                behind -= step
            if ahead - behind > 4 * step:
                self.winner = player
                break
        self.moves += 1
        self.player = 1 - player

    def returns(self) -> list[float]:
        if self.winner == EMPTY:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = ConnectFour()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
