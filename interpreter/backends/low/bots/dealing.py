"""Things that a seat does not know are dealt again, as `interpreter.visibility.imagine` deals them."""

from __future__ import annotations

from dsl.base.record import dataclass
from dsl.base.types import WORD_BITS, SetType, bounds
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add, both
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import MIX
from interpreter.machine.hidden import HiddenParts, back_numbers

PLACES, FLIP, SPREAD = "bot_places", "bot_flip", "bot_spread"
"""Functions of one deal: note its places; put a thing into a set, or take it out; mix its things and lay them there."""

SETS, LISTS, SLOTS = range(3)
ZONE = 4  # words of a zone in a deal: its sort, number, first word, and the lowest thing of a set


@dataclass(frozen=True, slots=True)
class UnseenMarks:
    """Where is noted what a seat cannot see: for each zone and cell whether it is hidden (the number of its sort), for
    each thing its sort if the seat does not know it (below 0 once it is dealt), its zone, and who knew it; then the
    things of a deal, its places (0 in a set), the rows of their zones, and who knows what lies there."""

    hidden: int
    unseen: int
    home: int
    knowing: int
    things: int
    places: int
    rows: int
    knowers: int


def marks(lo: Lowering) -> UnseenMarks:
    things, room = len(lo.program.thing_ids), lo.memory.room
    zones = room(len(lo.program.zones) + len(lo.cells))
    return UnseenMarks(zones, *(room(things) for _ in range(7)))


def deal_things(lo: Lowering, hidden: HiddenParts, own: UnseenMarks) -> None:
    """Write the deals of all sorts. `at`: the generator."""
    w, program = lo.w, lo.program
    backs = back_numbers(program)
    if hidden.sorts:

        def again(thing: Expr) -> None:  # a deal before this one broke an invariant
            dealt = w.let(low.Load(thing, own.unseen))
            w.emit(low.If(Op("<", dealt, ZERO), (low.Store(thing, own.unseen, Op("-", ZERO, dealt)),)))

        w.upto(ZERO, Num(len(program.thing_ids)), again)
    for k, sort in enumerate(hidden.sorts):
        for deal in sort.deals:
            rows = []
            for number in deal.zones:
                zone = program.zones[number]
                kind = {"set": SETS, "list": LISTS, "slot": SLOTS}[zone.kind]
                lowest = bounds(zone.type.elem)[0] if isinstance(zone.type, SetType) else 0
                rows += [kind, number, zone.base, lowest]
            alike, some = lo.memory.words(deal.alike), lo.memory.words(deal.things)
            back = backs[deal.alike[0]]
            own_sort, of_back = Num(k + 1), (Num(alike), Num(len(deal.alike)))
            zones = Num(lo.memory.words(rows)), Num(len(deal.zones))
            places = w.let(low.Call(PLACES, (own_sort, Num(back), *of_back, *zones)))
            w.call(SPREAD, own_sort, *of_back, Num(some), Num(len(deal.things)), places, Local("at"))


def write(lo: Lowering, own: UnseenMarks) -> None:
    if lo.program.known_base:
        _write_flip(lo)
        _write_places(lo, own, lo.memory.words(back_numbers(lo.program)))
        _write_spread(lo, own)


def _write_flip(lo: Lowering) -> None:
    with lo.function(FLIP, ("row", "thing")) as w:
        bit = w.let(Op("-", Local("thing"), low.Load(Local("row"), 3)))
        far = w.let(Op("/", bit, Num(WORD_BITS)))
        at = w.let(add(low.Load(Local("row"), 2), far))
        mask = Op("<<", Num(1), Op("-", bit, Op("*", far, Num(WORD_BITS))))
        w.store(at, 0, Op("^", low.Load(at), mask))
        w.give(ZERO)


def _write_places(lo: Lowering, own: UnseenMarks, backs: int) -> None:
    """Gives how many places there are; what lies in a set is taken out."""
    with lo.function(PLACES, ("sort", "back", "alike", "count", "rows", "zones")) as w:
        w.set("found", ZERO)

        def is_unseen(thing: Expr) -> Expr:
            mark = low.Load(thing, own.unseen)
            sort = Local("sort")
            return low.Either(Op("==", mark, sort), Op("==", mark, Op("-", ZERO, sort)))

        def note(place: Expr, row: Expr, knowing: Expr) -> None:
            w.store(Local("found"), own.places, place)
            w.store(Local("found"), own.rows, row)
            w.store(Local("found"), own.knowers, knowing)
            w.set("found", add(Local("found"), 1))

        def zone(n: Expr) -> None:
            row = w.let(add(Op("*", n, Num(ZONE)), Local("rows")))
            number, base = w.let(low.Load(row, 1)), w.let(low.Load(row, 2))

            def from_set() -> None:
                w.set("first", Local("found"))

                def one(k: Expr) -> None:
                    thing = w.let(low.Load(add(Local("alike"), k)))
                    inside = both(is_unseen(thing), Op("==", low.Load(thing, own.home), number))
                    w.when(inside, lambda: take_out(thing))

                def take_out(thing: Expr) -> None:
                    w.call(FLIP, row, thing)
                    knowing = w.let(low.Load(thing, own.knowing))
                    note(ZERO, row, knowing)
                    w.set("j", add(Local("found"), -1))

                    def sink(label: str) -> None:  # who knows them stands in order
                        w.leave_if(Op("<=", Local("j"), Local("first")), label)
                        before = w.let(low.Load(add(Local("j"), own.knowers - 1)))
                        w.leave_if(Op("<=", before, knowing), label)
                        w.store(Local("j"), own.knowers, before)
                        w.set("j", add(Local("j"), -1))

                    w.loop(sink)
                    w.store(Local("j"), own.knowers, knowing)

                w.upto(ZERO, Local("count"), one)

            def from_places() -> None:
                ordered = w.let(Op("==", low.Load(row), Num(LISTS)))
                size = w.let(low.Choice(ordered, low.Load(base), Num(1)))

                def one(k: Expr) -> None:
                    at = w.let(add(add(base, ordered), k))
                    thing = w.let(low.Load(at))
                    alike = both(is_unseen(thing), Op("==", low.Load(thing, backs), Local("back")))
                    w.when(both(thing, alike), lambda: note(at, row, low.Load(thing, own.knowing)))

                w.upto(ZERO, size, one)

            w.when(
                low.Load(number, own.hidden),
                lambda: w.when(Op("==", low.Load(row), Num(SETS)), from_set, from_places),
            )

        w.upto(ZERO, Local("zones"), zone)
        w.give(Local("found"))


def _write_spread(lo: Lowering, own: UnseenMarks) -> None:
    program = lo.program
    placed = lo.memory.words(program.placed)
    with lo.function(SPREAD, ("sort", "alike", "count", "some", "size", "places", "at")) as w:
        w.emit(low.If(low.Not(Local("places")), (low.Return(ZERO),)))
        w.set("found", ZERO)

        def gather(first: str, count: str) -> None:
            def one(k: Expr) -> None:
                thing = w.let(low.Load(add(Local(first), k)))

                def put() -> None:
                    w.store(Local("found"), own.things, thing)
                    w.store(thing, own.unseen, ZERO)
                    w.set("found", add(Local("found"), 1))

                w.when(Op("==", low.Load(thing, own.unseen), Local("sort")), put)

            w.upto(ZERO, Local(count), one)

        gather("some", "size")
        w.call(MIX, Local("at"), Num(own.things), Local("found"))
        w.when(Op("<", Local("found"), Local("places")), lambda: gather("alike", "count"))

        def lay(k: Expr) -> None:
            thing, at, row = (w.let(low.Load(k, base)) for base in (own.things, own.places, own.rows))
            w.when(at, lambda: w.store(at, 0, thing), lambda: w.call(FLIP, row, thing))
            w.store(low.Load(thing, placed), 0, low.Load(row, 1))
            w.store(thing, program.known_base, low.Load(k, own.knowers))
            w.store(thing, own.unseen, Op("-", ZERO, Local("sort")))

        w.upto(ZERO, Local("places"), lay)
        w.upto(Local("places"), Local("found"), lambda k: w.store(low.Load(k, own.things), own.unseen, Local("sort")))
        w.give(ZERO)
