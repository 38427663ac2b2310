"""Lists of sets, and sets of very many members, in low code: as they lie in the store and as they are worked with."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MapType, SetType
from dsl.base.types import pack as pack_words
from dsl.driver.load import compile_ruleset
from dsl.program import Program
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form.nodes import Trapped
from interpreter.core.words import Words, put
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.interpreter.backends.test_low import Sample
from tests.interpreter.build import Build, C, add, among, numbers
from tests.interpreter.low_pair import LowPair, lower

ROOT = Path(__file__).resolve().parents[3]
T0, T1, T2 = ir.Temp(0), ir.Temp(1), ir.Temp(2)

LISTS = """
kind Seat
    field score: 0..9
    field known: list of set of Card
kind Card: 70
    field weight: 0..5
field heaps: list of set of Card
field asked: 0..99
value steps: list of set of Card = tiers(c in Card where c.weight > 0 with highest c.weight)
value lightest(xs: list of set of Card): set of Card = last(xs)
value heavy(xs: list of set of Card, n: 0..5): set of Card = set(x in xs, c in x where c.weight >= n: c)
procedure keep(xs: list of set of Card, p: Seat)
    set p.known to xs
    for every x in xs: set asked to min(asked + size(x), 99)
phase game
    for every round in 1..4
        for every c in Card
            random number w in 0..5
            set c.weight to w
        set heaps to steps
        for every p in seats
            for every x in heaps
                if some x
                    choose c in x by p or decline
                    set c.weight to 0
            do keep(steps, p)
            choose n in 0..5 where n is not size(heaps) by p
            if lightest(p.known) is lightest(heaps): set p.score to n
            if p.known is heaps or front(steps, 2) is front(heaps, 2): set p.score to min(p.score + 1, 9)
            if some heavy(heaps, n)
                choose c in heavy(heaps, n) by p
                set heaps to list(x in heaps where c not in x: x)
                set p.known to p.known + heaps if size(p.known) < 3 else heaps
"""


PAIRS = """
kind Seat
    field score: 0..9
kind Row: 80
    field open: bool
kind Column: 90
    field open: bool
field seen: 0..999
value beside(r: Row): set of Column = set(c in Column where c.open and r.open)
phase game
    for every round in 1..3
        for every r in Row
            random number w in 0..19
            set r.open to w is 7
        for every c in Column
            random number w in 0..19
            set c.open to w is 7
        for every r in Row, c in beside(r)
            for every p in seats
                choose n in 0..2 where n is not p.score by p
                set p.score to n
                if n is 2: set c.open to false
            set seen to min(seen + 1, 999)
"""


@pytest.mark.parametrize(("rules", "least"), [(LISTS, 60), (PAIRS, 30)], ids=["lists of sets", "pairs"])
def test_games_in_lock_step(rules: str, least: int) -> None:
    program = game(rules, seats=(2, 2)).program
    pair, done = LowPair(program), 0
    for seed in range(2):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 40)
    assert done > least and pair.given_up == 0


# ------------------------------------------------------------ expressions

SMALL, LARGE = SetType(IntType(1, 20)), SetType(IntType(5, 140))
WIDE = SetType(IntType(3, 7_000))


def mask(*members: int) -> int:
    return sum(1 << m for m in members)


def checked(program: Program, words: Words, e: ir.Expr) -> None:
    """The value in low code is that of the reference."""
    machine = LowPair(program).machine
    assert Sample(program, e).value(words) == machine.evaluate(words, e, [1, 2, *[0] * 8]), e


def test_expressions_with_lists_of_sets() -> None:
    b = Build()
    small, large = b.field("small", ListType(SMALL, 4)), b.field("large", ListType(LARGE, 3))
    none, by_key = b.field("none", ListType(LARGE, 2)), b.field("by_key", MapType((IntType(0, 2),), LARGE))
    b.proc("game", ir.Run(()))
    program, (_, words) = b.program(), b.blank()
    rows = {small: [mask(1, 20), 0, mask(7)], large: [mask(5, 67, 140), mask(36)]}
    for cell, sets in rows.items():
        pack(words, cell, sets)
    pack(words, by_key, [mask(5), mask(140, 63, 64), 0])
    ones = ir.Const(mask(7)), ir.Const(mask(5, 67, 140)), ir.Const(0), ir.Const(mask(36))
    for xs in (small, large, none):
        checked(program, words, xs)
        for op in ("front", "last"):
            checked(program, words, ir.ListOp(op, (xs,)))
        for k in (1, 2):
            checked(program, words, ir.ListOp("front_some", (xs, C(k))))
            checked(program, words, ir.ListOp("last_some", (xs, C(k))))
        checked(program, words, ir.Size("list", xs))
        checked(program, words, ir.ListOp("concat", (xs, xs)))
        checked(program, words, ir.Fold("sum", ((2, ir.Domain("list", xs)),), None, (), ir.Size("set", ir.Temp(2))))
        for one in ones:
            checked(program, words, ir.InList(one, xs))
            checked(program, words, ir.ListOp("place", (one, xs)))
            for at in (0, 1, 9) if xs is none else (-1, 0, 1, 9):
                checked(program, words, ir.ListOp("insert", (xs, one, C(at))))
        for ys in (small, large, none):
            if (xs is small) == (ys is small):
                checked(program, words, ir.Compare("==", xs, ys))
                checked(program, words, ir.Compare("!=", xs, ir.ListOp("front_some", (xs, C(1)))))
    checked(program, words, ir.ListItem(large, C(2)))
    for k in range(3):
        checked(program, words, ir.MapItem(by_key, C(k), False))


def pack(words: Words, cell: ir.Cell, sets: list[int]) -> None:
    """Write sets into a field that is a list or map."""
    assert isinstance(cell.address, ir.Const)
    at, t = cell.address.value, cell.type
    assert isinstance(t, ListType | MapType)
    written = pack_words(tuple(sets), t)
    put(words, at, at + len(written), written)


def test_questions_about_sets_of_very_many_members() -> None:
    b = Build()
    x, y, none = (b.field(name, WIDE) for name in ("x", "y", "none"))
    b.proc("game", ir.Run(()))
    program, (_, words) = b.program(), b.blank()
    for cell, held in ((x, mask(3, 33, 34, 64, 6_500, 7_000)), (y, mask(3, 4_000))):
        assert isinstance(cell.address, ir.Const)
        written = pack_words(held, WIDE)
        put(words, cell.address.value, cell.address.value + len(written), written)
    for s in (x, y, none):
        domain = ((2, ir.Domain("set", s)),)
        for kind in ("first", "only"):
            checked(program, words, ir.Fold(kind, domain, ir.Compare(">", ir.Temp(2), C(50)), (), ir.Temp(2)))
        checked(program, words, ir.Fold("list", domain, None, (), ir.Temp(2)))
        checked(program, words, ir.Fold("ranked", domain, None, ((True, ir.Temp(2)),), None))
        checked(program, words, ir.Size("set", s))
        for m in (0, 2, 3, 4, 33, 64, 65, 6_500, 7_000, 7_001):
            checked(program, words, ir.InSet(C(m), s))
            checked(program, words, ir.InSet(ir.Arith("*", C(m), ir.Temp(0)), s))
        for other in (x, y, none, C(0)):
            for op in ("==", "!="):
                checked(program, words, ir.Compare(op, s, other))


def made(x: ir.Cell, y: ir.Cell) -> dict[str, ir.Expr]:
    """Sets of very many members, as they may be written into `x`."""
    both = ((0, numbers(1, 60)), (1, numbers(1, 100)))
    number = ir.Linear(2, ((T0, 100), (T1, 1)))
    odd = ir.Compare("==", ir.Arith("mod", number, C(7)), C(2))
    first = ir.Fold("first", ((2, ir.Domain("set", x)),), None, (), T2)
    return {
        "pairs": ir.Fold("set", both, odd, (), number),
        "all but the first": ir.Arith("&~", x, ir.MakeSet((C(3), first))),
        "members": ir.Arith("|", y, ir.MakeSet((C(0), C(3), C(6_999)))),
        "all of two": ir.Arith("|", x, y),
        "of both": ir.Arith("&", x, y),
        "without": ir.Arith("&~", x, y),
        "few": ir.Arith("&", x, ir.MakeSet((C(4), C(402)))),
        "a copy": y,
        "a constant": C(mask(3, 34, 7_000)),
        "small": ir.Fold("set", ((0, among(4, 70)),), None, (), T0),
        "in other words": ir.Arith("|", ir.RangeSet(C(60), C(70)), x),
        "either": ir.If(ir.Compare("!=", y, C(0)), x, C(0)),
        "nothing": C(0),
    }


@pytest.mark.parametrize("name", made(ir.Cell(C(0), WIDE), ir.Cell(C(0), WIDE)))
def test_writing_sets_of_very_many_members(name: str) -> None:
    """Each is written over a set that it may be made of; the store is that of the reference."""
    b = Build()
    x, y, n = b.field("x", WIDE), b.field("y", WIDE), b.field("n", INT)
    ways = made(x, y)
    begin = [ir.Store(x.address, WIDE, ways["pairs"], "x"), ir.Store(y.address, WIDE, C(mask(3, 402, 4_001)), "y")]
    go = ir.For(
        2, ir.Domain("set", x), (ir.Store(n.address, INT, add(n, T2), "n"), ir.Store(x.address, WIDE, C(0), "x"))
    )
    b.proc("game", ir.Run((*begin, ir.Store(x.address, WIDE, ways[name], "x"))), ir.Run((go,)), temps=3)
    _, words = b.blank()
    pair = LowPair(b.program())
    pair.play(words, random.Random(0), 1)
    assert pair.given_up == pair.faults == 0


def test_a_member_that_is_none_of_the_type_is_given_up() -> None:
    b = Build()
    x, n = b.field("x", WIDE), b.field("n", INT, 7_001)
    b.proc("game", ir.Run((ir.Store(x.address, WIDE, ir.MakeSet((n,)), "x"),)))
    _, words = b.blank()
    pair = LowPair(b.program())
    pair.machine.start(words, pair.program.entry)
    pair.stepper.load(words)
    with pytest.raises(Trapped):
        pair.stepper.run()


def test_other_questions_about_very_many_members_are_refused() -> None:
    b = Build()
    x, y, n = b.field("x", WIDE), b.field("y", WIDE), b.field("n", INT)
    b.proc("game", ir.Run((ir.Store(n.address, INT, ir.Subset(x, y), "n"),)))
    with pytest.raises(Unsupported, match="a set of 226 words in the store"):
        lower(b.program())


# ------------------------------------------------------------ rulesets


@pytest.mark.parametrize("overlays", ["custom mixed eel heirs campaign", "custom craton"])
def test_variants_have_no_gap(overlays: str) -> None:
    """A list of sets that another game hands over, and a loop over pairs of hexes and resources."""
    folder = ROOT / "rulesets/bios_origins"
    program = compile_ruleset(folder, [folder / "variants" / name for name in overlays.split()])[0]
    assert program is not None and not lower(program, True).gaps
