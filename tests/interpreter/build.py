"""Small programs put together by hand for the tests of the machine.

`Build` assembles procedures from instructions whose jump targets count from the start of their procedure; the
epilogue (end list, leave) is added behind the last one, and `END` stands for its number.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import BOOL, INT, IntType, MemberType, Type, width
from dsl.program import FP, FRAME_LINK, HEADER, SEATS, SITE, Limits, Program
from interpreter.core import rng
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine

END = -7  # as a target: the epilogue
C = ir.Const
SEAT = MemberType("Seat", 1, 2)
COLOUR = MemberType("Colour", 1, 4)
RULE = Span("test.rules", 0, 4)


def add(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return ir.Arith("+", a, b)


def less(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return ir.Compare("<", a, b)


def equal(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    return ir.Compare("==", a, b)


def numbers(a: int, b: int) -> ir.Domain:
    return ir.Domain("range", C(a), C(b))


def among(*members: int) -> ir.Domain:
    return ir.Domain("set", C(sum(1 << v for v in members)))


def guard(test: ir.Expr, text: str = "a condition", cites: tuple[str, ...] = ()) -> ir.Guard:
    return ir.Guard(test, text, cites, RULE)


def require(test: ir.Expr, text: str = "a demand") -> ir.Require:
    return ir.Require(guard(test, text))


def alternative(
    domain: ir.Domain | None = None,
    *guards: ir.Expr,
    name: str = "x",
    slot: int = 0,
    to: int | None = None,
    type_: Type = INT,
    probe: ir.Possible | None = None,
) -> ir.Alternative:
    """One binder in temp `slot`, whose value goes to frame variable `to`."""
    binders = ((name, slot, domain, type_),) if domain else ()
    slots = ((to, type_),) if to is not None else ()
    return ir.Alternative(name, binders, tuple(guard(g) for g in guards), slots, probe)


def site(shape: str, *alternatives: ir.Alternative, seat: int = 1, **more: Any) -> ir.Site:
    return ir.Site("test.site", shape, C(seat), C(seat), SEAT, alternatives, temps=8, span=RULE, **more)


class Build:
    def __init__(self, **limits: int) -> None:
        self.limits = Limits(**limits)
        self.code: list[ir.Instr] = [ir.End()]
        self.procs: list[ir.Proc] = []
        self.sites: list[ir.Site] = []
        self.functions: list[ir.Function] = []
        self.purses: list[ir.Purse] = []
        self.invariants: list[ir.Invariant] = []
        self.tables: list[tuple[Any, ...]] = []
        self.layout: list[ir.LayoutEntry] = []
        self.zones = [ir.ZoneInstance("box", "box", 0, BOOL, 0, 0)]
        self.things = ["none", "north", "south"]
        self.placed = [0, 0, 0]
        self.init: list[tuple[int, int]] = []
        self.known_base = 0
        self.words = HEADER

    # ------------------------------------------------------------ declared state

    def field(self, symbol: str, type_: Type = INT, value: int = 0, piece: str = "") -> ir.Cell:
        at = self.words
        self.words += width(type_)
        self.layout.append(ir.LayoutEntry(symbol, at, (), type_, "field", piece=piece))
        if value:
            self.init.append((at, value))
        return ir.Cell(C(at), type_)

    def pool(self, symbol: str, value: int = 0, piece: str = "") -> ir.Pool:
        return ir.Pool("count", self.field(symbol, IntType(0, 999), value, piece).address, None, symbol)

    def thing(self, id_: str) -> int:
        self.things.append(id_)
        self.placed.append(self.words)
        self.words += 1
        return len(self.things) - 1

    def zone(self, symbol: str, kind: str, type_: Type, cap: int, audience: str = "all", holder: int = 0) -> int:
        self.layout.append(ir.LayoutEntry(symbol, self.words, (), type_, "zone", audience))
        self.zones.append(ir.ZoneInstance(symbol, kind, self.words, type_, cap, holder, audience))
        self.words += width(type_)
        return len(self.zones) - 1

    # ------------------------------------------------------------ routines

    def proc(
        self, name: str, *instrs: ir.Instr, params: tuple[tuple[str, Type], ...] = (), frame: int = 4, temps: int = 8
    ) -> int:
        entry = len(self.code)
        epilogue = entry + len(instrs)
        for i in instrs:
            for field in ("target", "skip", "empty"):
                if hasattr(i, field):
                    to = getattr(i, field)
                    if to == END or to >= 0:
                        i = replace(cast(Any, i), **{field: epilogue if to == END else entry + to})
            self.code.append(i)
        self.code += [ir.EndList(), ir.Leave()]
        self.procs.append(ir.Proc(name, "procedure", params, temps, True, (), entry, epilogue, frame, span=RULE))
        return len(self.procs) - 1

    def plain(self, name: str, *body: ir.Stmt, params: tuple[tuple[str, Type], ...] = (), temps: int = 8) -> int:
        self.procs.append(ir.Proc(name, "procedure", params, temps, False, body, span=RULE))
        return len(self.procs) - 1

    def site(self, s: ir.Site) -> int:
        self.sites.append(s)
        return len(self.sites) - 1

    def function(self, name: str, body: ir.Expr, params: int = 0, temps: int = 8) -> int:
        self.functions.append(ir.Function(name, (("p", INT),) * params, temps, INT, body))
        return len(self.functions) - 1

    def program(self, entry: int | None = None) -> Program:
        deferred, timed = self.words, self.words + self.limits.deferred * 6
        return Program(
            id="test",
            version="1",
            digest="",
            title={},
            seats=(1, 2),
            limits=self.limits,
            domains={
                "Seat": ir.DomainInfo("Seat", "kind", (1, 2), ("north", "south")),
                "Colour": ir.DomainInfo("Colour", "enum", (1, 2, 3, 4), ("red", "blue", "green", "black")),
            },
            thing_ids=tuple(self.things),
            thing_kinds=("",) * len(self.things),
            tables=tuple(self.tables),
            layout=tuple(self.layout),
            state_words=timed + self.limits.timed * 7,
            placed=tuple(self.placed),
            zones=tuple(self.zones),
            init=tuple(self.init),
            deferred_base=deferred,
            deferred_args=4,
            timed_base=timed,
            timed_args=4,
            functions=tuple(self.functions),
            procs=tuple(self.procs),
            code=tuple(self.code),
            sites=tuple(self.sites),
            purses=tuple(self.purses),
            invariants=tuple(self.invariants),
            options=(),
            entry=len(self.procs) - 1 if entry is None else entry,
            known_base=self.known_base,
        )

    # ------------------------------------------------------------ playing

    def blank(self) -> tuple[Machine, Words]:
        program = self.program()
        words = new_store([0] * program.state_words)
        for at, value in program.init:
            words[at] = value
        words[SEATS] = 2
        rng.seed(words, 1)
        return Machine(program), words

    def play(self, script: tuple[Any, ...] = (), machine: type[Machine] = Machine) -> tuple[Machine, Words]:
        """Start the entry procedure (the last one) and run to the first question."""
        m = machine(self.program())
        words = new_store(self.blank()[1])
        m.start(words, m.program.entry)
        m.run(words, script)
        return m, words

    def value(self, expr: ir.Expr) -> Any:
        m, words = self.blank()
        return m.evaluate(words, expr, [0] * 8)


def values(m: Machine, words: Words) -> list[tuple[int, ...]]:
    """The values of all options of the pending question, without `ready` and `decline`."""
    return [o.values for o in m.options(words) if o.kind not in ("ready", "decline")]


def kinds(m: Machine, words: Words) -> list[str]:
    return [o.kind for o in m.options(words)]


def take(m: Machine, words: Words, *wanted: int) -> None:
    """Answer with the option of these values."""
    option = next(o for o in m.options(words) if o.values == wanted and o.kind not in ("ready", "decline"))
    m.answer(words, option.code)


def frame_var(words: Words, slot: int) -> int:
    return words[words[FP] + FRAME_LINK + slot]


def asked(m: Machine, words: Words) -> ir.Site | None:
    return m.program.sites[words[SITE] - 1] if words[SITE] else None
