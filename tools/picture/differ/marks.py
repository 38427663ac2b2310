"""Differences between two pictures, by plain comparison of their models, with a mark at it in both.

Takes two models of one game, for one reader in one language; gives the same two with marks, and without what is alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tools.picture.differ.entries import Entries, entries, fact_key, key_of
from tools.picture.model.data import (
    Chart,
    Face,
    FactBlock,
    FactTable,
    Groups,
    Lane,
    Panel,
    Picture,
    PrintedFact,
    PrintedFacts,
)
from tools.picture.model.data import Track as TrackPanel
from tools.picture.model.piles import cards_in
from tools.shows.parts import Part, Parts

SIGN = "◆"
MARK = Part(SIGN)


def marked(before: Picture, after: Picture) -> tuple[Picture, Picture]:
    """Both pictures with a mark at each place, card and line of a panel that is not the same in the other."""
    return marked_against(before, after), marked_against(after, before)


def marked_against(picture: Picture, other: Picture) -> Picture:
    panels = {panel.id: panel for panel in other.panels}
    return replace(
        picture,
        chart=marked_chart(picture.chart, other.chart) if picture.chart is not None else None,
        panels=tuple(marked_panel(panel, panels.get(panel.id)) for panel in picture.panels),
        faces={key: marked_face(face, other.faces.get(key)) for key, face in picture.faces.items()},
    )


def marked_chart(chart: Chart, other: Chart | None) -> Chart:
    """Places are compared by their ids, wherever the frame of the map has them."""
    there = {place.id: place for place in other.places} if other is not None else {}

    def differs(place: Any) -> bool:
        found = there.get(place.id)
        return found is None or replace(found, x=place.x, y=place.y) != place

    return replace(chart, places=tuple(replace(place, changed=differs(place)) for place in chart.places))


def marked_face(face: Face, other: Face | None) -> Face:
    return replace(face, changed=True) if other is not None and other != face else face


def marked_panel(panel: Panel, other: Panel | None) -> Panel:
    if panel == other:
        return panel
    known = entries(other) if other is not None else {}
    title = f"{panel.title} {SIGN}"
    match panel:
        case PrintedFacts():
            blocks = tuple(
                FactBlock(
                    block.title, tuple(tuple(marked_fact(block, fact, known) for fact in row) for row in block.rows)
                )
                for block in panel.blocks
            )
            return replace(panel, title=title, blocks=blocks)
        case FactTable():
            rows = []
            for row in panel.rows:
                cells = [cell if known.get(f"{key_of(row.head)}/{head}") == cell else marked_parts(cell)
                         for head, cell in zip(panel.heads, row.cells, strict=True)]  # fmt: skip
                rows.append(replace(row, cells=tuple(cells)))
            return replace(panel, title=title, rows=tuple(rows))
        case Groups():
            lines = []
            for row in panel.rows:
                cells = [cell if known.get(f"{key_of(row.head)}/{at}") == cell else marked_parts(cell)
                         for at, cell in enumerate(row.cells)]  # fmt: skip
                lines.append(replace(row, cells=tuple(cells)))
            return replace(panel, title=title, rows=tuple(lines))
        case TrackPanel():
            return replace(panel, title=title, lanes=tuple(marked_lane(lane, known) for lane in panel.lanes))


def marked_fact(block: FactBlock, fact: PrintedFact, known: Entries) -> PrintedFact:
    return fact if known.get(fact_key(block, fact)) == fact.parts else replace(fact, parts=marked_parts(fact.parts))


def marked_lane(lane: Lane, known: Entries) -> Lane:
    return lane if known.get(lane.thing) == lane else replace(lane, head=marked_parts(lane.head))


def marked_parts(parts: Parts) -> Parts:
    return (MARK, *parts)


def only_changes(picture: Picture) -> Picture:
    """A marked picture without panels that are alike, and without a map on which nothing has changed."""
    panels = tuple(panel for panel in picture.panels if is_marked(picture, panel))
    chart = picture.chart if picture.chart is not None and any(one.changed for one in picture.chart.places) else None
    return replace(picture, panels=panels, chart=chart)


def is_marked(picture: Picture, panel: Panel) -> bool:
    """True if something in a panel has a mark: its title, or a card in it."""
    return panel.title.endswith(SIGN) or any(picture.faces[key].changed for key in cards_in(panel))
