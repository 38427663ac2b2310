"""Links of the names in all texts of a site: the target of each link.

Takes the index of names that editors use; gives keys of the site's URLs. Ambiguous names have no link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.base.span import Span
from dsl.editing import NameIndex, Symbol

RULE_SORTS = ("zone", "field", "option", "table", "piece", "purse", "history", "routine", "rule", "invariant")
SAME_KEY_SORTS = ("value", "ruling", "overlay")


@dataclass(frozen=True, slots=True)
class Use:
    """A name in a text, with the symbol that it refers to."""

    span: Span
    symbol: Symbol
    declared: bool


def uses_in(index: NameIndex) -> dict[str, tuple[Use, ...]]:
    """File -> the names in it that refer to one symbol."""
    return {source.file: tuple(resolved_names(index, source.file)) for source in index.rule_sources()}


def resolved_names(index: NameIndex, file: str) -> Iterator[Use]:
    for mention in index.names_in(index.sources[file]).mentions:
        symbols = index.resolve(mention)
        if len(symbols) == 1:
            yield Use(mention.span, symbols[0], mention.role == "declared")


def key_of(symbol: Symbol) -> str:
    """The key of a symbol among the URLs of a site; empty for a symbol without a place of its own."""
    sort, owner, name = symbol.sort, symbol.owner, symbol.name
    if sort in RULE_SORTS:
        return f"rule {owner}.{name}" if owner else f"rule {name}"
    if sort in SAME_KEY_SORTS:
        return f"{sort} {name}"
    if sort == "position":
        return f"ruling {name}"
    if sort in ("kind", "enum"):
        return f"kind {name}"
    return f"member {owner} {name}" if sort == "member" else ""


def link_targets(uses: tuple[Use, ...]) -> dict[int, str]:
    """End of a name, and of each part of a dotted one -> the key that it links to."""
    found: dict[int, str] = {}
    for use in uses:
        key = key_of(use.symbol)
        if key and not use.declared:
            parts = use.symbol.name.split(".") if use.span.end - use.span.start == len(use.symbol.name) else [""]
            for rest in range(len(parts)):
                found.setdefault(use.span.end - sum(len(part) + 1 for part in parts[len(parts) - rest :]), key)
    return found
