"""The show-program of a ruleset: looks of members, cards, map, panels, and what is told besides the log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from dsl.base.record import dataclass
from dsl.shows.chart import ShownMap
from dsl.shows.panels import ShowPanel
from dsl.shows.spec import ShowSpec


@dataclass(frozen=True, slots=True)
class MemberSign:
    """The looks of a member: letters, colour in a terminal, `paint` in a picture, outline of its token, pattern."""

    glyph: str = ""
    colour: str = ""
    paint: str = ""
    icon: str = ""
    pattern: str = ""


NO_SIGN = MemberSign()


@dataclass(frozen=True, slots=True)
class ShownFace:
    """A thing of a kind as a card. `band`: the member whose colour its head has, else `colour`; `facts` None: its first
    constants."""

    colour: str = ""
    band: ShowSpec | None = None
    corner: ShowSpec | None = None
    facts: tuple[ShowSpec, ...] | None = None


PLAIN_FACE = ShownFace()


@dataclass(frozen=True, slots=True)
class ToldChange:
    """A line besides the log: of things that `come` into zones or a value that `change`s, for each thing of the kind
    `per`; or of what verbs with these `causes` and routines (`during`, `run`, unless one of `without` ran) did."""

    id: str
    per: str = ""
    come: tuple[ShowSpec, ...] = ()
    change: ShowSpec | None = None
    changes: tuple[ShowSpec, ...] = ()
    during: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    run: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @property
    def compares_positions(self) -> bool:
        """True for one that compares two positions; the others listen to a game as it is played."""
        return not (self.run or self.during or self.causes)


@dataclass(frozen=True, slots=True)
class ShowProgram:
    """All that `display.yaml` says, checked. `panels` None: there is no such file, so all is shown in plain lists;
    `preview`: values that an option is told by; `confirm`: actions that are asked about once more; `drawings`: by
    their names."""

    members: Mapping[str, Mapping[str, MemberSign]] = field(default_factory=dict)
    faces: Mapping[str, ShownFace] = field(default_factory=dict)
    map: ShownMap | None = None
    panels: tuple[ShowPanel, ...] | None = None
    preview: tuple[ShowSpec, ...] = ()
    confirm: tuple[str, ...] = ()
    told: tuple[ToldChange, ...] = ()
    drawings: Mapping[str, Any] = field(default_factory=dict)
