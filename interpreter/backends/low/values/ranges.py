"""The kind of each expression: how its value lies, and the bounds of its numbers, without writing anything."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT_HIGH
from dsl.program import SEATS
from interpreter.backends.low.base.context import Held, KindMaker, Later, Lowering
from interpreter.backends.low.base.kinds import (
    ANY,
    FARTHEST,
    NO_MEMBERS,
    TRUTH,
    WORD,
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Pairs,
    Unsupported,
    as_members,
    bits_of_all,
    constants,
    join,
    kind_of,
    number,
)

OPERANDS = {"*": WORD, "+": FARTHEST // 2, "-": FARTHEST // 2}
"""The distance from 0 that the sides of an operator may be, so that the result has its place; farther ones are given
up."""

SUMMED = 1 << 35  # the same for what is summed up

MOST_MEMBER = 64 * 40 - 1  # of a set whose members are bounded

MOST_ITEMS = 4096  # of a list whose length is not bounded by what it is made of


def number_kind(lo: Lowering, e: ir.Expr) -> Number:
    """The kind of an expression that is a number."""
    if isinstance(e, ir.Const) and isinstance(e.value, int):
        return number(e.value, e.value)  # a constant that needs more than a word is a set elsewhere
    kind = lo.kind(e)
    if not isinstance(kind, Number):
        raise Unsupported(f"{type(e).__name__} where a number is needed")
    return kind


def set_kind(lo: Lowering, e: ir.Expr) -> MembersKind:
    """The kind of an expression that is a set."""
    if isinstance(e, ir.TableGet):
        key = "sets", e.table
        if key not in lo.kinds:
            items = lo.program.tables[e.table]
            lo.kinds[key] = bits_of_all([v for v in items if isinstance(v, int)])
        return as_members(lo.kinds[key])
    return as_members(lo.kind(e))


def item_kind(kind: Kind) -> Kind:
    """The kind of the items of a list or map."""
    match kind:
        case ItemsKind(item, _) | Dense(item, _):
            return item
        case Pairs():
            return ANY
    raise Unsupported("items of what is no list or map")


def with_nothing(kind: Kind) -> Kind:
    """The kind of a number that may also be 0."""
    return join(kind, Number(0, 0)) if isinstance(kind, Number) else kind


# ------------------------------------------------------------ members of domains


def domain_kind(lo: Lowering, d: ir.Domain) -> Kind:
    """The kind of the members of a domain."""
    if d.kind == "list":
        return item_kind(lo.kind(d.a))
    if d.kind == "set":
        kind = set_kind(lo, d.a)
        return Number(kind.low, max(kind.low, kind.high))
    assert d.b is not None
    low, high = number_kind(lo, d.a), number_kind(lo, d.b)
    return Number(low.low, max(low.low, high.high))


def most_members(lo: Lowering, d: ir.Domain) -> int:
    """The most members that a domain has."""
    if d.kind == "list":
        kind = lo.kind(d.a)
        return kind.most if isinstance(kind, ItemsKind) else MOST_ITEMS
    members = domain_kind(lo, d)
    assert isinstance(members, Number)
    return members.high - members.low + 1


def bound_kinds(lo: Lowering, binders: tuple[tuple[int, ir.Domain], ...]) -> tuple[dict[int, Held], int]:
    """The kinds of the temps of binders, and the most bindings that there are."""
    found: dict[int, Held] = {}
    most = 1
    for slot, d in binders:
        with lo.also(found):
            found[slot] = Held(domain_kind(lo, d), ())
            most = min(most * max(most_members(lo, d), 0), lo.program.limits.passes)
    return found, most


# ------------------------------------------------------------ kinds by class


def _temp(lo: Lowering, e: ir.Temp) -> Kind:
    found = lo.bound.get(e.slot)
    if found is None:
        raise Unsupported("a temp that is not set before it is read")
    return _later(lo, found) if isinstance(found, Later) else found.kind


def _force(lo: Lowering, e: ir.Force) -> Kind:
    found = lo.bound.get(e.slot)
    if found is None:
        raise Unsupported("a temp that is not set before it is read")
    return _later(lo, found) if isinstance(found, Later) else found.kind


def _later(lo: Lowering, found: Later) -> Kind:
    with lo.binding(found.bound):
        return lo.kind(found.value)


def _cell(lo: Lowering, e: ir.Cell) -> Kind:
    if e.address == ir.Const(SEATS):
        return Number(*lo.program.seats)
    return kind_of(e.type)


def _linear(lo: Lowering, e: ir.Linear) -> Kind:
    low = high = e.const
    for term, stride in e.terms:
        kind = clipped(number_kind(lo, term), WORD)
        ends = kind.low * stride, kind.high * stride
        low, high = low + min(ends), high + max(ends)
    return number(low, high)


def table_kind(lo: Lowering, table: int) -> Kind:
    """The kind of the items of a constant table."""
    key = "kind", table
    if key not in lo.kinds:
        lo.kinds[key] = constants(lo.program.tables[table])
    return lo.kinds[key]


def clipped(kind: Number, bound: int) -> Number:
    """A number that is tested to be no farther from 0 than this where it is worked out, unless it certainly is not."""
    return Number(max(min(kind.low, bound), -bound), min(max(kind.high, -bound), bound))


def _arith(lo: Lowering, e: ir.Arith) -> Kind:
    if e.op in ("|", "&", "&~"):
        a, b = set_kind(lo, e.left), set_kind(lo, e.right)
        if e.op == "|":
            return join(a, b)
        return a if e.op == "&~" else MembersKind(max(a.low, b.low), min(a.high, b.high))
    x, y = (clipped(number_kind(lo, part), OPERANDS.get(e.op, FARTHEST)) for part in (e.left, e.right))
    match e.op:
        case "+":
            return number(x.low + y.low, x.high + y.high)
        case "-":
            return number(x.low - y.high, x.high - y.low)
        case "*":
            ends = [a * b for a in (x.low, x.high) for b in (y.low, y.high)]
            return number(min(ends), max(ends))
        case "min":
            return Number(min(x.low, y.low), min(x.high, y.high))
        case "max":
            return Number(max(x.low, y.low), max(x.high, y.high))
        case "mod":
            return Number(min(y.low + 1, 0), max(y.high - 1, 0))
        case "half_up":
            return Number(x.low + 1 >> 1, x.high + 1 >> 1)
        case "half_down":
            return Number(x.low >> 1, x.high >> 1)
    most = max(abs(x.low), abs(x.high))
    return Number(0 if x.low >= 0 and y.low >= 0 else -most, most)


def _make_set(lo: Lowering, e: ir.MakeSet) -> Kind:
    found: Kind = NO_MEMBERS
    for item in e.items:
        kind = number_kind(lo, item)
        if kind.high > 0:
            found = join(found, MembersKind(max(kind.low, 1), within_members(lo, kind.high)))
    return found


def within_members(lo: Lowering, high: int) -> int:
    """A greatest member: where a number may be anything, more than there are members is given up in play."""
    return high if high <= MOST_MEMBER else max(lo.most, 255)


def _range_set(lo: Lowering, e: ir.RangeSet) -> Kind:
    low, high = number_kind(lo, e.low), number_kind(lo, e.high)
    return MembersKind(max(low.low, 0), within_members(lo, high.high)) if high.high >= 0 else NO_MEMBERS


def _size(lo: Lowering, e: ir.Size) -> Kind:
    kind = lo.kind(e.operand)
    if e.kind == "total":
        return number(-(1 << 45), 1 << 45)
    match kind:
        case ItemsKind(_, most) | Pairs(most):
            return Number(0, most)
    members = as_members(kind)
    return Number(0, max(members.high - members.low + 1, 0))


def _list_op(lo: Lowering, e: ir.ListOp) -> Kind:
    if e.op == "to_list":
        members = set_kind(lo, e.args[0])
        return ItemsKind(Number(members.low, max(members.low, members.high)), max(members.high - members.low + 1, 0))
    if e.op == "place":
        kind = lo.kind(e.args[1])
        return Number(0, kind.most if isinstance(kind, ItemsKind) else MOST_ITEMS)
    if e.op == "dense":
        size = e.args[1]
        if not isinstance(size, ir.Const):
            raise Unsupported("ListOp `dense` of a size that is not constant")
        return Dense(ANY, size.value)
    kind = lo.kind(e.args[0])
    if not isinstance(kind, ItemsKind):
        raise Unsupported(f"ListOp `{e.op}` of what is no list")
    match e.op:
        case "to_set":
            item = kind.item
            if not isinstance(item, Number):
                raise Unsupported("a set of what is no number")
            return MembersKind(max(item.low, 1), within_members(lo, item.high)) if item.high > 0 else NO_MEMBERS
        case "front" | "last":
            return with_nothing(kind.item)
        case "concat":
            return ItemsKind(*_joined_items(lo, kind, e.args[1]))
        case "insert":
            return ItemsKind(join(kind.item, lo.kind(e.args[1])), kind.most + 1)
    return kind


def _joined_items(lo: Lowering, kind: ItemsKind, other: ir.Expr) -> tuple[Kind, int]:
    joined = join(kind, lo.kind(other))
    right = lo.kind(other)
    assert isinstance(joined, ItemsKind) and isinstance(right, ItemsKind)
    return joined.item, kind.most + right.most


def _fold(lo: Lowering, e: ir.Fold) -> Kind:
    held, most = bound_kinds(lo, e.binders)
    with lo.also(held):
        member = held[e.binders[-1][0]].kind
        body = member if e.body is None else lo.kind(e.body)
    return fold_kind(lo, e, member, body, most)


def fold_kind(lo: Lowering, e: ir.Fold, member: Kind, body: Kind, most: int) -> Kind:
    """The kind of a fold whose members, bodies and number of bindings are of these kinds."""
    match e.kind:
        case "count":
            return number(0, most)
        case "any" | "every":
            return TRUTH
        case "max" | "min":
            return join(body, Number(e.empty, e.empty))
        case "first" | "only":
            return with_nothing(member)
        case "list":
            return ItemsKind(body, min(most, MOST_ITEMS))
        case "ranked":
            return ItemsKind(member, min(most, MOST_ITEMS))
    if e.kind == "table":
        count = 1
        for low, high in e.table_keys:
            count *= high - low + 1
        return Dense(join(body, constants((e.empty,))), count)
    if e.kind == "sum" and isinstance(body, Number):
        body = clipped(body, SUMMED)
        return number(min(body.low * most, 0), max(body.high * most, 0))
    kind = body if e.kind == "set" else member
    if e.kind in ("set", "tied", "tiers") and isinstance(kind, Number):
        found = MembersKind(max(kind.low, 0), within_members(lo, kind.high)) if kind.high >= 0 else NO_MEMBERS
        return ItemsKind(found, min(most, MOST_ITEMS)) if e.kind == "tiers" else found
    raise Unsupported(f"Fold `{e.kind}` of such values")


def _reach(lo: Lowering, e: ir.Reach) -> Kind:
    if e.gives == "distance":
        return number(min(e.empty, 0), max(e.empty, INT_HIGH))
    return set_kind(lo, e.to) if e.gives == "nearest" and e.to is not None else node_kind(lo, e)


def node_kind(lo: Lowering, e: ir.Reach) -> MembersKind:
    """The kind of the nodes that can be reached: what lies beside the start, then what may lie beside any of these."""
    every = Held(Number(0, lo.most), ())
    with lo.also({e.x: every, e.y: every}):
        return as_members(join(set_kind(lo, e.start), set_kind(lo, e.next)))


def _let(lo: Lowering, e: ir.Let) -> Kind:
    with lo.also({e.slot: Held(lo.kind(e.value), ())}):
        return lo.kind(e.body)


def _lazy_let(lo: Lowering, e: ir.LazyLet) -> Kind:
    with lo.also({e.slot: Later(e.value, lo.bound)}):
        return lo.kind(e.body)


def _map_with(lo: Lowering, e: ir.MapWith) -> Kind:
    kind = lo.kind(e.map)
    if not isinstance(kind, Dense):
        raise Unsupported("MapWith of what is no dense map in the store")
    return Dense(join(kind.item, lo.kind(e.value)), kind.count)


def _truth(lo: Lowering, e: ir.Expr) -> Kind:
    return TRUTH


KINDS: dict[type, KindMaker] = {
    **dict.fromkeys(
        (
            ir.Not,
            ir.And,
            ir.Or,
            ir.Compare,
            ir.InSet,
            ir.Subset,
            ir.InList,
            ir.Running,
            ir.Waived,
            ir.TimedActive,
            ir.Possible,
        ),
        _truth,
    ),
    ir.Const: lambda lo, e: constants((e.value,)),
    ir.Temp: _temp,
    ir.Force: _force,
    ir.FrameVar: lambda lo, e: kind_of(e.type),
    ir.FrameItem: lambda lo, e: kind_of(e.type),
    ir.LastResult: lambda lo, e: ANY,
    ir.Pending: lambda lo, e: number(0, INT_HIGH),
    ir.Cell: _cell,
    ir.CellSum: lambda lo, e: number(-e.count << 31, e.count << 31),
    ir.Linear: _linear,
    ir.TableGet: lambda lo, e: table_kind(lo, e.table),
    ir.RangeTable: lambda lo, e: constants([row[2] for row in e.rows]),
    ir.If: lambda lo, e: join(lo.kind(e.then), lo.kind(e.orelse)),
    ir.ByPlace: lambda lo, e: lo.kind(e.read),
    ir.Arith: _arith,
    ir.MakeSet: _make_set,
    ir.RangeSet: _range_set,
    ir.Size: _size,
    ir.Bounded: lambda lo, e: Number(e.low, e.high),
    ir.ListItem: lambda lo, e: item_kind(lo.kind(e.list)),
    ir.ListOp: _list_op,
    ir.MapItem: lambda lo, e: with_nothing(item_kind(lo.kind(e.map))),
    ir.MapWith: _map_with,
    ir.CallFn: lambda lo, e: kind_of(lo.program.functions[e.fn].result),
    ir.Fold: _fold,
    ir.Reach: _reach,
    ir.Let: _let,
    ir.LazyLet: _lazy_let,
}
