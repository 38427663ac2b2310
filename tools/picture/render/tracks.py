"""Tracks as SVG: a lane for each thing, or one for the markers of all."""

from __future__ import annotations

from dataclasses import replace

from tools.html.elements import Html, joined, tag
from tools.picture.model.data import Lane, Picture, Track
from tools.picture.render.flow import DrawnBlock, Ink, flow, items, shifted, stacked
from tools.picture.render.shapes import grouped, number, text_at
from tools.picture.render.style import LINE
from tools.picture.render.tokens import token

TEXT = Ink(13.0)
SPACE = 22.0  # the least width of a space of a track
NARROW, WIDEST = 17.0, 30.0  # of a space of a track that all markers are on
MARKER, NUMBERS = 15.0, 13.0  # the size of a marker there; the height of the numbers above the spaces
DIGIT = 7.0  # the width of a digit of these numbers, with what lies between two numbers


def track(picture: Picture, panel: Track, width: float) -> DrawnBlock:
    """The spaces of a track in as many rows as the width demands, a lane for each thing in each of them; or one lane
    for all."""
    if panel.step:
        return one_lane(picture, panel, width)
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
        blocks.append(DrawnBlock(left + len(spaces) * step, y, joined(drawn)))
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


def one_lane(picture: Picture, panel: Track, width: float) -> DrawnBlock:
    """The spaces in a row, or in rows that begin at a named one, without rows that all markers have left behind;
    markers on one space below each other."""
    count = panel.high - panel.low + 1
    per_row = count
    if count * NARROW > width:
        per_row = max(int(width / NARROW / panel.step), 1) * panel.step
    wide = min(WIDEST, max(width / per_row, NARROW))
    last = min((lane.at for lane in panel.lanes), default=panel.low)
    blocks = []
    for start in range(panel.low, panel.high + 1, per_row):
        spaces = range(start, min(start + per_row, panel.high + 1))
        if last > spaces[-1]:
            continue
        on = {n: [lane for lane in panel.lanes if lane.at == n] for n in spaces}
        height = MARKER * max([1, *(len(lanes) for lanes in on.values())]) + 5
        numbers = numbered(panel, on, wide)
        drawn = [open_space(picture, n, on[n], n in numbers, (n - start) * wide, wide, height) for n in spaces]
        blocks.append(DrawnBlock(len(spaces) * wide, NUMBERS + height + 1, joined(drawn)))
    return stacked(blocks)


def numbered(panel: Track, on: dict[int, list[Lane]], wide: float) -> set[int]:
    """The spaces of a row whose numbers are written: those with markers, then named ones; none that would cover
    another."""
    named = [n for n in on if n % panel.step == 0 or n in (panel.low, panel.high)]
    found: set[int] = set()
    for n in [*(n for n, lanes in on.items() if lanes), *named]:
        if all(abs(n - other) * wide > (len(str(n)) + len(str(other))) * DIGIT / 2 for other in found - {n}):
            found.add(n)
    return found


def open_space(
    picture: Picture, n: int, lanes: list[Lane], is_numbered: bool, x: float, wide: float, height: float
) -> Html:
    """A space with the markers on it, and perhaps its number above it."""
    drawn = [tag("rect", x=number(x), y=number(NUMBERS), width=number(wide), height=number(height), class_="box",
                 fill="#f1efe4", stroke=LINE, stroke_width="0.8")]  # fmt: skip
    if is_numbered:
        drawn.append(text_at(x + wide / 2, NUMBERS - 3, str(n), 10, "ink" if lanes else "soft", bool(lanes), "middle"))
    for at, lane in enumerate(lanes):
        marker = picture.things[lane.thing]
        round_one = replace(marker, icon=marker.icon or "disc", mark=marker.mark or marker.name[:1])
        shown = token(picture, round_one, x + (wide - MARKER) / 2, NUMBERS + 3 + MARKER * (at + 0.5), MARKER - 1)
        drawn.append(grouped((f"{marker.name}: {n}",), shown, data_thing=lane.thing))
    return joined(drawn)
