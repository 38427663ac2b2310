"""Counted pieces as words: which piece a zone for one piece holds, and which index a count belongs to.

A zone `max 1` of counted pieces holds a code, the number of the piece among all its faces and indices; other zones
hold a count for each. Both are read from the layout alone; nothing is changed.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import MapType, MemberType, Type, width
from interpreter.rules.names import NONE_ID
from interpreter.rules.rules import Rules


def counted_by(rules: Rules, entry: ir.LayoutEntry) -> tuple[Type, ...]:
    """The types by which the pieces of a zone are counted, faces first; they are the same in all zones of the piece."""
    types = (e.type for e in rules.layout if e.piece == entry.piece and e.sort == "pieces")
    return next((t.keys for t in types if isinstance(t, MapType)), ())


def slot_words(rules: Rules, entry: ir.LayoutEntry, code: int) -> str | bool:
    """The piece in a zone for one, or `none`; whether there is one, if its pieces have no index."""
    keys = counted_by(rules, entry)
    index = [at for at, t in enumerate(keys) if isinstance(t, MemberType)]
    if not index:
        return code != 0
    if not code:
        return NONE_ID
    values = rules.names.keys(keys)[code - 1]
    return rules.names.key([values[at] for at in index], [keys[at] for at in index])


def count_label(rules: Rules, entry: ir.LayoutEntry, address: int, type_: Type) -> str:
    """`[red]` for one count of a zone that holds several; empty for other cells."""
    if not isinstance(entry.type, MapType) or isinstance(type_, MapType):
        return ""
    number = (address - entry.base) % width(entry.type) // width(entry.type.value)
    return f"[{rules.names.key(rules.names.keys(entry.type.keys)[number], entry.type.keys)}]"
