"""Statements as lines of Python; the table of their writers is at the end.

Common statements become code of their own; others, and the rare cases of common ones, call the functions that the
reference calls. Temps are Python variables of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import IntType, Type
from dsl.program import RV
from interpreter.backends.analysis.dataflow import frame_slots, free, temp_effects, walk
from interpreter.backends.python.emit.addresses import address_text, fits_variable, save
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.loops import as_filter, begin_loop, iterable_of
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.backends.python.emit.moving.moves import show_things, write_move
from interpreter.backends.python.emit.moving.transfers import transfer
from interpreter.backends.python.emit.ranges import range_of
from interpreter.core.words import SCALARS

NEEDS_SYNC = ir.having("settles")


def end_function(fn: Fn) -> None:
    """End the function early."""
    fn.line("return")


def block(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """An indented block that perhaps does not run: what is learnt inside is not known behind it."""
    with fn.scope():
        fn.line.depth += 1
        fn.line("pass")
        fn.block_depth += 1
        fn.statements(body)
        fn.block_depth -= 1
    forget_assigned(fn, body)


def forget_assigned(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """Forget what is known of the variables that statements may assign."""
    for slot in frame_slots(tuple(body)):
        fn.names.frame.pop(slot, None)
    _, _, may = temp_effects(body)
    for slot in may:
        fn.names.temps[slot] = f"t{slot}"
        fn.names.known.pop(slot, None)
        fn.names.ranges.pop(slot, None)


def by_reference(fn: Fn, s: ir.Stmt) -> None:
    """A statement that the reference carries out."""
    fn.storage.sync()
    pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(s)))
    fn.ctx.by_reference.add(type(s).__name__)
    fn.line(f"do({fn.ctx.object(s)}, ({pairs}))")


def pay(fn: Fn, s: ir.Pay) -> None:
    fn.storage.sync()
    args, amount = [fn.hold(fn(arg)) for arg in s.args], fn.hold(fn(s.amount))
    way = "0" if s.way is None else fn(s.way)
    fn.line(f"pay({fn.ctx.object(s)}, [{', '.join(args)}], {amount}, {way})")


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
    text = checked_value(fn, s.type, s.value, "a local", None)
    if s.offset is not None:
        fn.storage.sync()
        save(fn, f"{fn.storage.at(s.slot)} + {fn(s.offset)}", s.type, text, "a local", None)
        for slot in frame_slots((s,)):
            fn.names.frame.pop(slot, None)
        return
    if not fits_variable(s.type):
        save(fn, fn.storage.at(s.slot), s.type, text, "a local", None)
        fn.names.frame.pop(s.slot, None)
        return
    fn.storage.set_variable(s.slot, s.type, fn.hold(text, "f"))


def store(fn: Fn, s: ir.Store) -> None:
    at = address_text(fn, s.address)
    if not at.isdigit() and not (type(s.type) in SCALARS and is_in_bounds(fn, s)):
        at = fn.hold(at, "a")
    what = f"`{s.symbol}`"
    save(fn, at, s.type, checked_value(fn, s.type, s.value, what, s.span), what, s.span)


def is_in_bounds(fn: Fn, s: ir.Store) -> bool:
    return not isinstance(s.type, IntType) or fits(fn, s.type, s.value)


def fits(fn: Fn, t: IntType, value: ir.Expr) -> bool:
    low, high = range_of(fn, value)
    return t.low <= low and high <= t.high


def checked_value(fn: Fn, t: Type, value: ir.Expr, what: str, span: Any) -> str:
    """The text of a value; it is tested against the bounds of its type, unless it is certain to be within them."""
    if not isinstance(t, IntType) or fits(fn, t, value):
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
    with fn.scope():
        if not certain:
            fn.line(f"if {thing}:")
            fn.line.depth += 1
        write_move(fn, s, thing)


def show(fn: Fn, s: ir.Show) -> None:
    if fn.ctx.program.known_base:
        show_things(fn, s)


# ------------------------------------------------------------ control


def branch_on(fn: Fn, s: ir.IfS, write: Callable[[Any, Sequence[ir.Stmt]], None] = block) -> None:
    """`write` writes the two blocks."""
    if not fn.ctx.checked and not s.orelse and all(isinstance(n, ir.AtomicEnd) for n in s.then):
        return
    test = fn.test(s.test)
    sync_for(fn, s.then, s.orelse)
    unify_temps(fn, s.then, s.orelse)
    fn.line(f"if {test}:")
    write(fn, s.then)
    if s.orelse:
        fn.line("else:")
        write(fn, s.orelse)


def unify_temps(fn: Fn, *bodies: Sequence[ir.Stmt]) -> None:
    """Before a branch: put the temps that its blocks may assign into variables of their own."""
    for slot in set().union(*(temp_effects(body)[2] for body in bodies)):
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            assign(fn, slot, found)


def sync_for(fn: Fn, *bodies: Sequence[ir.Stmt]) -> None:
    """Before statements that may or may not run: bring the store up to date if they read frames in it."""
    if any(isinstance(n, NEEDS_SYNC) for n in walk(bodies)):
        fn.storage.sync()


def while_loop(fn: Fn, s: ir.While) -> None:
    fn.storage.sync()
    forget_in_loop_body(fn, s.body)
    fn.line("while True:")
    with fn.scope():
        fn.line.depth += 1
        fn.line(f"if not {fn.test(s.test)}: break")
        fn.line(f"{fn.steps} += 1")
        fn.line(f"if {fn.steps} > {fn.ctx.limit}: raise endless({fn.ctx.object(s.span)})")
        loop_body(fn, s.body)
    forget_assigned(fn, s.body)


def for_loop(fn: Fn, s: ir.For) -> None:
    sync_for(fn, s.body)
    forget_in_loop_body(fn, s.body)
    with fn.scope():
        before = fn.line.depth
        source, span = filtered_list(fn, s.domain) or iterable_of(fn, s.domain)
        fn.line(f"for t{s.slot} in {source}:")
        fn.line.depth += 1
        fn.names.temps[s.slot], fn.names.ranges[s.slot] = f"t{s.slot}", span
        fn.names.known.pop(s.slot, None)
        loop_body(fn, s.body)
        fn.line.depth = before
    forget_assigned(fn, s.body)


def filtered_list(fn: Fn, d: ir.Domain) -> tuple[str, Range] | None:
    """The members of a filtered set as a list made before the loop, and their bounds."""
    if d.kind != "set":
        return None
    chosen = as_filter(fn, d.a)
    if chosen is None:
        return None
    x = fn.fresh()
    fn.line(f"{x} = []")
    with fn.scope():
        slot = -1
        begin_loop(fn, slot, d)
        fn.line(f"{x}.append({fn.temp(slot)})")
        span = fn.names.ranges.get(slot, ANY)
    return x, span


def forget_in_loop_body(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    """Before a loop: forget what is known of the variables that it may assign."""
    for slot in frame_slots(tuple(body)):
        fn.names.frame.pop(slot, None)
    reads, _, may = temp_effects(body)
    for slot in may:
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            fn.line(f"t{slot} = {found}")
        fn.names.temps.pop(slot, None) if found is None else fn.names.temps.update({slot: f"t{slot}"})
        fn.names.known.pop(slot, None)
        fn.names.ranges.pop(slot, None)


def loop_body(fn: Fn, body: Sequence[ir.Stmt]) -> None:
    fn.loop_depth += 1
    fn.block_depth += 1
    fn.line("pass")
    fn.statements(body)
    fn.block_depth -= 1
    fn.loop_depth -= 1


def break_loop(fn: Fn, s: ir.Break) -> None:
    fn.line("break") if fn.loop_depth else end_function(fn)


def continue_loop(fn: Fn, s: ir.Continue) -> None:
    fn.line("continue") if fn.loop_depth else end_function(fn)


def return_value(fn: Fn, s: ir.Return) -> None:
    if s.value is not None:
        fn.line(f"S[{RV}] = {fn(s.value)}")
    end_function(fn)


def call_procedure(fn: Fn, s: ir.CallS) -> None:
    args = [fn(a) for a in s.args]
    name = procedure_name(fn.ctx, s.proc)
    fn.storage.sync()
    if name is None:
        fn.line(f"call({s.proc}, [{', '.join(args)}])")
    else:
        fn.line(f"{name}({', '.join(['S', *args])})")
    if fn.ctx.facts.frames_from_plain:
        fn.names.frame.clear()


def require(fn: Fn, s: ir.Require) -> None:
    g = s.guard
    fn.storage.sync()
    small = fn.ctx.object((g.reason or g.text, g.span, g.cites))
    fn.line(f"if not {fn.test(g.test)}: raise required({small})")


def together(fn: Fn, s: ir.Together) -> None:
    fn.line(f"together({fn.ctx.object(s)})")


def atomic_end(fn: Fn, s: ir.AtomicEnd) -> None:
    if fn.ctx.checked and s.symbols:
        fn.line(f"atomic_end({fn.ctx.object(s)})")


def note(fn: Fn, s: ir.Note) -> None:
    """Nothing is written: only traces show notes."""


def can_write(body: Sequence[ir.Stmt]) -> bool:
    """Whether all statements of a body have a writer."""
    for s in body:
        if type(s) not in STATEMENTS:
            return False
        inner = [getattr(s, name, ()) for name in ("then", "orelse", "body")]
        if not all(can_write(part) for part in inner if isinstance(part, tuple)):
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


def procedure_name(ctx: ModuleContext, number: int) -> str | None:
    """The name of the function of a procedure that does not suspend; None: the reference carries it out."""
    proc = ctx.program.procs[number]
    chain = ctx.facts.depth + 1 >= ctx.program.limits.frames
    if number in ctx.facts.recursive_procs or chain or not can_write(proc.body):
        return None
    if any(isinstance(n, ir.Together) for n in walk(proc.body)) and any(
        isinstance(n, ir.Return) for n in walk(proc.body)
    ):
        return None
    return ctx.function_name("procedure", number)


STATEMENTS: dict[type, Callable[[Any, Any], None]] = {
    ir.SetTemp: set_temp, ir.SetFrame: set_frame, ir.Store: store, ir.Transfer: transfer, ir.MoveThing: move_thing,
    ir.IfS: branch_on, ir.While: while_loop, ir.For: for_loop, ir.Break: break_loop, ir.Continue: continue_loop,
    ir.Return: return_value, ir.CallS: call_procedure, ir.Require: require, ir.Together: together,
    ir.AtomicEnd: atomic_end, ir.Note: note, ir.Show: show, ir.Defer: by_reference, ir.Timed: by_reference,
    ir.Pay: pay, ir.Forget: by_reference,
}  # fmt: skip
"""The writer of each class of statements."""
