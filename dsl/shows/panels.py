"""The panels of a show-program: a head, and one of six sorts of content."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from dsl.base.record import dataclass
from dsl.shows.spec import ShowSpec


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts of the whole game, one a row."""

    shows: tuple[ShowSpec, ...]


@dataclass(frozen=True, slots=True)
class PanelMembers:
    """The members of a kind or enum; with `where` those of which it holds something."""

    kind: str
    where: ShowSpec | None = None


@dataclass(frozen=True, slots=True)
class FactRows:
    """Rows of facts, for each of these members or for the whole game; empty facts are left out."""

    rows: tuple[tuple[ShowSpec, ...], ...]
    per: PanelMembers | None = None


@dataclass(frozen=True, slots=True)
class MemberTable:
    """A row for each member; `cards`: each is a card instead, on which the columns are told."""

    per: PanelMembers
    columns: tuple[ShowSpec, ...] = ()
    cards: bool = False


@dataclass(frozen=True, slots=True)
class LaneTrack:
    """A lane of spaces for each member, with its `marker` on one; `borders`: spaces that begin a part of the lane;
    `labels`: what is printed on spaces."""

    per: PanelMembers
    marker: ShowSpec
    borders: tuple[ShowSpec, ...] = ()
    labels: ShowSpec | None = None


@dataclass(frozen=True, slots=True)
class SpaceTrack:
    """One lane for the markers of all, from `first` to `last`; every `step`-th space is named. With letters alone it is
    a table with the spaces as one of its columns."""

    per: PanelMembers
    at: ShowSpec
    first: int | ShowSpec
    last: int | ShowSpec
    step: int = 1
    columns: tuple[ShowSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class MemberGroups:
    """The things of a kind in rows `by` a name, each with its cells; `in_line`: all in one row."""

    kind: str
    by: ShowSpec
    cells: tuple[ShowSpec, ...] = ()
    in_line: bool = False


PanelContent: TypeAlias = "FactList | FactRows | MemberTable | LaneTrack | SpaceTrack | MemberGroups"


@dataclass(frozen=True, slots=True)
class ShowPanel:
    """A panel as the file says it. `title`: a text, the address of one, or empty for that of its id; `side`: where a
    picture has it; `only`: the one place that has it, `picture` or `terminal`, empty for both."""

    id: str
    content: PanelContent
    title: str = ""
    side: str = ""
    only: str = ""


def shows_of(content: PanelContent) -> Iterator[ShowSpec]:
    """All that a panel shows of its members, or of the whole game."""
    match content:
        case FactList(shows):
            yield from shows
        case FactRows(rows):
            for row in rows:
                yield from row
        case MemberTable(columns=columns) | SpaceTrack(columns=columns):
            yield from columns
        case MemberGroups(cells=cells):
            yield from cells
