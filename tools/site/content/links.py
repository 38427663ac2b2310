"""What the names in all texts of a site mean: where each leads, and which declaration names what.

Takes the world of names that editors use; gives keys of the site's places. Names whose meaning can not be told for
certain lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.base.span import Span
from dsl.editing import Symbol, World

RULES = ("zone", "field", "option", "table", "piece", "purse", "routine", "rule", "invariant")
SAME = ("value", "ruling", "overlay")


@dataclass(frozen=True, slots=True)
class Use:
    """A name in a text, with what it means."""

    span: Span
    symbol: Symbol
    declared: bool


def uses_in(world: World) -> dict[str, tuple[Use, ...]]:
    """File -> the names in it whose meaning is known."""
    return {source.file: tuple(known(world, source.file)) for source in world.rules()}


def known(world: World, file: str) -> Iterator[Use]:
    for mention in world.reading(world.sources[file]).found:
        meant = world.meaning(mention)
        if len(meant) == 1:
            yield Use(mention.span, meant[0], mention.role == "declared")


def key_of(symbol: Symbol) -> str:
    """The key under which a site keeps what a name means; empty for what has no place of its own."""
    sort, owner, name = symbol.sort, symbol.owner, symbol.name
    if sort in RULES:
        return f"rule {owner}.{name}" if owner else f"rule {name}"
    if sort in SAME:
        return f"{sort} {name}"
    if sort == "position":
        return f"ruling {name}"
    if sort in ("kind", "enum"):
        return f"kind {name}"
    return f"member {owner} {name}" if sort == "member" else ""


def leads(uses: tuple[Use, ...]) -> dict[int, str]:
    """End of a name, and of each part of a dotted one -> the key of what it means."""
    found: dict[int, str] = {}
    for use in uses:
        key = key_of(use.symbol)
        if key and not use.declared:
            parts = use.symbol.name.split(".") if use.span.end - use.span.start == len(use.symbol.name) else [""]
            for rest in range(len(parts)):
                found.setdefault(use.span.end - sum(len(part) + 1 for part in parts[len(parts) - rest :]), key)
    return found
