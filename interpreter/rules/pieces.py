"""Counted pieces as words: which piece a zone for one piece holds, and which index a count belongs to.

A zone `max 1` of counted pieces holds a code, the number of the piece among all its faces and indices; other zones
hold a count for each. Both are read from the layout alone; nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.base.types import IntType, MapType, MemberType, Type, width
from dsl.program import Program
from interpreter.rules.names import NONE_ID
from interpreter.rules.rules import Rules


def counted_by(rules: Rules, entry: ir.LayoutEntry) -> tuple[Type, ...]:
    """The types by which the pieces of a zone are counted, faces first; they are the same in all zones of the piece."""
    types = (e.type for e in rules.layout if e.piece == entry.piece and e.sort == "pieces")
    return next((t.keys for t in types if isinstance(t, MapType)), ())


def piece_words(rules: Rules, entry: ir.LayoutEntry, values: Sequence[int]) -> str:
    """A piece in the words of a row: its index, then its face, if it has several."""
    keys = counted_by(rules, entry)
    first = 1 if entry.faces else 0
    face = entry.faces[values[0]] if entry.faces else ""
    index = rules.names.key(values[first:], keys[first:])
    return f"{index} {face}".strip()


def slot_words(rules: Rules, entry: ir.LayoutEntry, code: int) -> str | bool:
    """The piece in a zone for one, or `none`; whether there is one, if its pieces have neither index nor faces."""
    keys = counted_by(rules, entry)
    if not keys:
        return code != 0
    return piece_words(rules, entry, rules.names.keys(keys)[code - 1]) if code else NONE_ID


def count_items(rules: Rules, entry: ir.LayoutEntry, counts: Sequence[int]) -> list[str]:
    """The pieces of a zone as rows name them: `coin down 2`."""
    keys = counted_by(rules, entry)
    rows = zip(rules.names.keys(keys), counts, strict=True)
    return [f"{piece_words(rules, entry, values)} {count}" for values, count in rows if count]


def count_label(rules: Rules, entry: ir.LayoutEntry, address: int, type_: Type) -> str:
    """`[red]` for one count of a zone that holds several; empty for other cells."""
    if not isinstance(entry.type, MapType) or isinstance(type_, MapType):
        return ""
    number = (address - entry.base) % width(entry.type) // width(entry.type.value)
    values = rules.names.keys(entry.type.keys)[number]
    pieces = entry.sort == "pieces"
    return f"[{piece_words(rules, entry, values) if pieces else rules.names.key(values, entry.type.keys)}]"


def index_keys(type_: MapType) -> tuple[Type, ...]:
    """The indexes of counted pieces, without their faces (which come first, as numbers)."""
    return type_.keys[1:] if isinstance(type_.keys[0], IntType) else type_.keys


def slot_keys_by_zone(rules: Rules) -> dict[str, tuple[Type, ...]]:
    """The keys of `slot_keys` for all zones that hold one piece, by symbol."""
    return {e.symbol: slot_keys(rules.program, e) for e in rules.program.layout if e.sort == "slot"}


def slot_keys(program: Program, entry: ir.LayoutEntry) -> tuple[Type, ...]:
    """The keys by which the piece in a zone for one is told, if another zone of the same piece counts it by one
    member (the last key); else none."""
    types = (e.type for e in program.layout if e.piece == entry.piece and isinstance(e.type, MapType))
    type_ = next(types, None)
    keys = index_keys(type_) if type_ is not None else ()
    return type_.keys if type_ is not None and len(keys) == 1 and isinstance(keys[0], MemberType) else ()
