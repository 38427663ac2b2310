"""The lines that players read about stand-ins: in the lobby, at a table, and by `rulewright info`."""

from __future__ import annotations

from dsl.files.phrases import phrase
from dsl.files.stand_ins import OF_STAND_INS
from dsl.program import StandIn
from interpreter.rules.rules import Rules


def told(game: Rules, stand_in: StandIn, lang: str) -> str:
    """The text of a stand-in, with how many records of it are left where some have been replaced or were printed."""
    what = game.texts.find(lang, f"{OF_STAND_INS}{stand_in.name}") or stand_in.name.replace("_", " ")
    if stand_in.left in (0, stand_in.records):
        return what
    return phrase(lang, "info", "some_left", what=what, left=stand_in.left, n=stand_in.records)


def all_told(game: Rules, lang: str) -> list[str]:
    """The lines that tell of all stand-ins of a game, in the order of its manifest."""
    left = getattr(game.program, "stand_ins", ())  # rules that were compiled before may know of none
    return [told(game, stand_in, lang) for stand_in in left]
