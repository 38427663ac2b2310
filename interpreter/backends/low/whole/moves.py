"""Single things in low code: their moves between zones, the order of a zone, and who knows where a thing is.

The same as `interpreter.core.placement`; a plan ends where its seat learns something.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.base.types import WORD_BITS
from dsl.program import ASKING, PLAN, PLAN_SEAT
from interpreter.backends.low.base.context import SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, inverted, word
from interpreter.backends.low.base.status import end_plan, fail_if
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.chance import BELOW, FORGET, SHUFFLE
from interpreter.backends.low.rules.keyed import KEYED_ORDER
from interpreter.backends.low.rules.statements import CONTENT, MOVE, SHOW, WHERE
from interpreter.backends.low.whole.zones import LIST, SET, SLOT, Zone, everybody, zone

COMMIT, TOP, FORGET_ORDER = "commit", "show_top", "forget_order"
BITS = Num(WORD_BITS)


def write(lo: Lowering, table: int) -> None:
    """Write the functions of the runtime that rules may call."""
    program = lo.program
    things = len(program.thing_ids)
    placed = lo.memory.words([*program.placed, *([0] * (things - len(program.placed)))])
    if program.known_base:
        _write_commit(lo)
        _write_show_top(lo, table)
        _write_show(lo)
        _write_forget(lo)
        _write_forget_order(lo, table)
        _write_places(lo, table, placed)
    _write_move(lo, table, placed)
    _write_shuffle(lo, table)


# ------------------------------------------------------------ what zones hold


def _by_kind(lo: Lowering, z: Zone, rows: dict[int, Callable[[], None]]) -> None:
    """Do what stands for the kind of a zone; nothing for one that holds no things."""
    kind = lo.w.let(z.kind)
    for number, work in rows.items():
        lo.w.when(Op("==", kind, Num(number)), work)


def _bit_place(lo: Lowering, z: Zone, thing: Expr) -> tuple[Expr, Expr]:
    """The address of the word of a set that has the bit of a thing, and the number of that bit."""
    w = lo.w
    at = w.let(Op("-", thing, z.low))
    w.trap_if(either(Op("<", at, ZERO), Op(">=", at, Op("*", z.width, BITS))), Reason.RANGE)
    return w.let(add(z.base, Op("/u", at, BITS))), w.let(Op("%u", at, BITS))


def _take_out(lo: Lowering, z: Zone, thing: Expr) -> None:
    w = lo.w
    base = w.let(z.base)

    def of_set() -> None:
        at, number = _bit_place(lo, z, thing)
        w.store(at, 0, Op("&", low.Load(at), inverted(Op("<<", ONE, number))))

    def of_list() -> None:
        size, j = w.let(low.Load(base)), w.fresh("j")
        w.set(j, ONE)

        def find(label: str) -> None:
            w.trap_if(Op(">", Local(j), size), Reason.LOST)
            w.leave_if(Op("==", low.Load(add(base, Local(j))), thing), label)
            w.set(j, add(Local(j), 1))

        w.loop(find)
        at = w.let(add(base, Local(j)))
        w.emit(low.Copy(at, add(at, 1), Op("-", size, Local(j))))
        w.store(add(base, size), 0, ZERO)
        w.store(base, 0, add(size, -1))

    _by_kind(lo, z, {SET: of_set, LIST: of_list, SLOT: lambda: w.store(base, 0, ZERO)})


def _put_in(lo: Lowering, z: Zone, thing: Expr, at: Expr) -> None:
    """`at`: how many things stay in front of it in an ordered zone."""
    w = lo.w
    base = w.let(z.base)

    def of_set() -> None:
        place, number = _bit_place(lo, z, thing)
        w.store(place, 0, Op("|", low.Load(place), Op("<<", ONE, number)))

    def of_list() -> None:
        size = w.let(low.Load(base))
        w.trap_if(Op(">=", size, z.most), Reason.ROOM)
        front = w.let(low.Choice(Op("<", at, size), at, size))
        place = w.let(add(base, front))
        w.emit(low.Copy(add(place, 2), add(place, 1), Op("-", size, front)))
        w.store(place, 1, thing)
        w.store(base, 0, add(size, 1))

    def of_slot() -> None:
        w.trap_if(low.Load(base), Reason.FAULT)
        w.store(base, 0, thing)

    _by_kind(lo, z, {SET: of_set, LIST: of_list, SLOT: of_slot})


def _each_thing(lo: Lowering, z: Zone, work: Callable[[Expr], None]) -> None:
    """Do `work` for every thing of a zone."""
    w = lo.w
    base = w.let(z.base)

    def of_set() -> None:
        def of_word(k: Expr) -> None:
            part = w.fresh("part")
            w.set(part, low.Load(add(base, k)))

            def one(label: str) -> None:
                w.leave_if(low.Not(Local(part)), label)
                thing = w.let(add(add(low.Lowest(Local(part)), Op("*", k, BITS)), z.low))
                w.set(part, Op("&", Local(part), add(Local(part), -1)))
                work(thing)

            w.loop(one)

        w.upto(ZERO, z.width, of_word)

    def of_list() -> None:
        w.upto(ONE, add(low.Load(base), 1), lambda j: work(w.let(low.Load(add(base, j)))))

    def of_slot() -> None:
        w.when(low.Load(base), lambda: work(w.let(low.Load(base))))

    _by_kind(lo, z, {SET: of_set, LIST: of_list, SLOT: of_slot})


def _size(lo: Lowering, z: Zone) -> Expr:
    """The number of things that a zone holds."""
    w, size, base = lo.w, lo.w.fresh("size"), lo.w.let(z.base)
    w.set(size, ZERO)

    def of_set() -> None:
        w.upto(ZERO, z.width, lambda k: w.set(size, add(Local(size), low.Ones(low.Load(add(base, k))))))

    one = Op("!=", low.Load(base), ZERO)
    _by_kind(lo, z, {SET: of_set, LIST: lambda: w.set(size, low.Load(base)), SLOT: lambda: w.set(size, one)})
    return Local(size)


# ------------------------------------------------------------ moves


def _write_move(lo: Lowering, table: int, placed: int) -> None:
    """Move a thing to a zone; `at`: how many things stay in front of it there."""
    known = lo.program.known_base
    thing, number = Local("thing"), Local("zone")
    with lo.function(MOVE, ("thing", "zone", "at")) as w:
        place = w.let(low.Load(thing, placed))
        w.trap_if(low.Not(place), Reason.FAULT)
        old = w.let(low.Load(place))
        source, target = zone(lo, old, table), zone(lo, number, table)
        _take_out(lo, source, thing)
        cap = w.let(target.cap)

        def is_full() -> None:
            fail_if(lo, Op("<=", cap, _size(lo, target)), lambda: w.give(ZERO))

        w.when(both(number, Op(">", cap, ZERO)), is_full)
        _put_in(lo, target, thing, Local("at"))
        w.store(place, 0, number)
        if known:
            _learn(lo, source, old, number, thing)
        w.give(ZERO)


def _learn(lo: Lowering, source: Zone, old: Expr, new: Expr, thing: Expr) -> None:
    """Let whoever sees one of the two zones know the thing, and whoever cannot tell which one left forget what
    stayed."""
    w, known = lo.w, lo.program.known_base
    seers = w.let(low.Call(SEERS, (old,)))
    before = w.let(low.Load(thing, known))
    after = w.let(Op("|", Op("|", before, seers), low.Call(SEERS, (new,))))
    w.store(thing, known, after)
    keep = w.let(Op("|", after, seers))

    def one(other: Expr) -> None:
        left = Op("&", low.Load(other, known), keep)
        w.emit(low.If(Op("!=", other, thing), (low.Store(other, known, left),)))

    w.when(Op("!=", Op("&", keep, Num(-2)), everybody()), lambda: _each_thing(lo, source, one))
    w.call(COMMIT, Op("&", after, inverted(Op("|", before, seers))))
    w.call(TOP, old)
    w.call(TOP, new)


def _write_shuffle(lo: Lowering, table: int) -> None:
    """Shuffle a zone, the last place first; where chance is asked, by the number of this event."""
    with lo.function(SHUFFLE, ("zone", "event")) as w:
        z = zone(lo, Local("zone"), table)

        def of_list() -> None:
            base = w.let(z.base)
            size = w.let(low.Load(base))
            if lo.keyed is None:
                _mix(lo, base, size)
            else:
                w.when(word(ASKING), lambda: w.call(KEYED_ORDER, base, Local("event")), lambda: _mix(lo, base, size))
            if lo.program.known_base:
                w.when(Op(">", size, ONE), lambda: w.call(FORGET_ORDER, Local("zone")))

        def of_set() -> None:
            w.trap(Reason.LOST)  # it has no order

        _by_kind(lo, z, {LIST: of_list, SET: of_set})
        w.give(ZERO)


def _mix(lo: Lowering, base: Expr, size: Expr) -> None:
    w = lo.w
    n = w.fresh("n")
    w.set(n, size)

    def one(label: str) -> None:
        w.leave_if(Op("<=", Local(n), ONE), label)
        other = w.let(add(add(base, low.Call(BELOW, (Local(n),))), 1))
        last = w.let(add(base, Local(n)))
        kept = w.let(low.Load(last))
        w.store(last, 0, low.Load(other))
        w.store(other, 0, kept)
        w.set(n, add(Local(n), -1))

    w.loop(one)


def _write_forget_order(lo: Lowering, table: int) -> None:
    """The new order of a zone is known only to those who see the zone."""
    known = lo.program.known_base
    with lo.function(FORGET_ORDER, ("zone",)) as w:
        seers = w.let(low.Call(SEERS, (Local("zone"),)))
        _each_thing(lo, zone(lo, Local("zone"), table), lambda thing: w.store(thing, known, seers))
        w.call(TOP, Local("zone"))
        w.give(ZERO)


# ------------------------------------------------------------ who knows


def _write_commit(lo: Lowering) -> None:
    """End the open plan if it is of one of these seats."""
    seats = lo.program.domains[lo.program.seat_kind].values
    with lo.function(COMMIT, ("seats",)) as w:

        def look() -> None:
            number = w.let(add(word(PLAN_SEAT), 1 - seats[0]))
            inside = low.Not(Op(">u", add(number, -1), Num(len(seats) - 1)))
            w.when(both(inside, Op("&", Op(">>u", Local("seats"), number), ONE)), lambda: end_plan(lo))

        w.when(both(Local("seats"), word(PLAN)), look)
        w.give(ZERO)


def _write_show_top(lo: Lowering, table: int) -> None:
    """Let those who see the top of a zone know what lies there."""
    known, program = lo.program.known_base, lo.program
    with lo.function(TOP, ("zone",)) as w:
        tops = [n for n, z in enumerate(program.zones) if z.top]
        if tops:
            has_top = lo.memory.words([int(bool(z.top)) for z in program.zones])

            def show() -> None:
                base = w.let(zone(lo, Local("zone"), table).base)
                thing = w.let(low.Choice(low.Load(base), low.Load(base, 1), ZERO))

                def to_know() -> None:
                    seers = low.Call(TOP_SEERS, (Local("zone"),))
                    fresh = w.let(Op("&", seers, inverted(low.Load(thing, known))))
                    w.store(thing, known, Op("|", low.Load(thing, known), fresh))
                    w.call(COMMIT, fresh)

                w.when(thing, to_know)

            w.when(low.Load(Local("zone"), has_top), show)
        w.give(ZERO)


def _write_show(lo: Lowering) -> None:
    """Let seats know where a thing is."""
    known = lo.program.known_base
    with lo.function(SHOW, ("thing", "seats")) as w:
        before = w.let(low.Load(Local("thing"), known))
        w.store(Local("thing"), known, Op("|", before, Local("seats")))
        w.call(COMMIT, Op("&", Local("seats"), inverted(before)))
        w.give(ZERO)


def _write_places(lo: Lowering, table: int, placed: int) -> None:
    """The zone where a thing is (0: none), and how many things a zone holds."""
    with lo.function(WHERE, ("thing",)) as w:
        place = w.let(low.Load(Local("thing"), placed))
        w.emit(low.If(low.Not(place), (low.Return(ZERO),)))
        w.give(low.Load(place))
    with lo.function(CONTENT, ("zone",)) as w:
        w.give(_size(lo, zone(lo, Local("zone"), table)))


def _write_forget(lo: Lowering) -> None:
    """A thing may have gone: whoever is not informed, and does not see its zone, no longer knows that it is there."""
    known = lo.program.known_base
    with lo.function(FORGET, ("thing", "informed")) as w:
        number = w.let(low.Call(WHERE, (Local("thing"),)))

        def forget() -> None:
            still = Op("|", Local("informed"), low.Call(SEERS, (number,)))
            w.store(Local("thing"), known, Op("&", low.Load(Local("thing"), known), still))
            w.call(TOP, number)

        w.when(number, forget)
        w.give(ZERO)
