"""Panels as SVG: facts, tables, groups, tracks, and the legend; each a block below its title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.html.elements import Html, joined, tag
from tools.picture.model.data import FactTable, Groups, Panel, Picture, PrintedFact, PrintedFacts, TableRow, Track
from tools.picture.render.flow import (
    ROW,
    DrawnBlock,
    Ink,
    Item,
    flow,
    items,
    natural_width,
    shifted,
    stacked,
    word_items,
)
from tools.picture.render.measure import text_width
from tools.picture.render.shapes import number
from tools.picture.render.style import LINE
from tools.picture.render.tracks import track
from tools.shows.parts import CHIP, FACE, Part, Parts

TEXT, HEAD = Ink(13.0), Ink(12.0)
COLUMN = 14.0  # between columns
CAPS = (280.0, 220.0, 170.0, 140.0, 115.0)  # of the width of a column, the first that is narrow enough
SHORT_HEAD = 48.0  # the head of a column that is not broken
BESIDE = 6.0  # between the groups of a line
INDENT, BETWEEN = 14.0, 16.0  # of lines below others; between the items of a legend


def draw_panel(picture: Picture, panel: Panel, width: float) -> DrawnBlock:
    """The inside of a panel, no wider than this where that can be."""
    match panel:
        case PrintedFacts():
            return stacked([facts_block(picture, block.title, block.rows, width) for block in panel.blocks], 10)
        case FactTable():
            return table(picture, panel.heads, panel.rows, width)
        case Groups():
            return groups(picture, panel, width)
        case Track():
            return track(picture, panel, width)


def facts_block(picture: Picture, title: Parts, rows: Sequence[Sequence[PrintedFact]], width: float) -> DrawnBlock:
    blocks = [flow([*items(picture, title, Ink(13.0, bold=True))], width)] if title else []
    room = width - (INDENT if title else 0)
    for facts in rows:
        found: list[Item] = []
        for fact in facts:
            if any(part.form == FACE for part in fact.parts):
                blocks += [flow(found, room, INDENT)] if found else []
                found = []
                blocks += [flow([*word_items(fact.label, HEAD, 0.0, dim=True)], room)] if fact.label else []
                blocks.append(flow([*items(picture, fact.parts, TEXT)], room))
                continue
            found += labelled(picture, fact, 18.0 if found else 0.0)
        blocks += [flow(found, room, INDENT)] if found else []
    return stacked(blocks, ROW if len(rows) < 8 else 2, INDENT if title else 0.0)


def labelled(picture: Picture, fact: PrintedFact, before: float) -> list[Item]:
    """A label and what it is about; the first word of both stays together with the label where it is short."""
    label = list(word_items(fact.label, HEAD, before, dim=True))
    first, *rest = [*items(picture, fact.parts, TEXT)] or [Item(0, 0, 0)]
    gap = 5.0 if label else before
    return [*label, replace(first, before=gap), *rest]


def table(picture: Picture, heads: Sequence[str], rows: Sequence[TableRow], width: float) -> DrawnBlock:
    """Rows below the heads of their columns, in columns as narrow as the width demands; numbers at the right. A column
    without anything in it is left out."""
    used = [n for n in range(len(heads)) if any(row.cells[n] for row in rows)]
    columns: list[tuple[str, list[Parts]]] = [("", [row.head for row in rows])]
    columns += [(heads[n], [row.cells[n] for row in rows]) for n in used]
    natural = [max(natural_width(picture, cell, TEXT) for cell in cells) for _, cells in columns]
    words = [max([min(SHORT_HEAD, text_width(head, HEAD.size)), *(i.width for i in word_items(head, HEAD, 0.0))])
             for head, _ in columns]  # fmt: skip
    widths: list[float] = []
    for cap in CAPS:
        widths = [max(word, min(own, cap)) + 1 for own, word in zip(natural, words, strict=True)]
        if sum(widths) + COLUMN * (len(widths) - 1) <= width:
            break
    lefts = [sum(widths[:n]) + COLUMN * n for n in range(len(widths))]
    right = [n > 0 and all(is_number(cell) for cell in cells) for n, (_, cells) in enumerate(columns)]
    head = line_of([flow([*word_items(h, HEAD, 0.0, dim=True)], w) for (h, _), w in zip(columns, widths, strict=True)],
                   lefts, widths, right, bottom=True)  # fmt: skip
    lines = [head]
    for at in range(len(rows)):
        cells = [flow([*items(picture, cells[at], TEXT)], w) for (_, cells), w in zip(columns, widths, strict=True)]
        lines.append(line_of(cells, lefts, widths, right))
    whole = lefts[-1] + widths[-1]
    return stacked([ruled(line, whole) for line in lines], 4)


def line_of(
    cells: Sequence[DrawnBlock],
    lefts: Sequence[float],
    widths: Sequence[float],
    right: Sequence[bool],
    bottom: bool = False,
) -> DrawnBlock:
    """Blocks beside each other, each in its column."""
    height = max(cell.height for cell in cells)
    drawn = []
    for cell, left, width, is_right in zip(cells, lefts, widths, right, strict=True):
        x = left + width - cell.width if is_right else left
        drawn.append(shifted(cell.html, x, height - cell.height if bottom else 0))
    return DrawnBlock(lefts[-1] + widths[-1], height, joined(drawn))


def ruled(block: DrawnBlock, width: float) -> DrawnBlock:
    """A row with a line below it."""
    y = number(block.height + 2)
    rule = tag("line", x1="0", x2=number(width), y1=y, y2=y, class_="line", stroke=LINE, stroke_width="0.6")
    return DrawnBlock(block.width, block.height, joined([block.html, rule]))


def is_number(parts: Parts) -> bool:
    return not parts or len(parts) == 1 and not parts[0].thing and parts[0].text.lstrip("-").isdecimal()


def groups(picture: Picture, panel: Groups, width: float) -> DrawnBlock:
    """The name of each group and its cells behind it; in a line the cells of all, each below the name of its group."""
    if panel.flow:
        return groups_in_line(picture, panel, width)
    heads = [flow([*items(picture, dimmed(row.head), HEAD)], width / 3) for row in panel.rows]
    left = max((head.width for head in heads), default=0.0) + 12
    blocks = []
    for head, row in zip(heads, panel.rows, strict=True):
        found: list[Item] = []
        for cell in row.cells:
            before = 16.0 if found else 0.0
            if natural_width(picture, cell, TEXT) <= width - left:  # it is not broken
                found.append(item_of(flow([*items(picture, cell, TEXT)], 10_000), before))
                continue
            first, *rest = [*items(picture, cell, TEXT)]
            found += [replace(first, before=before), *rest]
        body = flow(found, width - left)
        blocks.append(DrawnBlock(left + body.width, max(head.height, body.height),
                            joined([head.html, shifted(body.html, left, 0)])))  # fmt: skip
    return stacked(blocks)


def groups_in_line(picture: Picture, panel: Groups, width: float) -> DrawnBlock:
    found: list[Item] = []
    for row in panel.rows:
        for cell in row.cells:
            parts = ((dimmed(row.head), HEAD), (cell, TEXT))
            head, body = (flow([*items(picture, shown, ink)], 10_000) for shown, ink in parts)
            whole = stacked([head, body, DrawnBlock(0.0, ROW, Html())], 2)
            found.append(item_of(whole, BESIDE if found else 0.0))
    return flow(found, width)


def item_of(block: DrawnBlock, before: float) -> Item:
    return Item(block.width, block.height, before, lambda x, y, _: shifted(block.html, x, y))


def dimmed(parts: Parts) -> Parts:
    return tuple(Part(part.text, part.thing, part.form, part.count, True) for part in parts)


def legend(picture: Picture, width: float) -> DrawnBlock:
    """The meanings of the letters and signs."""
    found: list[Item] = []
    for key in picture.legend:
        chip, *name = items(picture, (Part(thing=key, form=CHIP), Part(picture.things[key].name)), HEAD)
        found += [replace(chip, before=BETWEEN if found else 0.0, keep=True), *name]
    for sign, meaning in picture.signs:
        signs = (replace(item, keep=True) for item in word_items(sign, Ink(12.0, bold=True), BETWEEN))
        found += [*signs, *word_items(meaning, HEAD, 4.0)]
    return flow(found, width)
