"""Statements as lines of Python; the table of all who write them is at the end.

Common statements are written out; others, and the rare cases of common ones, call the functions that the reference
calls. Temps are Python variables of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import IntType, Type
from dsl.program import RV
from interpreter.backends.analysis.dataflow import free, temp_effects, walk
from interpreter.backends.python.emit.addresses import address_of, keeps, put
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.loops import choice, over, source_of
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.backends.python.emit.moving.moves import show_things, write_move
from interpreter.backends.python.emit.moving.transfers import transfer
from interpreter.backends.python.emit.ranges import range_of
from interpreter.core.words import SCALARS

SETTLING = ir.having("settles")


def leave(fn: Fn) -> None:
    """End the function early."""
    fn.line("return")


def block(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """An indented block; nothing that is known inside is known behind it."""
    with fn.inside():
        fn.line.depth += 1
        fn.line("pass")
        fn.nested += 1
        fn.statements(body)
        fn.nested -= 1
    forget(fn, body)


def forget(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """Statements that may run change what is known."""
    for slot in frame_slots(body):
        fn.names.frame.pop(slot, None)
    _, _, may = temp_effects(body)
    for slot in may:
        fn.names.temps[slot] = f"t{slot}"
        fn.names.known.pop(slot, None)
        fn.names.ranges.pop(slot, None)


def by_call(fn: Fn, s: ir.Stmt) -> None:
    """A statement that the reference carries out."""
    fn.storage.settle()
    pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(s)))
    fn.ctx.by_reference.add(type(s).__name__)
    fn.line(f"do({fn.ctx.object(s)}, ({pairs}))")


# ------------------------------------------------------------ variables and fields


def assign(fn: Fn, slot: int, text: str, span: Range = ANY) -> None:
    name = f"t{slot}"
    fn.names.temps[slot], fn.names.ranges[slot] = name, span
    fn.names.known.pop(slot, None)
    if text != name:
        fn.line(f"{name} = {text}")


def set_temp(fn: Fn, s: ir.SetTemp) -> None:
    span = range_of(fn, s.value)
    assign(fn, s.slot, fn(s.value), span)


def set_frame(fn: Fn, s: ir.SetFrame) -> None:
    text = within(fn, s.type, s.value, "a local", None)
    if s.offset is not None:
        fn.storage.settle()
        put(fn, f"{fn.storage.at(s.slot)} + {fn(s.offset)}", s.type, text, "a local", None)
        for slot in frame_slots((s,)):
            fn.names.frame.pop(slot, None)
        return
    if not keeps(s.type):
        put(fn, fn.storage.at(s.slot), s.type, text, "a local", None)
        fn.names.frame.pop(s.slot, None)
        return
    fn.storage.keep(s.slot, s.type, fn.hold(text, "f"))


def store(fn: Fn, s: ir.Store) -> None:
    at = address_of(fn, s.address)
    if not at.isdigit() and not (type(s.type) in SCALARS and provable(fn, s)):
        at = fn.hold(at, "a")
    what = f"`{s.symbol}`"
    put(fn, at, s.type, within(fn, s.type, s.value, what, s.span), what, s.span)


def provable(fn: Fn, s: ir.Store) -> bool:
    return not isinstance(s.type, IntType) or proven(fn, s.type, s.value)


def proven(fn: Fn, t: IntType, value: ir.Expr) -> bool:
    low, high = range_of(fn, value)
    return t.low <= low and high <= t.high


def within(fn: Fn, t: Type, value: ir.Expr, what: str, span: Any) -> str:
    """The value, tested against the bounds of its type where they are not certain."""
    if not isinstance(t, IntType) or proven(fn, t, value):
        return fn(value)
    name = fn.hold(fn(value), "v")
    low, high = range_of(fn, value)
    tests = ([f"{name} < {t.low}"] if low < t.low else []) + ([f"{name} > {t.high}"] if high > t.high else [])
    fn.line(f"if {' or '.join(tests)}: raise outside({fn.ctx.object((t, what, span))}, {name})")
    return name


# ------------------------------------------------------------ things


def move_thing(fn: Fn, s: ir.MoveThing) -> None:
    certain = range_of(fn, s.thing)[0] > 0
    thing = fn.hold(fn(s.thing), "a")
    with fn.inside():
        if not certain:
            fn.line(f"if {thing}:")
            fn.line.depth += 1
        write_move(fn, s, thing)


def show(fn: Fn, s: ir.Show) -> None:
    if fn.ctx.program.known_base:
        show_things(fn, s)


# ------------------------------------------------------------ control


def branch_on(fn: Fn, s: ir.IfS, write: Callable[[Any, Sequence[ir.Stmt]], None] = block) -> None:
    """`write` writes the two sides."""
    test = fn.test(s.test)
    settle_for(fn, s.then, s.orelse)
    known_on_both_sides(fn, s.then, s.orelse)
    fn.line(f"if {test}:")
    write(fn, s.then)
    if s.orelse:
        fn.line("else:")
        write(fn, s.orelse)


def known_on_both_sides(fn: Fn, *bodies: Sequence[ir.Stmt]) -> None:
    """Temps that only one side may assign stand in their own variable behind both."""
    for slot in set().union(*(temp_effects(body)[2] for body in bodies)):
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            assign(fn, slot, found)


def settle_for(fn: Fn, *bodies: Sequence[ir.Stmt]) -> None:
    """Before statements that may or may not run: what they need of the store is written first."""
    if any(isinstance(n, SETTLING) for n in walk(bodies)):
        fn.storage.settle()


def while_loop(fn: Fn, s: ir.While) -> None:
    fn.storage.settle()
    forget_in_loop(fn, s.body)
    fn.line("while True:")
    with fn.inside():
        fn.line.depth += 1
        fn.line(f"if not {fn.test(s.test)}: break")
        fn.line(f"{fn.steps} += 1")
        fn.line(f"if {fn.steps} > {fn.ctx.limit}: raise endless({fn.ctx.object(s.span)})")
        in_loop(fn, s.body)
    forget(fn, s.body)


def for_loop(fn: Fn, s: ir.For) -> None:
    settle_for(fn, s.body)
    forget_in_loop(fn, s.body)
    with fn.inside():
        before = fn.line.depth
        source, span = chosen_list(fn, s.domain) or source_of(fn, s.domain)
        fn.line(f"for t{s.slot} in {source}:")
        fn.line.depth += 1
        fn.names.temps[s.slot], fn.names.ranges[s.slot] = f"t{s.slot}", span
        fn.names.known.pop(s.slot, None)
        in_loop(fn, s.body)
        fn.line.depth = before
    forget(fn, s.body)


def chosen_list(fn: Fn, d: ir.Domain) -> tuple[str, Range] | None:
    """The members of a chosen set as a list, made before the loop."""
    if d.kind != "set":
        return None
    chosen = choice(fn, d.a)
    if chosen is None:
        return None
    x = fn.fresh()
    fn.line(f"{x} = []")
    with fn.inside():
        slot = -1
        over(fn, slot, d)
        fn.line(f"{x}.append({fn.temp(slot)})")
        span = fn.names.ranges.get(slot, ANY)
    return x, span


def forget_in_loop(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """What a loop changes is not known at its beginning."""
    for slot in frame_slots(body):
        fn.names.frame.pop(slot, None)
    reads, _, may = temp_effects(body)
    for slot in may:
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            fn.line(f"t{slot} = {found}")
        fn.names.temps.pop(slot, None) if found is None else fn.names.temps.update({slot: f"t{slot}"})
        fn.names.known.pop(slot, None)
        fn.names.ranges.pop(slot, None)


def in_loop(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    fn.loops_open += 1
    fn.nested += 1
    fn.line("pass")
    fn.statements(body)
    fn.nested -= 1
    fn.loops_open -= 1


def break_loop(fn: Fn, s: ir.Break) -> None:
    fn.line("break") if fn.loops_open else leave(fn)


def continue_loop(fn: Fn, s: ir.Continue) -> None:
    fn.line("continue") if fn.loops_open else leave(fn)


def return_value(fn: Fn, s: ir.Return) -> None:
    if s.value is not None:
        fn.line(f"S[{RV}] = {fn(s.value)}")
    leave(fn)


def call_procedure(fn: Fn, s: ir.CallS) -> None:
    args = [fn(a) for a in s.args]
    name = procedure(fn.ctx, s.proc)
    fn.storage.settle()
    if name is None:
        fn.line(f"call({s.proc}, [{', '.join(args)}])")
    else:
        fn.line(f"{name}({', '.join(['S', *args])})")
    if fn.ctx.facts.frames_from_plain:
        fn.names.frame.clear()


def require(fn: Fn, s: ir.Require) -> None:
    g = s.guard
    fn.storage.settle()
    small = fn.ctx.object((g.reason or g.text, g.span, g.cites))
    fn.line(f"if not {fn.test(g.test)}: raise required({small})")


def together(fn: Fn, s: ir.Together) -> None:
    fn.line(f"{'checked_together' if fn.ctx.checked else 'together'}({fn.ctx.object(s)})")


def atomic_end(fn: Fn, s: ir.AtomicEnd) -> None:
    if fn.ctx.checked and s.symbols:
        fn.line(f"atomic_end({fn.ctx.object(s)})")


def note(fn: Fn, s: ir.Note) -> None:
    """Only traces hear of it."""


def frame_slots(body: Sequence[ir.Stmt]) -> Iterator[int]:
    """The frame variables that statements may write."""
    for s in walk(tuple(body)):
        if isinstance(s, ir.SetFrame):
            if s.offset is None:
                yield s.slot
            else:
                yield from range(s.slot, s.slot + 4096)


def writable(body: Sequence[ir.Stmt]) -> bool:
    """Whether all statements of a body have somebody who writes them."""
    for s in body:
        if type(s) not in STATEMENTS:
            return False
        inner = [getattr(s, name, ()) for name in ("then", "orelse", "body")]
        if not all(writable(part) for part in inner if isinstance(part, tuple)):
            return False
    return True


def returns_early(body: Sequence[ir.Stmt]) -> bool:
    """Whether the body of an instruction may be left before its end."""
    for s in body:
        match s:
            case ir.Return() | ir.Break() | ir.Continue():
                return True
            case ir.IfS(_, then, orelse):
                if returns_early(then) or returns_early(orelse):
                    return True
            case ir.While(body=inner) | ir.For(body=inner):
                if any(isinstance(n, ir.Return) for n in walk(inner)):
                    return True
    return False


def procedure(ctx: ModuleContext, number: int) -> str | None:
    """The name of a function that carries out a procedure that does not suspend; None: the reference does."""
    proc = ctx.program.procs[number]
    chain = ctx.facts.depth + 1 >= ctx.program.limits.frames
    if number in ctx.facts.recursive_procs or chain or not writable(proc.body):
        return None
    if any(isinstance(n, ir.Together) for n in walk(proc.body)) and any(
        isinstance(n, ir.Return) for n in walk(proc.body)
    ):
        return None
    return ctx.want("procedure", number)


STATEMENTS: dict[type, Callable[[Any, Any], None]] = {
    ir.SetTemp: set_temp, ir.SetFrame: set_frame, ir.Store: store, ir.Transfer: transfer, ir.MoveThing: move_thing,
    ir.IfS: branch_on, ir.While: while_loop, ir.For: for_loop, ir.Break: break_loop, ir.Continue: continue_loop,
    ir.Return: return_value, ir.CallS: call_procedure, ir.Require: require, ir.Together: together,
    ir.AtomicEnd: atomic_end, ir.Note: note, ir.Show: show, ir.Defer: by_call, ir.Timed: by_call, ir.Pay: by_call,
    ir.Forget: by_call,
}  # fmt: skip
"""Who writes the lines of a statement."""
