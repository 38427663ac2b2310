"""Indexes of pools in the function of a whole game: a list of the kinds of pieces that a pool has.

A pool of several kinds is a row of counts. Where options or draws are over the kinds that are there, a Python variable
holds their list, and another one the number of pieces. Plain changes of the counts change both; after others the list
is None and is made anew when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import ir
from dsl.base.types import MapType, MemberType, width
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.moving import transfers
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.playout.game import GameFn, PoolCounts
from interpreter.backends.python.playout.reuse import is_word_at
from interpreter.core.words import SCALARS, members


def index_pools(fn: GameFn, parts: Iterable[Any]) -> None:
    """Start lists for the pools over which parts of the rules loop, or from which they draw."""
    program = fn.ctx.program
    pools = {n.symbol for n in walk((program.code, program.procs, program.purses)) if isinstance(n, ir.Pool)}
    found = [c for part in parts for node in walk(part) if (c := matched_counts(node)) and c.symbol in pools]
    fn.pool_counts = {c.const: c for c in found}
    for c in fn.pool_counts.values():
        fn.line(f"{c.name} = None")


def kind_list(fn: GameFn, c: PoolCounts) -> str:
    """The variable with the list of the kinds that are there."""
    if c.const not in fn.valid_lists:
        fn.line(f"if {c.name} is None: {c.name}, {c.total} = kinds({c.words}, {c.low})")
        fn.valid_lists |= {c.const}
    return c.name


def indexed_counts(fn: GameFn, node: Any) -> PoolCounts | None:
    """The counts of the pool over which a part of the rules loops, if there is a list for it."""
    c = matched_counts(node)
    return c if c is not None and fn.pool_counts.get(c.const) == c else None


def invalidate_kinds(fn: GameFn, symbols: Iterable[str] | None = None) -> None:
    """Mark the lists of these pools, or of all, as invalid: their counts have changed in an unknown way."""
    for c in fn.pool_counts.values():
        if symbols is None or c.symbol in symbols:
            fn.line(f"{c.name} = None")
            fn.valid_lists -= {c.const}
            fn.present = frozenset(f for f in fn.present if f[1] != c.const)


def transfer(fn: GameFn, s: ir.Transfer) -> None:
    """A transfer; one of a single piece also changes the lists of its pools."""
    ends = [(found, sign) for pool, sign in ((s.source, -1), (s.target, 1)) if (found := pool_place(fn, pool))]
    unknown = {pool.symbol for pool in (s.source, s.target) if is_indexed(fn, pool) and not pool_place(fn, pool)}
    plain = s.amount == ir.Const(1) and s.exact
    transfers.transfer(fn, s, is_word_at, is_present)
    changed = {c.const for (c, _, _), _ in ends}
    fn.present = frozenset() if unknown else frozenset(f for f in fn.present if f[1] not in changed)
    if not plain:
        unknown |= {c.symbol for (c, _, _), _ in ends}
    invalidate_kinds(fn, unknown)
    for (c, member, word), sign in ends if plain else ():
        made = "" if c.const in fn.valid_lists else f"{c.name} is not None and "
        if sign < 0:
            fn.line(f"if {made}not {word}: {c.name}.remove({member})")
        else:
            fn.line(f"if {made}{word} == 1: insort({c.name}, {member})")
        fn.line(f"{'' if not made else f'if {c.name} is not None: '}{c.total} {'-' if sign < 0 else '+'}= 1")


def is_present(fn: GameFn, pool: ir.Pool) -> bool:
    """Whether a piece is certainly in a pool."""
    found = pool_place(fn, pool) if fn.present else None
    return found is not None and (found[1], found[0].const) in fn.present


def copy_present(fn: GameFn, to: str, text: str) -> None:
    """Note that the variable `to` takes the value of a text: the same is known of both."""
    fn.present = frozenset(
        {f for f in fn.present if f[0] != to} | {(to, const) for name, const in fn.present if name == text}
    )


def is_indexed(fn: GameFn, pool: ir.Pool) -> bool:
    return pool.kind == "count" and any(c.symbol == pool.symbol for c in fn.pool_counts.values())


def pool_place(fn: GameFn, pool: ir.Pool) -> tuple[PoolCounts, str, str] | None:
    """The counts of a pool, the texts of its kind and of its word; None where they are not known."""
    if not is_indexed(fn, pool) or not isinstance(pool.address, ir.Const | ir.Linear):
        return None
    match pool.address:
        case ir.Const(int() as word):
            at = next((c for c in fn.pool_counts.values() if c.low <= word - c.const <= c.high), None)
            return None if at is None else (at, str(word - at.const), f"S[{word}]")
        case ir.Linear(const, ((term, 1),)) if const in fn.pool_counts:
            text = fn(term)
            return (fn.pool_counts[const], text, f"S[{sum_text(const, text)}]") if text.isidentifier() else None
    return None


def matched_counts(node: Any) -> PoolCounts | None:
    """The counts of a pool, if a node is the set of its kinds with pieces or a draw from it."""
    match node:
        case ir.Fold(
            "set",
            ((slot, ir.Domain("set", ir.Const(int() as mask))),),
            ir.Compare(">", ir.Cell(ir.Linear(const, ((ir.Temp(index), 1),)), t, symbol), ir.Const(0)),
            body=body,
        ) if index == slot and body in (None, ir.Temp(slot)) and type(t) in SCALARS and mask:
            found = members(mask)
            if found == tuple(range(found[0], found[-1] + 1)):
                return PoolCounts(symbol, const, found[0], found[-1])
        case ir.Chance(op="piece", a=ir.Cell(ir.Const(int() as at), MapType((MemberType(_, low, high),)) as t, symbol)):
            if width(t) == high - low + 1:
                return PoolCounts(symbol, at - low, low, high)
    return None
