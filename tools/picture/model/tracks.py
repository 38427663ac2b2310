"""Tracks as data: spaces from one number to another, and in each lane the marker of one thing.

Takes a `Reader` and the description of a panel; gives None where no marker can be seen, and for a track with too many
spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.base.types import MapType, bounds
from dsl.checks.display.shape import MOST_SPACES
from dsl.shows.panels import LaneTrack, SpaceTrack
from dsl.shows.spec import ShowSpec
from tools.picture.model.data import Lane, Track
from tools.picture.model.reader import Reader
from tools.shows.content import Content, Pieces, ShownValue
from tools.shows.presenter import Presenter


def track(reader: Reader, id_: str, title: str, lane: LaneTrack, things: Sequence[int]) -> Track | None:
    """One lane for each thing whose marker can be seen."""
    presenter = reader.presenter
    marked = next((presenter.read(lane.marker.of, t) for t in things), None)
    if not isinstance(marked, ShownValue):
        return None
    lanes = []
    for thing in things:
        marker = presenter.read(lane.marker.of, thing)
        if isinstance(marker, ShownValue) and isinstance(marker.value, int):
            name = reader.name(thing)
            borders = {n for part in lane.borders for _, n in numbers(presenter, part, thing) if n}
            labels = {at: str(n) for at, n in numbers(presenter, lane.labels, thing) if n}
            lanes.append(Lane((name,), name.thing, marker.value, tuple(sorted(borders)), tuple(sorted(labels.items()))))
    low, high = bounds(marked.type)
    return Track(id_, title, low, high, tuple(lanes)) if lanes and high - low < MOST_SPACES else None


def numbers(presenter: Presenter, spec: ShowSpec | None, thing: int) -> Iterator[tuple[int, int]]:
    """The numbers that a SHOW stands for, each with its index: those of a map, or a single one."""
    found = presenter.read(spec.of, thing) if spec is not None else None
    if not isinstance(found, ShownValue):
        return
    if isinstance(found.type, MapType):
        first = bounds(found.type.keys[0])[0]
        yield from ((first + n, v) for n, v in enumerate(found.value) if isinstance(v, int))
    elif isinstance(found.value, int):
        yield found.value, found.value


def spaces(reader: Reader, id_: str, title: str, line: SpaceTrack, things: Sequence[int]) -> Track | None:
    """One track for all: from its least to its most, or as far as a marker has gone."""
    found: list[tuple[int, int]] = []
    for thing in things:
        if (at := amount(reader.presenter.read(line.at.of, thing))) is not None:
            found.append((thing, at))
    ends = [end for end in (end_of(reader, line.first), end_of(reader, line.last)) if end is not None]
    if not found or len(ends) < 2:
        return None
    lanes = []
    for thing, at in found:
        name = reader.name(thing)
        lanes.append(Lane((name,), name.thing, at))
    low, high = min([ends[0], *(at for _, at in found)]), max([ends[1], *(at for _, at in found)])
    if high - low >= MOST_SPACES:
        return None
    return Track(id_, title, low, high, tuple(lanes), step=line.step)


def end_of(reader: Reader, end: int | ShowSpec) -> int | None:
    """An end of a track: a number, or the number that a SHOW stands for."""
    return end if isinstance(end, int) else amount(reader.presenter.read(end.of))


def amount(content: Content | None) -> int | None:
    """A number, or how many pieces there are; None where it is neither, or not to be seen."""
    match content:
        case ShownValue(int() as number):
            return number
        case Pieces(counts):
            return sum(n for _, n in counts)
    return None
