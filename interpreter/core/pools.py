"""Pools of counted, equal pieces: how many are there, how many fit, and the change itself.

Used by transfers and purses; a pool is a counting word, a slot that holds the code of one piece, or an endless supply.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT_HIGH, MOST_PIECES
from interpreter.core.run import Run
from interpreter.core.words import Temps


def pool_state(m: Run, pool: ir.Pool, t: Temps) -> tuple[int, int, int]:
    """Address (0: endless), code (slots) and number of pieces there."""
    if pool.kind == "endless" or pool.address is None:
        return 0, 0, INT_HIGH
    at = m.value(pool.address, t)
    code = 0 if pool.kind == "count" else m.value(pool.code, t) if pool.code is not None else 1
    return at, code, pieces_at(m, pool, at, code)


def pieces_at(m: Run, pool: ir.Pool, at: int, code: int) -> int:
    """The number of pieces at a known address."""
    if pool.kind == "endless" or pool.address is None:
        return INT_HIGH
    if pool.kind == "count":
        return m.words[at]
    return 1 if m.words[at] == code else 0


def room_of(m: Run, pool: ir.Pool, at: int, limit: int | None) -> int:
    """The number of pieces that still fit."""
    if pool.kind == "slot":
        return 0 if m.words[at] else 1
    return INT_HIGH if limit is None or pool.kind == "endless" else limit - m.words[at]


def change_pool(m: Run, pool: ir.Pool, at: int, code: int, by: int) -> None:
    """Add pieces to a pool, or take some away. Raises OverflowError where it would hold too many."""
    if pool.kind == "count":
        held = m.words[at] + by
        if held > MOST_PIECES:
            raise OverflowError
        m.words[at] = held
    elif pool.kind == "slot":
        m.words[at] = code if by > 0 else 0
