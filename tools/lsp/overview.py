"""Answers about whole texts in the types of the protocol: outline, symbols, folding, meaning of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lsprotocol import types as lsp

from dsl.base.span import Source, Span
from dsl.editing.index import NameIndex
from dsl.editing.mentions import Symbol
from dsl.editing.structure import OutlineEntry, folds
from dsl.editing.tokens import name_sorts
from tools.lsp.positions import Positions

MOST = 500  # symbols that a search gives
KINDS = {
    "kind": lsp.SymbolKind.Class,
    "lattice": lsp.SymbolKind.Class,
    "enum": lsp.SymbolKind.Enum,
    "ranked enum": lsp.SymbolKind.Enum,
    "member": lsp.SymbolKind.EnumMember,
    "value": lsp.SymbolKind.Function,
    "table": lsp.SymbolKind.Array,
    "zone": lsp.SymbolKind.Field,
    "field": lsp.SymbolKind.Field,
    "const": lsp.SymbolKind.Constant,
    "option": lsp.SymbolKind.Constant,
    "piece": lsp.SymbolKind.Struct,
    "purse": lsp.SymbolKind.Struct,
    "history": lsp.SymbolKind.Array,
    "card": lsp.SymbolKind.Object,
    "ruling": lsp.SymbolKind.Event,
    "position": lsp.SymbolKind.Package,
    "errata": lsp.SymbolKind.Module,
    "variant": lsp.SymbolKind.Module,
    "overlay": lsp.SymbolKind.Module,
    **dict.fromkeys(("phase", "action", "procedure", "icon", "routine", "step", "case"), lsp.SymbolKind.Method),
}
TOKENS = {  # the sort of a symbol -> a type of token that every editor has a colour for
    "local": "variable",
    "parameter": "parameter",
    "value": "function",
    "purse": "function",
    "history": "function",
    "table": "function",
    "routine": "method",
    "strip": "method",
    "field": "property",
    "zone": "property",
    "option": "property",
    "kind": "class",
    "piece": "struct",
    "enum": "enum",
    "member": "enumMember",
    "position": "namespace",
    "overlay": "namespace",
    "rule": "namespace",
    "invariant": "namespace",
    "ruling": "event",
    "step": "event",
    "case": "event",
}
TYPES = tuple(sorted(set(TOKENS.values())))
LEGEND = lsp.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=["declaration"])


def document_symbol(entry: OutlineEntry, source: Source, positions: Positions) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=entry.name,
        kind=KINDS.get(entry.sort, lsp.SymbolKind.Namespace),
        range=positions.of(source, entry.span),
        selection_range=positions.of(source, entry.name_span),
        detail=f"{entry.sort} {entry.detail}".strip(),
        children=[document_symbol(part, source, positions) for part in entry.parts],
    )


def matching(index: NameIndex, query: str) -> Iterator[tuple[Symbol, Span]]:
    """The declarations whose name has the letters of a query in their order, with their places."""
    for symbol, spans in index.declared_at.items():
        if symbol.sort not in ("local", "parameter") and has_in_order(symbol.name.lower(), query.lower()):
            yield from ((symbol, span) for span in spans)


def has_in_order(name: str, query: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in query if not letter.isspace())


def folding_ranges(source: Source) -> list[lsp.FoldingRange]:
    rows = source.text.split("\n")

    def kind(first: int) -> lsp.FoldingRangeKind | None:
        return lsp.FoldingRangeKind.Comment if rows[first].lstrip().startswith("#") else None

    return [lsp.FoldingRange(first, last, kind=kind(first)) for first, last in folds(source)]


def semantic_tokens(index: NameIndex, source: Source, positions: Positions) -> list[int]:
    """Five numbers a name, each place counted from the name before: lines, units, length, type, modifiers."""
    found: list[int] = []
    line = character = 0
    for span, sort, is_declared in known_tokens(name_sorts(index, source.file)):
        where = positions.of(source, span)
        down = where.start.line - line
        found += (
            down,
            where.start.character - (character if down == 0 else 0),
            where.end.character - where.start.character,
            TYPES.index(TOKENS[sort]),
            int(is_declared),
        )
        line, character = where.start.line, where.start.character
    return found


def known_tokens(found: Iterable[tuple[Span, str, bool]]) -> Iterator[tuple[Span, str, bool]]:
    return ((span, sort, declared) for span, sort, declared in found if sort in TOKENS)
