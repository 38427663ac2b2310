"""Pictures, the same for all rulesets: what a seat cannot know is in no picture that is made for it."""

from __future__ import annotations

import random
from collections.abc import Callable

from dsl.program import ALL
from tests.conformance.redeal import redealt
from tests.conformance.tables import Table, each_table, random_states
from tools.picture.model.data import as_json
from tools.picture.model.position import picture_of

SMALL, LARGE = 40, 12  # positions of a game that are compared
APART = 10  # decisions between two positions of a large game


@each_table
def test_what_a_seat_can_not_know_changes_nothing_in_its_picture(
    table: Table, record_property: Callable[[str, object], None]
) -> None:
    chooser = random.Random(5)
    if not any(e.audience != ALL for e in table.game.program.layout if e.sort != "counter"):
        return
    compared = 0  # pictures, of all seats and an onlooker
    different, left = 0, SMALL if table.small else LARGE
    for seed in range(51, 71):
        for number, state in enumerate(random_states(table, seed)):
            if number % APART and not table.small:
                continue
            for seat in (None, *range(1, state.seats + 1)):
                twin = redealt(state, seat, chooser)
                different += twin.words != state.words
                for lang in ("en", "ja") if seat == 1 else ("en",):
                    first, second = (as_json(picture_of(one, seat, lang)) for one in (twin, state))
                    assert first == second, f"seat {seat}, decision {number}"
                    compared += 1
            left -= 1
            if left <= 0 and different > table.seats:
                record_property("pictures", compared)
                record_property("dealt otherwise", different)
                return
    assert different > table.seats, "nothing was hidden: the test proves nothing"
