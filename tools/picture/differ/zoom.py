"""Two pictures cut to what differs: no panels that are alike, of the map the surroundings of what has changed."""

from __future__ import annotations

from dataclasses import replace

from tools.picture.differ.marks import only_changes
from tools.picture.model.data import Chart, Picture, Place

MARGIN = 8.0
AROUND = 1.2  # of the size of a place that has changed: how far its surroundings go
Box = tuple[float, float, float, float]  # left, top, right, bottom


def zoomed(first: Picture, second: Picture) -> tuple[Picture, Picture]:
    """Two marked pictures with only what differs; a map with an image below it stays whole."""
    one, other = only_changes(first), only_changes(second)
    if one.chart is None and other.chart is None or first.chart is None or second.chart is None:
        return one, other
    if first.chart.image:
        return replace(one, chart=first.chart), replace(other, chart=second.chart)
    changed = [place for chart in (first.chart, second.chart) for place in chart.places if place.changed]
    seen = around([enlarged(place) for place in changed])
    kept = {place.id for chart in (first.chart, second.chart) for place in chart.places if touches(box_of(place), seen)}
    frame = around([box_of(place) for place in first.chart.places if place.id in kept])
    return replace(one, chart=cut(first.chart, kept, frame)), replace(other, chart=cut(second.chart, kept, frame))


def box_of(place: Place) -> Box:
    half, high = place.width / 2, place.height / 2
    return place.x - half, place.y - high, place.x + half, place.y + high


def enlarged(place: Place) -> Box:
    left, top, right, bottom = box_of(place)
    across, down = place.width * AROUND, place.height * AROUND
    return left - across, top - down, right + across, bottom + down


def around(boxes: list[Box]) -> Box:
    return (min(box[0] for box in boxes), min(box[1] for box in boxes),
            max(box[2] for box in boxes), max(box[3] for box in boxes))  # fmt: skip


def touches(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def cut(chart: Chart, kept: set[str], frame: Box) -> Chart:
    """A map with the places of these ids in a frame, with a margin."""
    left, top = frame[0] - MARGIN, frame[1] - MARGIN
    width, height = frame[2] - left + MARGIN, frame[3] - top + MARGIN
    places = tuple(replace(place, x=round(place.x - left, 1), y=round(place.y - top, 1))
                   for place in chart.places if place.id in kept)  # fmt: skip
    labels = ((round(x - left, 1), round(y - top, 1), text) for x, y, text in chart.labels)
    inside = tuple(label for label in labels if 0 <= label[0] <= width and 14 <= label[1] <= height)
    return replace(chart, width=round(width, 1), height=round(height, 1), places=places, labels=inside)
