"""Statements: what each does to the store and to the variables of the running routine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import INT, width
from dsl.program import DEFERRED, DEFERRED_LINK, FRAME_LINK, TIMED_LINK
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Dense, ItemsKind, MembersKind, Number, Unsupported, kind_of, width_of
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, either, scale, word
from interpreter.backends.low.base.status import demand, stop
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.calls import DONE, arguments, call_plain, count_together
from interpreter.backends.low.rules.chance import FORGET
from interpreter.backends.low.rules.invariants import atomic_end
from interpreter.backends.low.rules.pieces import transfer
from interpreter.backends.low.rules.variables import area_of, copied
from interpreter.backends.low.rules.writes import give, write, write_held
from interpreter.backends.low.scopes.frames import innermost
from interpreter.backends.low.scopes.records import add_record
from interpreter.backends.low.values.functions import fitted
from interpreter.backends.low.values.loops import Pass, each, each_item, each_member, each_wide
from interpreter.backends.low.values.numbers import keep_within, place_of, same_words
from interpreter.backends.low.values.ranges import number_kind, set_kind
from interpreter.backends.low.values.sets import words_of
from interpreter.backends.low.values.wide import row_of, wide_type

FRESH = (ir.ListOp, ir.Fold, ir.MapWith, ir.Const, ir.TableGet)  # lists of theirs do not lie in the store
AT_BOTTOM = 1 << 30  # behind everything that a zone holds
MOVE, SHOW, WHERE, CONTENT = "move", "show", "where", "content"  # functions of the runtime


def body(lo: Lowering, statements: Sequence[ir.Stmt]) -> None:
    """Statements one after the other; scratch memory is free again after each, and a trial may end there."""
    for s in statements:
        with lo.cut_back():
            lo.statement(s)
        if lo.trials.may_end(s):
            stop(lo)


# ------------------------------------------------------------ variables and fields


def _variable(lo: Lowering, slot: int) -> Held:
    """The variable of a temp. Raises Unsupported where the kind of what it holds cannot be said."""
    held = lo.bound.get(slot)
    if held is None:
        raise Unsupported("a temp whose kind is not known")
    assert isinstance(held, Held)
    return held


def _set_temp(lo: Lowering, s: ir.SetTemp) -> None:
    held = _variable(lo, s.slot)
    value = fitted(lo, s.value, held.kind)
    if isinstance(held.kind, Number | MembersKind):
        for name, new in zip(held.names, value.names, strict=True):
            lo.w.set(name, Local(new))
        return
    at, row = Num(area_of(lo, held.kind)), Local(value.names[0])
    match held.kind:
        case ItemsKind(item, most):
            size = lo.w.let(low.Load(row))
            lo.w.trap_if(Op(">", size, Num(most)), Reason.ROOM)
            used: Expr = add(scale(size, width_of(item)), 1)
        case Dense(_, count):
            used = Num(count)
        case _:
            used = add(Op("<<", low.Load(row), ONE), 1)
    lo.w.emit(low.Copy(at, row, used))
    lo.w.set(held.names[0], at)


def _set_frame(lo: Lowering, s: ir.SetFrame) -> None:
    base: Expr = lo.w.frame()
    if s.offset is not None:
        base = lo.w.let(add(base, lo.number(s.offset)))
    write(lo, WordsAt(base, FRAME_LINK + s.slot), s.type, s.value)


def _store(lo: Lowering, s: ir.Store) -> None:
    base, offset = place_of(lo, s.address)
    write(lo, WordsAt(lo.w.let(base), offset), s.type, s.value)


def _move_thing(lo: Lowering, s: ir.MoveThing) -> None:
    thing = lo.w.let(keep_within(lo, lo.number(s.thing), number_kind(lo, s.thing), (0, len(lo.program.thing_ids) - 1)))

    def move() -> None:
        zone = keep_within(lo, lo.number(s.zone), number_kind(lo, s.zone), (0, len(lo.program.zones) - 1))
        zone = lo.w.let(zone)
        match s.at:
            case None | "bottom":
                at: Expr = Num(AT_BOTTOM)
            case "top":
                at = ZERO
            case str():
                raise Unsupported(f"a move to `{s.at}`")
            case expression:
                at = keep_within(lo, lo.number(expression), number_kind(lo, expression), (0, AT_BOTTOM))
        lo.w.call(MOVE, thing, zone, at)

    lo.w.when(thing, move)


def seats_in(lo: Lowering, seats: ir.Expr) -> Expr:
    """The numbers of the seats of a set of seat members, as bits."""
    values = lo.program.domains[lo.program.seat_kind].values
    told = lo.w.fresh("told")
    lo.w.set(told, ZERO)

    def one(p: Pass) -> None:
        number = add(Local(p.member.names[0]), 1 - values[0])
        inside = low.Not(Op(">u", add(number, -1), Num(len(values) - 1)))
        lo.w.set(told, Op("|", Local(told), Op("<<", inside, number)))

    each(lo, ir.Domain("set", seats), one)
    return Local(told)


def _show(lo: Lowering, s: ir.Show) -> None:
    if not lo.program.known_base:
        return
    told = seats_in(lo, s.seats)
    each(lo, ir.Domain("set", s.things), lambda p: lo.w.call(SHOW, Local(p.member.names[0]), told))


def _forget(lo: Lowering, s: ir.Forget) -> None:
    """Let those who were not informed forget which of the things are where. Nothing is lost if all of them were named,
    and they are everything in their zones."""
    if not lo.program.known_base:
        return
    w, kind = lo.w, set_kind(lo, s.things)
    things = words_of(lo.hold_words(kind, lo.members(s.things)))
    informed = seats_in(lo, s.seats)
    member = Number(kind.low, max(kind.low, kind.high))
    unsure = w.fresh("unsure")
    w.set(unsure, low.Not(same_words(things, lo.members(s.named))))

    def compare(p: Pass) -> None:
        zone, beside = w.let(low.Call(WHERE, (Local(p.member.names[0]),))), w.fresh("beside")
        w.set(beside, ZERO)

        def count_it(other: Pass) -> None:
            same = Op("==", low.Call(WHERE, (Local(other.member.names[0]),)), zone)
            w.set(beside, add(Local(beside), same))

        def in_zone() -> None:
            each_member(lo, things, member, count_it)
            w.set(unsure, either(Local(unsure), Op("!=", Local(beside), low.Call(CONTENT, (zone,)))))

        w.when(zone, in_zone)

    w.when(low.Not(Local(unsure)), lambda: each_member(lo, things, member, compare))
    w.when(
        Local(unsure),
        lambda: each_member(lo, things, member, lambda p: w.call(FORGET, Local(p.member.names[0]), informed)),
    )


# ------------------------------------------------------------ control


def _if(lo: Lowering, s: ir.IfS) -> None:
    lo.w.when(lo.number(s.test), lambda: body(lo, s.then), (lambda: body(lo, s.orelse)) if s.orelse else None)


def _while(lo: Lowering, s: ir.While) -> None:
    def one(label: str) -> None:
        with lo.cut_back():
            lo.w.leave_if(low.Not(lo.number(s.test)), label)
        lo.work()
        lo.w.block(lambda skip: _inside_loop(lo, label, skip, s.body))

    with lo.cut_back():
        lo.w.loop(one)


def _inside_loop(lo: Lowering, leave: str, skip: str, statements: Sequence[ir.Stmt]) -> None:
    lo.loops.append((leave, skip))
    body(lo, statements)
    lo.loops.pop()


def _for(lo: Lowering, s: ir.For) -> None:
    held = _variable(lo, s.slot)

    def one(p: Pass) -> None:
        if p.member.kind != held.kind and not isinstance(held.kind, Number):
            raise Unsupported("a loop over sets or lists of several kinds")
        for name, new in zip(held.names, p.member.names, strict=True):
            lo.w.set(name, Local(new))
        _inside_loop(lo, p.leave, p.skip, s.body)

    if s.domain.kind == "list" and not isinstance(s.domain.a, FRESH):
        from_store(lo, s.domain.a, one)
    elif (t := wide_type(s.domain.a)) is not None:
        copy, row = lo.take(width(t)), row_of(lo, s.domain.a)
        lo.w.emit(low.Copy(copy, row, Num(width(t))))
        each_wide(lo, copy, t, one)
    else:
        each(lo, s.domain, one)


def from_store(lo: Lowering, e: ir.Expr, work: Callable[[Pass], None]) -> None:
    """Go through a list of the store that may change meanwhile: through a copy of it."""
    kind = lo.kind(e)
    if not isinstance(kind, ItemsKind):
        raise Unsupported("a loop over what is no list")
    row = lo.w.let(lo.row(e))
    size = add(scale(low.Load(row), width_of(kind.item)), 1)
    copy = lo.take(1 + kind.most * width_of(kind.item))
    lo.w.emit(low.Copy(copy, row, size))
    each_item(lo, copy, kind, work)


def _break(lo: Lowering, s: ir.Break) -> None:
    lo.w.leave(lo.loops[-1][0])


def _continue(lo: Lowering, s: ir.Continue) -> None:
    lo.w.leave(lo.loops[-1][1])


def _return(lo: Lowering, s: ir.Return) -> None:
    if s.value is not None:
        give(lo, s.value)
    lo.w.leave(DONE)


def _call(lo: Lowering, s: ir.CallS) -> None:
    call_plain(lo, s.proc, arguments(lo, s.proc, s.args))


def _require(lo: Lowering, s: ir.Require) -> None:
    demand(lo, lo.number(s.guard.test))


def _together(lo: Lowering, s: ir.Together) -> None:
    count_together(lo, Num(s.delta))


# ------------------------------------------------------------ end lists


def _defer(lo: Lowering, s: ir.Defer) -> None:
    program, w = lo.program, lo.w
    frame: Expr = ZERO
    held = arguments(lo, s.proc, s.args)
    order = [w.let(lo.number(e)) for e in s.order]
    if s.procs:
        frame = innermost(lo, s.procs)
        w.trap_if(low.Not(frame), Reason.FAULT)
    w.trap_if(Op(">=", word(DEFERRED), Num(program.limits.deferred)), Reason.ROOM)
    size = DEFERRED_LINK + program.deferred_args
    at = w.let(add(scale(word(DEFERRED), size), program.deferred_base))
    w.store(at, 0, frame)
    w.store(at, 1, Num(s.proc))
    offset = DEFERRED_LINK
    for h, (_, t) in zip(held, program.procs[s.proc].params, strict=True):
        write_held(lo, WordsAt(at, offset), t, h)
        offset += width(t)
    for n, value in enumerate(order, DEFERRED_LINK + program.deferred_args - len(order)):
        w.store(at, n, value)
    w.count(DEFERRED)


def _timed(lo: Lowering, s: ir.Timed) -> None:
    """A timed line begins: its record captures values, and lasts until a frame ends."""
    w = lo.w
    types = s.types or (INT,) * len(s.values)
    held = [copied(lo, fitted(lo, v, kind_of(t))) for v, t in zip(s.values, types, strict=True)]
    base = innermost(lo, s.procs)
    w.trap_if(low.Not(base), Reason.FAULT)

    def fill(at: Expr) -> None:
        offset = TIMED_LINK
        for h, t in zip(held, types, strict=True):
            write_held(lo, WordsAt(at, offset), t, h)
            offset += width(t)

    add_record(lo, s.line + 1, base, Num(sum(map(width, types))), fill)


def _nothing(lo: Lowering, s: ir.Stmt) -> None:
    """Nothing that a game depends on."""


STATEMENTS: dict[type, Callable[[Lowering, Any], None]] = {
    ir.Note: _nothing,
    ir.AtomicEnd: atomic_end,
    ir.SetTemp: _set_temp,
    ir.SetFrame: _set_frame,
    ir.Store: _store,
    ir.Transfer: transfer,
    ir.MoveThing: _move_thing,
    ir.IfS: _if,
    ir.While: _while,
    ir.For: _for,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.Return: _return,
    ir.CallS: _call,
    ir.Require: _require,
    ir.Defer: _defer,
    ir.Timed: _timed,
    ir.Show: _show,
    ir.Forget: _forget,
    ir.Together: _together,
}
