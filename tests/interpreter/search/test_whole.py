"""The search for whole answers offers what listing all of them gives, in the same order, on both machines."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from dsl import ir
from dsl.base.types import INT, IntType, SetType, SparseType
from dsl.program import SITE
from interpreter.machine.machine import Machine
from tests.interpreter.build import END, Build, C, alternative, guard, numbers, site

WHOLE = ir.Temp(3)
STAY = ir.Site("test.stay", "number", C(1), C(1), INT, (alternative(numbers(0, 1)),), temps=8)


class Maker:
    """Random conditions and keys on an answer: a set of members 1..n, or amounts by them."""

    def __init__(self, r: random.Random, count: int, sets: bool) -> None:
        self.r, self.count, self.sets, self.b = r, count, sets, Build()
        self.b.tables += [tuple(r.randint(-2, 4) for _ in range(count + 1)) for _ in range(3)]
        self.b.tables.append(tuple(r.randrange(1 << count) << 1 for _ in range(count + 1)))  # related members
        self.b.tables.append(tuple(r.randint(0, 5) for _ in range(40)))  # of totals
        self.bound: list[int] = []
        self.functions: list[int] = []
        for n in range(2):  # of a number; of a member and the answer
            self.bound = [0]
            outer, self.sets = self.sets, True
            self.functions.append(self.b.function(f"f{n}", self.number(2, whole=False), 1))
            self.sets = outer
        self.bound = []

    def pick(self, *ways: Any) -> Any:
        return self.r.choice(ways)()

    def member(self) -> ir.Expr:
        return (
            ir.Temp(self.r.choice(self.bound))
            if self.bound and self.r.random() < 0.8
            else C(self.r.randint(1, self.count))
        )

    def set(self, depth: int) -> ir.Expr:
        known = ir.TableGet(3, self.member())
        if depth <= 0:
            return self.r.choice((WHOLE, known)) if self.sets else known
        return self.pick(
            lambda: known,
            lambda: WHOLE if self.sets else known,
            lambda: ir.Arith(self.r.choice(("|", "&", "&~")), self.set(depth - 1), self.set(depth - 1)),
            lambda: self.fold("set", depth, None),
            lambda: ir.If(self.truth(depth - 1), self.set(depth - 1), self.set(depth - 1)),
            lambda: ir.MakeSet((self.member(), self.member())),
        )

    def amount(self) -> ir.Expr:
        """What the answer says of one member."""
        member = self.member()
        return ir.InSet(member, WHOLE) if self.sets else ir.MapItem(WHOLE, ir.Linear(-1, ((member, 1),)), True)

    def fold(self, kind: str, depth: int, body: Any) -> ir.Expr:
        slot = next(s for s in (4, 5, 6, 7) if s not in self.bound)
        domain = ir.Domain("set", self.set(depth - 1)) if self.r.random() < 0.7 else numbers(1, self.count)
        self.bound.append(slot)
        where = self.truth(depth - 2) if self.r.random() < 0.6 else None
        made = None if body is None else body()
        keys = ((self.r.random() < 0.5, self.number(0)),) if kind in ("first", "only") else ()
        self.bound.remove(slot)
        return ir.Fold(kind, ((slot, domain),), where, keys, made, 0)

    def number(self, depth: int, whole: bool = True) -> ir.Expr:
        known = ir.TableGet(self.r.randrange(3), self.member())
        if depth <= 0 or not whole:
            given = ir.Temp(0) if not whole else self.amount()
            if not whole:
                return ir.Arith(self.r.choice("+*-"), given, ir.Arith("*", given, C(self.r.randint(-2, 2))))
            return self.r.choice((known, self.amount(), C(self.r.randint(-2, 5))))
        return self.pick(
            self.amount,
            lambda: ir.Arith(
                self.r.choice(("+", "-", "*", "min", "max")), self.number(depth - 1), self.number(depth - 1)
            ),
            lambda: ir.Arith("div_down", self.number(depth - 1), C(self.r.randint(1, 3))),
            lambda: ir.Linear(self.r.randint(-2, 2), ((self.number(depth - 1), self.r.randint(-2, 2)),)),
            lambda: self.fold("sum", depth, lambda: self.number(depth - 1)),
            lambda: self.fold(self.r.choice(("max", "min")), depth, lambda: self.number(depth - 1)),
            lambda: self.fold("count", depth, None),
            lambda: self.fold(self.r.choice(("first", "only")), depth, None),
            lambda: ir.Size("set", self.set(depth - 1)) if self.sets else ir.Size("total", WHOLE),
            lambda: ir.If(self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1)),
            lambda: ir.CallFn(self.r.choice(self.functions), (self.number(depth - 1),)),
            lambda: ir.TableGet(4, ir.Arith("max", C(0), ir.Arith("min", C(39), self.number(depth - 1)))),
        )

    def truth(self, depth: int) -> ir.Expr:
        compare = ir.Compare(
            self.r.choice(("==", "!=", "<", "<=", ">", ">=")), self.number(depth), self.number(depth - 1)
        )
        if depth <= 0:
            return self.r.choice((compare, ir.InSet(self.member(), self.set(0))))
        return self.pick(
            lambda: compare,
            lambda: ir.Not(self.truth(depth - 1)),
            lambda: ir.And((self.truth(depth - 1), self.truth(depth - 1))),
            lambda: ir.Or((self.truth(depth - 1), self.truth(depth - 1))),
            lambda: ir.Subset(self.set(depth - 1), self.set(depth - 1)),
            lambda: ir.Compare(self.r.choice(("==", "!=")), self.set(depth - 1), self.set(depth - 1)),
            lambda: self.fold("any", depth, None),
            lambda: self.fold("every", depth, lambda: self.truth(depth - 1)),
        )


def question(seed: int) -> tuple[Build, ir.Site]:
    """A question with random conditions, keys and bounds."""
    r = random.Random(seed)
    sets, count = r.random() < 0.5, r.randint(2, 5)
    maker = Maker(r, count, sets)
    such_that = tuple(guard(maker.truth(r.randint(1, 3))) for _ in range(r.randint(0, 2)))
    keys = tuple((r.random() < 0.5, maker.number(r.randint(1, 2))) for _ in range(r.choice((0, 0, 0, 1, 2))))
    bounds = []
    for _ in range(r.randint(0, 2)):
        amount, weight = C(r.randint(0, 6)), ir.TableGet(r.randrange(3), ir.Temp(0))
        op = r.choice(("exactly", "at least", "at most", "covering"))
        if not sets and r.random() < 0.5:  # what a member adds depends on its amount
            square = ir.Arith("*", ir.Arith("*", ir.Temp(2), ir.Temp(2)), weight)
            bounds.append(ir.Bound(op, amount, square, None, 2))
        else:
            bounds.append(ir.Bound(op, amount, weight if r.random() < 0.7 else None))
    domain = alternative(numbers(1, count), type_=IntType(1, count))
    answer: Any = SetType(IntType(1, count)) if sets else SparseType((IntType(1, count),), count)
    more: dict[str, Any] = {"bounds": tuple(bounds), "such_that": such_that, "keys": keys, "whole_slot": 3}
    if not sets:
        more["each"] = (C(0), ir.TableGet(5, ir.Temp(0)))
        maker.b.tables.append(tuple(r.randint(0, 3) for _ in range(count + 1)))
    else:
        maker.b.tables.append((0,) + (1,) * count)
    s = site("some" if sets else "amounts", domain, answer=(0, answer), cursor=20, if_any=True, **more)
    maker.b.site(s)
    maker.b.site(STAY)
    maker.b.proc("game", ir.Ask(0, 1), ir.Ask(1, END), frame=40)
    return maker.b, s


def value_of(s: ir.Site, amounts: tuple[int, ...]) -> Any:
    if s.shape == "some":
        return sum(1 << i + 1 for i, a in enumerate(amounts) if a)
    return tuple((i, a) for i, a in enumerate(amounts) if a)


def listed(m: Machine, words: list[int], s: ir.Site) -> list[tuple[int, ...]]:
    """The whole answers that are allowed, by listing all of them."""
    highs = m.program.tables[5][1:]
    answers = list(product(*(range(high + 1) for high in highs)))

    def read(e: ir.Expr, **temps: Any) -> Any:
        return m.evaluate(words, e, [temps.get(f"t{n}", 0) for n in range(9)])

    def total(limit: ir.Bound, answer: tuple[int, ...]) -> int:
        found = 0
        for i, a in enumerate(answer):
            weight = 1 if limit.weight is None else read(limit.weight, t0=i + 1, t2=a)
            found += weight if limit.slot >= 0 else weight * a
        return found

    for limit in (b for b in s.bounds if b.op != "covering"):
        target = read(limit.amount)
        kept = {"exactly": int.__eq__, "at least": int.__ge__, "at most": int.__le__}[limit.op]
        answers = [a for a in answers if kept(total(limit, a), target)]
    for limit in (b for b in s.bounds if b.op == "covering"):
        target, totals = read(limit.amount), {total(limit, a) for a in answers}
        wanted = min((n for n in totals if n >= target), default=max(totals, default=0))
        answers = [a for a in answers if total(limit, a) == wanted]
    answers = [a for a in answers if all(read(g.test, t3=value_of(s, a)) for g in s.such_that)]
    ranks = {a: [read(k, t3=value_of(s, a)) * (-1 if high else 1) for high, k in s.keys] for a in answers}
    return [a for a in answers if ranks[a] == min(ranks.values())]


def steps(s: ir.Site, wanted: list[tuple[int, ...]], given: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The codes of the next small decisions of the allowed answers, in order."""
    n = len(given)
    found = set()
    for answer in wanted:
        if answer[:n] == given:
            after = next((j for j in range(n, len(answer)) if answer[j]), None)
            if after is None:
                found.add((99,))
            else:
                found.add((after + 1, after + 1, *((answer[after],) if s.shape == "amounts" else ())))
    return [code if code != (99,) else (-1,) for code in sorted(found)]


def test_the_search_offers_what_listing_gives() -> None:
    asked = decisions = 0
    for seed in range(400):
        b, s = question(seed)
        m, words = b.play()
        _, blank = b.blank()
        wanted = listed(Machine(m.program), blank, s)
        if words[SITE] != 1:
            assert not wanted, seed
            continue
        assert wanted, seed
        r, given = random.Random(seed), ()
        while words[SITE] == 1:
            offered = [o.code for o in m.options(words) if o.kind != "decline"]
            assert offered == steps(s, wanted, given), seed
            code = r.choice(offered)
            amount = 0 if code == (-1,) else code[-1] if s.shape == "amounts" else 1
            given = (*given, *[0] * (code[0] - 1 - len(given)), amount) if amount else given
            m.answer(words, code)
            decisions += 1
        asked += 1
    assert asked > 150 and decisions > 450, (asked, decisions)
