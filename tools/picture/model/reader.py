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

from dsl.base.types import MemberType, Type
from tools.display.content import ByMember, Content, Hidden, Pieces, Value, is_empty
from tools.display.messages import message
from tools.display.values import Presenter, subject
from tools.picture.model.data import CHIP, FACE, NAME, Part, Parts, Thing
from tools.picture.model.signs import thing_of

NUMBERS = ("number", "total")
ONE_BY_ONE = 6  # equal pieces that lie beside each other in a row; more are counted


@dataclass(frozen=True, slots=True)
class Met:
    """A part of a picture that has been read, with what its reader has met there."""

    value: Any
    things: dict[str, Thing]
    chips: dict[str, None]
    images: dict[str, None]
    cards: dict[str, int]
    card_facts: dict[str, Sequence[Any]]


Shared = dict[Hashable, Met]  # parts of the picture of one position in one language that all readers see alike


class Reader:
    """Reads SHOWs for one reader. `things`: by key, all that it has shown; `chips`: those shown by their letters;
    `notes`: whether things are with what is told of them; `shared`: what readers before this one have met that had
    nothing of their own."""

    def __init__(self, presenter: Presenter, notes: bool = True, shared: Shared | None = None) -> None:
        self.presenter, self.notes = presenter, notes
        self.shared: Shared = {} if shared is None else shared
        self.things: dict[str, Thing] = {}
        self.known: dict[tuple[str, int], Thing] = {}  # the same by domain and value
        self.chips: dict[str, None] = {}
        self.images: dict[str, None] = {}  # names of drawings that something is shown with
        self.cards: dict[str, int] = {}  # things shown as cards
        self.card_facts: dict[str, Sequence[Any]] = {}  # by key, SHOWs of a panel about a thing that it shows as a card

    # ------------------------------------------------------------ parts of a picture

    def part(self, name: Hashable, read: Callable[[Reader], Any]) -> Any:
        """What `read` gives. If it does not ask who the reader is, the next readers are given the same, unread."""
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

    def name(self, number: int) -> Part:
        """A thing by its name."""
        return Part(thing=self.thing_by_number(number).key, form=NAME)

    def member(self, value: int, type_: Type, form: str | None, count: int | None = None) -> Part:
        """One value: a thing in this form, or a text."""
        presenter = self.presenter
        if not isinstance(type_, MemberType):
            return Part(presenter.game.texts.value(presenter.lang, value, type_), count=count)
        if not value:
            return Part()
        if form == "id":
            return Part(presenter.game.names.text(value, type_), count=count)
        thing = self.thing(value, type_)
        if form == FACE and presenter.program.domains[type_.domain].sort != "enum":
            self.cards[thing.key] = value
            return Part(thing=thing.key, form=FACE, count=count)
        if form in (None, "glyph", FACE) and presenter.glyph(value, type_):
            self.chips[thing.key] = None
            return Part(thing=thing.key, form=CHIP, count=count)
        return Part(thing=thing.key, form=NAME, count=count)

    # ------------------------------------------------------------ SHOWs

    def show(self, spec: Any, thing: int = 0, enum: str = "") -> Parts:
        """The parts of a SHOW, its label first; empty if nothing has its name or nothing is there."""
        presenter = self.presenter
        spec = spec if isinstance(spec, dict) else {"of": str(spec)}
        name, form = subject(spec), spec.get("as")
        label = presenter.label(spec)
        first = (Part(label, dim=True),) if label else ()
        if name == "id":
            kind = enum or presenter.program.thing_kinds[thing]
            type_ = MemberType(kind, thing, thing)
            return (*first, self.member(thing, type_, "id" if form is None else form))
        found = presenter.read(name, thing, enum)
        if found is None:
            return ()
        contents: Sequence[Content] = [found]
        if "by" in spec and isinstance(found, Value):
            contents = list(presenter.count_by(found, subject(spec["by"])))
        parts = tuple(part for content in contents for part in self.content(content, form) if part != Part())
        return (*first, *parts) if parts else ()

    def content(self, content: Content, form: str | None) -> Parts:
        match content:
            case Hidden(count, known, type_, backs):
                return self.hidden(count, known, type_, backs, form)
            case Pieces(counts, index_types):
                return self.pieces(counts, index_types, form)
            case Value(value, type_):
                return self.value(value, type_, form)
            case ByMember(parts, key):
                shown = ((v, part) for v, part in parts if not is_empty(part))
                texts = self.presenter.game.texts
                named = ((Part(texts.value(self.presenter.lang, v, key) + ":", dim=True), one) for v, one in shown)
                return tuple(part for name, one in named for part in (name, *self.content(one, form)))

    def hidden(
        self, count: int | None, known: tuple[int, ...], type_: Type | None, backs: tuple[str, ...], form: str | None
    ) -> Parts:
        """What a reader is told of something hidden: how much it is, what stands on the backs, and what he knows."""
        if count is not None and (form in NUMBERS or count == 0):
            return (Part(str(count)),)
        text = message(self.presenter.lang, "hidden") + (f" ({count})" if count is not None else "")
        text += f" [{self.presenter.separator.join(backs)}]" if backs else ""
        items = tuple(self.member(t, type_, form) for t in known) if type_ is not None else ()
        return (Part(text, dim=True), *items)

    def pieces(
        self, counts: Sequence[tuple[tuple[int, ...], int]], index_types: Sequence[Type], form: str | None
    ) -> Parts:
        if form in NUMBERS or not index_types:
            return (Part(str(sum(n for _, n in counts))),)
        summed: dict[int, int] = {}
        for key, n in counts:
            summed[key[0]] = summed.get(key[0], 0) + n
        if form == "row" and all(n <= ONE_BY_ONE for n in summed.values()):
            return tuple(self.member(v, index_types[0], "glyph") for v, n in summed.items() for _ in range(n))
        return as_list([self.member(v, index_types[0], None, n) for v, n in summed.items() if n])

    def value(self, value: Any, type_: Type, form: str | None) -> Parts:
        items = self.presenter.parts_of(value, type_)
        if isinstance(items, Pieces):
            return self.pieces(items.counts, items.index_types, form)
        if items is None:
            if form == "total":
                return (Part(str(int(value != 0))),)
            if form == "row" and value == 0:
                return ()
            return (self.member(value, type_, None if form in ("row", "number", "counts") else form),)
        if form in NUMBERS:
            return (Part(str(len(items))),)
        return piled([self.member(v, t, form if form in ("text", FACE) else "glyph") for v, t in items])


def piled(parts: Sequence[Part]) -> Parts:
    """Equal parts behind one another as one with their number, where there are more than lie in a row."""
    found: list[Part] = []
    for _, run in groupby(parts):
        several = list(run)
        many = len(several) > (1 if several[0].form == FACE else ONE_BY_ONE)
        found += [replace(several[0], count=len(several))] if many else several
    return as_list(found)


def as_list(parts: Sequence[Part]) -> Parts:
    """Members of a list, each but the last with a note that there are more."""
    return (*(replace(part, more=True) for part in parts[:-1]), *parts[-1:])
