"""The SHOWs of `display.yaml` as parts of a picture: what `Presenter` reads for one reader, with the things in it by
their keys.

A `Reader` collects the things and cards that it has met; what its presenter does not give is not in a picture. What
all readers of a position see alike is read once (`part`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from dsl.base.types import MemberType
from dsl.shows.spec import ShowSpec
from tools.picture.model.data import Thing
from tools.picture.model.signs import thing_of
from tools.shows.parts import CHIP, FACE, NAME, Part, Parts, labelled, member, shown
from tools.shows.presenter import Presenter

ONE_BY_ONE = 6  # equal pieces that lie beside each other in a row; more are counted


@dataclass(frozen=True, slots=True)
class Met:
    """A part of a picture that has been read, with what its reader has met there."""

    value: Any
    things: dict[str, Thing]
    chips: dict[str, None]
    images: dict[str, None]
    cards: dict[str, int]
    card_facts: dict[str, Sequence[ShowSpec]]


Shared = dict[Hashable, Met]  # parts of the picture of one position in one language that all readers see alike


class Reader:
    """Reads SHOWs for one reader. `things`: by key, all that it has shown; `chips`: those shown by their letters;
    `notes`: whether things are with what is told of them; `letters`: whether it reads for letters alone, so that
    nothing is a card and equal members are not piled; `shared`: what readers before this one have met that had
    nothing of their own."""

    def __init__(
        self, presenter: Presenter, notes: bool = True, shared: Shared | None = None, letters: bool = False
    ) -> None:
        self.presenter, self.notes, self.letters = presenter, notes, letters
        self.shared: Shared = {} if shared is None else shared
        self.things: dict[str, Thing] = {}
        self.known: dict[tuple[str, int], Thing] = {}  # the same by domain and value
        self.chips: dict[str, None] = {}
        self.images: dict[str, None] = {}  # names of drawings that something is shown with
        self.cards: dict[str, int] = {}  # things shown as cards
        self.card_facts: dict[str, Sequence[ShowSpec]] = {}  # by key of a card, what a panel tells about its thing

    # ------------------------------------------------------------ parts of a picture

    def part(self, name: Hashable, read: Callable[[Reader], Any]) -> Any:
        """The value of `read`, called `name`. If it does not ask who the reader is, the next readers are given the
        same, unread."""
        if self.letters:
            return read(self)
        met = self.shared.get(name)
        if met is None:
            before, self.presenter.met_own = self.presenter.met_own, False
            inner = Reader(self.presenter, self.notes, self.shared)
            value = read(inner)
            met = Met(value, inner.things, inner.chips, inner.images, inner.cards, inner.card_facts)
            if not self.presenter.met_own:
                self.shared[name] = met
            self.presenter.met_own |= before
        self.things |= met.things
        self.chips |= met.chips
        self.images |= met.images
        self.cards |= met.cards
        self.card_facts |= met.card_facts
        return met.value

    # ------------------------------------------------------------ things

    def thing(self, value: int, type_: MemberType) -> Thing:
        at = type_.domain, value
        if at not in self.known:
            found = thing_of(self.presenter, value, type_, self.notes)
            self.images[found.icon] = None
            self.known[at] = self.things.setdefault(found.key, found)
        return self.known[at]

    def thing_by_number(self, number: int) -> Thing:
        kind = self.presenter.program.thing_kinds[number]
        return self.thing(number, MemberType(kind, number, number))

    def meet(self, value: int, type_: MemberType, part: Part) -> None:
        """Takes note of a member that is shown, and of how; letters need no more than its part."""
        if self.letters:
            return
        thing = self.thing(value, type_)
        if part.form == CHIP:
            self.chips[thing.key] = None
        elif part.form == FACE:
            self.cards[thing.key] = value

    def name(self, number: int) -> Part:
        """A thing by its name."""
        return self.member(number, NAME)

    def member(self, number: int, form: str, enum: str = "") -> Part:
        """A thing, or a member of an enum, in this form."""
        kind = enum or self.presenter.program.thing_kinds[number]
        return member(self.presenter, number, MemberType(kind, number, number), form, meet=self.meet)

    # ------------------------------------------------------------ SHOWs

    def show(self, spec: ShowSpec, thing: int = 0) -> Parts:
        """The parts of a SHOW, its label first; empty if nothing has its name or nothing is there."""
        return labelled(self.presenter, spec, self.parts(spec, thing))

    def parts(self, spec: ShowSpec, thing: int = 0, enum: str = "") -> Parts:
        """The same without its label, for a label that has its own column."""
        parts = shown(self.presenter, spec, thing, enum, self.meet)
        return parts if self.letters else piled(parts)


def piled(parts: Parts) -> Parts:
    """Equal members behind one another as one with their number, where there are more than lie in a row."""
    found: list[Part] = []
    for part, run in groupby(parts, key=lambda part: replace(part, more=False)):
        several = list(run)
        single = not part.thing or part.count is not None
        many = len(several) > (1 if part.form == FACE else ONE_BY_ONE) and not single
        found += [replace(part, count=len(several), more=several[-1].more)] if many else several
    return tuple(found)
