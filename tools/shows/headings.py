"""The headings of a narrated game: the texts of the phases that are running.

A heading is the text of a phase (its `title`, else its name); it may name values, as in `Turn {turn_number}`. An empty
title is no heading.
"""

from __future__ import annotations

import re

from dsl import program as hdr
from dsl.shows.spec import ShowSpec
from interpreter import State
from tools.shows.presenter import Presenter
from tools.shows.words import show_text

_PLACEHOLDER = re.compile(r"\{(\w+)(?:\(\))?\}")


def headings(state: State, seat: int | None, lang: str) -> list[str]:
    """The phases that run, the outermost first, without the game itself."""
    return headings_of(Presenter(state, seat, lang))


def headings_of(presenter: Presenter) -> list[str]:
    """The same for who has a presenter of the position already."""
    state, lang = presenter.state, presenter.lang
    program, words = state.game.program, state.words
    base, found = words[hdr.FP], []
    while base:
        number = words[base + 2]
        proc = program.procs[number if number >= 0 else ~number]
        if proc.word == "phase" and number != program.entry:
            found.append(proc.name)
        base = words[base + 1]
    texts = []
    for name in reversed(found):
        text = state.game.texts.find(lang, f"{name}.title")
        if text is None:
            text = (state.game.texts.find(lang, name) or name).replace("_", " ")
        if "{" in text:
            text = fill_placeholders(presenter, text)
        if text:
            texts.append(text)
    return texts


def fill_placeholders(presenter: Presenter, text: str) -> str:
    """The text with global fields and values put in for `{name}`, and nothing for what is empty (RW1112 tells what has
    no such name)."""
    return _PLACEHOLDER.sub(lambda found: show_text(presenter, ShowSpec(found[1], "text")).plain, text)
