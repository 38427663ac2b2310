"""Panels in frames, in a column beside the map and in two columns below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, product

from tools.html.elements import tag
from tools.picture.model.data import Groups, Panel, Picture
from tools.picture.render.flow import DrawnBlock, shifted
from tools.picture.render.panels import draw_panel
from tools.picture.render.shapes import box_at, text_at
from tools.picture.render.style import LINE, PAPER
from tools.shows.parts import FACE

MARGIN, GAP, PADDING = 16.0, 12.0, 12.0
TITLE = 24.0  # the height of the title of a panel
NARROWEST = 300.0  # of a panel
MANY_CARDS = 6
MOST_TRIED = 10  # panels of which all columns are tried
FULL = 0.66  # of the width of a picture: what columns take that are made as wide as it
WORTHWHILE = 40.0  # that a picture gets lower


class Panels:
    """The panels of a picture, each drawn once for each width."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.by_id = {panel.id: panel for panel in picture.panels}
        self.drawn: dict[tuple[str, float], DrawnBlock] = {}

    def inside(self, id_: str, width: float) -> DrawnBlock:
        """The drawing in the frame of a panel that is so wide; made once for each width."""
        at = id_, round(width, 1)
        if at not in self.drawn:
            self.drawn[at] = draw_panel(self.picture, self.by_id[id_], width - 2 * PADDING)
        return self.drawn[at]

    def framed(self, id_: str, width: float) -> DrawnBlock:
        """A panel in a frame of this width; wider if it does not get narrower."""
        return framed(self.by_id[id_].title, self.inside(id_, width), width, f"{self.picture.prefix}panel-{id_}")

    def inner_width(self, id_: str, width: float) -> float:
        """The width that a panel takes of so much."""
        return self.inside(id_, width).width + 2 * PADDING


def column_beside(
    panels: Panels, ids: Sequence[str], room: float, height: float
) -> dict[str, tuple[float, DrawnBlock]]:
    """The panels that fit beside a map of this height, by id, each with its top."""
    found: list[tuple[float, DrawnBlock]] = []
    inside = {id_: panels.inside(id_, room) for id_ in ids} if room > 200 else {}
    top = 0.0
    fitting = []
    for id_, block in inside.items():
        own = block.height + TITLE + 2 * PADDING
        if block.width > room - 2 * PADDING or top + own > height and found:
            continue
        fitting.append(id_)
        found.append((top, block))
        top += own + GAP
    width = min(max([NARROWEST, *(block.width + 2 * PADDING for _, block in found)]), room)
    return {
        id_: (y, framed(panels.by_id[id_].title, block, width, f"{panels.picture.prefix}panel-{id_}"))
        for id_, (y, block) in zip(fitting, found, strict=True)
    }


def rows_below(panels: Panels, ids: Sequence[str], width: float, y: float) -> list[tuple[float, float, DrawnBlock]]:
    """Panels in columns; those that are wide, alone, or too wide for a column across all of them."""
    placed: list[tuple[float, float, DrawnBlock]] = []
    for is_wide, run in groupby(ids, key=lambda id_: needs_all(panels, id_, width)):
        several = list(run)
        for some in [[one] for one in several] if is_wide else [several]:
            found = arranged(panels, some, width)
            placed += [(left, y + top, block) for left, top, block in found]
            y += max(top + block.height for _, top, block in found) + GAP
    return placed


def needs_all(panels: Panels, id_: str, width: float) -> bool:
    """True for a panel that needs the whole width of the picture."""
    panel, half = panels.by_id[id_], (width - GAP) / 2
    if panel.side == "wide" or isinstance(panel, Groups) and panel.flow or has_many_cards(panel):
        return True
    return panels.inner_width(id_, half) > half + 1


def arranged(panels: Panels, ids: Sequence[str], width: float) -> list[tuple[float, float, DrawnBlock]]:
    """One panel across this width, or several in two columns of about one height; the highest of them across both
    columns where they take less room so."""
    if len(ids) == 1:
        return [(MARGIN, 0.0, panels.framed(ids[0], width))]
    half = (width - GAP) / 2
    blocks = {id_: panels.framed(id_, half) for id_ in ids}
    sides, height = balanced({id_: block.height for id_, block in blocks.items()})
    tallest = max(ids, key=lambda id_: blocks[id_].height)
    others = [id_ for id_ in ids if id_ != tallest]
    wide = panels.framed(tallest, width)
    rest = balanced({id_: blocks[id_].height for id_ in others})[1]
    if len(others) > 1 and wide.height + GAP + rest < height - WORTHWHILE:
        below = arranged(panels, others, width)
        return [(MARGIN, 0.0, wide), *((left, top + wide.height + GAP, block) for left, top, block in below)]
    columns = [[id_ for id_ in ids if sides[id_] == side] for side in (0, 1)]
    own = [max([NARROWEST, *(panels.inner_width(id_, half) for id_ in column)]) for column in columns]
    if sum(own) > FULL * width:
        own[1] = width - GAP - own[0]
    placed = []
    for column, left, inside in zip(columns, (MARGIN, MARGIN + own[0] + GAP), own, strict=True):
        top = 0.0
        for id_ in column:
            placed.append((left, top, panels.framed(id_, inside)))
            top += placed[-1][2].height + GAP
    return placed


def balanced(heights: Mapping[str, float]) -> tuple[dict[str, int], float]:
    """The column, 0 or 1, of each panel, so that the higher column is as low as can be; and its height. The first panel
    stands in the first column."""
    ids = list(heights)
    if len(ids) > MOST_TRIED:
        return {id_: at % 2 for at, id_ in enumerate(ids)}, sum(heights.values())
    found: list[tuple[float, tuple[int, ...]]] = []
    for chosen in product((0, 1), repeat=max(len(ids) - 1, 0)):
        columns = (0, *chosen)[: len(ids)]
        tops = [sum(heights[id_] + GAP for id_, at in zip(ids, columns, strict=True) if at == side) for side in (0, 1)]
        found.append((max(tops), columns))
    height, columns = min(found)
    return dict(zip(ids, columns, strict=True)), height - GAP


def has_many_cards(panel: Panel) -> bool:
    """True for a panel that is better shown across the whole picture, since it has a row of cards."""
    cells = [cell for row in panel.rows for cell in row.cells] if isinstance(panel, Groups) else []
    return sum(part.form == FACE for cell in cells for part in cell) >= MANY_CARDS


def framed(title: str, inside: DrawnBlock, width: float, id_: str) -> DrawnBlock:
    width = max(width, inside.width + 2 * PADDING)
    height = TITLE + inside.height + 2 * PADDING
    box = box_at(0, 0, width, height, 8, class_="paper line", fill=PAPER, stroke=LINE)
    head = text_at(PADDING, PADDING + 13, title, 14, bold=True)
    return DrawnBlock(width, height, tag("g", box, head, shifted(inside.html, PADDING, PADDING + TITLE), id=id_))
