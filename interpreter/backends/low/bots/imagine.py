"""A position as a seat may imagine it, as `interpreter.visibility.imagine` makes it, with the same draws."""

from __future__ import annotations

from dsl.program import ASKING, SCRIPT
from interpreter.backends.low.base.context import SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either
from interpreter.backends.low.bots.stores import ROOM, STASH
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import MIX, RESEED

IMAGINE, UNKNOWN = "bot_imagine", "bot_unknown"
"""Functions: make the store what a seat may imagine, with the generator at an address; give the unknown things of one
ordered zone another order."""


def backs(lo: Lowering) -> list[int]:
    """For each thing the number of what is seen of its back; things with the same number look alike."""
    program = lo.program
    seen: dict[tuple[object, ...], int] = {}
    found: dict[int, list[object]] = {}
    for symbol in sorted(program.backs):
        kind, _, name = symbol.rpartition(".")
        table, type_ = program.consts[symbol]
        for thing, value in zip(program.domains[kind].values, program.tables[table], strict=True):
            found.setdefault(thing, []).append((name, value, type_))
    keys = [tuple(found.get(thing, ())) for thing in range(len(program.thing_ids))]
    return [seen.setdefault(key, len(seen)) for key in keys]


def write(lo: Lowering) -> None:
    program = lo.program
    hidden = [(n, z.base, bool(z.top)) for n, z in enumerate(program.zones) if z.kind == "list" and z.audience != "all"]
    if hidden:
        _write_unknown(lo, lo.memory.words(backs(lo)))
    table = lo.memory.words([part for n, base, top in hidden for part in (n, base, int(top))])
    with lo.function(IMAGINE, ("seat", "at")) as w:
        w.call(RESEED, Local("at"))
        w.put(ASKING, ZERO)
        w.put(SCRIPT, ZERO)

        def zone(n: Expr) -> None:
            row = w.let(add(Op("*", n, Num(3)), table))
            number, base = w.let(low.Load(row)), w.let(low.Load(row, 1))

            def mix() -> None:
                top = w.fresh("top")
                w.set(top, ZERO)
                seen = both(low.Load(row, 2), _sees(TOP_SEERS, number))
                w.emit(low.If(seen, (low.Set(top, low.Load(base, 1)),)))
                w.call(UNKNOWN, base, Local(top), Local("seat"), Local("at"))

            w.when(both(Op(">", low.Load(base), ONE), low.Not(_sees(SEERS, number))), mix)

        if hidden:
            w.upto(ZERO, Num(len(hidden)), zone)
        w.give(ZERO)


def _sees(function: str, zone: Expr) -> Expr:
    return Op("&", Op(">>u", low.Call(function, (zone,)), Local("seat")), ONE)


def _write_unknown(lo: Lowering, classes: int) -> None:
    """The things of each sort of back are sorted, mixed, and laid into the places of that sort; the sorts take their
    turns in the order of their first places."""
    known = lo.program.known_base
    with lo.function(UNKNOWN, ("base", "top", "seat", "at")) as w:
        size = w.let(low.Load(Local("base")), "size")
        stash = w.let(Global(STASH))
        places, things = w.let(low.Call(ROOM, (size,)), "places"), w.let(low.Call(ROOM, (size,)), "things")
        done = w.let(low.Call(ROOM, (size,)), "done")

        def look(n: Expr) -> None:
            thing = w.let(low.Load(add(Local("base"), n), 1))
            shown: Expr = ZERO
            if known:
                shown = Op("&", Op(">>u", low.Load(thing, known), Local("seat")), ONE)
            w.store(add(done, n), 0, either(Op("==", thing, Local("top")), shown))

        w.upto(ZERO, size, look)

        def sort_of_back(first: Expr) -> None:
            own = w.let(low.Load(low.Load(add(Local("base"), first), 1), classes))
            w.set("count", ZERO)

            def gather(n: Expr) -> None:
                thing = w.let(low.Load(add(Local("base"), n), 1))
                alike = both(low.Not(low.Load(add(done, n))), Op("==", low.Load(thing, classes), own))

                def put() -> None:
                    w.store(add(done, n), 0, ONE)
                    w.store(add(places, Local("count")), 0, n)
                    insert(thing)

                w.when(alike, put)

            def insert(thing: Expr) -> None:
                w.set("j", Local("count"))

                def back(label: str) -> None:
                    w.leave_if(low.Not(Local("j")), label)
                    before = w.let(low.Load(add(add(things, Local("j")), -1)))
                    w.leave_if(Op("<", before, thing), label)
                    w.store(add(things, Local("j")), 0, before)
                    w.set("j", add(Local("j"), -1))

                w.loop(back)
                w.store(add(things, Local("j")), 0, thing)
                w.set("count", add(Local("count"), 1))

            w.upto(first, size, gather)
            w.call(MIX, Local("at"), things, Local("count"))

            def lay(k: Expr) -> None:
                w.store(add(Local("base"), low.Load(add(places, k))), 1, low.Load(add(things, k)))

            w.upto(ZERO, Local("count"), lay)

        w.upto(ZERO, size, lambda n: w.when(low.Not(low.Load(add(done, n))), lambda: sort_of_back(n)))
        w.emit(low.SetGlobal(STASH, stash))
        w.give(ZERO)
