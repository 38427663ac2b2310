"""Contents of zones, as far as the reader knows them: in a zone, in a panel; and all fields and zones that there
are."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.types import ListType, MemberType, SetType
from dsl.shows.panels import (
    FactRows,
    LaneTrack,
    MemberGroups,
    MemberTable,
    PanelContent,
    PanelMembers,
    SpaceTrack,
    shows_of,
)
from interpreter.core.words import members
from tools.shows.content import Hidden, ShownValue
from tools.shows.presenter import Presenter

NUMBERS = ("total", "number")  # forms of which only the size is told


def known_contents(presenter: Presenter, zone: str, thing: int) -> list[int]:
    """The things that the reader knows to be in a zone."""
    match presenter.read(zone, thing):
        case Hidden(known=known):
            return list(known)
        case ShownValue(value, SetType()):
            return list(members(value))
        case ShownValue(value, ListType()):
            return list(value)
        case ShownValue(value, MemberType()):
            return [value] if value else []
    return []


def things_in_zone(presenter: Presenter, name: str, owner: int) -> list[int]:
    """The things that the reader knows to be in a zone of `owner` (0: of the game); none where the name is no zone."""
    kind = presenter.program.thing_kinds[owner] if owner else ""
    entry = presenter.game.shapes.get(kind, {}).get(name) if owner else presenter.entries.get(name)
    return known_contents(presenter, name, owner) if entry is not None and entry.sort == "zone" else []


def things_shown(presenter: Presenter, content: PanelContent) -> list[int]:
    """The things that lie in the zones of a panel, as far as the reader knows them, in their order there; not those in
    zones of which it shows only how much they hold."""
    owners: Sequence[int] = (0,)
    match content:
        case MemberGroups(kind):
            owners = presenter.things(kind)
        case (
            FactRows(per=PanelMembers(kind, where))
            | MemberTable(PanelMembers(kind, where))
            | LaneTrack(PanelMembers(kind, where))
            | SpaceTrack(PanelMembers(kind, where))
        ):
            owners = [t for t in presenter.things(kind) if where is None or presenter.has_content(where.of, t)]
    names = [spec.of for spec in shows_of(content) if spec.form not in NUMBERS]
    found = [t for owner in owners for name in names for t in things_in_zone(presenter, name, owner)]
    return list(dict.fromkeys(found))


def fields_and_zones(presenter: Presenter) -> tuple[list[str], dict[str, list[str]]]:
    """The fields and zones that are shown without a list of panels: the symbols of the whole game, and kind -> names of
    its own."""
    symbols: list[str] = []
    kinds: dict[str, list[str]] = {}
    for entry in presenter.program.layout:
        kind, dot, name = entry.symbol.rpartition(".")
        if entry.sort not in ("place", "seats", "option", "counter"):
            (kinds.setdefault(kind, []) if dot else symbols).append(name)
    return symbols, kinds
