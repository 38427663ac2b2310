"""The pictures of a site: what a ruling changes, and the cards, each as the text of an SVG file."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from interpreter import Game, State
from tools.base.errors import CommandEnd
from tools.commands.draw import pair_of_ruling
from tools.picture.model.position import cards_of
from tools.picture.sheets.sheet import card_svg


def ruling_pictures(game: Game, ruling: ir.Ruling, languages: Sequence[str]) -> dict[str, str]:
    """The pictures of a ruling by language, as SVG; none where the position cannot be built."""
    try:
        return {lang: pair_of_ruling(game, ruling, None, lang).text(".svg") for lang in languages}
    except CommandEnd:
        return {}


def card_pictures(state: State | None, kind: str, id_: str, languages: Sequence[str]) -> dict[str, str]:
    """The pictures of a card by language, as SVG; none where there is no position that it can be seen in."""
    if state is None:
        return {}
    pictures = {lang: cards_of(state, lang, [id_], "") for lang in languages}
    key = f"{kind}.{id_}"
    return {lang: card_svg(picture, key) for lang, picture in pictures.items() if key in picture.faces}


def picture_path(name: str) -> str:
    """The path of the picture of a ruling or card in the folder of a language."""
    return f"pictures/{name}.svg"
