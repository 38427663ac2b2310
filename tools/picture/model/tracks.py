"""Tracks as data: spaces from one number to another, and in each lane the marker of one thing.

Takes a `Reader` and the description of a panel; gives None where no marker can be seen, and for a track with too many
spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl.base.types import MapType, bounds
from dsl.checks.display.shape import MOST_SPACES
from tools.picture.model.data import Lane, Track
from tools.picture.model.reader import Reader
from tools.shows.content import Content, Pieces, ShownValue
from tools.shows.presenter import Presenter, subject


def track(reader: Reader, id_: str, title: str, spec: dict[str, Any], things: Sequence[int]) -> Track | None:
    """One lane for each thing whose marker can be seen."""
    presenter = reader.presenter
    marked = next((presenter.read(subject(spec["track"]), t) for t in things), None)
    if not isinstance(marked, ShownValue):
        return None
    lanes = []
    for thing in things:
        marker = presenter.read(subject(spec["track"]), thing)
        if isinstance(marker, ShownValue) and isinstance(marker.value, int):
            name = reader.name(thing)
            borders = {n for part in spec.get("borders") or [] for _, n in numbers(presenter, part, thing) if n}
            labels = {at: str(n) for at, n in numbers(presenter, spec.get("labels"), thing) if n}
            lanes.append(Lane((name,), name.thing, marker.value, tuple(sorted(borders)), tuple(sorted(labels.items()))))
    low, high = bounds(marked.type)
    return Track(id_, title, low, high, tuple(lanes)) if lanes and high - low < MOST_SPACES else None


def numbers(presenter: Presenter, spec: Any, thing: int) -> Iterator[tuple[int, int]]:
    """The numbers that a SHOW stands for, each with its index: those of a map, or a single one."""
    found = presenter.read(subject(spec), thing) if spec is not None else None
    if not isinstance(found, ShownValue):
        return
    if isinstance(found.type, MapType):
        first = bounds(found.type.keys[0])[0]
        yield from ((first + n, v) for n, v in enumerate(found.value) if isinstance(v, int))
    elif isinstance(found.value, int):
        yield found.value, found.value


def spaces(reader: Reader, id_: str, title: str, spec: dict[str, Any], things: Sequence[int]) -> Track | None:
    """One track for all: from its least to its most, or as far as a marker has gone."""
    found: list[tuple[int, int]] = []
    for thing in things:
        if (at := amount(reader.presenter.read(subject(spec["at"]), thing))) is not None:
            found.append((thing, at))
    first, last, *named = spec["track"]
    ends = [end for end in (end_of(reader, first), end_of(reader, last)) if end is not None]
    if not found or len(ends) < 2:
        return None
    lanes = []
    for thing, at in found:
        name = reader.name(thing)
        lanes.append(Lane((name,), name.thing, at))
    low, high = min([ends[0], *(at for _, at in found)]), max([ends[1], *(at for _, at in found)])
    if high - low >= MOST_SPACES:
        return None
    return Track(id_, title, low, high, tuple(lanes), step=int(named[0]) if named else 1)


def end_of(reader: Reader, end: int | str) -> int | None:
    """An end of a track: a number, or the number that a SHOW stands for."""
    return amount(reader.presenter.read(end)) if isinstance(end, str) else end


def amount(content: Content | None) -> int | None:
    """A number, or how many pieces there are; None where it is neither, or not to be seen."""
    match content:
        case ShownValue(int() as number):
            return number
        case Pieces(counts):
            return sum(n for _, n in counts)
    return None
