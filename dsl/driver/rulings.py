"""The pass over positions and rulings: trees, symbols, then raw changes, steps and expectations.

Rulings need the rules and nothing needs the rulings, so their files are read after the rules are elaborated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TypeAlias

from dsl import ir
from dsl.base.lazy import LazyMapping, pack
from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.checks.program import check_citations
from dsl.driver.interface import extent, interface_digest, mark, marked, unmark
from dsl.driver.kept import Kept, key_of, tree
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import nodes
from dsl.elaborate.declarations.rulings import read_position, read_ruling, report_unknown_bases
from dsl.symbols.collect import collect_cases
from dsl.syntax import nodes as sx

Read: TypeAlias = "Callable[[], Cases]"


@dataclass(slots=True)
class Cases:
    """The trees of files that were not parsed with the rules, all positions and all rulings."""

    files: list[sx.File] = field(default_factory=list)
    positions: LazyMapping[ir.Position] = field(default_factory=lambda: LazyMapping({}))
    rulings: LazyMapping[ir.Ruling] = field(default_factory=lambda: LazyMapping({}))
    known: ir.Needs | None = None  # of those that were kept

    def needs(self) -> ir.Needs:
        """What they need from a machine."""
        if self.known is not None:
            return self.known
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
        return ir.Needs(temps, frozenset(tried), changed, running)


def read_cases(
    elab: Elaboration,
    clauses: dict[str, dict[str, str]] | None,
    trees: Sequence[sx.File],
    later: Sequence[Source],
    parse: Callable[[Sequence[Source]], list[sx.File]],
) -> Cases:
    """The positions and rulings of `trees`, which were parsed with the rules, and of the files of `later`, of which
    `parse` gives trees; with an index of `clauses`, what rulings cite is looked up in it."""
    collect_cases(elab.model, trees)
    files = parse(later)
    collect_cases(elab.model, files)
    positions = {d.name: read_position(elab, d) for d in elab.model.positions.values()}
    rulings = {d.name: read_ruling(elab, d) for d in elab.model.rulings.values()}
    if clauses is not None:
        check_citations(elab, ((d.name, d.cites) for d in elab.model.rulings.values()), clauses)
    report_unknown_bases(elab)
    return Cases(files, LazyMapping(positions), LazyMapping(rulings))


def kept_cases(
    elab: Elaboration, clauses: dict[str, dict[str, str]] | None, later: Sequence[Source], kept: Kept, read: Read
) -> Cases:
    """What `read` gives of the files of `later`, from `kept` where they and all that they may read are as they were.
    Only what rulings give in silence is kept, and if they add nothing to the program."""
    trees = [key_of(tree, source) for source in later]
    key = hashlib.sha256(b"".join((b"rulings", interface_digest(elab, clauses), *trees))).digest()
    if (found := kept.get(key)) is not None:
        positions, rulings, needs, used = found
        kept.hold(trees)
        mark(elab.model, used)
        return Cases([], LazyMapping(positions), LazyMapping(rulings), needs)
    before, others = extent(elab), marked(elab.model)
    unmark(elab.model)
    cases = read()
    used = marked(elab.model)
    mark(elab.model, others)
    if extent(elab) == before:
        cases.known = cases.needs()
        kept.add(key, pack((cases.positions.packed(), cases.rulings.packed(), cases.known, used)))
    return cases
