"""What the letters and signs of a picture mean: the glyphs of members, and the signs that `display.yaml` puts before
what it shows.

Takes a `Presenter` and the glyphs that were written; returns lines of items such as `t tree` and `* first`.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

from rich.text import Text

from dsl.base.types import MemberType
from tools.display.panels import label_of, without_label
from tools.display.values import Presenter, subject
from tools.drawing.lines import wrap_items


def legend_lines(presenter: Presenter, width: int, written: Set[tuple[str, int]] | None = None) -> list[Text]:
    """The glyphs `written` on the map, (kind or enum, member), and the signs of the map; None: all that the display
    declares. No lines if nothing needs to be said."""
    items = [*glyph_items(presenter, written), *sign_items(presenter, everywhere=written is None)]
    return wrap_items(Text("  "), items, width, 2) if items else []


def glyph_items(presenter: Presenter, written: Set[tuple[str, int]] | None) -> Iterator[Text]:
    """Each glyph with the names of the members of one kind or enum that it stands for, unless they are the same."""
    for sort in presenter.hints:
        domain = presenter.program.domains.get(sort)
        signs: dict[str, dict[str, Text]] = {}  # names by their letters: copies of a card have one
        colours: dict[str, str] = {}
        for value in domain.values if domain is not None else ():
            type_ = MemberType(sort, value, value)
            glyph, name = presenter.glyph(value, type_), presenter.format_member(value, type_, "text")
            if glyph and glyph != name.plain and (written is None or (sort, value) in written):
                colours.setdefault(glyph, presenter.colour(value, type_))
                signs.setdefault(glyph, {})[name.plain] = name
        for glyph, names in signs.items():
            yield Text(glyph, style=colours[glyph]) + Text(" ") + Text(presenter.separator).join(names.values())


def sign_items(presenter: Presenter, everywhere: bool) -> Iterator[Text]:
    """Each sign with the name of what it stands before."""
    yield from (Text(f"{sign} {name}") for sign, name in signs_of(presenter, everywhere).items())


def signs_of(presenter: Presenter, everywhere: bool) -> dict[str, str]:
    """Each sign before something on the map, or also in a row of things, with the name of what it stands before."""
    display = presenter.program.display
    shown = [(layer, part) for layer in (display.get("map") or {}).get("layers") or [] for part in layer_shows(layer)]
    if everywhere:
        groups = [panel for panel in display.get("panels") or [] if "group" in panel]
        shown += [(panel, part) for panel in groups for part in panel.get("cells") or []]
    found: dict[str, str] = {}
    for owner, part in shown:
        sign = presenter.label(part).strip()
        if sign and not any(character.isalnum() for character in sign):
            kind = str(owner.get("kind") or owner.get("group"))
            own = presenter.title(f"kind.{kind}", kind) if subject(part) == "id" else ""
            found.setdefault(sign, own or label_of(presenter, without_label(part), "display", kind))
    return found


def layer_shows(layer: dict[str, Any]) -> Iterator[Any]:
    for line in layer.get("lines") or []:
        yield from line
