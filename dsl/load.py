"""The conductor: a ruleset folder to a `Program`, with all diagnostics of all its files.

It knows the order of the passes and where the files lie; each pass is a function of its own. A compiled program is
kept in the
cache under the digest of every file that it was made of, and of the compiler.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dsl.cache import cache_folder, digest_files, load_cached, store_cached
from dsl.diagnostics import Diagnostic, Severity
from dsl.model import KindSym, Model
from dsl.program import Limits, Program
from dsl.span import NOWHERE, Source, Span
from dsl.types import Type

Result = tuple[Program | None, list[Diagnostic], dict[str, Source]]
RULES = (".rules", ".cards", ".errata", ".variant", ".ruling")


@dataclass(slots=True)
class Texts:
    """The files of a ruleset by the names that people are shown."""

    rules: list[Source] = field(default_factory=list)
    bots: list[Source] = field(default_factory=list)
    overlays: list[Source] = field(default_factory=list)
    data: dict[str, Source] = field(default_factory=dict)
    manifest: Source | None = None
    clauses: Source | None = None
    locale: dict[str, Source] = field(default_factory=dict)
    display: Source | None = None

    def all(self) -> dict[str, Source]:
        found = [*self.rules, *self.bots, *self.overlays, *self.data.values(), *self.locale.values()]
        found += [s for s in (self.manifest, self.clauses, self.display) if s]
        return {s.file: s for s in found}


def compile_ruleset(path: Path, overlays: Sequence[Path] = (), *, cached: bool = True) -> Result:
    """Program (None when there are errors), diagnostics, sources. `path` is the ruleset's folder; its cards lie in
    `../../cards/<id>`. Raises OSError when the folder can not be read."""
    path = path.resolve()
    files = ruleset_files(path) + [p.resolve() for p in overlays]
    key = digest_files(files, None)
    if cached:
        found = load_cached(key)
        if isinstance(found, Program):
            return found, list(found.notes), found.sources
    texts, diagnostics = read_files(path, files, overlays)
    program, found_all = compile_texts(texts, path.name, key)
    diagnostics += found_all
    sources = texts.all()
    if program is not None and cached:
        store_cached(key, program)
    return program, diagnostics, sources


def ruleset_files(path: Path) -> list[Path]:
    """Everything that a ruleset is made of, in a fixed order; nothing outside its two folders."""
    cards = path.parent.parent / "cards" / path.name
    found: list[Path] = []
    for root in (path, cards):
        if not root.is_dir():
            continue
        for file in sorted(root.rglob("*")):
            if (
                file.is_file()
                and not file.is_symlink()
                and file.suffix in (*RULES, ".yaml")
                and "variants" not in file.parts[len(root.parts) :]
            ):
                if root is cards and "errata" in file.parts[len(root.parts) :]:
                    continue
                found.append(file)
    return found


def shown_name(file: Path, path: Path) -> str:
    base = path.parent.parent
    return file.relative_to(base).as_posix() if file.is_relative_to(base) else file.as_posix()


def read_files(path: Path, files: Sequence[Path], overlays: Sequence[Path]) -> tuple[Texts, list[Diagnostic]]:
    texts = Texts()
    diagnostics: list[Diagnostic] = []
    over = {p.resolve() for p in overlays}
    for file in files:
        shown = shown_name(file, path)
        try:
            text = file.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            diagnostics.append(
                Diagnostic(
                    "RW0131",
                    Severity.ERROR,
                    Span(shown, 0, 0),
                    f"{shown} is not UTF-8 text (byte {error.start})",
                    "save it as UTF-8",
                )
            )
            continue
        source = Source(shown, text.replace("\r\n", "\n"))
        relative = file.relative_to(path).as_posix() if file.is_relative_to(path) else file.name
        if file in over:
            texts.overlays.append(source)
        elif relative == "ruleset.yaml":
            texts.manifest = source
        elif relative == "clauses.yaml":
            texts.clauses = source
        elif relative == "display.yaml":
            texts.display = source
        elif relative.startswith("locale/"):
            texts.locale[file.stem] = source
        elif file.suffix == ".yaml":
            texts.data[relative] = source
        elif relative == "bots.rules":
            texts.bots.append(source)
        else:
            texts.rules.append(source)
    return texts, diagnostics


def check_texts(
    rules: Mapping[str, str], data: Mapping[str, str] | None = None, *, seats: tuple[int, int] = (2, 4)
) -> list[Diagnostic]:
    """All diagnostics of texts given directly (tests, editors): name -> text; `data` by their path, as
    `data/board.yaml`."""
    return compile_sources(rules, data, seats=seats)[1]


def compile_sources(
    rules: Mapping[str, str], data: Mapping[str, str] | None = None, *, seats: tuple[int, int] = (2, 4)
) -> Result:
    """A program from texts given directly; `ruleset.yaml`, `clauses.yaml`, `locale/..` and data files go into
    `data`."""
    texts = Texts()
    for name, text in rules.items():
        (texts.bots if name == "bots.rules" else texts.rules).append(Source(name, text))
    for name, text in (data or {}).items():
        source = Source(name, text)
        if name == "ruleset.yaml":
            texts.manifest = source
        elif name == "clauses.yaml":
            texts.clauses = source
        elif name == "display.yaml":
            texts.display = source
        elif name.startswith("locale/"):
            texts.locale[Path(name).stem] = source
        else:
            texts.data[name] = source
    program, diagnostics = compile_texts(texts, "test", "", seats)
    return program, diagnostics, texts.all()


def compile_texts(
    texts: Texts, name: str, digest: str, seats: tuple[int, int] = (2, 4)
) -> tuple[Program | None, list[Diagnostic]]:
    """All passes."""
    from dsl.assemble import assemble
    from dsl.check import check_program
    from dsl.collect import Collector
    from dsl.documents import Manifest, read_clauses, read_display, read_locale, read_manifest
    from dsl.elaborate.elaborator import Elaborator
    from dsl.layout import lay_out
    from dsl.overlay import apply_overlays
    from dsl.parse import parse_file, prepare

    folder = cache_folder()
    prepare(folder / "grammar.bin" if folder else None)
    model = Model()
    model.sources = texts.all()
    found = model.diagnostics
    manifest: Manifest | None = None
    if texts.manifest is not None:
        manifest, diagnostics = read_manifest(texts.manifest)
        found += diagnostics
        if manifest is not None:
            seats = manifest.seats
    limits = manifest.limits if manifest else Limits()
    order = {f: i for i, f in enumerate(manifest.load)} if manifest else {}
    prefix = f"rulesets/{name}/"

    def rank(s: Source) -> tuple[int, str]:
        inner = s.file.removeprefix(prefix)
        kind = 2 if s.file.endswith(".ruling") else 1 if s.file.endswith(".cards") else 0
        return kind * 100_000 + order.get(inner, 50_000), s.file

    if manifest:
        known = {s.file.removeprefix(prefix) for s in texts.rules}
        for f in manifest.load:
            if f not in known:
                model.unknown("RW0320", manifest.span("load"), "file in `load`", f, sorted(known))
    files = []
    for source in sorted(texts.rules, key=rank):
        tree, diagnostics = parse_file(source.file, source.text)
        found += diagnostics
        files.append(tree)
    bots = []
    for source in texts.bots:
        tree, diagnostics = parse_file(source.file, source.text)
        found += diagnostics
        bots.append(tree)
    overlays = []
    for source in texts.overlays:
        tree, diagnostics = parse_file(source.file, source.text)
        found += diagnostics
        overlays.append(tree)
    files = apply_overlays(files, overlays, model)
    for tree in (*files, *bots):
        model.broken.update(tree.unknown)

    locale: dict[str, dict[str, str]] = {"en": {}, "ja": {}}
    spans: dict[str, Any] = {}
    for lang, source in texts.locale.items():
        read, diagnostics = read_locale(source)
        found += diagnostics
        locale[lang] = read.texts
        spans[lang] = read.spans
    records = Records(texts, model, prefix)
    collector = Collector(model, records.ids, seats[1])
    collector.run(files, bots)
    layout = lay_out(model)
    elaborator = Elaborator(model, layout, collector, limits, seats, records.values, locale)
    elaborator.run()
    positions, rulings = elaborator.positions_and_rulings()
    clauses = {}
    if texts.clauses is not None:
        entries, diagnostics = read_clauses(texts.clauses)
        found += diagnostics
        clauses = {k: v.as_dict() for k, v in entries.items()}
    display: dict[str, Any] = {}
    if texts.display is not None:
        display, diagnostics = read_display(texts.display)
        found += diagnostics
    program = assemble(
        elaborator, name, digest, seats, limits, manifest, clauses, locale, display, positions, rulings, model.sources
    )
    check_program(
        elaborator, program, manifest, clauses if texts.clauses else None, locale if texts.locale else None, spans
    )
    ordered = sort(one_a_line(found, model))
    if any(d.severity is Severity.ERROR for d in ordered):
        return None, ordered
    return replace_notes(program, ordered), ordered


def replace_notes(program: Program, notes: list[Diagnostic]) -> Program:
    return replace(program, notes=tuple(notes))


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


class Records:
    """Data files, read when a kind asks for them."""

    def __init__(self, texts: Texts, model: Model, prefix: str) -> None:
        self.texts = texts
        self.model = model
        self.prefix = prefix
        self.documents: dict[str, Any] = {}

    def section(self, kind: KindSym) -> Any:
        """The node with the records of a kind, or None after a message."""
        from dsl.data import section
        from dsl.yamldoc import read_yaml

        assert kind.data
        source = self.texts.data.get(kind.data)
        if source is None:
            self.model.unknown(
                "RW0321", kind.decls[0].span if kind.decls else kind.span, "data file", kind.data, list(self.texts.data)
            )
            return None
        if kind.data not in self.documents:
            node, diagnostics = read_yaml(source)
            self.model.diagnostics += diagnostics
            self.documents[kind.data] = node
        root = self.documents[kind.data]
        if root is None:
            return None
        node, diagnostics = section(root, kind.name)
        self.model.diagnostics += diagnostics
        return node

    def ids(self, kind: KindSym) -> list[tuple[str, Span, list[str]]]:
        from dsl.data import declare_records

        node = self.section(kind)
        if node is None:
            return []
        ids, aliases, diagnostics = declare_records(node)
        self.model.diagnostics += diagnostics
        spans = {key: span for key, (span, _) in node.entries().items()}
        return [(i, spans.get(i, NOWHERE), [a for a, to in aliases.items() if to == i]) for i in ids]

    def values(self, kind: KindSym, fields: dict[str, Type]) -> dict[str, dict[str, Any]]:
        from dsl.data import Schema, section, validate_records

        root = self.documents.get(kind.data or "")
        node = section(root, kind.name)[0] if root is not None else None
        if node is None:
            return {}
        values, diagnostics = validate_records(Schema(kind.name, fields), node, self.model.domains)
        self.model.diagnostics += diagnostics
        return values
