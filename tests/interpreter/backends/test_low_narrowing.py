"""Loops over a kind whose first tests say which members pass, in low code against the reference."""

from __future__ import annotations

import random

from dsl import ir
from dsl.base.types import INT
from interpreter.session.game import Game
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.interpreter.build import Build, C
from tests.interpreter.low_pair import LowPair

RULES = """
kind Seat
    field pick: Card or none
    field kept: set of Card
    field liked: set of Suit
    field total: -99..999
kind Card: 70
    field suit: Suit or none
    field rank: 0..9
kind Suit: 4
    field trump: bool
value same(c: Card, d: Card): bool = c.suit is d.suit
value picked(p: Seat): Card or none = only(c in Card where c is p.pick and c.rank > 2)
value odd(p: Seat): int = count(n in {1, 2, 5, 7} where n is p.total and p.total > 0)
value around(p: Seat): set of Card = set(c in Card where c in p.kept and c in others(p) and c.rank > 1)
value others(p: Seat): set of Card = set(c in Card where c.suit is not none and c.suit in p.liked)
value pairs(p: Seat): int = sum(s in Suit, c in Card where c in p.kept and c.suit is s and s.trump: c.rank)
value best(p: Seat): Card or none = first(c in Card where c in p.kept with highest c.rank)
phase game
    for every c in Card
        random number r in 0..9
        set c.rank to r
        random s in Suit
        if r > 1: set c.suit to s
    for every i in 1..5
        for every p in seats
            random number n in -3..9
            set p.total to n * n * n - 2
            choose some cs in set(c in Card where c.rank is 4) at most 3 by p if any
            set p.kept to p.kept + cs
            choose s in Suit by p
            set p.liked to p.liked + {s}
            set s.trump to not s.trump
            choose c in Card where c in p.kept and same(c, c) by p if any
            set p.pick to c
            choose d in Card, e in Card where d is p.pick and e in around(p) and e is not d by p if any
            set p.total to odd(p) + pairs(p) + size(around(p))
            let got = best(p)
            if got is not none and picked(p) is not none: set p.pick to got
            choose f in Card where f is p.pick and f.rank > odd(p) by p if any
            set f.rank to 9
            choose g in Suit where g is f.suit by p if any
            set g.trump to true
"""


def test_narrowed_loops_in_lock_step() -> None:
    program = game(RULES, seats=(2, 2)).program
    pair, done = LowPair(program), 0
    for seed in range(3):
        done += pair.play(blank_store(Game(program), 2, {}, seed), random.Random(seed), 40)
    assert done > 60 and pair.given_up == 0


def test_narrowed_loops_count_all_members() -> None:
    """A loop over many members that looks at none of them costs as many passes as the reference may count."""
    b = Build(steps=100)
    x = b.field("x", INT)
    among = ir.Domain("set", ir.Const((1 << 101) - 2))
    none = ir.InSet(ir.Temp(1), ir.MakeSet((x,)))
    inner = ir.Fold("count", ((1, among),), none, (), None)
    many = ir.Fold("sum", ((0, ir.Domain("range", C(1), C(100))),), None, (), inner)
    b.things += ["thing"] * 120
    b.placed += [0] * 120
    b.proc("game", ir.Run((ir.Store(x.address, INT, many, "x"),)))
    _, words = b.blank()
    pair = LowPair(b.program())
    assert pair.program.limits.passes < 100 * 100
    assert pair.play(words, random.Random(1), 3) == 0 and pair.faults == 1
