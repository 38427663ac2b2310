"""The pass over positions and rulings: trees, symbols, then raw changes, steps and expectations.

Rulings need the rules and nothing needs the rulings, so their files are read after the rules are elaborated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from typing import TypeAlias

from dsl import ir
from dsl.base.lazy import LazyMapping, pack
from dsl.base.record import dataclass
from dsl.base.span import Source
from dsl.checks.program import check_citations
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.part_cache import PartCache, part_key, tree
from dsl.driver.ruling_interface import clear_used, interface_digest, mark_used, program_sizes, used_symbols
from dsl.elaborate.cases.holding import NO_LAYERS, Layers, leave_out_what_holds_elsewhere, overlays_named
from dsl.elaborate.cases.rulings import read_position, report_unknown_bases
from dsl.elaborate.cases.tables import read_rulings, write_out_tables
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import nodes
from dsl.files.ruleset import RULING
from dsl.symbols.collect import collect_cases
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx

Read: TypeAlias = "Callable[[], Cases]"


@dataclass(slots=True)
class Cases:
    """The trees of files that were not parsed with the rules, all positions and all rulings."""

    files: list[sx.File] = field(default_factory=list)
    positions: LazyMapping[ir.Position] = field(default_factory=lambda: LazyMapping({}))
    rulings: LazyMapping[ir.Ruling] = field(default_factory=lambda: LazyMapping({}))
    known: ir.Needs | None = None  # of cached ones
    broken: tuple[str, ...] = ()  # left out, since there are errors in them
    # rulings that hold for other overlays, options or numbers of seats only -> their files
    elsewhere: dict[str, str] = field(default_factory=dict)
    overlays: dict[str, bool] = field(default_factory=dict)  # that `holds` names -> whether there is one

    def needs(self) -> ir.Needs:
        """All that these rulings and positions need from a machine."""
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


def without_broken(cases: Cases, model: Model, errors: Sequence[Diagnostic]) -> Cases | None:
    """The cases without those that have errors and those that begin with such a position; None if an error stands
    elsewhere, where it spoils the program."""
    if not errors:
        return cases
    declared = sorted((*model.positions.values(), *model.rulings.values()), key=lambda d: d.span.start)
    broken: set[str] = set()
    for error in errors:
        in_file = [d for d in declared if d.span.file == error.span.file and d.span.start <= error.span.start]
        at = in_file[-1] if in_file else None
        if not error.span.file.endswith(RULING) and (at is None or error.span.start >= at.span.end):
            return None
        if at is not None:
            broken |= {d.name for d in declared if d.span == at.span}  # all rows of a table
    bases = {name: case.base for kept in (cases.positions, cases.rulings) for name, case in kept.items()}
    while spoilt := {name for name, base in bases.items() if base in broken} - broken:
        broken |= spoilt
    positions = {name: case for name, case in cases.positions.items() if name not in broken}
    rulings = {name: case for name, case in cases.rulings.items() if name not in broken}
    return Cases(
        cases.files,
        LazyMapping(positions),
        LazyMapping(rulings),
        None,
        tuple(sorted(broken)),
        cases.elsewhere,
        cases.overlays,
    )


def read_cases(
    elab: Elaboration,
    clauses: dict[str, dict[str, str]] | None,
    trees: Sequence[sx.File],
    later: Sequence[Source],
    parse: Callable[[Sequence[Source]], list[sx.File]],
    layers: Layers = NO_LAYERS,
) -> Cases:
    """The positions and rulings of `trees`, which were parsed with the rules, and of the files of `later`, of which
    `parse` gives trees; with an index of `clauses`, what rulings cite is looked up in it. What does not hold under the
    overlays of `layers` is left out."""
    collect_cases(elab.model, trees)
    files = parse(later)
    collect_cases(elab.model, files)
    write_out_tables(elab)
    cases = (*elab.model.positions.values(), *elab.model.rulings.values())
    names = overlays_named(cases, layers.options | elab.model.options.keys())
    overlays = {name: name in layers.known | layers.applied for name in sorted(names)}
    elsewhere = leave_out_what_holds_elsewhere(elab, layers)
    positions = {d.name: read_position(elab, d) for d in elab.model.positions.values()}
    rulings = read_rulings(elab)
    if clauses is not None:
        rows = elab.cases.rows
        cited = ((rows[d.name].of.name if d.name in rows else d.name, d.cites) for d in elab.model.rulings.values())
        check_citations(elab, dict.fromkeys(cited), clauses)  # of a table once
    report_unknown_bases(elab)
    return Cases(files, LazyMapping(positions), LazyMapping(rulings), None, (), elsewhere, overlays)


def read_cached_cases(
    elab: Elaboration,
    clauses: dict[str, dict[str, str]] | None,
    later: Sequence[Source],
    part_cache: PartCache,
    read: Read,
    known: Collection[str],
) -> Cases:
    """The rulings and positions that `read` gives for the files of `later`, from `part_cache` if neither they nor
    anything that they may read has changed, nor the names of the overlays that are `known`. Rulings are cached only if
    they raise no message and add nothing to the program."""
    trees = [part_key(tree, source) for source in later]
    names = "+".join(sorted(known)).encode()
    key = hashlib.sha256(b"".join((b"rulings", interface_digest(elab, clauses), names, *trees))).digest()
    if (found := part_cache.get(key)) is not None:
        positions, rulings, needs, used, elsewhere, overlays = found
        part_cache.retain(trees)
        mark_used(elab.model, used)
        return Cases([], LazyMapping(positions), LazyMapping(rulings), needs, (), elsewhere, overlays)
    before, others = program_sizes(elab), used_symbols(elab.model)
    clear_used(elab.model)
    cases = read()
    used = used_symbols(elab.model)
    mark_used(elab.model, others)
    if program_sizes(elab) == before:
        cases.known = cases.needs()
        found = (cases.positions.packed(), cases.rulings.packed(), cases.known, used, cases.elsewhere, cases.overlays)
        part_cache.add(key, pack(found))
    return cases
