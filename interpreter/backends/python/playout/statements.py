"""Statements in the function of a whole game, and the tables of all its writers.

Loops over a few known members are unrolled, small procedures inlined. Statements that change values and pools end what
is known of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.analysis.substitute import rename_temps
from interpreter.backends.python.emit import conditions, statements
from interpreter.backends.python.emit.context import Tables
from interpreter.backends.python.emit.expressions import EXPRESSIONS
from interpreter.backends.python.emit.moving.moves import move_all, write_move
from interpreter.backends.python.emit.ranges import range_of
from interpreter.backends.python.emit.statements import assign, can_write
from interpreter.backends.python.playout.game import BAIL, GameFn, Unplayable
from interpreter.backends.python.playout.pool_index import invalidate_kinds, kind_list, transfer
from interpreter.backends.python.playout.reuse import CACHEABLE, block, cache_common, cached, leaves_store, set_temp
from interpreter.backends.python.playout.variables import (
    FRAMES,
    by_reference,
    frame_item,
    frame_var,
    list_item,
    running,
    set_frame,
    size_of,
    zones_in,
)
from interpreter.core.words import members

UNROLLED = 8  # passes of a loop that is unrolled
LONG = 400  # nodes of them
LARGE = 200  # nodes of a procedure that is inlined
LEAVING = ir.having("leaves")


def test(fn: GameFn, e: ir.Expr) -> str:
    """A condition; a pool has pieces if the list of their kinds is not empty."""
    match e:
        case ir.Compare(">", ir.CellSum(ir.Const(int() as at), count, 1), ir.Const(0)) if fn.eager:
            for c in fn.pool_counts.values():
                if (c.const + c.low, c.high - c.low + 1) == (at, count):
                    return kind_list(fn, c)
    found = fn.cached_values.get(e) if fn.cached_values and type(e) in CACHEABLE else None
    return conditions.test(fn, e) if found is None else found


def tracked(write: Callable[[Any, Any], None]) -> Callable[[GameFn, Any], None]:
    """A writer of a statement that then forgets what the statement changes."""

    def lines(fn: GameFn, s: ir.Stmt) -> None:
        unchanged, valid, present = leaves_store((s,)), fn.valid_lists, fn.present
        if isinstance(s, ir.For | ir.While):
            fn.copies = {}
            if not unchanged:
                fn.cached_values, fn.valid_lists = {}, frozenset()
                fn.present = frozenset()
        write(fn, s)
        if isinstance(s, ir.IfS | ir.For | ir.While):
            fn.present &= present
            fn.valid_lists &= valid
            fn.copies = {}
        if not unchanged:
            fn.cached_values, fn.copies = {}, {}

    return lines


def branch_on(fn: GameFn, s: ir.IfS) -> None:
    statements.branch_on(fn, s, block)


def bail(fn: GameFn, s: ir.Stmt) -> None:
    """Give up: the machine plays a game in which this statement runs."""
    fn.line(BAIL)


def pay(fn: GameFn, s: ir.Stmt) -> None:
    if any(isinstance(n, FRAMES) for n in walk(s)):
        fn.line(BAIL)
    else:
        statements.by_reference(fn, s)
        invalidate_kinds(fn)


def together(fn: GameFn, s: ir.Together) -> None:
    """The count of open `together`; frames are identified by their depth."""
    mine, word, frame = fn.depth + 1, f"S[{hdr.TOGETHER}]", f"S[{hdr.TOGETHER_FRAME}]"
    fn.line(f"if not {word}: {frame} = {mine}")
    fn.line(f"if {frame} == {mine}: {word} += {s.delta}")
    fn.line(f"if not {word}: {frame} = 0")


def move_thing(fn: GameFn, s: ir.MoveThing) -> None:
    certain = range_of(fn, s.thing)[0] > 0
    thing, likely = fn.hold(fn(s.thing), "a"), fn.zones.get(fn(s.thing), "")
    match s.thing:
        case ir.ListOp("front", (ir.Cell(symbol=symbol),)) | ir.Cell(symbol=symbol):
            likely = symbol
    with fn.scope():
        if not certain:
            fn.line(f"if {thing}:")
            fn.line.depth += 1
        write_move(fn, s, thing, likely, isinstance(s.thing, ir.ListOp))


def for_loop(fn: GameFn, s: ir.For) -> None:
    """A loop; over a few known members it is unrolled, and one that moves all things to one zone needs no loop."""
    match s:
        case ir.For(slot, ir.Domain("set", ir.Const(int() as mask)), (ir.MoveThing(thing, zone, at),)) if (
            thing == ir.Temp(slot) and isinstance(zone, ir.Const) and at in (None, "bottom")
        ):
            if move_all(fn, zone.value, members(mask)):
                return
    fn.zones[f"t{s.slot}"] = zones_in(s.domain.a)
    if isinstance(s.domain.a, ir.Fold) and s.domain.a.where is not None:
        cache_common(fn, [s.domain.a.where])
    match s.domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            found: Sequence[int] = members(mask)
        case ir.Domain("list", ir.Const(tuple() as items)):
            found = items
        case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)):
            found = range(a, min(b, a + UNROLLED) + 1)
        case _:
            statements.for_loop(fn, s)
            return
    nodes = list(walk(s.body))
    if len(found) > UNROLLED or len(nodes) * len(found) > LONG or any(isinstance(n, LEAVING) for n in nodes):
        statements.for_loop(fn, s)
        return
    for v in found:
        fn.statements(fn.graph.specialiser.body(s.body, {}, {s.slot: v}))


def call_procedure(fn: GameFn, s: ir.CallS) -> None:
    proc = fn.ctx.program.procs[s.proc]
    body = proc.body
    last = body[-1] if body and isinstance(body[-1], ir.Return) else None
    inner = body[:-1] if last is not None else body
    nodes = list(walk(inner))
    recursive = s.proc in fn.ctx.facts.recursive_procs
    if recursive or len(nodes) > LARGE or not can_write(inner) or any(isinstance(n, ir.Return) for n in nodes):
        if any(isinstance(n, ir.Together) for n in nodes):
            raise Unplayable
        statements.call_procedure(fn, s)
        invalidate_kinds(fn)
        return
    fn.calls += 1
    by = 1000 * fn.calls
    fn.line("w += 1")
    temps: dict[int, Any] = {}
    for slot, arg in enumerate(s.args):
        if isinstance(arg, ir.Const):
            temps[slot + by] = arg.value
        else:
            span = range_of(fn, arg)
            assign(fn, slot + by, fn(arg), span)
    fn.statements(fn.graph.specialiser.body(rename_temps(inner, by), {}, temps))
    if last is not None and last.value is not None:
        value = fn.graph.specialiser.expr(rename_temps(last.value, by), {}, temps)
        fn.line(f"S[{hdr.RV}] = {fn(value)}")


OWN_EXPRESSIONS: dict[type, Callable[[Any, Any], str]] = {
    **EXPRESSIONS, ir.FrameVar: frame_var, ir.FrameItem: frame_item, ir.Running: running, ir.ListItem: list_item,
    ir.Size: size_of, ir.Possible: by_reference, ir.Payable: by_reference, ir.Payments: by_reference,
}  # fmt: skip

OWN_STATEMENTS: dict[type, Callable[[Any, Any], None]] = {
    **statements.STATEMENTS, ir.SetTemp: set_temp, ir.SetFrame: set_frame, ir.Transfer: transfer, ir.IfS: branch_on,
    ir.For: for_loop, ir.CallS: call_procedure, ir.MoveThing: move_thing, ir.Together: together, ir.Pay: pay,
    ir.Defer: bail, ir.Timed: bail,
}  # fmt: skip

TABLES = Tables(
    {**OWN_EXPRESSIONS, **{node: cached(OWN_EXPRESSIONS[node]) for node in CACHEABLE}},
    {node: tracked(write) for node, write in OWN_STATEMENTS.items()},
    test,
)
