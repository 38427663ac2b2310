"""The Python text of a whole program: all functions, their names, and the objects that they need.

`Unit` writes what is asked for and whatever that refers to; `write` gives a `Module`, plain data that can be kept on
disk. Names are made from numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from dsl import ir
from dsl.base.types import INT_HIGH, MemberType, Type
from dsl.program import TIMED, TIMED_LINK, Program
from interpreter.backends.analysis.constants import Constants
from interpreter.backends.analysis.dataflow import facts, liveness, walk
from interpreter.backends.analysis.fixed_seats import certain
from interpreter.backends.analysis.memo import Memo
from interpreter.backends.analysis.structure import Outline, Region
from interpreter.backends.python.emit.expressions import Scope
from interpreter.backends.python.emit.folds import Folds
from interpreter.backends.python.emit.function import ANY, Range, held
from interpreter.backends.python.emit.inline_folds import is_choice
from interpreter.backends.python.emit.loads import Loads
from interpreter.backends.python.emit.moves import Moves
from interpreter.backends.python.emit.source import plain, prune, words_text
from interpreter.backends.python.emit.statements import Statements, writable
from interpreter.backends.python.regions.options import Lister, Taker
from interpreter.backends.python.regions.region import Writer, written
from interpreter.backends.python.runtime.module import Module
from interpreter.backends.python.runtime.options import form_of
from interpreter.choices.binding import Level, levels
from interpreter.choices.sequence import row_parts
from interpreter.core.words import members

STRETCHES = ((200, 90, 2), (2000, 20, 1))  # instructions of a program; of a stretch; passes of a loop in its middle
SHORTEST = (12, 1)  # the same in larger programs
MOST_KEPT = 1000  # arguments for which the values of one function are kept
LONG_LITERAL = 60  # characters of a value that gets a name


class Unit:
    def __init__(self, program: Program, checked: bool) -> None:
        program = certain(program)
        self.program, self.checked = program, checked
        self.facts = facts(program)
        self.live = liveness(program.code)
        self.memo = Memo(program, self.facts)
        self.constants = Constants(program, self.facts, self.memo.extents)
        self.limit = program.limits.steps
        self.folds = Folds(self)
        self.moves = Moves(self)
        self.by_reference: set[str] = set()
        self.written = written(program)
        self.outline = Outline(program)
        self.text: list[str] = []
        self.heads: dict[str, str] = {}  # named constants: text -> name
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}  # id of an object -> its number
        self.needs: dict[tuple[str, Type], str] = {}
        self.queue: list[tuple[str, Callable[[], None]]] = []
        self.asked: set[str] = set()
        self.alike: dict[str, str] = {}  # functions that stand for a part of another one, by their text
        self.count = 0
        self.known_levels = SimpleNamespace(levels={})
        self.wide_results = any(
            isinstance(n, ir.Give | ir.Return) and not (n.value is None or narrow(n.value))
            for n in walk((program.code, program.procs))
        )
        self.pools = {n.symbol for n in walk((program.code, program.procs, program.purses)) if isinstance(n, ir.Pool)}

    # ------------------------------------------------------------ names

    def literal(self, value: Any) -> str:
        """A value as text; a long one by name."""
        text = plain(value)
        if text is None:
            return self.object(value)
        return text if len(text) <= LONG_LITERAL else self.head(text, "C")

    def head(self, text: str, letter: str) -> str:
        name = self.heads.get(text)
        if name is None:
            name = self.heads[text] = f"{letter}_{len(self.heads)}"
        return name

    def object(self, value: Any) -> str:
        """What can not be written as text, by its number."""
        return f"K[{self.object_number(value)}]"

    def object_number(self, value: Any) -> int:
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return number

    def need(self, how: str, t: Type) -> str:
        return self.needs.setdefault((how, t), f"{how}_{len(self.needs)}")

    def loader(self, t: Type) -> str:
        return self.need("load", t)

    def saver(self, t: Type) -> str:
        return self.need("save", t)

    def zeros(self, n: int) -> str:
        return self.head(f"[0] * {n}", "Z")

    def add(self, letter: str, params: Sequence[str], lines: Sequence[str], name: str = "") -> str:
        body = [f"({', '.join(params)}):", *prune(lines)]
        if not name:
            same = "\n".join(body)
            if same in self.alike:
                return self.alike[same]
            self.count += 1
            name = self.alike[same] = f"_{letter}{self.count}"
        self.text += [f"def {name}{body[0]}", *body[1:]]
        return name

    def later(self, name: str, write: Callable[[], None]) -> str:
        """Write a function once, when its turn comes."""
        if name not in self.asked:
            self.asked.add(name)
            self.queue.append((name, write))
        return name

    # ------------------------------------------------------------ tables

    def table_span(self, number: int) -> Range:
        items = self.program.tables[number]
        if all(type(v) is int for v in items) and items:
            return min(items), max(items)
        return ANY

    def member_span(self, number: int) -> Range:
        masks = [v for v in self.program.tables[number] if type(v) is int and v > 0]
        found = [m for mask in masks for m in (members(mask)[0], members(mask)[-1])]
        return (min(found), max(found)) if found else (0, ANY[1])

    def item(self, s: Loads, number: int, offset: ir.Expr, as_members: bool) -> str:
        """The text of an item of a constant table; as the tuple of its members where it is a set."""
        items = self.program.tables[number]
        const, text = s.linear(offset)
        if not text and 0 <= const < len(items):
            return self.literal(members(items[const]) if as_members else items[const])
        low, high = s.span(offset)
        made = "members_of" if as_members else "table"
        if text and low >= 0 and high < len(items):
            pad = -const
            if 0 <= pad <= 4096:
                return f"{self.head(f'padded({number}, {pad}, {as_members})', 'P')}[{text}]"
        if text.isidentifier():
            return f"{self.head(f'{made}({number}, {-const})', 'M')}[{text}]"
        return f"{self.head(f'{made}({number}, 0)', 'M')}[{s.sum(const, text)}]"

    def row_size(self, number: int) -> int:
        """How many members the sets of a table have, if all have as many; else 0."""
        sizes = {mask.bit_count() for mask in self.program.tables[number] if type(mask) is int}
        return sizes.pop() if len(sizes) == 1 else 0

    def rows_item(self, s: Scope, outer: int, offset: ir.Expr, table: int, const: int, shift: int) -> str:
        """The text of the rows of a relation that belong to the members of an item of another."""
        at, text = s.linear(offset)
        if not text.isidentifier():
            return f"{self.head(f'rows_of({outer}, 0, {table}, {const}, {shift})', 'R')}[{s.sum(at, text) or 0}]"
        return f"{self.head(f'rows_of({outer}, {-at}, {table}, {const}, {shift})', 'R')}[{text}]"

    def levels(self, alternative: ir.Alternative) -> tuple[list[ir.Expr], list[Level]]:
        return levels(self.known_levels, alternative)

    # ------------------------------------------------------------ functions and procedures

    def function(self, number: int) -> str:
        return self.later(f"_f{number}", lambda: self.write_function(number, f"_f{number}"))

    def finder(self, number: int) -> str:
        """A function that says whether a chosen set has a member."""
        body = self.program.functions[number].body
        assert isinstance(body, ir.Fold) and is_choice(body)
        any_ = ir.Fold("any", body.binders, body.where, (), None)
        return self.later(f"_f{number}_any", lambda: self.write_function(number, f"_f{number}_any", any_))

    def write_function(self, number: int, name: str, body: ir.Expr | None = None) -> None:
        fn = self.program.functions[number]
        params = [f"p{i}" for i in range(len(fn.params))]
        s = Scope(self, params)
        s.names.ranges |= {slot: held(t) for slot, (_, t) in enumerate(fn.params)}
        self.folds.give(s, body or fn.body)
        if body is None and number in self.memo.extents:
            self.add("f", ["S", *params], s.line.text, f"{name}_v")
            self.remember(number, name, params)
        else:
            self.add("f", ["S", *params], s.line.text, name)

    def remember(self, number: int, name: str, params: list[str]) -> None:
        """A function that works its value out only if some word that it depends on has changed."""
        s = Scope(self, params)
        given = ", ".join(["S", *params])
        kept = self.head(f"{{}}  # {number}", "G")
        key = params[0] if len(params) == 1 else f"({''.join(f'{p}, ' for p in params)})"
        s.line(f"k = {words_text(self.memo.extents[number])}")
        if number in self.memo.timely and self.facts.timed:
            base, size = self.program.timed_base, TIMED_LINK + self.program.timed_args
            s.line(f"if S[{TIMED}]: k = (k, S[{base}:{base} + S[{TIMED}] * {size}])")
        s.line(f"e = {kept}.get({key})")
        s.line("if e is not None and e[0] == k: return e[1]")
        s.line(f"if len({kept}) >= {MOST_KEPT}: {kept}.clear()")
        s.line(f"v = {name}_v({given})")
        s.line(f"{kept}[{key}] = (k, v)")
        s.line("return v")
        self.add("f", ["S", *params], s.line.text, name)

    def procedure(self, number: int) -> str | None:
        """The name of a function that carries out a procedure that does not suspend; None: the reference does."""
        proc = self.program.procs[number]
        chain = self.facts.depth + 1 >= self.program.limits.frames
        if number in self.facts.recursive_procs or chain or not writable(proc.body):
            return None
        if any(isinstance(n, ir.Together) for n in walk(proc.body)) and any(
            isinstance(n, ir.Return) for n in walk(proc.body)
        ):
            return None
        return self.later(f"_p{number}", lambda: self.write_procedure(number))

    def write_procedure(self, number: int) -> None:
        proc = self.program.procs[number]
        params = [f"t{i}" for i in range(len(proc.params))]
        s = Statements(self, params)
        s.names.ranges |= {slot: held(t) for slot, (_, t) in enumerate(proc.params)}
        s.line("S[13] += 1")
        s.body(proc.body)
        self.add("p", ["S", *params], s.line.text, f"_p{number}")

    # ------------------------------------------------------------ questions

    def lister(self, number: int) -> str | None:
        site = self.program.sites[number]
        if not form_of(site):
            return None

        def write() -> None:
            s = Lister(self)
            s.options(site)
            self.add("l", ["S"], s.line.text, f"_l{number}")

        return self.later(f"_l{number}", write)

    def always_offers(self, number: int) -> bool:
        """Whether a question surely has an option."""
        site = self.program.sites[number]
        return any(not a.binders and not a.guards for a in site.alternatives)

    def write_bindings(self, number: int, alt: int) -> None:
        s = Lister(self)
        s.values(self.program.sites[number].alternatives[alt])
        self.add("v", ["S"], s.line.text, f"_v{number}_{alt}")

    def write_rows(self, number: int) -> None:
        s = Lister(self)
        site = self.program.sites[number]
        s.row_list(site.alternatives[0], row_parts(site))
        self.add("w", ["S"], s.line.text, f"_w{number}")

    def hides(self, t: Type | None) -> bool:
        """Whether members of a type can lie where not everybody sees them."""
        if not self.program.known_base or not isinstance(t, MemberType):
            return False
        return any(self.program.placed[v] for v in range(t.low, min(t.high + 1, len(self.program.placed))))

    # ------------------------------------------------------------ stretches

    def roots(self) -> list[int]:
        """Where the machine may go on: entries, returns, answers, outcomes, epilogues."""
        found = {p.entry for p in self.program.procs if p.suspends} | {
            p.epilogue for p in self.program.procs if p.suspends
        }
        for pc, i in enumerate(self.program.code):
            match i:
                case ir.CallI() | ir.Enter():
                    found.add(pc + 1)
                case ir.Ask(_, skip):
                    found |= {pc, pc + 1, skip}
                case ir.Chance(empty=empty):
                    found |= {pc, pc + 1, *((empty,) if empty >= 0 else ())}
                case ir.EndList() | ir.Drain():
                    found.add(pc)
        return sorted(pc for pc in found | {0} if pc >= 0 and pc in self.written)

    def region(self, pc: int) -> Region:
        size = len(self.program.code)
        limits = next((limits for most, *limits in STRETCHES if size <= most), SHORTEST)
        return Region(self.program, self.facts, self.outline, pc, self.written, *limits)

    def write_region(self, pc: int, done: set[int]) -> None:
        writer = Writer(self, self.region(pc))
        writer.write()
        self.add("r", ["S"], writer.line.text, f"_r{pc}")
        done |= writer.exits

    def write_taker(self, pc: int, ask: ir.Ask, done: set[int]) -> None:
        writer = Taker(self, self.region(pc + 1), pc, ask)
        writer.write()
        self.add("k", ["S", "o"], writer.line.text, f"_k{pc}")
        done |= writer.exits

    def write(self) -> Module:
        program = self.program
        exits: set[int] = set()
        takers = []
        for pc, i in enumerate(program.code):
            if isinstance(i, ir.Ask) and form_of(program.sites[i.site]):
                self.write_taker(pc, i, exits)
                takers.append(pc)
        regions: list[int] = []
        queue = self.roots()
        while queue:
            for pc in queue:
                self.write_region(pc, exits)
                regions.append(pc)
            queue = sorted(pc for pc in exits if pc in self.written and pc not in set(regions))
        bindings, rows = [], []
        for n, site in enumerate(program.sites):
            if form_of(site):
                self.lister(n)
                continue
            for k in range(len(site.alternatives)):
                self.write_bindings(n, k)
                bindings.append((n, k))
            if site.shape in ("some", "amounts"):
                self.write_rows(n)
                rows.append(n)
        for n in range(len(program.functions)):
            self.function(n)
        procedures = [n for n, p in enumerate(program.procs) if not p.suspends and self.procedure(n)]
        self.finish()
        heads = [f"{name} = {text}" for text, name in self.heads.items()]
        return Module(
            "\n".join([*heads, *self.text]) + "\n",
            self.objects,
            [(name, how, t) for (how, t), name in self.needs.items()],
            tuple(regions),
            tuple(takers),
            tuple(n for n, site in enumerate(program.sites) if form_of(site)),
            tuple(bindings),
            tuple(rows),
            tuple(range(len(program.functions))),
            tuple(procedures),
            tuple(sorted(self.by_reference)),
            self.facts.plans,
        )

    def finish(self) -> None:
        """Write what has been asked for."""
        while self.queue:
            waiting, self.queue = self.queue, []
            for _, write in waiting:
                write()


def narrow(e: ir.Expr) -> bool:
    """Whether a result is surely a number that fits a word."""
    match e:
        case ir.Const(int() as v):
            return abs(v) <= INT_HIGH
        case ir.Compare() | ir.Not() | ir.And() | ir.Or() | ir.InSet() | ir.InList() | ir.Subset():
            return True
    return False
