"""Zones as values: their addresses and what is read of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import (
    ERROR,
    INT,
    PLACE,
    IntType,
    MapType,
    MemberType,
    PlaceType,
    Type,
    bounds,
    key_count,
    width,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ZERO, key_offset, linear
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import need, within
from dsl.symbols.layout import pool_keys, pool_type, thing_type
from dsl.symbols.symbols import Model, PieceSym, ZoneSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


def zone_instance(z: ZoneRef) -> ir.Expr:
    """The number of the zone instance, as an expression."""
    return number_in_row(z, z.zone.first, 1)


def zone_address(z: ZoneRef, t: Type) -> ir.Expr:
    """The address of a zone instance whose content has type `t`."""
    return number_in_row(z, z.zone.base, width(t))


def number_in_row(z: ZoneRef, first: int, step: int) -> ir.Expr:
    """The number that belongs to a zone, of numbers in steps from `first` on: by holder, then by member."""
    terms: list[tuple[ir.Expr, int]] = []
    if z.holder is not None:
        assert z.zone.owner
        terms.append((z.holder, z.zone.per_holder * step))
        first -= z.zone.owner.low * z.zone.per_holder * step
    if z.member is not None:
        terms.append((z.member, step))
    return linear(first, terms)


def choose_member(elab: Elaboration, z: ZoneRef, node: sx.Expr, scope: Scope) -> ZoneRef | Val:
    """The zone for the member that stands in brackets behind zones by member."""
    key = z.zone.key
    assert key
    v = within(elab.model, elab.expr(node, scope, key), key, node.span)
    if v.t == ERROR:
        return BAD
    return replace(z, member=linear(-bounds(key)[0], [(v.e, 1)]))


def read_zone(elab: Elaboration, z: ZoneRef) -> Val:
    """The content of a zone: a member or none for a slot, a set or list of things, a count of pieces."""
    zone = z.zone
    zone.used = True
    if zone.piece is None:
        t = thing_type(zone)
        return Val(ir.Cell(zone_address(z, t), t, zone.symbol), t)
    t = pool_type(zone)
    base = zone_address(z, t)
    piece = zone.piece
    if zone.cap == 1:
        return read_slot(z, base)
    faces = len(piece.faces)
    cells = key_count(piece.index)
    rest = key_count(piece.index[len(z.index) :])
    chosen = [*z.index, *(ir.Const(bounds(k)[0]) for k in piece.index[len(z.index) :])]
    offset = key_offset(piece.index, chosen) if piece.index else ZERO
    count = IntType(0, 999_999 if piece.each is None else piece.each * (rest if z.index else 1))
    if not z.index and piece.index and (faces == 1 or z.face is not None):
        whole = MapType(piece.index, count)
        return Val(ir.Cell(linear((z.face or 0) * cells, [(base, 1)]), whole, zone.symbol), whole)
    if not z.index and piece.index:
        whole = MapType(piece.index, count)
        return Val(summed_map(elab, z, base, cells), whole)
    if z.face is not None or faces == 1:
        at = linear((z.face or 0) * cells, [(base, 1), (offset, 1)])
        if rest == 1:
            return Val(ir.Cell(at, INT, zone.symbol), count)
        return Val(ir.CellSum(at, rest, 1, zone.symbol), count)
    at = linear(0, [(base, 1), (offset, 1)])
    if rest == 1:
        return Val(ir.CellSum(at, faces, cells, zone.symbol), count)
    total: ir.Expr = ir.CellSum(at, rest, 1, zone.symbol)
    for f in range(1, faces):
        total = ir.Arith("+", total, ir.CellSum(linear(f * cells, [(at, 1)]), rest, 1, zone.symbol))
    return Val(total, count)


def summed_map(elab: Elaboration, z: ZoneRef, base: ir.Expr, cells: int) -> ir.Expr:
    """Counts by index with all faces added."""
    piece = z.zone.piece
    assert piece
    body: ir.Expr = ir.CellSum(linear(0, [(base, 1), (ir.Temp(0), 1)]), len(piece.faces), cells, z.zone.symbol)
    if is_computed(base):
        elab.model.error(
            "RW0261",
            z.span,
            f"say which `{piece.name}` you mean",
            f"write `...[{piece.index[0]}]`, or `total(...)`",
        )
        return ir.Const((0,) * cells)
    holder = ir.Function(
        f"{z.zone.symbol}.counts",
        (),
        1,
        MapType(piece.index, INT),
        ir.Fold(
            "table",
            ((0, ir.Domain("range", ZERO, ir.Const(cells - 1))),),
            None,
            (),
            body,
            0,
            False,
            ((0, cells - 1),),
        ),
    )
    elab.out.functions.append(holder)
    return ir.CallFn(len(elab.out.functions) - 1, ())


def is_computed(e: ir.Expr) -> bool:
    """Whether an address is known only in play."""
    return not isinstance(e, ir.Const)


def read_slot(z: ZoneRef, base: ir.Expr) -> Val:
    """The index of the single piece, or none; whether one is there where the piece has no index, or several, or where
    one is named. Without a face all faces count."""
    piece = z.zone.piece
    assert piece
    cells, truth = key_count(piece.index), IntType(0, 1)
    cell = ir.Cell(base, IntType(0, key_count(pool_keys(piece))), z.zone.symbol)
    faces = range(len(piece.faces)) if z.face is None else (z.face,)
    if z.index:
        offset = key_offset(piece.index, list(z.index))
        tests = tuple(ir.Compare("==", cell, linear(1 + f * cells, [(offset, 1)])) for f in faces)
        return Val(tests[0] if len(tests) == 1 else ir.Or(tests), truth)
    if len(piece.index) != 1:
        if z.face is None:
            return Val(ir.Compare("!=", cell, ZERO), truth)
        above = ir.Compare(">", cell, ir.Const(z.face * cells))
        return Val(ir.And((above, ir.Compare("<=", cell, ir.Const((z.face + 1) * cells)))), truth)
    t = piece.index[0]
    member = MemberType(t.domain, t.low, t.high, True)
    if t.low == 1 and len(piece.faces) == 1:
        return Val(ir.Cell(base, member, z.zone.symbol), member)
    index: ir.Expr = ZERO
    for f in faces:
        here = linear(t.low - 1 - f * cells, [(cell, 1)])
        index = ir.If(ir.Compare(">", cell, ir.Const(f * cells)), here, index)
    if z.face is not None:
        index = ir.If(ir.Compare("<=", cell, ir.Const((z.face + 1) * cells)), index, ZERO)
    return Val(index, member)


def place_of(elab: Elaboration, val: Val, t: MemberType) -> ir.Expr:
    """The place of a thing now."""
    kinds = sorted(elab.model.kind_parts(elab.model.kinds[t.domain]), key=lambda k: k.high, reverse=True)
    e: ir.Expr = ZERO
    for n, k in enumerate(kinds):
        base = elab.layout.place.get(k.name, 0)
        cell = ir.Cell(linear(base - k.low, [(val.e, 1)]), INT, f"{k.name}.place") if base else ZERO
        e = cell if not n else ir.If(ir.Compare("<=", val.e, ir.Const(k.high)), cell, e)
    return e


def zone_of(elab: Elaboration, node: sx.Expr, scope: Scope) -> Val:
    """`zone_of(c)`: the place of a thing, none where it lies in no zone."""
    m = elab.model
    v = elab.expr(node, scope)
    if v.t == ERROR:
        return BAD
    if not isinstance(v.t, MemberType) or v.t.domain not in m.kinds:
        text = m.text(node.span)
        m.error(
            "RW0425", node.span, f"`{text}` is `{v.t}`; `zone_of` takes a thing", "write `zone_of(c)` for a card `c`"
        )
        return BAD
    if not zones_holding(m, v.t):
        m.error("RW0425", node.span, f"no zone holds a `{v.t.domain}`", f"declare one, as in `zone deck: {v.t.domain}`")
        return BAD
    t = MemberType(v.t.domain, v.t.low, v.t.high)
    return Val(zone_of_thing(elab, t, need(m, v, t, node.span).e), PLACE)


def zones_holding(m: Model, t: MemberType) -> list[ZoneSym]:
    """The zones that may hold things of a type."""
    return [z for z in m.all_zones() if z.kind and z.kind.type.low <= t.high and t.low <= z.kind.type.high]


def zone_of_thing(elab: Elaboration, t: MemberType, thing: ir.Expr) -> ir.Expr:
    """The number of the zone instance that holds a thing; the function that finds it is made on first use."""
    if t not in elab.memo.zone_functions:
        elab.out.functions.append(function_of_zone(elab, t, zones_holding(elab.model, t)))
        elab.memo.zone_functions[t] = len(elab.out.functions) - 1
    return ir.CallFn(elab.memo.zone_functions[t], (thing,))


def function_of_zone(elab: Elaboration, t: MemberType, holding: Sequence[ZoneSym]) -> ir.Function:
    """From a thing, temp 0, to the number of the zone instance that holds it. Zones that not all see are searched, so
    that the answer is as hidden as they are; where all see all of them, it stands with the thing."""
    found: ir.Expr = ZERO
    for zone in reversed(holding):
        zone.used = True
        binders: list[tuple[int, ir.Domain]] = []
        if zone.owner:
            binders.append((1, ir.Domain("range", ir.Const(zone.owner.low), ir.Const(zone.owner.high))))
        if zone.key:
            binders.append((2, ir.Domain("range", ZERO, ir.Const(zone.per_holder - 1))))
        ref = ZoneRef(zone, ir.Temp(1) if zone.owner else None, member=ir.Temp(2) if zone.key else None)
        held = ir.Cell(zone_address(ref, thing_type(zone)), thing_type(zone), zone.symbol)
        here: ir.Expr = ir.Compare("==", ir.Temp(0), held)
        if zone.ordered and zone.cap != 1:
            here = ir.InList(ir.Temp(0), held)
        elif zone.cap != 1:
            here = ir.InSet(ir.Temp(0), held)
        number = zone_instance(ref)
        one = ir.Fold("sum", tuple(binders), here, (), number) if binders else ir.If(here, number, ZERO)
        found = one if found == ZERO else ir.Arith("+", one, found)
    if all(zone.audience == "all" for zone in holding):
        found = ir.ByPlace(place_of(elab, Val(ir.Temp(0), t), t), found)
    return ir.Function(f"zone_of.{t.domain}", (("thing", t),), 3, PLACE, found)


def place_in_clause(elab: Elaboration, s: sx.Sentence, word: str, scope: Scope) -> ZoneRef | Val | None:
    """The zone (or place) after `from` or `to`; None without the clause."""
    c = clause(s, word)
    if c is None:
        return None
    node = c.args[0]
    assert not isinstance(node, sx.Key)
    ref = elab.ref(node, scope)
    if isinstance(ref, ZoneRef) or isinstance(ref.t, PlaceType) or ref.t == ERROR:
        return ref
    elab.model.error(
        "RW0502", node.span, f"`{elab.model.text(node.span)}` is `{ref.t}`, not a zone", f"`{word}` names a zone"
    )
    return BAD


def home(piece: PieceSym, index: Sequence[ir.Expr], span: Span) -> ZoneRef | None:
    """The supply of a sort of pieces, given by its index; None for pieces without one, and where the index does not say
    whose it is."""
    if piece.home is None or piece.home_index >= len(index):
        return None
    piece.home.used = True
    return ZoneRef(piece.home, index[piece.home_index] if piece.home.owner else None, span=span)


def zone_symbols(*refs: ZoneRef | Val | None) -> set[str]:
    """The symbols of those that are zones."""
    return {r.zone.symbol for r in refs if isinstance(r, ZoneRef)}


def holder(elab: Elaboration, ref: Val | ZoneRef, span: Span, want: Type | None) -> Val:
    """The thing that a zone belongs to; of a place that may belong to several kinds, the one of the wanted kind."""
    if isinstance(ref, ZoneRef):
        if ref.holder is None or ref.zone.owner is None:
            elab.model.error("RW0423", span, f"the zone `{elab.model.text(span)}` has no holder")
            return BAD
        return Val(ref.holder, ref.zone.owner.type)
    if ref.t == ERROR:
        return BAD
    if not isinstance(ref.t, PlaceType):
        elab.model.error("RW0423", span, f"`{elab.model.text(span)}` is `{ref.t}`; `holder` takes a zone or a place")
        return BAD
    table = tuple(z.holder for z in elab.layout.zones)
    kinds = {z.owner.name for k in elab.model.kinds.values() for z in k.zones.values() if z.owner}
    if len(kinds) != 1 and not (isinstance(want, MemberType) and want.domain in elab.model.kinds):
        elab.model.error(
            "RW0424",
            span,
            "the holder of this place may be one of several kinds",
            "compare it with a thing: `holder(a) is x`, `holder(a) in seats`",
        )
        return BAD
    elab.model.tables_data.append(table)
    found = ir.TableGet(len(elab.model.tables_data) - 1, ref.e)
    if len(kinds) != 1:
        assert isinstance(want, MemberType)
        kind = elab.model.kinds[want.domain]
        fits = {k for part in elab.model.kind_parts(kind) for k in range(part.low, part.high + 1)}
        elab.model.tables_data[-1] = tuple(h if h in fits else 0 for h in table)
        return Val(found, MemberType(want.domain, kind.low, kind.high, True))
    t = elab.model.kinds[kinds.pop()].type
    return Val(found, MemberType(t.domain, t.low, t.high, True))
