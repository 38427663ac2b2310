"""The model of a picture: frozen records of texts, numbers and names, nothing of the game itself.

Everything in it may be seen by its reader. `as_json` gives the same as plain data, for tests and for other programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from tools.shows.parts import Parts


@dataclass(frozen=True, slots=True)
class Thing:
    """A member of a kind or enum. `mark`: a few letters, which stand beside a colour always; `colour`: `#rrggbb` or
    empty; `icon`: the outline of its token; `pattern`: what lies on a place of its colour; `about`: lines for whoever
    points at it."""

    key: str  # `Kind.id`
    name: str
    mark: str = ""
    colour: str = ""
    icon: str = ""
    pattern: str = ""
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedFact:
    label: str
    parts: Parts


@dataclass(frozen=True, slots=True)
class FactBlock:
    """Rows of facts, below the thing that they are about if there is one."""

    title: Parts
    rows: tuple[tuple[PrintedFact, ...], ...]


@dataclass(frozen=True, slots=True)
class PrintedFacts:
    id: str
    title: str
    blocks: tuple[FactBlock, ...]
    sort: str = "facts"
    side: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    head: Parts
    cells: tuple[Parts, ...]


@dataclass(frozen=True, slots=True)
class FactTable:
    """Rows of cells below the heads of their columns; the column of the names has none."""

    id: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    sort: str = "table"
    side: str = ""


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows of what belongs together, as many cells as there are; with the flow `line` all in one row."""

    id: str
    title: str
    rows: tuple[TableRow, ...]
    sort: str = "groups"
    side: str = ""
    flow: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """The row of one thing on a track. `borders`: the spaces that begin a new part of it; `labels`: what is printed on
    spaces."""

    head: Parts
    thing: str
    at: int
    borders: tuple[int, ...] = ()
    labels: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """Spaces from `low` to `high`, in each lane one marker. `step`: after how many spaces one is named; 0 where each
    lane has spaces of its own, else all markers are on the same ones."""

    id: str
    title: str
    low: int
    high: int
    lanes: tuple[Lane, ...]
    sort: str = "track"
    side: str = ""
    step: int = 0


# `side` of a panel: `top` (above the map), `left` (of it), `wide` (as wide as the picture), or empty
Panel: TypeAlias = "PrintedFacts | FactTable | Groups | Track"


@dataclass(frozen=True, slots=True)
class Face:
    """A thing as a card. `band`: the colour of its head, or empty; `corner`: what stands in the corner; `text`: what is
    printed on it; `changed`: it is not as in the picture beside it."""

    corner: str = ""
    band: str = ""
    facts: tuple[PrintedFact, ...] = ()
    text: str = ""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A shape of the map around its middle, in the units of a picture. `form`: hex, pointed (a hex on its point), box,
    tab, circle, card or none; `shown`: whether something is there, else `lines` hold what stands on an empty place;
    `changed`: it is not as in the picture beside it."""

    id: str
    thing: str
    form: str
    x: float
    y: float
    width: float
    height: float
    shown: bool
    colour: str = ""
    pattern: str = ""
    lines: tuple[Parts, ...] = ()
    about: tuple[str, ...] = ()
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A map from its upper left corner, in units of a picture, of which a line of text takes about twenty. `image`: the
    name of the drawing below it, or empty; `ground`: the colour of what lies between the places, or empty."""

    title: str
    width: float
    height: float
    places: tuple[Place, ...]
    labels: tuple[tuple[float, float, str], ...] = ()
    image: str = ""
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A position as its reader sees it. `reader`: who that is, in words; `asked`: who is asked, and if that is the
    reader, what; `things` and `faces` by the keys that parts name; `signs`: signs with what they mean; `drawings` by
    the names that icons and the map have: `{"box": [left, top, width, height], "shapes": [..]}`; `prefix`: what the ids
    of its elements begin with, where several pictures are in one document."""

    lang: str
    title: str
    reader: str
    headings: tuple[str, ...]
    asked: str
    chart: Chart | None
    panels: tuple[Panel, ...]
    legend_title: str
    legend: tuple[str, ...]
    signs: tuple[tuple[str, str], ...]
    things: Mapping[str, Thing]
    faces: Mapping[str, Face]
    drawings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    prefix: str = ""


def as_json(picture: Picture) -> dict[str, Any]:
    """The picture as plain data of JSON."""
    return asdict(picture)
