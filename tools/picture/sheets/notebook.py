"""A position for a notebook such as Jupyter: its picture, as an onlooker sees it, in one element of a page."""

from __future__ import annotations

from base64 import b64encode

from interpreter import State
from tools.html.elements import attribute
from tools.picture.model.position import picture_of
from tools.picture.sheets.sheet import description, svg_of


def state_html(state: State) -> str:
    """The HTML of a state; `State._repr_html_` finds it as the entry point `rulewright.state_html`. An image, so that
    names and styles of one picture touch nothing else in the notebook."""
    picture = picture_of(state, None, state.game.texts.languages()[0], notes=False)
    data = b64encode(svg_of(picture).encode("utf-8")).decode("ascii")
    alt = attribute("alt", description(picture))
    return f'<img src="data:image/svg+xml;base64,{data}"{alt} style="max-width:100%">'
