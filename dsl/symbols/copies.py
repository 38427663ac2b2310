"""Copies of a card: several things of one printed card (docs/manual/18-cards-and-strips.md).

What the passes share about them: the number of copies of a card or record, their ids, which rules all copies share and
which each needs with its own `this`, and the texts that they fall back to. Nothing but such routines is declared here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from dsl.files.rows import COPIES_ROW, MAX_COPIES
from dsl.symbols.symbols import KindSym, Model, RoutineSym
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

CONSTANTS = ("copy", "original")  # what every thing has, where its kind declares nothing of that name


def declares(kind: KindSym, name: str) -> bool:
    """Whether a kind declares this name itself, which then has only that meaning."""
    return any(isinstance(line, sx.Decl) and line.name == name for d in kind.decls for line in d.block)


def copies_row(card: sx.Decl) -> sx.Row | None:
    """The row of a card that gives the number of copies, or None."""
    rows = (line for line in card.block if isinstance(line, sx.Row))
    return next((row for row in rows if isinstance(row.key, sx.Name) and row.key.id == COPIES_ROW), None)


def written_count(m: Model, row: sx.Row) -> int:
    """The number in that row; 1 after a message."""
    cell = row.cells[0][0] if len(row.cells) == 1 and len(row.cells[0]) == 1 else None
    span = cell.span if cell is not None else row.span
    said = m.text(span)
    match cell:
        case sx.Num(n) if 1 <= n <= MAX_COPIES:
            return n
        case sx.Num() | sx.Unary("-", sx.Num()):
            way = "one is the card itself; leave out a card that is not in the game"
            m.error("RW0280", span, f"{said} copies are outside 1..{MAX_COPIES}", way)
        case _:
            m.error(
                "RW0279",
                span,
                f"`{said}` is not a number",
                f"how many copies there are: `{COPIES_ROW}: 1..{MAX_COPIES}`",
            )
    return 1


def copy_id(id_: str, number: int) -> str:
    return f"{id_}_{number}"


def copy_number(kind: KindSym, thing: int) -> int:
    """Which copy a thing is, from 1 on."""
    id_ = kind.ids[thing - kind.low]
    first = kind.copies.get(id_)
    return 1 if first is None else int(id_.removeprefix(f"{first}_"))


def original_of(kind: KindSym, thing: int) -> int:
    """The first of the copies that a thing is one of."""
    first = kind.copies.get(kind.ids[thing - kind.low])
    return thing if first is None else kind.low + kind.ids.index(first)


def refers_to_this(node: object) -> bool:
    """Whether rules refer to the thing that they are written on, so that each copy needs its own."""
    return any(
        isinstance(n, sx.Name) and n.id in ("this", "owner") or isinstance(n, sx.Section) and n.word == "until end of"
        for n in walk(node)
    )


def original_things(m: Model) -> dict[int, int]:
    """Thing -> the first of the copies, of all things that are not the first themselves."""
    return {
        kind.low + at: original_of(kind, kind.low + at)
        for kind in m.kinds.values()
        if not kind.parts and kind.copies
        for at, id_ in enumerate(kind.ids)
        if id_ in kind.copies
    }


def copies_by_name(m: Model) -> dict[str, list[str]]:
    """Name -> names of the copies, of things and of the actions on them."""
    pairs = [(first, copy) for kind in m.kinds.values() for copy, first in kind.copies.items()]
    pairs += [(r.original, r.name) for r in m.routines.values() if r.original]
    found: dict[str, list[str]] = {}
    for first, copy in pairs:
        found.setdefault(first, []).append(copy)
    return found


def with_copies(texts: dict[str, str], copies: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The texts, with the texts of originals for copies that have none; `copies`: name -> names of the copies."""
    made = dict(texts)
    for address, text in texts.items():
        parts = address.split(".")
        for at, part in enumerate(parts):
            for name in copies.get(part, ()):
                made.setdefault(".".join([*parts[:at], name, *parts[at + 1 :]]), text)
    return made


def with_hints(display: dict[str, Any], m: Model) -> dict[str, Any]:
    """The display file with the signs of the originals for the copies that have none of their own."""
    members = display.get("members") or {}
    signs = {}
    for name, given in members.items():
        copies = m.kinds[name].copies if name in m.kinds else {}
        signs[name] = {copy: given[first] for copy, first in copies.items() if first in given} | given
    return {**display, "members": signs} if signs != members else display


def things_by_id(kind: KindSym) -> dict[str, list[int]]:
    """Id of a card or record -> its number and those of its copies."""
    found: dict[str, list[int]] = {}
    for thing, id_ in enumerate(kind.ids, kind.low):
        found.setdefault(kind.copies.get(id_, id_), []).append(thing)
    return found


def copy_routine(m: Model, r: RoutineSym, thing: int, own: bool) -> RoutineSym:
    """The routine of a copy of a card: the same one, or, where each copy needs its `own`, one with another `this`."""
    if thing == r.this or not own:
        return r
    name = f"{r.name}#{thing}"
    m.routines[name] = replace(r, name=name, proc=len(m.routines) + 1, this=thing, lines=[])
    return m.routines[name]
