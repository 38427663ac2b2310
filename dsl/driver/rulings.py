"""The pass over positions and rulings: trees, symbols, then raw changes, steps and expectations.

Rulings need the rules and nothing needs the rulings, so their files are read when the rules are elaborated; where there
are many, `dsl.driver.prefetch` has parsed them by then, and a helper elaborates the last of them. It is for the usual
case that there is nothing to say: what it can not do in silence, and what has to be known of all files before something
else can be said, is read here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import islice

from dsl import ir
from dsl.base.fork import Ends, Helper, worth
from dsl.base.lazy import Shelf, pack
from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.checks.program import unknown_clauses
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import nodes
from dsl.elaborate.declarations.rulings import base_of, position, ruling, unknown_bases
from dsl.syntax import nodes as sx


@dataclass(slots=True)
class Packed:
    """What a helper has read: the last `count` files; `named` are its positions and rulings, `bases` the positions that
    they are put on."""

    count: int
    positions: bytes
    rulings: bytes
    needs: ir.Needs
    named: tuple[frozenset[str], frozenset[str]]
    bases: frozenset[str]


@dataclass(slots=True)
class Cases:
    """`begin`, then `complete`, then what is asked for the program; `parse` gives trees and reports to the model."""

    elab: Elaboration
    clauses: dict[str, dict[str, str]] | None
    parse: Callable[[Sequence[Source]], list[sx.File]]
    files: list[sx.File] = field(default_factory=list)  # that were read from sources here
    positions: dict[str, ir.Position] = field(default_factory=dict)
    rulings: dict[str, ir.Ruling] = field(default_factory=dict)
    left: Sequence[Source] = ()  # what is not read here
    ends: Ends = field(default_factory=lambda: Ends(0))  # where a helper is met
    helper: Helper | None = None
    packed: Packed | None = None  # what it has read

    def begin(self, trees: Sequence[sx.File], sources: Sequence[Source], helped: bool) -> None:
        """Reads those that stand among the rules, those of `trees`. Those of `sources` are read by a helper from now
        on, or all of them here where there is none."""
        m = self.elab.model
        self.elab.cases.read_before = {} if helped else None
        self.elab.collector.cases(trees)
        if not helped or m.diagnostics or not worth(sources):
            self.read_here(sources)
            unknown_bases(self.elab)
            return
        self.left, self.ends = sources, Ends(len(sources))
        self.helper = Helper(lambda: self.silently(sources))

    def complete(self) -> bool:
        """Reads from the first on until the helper is met. False: all has been read by now, but what was said before,
        and what was made of the rules, may not hold any more."""
        if self.helper is None:
            return True
        size = self.size()
        if not self.elab.model.diagnostics and self.meet(self.helper):
            return self.size() == size
        self.leave()
        self.packed = None
        self.read_here(self.left)
        unknown_bases(self.elab)
        return False

    def leave(self) -> None:
        """To be called in the end, whatever happened: no helper outlives the pass."""
        if self.helper is not None:
            self.helper.dismiss()
            self.helper = None

    def read_here(self, sources: Sequence[Source]) -> None:
        elab = self.elab
        trees = self.parse(sources)
        self.files += trees
        elab.collector.cases(trees)
        for d in islice(elab.model.positions.values(), len(self.positions), None):
            self.positions[d.name] = position(elab, d)
        known = len(self.rulings)
        for d in islice(elab.model.rulings.values(), known, None):
            self.rulings[d.name] = ruling(elab, d)
        if self.clauses is not None:
            cites = ((d.name, d.cites) for d in islice(elab.model.rulings.values(), known, None))
            unknown_clauses(elab, cites, self.clauses)

    # ------------------------------------------------------------ with a helper

    def meet(self, helper: Helper) -> bool:
        """Reads files until none is left but the helper's, and joins its part."""
        sources = self.left
        for number in self.ends.forward():
            self.left = sources[number + 1 :]
            self.read_here([sources[number]])
        self.helper = None
        self.packed = helper.answer()
        return self.packed is not None and not self.elab.model.diagnostics and self.joins(self.packed)

    def silently(self, sources: Sequence[Source]) -> Packed | None:
        """In the helper: its part, if there is nothing to say about it and it asks for nothing new of the program."""
        elab, size, count = self.elab, self.size(), 0
        self.positions, self.rulings = {}, {}
        elab.model.positions, elab.model.rulings = {}, {}
        for number in self.ends.backward():
            self.read_here([sources[number]])
            if elab.model.diagnostics or self.size() != size:
                return None
            count += 1
        order = {source.file: number for number, source in enumerate(sources)}
        positions = dict(sorted(self.positions.items(), key=lambda item: order[item[1].span.file]))
        rulings = dict(sorted(self.rulings.items(), key=lambda item: order[item[1].span.file]))
        named = frozenset(positions), frozenset(rulings)
        return Packed(count, pack(positions), pack(rulings), self.needs(), named, self.bases())

    def size(self) -> tuple[int, ...]:
        elab = self.elab
        out, m = elab.out, elab.model
        made = (out.functions, out.procs, out.code, out.site_bodies, m.tables_data, m.routines, elab.layout.entries)
        return tuple(map(len, made))

    def bases(self) -> frozenset[str]:
        m = self.elab.model
        return frozenset(base_of(d)[0] for d in (*m.positions.values(), *m.rulings.values())) - {""}

    def joins(self, packed: Packed) -> bool:
        """Whether the parts are all there is, no name is given in both, and all positions that are named are in one of
        them."""
        positions, rulings = packed.named
        if packed.count != len(self.left):
            return False
        if positions & self.positions.keys() or rulings & self.rulings.keys():
            return False
        return self.bases() | packed.bases <= positions | self.positions.keys()

    # ------------------------------------------------------------ for the program

    def shelves(self) -> tuple[Shelf[ir.Position], Shelf[ir.Ruling]]:
        """All positions and all rulings in their order."""
        if self.packed is None:
            return Shelf(self.positions), Shelf(self.rulings)
        return Shelf(self.positions, self.packed.positions), Shelf(self.rulings, self.packed.rulings)

    def needs(self) -> ir.Needs:
        tried: set[int] = set()
        changed = running = False
        cases: list[ir.Position | ir.Ruling] = [*self.positions.values(), *self.rulings.values()]
        asked: list[object] = [step.args for case in cases for step in case.steps]
        asked += [side for ruling in self.rulings.values() for e in ruling.expect for side in (e.left, e.right)]
        for node in nodes(tuple({id(part): part for part in asked}.values())):  # lines that come again share them
            if isinstance(node, ir.Possible):
                tried.add(node.proc)
                changed = changed or bool(node.waive or node.mods)
            elif isinstance(node, ir.Running):
                running = True
        temps = max((r.temps for r in self.rulings.values()), default=0)
        needs = ir.Needs(temps, frozenset(tried), changed, running)
        return needs if self.packed is None else needs.with_those(self.packed.needs)
