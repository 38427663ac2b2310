"""All passes in their order: parse, overlay, collect, lay out, elaborate, read the rulings, check, assemble.

`compile_texts` takes the texts of a ruleset and gives a program, or None, with the diagnostics of all files. Each pass
is a function or class of its own; nothing here knows what a word means.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeAlias

from dsl.base.record import dataclass
from dsl.base.span import NOWHERE, Source, Span
from dsl.base.spelling import nearest
from dsl.checks.display import check_display
from dsl.checks.manifest import check_manifest
from dsl.checks.misspelt import misnamed
from dsl.checks.program import check_program
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.assemble import Values, assemble, manifest_values, with_cases
from dsl.driver.rulings import Cases, read_cases
from dsl.elaborate import elaborator
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.records import TimedRule
from dsl.elaborate.events.timed import attach_timed
from dsl.files.documents import Documents, Manifest, read_clauses, read_display, read_locale, read_manifest
from dsl.files.ruleset import RULING, Texts
from dsl.files.yaml import laid_over
from dsl.overlay import EVERY, Chosen
from dsl.overlay.layers import lay
from dsl.program import Limits, Program
from dsl.symbols.collect import Collector
from dsl.symbols.layout import lay_out
from dsl.symbols.records import Records
from dsl.symbols.symbols import Model
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_file

Parse: TypeAlias = Callable[[str, str], tuple[File, list[Diagnostic]]]
UNUSED = {"RW0802", "RW0812", "RW0814", "RW1103", "RW1104", "RW1105", "RW1106", "RW1107", "RW1108", "RW1109", "RW1115"}

WANTING = {"RW0320", "RW0326"}  # a file of rules, or all that it should hold


@dataclass(slots=True)
class Passed:
    """What all passes but the last one left: enough for editors, and what a program is assembled from."""

    model: Model
    documents: Documents
    files: tuple[File, ...]  # the rules with the values for bots, overlays applied
    found: list[Diagnostic] = field(default_factory=list)
    elab: Elaboration | None = None  # None: the passes ended early
    values: Values = ({}, -1, ())  # those that the manifest names
    cases: Cases | None = None  # positions and rulings


def compile_texts(
    texts: Texts,
    name: str,
    digest: str,
    seats: tuple[int, int] = (2, 4),
    timed: tuple[TimedRule, ...] = (),
    chosen: Chosen = EVERY,
    parse: Parse = parse_file,
) -> tuple[Program | None, list[Diagnostic]]:
    """All passes. `seats` counts where no manifest says otherwise; `digest` names the result; `chosen` says which
    errata count; `parse` gives what `parse_file` gives."""
    done = pass_through(texts, name, seats, timed, chosen, parse, every_word=False)
    if done.elab is None or done.cases is None or errors(done.found):
        return None, done.found
    rules = assemble(done.elab, name, done.documents, done.values)
    return with_cases(rules, done.cases, digest, tuple(done.found)), done.found


def pass_through(
    texts: Texts,
    name: str,
    seats: tuple[int, int],
    timed: tuple[TimedRule, ...],
    chosen: Chosen,
    parse: Parse = parse_file,
    every_word: bool = True,
) -> Passed:
    """All passes but the last. Where the elaboration finds rules under `until end of` that it has not been told of
    (`timed`), all is done once more with them. Without `every_word` the model does not say what each word of a ruling
    means, so lines that come again are read once."""
    while True:
        done, more = pass_once(texts, name, seats, timed, chosen, parse, every_word)
        if not more:
            return done
        timed += more


def pass_once(
    texts: Texts,
    name: str,
    seats: tuple[int, int],
    timed: tuple[TimedRule, ...],
    chosen: Chosen,
    parse: Parse,
    every_word: bool,
) -> tuple[Passed, tuple[TimedRule, ...]]:
    """What the passes left, and the timed rules that they should have been told of."""
    model = Model()
    model.sources = texts.all()
    manifest = None
    if texts.manifest is not None:
        manifest, model.diagnostics = read_manifest(texts.manifest)
    seats = manifest.seats if manifest else seats
    limits = manifest.limits if manifest else Limits()
    prefix = texts.manifest.file.removesuffix("ruleset.yaml") if texts.manifest else f"rulesets/{name}/"
    reader = Reader(model, manifest, prefix, parse)
    files, later = reader.rules(texts, name, chosen)
    rules = [tree for tree in files if not tree.path.endswith(RULING)]
    bots = reader.parse(texts.bots)
    documents = read_documents(texts, manifest, model)
    done = Passed(model, documents, (*files, *bots))

    records = Records(texts, model, prefix)
    Collector(model, records.ids, seats[1]).run(rules, bots)
    broken = bool(errors(model.diagnostics))
    try:
        attached = attach_timed(model, timed)
        elab = elaborator.start(model, lay_out(model), limits, seats, records.values, documents.locale, attached)
        elaborator.run(elab)
        more = tuple(rule for rule in elab.timed.found if rule not in timed)
        if more:
            return done, more
        elab.cases.repeated_lines = None if every_word else {}
        elab.cases.patched = bool(texts.overlays)
        parsed = [tree for tree in files if tree.path.endswith(RULING)]
        done.cases = read_cases(elab, documents.clauses, parsed, later, reader.parse)
        done.values = manifest_values(elab, manifest)
        model.diagnostics += check_manifest(manifest, model) if manifest else []
        model.diagnostics += check_display(documents.hints, model) if documents.hints else []
        shown = documents.locale if texts.locale else None
        check_program(elab, manifest, documents.clauses, shown, documents.spans)
        done.files = (*files, *done.cases.files, *bots)
        done.elab = elab
    except Exception as fault:
        if not broken or os.environ.get("RULEWRIGHT_DEBUG"):
            raise
        model.diagnostics.append(stopped(fault))  # what is wrong already leaves holes that later passes may fall into
    done.found = misnamed(presentable(model, bool(texts.overlays)), done.files, model.sources)
    return done, ()


def stopped(fault: Exception) -> Diagnostic:
    """That the passes fell into a hole, with the place for whoever mends it."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return Diagnostic(
        "RW1114",
        Severity.NOTE,
        NOWHERE,
        f"the check ended early, so there may be more to say ({type(fault).__name__} at "
        f"{Path(frame.filename).name}:{frame.lineno})",
        "mend the errors and check again; if this stays, it is a fault of the checker: please report it with the text",
    )


def read_documents(texts: Texts, manifest: Manifest | None, model: Model) -> Documents:
    """The base's, with those of each layer laid over them."""
    documents = Documents(manifest)
    found = model.diagnostics
    for layer in (texts, *texts.overlays):
        if layer.clauses is not None:
            entries, diagnostics = read_clauses(layer.clauses)
            found += diagnostics
            documents.clauses = (documents.clauses or {}) | {k: v.as_dict() for k, v in entries.items()}
        for lang, source in layer.locale.items():
            read, diagnostics = read_locale(source)
            found += diagnostics
            documents.locale.setdefault(lang, {}).update(read.texts)
            documents.spans.setdefault(lang, {}).update(read.spans)
        if layer.display is not None:
            hints, diagnostics = read_display(layer.display)
            found += diagnostics
            documents.hints = laid_over(documents.hints, hints)
    documents.display = documents.hints.plain() if documents.hints else {}
    return documents


@dataclass(slots=True)
class Reader:
    """Reads the files of a ruleset, each by `parse_one`; `prefix` is the folder that the names in `load` lie in."""

    model: Model
    manifest: Manifest | None
    prefix: str
    parse_one: Parse

    def rules(self, texts: Texts, base: str, chosen: Chosen) -> tuple[list[File], list[Source]]:
        """Trees in their order of loading with overlays applied, and the files of rulings that can wait; a layer may
        patch rulings, so nothing waits for later under one. The layers of `texts` are put in their order, without
        those that do not count."""
        order = {f: i for i, f in enumerate(self.manifest.load)} if self.manifest else {}

        def rank(s: Source) -> tuple[int, str]:
            kind = 2 if s.file.endswith(RULING) else 1 if s.file.endswith(".cards") else 0
            return kind * 100_000 + order.get(s.file.removeprefix(self.prefix), 50_000), s.file

        known = {s.file.removeprefix(self.prefix) for s in texts.rules}
        for f in order:
            if f not in known:
                missing(f, sorted(known), self.manifest.span("load") if self.manifest else NOWHERE, self.model)
        sources = sorted(texts.rules, key=rank)
        if not texts.overlays:
            later = [s for s in sources if s.file.endswith(RULING)]
            return self.parse(sources[: len(sources) - len(later)]), later
        base = self.manifest.id if self.manifest else base
        files, texts.overlays = lay(self.parse(sources), texts.overlays, base, chosen, self.parse, self.model)
        return files, []

    def parse(self, sources: Sequence[Source]) -> list[File]:
        model, trees = self.model, []
        for source in sources:
            tree, diagnostics = self.parse_one(source.file, source.text)
            model.diagnostics += diagnostics
            model.broken.update(tree.unknown)
            trees.append(tree)
            relative = source.file.removeprefix(self.prefix)
            if self.manifest and relative in self.manifest.load and not tree.lines and not diagnostics:
                message = f"`{relative}`, which `load` names, holds no declaration"
                help = "write rules into it, or take it out of `load`"
                model.error("RW0326", self.manifest.span("load"), message, help)
        return trees


def missing(file: str, known: list[str], span: Span, model: Model) -> None:
    """A file that `load` names is not there: the nearest name, or what to do where there is none."""
    near = nearest(file, known)
    help = f"did you mean `{near}`?" if near else "put a file with this name there, or take it out of `load`"
    model.error("RW0320", span, f"unknown file in `load` `{file}`", help)


# ---------------------------------------------------------------- what is shown


def errors(found: list[Diagnostic]) -> list[Diagnostic]:
    return [d for d in found if d.severity is Severity.ERROR]


def presentable(model: Model, overlaid: bool) -> list[Diagnostic]:
    """By place, each once, without noise: a broken name leaves others unused, an unread line breaks others, and what
    an overlay takes the use of is still used without it. Where whole files are wanting, only they are shown, and what
    cannot be read."""
    found = sort(one_a_line(model.diagnostics, model))
    if wanting := [d for d in found if d.code in WANTING]:
        return wanting + [d for d in found if d.code.startswith("RW01")]
    return [d for d in found if d.code not in UNUSED] if overlaid or errors(found) else found


def one_a_line(found: list[Diagnostic], model: Model) -> list[Diagnostic]:
    """A line that could not be read says so once: what other passes make of the rest of it is noise."""
    places = [(d, *place(d, model)) for d in found]
    unread = {(file, line) for d, file, line in places if d.code.startswith("RW01")}
    return [d for d, file, line in places if d.code.startswith("RW01") or (file, line) not in unread]


def place(d: Diagnostic, model: Model) -> tuple[str, int]:
    source = model.sources.get(d.span.file)
    return d.span.file, source.place(d.span.start)[0] if source else 0


def sort(found: list[Diagnostic]) -> list[Diagnostic]:
    """By place, each once."""
    unique: dict[tuple[Any, ...], Diagnostic] = {}
    for d in found:
        unique.setdefault((d.span.file, d.span.start, d.span.end, d.code, d.message), d)
    return sorted(unique.values(), key=lambda d: (d.span.file, d.span.start, d.code))
