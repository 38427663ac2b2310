"""Answers in the types of the protocol: ranges, messages, items and edits, made from those of `dsl.editing`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from dsl.base.span import Source
from dsl.base.visible import visible
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.diagnostics.render import help_text
from dsl.editing.complete import CompletionItem
from dsl.format import Unfaithful, format_rules, format_yaml
from tools.lsp.positions import Positions

SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.NOTE: lsp.DiagnosticSeverity.Information,
}
KINDS = {
    "local": lsp.CompletionItemKind.Variable,
    "value": lsp.CompletionItemKind.Function,
    "routine": lsp.CompletionItemKind.Method,
    "field": lsp.CompletionItemKind.Field,
    "zone": lsp.CompletionItemKind.Field,
    "row": lsp.CompletionItemKind.Property,
    "kind": lsp.CompletionItemKind.Class,
    "enum": lsp.CompletionItemKind.Enum,
    "member": lsp.CompletionItemKind.EnumMember,
    "option": lsp.CompletionItemKind.Constant,
    "word": lsp.CompletionItemKind.Keyword,
    "clause": lsp.CompletionItemKind.Reference,
}
SOURCE_NAME = "rulewright"
MOST_COMPARED = 1_000  # lines


def diagnostic(
    d: Diagnostic, sources: Mapping[str, Source], positions: Positions, uris: Mapping[str, str]
) -> lsp.Diagnostic:
    """A message with its related places; `uris` by the displayed path of a file."""
    source = sources.get(d.span.file) or Source(d.span.file, "")  # a file that should be there
    help = help_text(d)
    related = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uris[label.span.file], positions.of(sources[label.span.file], label.span)), visible(label.text)
        )
        for label in d.labels
        if label.span.file in sources
    ]
    return lsp.Diagnostic(
        range=positions.range(source, d.span.start, max(d.span.end, d.span.start)),
        message=visible(d.message + (f"\n{help}" if help else "")),
        severity=SEVERITIES[d.severity],
        code=d.code,
        source=SOURCE_NAME,
        related_information=related or None,
    )


def completion(item: CompletionItem) -> lsp.CompletionItem:
    rank = "0" if item.sort in ("local", "row") else "1" if item.sort != "word" else "2"
    return lsp.CompletionItem(
        label=item.label,
        kind=KINDS.get(item.sort, lsp.CompletionItemKind.Text),
        detail=item.detail or None,
        sort_text=rank + item.label,
    )


def formatting(path: Path, text: str, positions: Positions) -> list[lsp.TextEdit]:
    """Edits of the lines that the layout changes; none for a text with errors."""
    source = Source(str(path), text.replace("\r\n", "\n"))
    try:
        result, _ = format_yaml(source) if path.suffix == ".yaml" else format_rules(source.file, source.text)
    except Unfaithful:
        return []
    if result is None or result == source.text:
        return []
    end = "\r\n" if "\r\n" in text else "\n"
    before, after = source.text.splitlines(keepends=True), result.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    edits = []
    for a, b, c, d in differing(before, after):
        new = "".join(after[c:d]).replace("\n", end)
        edits.append(lsp.TextEdit(positions.range(source, starts[a], starts[b]), new))
    return edits


def differing(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The runs of lines that differ: from and to before, from and to after. Where the first and the last line that
    differ lie more than MOST_COMPARED lines apart, all between them is one run: to compare takes the square of it."""
    first, most = 0, min(len(before), len(after))
    while first < most and before[first] == after[first]:
        first += 1
    last = 0
    while last < most - first and before[-1 - last] == after[-1 - last]:
        last += 1
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    if max(len(old), len(new)) > MOST_COMPARED:
        yield first, first + len(old), first, first + len(new)
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield first + a, first + b, first + c, first + d


def ranges_overlap(a: lsp.Range, b: lsp.Range) -> bool:
    return as_pair(a.start) <= as_pair(b.end) and as_pair(b.start) <= as_pair(a.end)


def as_pair(p: lsp.Position) -> tuple[int, int]:
    return p.line, p.character
