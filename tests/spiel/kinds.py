"""Games of other kinds than the classics that are shipped: rulesets that are there for tests, beside this module."""

from __future__ import annotations

from typing import Any

import pyspiel

from tests.spiel.pairs import Pair, Words


def move_of_chess(address: str, ids: Words, seat: int) -> str:
    """From where to where, and what the man is then."""
    return " ".join(ids)


SORTS = {
    pyspiel.chess.PieceType.PAWN: "pawn",
    pyspiel.chess.PieceType.KNIGHT: "knight",
    pyspiel.chess.PieceType.BISHOP: "bishop",
    pyspiel.chess.PieceType.ROOK: "rook",
    pyspiel.chess.PieceType.QUEEN: "queen",
    pyspiel.chess.PieceType.KING: "king",
}


def move_of_their_chess(other: Any, action: int) -> str:
    move = pyspiel.chess.action_to_move(action, other.board())
    text = move.to_lan()
    became = move.promotion_type if len(text) == 5 else move.piece.type
    return f"{text[:2]} {text[2:4]} {SORTS[became]}"


def step_or_wall(address: str, ids: Words, seat: int) -> str:
    """Quoridor: a square by its column and row from the top; a wall by the square to the north-west of its middle."""
    _, x, y = ids[1].split("_")
    return f"{'abcdefghi'[int(x) - 1]}{y}{WALLS[ids[2]] if len(ids) > 2 else ''}"


WALLS = {"flat": "h", "upright": "v"}


def slide(address: str, ids: Words, seat: int) -> str:
    """2048: the same words."""
    return ids[0].capitalize()


def new_tile(arrival: str) -> str:
    cell, size = arrival.split("_")
    return f"{SIZES[size]} added to row {cell[1]}, column {'abcd'.index(cell[0]) + 1}"


SIZES = {"two": 2, "four": 4}


def meld(address: str, ids: Words, seat: int) -> str:
    """Dou dizhu: the cards by their rank, the lowest first; kickers of an airplane are set apart."""
    if ids[0] in ("bid", "pass", "decline"):
        return "Bid " + ids[1] if ids[0] == "bid" else "Pass"
    sort, *more = ids[0].split("_")
    if sort == "rocket":
        return "(BWJ)(CJ)"
    length = int(more[-1]) if more and more[-1].isdigit() else 1
    begin = RANKS.index(ids[1])
    core = sorted([*range(begin, begin + length)] * EACH[sort])
    rest = [word for word in ids[2:] if word != "ready"]
    if more[:1] == ["pair"]:
        kickers = [RANKS.index(rank) for rank in rest for _ in range(2)]
    else:
        kickers = [
            RANKS.index(rank) for rank, number in zip(rest[::2], rest[1::2], strict=True) for _ in range(int(number))
        ]
    if sort == "airplane" and kickers:
        return f"{cards(core)}-{cards(kickers)}"
    return cards(core + kickers)


def cards(ranks: list[int]) -> str:
    return "".join([*"3456789TJQKA2", "(BWJ)", "(CJ)"][rank] for rank in sorted(ranks))


RANKS = "three four five six seven eight nine ten jack queen king ace two black_joker red_joker".split()
EACH = {"solo": 1, "pair": 2, "trio": 3, "airplane": 3, "bomb": 4}


def dealt(outcome: str) -> str:
    return f"Position {outcome}" if outcome.isdigit() else cards([RANKS.index(outcome)])


def their_meld(other: Any, action: int) -> str:
    """Their words; suits are left out."""
    text = str(other.action_to_string(other.current_player(), action))
    if text.startswith("Decide"):
        return f"Position {text.split()[-1]}"
    if text.startswith("Deal"):
        return text.split()[-1] if "(" in text else text[-1]
    return text


KINDS = [
    Pair(
        "chess",
        "chess",
        move_of_chess,
        reversed=True,
        told=move_of_their_chess,
        cut=lambda other: other.is_repetition_draw(),
        quick_games=6,
        long_games=200,
    ),
    Pair("quoridor", "quoridor", step_or_wall, quick_games=1, long_games=30),
    Pair("twenty_forty_eight", "2048", slide, new_tile, seats=1, quick_games=4, long_games=100),
    Pair(
        "dou_dizhu",
        "dou_dizhu",
        meld,
        dealt,
        seats=3,
        open=True,
        parts=frozenset({"lay.k", "lay.rs"}),
        told=their_meld,
        quick_games=20,
        long_games=1000,
    ),
]
