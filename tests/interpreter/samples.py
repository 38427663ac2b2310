"""An expression of every sort, and what it reads: what low code gives for it must be the value of the reference."""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MapType, MemberType, SetType
from tests.interpreter.build import RULE, Build, C, add, equal, less, numbers

WIDE = SetType(MemberType("Thing", 1, 90))


def address_of(cell: ir.Cell) -> int:
    assert isinstance(cell.address, ir.Const)
    at: int = cell.address.value
    return at


def cells(b: Build) -> dict[str, ir.Cell]:
    x, y = b.field("x", INT, 7), b.field("y", INT, 3)
    wide = b.field("wide", WIDE)
    b.init += [(address_of(wide), 0b1011), (address_of(wide) + 1, 0b1)]
    small = b.field("small", SetType(MemberType("Colour", 1, 4)), 0b101)
    row = b.field("row", ListType(INT, 4))
    b.init += [(address_of(row) + i, v) for i, v in enumerate((3, 5, 9, 2))]
    table = b.field("table", MapType((IntType(0, 2),), INT))
    b.init += [(address_of(table) + i, v) for i, v in enumerate((4, -1, 6))]
    b.tables.append((10, 20, 30))
    return {"x": x, "y": y, "wide": wide, "small": small, "row": row, "table": table}


T0, T1 = ir.Temp(0), ir.Temp(1)


def fold(kind: str, **more: Any) -> ir.Fold:
    given: dict[str, Any] = {"binders": ((0, numbers(1, 6)),), "where": less(C(2), T0), "keys": (), "body": None}
    return ir.Fold(kind, **(given | more))


def samples(s: dict[str, ir.Cell]) -> list[ir.Expr]:
    x, y, wide, small, row, table = s.values()
    half = ir.Arith("half_up", T0, C(0))
    found: list[ir.Expr] = [*s.values(), C((1, 2)), C(-5), C(1 << 80), ir.LastResult()]
    found += [ir.Arith(op, x, y) for op in ("+", "-", "*", "min", "max", "div_up", "div_down", "|", "&", "&~")]
    found += [ir.Arith(op, x, C(0)) for op in ("half_up", "half_down", "div_up", "div_down")]
    found += [ir.Compare(op, x, y) for op in ("==", "!=", "<", "<=", ">", ">=")]
    found += [ir.Linear(3, ((x, 2), (y, -1))), ir.Linear(4, ()), ir.Linear(-40, ((x, 1),))]
    found += [ir.TableGet(0, C(2)), ir.TableGet(0, x), ir.TableGet(0, C(-1)), ir.TableGet(0, ir.Arith("-", y, C(1)))]
    found += [ir.RangeTable(((0, 3, 1), (4, 9, 2), (0, 0, 8)), key) for key in (x, y, C(50))]
    found += [ir.Not(x), ir.Not(less(x, y)), ir.And((x, less(y, x))), ir.And(()), ir.Or(()), ir.Or((C(0), y))]
    found += [ir.If(less(x, y), C(1), row), ir.If(C(0), x, y)]
    members: list[ir.Expr] = [C(1), C(3), C(0), C(-1), y, x, ir.Arith("-", y, x)]
    found += [ir.InSet(member, of) for of in (wide, small) for member in members]
    found += [ir.Subset(small, wide), ir.Subset(wide, small), ir.InList(C(9), row), ir.InList(C(0), row)]
    found += [ir.MakeSet((x, C(0), y)), ir.MakeSet(()), ir.RangeSet(y, x), ir.RangeSet(x, y)]
    found += [
        ir.Size("set", wide),
        ir.Size("list", row),
        ir.Size("total", table),
        ir.Size("total", C(((1, 2), (4, 5)))),
    ]
    found += [ir.ListItem(row, C(i)) for i in (1, 3, 0, 4)]
    found += [
        ir.ListOp("insert", (row, x, C(1))),
        ir.ListOp("without", (row, C(1 << 5))),
        ir.ListOp("concat", (row, row)),
    ]
    found += [ir.ListOp(op, (row,)) for op in ("to_set", "front", "last")] + [ir.ListOp("to_list", (wide,))]
    found += [ir.MapItem(table, C(1)), ir.MapItem(C(((3, 8),)), y, True), ir.MapItem(C(()), y, True)]
    found += [ir.MapWith(table, C(1), x), ir.CellSum(C(address_of(table)), 3), ir.CellSum(C(address_of(table)), 2, 2)]
    found += [
        ir.CellSum(ir.Linear(address_of(table) - 3, ((y, 1),)), 3),
        ir.CellSum(add(y, C(address_of(table) - 3)), 2, 2),
    ]
    found += [ir.CallFn(0, (x, y)), ir.CallFn(1, (y,)), ir.CallFn(2, ()), ir.CallFn(3, (C(4),))]
    found += [ir.Let(0, x, add(T0, y)), ir.Let(0, x, ir.Let(1, T0, ir.Arith("*", T0, T1)))]
    found += [ir.Arith("mod", v, C(n)) for v in (x, y, C(-7)) for n in (1, 4)] + [
        ir.Arith("mod", ir.Arith("-", y, x), x)
    ]
    kept, bad = ir.Force(2), ir.ListItem(row, C(9))
    other = ir.Arith("half_up", T1, C(0))  # no fold binds it: a temp is bound once in a body
    found += [ir.LazyLet(2, add(x, T0), add(kept, kept)), ir.LazyLet(2, bad, y), ir.LazyLet(2, bad, kept)]
    found += [ir.LazyLet(2, bad, ir.If(less(T0, v), kept, y)) for v in (C(0), C(9))]
    found += [ir.LazyLet(2, row, ir.LazyLet(3, ir.Size("list", kept), ir.And((less(y, x), ir.Force(3)))))]
    found += [
        ir.LazyLet(2, other, fold("list", body=add(T0, kept))),
        ir.LazyLet(2, bad, fold("any", where=less(kept, T0))),
    ]
    found += [
        ir.LazyLet(2, bad, fold("sum", where=C(0), body=kept)),
        fold("list", body=ir.LazyLet(2, half, add(kept, x))),
    ]
    found += [ir.ListOp(op, (row, n)) for op in ("front_some", "last_some") for n in (C(-1), C(0), C(1), y, C(4), x)]
    found += [ir.ListOp("place", (v, row)) for v in (C(9), C(7), C(2))]
    bodies: list[ir.Expr | None] = [None, half, add(T0, x)]
    found += [fold(k, body=b) for k in ("sum", "max", "min", "any", "every", "set", "list") for b in bodies]
    found += [fold("count"), fold("count", where=None), fold("any", where=C(0)), fold("max", where=C(0), empty=-9)]
    found += [fold("set", binders=((0, ir.Domain("list", C((3, 3, 5)))),)), fold("set", body=C(0))]
    two = ((0, numbers(1, 3)), (1, ir.Domain("range", T0, C(3))))
    found += [fold("sum", binders=two, where=None, body=ir.Arith("*", T0, T1)), fold("set", binders=two, where=None)]
    found += [fold("table", binders=((0, numbers(1, 3)),), table_keys=((1, 4),), empty=-1, body=half)]
    keys = ((True, half),), ((False, half), (True, T0)), ()
    found += [fold(k, keys=ks) for k in ("first", "only", "tied", "ranked", "tiers") for ks in keys]
    found += [fold("first", where=C(0), keys=ks, required=r) for ks in keys for r in (False, True)]
    found += [fold("ranked", binders=((0, ir.Domain("set", wide)),), where=ir.InSet(T0, wide), keys=((True, T0),))]
    odd = fold("set", binders=((0, ir.Domain("set", wide)),), where=less(T0, x))
    for chosen in (odd, fold("set", binders=odd.binders, where=C(0)), ir.CallFn(4, (x,)), ir.CallFn(4, (C(0),)), wide):
        over: dict[str, Any] = {"binders": ((1, ir.Domain("set", chosen)),), "where": None}
        found += [chosen, fold("list", **over), fold("sum", body=add(T1, x), **over), ir.Not(equal(chosen, C(0)))]
        found += [equal(chosen, C(0)), ir.Compare("!=", chosen, C(0)), ir.If(equal(chosen, C(0)), x, y)]
    step = ir.MakeSet((add(T0, C(1)), add(T0, C(3))))
    found += [ir.Reach(C(2), 0, 1, step, less(T1, C(20)), ())]
    found += [ir.ByPlace(ir.TableGet(0, y), ir.Fold("first", ((1, ir.Domain("set", C(6))),), None, (), T1))]
    found += [ir.Reach(C(2), 0, 1, step, w, ((T0, C(9)), (C(1), y))) for w in (None, less(T1, C(20)))]
    found += [ir.Reach(C(2), 0, 1, step, None, ((C(-1), C(9)),)), ir.Reach(C(2), 0, 1, step, None, ((C(1), C(-1)),))]
    dear = ir.If(less(C(6), T1), C(3), C(1))
    found += [
        ir.Reach(ir.MakeSet((C(2), C(5))), 0, 1, step, w, ((dear, C(b)),))
        for w in (None, less(T1, C(9)))
        for b in (0, 4, 7)
    ]
    for gives in ("distance", "nearest"):
        for price in (None, C(1), C(0), dear, C(-1)):
            ways = [(C(2), small), (small, ir.MakeSet((C(7), C(9)))), (C(2), ir.MakeSet((C(40),)))]
            costs = ((price, C(0)),) if price is not None else ()
            found += [ir.Reach(a, 0, 1, step, less(T1, C(20)), costs, gives, to, 99) for a, to in ways]
    found += [ir.Bounded(e, low, 5, "x", RULE) for e in (x, y, C(3), T0) for low in (-9, 4)]
    found += [ir.Running((0,)), ir.Waived(C(1)), ir.TimedActive(0), ir.TimedFold(0, "+", 0, None, T0, y)]
    found += [ir.Possible(0, (C(1),)), fold("list", body=ir.Possible(0, (T0,)))]
    return found


# as the whole of a function, and where it may not be evaluated at all
FORMS = (
    lambda e: e,
    lambda e: ir.If(less(T0, T1), e, C(0)),
    lambda e: fold("list", body=e),
    lambda e: ir.Not(ir.Not(e)),
)
