"""The options of a question, and taking one, as Python functions.

Options have the short form of `raw`. The order of loops and tests is that of `interpreter.choices.binding`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.constants import Rows
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.analysis.structure import Region
from interpreter.backends.python.emit.expressions import Scope
from interpreter.backends.python.emit.function import ANY, simple_arguments
from interpreter.backends.python.emit.inline_folds import cell_of, is_choice
from interpreter.backends.python.regions.region import Writer
from interpreter.backends.python.runtime.options import form_of
from interpreter.choices.binding import Level
from interpreter.core.words import SCALARS

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit

Item = Callable[[int, Sequence[str]], str]


class Listing(Scope):
    """Writes lists of bindings: loops over the binders of alternatives with the tests between them. `first`: the first
    alternative, while the number of its options is at hand in a variable of that name. `numbers`: whether options are
    numbers of alternatives."""

    first: tuple[list[ir.Expr], list[Level]] | None = None
    numbers = False

    def options(self, site: ir.Site) -> None:
        self.offers(site)
        self.line("return out")

    def offers(self, site: ir.Site) -> None:
        """The options of a question in their short form as the list `out`."""
        form = form_of(site)

        def item(k: int, values: Sequence[str]) -> str:
            if form == "value":
                return values[0]
            if self.numbers:
                return str(k)
            parts = [str(k), *values] if form == "alternative" else list(values)
            return f"({''.join(f'{p}, ' for p in parts)})"

        self.listing([self.unit.levels(a) for a in site.alternatives], item)
        if site.decline or site.if_any:
            wanted = []
            if not site.always_ask:
                wanted.append("out")
            if not site.decline:
                wanted.append("not out")
            if "out" not in wanted or "not out" not in wanted:
                head = f"if {' and '.join(wanted)}: " if wanted else ""
                self.line(f"{head}out.append(DECLINE)")

    def values(self, alternative: ir.Alternative) -> None:
        self.listing([self.unit.levels(alternative)], lambda _, values: f"({''.join(f'{v}, ' for v in values)})")
        self.line("return out")

    def row_list(self, alternative: ir.Alternative, more: Sequence[ir.Expr]) -> None:
        def row(_: int, values: Sequence[str]) -> str:
            return f"(({''.join(f'{v}, ' for v in values)}), {''.join(f'{self(e)}, ' for e in more)})"

        self.listing([self.unit.levels(alternative)], row, more)
        self.line("return out")

    def listing(
        self, alternatives: Sequence[tuple[list[ir.Expr], list[Level]]], item: Item, more: Sequence[ir.Expr] = ()
    ) -> None:
        single = len(alternatives) == 1
        constants = [k for k, (before, levels) in enumerate(alternatives) if not before and not levels]
        if len(constants) == len(alternatives):
            self.line(f"out = [{', '.join(item(k, ()) for k in constants)}]")
            return
        begun = False
        self.first = None
        for k, (before, levels) in enumerate(alternatives):
            if single and not before and levels and self.all_simple(levels, more):
                self.line(f"out = {self.comprehension(levels, partial(item, k))}")
                return
            if not begun:
                self.line("out = []")
                begun = True
            with self.inside():
                self.alternative(k, before, levels, item, more)
            if k == 0 and any(self.asks(test, alternatives[0]) for tests, _ in alternatives[1:] for test in tests):
                self.first = alternatives[0]
                self.line("first = len(out)")

    def alternative(
        self, k: int, before: Sequence[ir.Expr], levels: Sequence[Level], item: Item, more: Sequence[ir.Expr]
    ) -> None:
        folds = self.unit.folds
        if levels and self.all_simple(levels, more):
            self.only_if(before)
            self.line(f"out += {self.comprehension(levels, partial(item, k))}")
            return
        for level in levels:
            self.ready((*level.own, *level.joint))
        self.ready(more)
        kept = {}
        for depth, level in enumerate(levels):
            if depth and level.free and not constant(level):
                kept[depth] = self.fresh("k")
                self.line(f"{kept[depth]} = None")
        self.only_if(before)
        for depth, level in enumerate(levels):
            if depth in kept:
                name = kept[depth]
                self.line(f"if {name} is None:")
                with self.inside():
                    self.line.depth += 1
                    self.line(f"{name} = []")
                    alone = folds.tabled_level(self, replace(level, joint=()))
                    folds.over(self, alone.slot, alone.domain, alone.own)
                    span = self.names.ranges.get(level.slot, ANY)
                    for test in alone.own:
                        folds.nest(self, test)
                    self.line(f"{name}.append({self.temp(level.slot)})")
                self.line(f"for {self.bind(level.slot, span)} in {name}:")
                self.line.depth += 1
                tests = level.joint
            else:
                level = folds.tabled_level(self, level)
                tests = (*level.own, *level.joint)
                folds.over(self, level.slot, level.domain, tests)
            for test in tests:
                folds.nest(self, test)
        self.line(f"out.append({item(k, [self.temp(level.slot) for level in levels])})")

    def only_if(self, tests: Sequence[ir.Expr]) -> None:
        """What follows is done if the tests hold. Whether the first alternative has offered anything is not asked
        again."""
        for test in tests:
            asked = self.asks(test, self.first) if self.first is not None else ""
            if asked:
                self.line(asked)
                self.line.depth += 1
            else:
                self.unit.folds.nest(self, test)

    def asks(self, test: ir.Expr, alternative: tuple[list[ir.Expr], list[Level]]) -> str:
        """The same test of the options, if it asks whether an alternative offers something; else nothing."""
        before, levels = alternative
        found = self.unit.constants.asked(test)
        if before or len(levels) != 1 or found is None:
            return ""
        level, (positive, domain, where) = levels[0], found
        if (domain, where) != self.unit.constants.alike(level.slot, level.domain, (*level.own, *level.joint)):
            return ""
        return "if first:" if positive else "if not first:"

    def all_simple(self, levels: Sequence[Level], more: Sequence[ir.Expr]) -> bool:
        """Whether the loops over all levels are one Python expression; what belongs to no outer member is not made
        again for each."""
        for depth, level in enumerate(levels):
            if not self.simple(level, more) or (depth and level.free and not constant(level)):
                return False
        return True

    def simple(self, level: Level, more: Sequence[ir.Expr]) -> bool:
        """Whether the loop over a level and its tests are one Python expression."""
        return self.plain((*level.own, *level.joint, *more)) and self.plain((level.domain.a, level.domain.b), 1)

    def plain(self, node: Any, choices: int = 0, seen: frozenset[int] = frozenset()) -> bool:
        for n in walk(node):
            match n:
                case ir.Fold():
                    return bool(choices and isinstance(node, tuple) and n is node[0] and self.plain_choice(n))
                case ir.CallFn(fn, _) if choices and isinstance(node, tuple) and n is node[0]:
                    body = self.unit.program.functions[fn].body
                    if is_choice(body) and simple_arguments(n) and fn not in self.unit.facts.recursive_fns:
                        return self.plain((body.where, body.binders[0][1].a))
                    if not self.plain(body, 0, seen | {fn}):
                        return False
                case ir.Let() | ir.Reach() | ir.Possible():
                    return False
                case ir.CallFn(fn, _):
                    if fn in seen or not self.plain(self.unit.program.functions[fn].body, 0, seen | {fn}):
                        return False
        return True

    def plain_choice(self, e: ir.Fold) -> bool:
        return is_choice(e) and self.plain((e.where, e.binders[0][1].a))

    def comprehension(self, levels: Sequence[Level], item: Callable[[Sequence[str]], str]) -> str:
        """The text of a list of what passes the tests of some levels."""
        for level in levels:
            self.ready((*level.own, *level.joint))
        names = self.names.copy()
        values: list[str] = []
        clauses: list[str] = []
        for level in levels:
            clauses.append(self.clause(level, not clauses))
            values.append(self.temp(level.slot))
        with self.lazily():
            text = item(values)
        frame = self.names.frame
        self.names = names
        self.names.frame = frame
        return f"[{text} {' '.join(clauses)}]"

    def clause(self, level: Level, first: bool) -> str:
        """The loop over a level and its tests."""
        folds = self.unit.folds
        level = folds.tabled_level(self, level)
        tests = (*level.own, *level.joint)
        parts: list[str] = []
        chosen = folds.choice(self, level.domain.a) if level.domain.kind == "set" else None
        if chosen is None:
            parts.append(self.heading(level.slot, level.domain, tests, first))
        else:
            fold, inner = chosen
            slot, domain = fold.binders[0]
            before, self.names = self.names, inner
            where = () if fold.where is None else (fold.where,)
            parts.append(self.heading(slot, domain, where, first))
            with self.lazily():
                parts += [f"if {self.test(test)}" for test in where]
            v, span = self.names.temps[slot], self.names.ranges.get(slot, ANY)
            self.names = before.copy()
            self.names.temps[level.slot], self.names.ranges[level.slot] = v, span
            self.names.known.pop(level.slot, None)
        parts += self.words_at_hand(level.slot, tests)
        with self.lazily():
            parts += [f"if {self.test(test)}" for test in tests]
        return " ".join(parts)

    def heading(self, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr], first: bool) -> str:
        """`first`: what it reads may be put into variables before the list."""
        if isinstance(domain.a, Rows):
            return self.unit.folds.rows_head(self, slot, domain.a)
        before, self.sure = self.sure, self.sure and first
        head = self.unit.folds.columns(self, slot, domain, tests)
        self.sure = False
        if head is None:
            source, span = self.unit.folds.source(self, domain)
            head = f"for {self.bind(slot, span)} in {source}"
        self.sure = before
        return head

    def words_at_hand(self, slot: int, tests: Sequence[ir.Expr]) -> list[str]:
        """Words that the tests read more than once, as variables."""
        found = Counter(
            a for test in tests for n in walk(test) if isinstance(n, ir.Cell) and (a := cell_of(n, slot))
            if a.stride == 1 and not a.others
        )  # fmt: skip
        parts = []
        v = self.temp(slot)
        for place, times in found.items():
            if times > 1 and (v, place.const, 1, ()) not in self.cells:
                word = self.fresh("w")
                parts.append(f"for {word} in (S[{self.sum(place.const, v)}],)")
                self.cells[v, place.const, 1, ()] = word
        return parts


class Lister(Listing):
    """Writes functions that list bindings."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.frame = "B"
        self.line(f"B = S[{hdr.FP}] + {hdr.FRAME_LINK}")


def constant(level: Level) -> bool:
    """Whether the members of a level are known and no test needs them alone."""
    return not level.own and all(isinstance(e, ir.Const) or e is None for e in (level.domain.a, level.domain.b))


class Taker(Writer):
    """Writes a function that takes an option in its short form and runs on."""

    def __init__(self, unit: Unit, region: Region, pc: int, ask: ir.Ask) -> None:
        super().__init__(unit, region)
        self.pc, self.ask_node = pc, ask

    def write(self) -> None:
        site = self.program.sites[self.ask_node.site]
        self.line(f"S[{hdr.SITE}] = S[{hdr.STEPS}] = 0")
        if site.decline or site.if_any:
            self.line(f"if o is DECLINE: return {self.ask_node.skip}")
        self.base()
        form = form_of(site)
        if form == "alternative":
            self.alternatives(site)
        else:
            alternative = site.alternatives[0]
            for n, (slot, type_) in enumerate(alternative.slots[: len(alternative.binders)]):
                self.save(slot, type_, "o" if form == "value" else f"o[{n}]")
            if site.answer is not None:
                value = "1"
                if site.shape == "number":
                    value = "o" if form == "value" else "o[-1]"
                self.save(*site.answer, value)
        self.tree(self.region.tree())

    def save(self, slot: int, type_: Any, text: str) -> None:
        if type(type_) in SCALARS:
            self.keep(slot, type_, self.hold(text, "f"))
        else:
            self.put(self.frame_at(slot), type_, text, "a local", None)
            self.names.frame.pop(slot, None)

    def alternatives(self, site: ir.Site) -> None:
        """Write the values of the alternative that was taken, then its number."""
        word = "if"
        self.line("k = o[0]")
        for k, alternative in enumerate(site.alternatives):
            slots = alternative.slots[: len(alternative.binders)]
            if slots:
                self.line(f"{word} k == {k}:")
                self.line.depth += 1
                for n, (slot, type_) in enumerate(slots):
                    self.put(self.frame_at(slot), type_, f"o[{n + 1}]", "a local", None)
                self.line.depth -= 1
                word = "elif"
        if site.answer is not None:
            value = "o[-1]" if site.shape == "number" else "k + 1"
            self.save(*site.answer, value)
