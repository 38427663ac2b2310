"""The test that every thing is in exactly the place that its place word names, as `interpreter.machine.invariants`
does."""

from __future__ import annotations

from dsl.base.types import WORD_BITS, SetType, bounds, width
from dsl.program import Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.core.places import PlaceIndex

LAWFUL = "lawful"  # function: give up unless all places are lawful
COLUMNS = 4  # of a zone: its number, where it lies, its lowest thing, and the words of its set; 0: a list, -1: a slot
SLOT = -1


def write(lo: Lowering) -> None:
    """Each thing of a zone must name it, none may lie there twice, and as many must name a zone as lie in one."""
    program, memory = lo.program, lo.memory
    index = PlaceIndex(program)
    rows = [part for number, base, _ in index.zones for part in (number, base, *_shape(program, number))]
    zones, things = memory.words(rows), len(program.thing_ids)
    movable = memory.words([address for _, address in index.movable])
    placed = memory.words([*program.placed, *([0] * (things - len(program.placed)))])
    holds = memory.words([int(n in {number for number, *_ in index.zones}) for n in range(len(program.zones))])
    seen = memory.room(things)
    with lo.function(LAWFUL, ()) as w:
        w.emit(low.Clear(Num(seen), Num(things)))
        w.set("placed", ZERO)

        def look(n: Expr) -> None:
            zone = low.Load(low.Load(n, movable))
            w.set("placed", add(Local("placed"), low.Load(zone, holds)))

        def one(thing: Expr, number: Expr) -> None:
            w.trap_if(Op(">u", thing, Num(things - 1)), Reason.FAULT)
            place = w.let(low.Load(thing, placed))
            elsewhere = low.Either(low.Not(place), Op("!=", low.Load(place), number))
            w.trap_if(low.Either(elsewhere, low.Load(thing, seen)), Reason.FAULT)
            w.store(thing, seen, ONE)
            w.set("placed", add(Local("placed"), -1))

        def zone(n: Expr) -> None:
            row = w.let(scale(n, COLUMNS))
            number, base = w.let(low.Load(row, zones)), w.let(low.Load(row, zones + 1))
            words = w.let(low.Load(row, zones + 3))

            def of_list() -> None:
                w.upto(ZERO, low.Load(base), lambda k: one(w.let(low.Load(add(base, k), 1)), number))

            def of_slot() -> None:
                w.when(low.Load(base), lambda: one(w.let(low.Load(base)), number))

            def of_set() -> None:
                w.upto(ZERO, words, of_word)

            def of_word(k: Expr) -> None:
                part = w.fresh("part")
                w.set(part, low.Load(add(base, k)))

                def next_thing(label: str) -> None:
                    w.leave_if(low.Not(Local(part)), label)
                    bit = w.let(add(low.Lowest(Local(part)), scale(k, WORD_BITS)))
                    w.set(part, Op("&", Local(part), add(Local(part), -1)))
                    one(w.let(add(bit, low.Load(row, zones + 2))), number)

                w.loop(next_thing)

            w.when(Op(">", words, ZERO), of_set, lambda: w.when(words, of_slot, of_list))

        w.upto(ZERO, Num(len(index.movable)), look)
        w.upto(ZERO, Num(len(index.zones)), zone)
        w.trap_if(Local("placed"), Reason.FAULT)
        w.give(ZERO)


def _shape(program: Program, number: int) -> tuple[int, int]:
    """The lowest thing of a set, and how many words it has; 0 for a list, SLOT for a slot."""
    zone = program.zones[number]
    if isinstance(zone.type, SetType):
        return bounds(zone.type.elem)[0], width(zone.type)
    return 0, SLOT if zone.kind == "slot" else 0
