"""Indexing and calls: items of zones, lists, maps and tables; values and built-in functions."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    PLACE,
    IntType,
    ListType,
    MapType,
    MemberType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    key_count,
    width,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ZERO, key_offset, linear
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import is_int, need, within
from dsl.elaborate.expressions import actors, lattices, names, paying, zones
from dsl.elaborate.histories import recorded
from dsl.symbols.layout import pool_type
from dsl.symbols.symbols import PieceSym
from dsl.syntax import nodes as sx
from dsl.syntax.form import old_spelling
from dsl.syntax.vocabulary import RETIRED

BUILTINS = {
    "size": 1,
    "total": 1,
    "max": 2,
    "min": 2,
    "div_up": 2,
    "div_down": 2,
    "half_up": 1,
    "half_down": 1,
    "place_in": 2,
    "front": 1,
    "last": 1,
    "insert": 3,
    "holder": 1,
    "zone_of": 1,
    "recorded": 1,
    "running": 1,
    "worth_of": 1,
    "openly": 1,
    "next": 1,
    "previous": 1,
    "seats from": 1,
    "shifted": 3,
}
EXTREMES = ("max", "min")  # they take two numbers or more
WITH_NUMBER = ("front", "last", "shifted")  # they may take one number more


# ------------------------------------------------------------ index and call


def index(elab: Elaboration, node: sx.Index, scope: Scope, want: Type | None) -> Val | ZoneRef:
    """`x[a, b]`: an item of a zone, list, map or table."""
    m = elab.model
    if isinstance(node.base, sx.Name) and node.base.id in m.tables and scope.find(node.base.id) is None:
        table = m.tables[node.base.id]
        args = [within(m, elab.expr(a, scope, t), t, a.span) for a, t in zip(node.args, table.keys, strict=False)]
        args += [BAD] * (len(node.args) - len(args))
        return names.table_val(elab, table, args, node.span)
    base = elab.before_brackets(node.base, scope)
    keyed = node.args
    if isinstance(base, ZoneRef) and base.zone.key and base.member is None:
        base, keyed = zones.choose_member(elab, base, keyed[0], scope), keyed[1:]
        if not keyed:
            return base
    if isinstance(base, ZoneRef):
        if base.zone.piece is not None:
            return piece_index(elab, base, keyed, scope, node.span)
        base = zones.read_zone(elab, base)
    if base.t == ERROR:
        return BAD
    if isinstance(base.t, ListType):
        i = elab.number(keyed[0], scope)
        return Val(ir.ListItem(base.e, i.e), base.t.elem)
    if isinstance(base.t, (MapType, SparseType)):
        keys = base.t.keys
        if len(keys) != len(keyed):
            m.error("RW0250", node.span, f"`{m.text(node.base.span)}` takes {len(keys)} keys, but got {len(keyed)}")
            return BAD
        at = [within(m, elab.expr(a, scope, k), k, a.span) for a, k in zip(keyed, keys, strict=True)]
        if any(v.t == ERROR for v in at):
            return BAD
        offset = key_offset(keys, [v.e for v in at])
        if isinstance(base.t, SparseType):
            return Val(ir.MapItem(base.e, offset, True), IntType(0, 999_999))
        if isinstance(base.e, ir.FrameVar):
            w = width(base.t.value)
            return Val(ir.FrameItem(base.e.slot, linear(0, [(offset, w)]), base.t.value), base.t.value)
        if isinstance(base.e, ir.Cell):
            w = width(base.t.value)
            return Val(
                ir.Cell(linear(0, [(base.e.address, 1), (offset, w)]), base.t.value, base.e.symbol), base.t.value
            )
        return Val(ir.MapItem(base.e, offset), base.t.value)
    m.error(
        "RW0416",
        node.span,
        f"`{m.text(node.base.span)}` is `{base.t}`; it has no items in brackets",
        "only counted zones, lists, maps and tables have them",
    )
    return BAD


def report_extra_index(elab: Elaboration, piece: PieceSym, at: sx.Expr) -> None:
    """Report an index beyond those of the piece, or a misspelt face."""
    faces = [f for f in piece.faces if f]
    near = nearest(at.id, faces) if isinstance(at, sx.Name) else None
    also = f" and the faces {', '.join(faces)}" if faces else ""
    elab.model.error(
        "RW0417", at.span, f"`{piece.name}` has {len(piece.index)} indices{also}, but got `{elab.model.text(at.span)}`",
        f"did you mean `{near}`?" if near else None,
    )  # fmt: skip


def piece_index(elab: Elaboration, z: ZoneRef, args: tuple[sx.Expr, ...], scope: Scope, span: Span) -> Val | ZoneRef:
    """`zone[a, token, fresh]`: indices in order, then perhaps a face."""
    piece = z.zone.piece
    assert piece
    index = list(z.index)
    face = z.face
    for a in args:
        if isinstance(a, sx.Name) and a.id in piece.faces and a.id and scope.find(a.id) is None:
            face = piece.faces.index(a.id)
            continue
        if len(index) >= len(piece.index):
            report_extra_index(elab, piece, a)
            return BAD
        t = piece.index[len(index)]
        v = within(elab.model, elab.expr(a, scope, t), t, a.span)
        if v.t == ERROR:
            return BAD
        index.append(v.e)
    return z.of(tuple(index), face, span)


def zone_size(elab: Elaboration, z: ZoneRef) -> ir.Expr:
    """How many things or pieces a zone holds."""
    if z.zone.piece is not None:
        if z.zone.cap == 1:
            v = zones.read_slot(z, zones.zone_address(z, IntType()))
            return ir.Compare("!=", v.e, ZERO)
        if not z.index and z.zone.piece.index:
            t = pool_type(z.zone)
            cells = key_count(z.zone.piece.index)
            count = cells if z.face is not None else cells * len(z.zone.piece.faces)
            return ir.CellSum(linear((z.face or 0) * cells, [(zones.zone_address(z, t), 1)]), count, 1, z.zone.symbol)
        return zones.read_zone(elab, z).e
    v = zones.read_zone(elab, z)
    if isinstance(v.t, MemberType):
        return ir.Compare("!=", v.e, ZERO)
    return ir.Size("list" if isinstance(v.t, ListType) else "set", v.e)


def call(elab: Elaboration, node: sx.Call, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
    """`f(a, b)`: a declared value, a built-in function, or an attribute of a thing written as a call."""
    m = elab.model
    if not isinstance(node.func, sx.Name):
        m.error("RW0418", node.span, f"`{m.text(node.func.span)}` cannot be called", "values are called by their name")
        return BAD
    id = node.func.id
    if id in BUILTINS and id not in m.values:
        return builtin(elab, id, node, scope, want)
    if id in m.values:
        value = m.values[id]
        m.uses.append((node.func.span, value.span))
        if len(node.args) != len(value.params):
            m.error(
                "RW0250",
                node.span,
                f"`{id}` takes {len(value.params)} argument{'s' * (len(value.params) != 1)}, but got {len(node.args)}",
                f"its parameters: {', '.join(f'{n}: {t}' for n, t in value.params) or 'none'}",
            )
            return BAD
        args = []
        for a, (_, t) in zip(node.args, value.params, strict=True):
            args.append(argument(elab, a.value, t, scope))
        return names.narrow(elab, node, names.call_value(elab, id, args, node.span), scope)
    if id in m.kinds and m.kinds[id].lattice is not None:
        return lattices.cell(elab, node, m.kinds[id], scope)
    if id in m.routines:
        names.report_routine(m, id, node.span)
        return BAD
    if id in m.broken:
        return BAD
    if len(node.args) == 1:
        base = elab.expr(node.args[0].value, scope)
        if isinstance(base.t, MemberType) and base.t.domain in m.kinds and not base.t.optional:
            found = names.find_attribute(elab, base, id, node.span)
            if found is not None:
                return found
        elif base.t == ERROR:
            return BAD
    if id in RETIRED:
        m.diagnostics.append(old_spelling(node.func.span, id, RETIRED[id]))
        return BAD
    m.unknown(
        "RW0206",
        node.func.span,
        "value",
        id,
        [*m.values, *BUILTINS, *(f for k in m.kinds.values() for f in k.fields)],
    )
    m.broken.add(id)
    return BAD


def argument(elab: Elaboration, node: sx.Expr, t: Type, scope: Scope) -> Val:
    """An argument of type `t`; where a place is wanted, a zone gives its place."""
    if isinstance(t, PlaceType):
        ref = elab.ref(node, scope)
        return Val(zones.zone_instance(ref), PLACE) if isinstance(ref, ZoneRef) else need(elab.model, ref, t, node.span)
    return within(elab.model, elab.expr(node, scope, t), t, node.span)


def builtin(elab: Elaboration, id: str, node: sx.Call, scope: Scope, want: Type | None) -> Val:
    """A call of a built-in function."""
    m = elab.model
    args = [a.value for a in node.args]
    if id in EXTREMES:
        return extreme(elab, id, args, node.span, scope)
    if len(args) != BUILTINS[id] and not (id in WITH_NUMBER and len(args) == BUILTINS[id] + 1):
        m.error(
            "RW0250",
            node.span,
            f"`{id}` takes {BUILTINS[id]} argument{'s' * (BUILTINS[id] != 1)}, but got {len(args)}",
        )
        return BAD
    if id == "running":
        name = args[0].id if isinstance(args[0], sx.Name) else ""
        if name not in m.routines:
            m.unknown("RW0207", args[0].span, "routine", name or m.text(args[0].span), list(m.routines))
            return BAD
        return Val(ir.Running(m.routines[name].procs), BOOL)
    if id in ("size", "total"):
        ref = elab.ref(args[0], scope)
        if isinstance(ref, ZoneRef):
            return Val(zone_size(elab, ref), IntType(0, 999_999))
        if ref.t == ERROR:
            return BAD
        if isinstance(ref.t, SetType):
            least = elab.seats[0] if args[0] == sx.Name("seats") and id == "size" else 0
            return Val(ir.Size("set", ref.e), IntType(least, member_count(elab, ref.t.elem)))
        if isinstance(ref.t, ListType):
            return Val(ir.Size("list", ref.e), IntType(0, ref.t.cap))
        if isinstance(ref.t, SparseType) or isinstance(ref.t, MapType) and is_int(ref.t.value):
            return Val(ir.Size("total", ref.e), IntType(0, 999_999))
        m.error("RW0420", args[0].span, f"`{m.text(args[0].span)}` is `{ref.t}`; `{id}` counts a set, a list or a zone")
        return BAD
    if id == "openly":
        return openly(elab, args[0], scope, want)
    if id in actors.ROUND_WORDS:
        return actors.around(elab, id, args[0], scope)
    if id == "shifted":
        return lattices.shifted(elab, node, args, scope)
    if id == "worth_of":
        return worth_of(elab, args[0], scope)
    if id == "zone_of":
        return zones.zone_of(elab, args[0], scope)
    if id == "recorded":
        return recorded.recorded(elab, args[0])
    if id == "holder":
        ref = elab.ref(args[0], scope)
        return zones.holder(elab, ref, args[0].span, want)
    if id in ("front", "last", "place_in"):
        return of_list(elab, id, args, scope)
    if id == "insert":
        v = elab.expr(args[0], scope)
        if not isinstance(v.t, ListType):
            return BAD if v.t == ERROR else need(m, v, ListType(INT, 1), args[0].span)
        item = need(m, elab.expr(args[1], scope, v.t.elem), v.t.elem, args[1].span)
        at = elab.number(args[2], scope)
        return Val(ir.ListOp("insert", (v.e, item.e, at.e)), ListType(v.t.elem, v.t.cap + 1))
    nums = [elab.number(a, scope) for a in args]
    if any(n.t == ERROR for n in nums):
        return BAD
    a = nums[0]
    assert isinstance(a.t, IntType)
    if id in ("half_up", "half_down"):
        return Val(ir.Arith(id, a.e, ZERO), IntType(a.t.low // 2, (a.t.high + 1) // 2))
    b = nums[1]
    assert isinstance(b.t, IntType)
    if isinstance(b.e, ir.Const) and b.e.value == 0:
        m.error("RW0422", args[1].span, "division by zero")
        return BAD
    return Val(ir.Arith(id, a.e, b.e), IntType(min(a.t.low, 0), max(a.t.high, 0)))


def extreme(elab: Elaboration, id: str, args: list[sx.Expr], span: Span, scope: Scope) -> Val:
    """`max(a, b, c)`, the greatest of some numbers, and `min(a, b, c)`, the least."""
    if len(args) < 2:
        help = f"of a set: `{id}(x in S: EXPRESSION)`"
        elab.model.error("RW0250", span, f"`{id}` takes two numbers or more, but got {len(args)}", help)
        return BAD
    pick = max if id == "max" else min
    found: Val | None = None
    for number in [elab.number(a, scope) for a in args]:
        if not isinstance(number.t, IntType) or found is BAD:
            found = BAD
        elif found is None:
            found = number
        else:
            assert isinstance(found.t, IntType)
            t = IntType(pick(found.t.low, number.t.low), pick(found.t.high, number.t.high))
            found = Val(ir.Arith(id, found.e, number.e), t)
    assert found is not None
    return found


def of_list(elab: Elaboration, id: str, args: list[sx.Expr], scope: Scope) -> Val:
    """`front(L)` and `last(L)`, the first or last item or none; `front(L, n)` and `last(L, n)`, lists of the first or
    last n as far as there are any; `place_in(x, L)`, the number of an item from 1 on, or 0."""
    m = elab.model
    node = args[-1] if id == "place_in" else args[0]
    v = elab.expr(node, scope)
    if not isinstance(v.t, ListType):
        if v.t != ERROR:
            m.error("RW0421", node.span, f"`{m.text(node.span)}` is `{v.t}`; `{id}` takes an ordered zone or a list")
        return BAD
    if id == "place_in":
        item = need(m, elab.expr(args[0], scope, v.t.elem), v.t.elem, args[0].span)
        return BAD if item.t == ERROR else Val(ir.ListOp("place", (item.e, v.e)), IntType(0, v.t.cap))
    if len(args) == 2:
        n = elab.number(args[1], scope)
        if not isinstance(n.t, IntType):
            return BAD
        return Val(ir.ListOp(f"{id}_some", (v.e, n.e)), ListType(v.t.elem, max(1, min(v.t.cap, n.t.high))))
    t = v.t.elem
    if isinstance(t, MemberType):
        t = MemberType(t.domain, t.low, t.high, True)
    return Val(ir.ListOp(id, (v.e,)), t)


def worth_of(elab: Elaboration, node: sx.Expr, scope: Scope) -> Val:
    """`worth_of(food(p))`: what all sources of a purse hold together."""
    m = elab.model
    name = node.func.id if isinstance(node, sx.Call) and isinstance(node.func, sx.Name) else ""
    purse = m.purses.get(name)
    if purse is None or not isinstance(node, sx.Call):
        m.unknown("RW0241", node.span, "purse", name or m.text(node.span), list(m.purses))
        return BAD
    if len(node.args) != len(purse.params):
        m.error("RW0250", node.span, f"`{name}` takes {len(purse.params)} arguments, but got {len(node.args)}")
        return BAD
    given = zip(node.args, purse.params, strict=True)
    args = tuple(need(m, elab.expr(a.value, scope, t), t, a.span).e for a, (_, t) in given)
    args += (ZERO,) if paying.depends_on_cause(elab, purse) else ()
    elab.note_value_read(f"worth_of({name})", node.span)
    return Val(ir.CallFn(elab.out.worth_base + purse.number, args), IntType(0, 999_999))


def member_count(elab: Elaboration, t: Type) -> int:
    """At most how many members a type has."""
    if isinstance(t, MemberType):
        return len(elab.model.domains[t.domain].values)
    if isinstance(t, IntType):
        return max(0, min(t.high - t.low + 1, 1000))
    return 2


# ------------------------------------------------------------ openly


def openly(elab: Elaboration, node: sx.Expr, scope: Scope, want: Type | None) -> Val:
    """`openly(V)`: V, which everybody may learn; it has the value of V, and tells nothing that is hidden."""
    found = elab.expr(node, scope, want)
    return Val(opened(elab, found.e), found.t)


def opened(elab: Elaboration, e: ir.Expr) -> ir.Expr:
    """A copy of an expression that is marked as open, with its parts where it may be taken apart: another reading of
    the same variable is not open for that."""
    match e:
        case ir.And(items):
            e = ir.And(tuple(opened(elab, item) for item in items))
        case ir.Not(operand):
            e = ir.Not(opened(elab, operand))
        case _:
            e = replace(e)
    elab.findings.opened[id(e)] = e
    return e


def inside(node: sx.Expr) -> sx.Expr:
    """What stands in `openly(...)`, or the node itself."""
    match node:
        case sx.Call(sx.Name("openly"), (argument,)):
            return argument.value
    return node
