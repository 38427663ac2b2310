"""The parts of a SHOW of `display.yaml`: texts, and members by their names and keys, in their forms.

Takes a `Presenter` and a SHOW; the parts are plain data, which a terminal writes and a picture draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from dsl.base.types import MemberType, Type
from dsl.shows.spec import ShowSpec
from tools.shows.content import ByMember, Content, Hidden, Pieces, ShownValue, is_empty
from tools.shows.messages import message
from tools.shows.presenter import Presenter

CHIP, NAME, FACE = "chip", "name", "face"  # the forms of a part that shows a member: its sign, its name, its card
LABEL, HEAD = "label", "head"  # what stands right before a value; what names all that follows it
NUMBERS = ("number", "total")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of what is shown: a text, or a member by its name and key in one of three forms, with a number if it is
    counted. `dim`: it is no value of the game; `role`: it is the label or the head of what follows; `more`: another
    member of the same list follows; `below`: the keys of equal cards of which only this one is shown."""

    text: str = ""
    thing: str = ""
    form: str = ""
    count: int | None = None
    dim: bool = False
    role: str = ""
    more: bool = False
    below: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """Its text with its number."""
        return self.text if self.count is None else f"{self.text} {self.count}"


Parts: TypeAlias = "tuple[Part, ...]"
Meet: TypeAlias = "Callable[[int, MemberType, Part], object]"  # told of each member that is shown, and how


def unmet(value: int, type_: MemberType, part: Part) -> None:
    """The `meet` of those for whom it is enough to read the parts: it does nothing."""


def shown(presenter: Presenter, spec: ShowSpec, thing: int = 0, enum: str = "", meet: Meet = unmet) -> Parts:
    """The parts of a SHOW without its label, of a thing (0: of the whole game) or a member of an enum; none if nothing
    has its name or nothing is there."""
    if spec.of == "id":
        kind = enum or presenter.program.thing_kinds[thing]
        return (member(presenter, thing, MemberType(kind, thing, thing), spec.form or "id", meet=meet),)
    found = presenter.read(spec.of, thing, enum)
    if found is None:
        return ()
    if not spec.by or not isinstance(found, ShownValue):
        return content_parts(presenter, found, spec.form, meet)
    contents = presenter.count_by(found, spec.by)
    return in_list(content_parts(presenter, content, spec.form, meet) for content in contents)


def labelled(presenter: Presenter, spec: ShowSpec, parts: Parts) -> Parts:
    """The parts of a SHOW behind its label, if it has one and there are some."""
    label = presenter.label(spec)
    return (Part(label, dim=True, role=LABEL), *parts) if parts and label else parts


def content_parts(presenter: Presenter, content: Content, form: str, meet: Meet = unmet) -> Parts:
    """The parts of what has been read, in the form of a SHOW."""
    match content:
        case Hidden():
            return hidden(presenter, content, form, meet)
        case Pieces(counts, index_types):
            return pieces(presenter, counts, index_types, form, meet)
        case ShownValue(value, type_):
            return of_value(presenter, value, type_, form, meet)
        case ByMember(owned, key):
            held = ((v, part) for v, part in owned if not is_empty(part))
            texts, lang = presenter.game.texts, presenter.lang
            named = ((Part(texts.value(lang, v, key) + ":", dim=True, role=HEAD), one) for v, one in held)
            return tuple(part for head, one in named for part in (head, *content_parts(presenter, one, form, meet)))


def member(
    presenter: Presenter, value: int, type_: Type, form: str, count: int | None = None, meet: Meet = unmet
) -> Part:
    """One value: a member in this form, by its sign if it has one and no other form is wanted; or a text."""
    if not isinstance(type_, MemberType):
        return Part(presenter.game.texts.value(presenter.lang, value, type_), count=count)
    if not value:
        return Part()
    if form == "id":
        return Part(presenter.game.names.text(value, type_), count=count)
    look, kind = presenter.look(value, type_), NAME
    if form == FACE and presenter.program.domains[type_.domain].sort != "enum":
        kind = FACE
    elif form in ("", "glyph", FACE) and look.sign.glyph:
        kind = CHIP
    part = Part(look.name, look.key, kind, count)
    meet(value, type_, part)
    return part


def hidden(presenter: Presenter, content: Hidden, form: str, meet: Meet) -> Parts:
    """The parts that tell a reader of something hidden: how much it is, what stands on the backs, and what he knows."""
    count, type_ = content.count, content.type
    if count is not None and (form in NUMBERS or count == 0):
        return (Part(str(count)),)  # nothing is no secret
    text = message(presenter.lang, "hidden") + (f" ({count})" if count is not None else "")
    text += f" [{presenter.separator.join(content.backs)}]" if content.backs else ""
    if type_ is None or not content.known:
        return (Part(text, dim=True),)
    known = [member(presenter, t, type_, form, meet=meet) for t in content.known]
    return (Part(f"{text}:", dim=True, role=HEAD), *as_list(known))


def pieces(
    presenter: Presenter,
    counts: Sequence[tuple[tuple[int, ...], int]],
    index_types: Sequence[Type],
    form: str,
    meet: Meet,
) -> Parts:
    """Counted pieces: how many there are, one by one in a row, or each by its first index with its number."""
    if form in NUMBERS or not index_types:
        return (Part(str(sum(n for _, n in counts))),)
    summed: dict[int, int] = {}
    for key, n in counts:
        summed[key[0]] = summed.get(key[0], 0) + n
    if form == "row":
        one_by_one = (v for v, n in summed.items() for _ in range(n))
        return tuple(member(presenter, v, index_types[0], "glyph", meet=meet) for v in one_by_one)
    signs = all(presenter.glyph(v, index_types[0]) for v in summed)
    wanted = "" if signs else "text"
    return as_list([member(presenter, v, index_types[0], wanted, n, meet) for v, n in summed.items() if n])


def of_value(presenter: Presenter, value: Any, type_: Type, form: str, meet: Meet) -> Parts:
    items = presenter.parts_of(value, type_)
    if isinstance(items, Pieces):
        return pieces(presenter, items.counts, items.index_types, form, meet)
    if items is None:
        if form == "total":
            return (Part(str(int(value != 0))),)
        if form == "row" and value == 0:
            return ()
        wanted = "" if form in ("row", "number", "counts") else form
        part = member(presenter, value, type_, wanted, meet=meet)
        return (part,) if part != Part() else ()
    if form in NUMBERS:
        return (Part(str(len(items))),)
    wanted = form if form in ("text", FACE) else "glyph"
    found = (member(presenter, v, t, wanted, meet=meet) for v, t in items)
    return as_list([part for part in found if part != Part()])


def as_list(parts: Sequence[Part]) -> Parts:
    """Members of a list, each but the last with a note that there are more."""
    return (*(replace(part, more=True) for part in parts[:-1]), *parts[-1:])


def in_list(several: Iterable[Parts]) -> Parts:
    """The parts of several contents as one list."""
    found = [parts for parts in several if parts]
    return tuple(
        replace(part, more=part.more or number < len(found) - 1 and part is parts[-1])
        for number, parts in enumerate(found)
        for part in parts
    )
