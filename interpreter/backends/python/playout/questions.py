"""Questions in a function that plays a whole game: options are listed where they are asked, and one is drawn at once.

The short forms of options are those of `raw`. Where an option is nothing but the number of its alternative, it is that
number; where the options are always the same, none are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.dataflow import free
from interpreter.backends.analysis.playout_graph import ACCEPTED, ASKED, Node, Whole
from interpreter.backends.python.emit.function import ANY, Range
from interpreter.backends.python.emit.inline_folds import constant_members
from interpreter.backends.python.playout.pool_index import Indexes
from interpreter.backends.python.playout.reuse import Reuse
from interpreter.backends.python.regions.options import Listing
from interpreter.backends.python.regions.region import Writer
from interpreter.backends.python.runtime.options import form_of
from interpreter.choices.binding import Level
from interpreter.core.words import members

MOST_ROWS = 64  # of options that are known beforehand
RESET = "#reset"  # the mark for work that called functions have counted


class Unplayable(Exception):
    """The function can not be written."""


class Asking(Reuse, Indexes, Listing, Writer):
    node: Node
    whole: Whole

    def variable(self, slot: int) -> str:
        raise NotImplementedError

    def question(self, node: Node) -> None:
        """List and draw, or put what was drawn into its variables."""
        assert node.site is not None
        site, way = node.site, node.spot.way
        if way >= ACCEPTED:
            self.accept(site, way - ACCEPTED)
            return
        if way != ASKED:
            self.listed(node)
        if few := self.always(site):
            self.line(f"o = int(draw() * {few})")
        elif (same := self.same(site)) is not None:
            self.line(f"o = {self.unit.literal(same)}[int(draw() * {len(same)})]")
        else:
            self.line("o = out[int(draw() * len(out))]")
        self.line("q += 1")
        self.line("w = 0")
        self.line(RESET)
        self.work = 0
        if self.unit.wide_results:
            self.line(f"if not is_number(S[{hdr.RV}]): S[{hdr.RV}] = 0")

    # ------------------------------------------------------------ what is offered

    def always(self, site: ir.Site) -> int:
        """The number of options where it is known, and they are numbers of alternatives."""
        plain = self.compacted(site) and not (site.decline or site.if_any)
        return len(site.alternatives) if plain and not any(a.guards for a in site.alternatives) else 0

    def same(self, site: ir.Site) -> tuple[int, ...] | None:
        """The options where they are always the same members of a set."""
        if form_of(site) != "value" or site.decline or site.if_any or site.alternatives[0].guards:
            return None
        match site.alternatives[0].binders[0][2]:
            case ir.Domain("set", ir.Const(int() as mask)) if mask:
                return members(mask)
        return None

    def compacted(self, site: ir.Site) -> bool:
        return len(site.alternatives) > 1 and not any(a.binders for a in site.alternatives)

    def listed(self, node: Node) -> None:
        assert node.site is not None
        site = node.site
        if not form_of(site):
            raise Unplayable
        if self.always(site) or self.same(site) is not None:
            return
        self.hold_common([g.test for a in site.alternatives for g in a.guards])
        self.numbers = self.compacted(site)
        with self.inside():
            self.offers(site)
        self.numbers = False

    def comprehension(self, levels: Sequence[Level], item: Any) -> str:
        """The kinds of pieces in a pool are at hand; so are the members of a set that need no test."""
        if len(levels) == 1:
            level = levels[0]
            counts = self.kept(level.domain.a) if level.domain.kind == "set" else None
            if counts is not None and not (level.own or level.joint) and item(["x"]) == "x":
                return self.kinds(counts)
            if not (level.own or level.joint) and isinstance(level.domain.a, ir.Arith) and item(["x"]) == "x":
                return f"members({self(level.domain.a)})"
            few = constant_members(levels[0].domain) or ()
            if self.sure and 0 < len(few) <= self.written_out:
                return self.one_by_one(levels[0], few, item)
        return super().comprehension(levels, item)

    def one_by_one(self, level: Level, few: Sequence[int], item: Any) -> str:
        """A list of those of a few members that pass the tests, without a loop."""
        out = self.fresh()
        self.line(f"{out} = []")
        for v in few:
            with self.inside(), self.lazily():
                self.names.temps[level.slot], self.names.ranges[level.slot] = str(v), (v, v)
                self.names.known[level.slot] = v
                tests = [self.test(test) for test in (*level.own, *level.joint)]
                head = f"if {' and '.join(tests)}: " if tests else ""
                self.line(f"{head}{out}.append({item([str(v)])})")
        return out

    def alternative(
        self, k: int, before: Sequence[ir.Expr], levels: Sequence[Level], item: Any, more: Sequence[ir.Expr]
    ) -> None:
        """Pairs of which the second member does not matter for some first ones are rows of known options."""
        split = self.split(levels[1]) if len(levels) == 2 and not more else None
        low, high = self.ends(levels[0].domain) if levels else ANY
        if split is None or not 0 <= low <= high < MOST_ROWS:
            super().alternative(k, before, levels, item, more)
            return
        folds, (one, two) = self.unit.folds, levels
        for test in before:
            folds.nest(self, test)
        tests = (*one.own, *one.joint)
        folds.over(self, one.slot, one.domain, tests)
        for test in tests:
            folds.nest(self, test)
        first, second = self.temp(one.slot), constant_members(two.domain) or ()
        rows = [f"{a}: [{', '.join(item(k, [str(a), str(b)]) for b in second)}]" for a in range(low, high + 1)]
        table = self.unit.head(f"{{{', '.join(rows)}}}", "R")
        whole, rest = split
        self.line(f"if {self.test(whole)}: out += {table}[{first}]")
        self.line("else:")
        row, at = self.fresh("y"), len(item(k, ["a", "b"]).split(",")) - 2
        self.names.temps[two.slot], self.names.ranges[two.slot] = f"{row}[{at}]", (second[0], second[-1])
        with self.lazily():
            self.line(f" out += [{row} for {row} in {table}[{first}] if {self.test(rest)}]")

    def ends(self, d: ir.Domain) -> Range:
        """The least and the greatest member that a domain can have."""
        if d.kind == "range" and d.b is not None:
            return self.span(d.a)[0], self.span(d.b)[1]
        found = constant_members(d)
        return (found[0], found[-1]) if found else ANY

    def split(self, level: Level) -> tuple[ir.Expr, ir.Expr] | None:
        """The tests of a level with known members as one that does not look at them, and one for the case that it
        fails."""
        match (*level.own, *level.joint):
            case (ir.Or((first, *rest)),) if rest and level.slot not in free(first) and not level.own:
                if constant_members(level.domain) and self.plain((first, *rest)):
                    return first, ir.Or(tuple(rest)) if len(rest) > 1 else rest[0]
        return None

    # ------------------------------------------------------------ what was drawn

    def outcome(self, node: Node, at: int) -> str:
        """The condition that an option of one of the alternatives was drawn."""
        site = node.site
        assert site is not None
        if site.decline or site.if_any:
            if len(site.alternatives) == 1:
                return "o is not DECLINE"
            if self.compacted(site):
                return f"o == {at}"
            return f"o is not DECLINE and o[0] == {at}"
        return f"o == {at}" if self.compacted(site) else f"o[0] == {at}"

    def accept(self, site: ir.Site, at: int) -> None:
        if at == len(site.alternatives):
            return
        form, alternative = form_of(site), site.alternatives[at]
        slots = alternative.slots[: len(alternative.binders)]
        for n, (slot, t) in enumerate(slots):
            if not self.whole.needed(self.node, slot):
                continue
            self.keep(slot, t, "o" if form == "value" else f"o[{n + (form == 'alternative')}]")
            domain = alternative.binders[n][2]
            if domain.kind == "set" and (counts := self.kept(domain.a)) is not None:
                self.there |= {(self.variable(slot), counts.const)}
        if site.answer is not None and self.whole.needed(self.node, site.answer[0]):
            value = str(at + 1)
            if site.shape == "number":
                value = "o" if form == "value" else "o[-1]"
            self.keep(*site.answer, value)

    def still(self, site: ir.Site) -> str:
        """Whether the answer that stands in the frame could be given now."""
        if len(site.alternatives) > 1 or not form_of(site):
            raise Unplayable
        alternative = site.alternatives[0]
        known = dict(self.node.spot.known[-1])
        slots = list(alternative.slots[: len(alternative.binders)])
        if site.shape == "number" and site.answer is not None:
            slots = [site.answer]
        values = [str(known[slot]) if slot in known else self.variable(slot) for slot, _ in slots]
        if len(values) == 1 and not alternative.guards and (domain := alternative.binders[0][2]).kind == "set":
            if (counts := self.kept(domain.a)) is not None and (values[0], counts.const) in self.there:
                return "True"
        if len(values) == len(alternative.binders) == 1 and (found := self.still_offered(alternative, values[0])):
            return found
        with self.inside():
            self.offers(site)
        given = values[0] if len(alternative.binders) == 1 else f"({''.join(f'{v}, ' for v in values)})"
        return f"{given} in out"
