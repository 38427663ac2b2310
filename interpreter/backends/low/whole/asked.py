"""Chance that is asked, in low code: the outcomes that can come, and the one that a driver takes; notes of outcomes.

Where a module asks (`Lowering.asks_chance`) low code stops as the reference does, with the header words `PC`, `CHANCE`
and `DRAWN`. The host then calls `list_outcomes`: it writes rows of two words, value and weight, where options stand,
and gives their number; `take_outcome` takes the one with a value, and runs on as ANSWER does. What is drawn is noted
where a module notes it, as `ChanceOutcome` has it: `interpreter.backends.native.draws` reads the notes.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import CHANCE, DRAWN, FRAME_LINK, PC, STEPS, Program
from interpreter.backends.low.base.context import FRESH, GO, HEAP, Lowering
from interpreter.backends.low.base.exported import LIST_OUTCOMES, OUTCOME_WORDS, TAKE_OUTCOME
from interpreter.backends.low.base.kinds import Number
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.base.memory import MOST_NOTED, MOST_ROWS, NOTE_HEAD
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.chance import (
    NO_AUDIENCE,
    NOTE_ONE,
    NOTE_ORDER,
    OUTCOME,
    OUTCOMES,
    UNORDERED,
    ends,
    forget,
    forget_one,
    note_one,
    note_order,
    pieces,
    zone_of,
)
from interpreter.backends.low.rules.writes import number_bounds
from interpreter.backends.low.values.loops import each_member
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import set_kind
from interpreter.backends.low.values.sets import count, words_of
from interpreter.backends.low.values.weights import Weighed
from interpreter.backends.low.whole.moves import FORGET_ORDER
from interpreter.backends.low.whole.zones import LIST, SLOT, zone

REST, NEXT_IN_ORDER = "rest_of_order", "next_in_order"
"""Functions of the runtime: list the things of a zone whose order is drawn, and give their number; put one of them next
in the order, and give how many things of the order are certain then (-1: all are)."""

STOPPED = Num(-1)


def address_of(program: Program, pc: int) -> str:
    """The address of a chance event, by the number of its instruction."""
    return _event(program, pc).address


def _event(program: Program, pc: int) -> ir.Chance:
    i = program.code[pc]
    assert isinstance(i, ir.Chance)
    return i


# ------------------------------------------------------------ for the host


def write(lo: Lowering) -> None:
    """Write what the host calls."""
    numbers = [pc for pc, i in enumerate(lo.program.code) if isinstance(i, ir.Chance)]

    def listing(pc: int) -> Callable[[], None]:
        return lambda: lo.w.give(low.Call(lo.want(OUTCOMES, pc)))

    def taking(pc: int) -> Callable[[], None]:
        return lambda: lo.w.set("pc", low.Call(lo.want(OUTCOME, pc), (Local("value"),)))

    with lo.function(LIST_OUTCOMES, (), exported=True) as w:
        w.call(FRESH)
        if numbers:
            w.when(word(CHANCE), lambda: w.cases(word(CHANCE), {pc: listing(pc) for pc in numbers}))
        w.give(ZERO)
    with lo.function(TAKE_OUTCOME, ("value",), exported=True) as w:
        w.call(FRESH)
        w.trap_if(low.Not(word(CHANCE)), Reason.LOST)
        event = w.let(word(CHANCE))
        w.put(CHANCE, ZERO)
        w.put(STEPS, ZERO)
        w.set("pc", STOPPED)
        if numbers:
            w.cases(event, {pc: taking(pc) for pc in numbers})
        w.give(low.Call(GO, (Local("pc"),)))


# ------------------------------------------------------------ the outcomes of an event


def _write_outcomes(lo: Lowering, pc: int) -> None:
    i = _event(lo.program, pc)
    with lo.function(f"{OUTCOMES}{pc}", ()) as w:
        if i.op == "shuffle":
            w.give(low.Call(REST, (zone_of(lo, i),)))
            return
        w.set("mark", Global(HEAP))
        w.set("count", ZERO)
        if i.weights is not None:
            _weighed_rows(lo, i)
        else:
            {"member": _member_rows, "piece": _piece_rows, "number": _number_rows}[i.op](lo, i)
        w.emit(low.SetGlobal(HEAP, Local("mark")))
        w.give(Local("count"))


def _row(lo: Lowering, value: Expr, weight: Expr) -> None:
    """Add a row; `count` is the number of those before it."""
    w = lo.w
    w.trap_if(Op(">=", Local("count"), Num(lo.memory.stride * MOST_ROWS // OUTCOME_WORDS)), Reason.ROOM)
    at = w.let(scale(Local("count"), OUTCOME_WORDS))
    w.store(at, lo.memory.options, value)
    w.store(at, lo.memory.options + 1, weight)
    w.set("count", add(Local("count"), 1))


def _weighed_rows(lo: Lowering, i: ir.Chance) -> None:
    weighed = Weighed(lo, i)
    weighed.add_up(lambda: lo.w.give(ZERO))
    weighed.each(lambda member, weight, label: _row(lo, member, weight))


def _member_rows(lo: Lowering, i: ir.Chance) -> None:
    kind = set_kind(lo, i.a)
    words = words_of(lo.hold_words(kind, lo.members(i.a)))
    member = Number(kind.low, max(kind.low, kind.high))
    each_member(lo, words, member, lambda p: _row(lo, Local(p.member.names[0]), ONE))


def _piece_rows(lo: Lowering, i: ir.Chance) -> None:
    row, number, lowest = pieces(lo, i)

    def one(n: Expr) -> None:
        here = lo.w.let(low.Load(add(row, n)))
        lo.w.when(Op(">", here, ZERO), lambda: _row(lo, add(n, lowest), here))

    lo.w.upto(ZERO, Num(number), one)


def _number_rows(lo: Lowering, i: ir.Chance) -> None:
    first, last = ends(lo, i)
    lo.w.upto(first, add(last, 1), lambda n: _row(lo, n, ONE))


# ------------------------------------------------------------ taking an outcome


def _write_outcome(lo: Lowering, pc: int) -> None:
    i = _event(lo.program, pc)
    with lo.function(f"{OUTCOME}{pc}", ("value",)) as w:
        if i.op == "shuffle":
            _take_next(lo, i, pc)
            return
        w.set("mark", Global(HEAP))
        if i.op == "member" and lo.program.known_base:
            _forget_others(lo, i)
        value: Expr = Local("value")
        if i.type is not None:
            first, last = number_bounds(i.type)
            value = keep_within(lo, value, Number(first - 1, last + 1), (first, last))
        note_one(lo, i, value)
        if i.type is not None:
            w.store(w.frame(), FRAME_LINK + i.slot, value)
        w.emit(low.SetGlobal(HEAP, Local("mark")))
        w.give(Num(pc + 1))


def _forget_others(lo: Lowering, i: ir.Chance) -> None:
    """Let whoever does not see a zone forget what was drawn from it, where several could come."""
    if i.weights is not None:
        weighed = Weighed(lo, i)
        weighed.add_up(lambda: None)
        weighed.forget(forget_one)
    else:
        held = lo.hold_words(set_kind(lo, i.a), lo.members(i.a))
        lo.w.when(Op(">", count(words_of(held)), ONE), lambda: forget(lo, held))


def _take_next(lo: Lowering, i: ir.Chance, pc: int) -> None:
    w = lo.w
    number = zone_of(lo, i)
    certain = w.let(low.Call(NEXT_IN_ORDER, (number, Local("value"))))
    note_order(lo, i, number, certain)
    w.emit(low.If(Op("<", certain, ZERO), (low.Return(Num(pc + 1)),)))
    w.put(PC, Num(pc))
    w.put(CHANCE, Num(pc))
    w.give(STOPPED)


WRITERS = {OUTCOMES: _write_outcomes, OUTCOME: _write_outcome}
PARAMETERS = {OUTCOME: ("value",)}


# ------------------------------------------------------------ the runtime


def write_runtime(lo: Lowering, table: int) -> None:
    """Write the functions that the rules call where chance is asked, or noted; `table`: that of zones."""
    if lo.asks_chance:
        _write_unordered(lo, table)
        _write_rest(lo, table)
        _write_next_in_order(lo, table)
    if lo.memory.noted:
        _write_notes(lo, table)


def _write_unordered(lo: Lowering, table: int) -> None:
    """Write the function that gives how many things of a zone have an order to be drawn: only an ordered zone of
    several places has such things."""
    with lo.function(UNORDERED, ("zone",)) as w:
        z = zone(lo, Local("zone"), table)
        base = w.let(z.base)
        w.give(low.Choice(Op("==", z.kind, Num(LIST)), low.Load(base), ZERO))


def _write_rest(lo: Lowering, table: int) -> None:
    with lo.function(REST, ("zone",)) as w:
        base = w.let(zone(lo, Local("zone"), table).base)
        w.set("count", ZERO)
        w.upto(word(DRAWN), low.Load(base), lambda n: _row(lo, w.let(low.Load(add(base, n), 1)), ONE))
        w.give(Local("count"))


def _write_next_in_order(lo: Lowering, table: int) -> None:
    with lo.function(NEXT_IN_ORDER, ("zone", "value")) as w:
        base = w.let(zone(lo, Local("zone"), table).base)
        size, drawn = w.let(low.Load(base)), w.let(word(DRAWN))
        w.set("at", drawn)

        def find(label: str) -> None:
            w.trap_if(Op(">=", Local("at"), size), Reason.LOST)
            w.leave_if(Op("==", low.Load(add(base, Local("at")), 1), Local("value")), label)
            w.set("at", add(Local("at"), 1))

        w.loop(find)
        place = w.let(add(add(base, drawn), 1))
        w.emit(low.Copy(add(place, 1), place, Op("-", Local("at"), drawn)))
        w.store(place, 0, Local("value"))
        certain = w.let(add(drawn, 1))
        w.put(DRAWN, certain)

        def finish() -> None:
            w.put(DRAWN, ZERO)
            if lo.program.known_base:
                w.call(FORGET_ORDER, Local("zone"))
            w.give(Num(-1))

        w.when(Op(">=", add(certain, 1), size), finish)
        w.give(certain)


def _write_notes(lo: Lowering, table: int) -> None:
    with lo.function(NOTE_ONE, ("event", "audience", "value")) as w:
        at = _note(lo, Local("audience"), ONE)
        w.store(at, NOTE_HEAD, Local("value"))
        w.give(ZERO)
    with lo.function(NOTE_ORDER, ("event", "zone", "most")) as w:
        z = zone(lo, Local("zone"), table)
        base = w.let(z.base)
        w.set("size", Local("most"))
        w.set("from", base)

        def all_things() -> None:
            single = Op("!=", low.Load(base), ZERO)
            kind = w.let(z.kind)
            w.set("size", low.Choice(Op("==", kind, Num(SLOT)), single, low.Load(base)))
            w.emit(low.If(Op("==", kind, Num(SLOT)), (low.Set("from", add(base, -1)),)))

        w.when(Op("<", Local("most"), ZERO), all_things)
        at = _note(lo, NO_AUDIENCE, Local("size"))
        w.emit(low.Copy(add(at, NOTE_HEAD), add(Local("from"), 1), Local("size")))
        w.give(ZERO)


def _note(lo: Lowering, audience: Expr, size: Expr) -> Expr:
    """Begin a note of so many words; gives its address."""
    w, noted = lo.w, lo.memory.noted
    at = w.let(add(word(noted), noted + 1), "note")
    after = w.let(add(add(word(noted), size), NOTE_HEAD))
    w.trap_if(Op(">", after, Num(MOST_NOTED)), Reason.ROOM)
    w.put(noted, after)
    for k, part in enumerate((Local("event"), audience, size)):
        w.store(at, k, part)
    return at
