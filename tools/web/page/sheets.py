"""The style sheets that depend on pictures and on a ruleset; what never changes is in `static/table.css`.

No element has a style of its own, so that the pages may forbid them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.shows.program import ShowProgram
from interpreter.rules.rules import Rules
from tools.html.styles import PICTURE, page_style
from tools.picture.model.signs import PALETTE
from tools.picture.render.cards import BAND
from tools.picture.render.style import STYLE, band_style


def picture_sheet() -> str:
    """The style of all pictures."""
    return STYLE + page_style(PICTURE)


def colour_sheet(game: Rules) -> str:
    """The classes of the colours that cards of this ruleset may have."""
    return band_style({BAND, *PALETTE, *colours(game.program.display)})


def colours(shows: ShowProgram) -> Iterator[str]:
    """The colours that the head of a card may have: those of members and of cards."""
    for members in shows.members.values():
        for sign in members.values():
            yield from filter(None, (sign.paint, sign.colour))
    yield from (face.colour for face in shows.faces.values() if face.colour)
