"""Othello on 8 by 8: a disc must turn some of the opponent's; who cannot place passes; most discs win."""

from __future__ import annotations

from random import Random

WIDTH = 10  # 8 by 8 with a rim of cells outside the board
EMPTY, OUTSIDE = -1, -2
INSIDE = [row * WIDTH + column for row in range(1, 9) for column in range(1, 9)]
AROUND = (-WIDTH - 1, -WIDTH, -WIDTH + 1, -1, 1, WIDTH - 1, WIDTH, WIDTH + 1)
PASS = 0  # a cell outside, which nobody can place on

START = [OUTSIDE] * (WIDTH * WIDTH)
for _cell in INSIDE:
    START[_cell] = EMPTY
START[45] = START[54] = 0
START[44] = START[55] = 1


class Othello:
    def __init__(self) -> None:
        self.board = START[:]
        self.player = 0
        self.moves = 0
        self.legal = self.places(0)
        self.ended = False

    def over(self) -> bool:
        return self.ended

    def legal_moves(self) -> list[int]:
        return self.legal or [PASS]

    def places(self, player: int) -> list[int]:
        """The cells where this player can place a disc."""
        board, opponent = self.board, 1 - player
        found = []
        for cell in INSIDE:
            if board[cell] != EMPTY:
                continue
            for step in AROUND:
                other = cell + step
                if board[other] == opponent:
                    other += step
                    while board[other] == opponent:
                        other += step
                    if board[other] == player:
                        found.append(cell)
                        break
        return found

    def play(self, cell: int) -> None:
        player, opponent = self.player, 1 - self.player
        if cell != PASS:
            self.place(cell)
        self.moves += 1
        self.player = opponent
        self.legal = self.places(opponent)
        if not self.legal and not self.places(player):
            self.ended = True

    def place(self, cell: int) -> None:
        board, player, opponent = self.board, self.player, 1 - self.player
        board[cell] = player
        for step in AROUND:
            other = cell + step
            while board[other] == opponent:
                other += step
            if board[other] == player:
                other -= step
                while other != cell:
                    board[other] = player
                    other -= step

    def returns(self) -> list[float]:
        lead = self.board.count(0) - self.board.count(1)
        return [0.0, 0.0] if lead == 0 else [1.0, -1.0] if lead > 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Othello()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
