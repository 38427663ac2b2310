"""The legend of a picture: the glyphs of members, and the signs that `display.yaml` puts before
what it shows.

Takes a `Presenter` and the keys of the members whose glyphs were written; returns lines of items such as `t tree` and
`* first`.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from rich.text import Text

from dsl.base.types import MemberType
from tools.drawing.lines import wrap_items
from tools.shows.parts import NAME, member
from tools.shows.presenter import Presenter
from tools.shows.signs import signs_of
from tools.shows.words import text_of


def legend_lines(presenter: Presenter, width: int, written: Set[str] | None = None) -> list[Text]:
    """The glyphs `written` on the map, by the keys of their members, and the signs of the map; None: all that the
    display declares. No lines if nothing needs to be said."""
    items = [*glyph_items(presenter, written), *sign_items(presenter, everywhere=written is None)]
    return wrap_items(Text("  "), items, width, 2) if items else []


def glyph_items(presenter: Presenter, written: Set[str] | None) -> Iterator[Text]:
    """Each glyph with the names of the members of one kind or enum that it stands for, unless they are the same."""
    for sort in presenter.shows.members:
        domain = presenter.program.domains.get(sort)
        signs: dict[str, dict[str, Text]] = {}  # names by their letters: copies of a card have one
        colours: dict[str, str] = {}
        for value in domain.values if domain is not None else ():
            type_ = MemberType(sort, value, value)
            glyph, name = presenter.glyph(value, type_), text_of(presenter, (member(presenter, value, type_, NAME),))
            if glyph and glyph != name.plain and (written is None or presenter.key(value, type_) in written):
                colours.setdefault(glyph, presenter.colour(value, type_))
                signs.setdefault(glyph, {})[name.plain] = name
        for glyph, names in signs.items():
            yield Text(glyph, style=colours[glyph]) + Text(" ") + Text(presenter.separator).join(names.values())


def sign_items(presenter: Presenter, everywhere: bool) -> Iterator[Text]:
    """Each sign with the name of what it stands before."""
    yield from (Text(f"{sign} {name}") for sign, name in signs_of(presenter, everywhere).items())
