"""Pages of the table in the browser, the same for all rulesets: what a seat cannot know is in no part of its page, in
nothing that it is told of a thing, and in no reason why a thing cannot be chosen."""

from __future__ import annotations

import random
import re

import interpreter as rw
from dsl.program import ALL
from tests.conformance.redeal import redealt
from tests.conformance.tables import Table, each_table, random_states
from tools.table import table as tables
from tools.table.log import Log
from tools.web.page.about import info_of, why_not
from tools.web.page.drawn import Before, Drawn, drawn_table

SMALL, LARGE = 12, 4  # positions of a game that are compared
APART = 14  # decisions between two positions of a large game
MOST_THINGS, MOST_REASONS = 40, 12  # of a page that are asked about
THING = re.compile(r'data-thing="([^"]*)"')

Asked = dict[str, tuple[str, str]]


@each_table
def test_what_a_seat_can_not_know_changes_nothing_on_its_page(table: Table) -> None:
    chooser = random.Random(6)
    if not any(e.audience != ALL for e in table.game.program.layout if e.sort != "counter"):
        return
    kept = Before()
    different, left = 0, SMALL if table.small else LARGE
    for seed in range(71, 91):
        for number, state in enumerate(random_states(table, seed)):
            if number % APART and not table.small or state.over:  # at the end all are told the scores
                continue
            alike = Before()  # what the readers before this one have read for all
            for seat in chooser.sample(readers := (None, *range(1, state.seats + 1)), len(readers)):
                twin = redealt(state, seat, chooser)
                different += twin.words != state.words
                first, second = page(state, seat, alike), page(twin, seat, kept)  # that of others is used again
                assert first == second, f"seat {seat}, decision {number}"
                keys = sorted({key for html in first.parts.values() for key in THING.findall(html)})
                chosen = chooser.sample(keys, min(MOST_THINGS, len(keys)))
                assert told(state, seat, chosen) == told(twin, seat, chosen), f"seat {seat}, decision {number}"
            left -= 1
            if left <= 0 and different > table.seats:
                return
    assert different > table.seats, "nothing was hidden: the test proves nothing"


def page(state: rw.State, seat: int | None, kept: Before | None = None) -> Drawn:
    people = frozenset(range(1, state.seats + 1))
    return drawn_table(tables.Table(state, people, {}, together=False), seat, "en", Log(state, "en", seat), kept=kept)


def told(state: rw.State, seat: int | None, keys: list[str]) -> Asked:
    """What is told of these things, and why some of them cannot be chosen."""
    asked = tables.Table(state, frozenset(range(1, state.seats + 1)), {}).asked(seat) if seat is not None else None
    reasons = set(keys[:MOST_REASONS])
    return {key: (info_of(state, seat, "en", key), why_not(state, asked, "en", key) if key in reasons else "")
            for key in keys}  # fmt: skip
