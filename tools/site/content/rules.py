"""The content about single rules: declarations, the lines that cite a clause, values with their modifiers.

Takes trees and the model of the passes; gives parts of the site. It reads no files and writes no HTML.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dsl.base.span import Source, Span
from dsl.overlay.addresses import blocks_of, declared_name, is_anonymous
from dsl.symbols.symbols import Model, RuleLine, ValueSym
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with
from tools.site.content.links import Use
from tools.site.content.model import Citation, Declaration, Layer, Modifier, Overlay, ValuePage
from tools.site.content.overlays import changes_at

CHANGES = words_with("patterns")  # the names after them are declared elsewhere
SKIPPED = ("ruling", "position", "errata", "variant")


def declared_in(tree: sx.File, source: Source) -> Iterator[Declaration]:
    """Declarations with the members of kinds, and steps; each address once, overlays and rulings without their
    parts."""
    seen: set[str] = set()

    def walk(lines: Iterable[sx.Line], prefix: str) -> Iterator[Declaration]:
        for line in lines:
            name, word = declared_name(line), word_of(line)
            address = f"{word} {name}" if word in CHANGES else f"{prefix}{name}"
            at = declared_name_span(line, name, source) if name and not (prefix and word in CHANGES) else None
            if at is not None and address not in seen:
                seen.add(address)
                yield Declaration(address, word, line.span, at, getattr(line, "cites", ()), not prefix)
            if isinstance(line, sx.Decl) and line.word in SKIPPED:
                continue
            for block in blocks_of(line):
                yield from walk(block, prefix if is_anonymous(line) else f"{prefix}{name}.")

    yield from walk(tree.lines, "")


def declared_name_span(line: sx.Line, name: str, source: Source) -> Span | None:
    if isinstance(line, sx.Decl):
        return line.name_span if line.name_span.file else None
    if isinstance(line, sx.Section) and line.word == "step":
        start = source.text.find(name, line.span.start + len("step"))
        return Span(line.span.file, start, start + len(name)) if start >= 0 else None
    return None


def word_of(line: sx.Line) -> str:
    return line.word if isinstance(line, (sx.Decl, sx.Section)) else ""


class TopDeclarations:
    """Finds the declaration at the top of a file that contains a span."""

    def __init__(self, declared: Mapping[str, Sequence[Declaration]]) -> None:
        self.found = {file: [d for d in in_file if d.top] for file, in_file in declared.items()}
        self.starts = {file: [d.span.start for d in in_file] for file, in_file in self.found.items()}

    def __call__(self, span: Span) -> Declaration | None:
        at = bisect_right(self.starts.get(span.file, []), span.start) - 1
        return self.found[span.file][at] if at >= 0 and span.start < self.found[span.file][at].span.end else None


# ---------------------------------------------------------------- clauses


def lines_in(line: sx.Line) -> Iterator[sx.Line]:
    for block in blocks_of(line):
        for inner in block:
            yield inner
            yield from lines_in(inner)


def clauses_in(line: sx.Line) -> Iterator[str]:
    """The clauses that are cited in the blocks of a line."""
    for inner in lines_in(line):
        yield from getattr(inner, "cites", ())


def cited_lines(files: Iterable[sx.File]) -> dict[str, list[Citation]]:
    """Clause -> the rules that cite it, without lines in the block of a line that cites it too."""
    found: dict[str, list[Citation]] = {}

    def walk(line: sx.Line, address: str, top: str, enclosing: frozenset[str]) -> None:
        cites = getattr(line, "cites", ())
        name = declared_name(line) if isinstance(line, sx.Decl) or not is_anonymous(line) else ""
        address = ".".join(filter(None, (address, name)))
        for clause in cites:
            if clause not in enclosing:
                found.setdefault(clause, []).append(Citation(address, top or address, line.span))
        for block in blocks_of(line):
            for inner in block:
                walk(inner, address, top or address, enclosing | set(cites))

    for file in files:
        for line in file.lines:
            if not (isinstance(line, sx.Decl) and line.word in SKIPPED):
                walk(line, "", "", frozenset())
    return found


# ---------------------------------------------------------------- values


def values_of(
    model: Model, uses: Mapping[str, Sequence[Use]], tops: TopDeclarations, overlays: Sequence[Overlay]
) -> Iterator[ValuePage]:
    users: dict[str, dict[str, None]] = {}
    heads = {line.decl.name_span for value in model.values.values() for line in value.lines}
    for use in (use for in_file in uses.values() for use in in_file):
        top, name = tops(use.span), use.symbol.name
        if use.symbol.sort != "value" or use.declared or use.span in heads:
            continue
        if top is not None and top.word not in SKIPPED and top.address != name:
            users.setdefault(name, {})[top.address] = None
    for name, value in model.values.items():
        changes = tuple(c for word in ("errata", "variant") for c in changes_at(overlays, name, word))
        found = tuple(users.get(name, ()))
        yield ValuePage(name, value.decl.span, value.decl.cites, layers_of(value), found, changes, value.bots)


def layers_of(value: ValueSym) -> tuple[Layer, ...]:
    """The modifiers by layer; one that names no layer is in the last one. Copies of a card have the same text."""
    names = value.layers or [""]
    lines: dict[str, dict[Modifier, None]] = {name: {} for name in names}
    for rule in value.lines:
        lines[layer_of(rule) or names[-1]][modifier(rule)] = None
    return tuple(Layer(name, tuple(found)) for name, found in lines.items() if found or value.layers)


def layer_of(rule: RuleLine) -> str:
    for clause in rule.decl.clauses:
        if clause.word == "in layer" and isinstance(clause.args[0], sx.Name):
            return clause.args[0].id
    return ""


def modifier(rule: RuleLine) -> Modifier:
    conditions = tuple(condition.span for condition in rule.conditions)
    return Modifier(rule.decl.word, rule.address, rule.decl.span, conditions, rule.timed >= 0)
