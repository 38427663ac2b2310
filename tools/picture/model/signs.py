"""The looks of members and things: letters, colour, outline and pattern, from `display.yaml` or chosen here.

Seats without a colour get one of a palette that colour-blind people can tell apart; a pattern is chosen for whatever
may colour a place, so that a colour never stands alone.
"""

from __future__ import annotations

from dsl.base.types import MemberType
from dsl.checks.display.shape import PATTERNS
from dsl.shows.program import MemberSign
from interpreter.rules.rules import Rules
from tools.picture.model.about import lines_about
from tools.picture.model.data import Thing
from tools.shows.presenter import Presenter

PALETTE = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#3a7fc2", "#d55e00", "#cc79a7", "#9a9a9a")  # Okabe and Ito


def looks(rules: Rules) -> dict[tuple[str, bool, str, int], Thing]:
    """The things of a game that have been shown, by language, with or without notes, domain and value: how one is shown
    does not depend on the position."""
    return {}


def thing_of(presenter: Presenter, value: int, type_: MemberType, notes: bool = True) -> Thing:
    """The look of a member, by the kind that it is of, which may be part of a union; with `notes`, also what is told of
    it."""
    known, at = presenter.game.cached(looks), (presenter.lang, notes, type_.domain, value)
    if at not in known:
        known[at] = look_of(presenter, value, type_, notes)
    return known[at]


def look_of(presenter: Presenter, value: int, type_: MemberType, notes: bool) -> Thing:
    sort, id_ = presenter.sort(value, type_), presenter.game.names.text(value, type_)
    sign = presenter.sign(value, type_)
    is_seat = sort == presenter.program.seat_kind
    number = index_of(presenter, sort, value)
    colour = sign.paint or sign.colour or (PALETTE[number % len(PALETTE)] if is_seat else "")
    return Thing(
        key=presenter.key(value, type_),
        name=presenter.game.texts.value(presenter.lang, value, type_),
        mark=sign.glyph.rstrip(":") or (str(number + 1) if is_seat else ""),
        colour=colour,
        icon=sign.icon,
        pattern=pattern_of(sign, colour, number),
        about=lines_about(presenter, sort, id_) if notes else (),
    )


def pattern_of(sign: MemberSign, colour: str, number: int) -> str:
    """The pattern of a place in this colour: that of the file, else one by the number of the member."""
    return sign.pattern or (PATTERNS[number % len(PATTERNS)] if colour else "")


def index_of(presenter: Presenter, sort: str, value: int) -> int:
    domain = presenter.program.domains.get(sort)
    return domain.values.index(value) if domain is not None and value in domain.values else 0
