"""Chance in the function of a region: what is drawn from, the draw, and who may know its outcome.

A draw by the generator stands in the text. The reference carries out chance that is asked, noted or given by a script,
instruction by instruction.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, Type, bounds
from interpreter.backends.analysis.dataflow import free
from interpreter.backends.python.emit.addresses import save
from interpreter.backends.python.emit.folds.inline import is_filter
from interpreter.backends.python.emit.folds.loops import as_filter, begin_loop, iterable_of
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.moving.moves import mix
from interpreter.backends.python.regions.frames import RegionFn
from interpreter.core.words import SCALARS

RARE = f"m.noting or S[{hdr.ASKING}]"  # chance that the reference carries out


def draw_condition(fn: RegionFn, i: ir.Chance, pc: int) -> str:
    """The condition that there is something to draw from, which the lines before put into the variable `d`."""
    fn.storage.sync()
    fn.storage.count_work()
    pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(i)))
    if i.op == "shuffle":
        zone = fn.hold(fn(i.a))
        fn.line(f"if {rare_condition(fn)} or not shuffle(S, {zone}):")
        fn.line.depth += 1
        fn.line(f"r = step({pc}, ({pairs}))")
        fn.line(f"if r != {pc + 1}: return r")
        fn.line.depth -= 1
        return "True"
    if i.op == "number" and i.b is not None:
        among = f"range({fn(i.a)}, {fn(i.b)} + 1)"
    elif i.op == "member":
        among = members_text(fn, i.a)
    else:
        among = fn(i.a)
        if among.startswith("tuple(S["):  # it is only read
            among = among[len("tuple(") : -1]
    fn.line(f"d = {among}")
    if i.op == "piece":
        fn.line("n = sum(d)")
    fn.line(f"if {rare_condition(fn)}:")
    fn.line.depth += 1
    fn.line(f"r = step({pc}, ({pairs}))")
    for slot in sorted(fn.ctx.live[pc + 1] | (fn.ctx.live[i.empty] if i.empty >= 0 else frozenset())):
        fn.line(f"T[{slot}] = {fn.temp(slot)}")
    fn.line("return r")
    fn.line.depth -= 1
    return "n" if i.op == "piece" else "d"


def rare_condition(fn: Fn) -> str:
    return f"{RARE} or S[{hdr.PLAN}] or m.probing" if fn.ctx.facts.uses_plans else RARE


def members_text(fn: Fn, e: ir.Expr) -> str:
    """The members of a set in order, without making the set."""
    while is_filter(e) and e.where is None:
        e = e.binders[0][1].a
    if as_filter(fn, e) is None:
        return iterable_of(fn, ir.Domain("set", e))[0]
    x = fn.fresh()
    fn.line(f"{x} = []")
    with fn.scope():
        begin_loop(fn, -1, ir.Domain("set", e))
        fn.line(f"{x}.append({fn.temp(-1)})")
    return x


def write_draw(fn: RegionFn, i: ir.Chance, indent: int) -> None:
    if i.op == "shuffle":
        return
    fn.line.depth += indent
    v = fn.fresh("f")
    if i.op == "member" and can_be_hidden(fn.ctx.program, i.type):
        mix(fn, i.a)
    if i.op == "piece":
        low = bounds(i.type)[0] if i.type is not None else 0
        fn.line(f"{v} = pick_piece(S, d, n, {low})")
    else:
        fn.line(f"{v} = pick(S, d)")
    fn.names.frame.pop(i.slot, None)
    if i.type is not None and type(i.type) in SCALARS:
        fn.storage.set_variable(i.slot, i.type, v)
    elif i.type is not None:
        save(fn, fn.storage.at(i.slot), i.type, v, "a local", None)
    fn.line.depth -= indent


def can_be_hidden(program: hdr.Program, t: Type | None) -> bool:
    """Whether members of a type can be where not everybody sees them."""
    if not program.known_base or not isinstance(t, MemberType):
        return False
    return any(program.placed[v] for v in range(t.low, min(t.high + 1, len(program.placed))))
