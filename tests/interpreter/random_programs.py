"""Random small programs: loops around questions, early returns, recursion, chance, numbers near their bounds.

`random_program` gives a program that both machines must play alike; many end with a fault of the rules, which must be
the same too. Nothing here knows what a program does.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, cast

from dsl import ir
from dsl.base.types import INT, INT_HIGH, IntType, ListType, MemberType, SetType
from dsl.program import SEATS, Program
from interpreter.core import rng
from interpreter.core.words import Words, new_store
from tests.interpreter.build import END, Build, C, alternative, guard, numbers, require, site

NEAR = IntType(-4, 12)  # a field whose bounds are soon met
THING = MemberType("Thing", 1, 40)
EDGES = (INT_HIGH, -INT_HIGH, INT_HIGH - 1, 1 << 30, -(1 << 30), 1 << 16, 46341)
LABEL = 1_000_000  # a target that is not placed yet
FRAME = 10  # words of a frame: a parameter, numbers, a set, an answer, a cursor
NUMBERS, SET, ANSWER, CURSOR = (0, 1, 2, 3), 4, 6, 8


class Maker:
    def __init__(self, seed: int) -> None:
        self.r = Random(seed)
        self.b = Build(steps=3000, frames=12)
        self.labels = 0
        self.temps: list[int] = []  # temps that have a value here
        self.plain_procs: list[int] = []
        self.frame = False  # whether frame variables may be read
        self.functions = 0
        self.edges = self.r.choice((0.0, 0.0, 0.3, 0.9))  # how often numbers are near the ends of 32 bits
        b = self.b
        self.ints = [b.field(f"x{n}", INT, self.r.randint(-3, 9)) for n in range(3)]
        self.near = [b.field(f"y{n}", NEAR, self.r.randint(0, 9)) for n in range(2)]
        self.row = b.field("row", ListType(INT, 3))
        self.small = b.field("small", SetType(THING), self.r.getrandbits(20))
        first = b.words
        for n in range(6):
            b.field(f"cell{n}", INT, self.r.randint(0, 2))
        self.cells = first
        self.pools = [b.pool(f"pool{n}", self.r.randint(0, 5)) for n in range(3)]
        # slots of three sorts of pieces, which may turn into each other where they lie
        slots = [(f"slot{n}", b.field(f"slot{n}", IntType(0, 3), self.r.randint(0, 3))) for n in range(2)]
        self.pools += [ir.Pool("slot", cell.address, C(code), name) for name, cell in slots for code in (1, 2, 3)]
        b.tables.append(tuple(self.r.randint(-2, 9) for _ in range(6)))
        b.tables.append(tuple(self.r.getrandbits(7) << 1 for _ in range(6)))

    # ------------------------------------------------------------ expressions

    def pick(self, *makers: Any) -> Any:
        return self.r.choice(makers)()

    def slot(self) -> int:
        """A temp that is not in use."""
        return self.r.choice([n for n in range(8) if n not in self.temps])

    def number(self, depth: int = 2) -> ir.Expr:
        r = self.r
        atoms = [
            lambda: C(r.choice((-2, -1, 0, 1, 2, 3, 5, 9))),
            lambda: C(r.choice(EDGES) if r.random() < self.edges else 0),
            lambda: r.choice(self.ints + self.near),
            lambda: ir.Temp(r.choice(self.temps)) if self.temps else C(4),
            lambda: ir.FrameVar(r.choice(NUMBERS), INT) if self.frame else C(-3),
        ]
        if depth <= 0 or len(self.temps) > 4:
            return cast(ir.Expr, self.pick(*atoms))

        def deep() -> ir.Expr:
            return self.number(depth - 1)

        return cast(
            ir.Expr,
            self.pick(
                *atoms,
                lambda: ir.Arith(r.choice(("+", "-", "min", "max")), deep(), deep()),
                lambda: ir.Arith(r.choice(("half_up", "half_down")), deep(), C(0)),
                lambda: ir.Arith("*", deep(), C(r.choice((-1, 2)))),
                lambda: ir.Arith("*", deep(), deep()) if r.random() < self.edges else deep(),
                lambda: ir.Arith(r.choice(("div_up", "div_down")), deep(), C(r.choice((-3, -1, 1, 2, 7)))),
                lambda: ir.Arith("mod", deep(), C(r.choice((1, 2, 7)))),
                lambda: ir.If(self.condition(depth - 1), deep(), deep()),
                lambda: ir.TableGet(0, self.between(0, 5, deep()) if r.random() < 0.95 else deep()),
                lambda: ir.Size("set", self.set(depth - 1)),
                lambda: ir.Size("list", self.row),
                lambda: self.fold(r.choice(("sum", "count", "max", "min", "first", "only")), depth - 1),
                lambda: self.let(depth - 1),
                lambda: ir.Linear(r.randint(-3, 3), ((deep(), r.choice((1, 2, -1))),)),
                lambda: ir.Cell(ir.Linear(self.cells, ((self.between(0, 5, deep()), 1),)), INT),
                lambda: ir.CallFn(r.randrange(self.functions), (deep(), deep())) if self.functions else deep(),
            ),
        )

    def between(self, low: int, high: int, e: ir.Expr) -> ir.Expr:
        return ir.Arith("min", C(high), ir.Arith("max", C(low), e))

    def let(self, depth: int) -> ir.Expr:
        slot, value = self.slot(), self.number(depth)
        self.temps.append(slot)
        body = self.number(depth)
        self.temps.pop()
        return ir.Let(slot, value, body)

    def condition(self, depth: int = 2) -> ir.Expr:
        r = self.r

        def compare() -> ir.Expr:
            op = r.choice(("==", "!=", "<", "<=", ">", ">="))
            return ir.Compare(op, self.number(depth - 1), self.number(depth - 1))

        if depth <= 0:
            return compare()
        return cast(
            ir.Expr,
            self.pick(
                compare,
                lambda: ir.And(tuple(self.condition(depth - 1) for _ in range(r.randint(1, 3)))),
                lambda: ir.Or(tuple(self.condition(depth - 1) for _ in range(r.randint(1, 3)))),
                lambda: ir.Not(self.condition(depth - 1)),
                lambda: ir.InSet(self.number(0), self.set(depth - 1)),
                lambda: self.fold(r.choice(("any", "every")), depth - 1),
                lambda: ir.Compare(r.choice(("==", "!=")), self.set(depth - 1), C(0)),
            ),
        )

    def set(self, depth: int = 1) -> ir.Expr:
        r = self.r
        atoms = [
            lambda: C(r.getrandbits(8) << 1),
            lambda: self.small,
            lambda: ir.TableGet(1, self.between(0, 5, self.number(0))),
            lambda: ir.FrameVar(SET, SetType(THING)) if self.frame else C(6),
        ]
        if depth <= 0 or len(self.temps) > 4:
            return cast(ir.Expr, self.pick(*atoms))
        return cast(
            ir.Expr,
            self.pick(
                *atoms,
                lambda: ir.Arith(r.choice(("|", "&", "&~")), self.set(depth - 1), self.set(depth - 1)),
                lambda: ir.MakeSet((self.between(0, 30, self.number(0)),)),
                lambda: self.fold("set", depth - 1),
                lambda: self.fold("tied", depth - 1),
            ),
        )

    def domain(self) -> ir.Domain:
        r = self.r
        return cast(
            ir.Domain,
            self.pick(
                lambda: numbers(1, r.randint(0, 5)),
                lambda: ir.Domain("range", C(1), self.between(0, 5, self.number(0))),
                lambda: ir.Domain("range", self.between(-4, 4, self.number(0)), self.between(-4, 4, self.number(0))),
                lambda: ir.Domain("range", C(5), C(r.choice((4, -INT_HIGH)))),
                lambda: ir.Domain("set", C(0)),
                lambda: ir.Domain("set", self.set(1)),
                lambda: ir.Domain("list", self.row),
            ),
        )

    def fold(self, kind: str, depth: int) -> ir.Expr:
        domain = self.domain() if kind not in ("set", "tied") else ir.Domain("set", self.set(0))
        slot = self.slot()
        self.temps.append(slot)
        member: ir.Expr = ir.Temp(slot)
        where = self.condition(depth) if self.r.random() < 0.6 else None
        body: ir.Expr | None = member
        keys: tuple[tuple[bool, ir.Expr], ...] = ()
        if kind in ("any", "every"):
            body = self.condition(depth)
        elif kind in ("sum", "max", "min"):
            body = self.number(depth)
        elif kind in ("only", "tied", "first"):
            keys = tuple((self.r.random() < 0.5, self.number(depth)) for _ in range(self.r.randint(1, 2)))
        elif kind == "count":
            body = None
        self.temps.pop()
        return ir.Fold(kind, ((slot, domain),), where, keys, body)

    # ------------------------------------------------------------ statements

    def statements(self, depth: int = 2) -> tuple[ir.Stmt, ...]:
        kept = self.temps[:]
        found = tuple(self.statement(depth) for _ in range(self.r.randint(1, 3)))
        self.temps = kept
        return found

    def statement(self, depth: int) -> ir.Stmt:
        r = self.r
        field = r.choice(self.ints)
        capped = self.between(-99, 99, self.number()) if r.random() > self.edges / 2 else self.number()
        makers = [
            lambda: ir.Store(field.address, INT, capped, "x"),
            lambda: ir.Store((near := r.choice(self.near)).address, NEAR, self.pick(lambda: capped, lambda: near), "y"),
            lambda: ir.Store(self.small.address, self.small.type, self.set(), "small"),
            lambda: ir.Store(ir.Linear(self.cells, ((self.between(0, 5, self.number(1)), 1),)), INT, capped, "cell"),
            self.set_temp,
            self.transfer,
            lambda: ir.AtomicEnd(("x",)),
            lambda: ir.Store(self.row.address, self.row.type, ir.ListOp("to_list", (self.two(),)), "row"),
        ]
        if self.frame:
            makers += [
                lambda: ir.SetFrame(r.choice(NUMBERS[1:]), INT, capped),
                lambda: ir.SetFrame(SET, SetType(THING), self.set()),
            ]
        if self.plain_procs:
            makers.append(lambda: ir.CallS(r.choice(self.plain_procs), (self.number(1),)))
        if depth > 0:
            makers += [
                lambda: ir.IfS(self.condition(), self.statements(depth - 1), self.statements(depth - 1)),
                lambda: self.for_each(depth - 1),
                lambda: ir.IfS(self.condition(), self.statements(depth - 1), ()),
            ]
        if r.random() < 0.02:
            return require(self.condition())
        return cast(ir.Stmt, self.pick(*makers))

    def two(self) -> ir.Expr:
        return ir.MakeSet((self.between(1, 9, self.number(1)), self.between(1, 9, self.number(1))))

    def set_temp(self) -> ir.Stmt:
        value = self.between(-50, 50, self.number())
        free = [n for n in range(8) if n not in self.temps]
        slot = self.r.choice(free) if len(free) > 4 else self.temps[-1]
        if slot not in self.temps:
            self.temps.append(slot)
        return ir.SetTemp(slot, value)

    def transfer(self) -> ir.Stmt:
        source, target = self.r.choice(self.pools), self.r.choice(self.pools)
        exact = self.r.random() < 0.1
        amount = self.between(0 if self.r.random() < 0.95 else -1, 3, self.number(1))
        moved = self.slot() if len(self.temps) < 4 else None
        if moved is not None:
            self.temps.append(moved)
        return ir.Transfer(amount, source, target, exact, self.r.choice((None, 6)), moved, "pieces", None)

    def for_each(self, depth: int) -> ir.Stmt:
        domain, slot = self.domain(), self.slot()
        kept = self.temps[:]
        self.temps.append(slot)
        body = self.statements(depth)
        if self.r.random() < 0.3:
            body += (ir.IfS(self.condition(1), (self.r.choice((ir.Break(), ir.Continue())),), ()), *self.statements(0))
        self.temps = kept
        return ir.For(slot, domain, body)

    # ------------------------------------------------------------ instructions

    def label(self) -> int:
        self.labels += 1
        return LABEL + self.labels

    def block(self, depth: int, callable_: list[int], out: list[Any], leave: int = END) -> None:
        """Instructions; `leave` is where a loop around them ends."""
        for _ in range(self.r.randint(1, 3)):
            self.instruction(depth, callable_, out, leave)

    def instruction(self, depth: int, callable_: list[int], out: list[Any], leave: int) -> None:
        r = self.r
        roll = r.random()
        if depth > 0 and roll < 0.2:
            self.branch(depth, callable_, out, leave)
        elif depth > 0 and roll < 0.4:
            self.loop(depth, callable_, out)
        elif roll < 0.6:
            out.append(self.ask(out))
        elif roll < 0.7 and callable_:
            out.append(ir.CallI(r.choice(callable_), (ir.Arith("-", ir.FrameVar(0, INT), C(1)),)))
            out.append(ir.Run((ir.SetFrame(1, INT, self.between(-9, 9, ir.LastResult())),)))
        elif roll < 0.76:
            out.append(ir.Chance("number", C(1), self.between(1, 4, self.number(1)), r.choice(NUMBERS[1:]), INT, "die"))
        elif roll < 0.78:
            out.append(self.lot())
        elif roll < 0.8 and depth < 2:
            out += [ir.Branch(self.condition(1), len_label := self.label()), ir.Give(self.number(1), END), len_label]
        elif roll < 0.84 and leave != END:
            out += [ir.Branch(self.condition(1), past := self.label()), ir.Jump(leave), past]
        elif roll < 0.88 and self.plain_procs:
            out.append(ir.Run((ir.Defer((self.b_proc,), r.choice(self.plain_procs), (self.number(1),)),)))
        else:
            out.append(ir.Run(self.statements()))

    def lot(self) -> ir.Chance:
        """A draw by weights, some of which are nothing, and some very large or below 0."""
        slot, some = self.slot(), self.set(1)
        self.temps.append(slot)
        weight = self.between(0, 9, self.number(1)) if self.r.random() < 0.9 else self.number(1)
        self.temps.pop()
        weights = ir.Fold("table", ((slot, ir.Domain("set", some)),), None, (), weight, 0, False, ((1, 40),))
        return ir.Chance("member", some, None, self.r.choice(NUMBERS[1:]), THING, "lot", weights=weights)

    def branch(self, depth: int, callable_: list[int], out: list[Any], leave: int) -> None:
        other, end = self.label(), self.label()
        out.append(ir.Branch(self.condition(), other))
        self.block(depth - 1, callable_, out, leave)
        out += [ir.Jump(end), other]
        if self.r.random() < 0.5:
            self.block(depth - 1, callable_, out, leave)
        out.append(end)

    def loop(self, depth: int, callable_: list[int], out: list[Any]) -> None:
        head, end, slot = self.label(), self.label(), self.r.choice(NUMBERS[1:])
        count = ir.FrameVar(slot, INT)
        out += [ir.Run((ir.SetFrame(slot, INT, C(0)),)), head]
        out.append(ir.Branch(ir.Compare("<", count, C(self.r.randint(1, 3))), end))
        out.append(ir.Run((ir.SetFrame(slot, INT, ir.Arith("+", count, C(1))),)))
        self.block(depth - 1, callable_, out, end)
        out += [ir.Jump(head), end]

    def ask(self, out: list[Any]) -> Any:
        r = self.r
        shape = r.choice(("one", "one", "one", "number", "some"))
        past = self.label()
        how: dict[str, Any] = {"decline": r.random() < 0.3, "if_any": True}
        if shape == "some":
            member = ir.Alternative("", (("v", 0, ir.Domain("set", self.set(1)), THING),), (), ())
            out.append(ir.Run((ir.SetFrame(CURSOR, INT, C(0)),)))
            bound = ir.Bound(r.choice(("at most", "at least", "exactly")), C(r.randint(0, 3)))
            s = site("some", member, bounds=(bound,), answer=(SET, SetType(THING)), cursor=CURSOR, whole_slot=7, **how)
        else:
            alternatives = []
            for k in range(1 if shape == "number" else r.randint(1, 2)):
                domain = self.domain() if shape == "one" else numbers(0, r.randint(0, 4))
                self.temps = [0]
                test = self.condition(1)
                self.temps = []
                alternatives.append(alternative(domain, test, slot=0, to=NUMBERS[k + 1]))
            if shape == "one" and r.random() < 0.5:
                alternatives.append(ir.Alternative("rest", (), (guard(self.condition(1)),), ()))
            several = len(alternatives) > 1
            s = site(shape, *alternatives, answer=(ANSWER, INT) if several or shape == "number" else None, **how)
        out.append(ir.Ask(self.b.site(s), past))
        return past

    # ------------------------------------------------------------ the program

    def procedure(self, name: str, callable_: list[int], depth: int) -> int:
        self.b_proc = len(self.b.procs)
        out: list[Any] = [ir.Branch(ir.Compare(">=", ir.FrameVar(0, INT), C(0)), END)]
        self.block(depth, callable_, out)
        self.temps = []
        at: dict[int, int] = {}
        rows: list[Any] = []
        for row in out:
            if isinstance(row, int):
                at[row] = len(rows)
            else:
                rows.append(row)
        at[END] = END

        def place(target: int) -> int:
            found = at[target]
            return END if found == len(rows) else found

        placed = []
        for row in rows:
            for field in ("target", "skip"):
                if hasattr(row, field):
                    row = replace(row, **{field: place(getattr(row, field))})
            placed.append(row)
        return self.b.proc(name, *placed, params=(("n", INT),), frame=FRAME)

    def program(self) -> Program:
        b, r = self.b, self.r
        for n in range(r.randint(0, 3)):
            self.temps = [0, 1]
            b.function(f"f{n}", self.number(3), 2)
            self.functions += 1
        for n in range(r.randint(0, 2)):
            self.temps = [0]
            body = self.statements()
            if r.random() < 0.5:
                body += (ir.IfS(self.condition(1), (ir.Return(self.number(1)),), ()), *self.statements(1))
            self.plain_procs.append(b.plain(f"p{n}", *body, params=(("n", INT),)))
        self.temps, self.frame = [], True
        made: list[int] = []
        for n in range(r.randint(1, 3)):
            # the procedure may call itself: its number is the next one
            made.append(self.procedure(f"r{n}", [*made, len(b.procs)], 2))
        start = ir.CallI(made[-1], (C(r.randint(1, 4)),))
        self.b_proc = len(b.procs)
        again: list[Any] = []
        self.block(1, made, again)
        b.proc("game", start, ir.Run(self.statements()), start, params=(), frame=FRAME)
        return b.program()


def random_program(seed: int) -> tuple[Program, Words]:
    """A program and the store that it begins with."""
    maker = Maker(seed)
    program = maker.program()
    words = new_store([0] * program.state_words)
    for at, value in program.init:
        words[at] = value
    words[SEATS] = 2
    rng.seed(words, seed)
    return program, words
