"""Cards that look alike and lie behind one another as one card with their number; it names those below it.

Takes panels, and the things and faces by their keys; gives the panels anew.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import groupby

from tools.picture.model.data import (
    Face,
    FactBlock,
    FactTable,
    Groups,
    Panel,
    PrintedFact,
    PrintedFacts,
    TableRow,
    Thing,
)
from tools.shows.parts import FACE, Part, Parts


def cards_in(panel: Panel) -> list[str]:
    """The keys of the things that a panel shows as cards."""
    match panel:
        case PrintedFacts():
            shown = [fact.parts for block in panel.blocks for row in block.rows for fact in row]
        case FactTable() | Groups():
            shown = [cell for row in panel.rows for cell in row.cells]
        case _:
            shown = []
    return [part.thing for parts in shown for part in parts if part.form == FACE]


def with_piles(panel: Panel, things: Mapping[str, Thing], faces: Mapping[str, Face]) -> Panel:
    def pile(parts: Parts) -> Parts:
        return piled_faces(parts, things, faces)

    match panel:
        case PrintedFacts():
            blocks = (
                FactBlock(
                    b.title, tuple(tuple(PrintedFact(fact.label, pile(fact.parts)) for fact in row) for row in b.rows)
                )
                for b in panel.blocks
            )
            return replace(panel, blocks=tuple(blocks))
        case FactTable() | Groups():
            return replace(panel, rows=tuple(TableRow(row.head, tuple(map(pile, row.cells))) for row in panel.rows))
    return panel


def piled_faces(parts: Parts, things: Mapping[str, Thing], faces: Mapping[str, Face]) -> Parts:
    """Runs of cards with one name and one face; a card that is a pile already stays as it is."""

    def looks(pair: tuple[int, Part]) -> Hashable:
        number, part = pair
        if part.form != FACE or part.count is not None or part.thing not in faces:
            return number
        kind = part.thing.partition(".")[0]
        return kind, things[part.thing].name, faces[part.thing]

    found: list[Part] = []
    for _, run in groupby(enumerate(parts), key=looks):
        first, *others = (part for _, part in run)
        below = tuple(part.thing for part in others)
        more = others[-1].more if others else first.more
        found.append(replace(first, count=1 + len(below), below=below, more=more) if below else first)
    return tuple(found)
