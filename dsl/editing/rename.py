"""Renaming of anything that a ruleset declares, in all of its files, YAML and overlays included.

Takes the texts of a ruleset and of its overlays; gives the edits. It refuses where it cannot be certain: where the
texts have errors, where a place is ambiguous, and where the result would have more messages than before. The digests of
patches whose targets contain the name are updated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.pipeline import errors
from dsl.editing.analysis import Analysis, analyse
from dsl.editing.index import DATA, NameIndex
from dsl.editing.mentions import Symbol
from dsl.files.ruleset import RULING, FileTexts
from dsl.overlay.addresses import address_in, digest, find
from dsl.overlay.patches import expected_digest
from dsl.symbols.types import RESERVED
from dsl.syntax.nodes import Choose, Decl, File
from dsl.syntax.parser import parse_file
from dsl.syntax.vocabulary import CLASSES
from dsl.syntax.walk import walk

POSITION = re.compile(r"^position\b", re.MULTILINE)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SORTS = (
    "local", "member", "zone", "field", "option", "value", "kind", "enum", "table", "piece", "purse", "history",
    "position", "ruling", "rule", "invariant", "routine",
)  # fmt: skip


class RenameRefused(Exception):
    """The reason why a name cannot be changed, as a sentence."""


@dataclass(frozen=True, slots=True)
class Edit:
    span: Span
    text: str


def rename_target(index: NameIndex, file: str, offset: int) -> tuple[Span, Symbol]:
    """The name at a place that would be renamed, and its symbol; raises `RenameRefused`."""
    found = index.name_at(file, offset)
    if found is None or not found[2]:
        raise RenameRefused("nothing that this ruleset declares is here")
    span, name, symbols = found
    if len(symbols) > 1:
        candidates = ", ".join(sorted(sort_text(s) for s in symbols))
        raise RenameRefused(f"`{name}` may mean several things here: {candidates}")
    symbol = symbols[0]
    declarations = index.declarations(symbol)
    if symbol.sort not in SORTS:
        raise RenameRefused(f"`{name}` is part of addresses ({sort_text(symbol)}); rename it by hand")
    if not declarations or any(text_at(index.sources, span) != name for span in declarations):
        raise RenameRefused(f"`{name}` is written nowhere as a name of its own, so it cannot be renamed")
    return span, symbol


def sort_text(symbol: Symbol) -> str:
    """The sort of a symbol in words, with its owner where it has one."""
    if symbol.sort == "local":
        return "a local name"
    return f"{symbol.sort} of `{symbol.owner}`" if symbol.owner and symbol.sort in ("member", "field") else symbol.sort


def text_at(sources: dict[str, Source], span: Span) -> str:
    return sources[span.file].text[span.start : span.end] if span.file in sources else ""


def rename(texts: FileTexts, layers: Sequence[FileTexts], id: str, file: str, offset: int, new: str) -> list[Edit]:
    """The edits that rename what is at an offset of a file to `new`; raises `RenameRefused`. `layers` are all overlays
    of the ruleset; each is considered by itself."""
    if not NAME.fullmatch(new):
        raise RenameRefused(f"`{new}` is no name: letters, digits and `_`, not starting with a digit")
    if new in CLASSES or new in RESERVED:
        raise RenameRefused(f"`{new}` is a word of the language")
    views = [(view, analyse(view, id)) for view in (texts, *(with_layer(texts, layer) for layer in layers))]
    indexes = [NameIndex(view, analysis) for view, analysis in views]
    index = next((w for w in indexes if file in w.sources), indexes[0])
    _, symbol = rename_target(index, file, offset)
    if symbol.name == new:
        return []
    for (_, analysis), w in zip(views, indexes, strict=True):
        wrong = errors(analysis.messages)
        if wrong and (w is indexes[0] or re.search(rf"\b{symbol.name}\b", layer_text(w, indexes[0]))):
            raise RenameRefused(f"fix the errors first: {located(analysis.sources, wrong[0])}")
    spans: dict[Span, str] = {}
    for w in indexes:
        refuse_if_taken(w, symbol, new)
        spans |= dict.fromkeys(spans_to_rename(w, symbol), new)
        for copy in w.copies(symbol.owner, symbol.name) if symbol.sort == "member" else ():
            spans |= dict.fromkeys(spans_to_rename(w, copy), new + copy.name.removeprefix(symbol.name))
    edits = [Edit(span, text) for span, text in spans.items()]
    edits += updated_digests(texts, layers, edits)
    verify(views, edits, id)
    return edits


def with_layer(texts: FileTexts, layer: FileTexts) -> FileTexts:
    """The base with one overlay, and of its rulings only the files with positions, which those of the overlay need."""
    rules = [s for s in texts.rules if not s.file.endswith(RULING) or POSITION.search(s.text)]
    return replace(texts, rules=rules, overlays=[layer])


def layer_text(index: NameIndex, base: NameIndex) -> str:
    """The texts that an overlay adds to the base."""
    return "\n".join(s.text for f, s in index.sources.items() if f not in base.sources)


def located(sources: dict[str, Source], d: Diagnostic) -> str:
    """A message with its file and line."""
    source = sources.get(d.span.file)
    line = source.place(d.span.start)[0] if source else 1
    return f"{d.span.file}:{line}: {d.message}"


# ---------------------------------------------------------------- places


def spans_to_rename(index: NameIndex, symbol: Symbol) -> Iterator[Span]:
    """All places that name a symbol; raises `RenameRefused` for an ambiguous one."""
    for span, symbols, _ in index.uses(symbol):
        if len(symbols) > 1:
            source = index.sources[span.file]
            raise RenameRefused(
                f"`{symbol.name}` in {span.file}:{source.place(span.start)[0]} may mean several things: "
                + ", ".join(sorted(sort_text(s) for s in symbols))
            )
        yield span
    if symbol.sort == "local":
        yield from text_key_mentions(index, symbol)


def text_key_mentions(index: NameIndex, symbol: Symbol) -> Iterator[Span]:
    """The keys and placeholders of texts that address a choice by a local name. What binds a name without asking has no
    texts of its own, and none of those of a choice of the same name are about it."""
    place = index.declarations(symbol)[0]
    enclosing = enclosing_declaration(index, place)
    if enclosing is None:
        return
    asks = any(isinstance(n, Choose) and binds(n, place) for n in walk((enclosing,)))
    for source in index.sources.values():
        if source.file.endswith(DATA) and "/locale/" in f"/{source.file}":
            for k in index.yaml_mentions(source):
                if k.name == symbol.name and k.inside == enclosing.name:
                    if asks or k.text and symbol.name not in k.text.split("."):
                        yield k.span


def binds(choose: Choose, place: Span) -> bool:
    """True if a choice or draw binds the name at a place itself; what its cases or its block bind does not count."""
    if not choose.binders or choose.span.file != place.file:
        return False
    return choose.span.start <= place.start < choose.binders[-1].span.end


def enclosing_declaration(index: NameIndex, span: Span) -> Decl | None:
    """The declaration at the top of a file that contains a span."""
    source = index.sources.get(span.file)
    tree = parse_file(source.file, source.text)[0] if source else File("", ())
    for line in tree.lines:
        if isinstance(line, Decl) and line.span.start <= span.start <= line.span.end:
            return line
    return None


def refuse_if_taken(index: NameIndex, symbol: Symbol, new: str) -> None:
    """Raise `RenameRefused` if the new name is taken where the old one is used."""
    for other in index.by_name.get(new, ()):
        same_owner = other.owner == symbol.owner
        distinct = (
            "member" in (other.sort, symbol.sort) and other.sort in ("member", "routine", "field") and not same_owner
        )
        distinct = (
            distinct or (other.sort == "field" and other.owner and not same_owner) or other.sort in ("case", "step")
        )
        if symbol.sort != "local" and not distinct and (same_owner or not (symbol.sort == "field" and symbol.owner)):
            raise RenameRefused(taken_message(index, new, index.declarations(other)[0]))
    used: dict[tuple[str, int], None] = {}
    for span, _, _ in index.uses(symbol):
        enclosing = enclosing_declaration(index, span)
        if enclosing is not None:
            used[span.file, enclosing.span.start] = None
    for source in index.rule_sources():
        if new in source.text:
            for m in index.names_in(source).mentions:
                local = m.symbol is not None and m.symbol.sort == "local"
                if m.name != new or m.role in ("attr", "row") or not (local or symbol.sort == "local"):
                    continue
                enclosing = enclosing_declaration(index, m.span)
                if enclosing is not None and (m.span.file, enclosing.span.start) in used:
                    raise RenameRefused(taken_message(index, new, m.span))


def taken_message(index: NameIndex, new: str, place: Span) -> str:
    source = index.sources.get(place.file)
    line = source.place(place.start)[0] if source else 1
    return f"`{new}` is taken: it is in {place.file}:{line}"


# ---------------------------------------------------------------- consequences


def apply_edits(texts: FileTexts, edits: Sequence[Edit]) -> FileTexts:
    """The texts with the edits made."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file, []).append(edit)

    def one(source: Source) -> Source:
        if source.file not in by_file:
            return source
        text = source.text
        for edit in sorted(by_file[source.file], key=lambda e: e.span.start, reverse=True):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        return Source(source.file, text)

    return replace(
        texts,
        rules=[one(s) for s in texts.rules],
        bots=[one(s) for s in texts.bots],
        patches=[one(s) for s in texts.patches],
        overlays=[apply_edits(layer, edits) for layer in texts.overlays],
        data={k: one(s) for k, s in texts.data.items()},
        manifest=one(texts.manifest) if texts.manifest else None,
        clauses=one(texts.clauses) if texts.clauses else None,
        locale={k: one(s) for k, s in texts.locale.items()},
        display=one(texts.display) if texts.display else None,
    )


def updated_digests(texts: FileTexts, layers: Sequence[FileTexts], edits: Sequence[Edit]) -> list[Edit]:
    """Edits of the digests of patches whose targets contain the name."""
    before, after = parse_rules(texts), parse_rules(apply_edits(texts, edits))
    new_edits: list[Edit] = []
    for layer in layers:
        for source in layer.patches:
            for block in parse_file(source.file, source.text)[0].lines:
                for patch in block.block if isinstance(block, Decl) else ():
                    was = expected_digest(patch) if isinstance(patch, Decl) else None
                    if was is None or not isinstance(patch, Decl):
                        continue
                    old = find(before, patch.name.split("."))
                    now = find(after, renamed_address(patch, source, edits).split("."))
                    if old is not None and now is not None and digest(old) == was != digest(now):
                        c = next(c for c in patch.clauses if c.word == "was")
                        at = source.text.index(was, c.span.start)
                        new_edits.append(Edit(Span(source.file, at, at + len(was)), digest(now)))
    return new_edits


def renamed_address(patch: Decl, source: Source, edits: Sequence[Edit]) -> str:
    """The address of a patch after the edits."""
    span = patch.name_span
    text = source.text[span.start : span.end]
    for edit in sorted(edits, key=lambda e: e.span.start, reverse=True):
        if edit.span.file == span.file and span.start <= edit.span.start and edit.span.end <= span.end:
            at = edit.span.start - span.start
            text = text[:at] + edit.text + text[at + edit.span.end - edit.span.start :]
    return address_in(text)


def parse_rules(texts: FileTexts) -> list[File]:
    return [parse_file(s.file, s.text)[0] for s in texts.rules]


def verify(views: Sequence[tuple[FileTexts, Analysis]], edits: Sequence[Edit], id: str) -> None:
    """Raise `RenameRefused` if the edits would cause a new message."""
    for texts, before in views:
        after = analyse(apply_edits(texts, edits), id)
        codes_before = Counter(d.code for d in before.messages)
        for code, number in Counter(d.code for d in after.messages).items():
            if number > codes_before[code]:
                wrong = [d for d in after.messages if d.code == code]
                raise RenameRefused(f"the rules would not be right afterwards: {located(after.sources, wrong[-1])}")
