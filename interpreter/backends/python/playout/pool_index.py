"""Which kinds of pieces lie in a pool, kept as a list beside the store in a function that plays a whole game.

A pool of several kinds is a row of counts. Where options or draws go through the kinds that are there, a Python
variable holds their list, and another one the number of pieces: changes of the counts change them, and they are made
anew (None: they must be) where changes are not plain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import ir
from dsl.base.types import MapType, MemberType, width
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.moving import transfers
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.playout.game import Counts, GameFn
from interpreter.backends.python.playout.reuse import same_word
from interpreter.core.words import SCALARS, members


def find_counts(fn: GameFn, parts: Iterable[Any]) -> None:
    """Keep lists for the pools that parts of the rules go through, or draw from."""
    program = fn.ctx.program
    pools = {n.symbol for n in walk((program.code, program.procs, program.purses)) if isinstance(n, ir.Pool)}
    found = [c for part in parts for node in walk(part) if (c := counts_of(node)) and c.symbol in pools]
    fn.counts = {c.const: c for c in found}
    for c in fn.counts.values():
        fn.line(f"{c.name} = None")


def kind_list(fn: GameFn, c: Counts) -> str:
    """The variable with the list of the kinds that are there."""
    if c.const not in fn.valid:
        fn.line(f"if {c.name} is None: {c.name}, {c.total} = kinds({c.words}, {c.low})")
        fn.valid |= {c.const}
    return c.name


def kept_counts(fn: GameFn, node: Any) -> Counts | None:
    """The counts that a part of the rules goes through, if their list is kept."""
    c = counts_of(node)
    return c if c is not None and fn.counts.get(c.const) == c else None


def lose_kinds(fn: GameFn, symbols: Iterable[str] | None = None) -> None:
    """The counts of these pools, or of all, have changed in an unknown way."""
    for c in fn.counts.values():
        if symbols is None or c.symbol in symbols:
            fn.line(f"{c.name} = None")
            fn.valid -= {c.const}
            fn.present = frozenset(f for f in fn.present if f[1] != c.const)


def transfer(fn: GameFn, s: ir.Transfer) -> None:
    """Counts that changed by one in the usual way change their lists."""
    ends = [(found, sign) for pool, sign in ((s.source, -1), (s.target, 1)) if (found := place_of(fn, pool))]
    unknown = {pool.symbol for pool in (s.source, s.target) if listed_pool(fn, pool) and not place_of(fn, pool)}
    plain = s.amount == ir.Const(1) and s.exact
    transfers.transfer(fn, s, same_word, surely)
    touched = {c.const for (c, _, _), _ in ends}
    fn.present = frozenset() if unknown else frozenset(f for f in fn.present if f[1] not in touched)
    if not plain:
        unknown |= {c.symbol for (c, _, _), _ in ends}
    lose_kinds(fn, unknown)
    for (c, member, word), sign in ends if plain else ():
        made = "" if c.const in fn.valid else f"{c.name} is not None and "
        if sign < 0:
            fn.line(f"if {made}not {word}: {c.name}.remove({member})")
        else:
            fn.line(f"if {made}{word} == 1: insort({c.name}, {member})")
        fn.line(f"{'' if not made else f'if {c.name} is not None: '}{c.total} {'-' if sign < 0 else '+'}= 1")


def surely(fn: GameFn, pool: ir.Pool) -> bool:
    """Whether a piece is in a pool."""
    found = place_of(fn, pool) if fn.present else None
    return found is not None and (found[1], found[0].const) in fn.present


def copy_present(fn: GameFn, to: str, text: str) -> None:
    """A variable takes the value of a text: what is known of the one is known of the other."""
    fn.present = frozenset(
        {f for f in fn.present if f[0] != to} | {(to, const) for name, const in fn.present if name == text}
    )


def listed_pool(fn: GameFn, pool: ir.Pool) -> bool:
    return pool.kind == "count" and any(c.symbol == pool.symbol for c in fn.counts.values())


def place_of(fn: GameFn, pool: ir.Pool) -> tuple[Counts, str, str] | None:
    """The counts in which a pool is, the text of its kind and of its word; None where it is not known."""
    if not listed_pool(fn, pool) or not isinstance(pool.address, ir.Const | ir.Linear):
        return None
    match pool.address:
        case ir.Const(int() as word):
            at = next((c for c in fn.counts.values() if c.low <= word - c.const <= c.high), None)
            return None if at is None else (at, str(word - at.const), f"S[{word}]")
        case ir.Linear(const, ((term, 1),)) if const in fn.counts:
            text = fn(term)
            return (fn.counts[const], text, f"S[{sum_text(const, text)}]") if text.isidentifier() else None
    return None


def counts_of(node: Any) -> Counts | None:
    """The counts whose kinds with pieces a set has, from which pieces are drawn, or whose sum is asked."""
    match node:
        case ir.Fold(
            "set",
            ((slot, ir.Domain("set", ir.Const(int() as mask))),),
            ir.Compare(">", ir.Cell(ir.Linear(const, ((ir.Temp(index), 1),)), t, symbol), ir.Const(0)),
            body=body,
        ) if index == slot and body in (None, ir.Temp(slot)) and type(t) in SCALARS and mask:
            found = members(mask)
            if found == tuple(range(found[0], found[-1] + 1)):
                return Counts(symbol, const, found[0], found[-1])
        case ir.Chance(op="piece", a=ir.Cell(ir.Const(int() as at), MapType((MemberType(_, low, high),)) as t, symbol)):
            if width(t) == high - low + 1:
                return Counts(symbol, at - low, low, high)
    return None
