"""The files of a ruleset: which there are, what they are for, and the records of its data files.

Reads nothing outside the ruleset's own two folders and the overlays that are named. Faults of files are diagnostics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.diagnostics import Diagnostic, Severity
from dsl.span import NOWHERE, Source, Span
from dsl.types import Type

if TYPE_CHECKING:
    from dsl.model import KindSym, Model

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
