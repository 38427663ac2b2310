"""The style sheets that depend on pictures and on a ruleset; what never changes is in `static/table.css`.

No element has a style of its own, so that the pages may forbid them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from interpreter.rules.rules import Rules
from tools.html.styles import PICTURE, page_style
from tools.picture.model.signs import PALETTE
from tools.picture.render.cards import BAND
from tools.picture.render.style import STYLE, band_style

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def picture_sheet() -> str:
    """The style of all pictures."""
    return STYLE + page_style(PICTURE)


def colour_sheet(game: Rules) -> str:
    """The classes of the colours that cards of this ruleset may have."""
    return band_style({BAND, *PALETTE, *colours(game.program.display)})


def colours(hints: Any) -> Iterator[str]:
    """All colours that a `display.yaml` names, wherever they stand."""
    match hints:
        case dict():
            for one in hints.values():
                yield from colours(one)
        case list():
            for one in hints:
                yield from colours(one)
        case str() if COLOUR.fullmatch(hints):
            yield hints
