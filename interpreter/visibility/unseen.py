"""Hidden cells: the little that a seat is told of a cell that it may not see.

Views, pictures and observations ask here, so that no two of them tell a seat different things.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import SetType, unpack, width
from interpreter.core.words import Words, members
from interpreter.rules.rules import Rules
from interpreter.visibility import audiences


@dataclass(frozen=True, slots=True)
class UnseenCell:
    """The part of a hidden cell that a seat is told of. `count`: how much is in it, None where that is no public
    knowledge; `known`: the things in it that the seat knows to be there; `things`: all of them, in their order, of
    which only the backs may be told."""

    count: int | None
    known: tuple[int, ...] = ()
    things: tuple[int, ...] = ()


def unseen_cell(rules: Rules, words: Words, entry: ir.LayoutEntry, base: int, seat: int | None) -> UnseenCell:
    """The part of the cell at `base` that `seat` is told of; for who has found that it does not see it."""
    if entry.sort != "zone":
        return UnseenCell(unseen_count(words, entry, base))
    things = zone_things(words, entry, base)
    known = tuple(thing for thing in things if audiences.knows(rules, words, thing, seat))
    return UnseenCell(len(things) if entry.size_seen else None, known, things)


def unseen_count(words: Words, entry: ir.LayoutEntry, base: int) -> int | None:
    """The number of pieces, or things, in a hidden cell; None where nobody is told."""
    if not entry.size_seen:
        return None
    match entry.sort:
        case "pieces":
            return sum(words[base : base + width(entry.type)])
        case "slot":
            return int(words[base] != 0)
        case "zone":
            return len(zone_things(words, entry, base))
    return None


def zone_things(words: Words, entry: ir.LayoutEntry, base: int) -> tuple[int, ...]:
    """The things in a zone, in their order where it has one."""
    value = unpack(words, base, entry.type)
    if isinstance(entry.type, SetType):
        return tuple(members(value))
    return value if isinstance(value, tuple) else (value,) if value else ()
