"""Breakthrough on 8 by 8: pawns step forward or capture diagonally; reaching the far row or taking all pawns wins."""

from __future__ import annotations

from random import Random

SIZE = 8
CELLS = SIZE * SIZE  # cell = row * SIZE + column; seat 0 goes up the rows, seat 1 down
EMPTY = -1
START = [0] * (2 * SIZE) + [EMPTY] * (CELLS - 4 * SIZE) + [1] * (2 * SIZE)
FAR_ROW = (range(CELLS - SIZE, CELLS), range(SIZE))


def ahead(player: int, cell: int, columns: int) -> int | None:
    """The cell one row on and `aside` columns to the right, if there is one."""
    row, column = cell // SIZE + (1 if player == 0 else -1), cell % SIZE + columns
    return row * SIZE + column if 0 <= row < SIZE and 0 <= column < SIZE else None


def onward(player: int, cell: int, *columns: int) -> list[int]:
    return [to for a in columns if (to := ahead(player, cell, a)) is not None]


STRAIGHT = [[onward(player, cell, 0) for cell in range(CELLS)] for player in (0, 1)]
DIAGONAL = [[onward(player, cell, -1, 1) for cell in range(CELLS)] for player in (0, 1)]


class Breakthrough:
    def __init__(self) -> None:
        self.board = START[:]
        self.pawns = [2 * SIZE, 2 * SIZE]
        self.player = 0
        self.moves = 0
        self.winner = EMPTY

    def over(self) -> bool:
        return self.winner != EMPTY

    def legal_moves(self) -> list[tuple[int, int]]:
        board, player = self.board, self.player
        straight, diagonal = STRAIGHT[player], DIAGONAL[player]
        moves = []
        for cell, pawn in enumerate(board):
            if pawn != player:
                continue
            for to in straight[cell]:
                if board[to] == EMPTY:
                    moves.append((cell, to))
            for to in diagonal[cell]:
                if board[to] != player:
                    moves.append((cell, to))
        return moves

    def play(self, move: tuple[int, int]) -> None:
        cell, to = move
        board, player = self.board, self.player
        opponent = 1 - player
        if board[to] == opponent:
            self.pawns[opponent] -= 1
        board[cell] = EMPTY
        board[to] = player
        if to in FAR_ROW[player] or not self.pawns[opponent]:
            self.winner = player
        self.moves += 1
        self.player = opponent

    def returns(self) -> list[float]:
        return [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]


def playout(rng: Random) -> tuple[int, list[float]]:
    game = Breakthrough()
    while not game.over():
        moves = game.legal_moves()
        game.play(moves[int(rng.random() * len(moves))])
    return game.moves, game.returns()
