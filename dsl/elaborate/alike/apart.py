"""The tests of two things for `alike`: nothing that the state says is about one of them alone.

Fields and zones of both hold the same, no field holds just one of them, no line under `until end of` is about one, and
what copies may do `once per` something has been done as often by both. `dsl.elaborate.alike.things` asks.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.base.types import INT, ListType, MapType, MemberType, SetType, Type, bounds, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import conj, key_offset, linear
from dsl.elaborate.core.scope import Body
from dsl.elaborate.core.types import captured_types
from dsl.symbols.symbols import KindSym, Model, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

X, Y = ir.Temp(0), ir.Temp(1)
APART = ("option", "seats", "counter", "place")  # parts of the layout that are looked at otherwise, or say nothing


def same_in_state(elab: Elaboration, body: Body, kind: KindSym) -> list[ir.Expr]:
    """All these tests, of the things in X and Y. They are complete once everything else has been made."""
    tests = [test for e in elab.layout.entries if e.sort not in APART for test in same_in(elab.model, body, e, kind)]
    tests += [test for line in elab.timed.lines for test in same_in_line(elab.model, body, line, kind)]
    return tests + same_counters(elab, kind)


def overlaps(m: Model, t: Type, kind: KindSym) -> bool:
    """Whether values of a type may be things of a kind, or hold some."""
    if isinstance(t, (SetType, ListType)):
        return overlaps(m, t.elem, kind)
    return isinstance(t, MemberType) and t.domain in m.kinds and t.low <= kind.high and kind.low <= t.high


def same_in(m: Model, body: Body, e: ir.LayoutEntry, kind: KindSym) -> Iterator[ir.Expr]:
    """The tests that a part of the state is the same for both: what belongs to them, and what it says of them."""
    dims, t = e.dims, e.type
    if isinstance(t, MapType):
        dims, t = (*dims, *t.keys), t.value
    for n, dim in enumerate(dims):
        if overlaps(m, dim, kind):
            others = [None if k == n else body.temp() for k in range(len(dims))]
            cells = [cell(e, dims, t, [at if k is None else ir.Temp(k) for k in others]) for at in (X, Y)]
            same = for_every(dims, others, ir.Compare("==", *cells))
            low, high = bounds(dim)
            if kind.low < low or high < kind.high:  # of one kind of a union; both things are of the same
                here = conj([ir.Compare(">=", X, ir.Const(low)), ir.Compare("<=", X, ir.Const(high))])
                same = ir.Or((ir.Not(here), same))
            yield same
    if overlaps(m, t, kind) and e.sort != "zone":
        slots: list[int | None] = [body.temp() for _ in dims]
        held = cell(e, dims, t, [ir.Temp(k) for k in slots if k is not None])
        yield for_every(dims, slots, says_the_same(held, t))


def cell(e: ir.LayoutEntry, dims: tuple[Type, ...], t: Type, at: list[ir.Expr]) -> ir.Cell:
    """An item of a part of the state."""
    return ir.Cell(linear(e.base, [(key_offset(dims, at), width(t))]), t, e.symbol)


def for_every(dims: tuple[Type, ...], slots: list[int | None], test: ir.Expr) -> ir.Expr:
    """A test for all keys that have a slot."""
    binders = tuple(
        (slot, ir.Domain("range", *map(ir.Const, bounds(dim))))
        for slot, dim in zip(slots, dims, strict=True)
        if slot is not None
    )
    return ir.Fold("every", binders, None, (), test) if binders else test


def says_the_same(held: ir.Expr, t: Type) -> ir.Expr:
    """Whether a value that may be a thing, or hold some, says the same of both."""
    if isinstance(t, SetType):
        return ir.Compare("==", ir.InSet(X, held), ir.InSet(Y, held))
    if isinstance(t, ListType):
        return conj([ir.Not(ir.InList(X, held)), ir.Not(ir.InList(Y, held))])
    return conj([ir.Compare("!=", held, X), ir.Compare("!=", held, Y)])


def same_in_line(m: Model, body: Body, line: RuleLine, kind: KindSym) -> Iterator[ir.Expr]:
    """The tests that no record of a line under `until end of` speaks of one of them alone: none has copied it, and the
    line is not about the card on which it stands."""
    slot = body.temps
    body.temps += len(line.captured)
    for n, (_, t) in enumerate(line.captured):
        if overlaps(m, t, kind):
            apart = ir.Not(says_the_same(ir.Temp(slot + n), t))
            yield ir.Not(ir.TimedFold(line.timed, "or", slot, None, apart, None, captured_types(line)))
    if kind.low <= line.this <= kind.high and any(isinstance(n, sx.Name) and n.id == "this" for n in walk(line.decl)):
        own = ir.Const(line.this)
        mine = ir.Or((ir.Compare("==", X, own), ir.Compare("==", Y, own)))
        yield ir.Not(conj([mine, ir.TimedActive(line.timed)]))


def same_counters(elab: Elaboration, kind: KindSym) -> list[ir.Expr]:
    """The tests that the counters of `once per` stand at the same: those of one line on all copies of a card."""
    m, tests = elab.model, list[ir.Expr]()
    for at in counters_of_copies(elab).values():
        own = {thing: address for thing, address in at.items() if kind.low <= thing <= kind.high}
        if len(own) > 1:
            column = tuple(own.get(thing, min(own.values())) for thing in range(kind.low, kind.high + 1))
            table = table_number(m, column)
            cells = (ir.Cell(ir.TableGet(table, linear(-kind.low, [(e, 1)])), INT) for e in (X, Y))
            tests.append(ir.Compare("==", *cells))
    return tests


def table_number(m: Model, rows: tuple[int, ...]) -> int:
    """The number of the table with these rows, which is added unless it is there."""
    if rows not in m.tables_data:
        m.tables_data.append(rows)
    return m.tables_data.index(rows)


def counters_of_copies(elab: Elaboration) -> dict[object, dict[int, int]]:
    """By line, action or source: the counter of `once per` that each thing has on which it stands."""
    m, found = elab.model, dict[object, dict[int, int]]()

    def note(key: object, this: int, name: str) -> None:
        if this and name in elab.layout.counters:
            found.setdefault(key, {})[this] = elab.layout.counters[name]

    for t in m.triggers:
        note(("line", t.decl.span), t.this, f"trigger.{t.number}.{t.this}")
    for r in m.routines.values():
        note(("action", r.original or r.name), r.this, f"action.{r.name}")
    for p in m.purses.values():
        for rule in p.extra:
            limit = clause(rule.decl, "once per")
            frame = limit.args[0].id if limit and isinstance(limit.args[0], sx.Name) else ""
            note(("source", p.name, frame), rule.this, f"source.{p.name}.{rule.this} per {frame}")
    return found
