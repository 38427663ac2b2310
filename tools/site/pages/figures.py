"""The figures of a game on its first page, as they were measured by games of bots."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.files.phrases import phrases_of
from tools.figures.measured import Measured
from tools.figures.sentences import rows
from tools.html.elements import Html, table, tag
from tools.simulation.report import bots_text
from tools.site.pages.context import PageContext


def figure_parts(context: PageContext, measured: Measured) -> Iterator[Html]:
    """A table for each number of seats, and how the figures were come by."""
    say, lang = phrases_of(context.lang, "figures"), context.lang
    bots = bots_text(measured.bots, phrases_of(lang, "simulate"))
    yield tag("h2", say("section"), id="figures")
    how = say("section_how", bots=bots, version=measured.version, people=say("people"))
    changed = f" {say('section_other')}" if context.site.changed_since else ""
    yield tag("p", how + changed, class_="soft")
    for figures in measured.figures:
        yield tag("h3", say("games", seats=figures.seats, n=figures.completion.of))
        yield table((say("figure"), say("value")), rows(figures, measured.seconds, lang))
    yield tag("p", say("section_again"), " ", tag("code", measured.command), class_="soft")
