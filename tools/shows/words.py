"""Parts as coloured text, for a terminal and for whatever reads only words.

Signs and colours are those of `members` in `display.yaml`.
"""

from __future__ import annotations

from dataclasses import replace

from rich.text import Text

from dsl.base.types import MemberType
from dsl.shows.spec import ShowSpec
from tools.shows.content import Content
from tools.shows.parts import (
    CHIP,
    FACE,
    HEAD,
    LABEL,
    NAME,
    Meet,
    Part,
    Parts,
    content_parts,
    labelled,
    member,
    shown,
    unmet,
)
from tools.shows.presenter import Presenter

SHORT = "short"  # the form of counts where there is little room: signs without the number one


def show_text(presenter: Presenter, spec: ShowSpec, thing: int = 0, enum: str = "", meet: Meet = unmet) -> Text:
    """A SHOW as text, its label first; empty if nothing has its name or nothing is there."""
    return text_of(presenter, labelled(presenter, spec, shown(presenter, spec, thing, enum, meet)), spec.form == SHORT)


def bare_text(presenter: Presenter, spec: ShowSpec, thing: int = 0) -> Text:
    """A SHOW as text without its label."""
    return text_of(presenter, shown(presenter, spec, thing), spec.form == SHORT)


def content_text(presenter: Presenter, content: Content, form: str = "") -> Text:
    """A content that has been read, as text in the form of a SHOW."""
    return text_of(presenter, content_parts(presenter, content, form))


def name_text(presenter: Presenter, thing: int) -> Text:
    """A thing by its name in the reader's language, in its colour."""
    kind = presenter.program.thing_kinds[thing]
    return text_of(presenter, (member(presenter, thing, MemberType(kind, thing, thing), NAME),))


def text_of(presenter: Presenter, parts: Parts, short: bool = False) -> Text:
    """Parts as text: signs beside each other, other members of a list with the separator of the language."""
    text = Text()
    for before, part in zip((None, *parts), parts, strict=False):
        if before is not None:
            text.append(between(presenter, before, part))
        text.append_text(part_text(presenter, part, short))
    return text


def between(presenter: Presenter, before: Part, part: Part) -> str:
    """The text between two parts."""
    if before.more:
        return " " if is_sign(presenter, before) and is_sign(presenter, part) else presenter.separator
    if before.role == LABEL:
        return ""
    return "; " if part.role == HEAD and before.role != HEAD else " "


def is_sign(presenter: Presenter, part: Part) -> bool:
    """True for a part that is written by its sign; a card is, where it has one."""
    return part.form in (CHIP, FACE) and bool(sign_of(presenter, part))


def sign_of(presenter: Presenter, part: Part) -> str:
    """The sign of the member of a part; empty if it has none."""
    return presenter.sign_of(part.thing).glyph


def part_text(presenter: Presenter, part: Part, short: bool = False) -> Text:
    style = "dim" if part.dim else presenter.sign_of(part.thing).colour
    if is_sign(presenter, part):
        many = "" if part.count is None or short and part.count == 1 else str(part.count)
        return Text(sign_of(presenter, part), style=style) + Text(many)
    return Text(part.text, style=style) + Text(part.counted[len(part.text) :])  # a number has no colour


def titled(presenter: Presenter, parts: Parts) -> Text:
    """The head of a row: its name behind its sign, if it has one that is not its name."""
    sign, name = sign_of(presenter, parts[0]), text_of(presenter, parts)
    return (
        text_of(presenter, (replace(parts[0], form=CHIP),)) + Text(" ") + name if sign not in ("", name.plain) else name
    )
