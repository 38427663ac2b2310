"""Chess, written for tests alone: the published numbers of ways to play so many moves, and how games end.

The numbers and positions are those of https://www.chessprogramming.org/Perft_Results. A move is one decision,
so the ways to take so many decisions are the ways to play so many moves.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import interpreter as rw
from tests.spiel.chess_positions import facts

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
BARE = "4k3/8/8/8/8/8/8/R3K3 w Q -"

# The position, the numbers for one move, two, and so on, and how many of them the quick test counts.
KNOWN = {
    "start": (START, [20, 400, 8902, 197281], 3),
    "kiwipete": (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        [48, 2039, 97862, 4085603],
        2,
    ),
    "end_game": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812, 43238, 674624], 4),
    "promotions": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467, 422333], 3),
    "promoted_near": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486, 62379], 2),
    "middle_game": (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
        [46, 2079, 89890],
        2,
    ),
}


@cache
def chess() -> rw.Game:
    return rw.load(Path(__file__).parent / "rulesets" / "chess")


def position(fen: str, draws: str = "on") -> rw.State:
    return chess().new(given=facts(fen), options={"draws": draws}, auto=False)


def count(fen: str, depth: int) -> int:
    return chess().engine.perft(position(fen, draws="off").words, depth)


def played(fen: str, *moves: str) -> rw.State:
    """The position after these moves, each as two squares and the man that stands there then."""
    state = position(fen)
    for move in moves:
        rw.answer(state, move)
    return state


def offered(state: rw.State, square: str) -> set[str]:
    """Where a man may go, with what it becomes."""
    return {" ".join(option.ids[1:]) for option in rw.legal(state) if option.ids[0] == square}


@pytest.mark.parametrize("name", KNOWN)
def test_there_are_as_many_ways_to_play_as_is_known(name: str) -> None:
    fen, known, most = KNOWN[name]
    assert [count(fen, depth) for depth in range(1, most + 1)] == known[:most]


@pytest.mark.soak
@pytest.mark.parametrize("name", KNOWN)
def test_there_are_as_many_ways_to_play_as_is_known_deeper(name: str) -> None:
    fen, known, most = KNOWN[name]
    assert [count(fen, depth) for depth in range(most + 1, len(known) + 1)] == known[most:]


def test_the_position_of_the_beginning_is_the_one_that_is_given() -> None:
    begun, given = chess().new(auto=False), position(START)
    assert {option.ids for option in rw.legal(begun)} == {option.ids for option in rw.legal(given)}
    assert len(rw.legal(begun)) == 20


def test_castling_moves_the_rook_and_is_for_once() -> None:
    state = played(BARE, "e1 c1 king")
    assert rw.view(state, 1)["state"]["men"] == ["rook {d1}", "king {c1, e8}"]
    assert rw.view(state, 1)["state"]["rights"] == []


@pytest.mark.parametrize(("rook", "allowed"), [("b8", True), ("c8", False), ("d8", False), ("e8", False)])
def test_a_king_castles_neither_in_check_nor_through_it(rook: str, allowed: bool) -> None:
    """A rook of black looks down a column; only that of b is no matter to the king."""
    rows = "abcdefgh"
    empty = rows.index(rook[0])
    fen = f"{empty}r{6 - empty}k/8/8/8/8/8/8/R3K3 w Q -"
    assert ("c1 king" in offered(position(fen), "e1")) is allowed


def test_a_pawn_is_promoted_to_four_men() -> None:
    state = position("1n5k/P7/8/8/8/8/8/K7 w - -")
    four = {"knight", "bishop", "rook", "queen"}
    assert offered(state, "a7") == {f"{square} {man}" for square in ("a8", "b8") for man in four}


def test_a_pawn_is_taken_in_passing_at_once_or_never() -> None:
    leap = "4k3/3p4/8/4P3/8/8/8/4K3 b - -"
    state = played(leap, "d7 d5 pawn")
    assert offered(state, "e5") == {"e6 pawn", "d6 pawn"}
    rw.answer(state, "e5 d6 pawn")
    assert "pawn {d6}" in rw.view(state, 1)["state"]["men"]
    assert offered(played(leap, "d7 d5 pawn", "e1 e2 king", "e8 f8 king"), "e5") == {"e6 pawn"}


def test_mate_wins_and_stalemate_does_not() -> None:
    mated = played(START, "f2 f3 pawn", "e7 e5 pawn", "g2 g4 pawn", "d8 h4 queen")
    assert mated.over and rw.result(mated).scores == {1: -1, 2: 1}
    stale = played("7k/8/6K1/8/8/8/8/5Q2 w - -", "f1 f7 queen")
    assert stale.over and rw.result(stale).scores == {1: 0, 2: 0}


def test_a_game_that_nobody_can_win_is_over() -> None:
    assert played("7k/8/8/8/8/1r6/K7/8 w - -", "a2 b3 king").over
    assert not played("7k/8/8/8/7p/1r6/K7/8 w - -", "a2 b3 king").over


def test_fifty_moves_without_a_capture_or_a_pawn_are_enough() -> None:
    moves = ["a1 b1 rook", "e8 f8 king", "b1 a1 rook", "f8 e8 king"] * 25
    assert not played(BARE, *moves[:99]).over
    assert played(BARE, *moves).over
