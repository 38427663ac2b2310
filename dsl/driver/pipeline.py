"""All passes in their order: parse, overlay, collect, lay out, elaborate, read the rulings, check, assemble.

`compile_texts` takes the texts of a ruleset and gives a program, or None, with the diagnostics of all files. Each pass
is a function or class of its own; nothing here knows what a word means.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Container, Sequence
from copy import copy
from dataclasses import field
from pathlib import Path
from typing import TypeAlias

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.spelling import nearest
from dsl.checks.consequences import sort_diagnostics, without_consequences
from dsl.checks.declared_twice import report_lost_names
from dsl.checks.display.dropped import without_members
from dsl.checks.display.names import SEATS, check_display
from dsl.checks.manifest import check_manifest
from dsl.checks.misspelt import report_misspelt
from dsl.checks.old_spellings import told_once
from dsl.checks.program import check_program
from dsl.checks.stand_ins import check_stand_ins
from dsl.checks.wording.placeholders import mark_named_in_headings
from dsl.checks.wording.texts import check_locale
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.assemble import Values, assemble, manifest_values, with_cases
from dsl.driver.lost_signs import mend_lost_signs
from dsl.driver.part_cache import PartCache
from dsl.driver.rulings import Cases, read_cached_cases, read_cases, without_broken
from dsl.elaborate import elaborator
from dsl.elaborate.cases.holding import Layers
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.records import TimedRule
from dsl.elaborate.events.timed import attach_timed
from dsl.elaborate.histories.parts import place_histories
from dsl.files.documents import (
    Documents,
    Manifest,
    laid_over,
    read_clauses,
    read_display,
    read_locale,
    read_manifest,
    tag_help,
)
from dsl.files.drawings import read_drawing
from dsl.files.phrases import canonical_tag
from dsl.files.read_through import ReadThrough, read_uncached
from dsl.files.ruleset import RULING, FileTexts
from dsl.files.yaml import merge_documents
from dsl.knowledge.ruleset import Knowledge, examine
from dsl.overlay import ALL_ERRATA, ErrataChoice
from dsl.overlay.layers import apply_overlays
from dsl.program import Limits, Program
from dsl.symbols.beginnings import fill_state
from dsl.symbols.collect import Collector
from dsl.symbols.layout import assign_addresses, check_size
from dsl.symbols.records import Records
from dsl.symbols.symbols import Model
from dsl.syntax.nodes import Decl, File
from dsl.syntax.parser import parse_file

Parse: TypeAlias = Callable[[str, str], tuple[File, list[Diagnostic]]]


@dataclass(slots=True)
class PassResults:
    """The results of all passes but the last one, for editors and for the assembly of a program."""

    model: Model
    documents: Documents
    files: tuple[File, ...]  # the rules with the values for bots, overlays applied
    found: list[Diagnostic] = field(default_factory=list)
    elab: Elaboration | None = None  # None: the passes ended early
    values: Values = ({}, -1, ())  # those that the manifest names
    cases: Cases | None = None  # positions and rulings
    know: Knowledge | None = None  # who may know what; None: nothing is hidden
    wanted: tuple[str, ...] = ()  # addresses for which a complete translation has a text


def compile_texts(
    texts: FileTexts,
    name: str,
    digest: str,
    seats: tuple[int, int] = (2, 4),
    timed: tuple[TimedRule, ...] = (),
    chosen: ErrataChoice = ALL_ERRATA,
    part_cache: PartCache | None = None,
) -> tuple[Program | None, list[Diagnostic]]:
    """Run all passes. `seats` counts where no manifest says otherwise; `digest` names the program; `chosen` says which
    errata apply; parts of files that are in `part_cache` are not made again. A ruling with errors is left out of the
    program; other errors leave none."""
    done = run_all_passes(texts, name, seats, timed, chosen, part_cache, resolve_every_word=False)
    if done.elab is None or done.cases is None:
        return None, done.found
    cases = without_broken(done.cases, done.model, errors(done.found))
    if cases is None:
        return None, done.found
    rules = assemble(done.elab, name, done.documents, done.values, done.know, done.wanted)
    return with_cases(rules, cases, digest, tuple(done.found)), done.found


def run_all_passes(
    texts: FileTexts,
    name: str,
    seats: tuple[int, int],
    timed: tuple[TimedRule, ...],
    chosen: ErrataChoice,
    part_cache: PartCache | None = None,
    resolve_every_word: bool = True,
) -> PassResults:
    """Run all passes but the last. Where the elaboration finds rules under `until end of` that are not in `timed`, all
    passes run once more with them. Without `resolve_every_word` the model lacks the targets of names in repeated lines
    of rulings, which are then read only once."""
    while True:
        done, more = run_passes_once(texts, name, seats, timed, chosen, part_cache, resolve_every_word)
        if not more:
            return done
        timed += more


def run_passes_once(
    texts: FileTexts,
    name: str,
    seats: tuple[int, int],
    timed: tuple[TimedRule, ...],
    chosen: ErrataChoice,
    part_cache: PartCache | None,
    resolve_every_word: bool,
) -> tuple[PassResults, tuple[TimedRule, ...]]:
    """The results of the passes, and the timed rules that were missing from `timed`. Errors leave incomplete symbols,
    and whatever a later pass meets in such a hole is no reason to keep them back: a note says that it ended early."""
    model = Model()
    model.sources = texts.all()
    texts = copy(texts)  # its layers are put in order and left out; the next run starts from all of them again
    done = PassResults(model, Documents(None), ())
    try:
        if more := run_each_pass(done, texts, name, seats, timed, chosen, part_cache, resolve_every_word):
            return done, more
        done.found = shown_diagnostics(done, texts)
    except Exception as fault:
        if not errors(model.diagnostics) or os.environ.get("RULEWRIGHT_DEBUG"):
            raise
        done.elab = None
        model.diagnostics.append(ended_early(fault))
        done.found = sort_diagnostics(model.diagnostics)
    return done, ()


def run_each_pass(
    done: PassResults,
    texts: FileTexts,
    name: str,
    seats: tuple[int, int],
    timed: tuple[TimedRule, ...],
    chosen: ErrataChoice,
    part_cache: PartCache | None,
    resolve_every_word: bool,
) -> tuple[TimedRule, ...]:
    """Fill `done`; gives the timed rules that were missing from `timed`, with which all has to be done again."""
    model = done.model
    read_through: ReadThrough = part_cache.read if part_cache else read_uncached
    manifest = None
    if texts.manifest is not None:
        manifest, model.diagnostics = read_through(read_manifest, texts.manifest)
    prefix = texts.manifest.file.removesuffix("ruleset.yaml") if texts.manifest else f"rulesets/{name}/"
    reader = RuleReader(model, manifest, prefix, part_cache.parse if part_cache else parse_file)
    files, bots, later = reader.rules(texts, name, chosen)
    of_base = manifest.seats if manifest else None
    for layer in texts.overlays:
        if manifest is not None and layer.manifest is not None:
            manifest, faults = laid_over(manifest, layer.manifest)
            model.diagnostics += faults
    seats = manifest.seats if manifest else seats
    limits = manifest.limits if manifest else Limits()
    rules = [tree for tree in files if not tree.path.endswith(RULING)]
    no_longer = seats_left_out(of_base, manifest)
    documents = done.documents = read_documents(texts, manifest, model, read_through, no_longer)
    done.files = (*files, *bots)

    records = Records(texts, model, prefix, read_through)
    Collector(model, records.ids, seats[1]).run(rules, bots)
    attached = attach_timed(model, timed)
    layout = assign_addresses(model)
    place_histories(model, (line for tree in rules for line in tree.lines), layout)
    check_size(model, layout)
    elab = Elaboration(model, layout, limits, seats, records.values, documents.locale, attached, elaborator.TABLES)
    fill_state(model, layout)
    elaborator.run(elab)
    more = tuple(rule for rule in elab.timed.found if rule not in timed)
    if more:
        return more
    elab.cases.repeated_lines = None if resolve_every_word else {}
    elab.cases.patched = bool(texts.overlays)
    parsed = [tree for tree in files if tree.path.endswith(RULING)]

    layers = Layers(frozenset(layer.name for layer in texts.overlays), texts.known, of_base, reader.options)

    def read() -> Cases:
        return read_cases(elab, documents.clauses, parsed, later, reader.parse, layers)

    among_rules = parsed or model.positions or model.rulings  # the cache knows files of rulings only
    if part_cache is None or resolve_every_word or among_rules or model.diagnostics:
        done.cases = read()
    else:
        done.cases = read_cached_cases(elab, documents.clauses, later, part_cache, read, texts.known)
    done.values = manifest_values(elab, manifest)
    if manifest is not None:
        layered = (texts, *texts.overlays)
        documents.stand_ins, faults = check_stand_ins(manifest, layered, model.dropped, read_through)
        model.diagnostics += faults
    model.diagnostics += check_manifest(manifest, model, [s.address for s in elab.out.sites]) if manifest else []
    if documents.hints is not None:
        model.diagnostics += check_display(documents.hints, model, read_through, documents.drawings)
    done.know = examine(elab)
    mark_named_in_headings(elab, documents)
    check_program(elab, manifest, documents.clauses, done.know)
    if documents.locale:
        done.wanted = check_locale(elab, documents, (texts, *texts.overlays))
    if model.diagnostics and not done.cases.files:
        done.cases.files = reader.parse(later)  # messages about names are looked up in trees
    done.files = (*files, *done.cases.files, *bots)
    done.elab = elab
    return ()


def shown_diagnostics(done: PassResults, texts: FileTexts) -> list[Diagnostic]:
    """The diagnostics of all passes as people read them."""
    found = without_consequences(done.model, texts, done.documents.manifest)
    found = told_once(report_lost_names(found, done.files), done.documents.manifest)
    return mend_lost_signs(report_misspelt(found, done.files, done.model), done.model.sources)


def ended_early(fault: Exception) -> Diagnostic:
    """The note that the passes ended early, with the place of the fault for a report."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return Diagnostic(
        "RW1114",
        Severity.NOTE,
        NOWHERE,
        f"the check ended early, so there may be more to say ({type(fault).__name__} at "
        f"{Path(frame.filename).name}:{frame.lineno})",
        "fix the errors and check again; if this stays, it is a fault of the checker: please report it with the text",
    )


def seats_left_out(of_base: tuple[int, int] | None, manifest: Manifest | None) -> set[tuple[str, str]]:
    """The seats of the base that are no more where an overlay is for fewer."""
    if of_base is None or manifest is None:
        return set()
    return {(SEATS, f"p{n}") for n in range(manifest.seats[1] + 1, of_base[1] + 1)}


def read_documents(
    texts: FileTexts,
    manifest: Manifest | None,
    model: Model,
    read_through: ReadThrough,
    no_longer: Container[tuple[str, str]] = (),
) -> Documents:
    """The documents of the base, merged with those of each layer. What the base says of members that are `no_longer`
    there is left out."""
    documents = Documents(manifest)
    found = model.diagnostics
    for layer in (texts, *texts.overlays):
        if layer.clauses is not None:
            entries, diagnostics = read_through(read_clauses, layer.clauses)
            found += diagnostics
            documents.clauses = (documents.clauses or {}) | {k: v.as_dict() for k, v in entries.items()}
            documents.sources |= {k: v.sources for k, v in entries.items()}
        found += unread_languages(layer)
        for lang, source in layer.locale.items():
            if canonical_tag(lang) != lang:
                continue
            read, diagnostics = read_through(read_locale, source)
            found += diagnostics
            documents.locale.setdefault(lang, {}).update(read.texts)
            documents.spans.setdefault(lang, {}).update(read.spans)
            documents.keys.setdefault(lang, {}).update(read.keys)
        if layer.display is not None:
            hints, diagnostics = read_through(read_display, layer.display)
            found += diagnostics
            if layer is texts and hints is not None and no_longer:
                hints = without_members(hints, no_longer)
            documents.hints = merge_documents(documents.hints, hints)
        documents.drawings |= layer.pictures
    if model.dropped:
        leave_out_dropped(documents, model)
    documents.display = documents.hints.plain() if documents.hints else {}
    drawn = {name: read_through(read_drawing, source) for name, source in documents.drawings.items()}
    found += [diagnostic for _, diagnostics in drawn.values() for diagnostic in diagnostics]
    documents.shapes = {name: drawing for name, (drawing, _) in drawn.items() if drawing is not None}
    return documents


def leave_out_dropped(documents: Documents, model: Model) -> None:
    """Take away the texts and the hints of what overlays have dropped."""
    keys = {f"{owner}.{name}" if owner else name for owner, name in model.dropped}
    for texts in documents.locale.values():
        for key in [key for key in texts if key in keys or any(key.startswith(f"{k}.") for k in keys)]:
            del texts[key]
    if documents.hints is not None:
        documents.hints = without_members(documents.hints, model.dropped)


def unread_languages(layer: FileTexts) -> list[Diagnostic]:
    """Warnings about files of texts that no language reads."""
    found = []
    for lang, source in layer.locale.items():
        if canonical_tag(lang) != lang:
            message = f"nothing reads `{source.file}`: `{lang}` is not the tag of a language"
            found.append(Diagnostic("RW0352", Severity.WARNING, Span(source.file, 0, 0), message, tag_help(lang)))
    for file in layer.unread:
        message = f"nothing reads `{file}`: the texts of a language are in a file `locale/TAG.yaml`"
        help = "give the file that name, such as `locale/fr.yaml`, or remove it"
        found.append(Diagnostic("RW0352", Severity.WARNING, Span(file, 0, 0), message, help))
    return found


@dataclass(slots=True)
class RuleReader:
    """Reads the files of a ruleset, each by `parse_one`; `prefix` is the folder that the names in `load` lie in."""

    model: Model
    manifest: Manifest | None
    prefix: str
    parse_one: Parse
    options: frozenset[str] = frozenset()  # the names of those of the ruleset without overlays, where it has some

    def rules(self, texts: FileTexts, base: str, chosen: ErrataChoice) -> tuple[list[File], list[File], list[Source]]:
        """Trees in their order of loading with overlays applied, those of values for bots apart, and the files of
        rulings that can wait; a layer may patch rulings, so nothing waits for later under one. The layers of `texts`
        are put in their order, without those that do not count."""
        order = {f: i for i, f in enumerate(self.manifest.load)} if self.manifest else {}

        def rank(s: Source) -> tuple[int, str]:
            kind = 2 if s.file.endswith(RULING) else 1 if s.file.endswith(".cards") else 0
            return kind * 100_000 + order.get(s.file.removeprefix(self.prefix), 50_000), s.file

        known = {s.file.removeprefix(self.prefix) for s in texts.rules}
        for f in order:
            if f not in known:
                report_missing(f, sorted(known), self.manifest.span("load") if self.manifest else NOWHERE, self.model)
        sources = sorted(texts.rules, key=rank)
        if not texts.overlays:
            later = [s for s in sources if s.file.endswith(RULING)]
            return self.parse(sources[: len(sources) - len(later)]), self.parse(texts.bots), later
        base = self.manifest.id if self.manifest else base
        trees = self.parse([*sources, *texts.bots])
        lines = (line for tree in trees for line in tree.lines)
        self.options = frozenset(line.name for line in lines if isinstance(line, Decl) and line.word == "option")
        files, texts.overlays = apply_overlays(trees, texts, base, chosen, self.parse, self.model)
        of_bots = {s.file for layer in (texts, *texts.overlays) for s in layer.bots}
        return [f for f in files if f.path not in of_bots], [f for f in files if f.path in of_bots], []

    def parse(self, sources: Sequence[Source]) -> list[File]:
        model, trees = self.model, []
        for source in sources:
            tree, diagnostics = self.parse_one(source.file, source.text)
            model.diagnostics += diagnostics
            model.broken.update(tree.unknown)
            model.lost |= dict.fromkeys(tree.lost, NOWHERE)
            trees.append(tree)
            relative = source.file.removeprefix(self.prefix)
            if self.manifest and relative in self.manifest.load and not tree.lines and not diagnostics:
                message = f"`{relative}`, which `load` names, holds no declaration"
                help = "write rules into it, or take it out of `load`"
                model.error("RW0326", self.manifest.span("load"), message, help)
        return trees


def report_missing(file: str, known: list[str], span: Span, model: Model) -> None:
    """Report a file that `load` names and that does not exist, with the nearest name if there is one."""
    near = nearest(file, known)
    help = f"did you mean `{near}`?" if near else "put a file with this name there, or take it out of `load`"
    model.error("RW0320", span, f"unknown file in `load` `{file}`", help)


# ---------------------------------------------------------------- what is shown


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.severity is Severity.ERROR]
