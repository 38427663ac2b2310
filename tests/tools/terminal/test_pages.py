"""Pages of options by their first word, and the numbers that stand on the map beside each page."""

from __future__ import annotations

import pytest

from interpreter import State
from tests.concepts.play import start
from tests.tools.terminal.test_screens import screen_for, screens
from tools.display.map import things_on_map
from tools.table.listing import list_options
from tools.terminal.pages import pages_of, ranges

RULES = """
enum Fruit: apple, pear
kind Spot: 3
kind Seat
phase game
    choose f in Fruit, s in Spot by p1 or decline
"""
DISPLAY = """
map:
  scale: [4, 1]
  layers:
    - {kind: Spot, shape: box, lines: [[{of: id}]], at: {spot_1: [0, 0], spot_2: [5, 0], spot_3: [10, 0]}}
"""
LOCALE = """
Seat: {p1: Ann}
game.f: {ask: "Which fruit where?", pick: "{f} on {s}"}
"""


def state(rules: str = RULES, display: str = DISPLAY) -> State:
    return start(rules, {"display.yaml": display, "locale/en.yaml": LOCALE}, seats=(1, 1))


def test_each_page_is_a_screen_with_the_map_and_its_own_numbers() -> None:
    first, second = screens(screen_for(state(), 60, 15, "en"))
    assert first == [
        "+---------------+   +---------------+   +---------------+",
        "|               |   |               |   |               |",
        "|    spot_1     |   |    spot_2     |   |    spot_3     |",
        "|               |   |               |   |               |",
        "+-------1-------+   +-------2-------+   +-------3-------+",
        "",
        "Ann (seat 1): Which fruit where?",
        "  1 apple on spot_1",
        "  2 apple on spot_2",
        "  3 apple on spot_3",
        "  7 Decline",
        "-- press Enter for: pear --",
    ]
    assert second[4:] == [
        "+-------4-------+   +-------5-------+   +-------6-------+",
        "",
        "Ann (seat 1): Which fruit where?",
        "  4 pear on spot_1",
        "  5 pear on spot_2",
        "  6 pear on spot_3",
        "  7 Decline",
    ]


def test_the_numbers_are_those_of_the_whole_list() -> None:
    s = state()
    screen = screen_for(s, 60, 15, "en")
    for page in screen.pages():
        for label, option in page.listing.rows:
            assert screen.listing().find(label) == option


def test_one_page_is_enough_where_each_place_has_one_range() -> None:
    s = state(RULES.replace("f in Fruit, s in Spot", "s in Spot, n in 1..2"))
    assert s.decision is not None
    (page,) = pages_of(list_options(s.decision, "en"), things_on_map(s.game.program))
    assert list(page.marks.values()) == ["1-2", "3-4", "5-6"]


def test_without_a_map_the_options_are_not_taken_apart() -> None:
    s = state(display="panels: []\n")
    assert s.decision is not None
    (page,) = pages_of(list_options(s.decision, "en"), things_on_map(s.game.program))
    assert len(page.listing.rows) == 7 and page.marks[s.game.things["spot_1"]] == "1,4"


def test_where_no_page_has_one_range_for_each_place_only_the_first_one_named_is_marked() -> None:
    """From one spot to another: the numbers at a spot that is left are a range, those where one arrives are not."""
    rules = RULES.replace("choose f in Fruit, s in Spot by p1 or decline", "offer going by p1")
    rules += """
action walk(p: Seat, a: Spot, b: Spot) of going
    require a is not b
action wait(p: Seat, a: Spot) of going
"""
    s = state(rules)
    assert s.decision is not None
    on_map = things_on_map(s.game.program)
    walking, waiting = pages_of(list_options(s.decision, "en"), on_map)
    assert list(walking.marks.values()) == ["1-2", "3-4", "5-6"] and list(waiting.marks.values()) == ["7", "8", "9"]
    assert walking.title == "walk"
    seen = walking.listed_in({s.game.things["spot_1"]}, on_map)
    assert [option.ids[1:] for _, option in seen.rows] == [("spot_1", "spot_2"), ("spot_1", "spot_3")]


@pytest.mark.parametrize(
    ("labels", "shown"),
    [("3", "3"), ("1 2 3", "1-3"), ("1 3 4", "1,3-4"), ("2 2", "2"), ("-1 0 1", "-1,0-1"), ("9 8", "9,8")],
)
def test_numbers_in_a_row_are_a_range(labels: str, shown: str) -> None:
    assert ranges(labels.split()) == shown
