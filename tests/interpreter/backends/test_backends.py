"""Native code against the reference: the same games in lock step, word for word, and every statement of the IR."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MapType
from dsl.driver.load import compile_ruleset
from dsl.program import OVER, SITE
from interpreter.core import rng
from interpreter.core.words import Words
from interpreter.rules.rules import NATIVE
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.conformance.tables import ROOT, SMALL, Table, folders
from tests.interpreter.build import Build, C, add, alternative, among, equal, less, numbers, require, site
from tests.interpreter.pair import Pair
from tests.interpreter.programs import fair
from tests.interpreter.samples import T0, T1
from tests.native import needs_wasmtime

pytestmark = needs_wasmtime


def begin(game: Game, seats: int, seed: int) -> Words:
    return blank_store(game, seats, {}, seed)


@pytest.mark.parametrize("path", folders(), ids=lambda p: p.name)
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


@pytest.mark.behind
@pytest.mark.parametrize("path", folders(SMALL), ids=lambda p: p.name)
def test_a_game_changes_hands_when_its_module_is_there(path: Path) -> None:
    found = compile_ruleset(path)[0]
    assert found is not None
    program = replace(found, digest="")  # not from the cache, and not into it
    pair = Pair(program, begin(Game(program), program.seats[0], 1), target=NATIVE)
    pair.making.left = float("inf")
    choices = random.Random(1)
    done = pair.play(program.entry, choices, 12)
    assert not pair.has_module
    pair.making.left = 0  # its time has come
    done += pair.go_on(choices, 1)
    pair.making.wait()
    done += pair.go_on(choices, 11)
    assert done > 3 and (pair.has_module or pair.stores[0][OVER])


@pytest.mark.parametrize("seed", range(8))
def test_the_fair_in_lock_step(seed: int) -> None:
    program = fair()
    words = blank_store(Game(program), 2, {}, seed)
    pair = Pair(program, words, checked=seed % 2 == 0)
    assert pair.play(program.entry, random.Random(seed), 200) > 5
    assert pair.stores[0][OVER] or pair.stores[0][SITE]


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
    late = (ir.IfS(less(C(5), T0), (ir.Return(None),), ()), put(total, add(total, C(1))))
    b.plain("late", *late, params=(("n", INT),))
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
        ir.CallS(1, (frame(0),)),
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
    pair.start(0)
    pair.both(lambda m, w: m.run(w))
    options = pair.both(lambda m, w: m.options(w))
    assert len(options) > 10 and options[-1].alt == 1
    assert pair.both(lambda m, w: m.options(w)) == options
