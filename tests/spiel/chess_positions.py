"""Chess positions in Forsyth-Edwards notation, as the facts that the ruleset `chess` takes over."""

from __future__ import annotations

from typing import Any

MEN = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
CASTLES = {"K": "white_short", "Q": "white_long", "k": "black_short", "q": "black_long"}
SIDES = {"w": "p1", "b": "p2"}


def facts(fen: str) -> dict[str, Any]:
    """The given fields for a position; its counters of moves are not read."""
    rows, mover, castles, passed, *_ = fen.split()
    men: dict[str, list[str]] = {name: [] for name in MEN.values()}
    side: dict[str, list[str]] = {name: [] for name in SIDES.values()}
    for number, row in zip(range(8, 0, -1), rows.split("/"), strict=True):
        column = 0
        for character in row:
            if character.isdigit():
                column += int(character)
                continue
            square = f"{'abcdefgh'[column]}{number}"
            men[MEN[character.lower()]].append(square)
            side["p1" if character.isupper() else "p2"].append(square)
            column += 1
        assert column == 8, f"a row of {column} squares"
    return {
        "laid": True,
        "men": men,
        "side": side,
        "rights": [CASTLES[c] for c in castles if c != "-"],
        "passed": None if passed == "-" else passed,
        "mover": SIDES[mover],
    }
