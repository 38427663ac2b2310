"""Panels as SVG: facts, tables, groups, tracks, and the legend; each a block below its title."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tools.picture.model.data import CHIP, FACE, Fact, Facts, Groups, Panel, Part, Parts, Picture, Row, Table, Track
from tools.picture.render.elements import Html, joined, tag
from tools.picture.render.flow import Block, Ink, Item, flow, items, natural_width, shifted, word_items
from tools.picture.render.measure import text_width
from tools.picture.render.shapes import grouped, number, text_at
from tools.picture.render.style import LINE
from tools.picture.render.tokens import token

TEXT, HEAD = Ink(13.0), Ink(12.0)
ROW, COLUMN = 5.0, 14.0  # between rows and between columns
CAPS = (280.0, 220.0, 170.0, 140.0, 115.0)  # of the width of a column, the first that is narrow enough
SHORT_HEAD = 48.0  # the head of a column that is not broken
INDENT, BETWEEN = 14.0, 16.0  # of lines below others; between the items of a legend
SPACE = 22.0  # the least width of a space of a track


def stacked(blocks: Iterable[Block], gap: float = ROW, indent: float = 0.0) -> Block:
    """Blocks below each other; those after the first begin at `indent`."""
    drawn, y, width, left = [], 0.0, 0.0, 0.0
    for block in blocks:
        drawn.append(shifted(block.html, left, y))
        y += block.height + gap
        width = max(width, left + block.width)
        left = indent
    return Block(width, max(y - gap, 0.0), joined(drawn))


def draw_panel(picture: Picture, panel: Panel, width: float) -> Block:
    """The inside of a panel, no wider than this where that can be."""
    match panel:
        case Facts():
            return stacked([facts_block(picture, block.title, block.rows, width) for block in panel.blocks], 10)
        case Table():
            return table(picture, panel.heads, panel.rows, width)
        case Groups():
            return groups(picture, panel, width)
        case Track():
            return track(picture, panel, width)


def facts_block(picture: Picture, title: Parts, rows: Sequence[Sequence[Fact]], width: float) -> Block:
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


def labelled(picture: Picture, fact: Fact, before: float) -> list[Item]:
    """A label and what it is about; the first word of both stays together with the label where it is short."""
    label = list(word_items(fact.label, HEAD, before, dim=True))
    first, *rest = [*items(picture, fact.parts, TEXT)] or [Item(0, 0, 0)]
    gap = 5.0 if label else before
    return [*label, replace(first, before=gap), *rest]


def table(picture: Picture, heads: Sequence[str], rows: Sequence[Row], width: float) -> Block:
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
    cells: Sequence[Block], lefts: Sequence[float], widths: Sequence[float], right: Sequence[bool], bottom: bool = False
) -> Block:
    """Blocks beside each other, each in its column."""
    height = max(cell.height for cell in cells)
    drawn = []
    for cell, left, width, is_right in zip(cells, lefts, widths, right, strict=True):
        x = left + width - cell.width if is_right else left
        drawn.append(shifted(cell.html, x, height - cell.height if bottom else 0))
    return Block(lefts[-1] + widths[-1], height, joined(drawn))


def ruled(block: Block, width: float) -> Block:
    """A row with a line below it."""
    y = number(block.height + 2)
    rule = tag("line", x1="0", x2=number(width), y1=y, y2=y, class_="line", stroke=LINE, stroke_width="0.6")
    return Block(block.width, block.height, joined([block.html, rule]))


def is_number(parts: Parts) -> bool:
    return not parts or len(parts) == 1 and not parts[0].thing and parts[0].text.lstrip("-").isdigit()


def groups(picture: Picture, panel: Groups, width: float) -> Block:
    """The name of each group and its cells behind it; cards below it."""
    heads = [flow([*items(picture, dimmed(row.head), HEAD)], width / 3) for row in panel.rows]
    left = max((head.width for head in heads), default=0.0) + 12
    blocks = []
    for head, row in zip(heads, panel.rows, strict=True):
        found: list[Item] = []
        for cell in row.cells:
            first, *rest = [*items(picture, cell, TEXT)]
            found += [replace(first, before=16.0 if found else 0.0), *rest]
        body = flow(found, width - left)
        blocks.append(Block(left + body.width, max(head.height, body.height),
                            joined([head.html, shifted(body.html, left, 0)])))  # fmt: skip
    return stacked(blocks)


def dimmed(parts: Parts) -> Parts:
    return tuple(Part(part.text, part.thing, part.form, part.count, True) for part in parts)


def track(picture: Picture, panel: Track, width: float) -> Block:
    """The spaces of a track in as many rows as the width demands, a lane for each thing in each of them."""
    heads = [flow([*items(picture, lane.head, TEXT)], width / 3) for lane in panel.lanes]
    left = max(head.width for head in heads) + 10
    widest = max((len(text) for lane in panel.lanes for _, text in lane.labels), default=0)
    step = max(SPACE, widest * 7.0 + 6)
    count = panel.high - panel.low + 1
    per_row = min(count, max(int((width - left) / step), 1))
    blocks = []
    for start in range(panel.low, panel.high + 1, per_row):
        spaces = range(start, min(start + per_row, panel.high + 1))
        drawn = [text_at(left + (n - start + 0.5) * step, 10, str(n), 10, "soft", anchor="middle") for n in spaces]
        y = 14.0
        for head, lane in zip(heads, panel.lanes, strict=True):
            drawn.append(shifted(head.html, 0, y + 1))
            drawn += [space(picture, panel, lane.thing, lane.at, n, dict(lane.labels), n in lane.borders,
                            left + (n - start) * step, y, step) for n in spaces]  # fmt: skip
            y += SPACE + 3
        blocks.append(Block(left + len(spaces) * step, y, joined(drawn)))
    return stacked(blocks)


def space(
    picture: Picture, panel: Track, thing: str, at: int, n: int, labels: dict[int, str], border: bool,
    x: float, y: float, step: float,
) -> Html:  # fmt: skip
    """One space of a lane: its box, what is printed on it, the marker if it is there."""
    sizes = {"x": number(x), "y": number(y), "width": number(step), "height": number(SPACE)}
    drawn = [tag("rect", **sizes, class_="box", fill="#f1efe4", stroke=LINE, stroke_width="0.8")]
    if border and n > panel.low:
        drawn.append(tag("line", x1=number(x), x2=number(x), y1=number(y - 1), y2=number(y + SPACE + 1), class_="edge",
                         stroke="#23261f", stroke_width="2"))  # fmt: skip
    if n in labels:
        drawn.append(text_at(x + step / 2, y + 15, labels[n], 10, "soft", anchor="middle"))
    if n == at:
        marker = picture.things[thing]
        drawn.append(
            grouped(
                (f"{marker.name}: {n}",),
                token(picture, marker, x + (step - SPACE + 4) / 2, y + SPACE / 2, SPACE - 4),
                data_thing=thing,
            )
        )
    return joined(drawn)


def legend(picture: Picture, width: float) -> Block:
    """What the letters and signs mean."""
    found: list[Item] = []
    for key in picture.legend:
        chip, *name = items(picture, (Part(thing=key, form=CHIP), Part(picture.things[key].name)), HEAD)
        found += [replace(chip, before=BETWEEN if found else 0.0, keep=True), *name]
    for sign, meaning in picture.signs:
        signs = (replace(item, keep=True) for item in word_items(sign, Ink(12.0, bold=True), BETWEEN))
        found += [*signs, *word_items(meaning, HEAD, 4.0)]
    return flow(found, width)
