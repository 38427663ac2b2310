"""Generated Python against the reference: the same games in lock step, word for word, and every node of the IR."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MapType, MemberType, SetType
from dsl.driver.load import compile_ruleset
from dsl.program import OVER, SITE
from interpreter.backends.analysis import structure
from interpreter.backends.python.compile import machine, module
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.core import rng
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.conformance.tables import Table
from tests.interpreter.build import RULE, Build, C, add, alternative, among, equal, less, numbers, require, site
from tests.interpreter.pair import Pair
from tests.interpreter.programs import fair

ROOT = Path(__file__).resolve().parents[3]
RULESETS = sorted(p for p in (ROOT / "rulesets").iterdir() if (p / "ruleset.yaml").exists())
SMALL = sorted(p for p in (ROOT / "tests" / "conformance" / "rulesets").glob("*") if (p / "ruleset.yaml").exists())
WIDE = SetType(MemberType("Thing", 1, 90))


def begin(game: Game, seats: int, seed: int) -> list[int]:
    return blank_store(game, seats, {}, seed)


@pytest.mark.parametrize("path", [*RULESETS, *SMALL], ids=lambda p: p.name)
def test_rulesets_in_lock_step(path: Path) -> None:
    program = compile_ruleset(path)[0]
    assert program is not None
    low, high = program.seats
    game, done = Game(program), 0
    table = Table(str(path.relative_to(ROOT)), low)
    tables = [low] if table.large else sorted({low, (low + high) // 2, high})
    for seed in range(20):  # a game of few decisions is played more often
        pair = Pair(program, begin(game, tables[seed % len(tables)], seed), checked=seed == 1)
        done += pair.play(program.entry, random.Random(seed), table.share(300))
        if seed + 1 >= len(tables) and done > 20:
            break
    assert done > 20


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.name)
def test_procedures_that_are_called_and_short_regions(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # as in a large program, where the procedure of the checks has hundreds of calls
    monkeypatch.setattr(structure, "MOST_ENTERED", 0)
    monkeypatch.setattr(module, "REGION_LIMITS", ())
    found = compile_ruleset(path)[0]
    assert found is not None
    program = replace(found, digest="")  # not from the cache, and not into it
    assert "r = _r" in module.write(program, False).source
    game, done = Game(program), 0
    for seed in range(4):
        pair = Pair(program, begin(game, program.seats[seed % 2], seed), checked=seed == 1)
        done += pair.play(program.entry, random.Random(seed), 100)
    assert done > 20


def test_a_procedure_with_many_calls_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = compile_ruleset(ROOT / "tests" / "conformance" / "rulesets" / "kettle")[0]
    assert found is not None
    lines = {}
    for most in (0, 1000):
        monkeypatch.setattr(structure, "MOST_ENTERED", most)
        lines[most] = module.write(found, False).source.count("\n")
    assert lines[0] < lines[1000]


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.name)
def test_code_is_written_in_the_middle_of_a_game(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PATIENCE", 1e6)
    found = compile_ruleset(path)[0]
    assert found is not None
    program = replace(found, digest="")
    pair = Pair(program, begin(Game(program), program.seats[0], 1), checked=True)
    written = pair.machines[1]
    choices = random.Random(1)
    done = pair.play(program.entry, choices, 12)
    assert isinstance(written, PythonMachine) and not written.code.whole
    written.due = 1e-9  # a moment of long ago
    assert written.code.whole
    done += pair.go_on(choices, 12)
    assert done > 3


@pytest.mark.parametrize("seed", range(8))
def test_the_fair_in_lock_step(seed: int) -> None:
    program = fair()
    words = blank_store(Game(program), 2, {}, seed)
    pair = Pair(program, words, checked=seed % 2 == 0)
    assert pair.play(program.entry, random.Random(seed), 200) > 5
    assert pair.stores[0][OVER] or pair.stores[0][SITE]


# ------------------------------------------------------------ expressions


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


def test_every_expression() -> None:
    b = Build()
    s = cells(b)
    b.function("product", ir.Arith("*", T0, T1), 2)
    b.function("down", ir.If(less(C(0), T0), add(C(1), ir.CallFn(1, (ir.Arith("-", T0, C(1)),))), C(0)), 1)
    b.function("loud", ir.TableGet(0, C(9)))
    b.function("squares", fold("list", binders=((1, numbers(1, 3)),), where=None, body=ir.Arith("*", T1, T0)), 1)
    among_wide = ((1, ir.Domain("set", s["wide"])),)
    b.function("below", fold("set", binders=among_wide, where=less(T1, T0), body=T1), 1)
    b.proc("game", ir.Run((require(less(T0, C(3))),)), params=(("n", INT),))
    written = [b.function("sample", form(e), 2) for e in samples(s) for form in FORMS]
    _, words = b.blank()
    pair = Pair(b.program(), words)
    for number in written:
        pair.both(lambda m, w, n=number: m.eval_fn(w, n, [1, 2]))


# as the whole of a function, and where it may not be evaluated at all
FORMS = (
    lambda e: e,
    lambda e: ir.If(less(T0, T1), e, C(0)),
    lambda e: fold("list", body=e),
    lambda e: ir.Not(ir.Not(e)),
)


def test_all_nodes_have_a_sample() -> None:
    b = Build()
    seen = {type(e) for e in walk(samples(cells(b)))} & set(ir.Expr.__args__)  # type: ignore[attr-defined]
    left = {ir.FrameVar, ir.FrameItem, ir.Payable, ir.Payments}  # read in frames and purses below
    assert seen == set(ir.Expr.__args__) - left  # type: ignore[attr-defined]


def walk(node: Any) -> Any:
    yield node
    if isinstance(node, (list, tuple)):
        for part in node:
            yield from walk(part)
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:
            yield from walk(getattr(node, name))


# ------------------------------------------------------------ statements and instructions


def frame(slot: int) -> ir.FrameVar:
    return ir.FrameVar(slot, INT)


def busy() -> Build:
    """Loops, transfers, things, calls and early ends, with a question in every round."""
    b = Build(steps=4000)
    total = b.field("total", IntType(0, 60))
    row = b.field("row", ListType(INT, 3))
    flags = b.field("flags", MapType((IntType(0, 2),), IntType(0, 5)))
    store, bag, cup = b.pool("store", 9), b.pool("bag"), b.pool("cup")
    peg = ir.Pool("slot", b.field("peg", INT).address, C(2), "peg")
    endless = ir.Pool("endless", None, None, "supply")
    card = b.thing("card")
    hand, pile = b.zone("hand", "list", ListType(INT, 3), 3), b.zone("pile", "list", ListType(INT, 3), 3)

    def move(
        n: ir.Expr, source: ir.Pool, target: ir.Pool, exact: bool = False, limit: int | None = None
    ) -> ir.Transfer:
        return ir.Transfer(n, source, target, exact, limit, 2, "pieces", None)

    def put(cell: ir.Cell, value: ir.Expr) -> ir.Store:
        return ir.Store(cell.address, cell.type, value, "cell")

    grow = (
        ir.SetTemp(1, C(0)),
        ir.While(less(T1, T0), (ir.SetTemp(1, add(T1, C(1))), ir.IfS(equal(T1, C(4)), (ir.Break(),), ()))),
        ir.IfS(less(C(8), T0), (ir.Return(C(8)),), (put(total, add(total, T1)),)),
        ir.Return(T1),
    )
    b.plain("grow", *grow, params=(("n", INT),))
    each = (
        ir.IfS(equal(ir.Temp(3), C(2)), (ir.Continue(),), ()),
        move(ir.Temp(3), store, bag),
        move(C(1), bag, cup, limit=3),
        ir.SetFrame(2, INT, ir.Temp(2)),
        move(C(1), cup, peg),
        move(C(2), endless, store, exact=True),
        move(C(1), bag, bag),
    )
    body = (
        ir.For(3, numbers(1, 3), each),
        ir.CallS(0, (frame(0),)),
        ir.SetFrame(1, INT, ir.LastResult()),
        put(row, ir.ListOp("insert", (C((1, 2)), frame(0), C(1)))),
        ir.MoveThing(C(card), ir.If(equal(frame(0), C(1)), C(hand), C(pile)), "top", None),
        ir.SetFrame(3, INT, frame(0), ir.Arith("min", frame(0), C(2))),
        put(flags, ir.MapWith(flags, C(1), ir.Arith("-", C(6), frame(1)))),
        ir.Together(1),
        ir.Together(-1),
        ir.AtomicEnd(("total",)),
        ir.IfS(less(C(5), frame(0)), (ir.Return(None),), ()),
        put(total, add(total, C(1))),
    )
    ask = b.site(site("one", alternative(numbers(1, 9), less(ir.Temp(0), add(C(9), frame(1))), to=0)))
    inner = b.proc("inner", ir.Run(body), ir.Give(frame(0), END_OF_INNER), params=(("n", INT),), frame=8)
    b.proc(
        "game",
        ir.Ask(ask, 5),
        ir.CallI(inner, (frame(0),)),
        ir.Run((ir.SetFrame(1, INT, ir.LastResult()),)),
        ir.Branch(less(C(7), frame(0)), 0),
        ir.Jump(0),
        frame=6,
    )
    return b


END_OF_INNER = 2  # the epilogue, counted from the start of the procedure


@pytest.mark.parametrize("checked", [False, True])
def test_statements_in_lock_step(checked: bool) -> None:
    """Many short games: most end with a fault of the rules, which must be the same."""
    b = busy()
    done = 0
    for seed in range(30):
        _, words = b.blank()
        rng.seed(words, seed)
        done += Pair(b.program(), words, checked).play(b.program().entry, random.Random(seed), 60)
    assert done > 100


def test_listing_with_dependent_binders() -> None:
    """A later domain that reads an earlier binder, a free one, tests of one binder and of two."""
    b = Build()
    x = b.field("x", INT, 3)
    binders = (
        ("a", 0, numbers(1, 4), INT),
        ("b", 1, ir.Domain("range", T0, C(5)), INT),
        ("c", 2, among(2, 3, 5), INT),
        ("d", 3, ir.Domain("set", ir.MakeSet((T0, ir.Temp(2)))), INT),
    )
    tests = (
        less(T0, C(4)),
        less(add(T0, T1), C(8)),
        less(x, add(ir.Temp(2), T0)),
        less(C(2), ir.Temp(2)),
        less(C(0), x),
    )
    guards = tuple(require(t).guard for t in tests)
    wide = ir.Alternative("wide", binders, guards, ((0, INT), (1, INT), (2, INT), (3, INT)))
    b.proc("game", ir.Ask(b.site(site("one", wide, alternative(), alternative(numbers(1, 2), C(0)))), 0), frame=8)
    _, words = b.blank()
    pair = Pair(b.program(), words)
    pair.both(lambda m, w: m.start(w, 0))
    pair.both(lambda m, w: m.run(w))
    options = pair.both(lambda m, w: m.options(w))
    assert len(options) > 10 and options[-1].alt == 1
    assert pair.both(lambda m, w: m.options(w)) == options
