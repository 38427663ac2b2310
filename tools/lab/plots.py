"""Plots of a study as plain SVG: intervals, and the lengths of games before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tools.html.elements import Content, Html, tag
from tools.lab.effects import UNDECIDED, Finding
from tools.lab.sequence import ANYTHING

WIDTH, LABELS, ROW = 760, 280, 22  # of a plot of intervals
PLOT = WIDTH - LABELS - 20
COLOURS = {UNDECIDED: "#777", "": "#777"}  # of verdicts; others are blue
SIDES = ("#b33", "#282")  # of the games before and after, as text and as lines
BARS, HEIGHT = 16, 130  # of a histogram


def interval_plot(rows: Sequence[tuple[str, Finding]]) -> Html:
    """Two lines for each figure: the interval for this many pairs, thick, and the one valid whenever one stops."""
    reach = max((reach_of(effect) for _, effect in rows), default=0.0) or 1.0
    bottom = ROW * len(rows) + 8

    def at(value: float) -> str:
        return f"{LABELS + PLOT * (0.5 + min(max(value / reach, -1.0), 1.0) / 2):.1f}"

    parts: list[Content] = [line(at(0.0), at(0.0), 4, bottom, "#bbb", 1)]
    for number, (name, effect) in enumerate(rows):
        y = ROW * number + 18
        colour = COLOURS.get(effect.verdict, "#26a")
        parts.append(tag("text", name, x="0", y=str(y + 4)))
        low, high = effect.valid
        if effect.valid != ANYTHING:
            parts.append(line(at(low), at(high), y, y, colour, 1.5))
        mean, margin = effect.difference.mean, effect.difference.margin
        if margin is not None:
            parts.append(line(at(mean - margin), at(mean + margin), y, y, colour, 5))
        parts.append(tag("circle", cx=at(mean), cy=str(y), r="4", fill=colour))
    for value in (-reach, 0.0, reach):
        anchor = "start" if value < 0 else "end" if value else "middle"
        parts.append(
            tag("text", f"{value:+.3g}" if value else "0", x=at(value), y=str(bottom + 14), text_anchor=anchor)
        )
    return drawing(WIDTH, bottom + 20, parts)


def reach_of(effect: Finding) -> float:
    """The end of a row that is farther from nothing."""
    margin = effect.difference.margin or 0.0
    valid = () if effect.valid == ANYTHING else (abs(effect.valid.low), abs(effect.valid.high))
    return max(abs(effect.difference.mean) + margin, *valid, 0.0)


def histograms(sides: Sequence[tuple[str, Sequence[float]]]) -> Html:
    """The lengths of games: an outline for each side with its name, all in the same bins."""
    values = [value for _, side in sides for value in side]
    low, high = min(values), max(values)
    width = (high - low) / BARS or 1.0
    counts = [Counter(min(int((value - low) / width), BARS - 1) for value in side) for _, side in sides]
    most, step = max(max(side.values()) for side in counts), (WIDTH - 40) / BARS
    parts: list[Content] = [line("20", str(WIDTH - 20), HEIGHT - 10, HEIGHT - 10, "#bbb", 1)]
    for number, (side, (name, _), colour) in enumerate(zip(counts, sides, SIDES, strict=False)):
        steps = [(bar + more, HEIGHT - 10 - (HEIGHT - 30) * side[bar] / most) for bar in range(BARS) for more in (0, 1)]
        points = " ".join(f"{20 + step * x:.1f},{y:.1f}" for x, y in steps)
        parts.append(tag("polyline", points=points, fill="none", stroke=colour, stroke_width="2"))
        parts.append(tag("text", name, x=str(WIDTH - 20), y=str(16 * number + 14), text_anchor="end", fill=colour))
    for x, value, anchor in ((20, low, "start"), (WIDTH - 20, high, "end")):
        parts.append(tag("text", f"{value:g}", x=str(x), y=str(HEIGHT + 6), text_anchor=anchor))
    return drawing(WIDTH, HEIGHT + 12, parts)


def line(x1: str, x2: str, y1: int, y2: int, colour: str, width: float) -> Html:
    return tag("line", x1=x1, x2=x2, y1=str(y1), y2=str(y2), stroke=colour, stroke_width=f"{width:g}")


def drawing(width: int, height: int, parts: Sequence[Content]) -> Html:
    return tag(
        "svg",
        parts,
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
        style="max-width: 100%; font-size: 13px",
    )
