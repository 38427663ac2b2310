"""Every ruleset is drawn, for each seat and an onlooker, in each language, and keeps its secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import interpreter as rw
from interpreter.visibility.audiences import ALL
from tests.conformance.redeal import redealt
from tests.conformance.tables import Table, each_ruleset, each_table, random_states
from tests.tools.picture.games import corners
from tools.picture.model.data import CHIP, Part, Picture, as_json
from tools.picture.model.position import picture_of
from tools.picture.render.page import page_of
from tools.picture.render.sheet import svg_of

DECISIONS = 60
SOME = 6  # positions of a game that are compared, more of a small one


def positions(table: Table, seed: int, numbers: tuple[int, ...]) -> Iterator[rw.State]:
    """The state of a random game after so many decisions each, and at its end if it is over before."""
    for number, state in enumerate(random_states(table, seed, max(numbers) + 1)):
        if number in numbers or state.over:
            yield state


@each_ruleset
def test_every_reader_has_a_picture_in_every_language(table: Table) -> None:
    for state in positions(table, 7, (0, DECISIONS)):
        for seat in (None, *range(1, state.seats + 1)):
            for lang in ("en", "ja") if seat in (None, 1) else ("en",):
                picture = picture_of(state, seat, lang)
                assert picture.panels or picture.chart, "nothing is drawn"
                svg = svg_of(picture)
                ElementTree.fromstring(svg)
                is_inside(svg)
                ids = re.findall(r' id="([^"]*)"', svg)
                assert len(ids) == len({*ids}), "two elements have one id"
                assert page_of(picture).endswith("</html>\n")


def is_inside(svg: str) -> None:
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups())  # type: ignore[union-attr]
    for left, top, right, bottom in corners(svg):
        assert left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1, (left, top, right, bottom)


@each_ruleset
def test_no_colour_stands_alone(table: Table) -> None:
    """What is shown by a token has letters on it, and what is shown by a name has its name."""
    for state in positions(table, 7, (DECISIONS,)):
        picture = picture_of(state, 1, "en")
        for part in parts_of(picture):
            assert not part.thing or (picture.things[part.thing].mark if part.form == CHIP else part.thing)
        for place in picture.chart.places if picture.chart is not None else ():
            assert not place.colour or place.pattern


def parts_of(picture: Picture) -> Iterator[Part]:
    def walk(found: object) -> Iterator[Part]:
        if isinstance(found, Part):
            yield found
        elif isinstance(found, tuple):
            for one in found:
                yield from walk(one)
        elif hasattr(found, "__slots__"):
            for name in found.__slots__:
                yield from walk(getattr(found, name))

    yield from walk((picture.chart, picture.panels))


@each_ruleset
def test_drawing_changes_nothing(table: Table) -> None:
    state = table.new(3)
    before = list(state.words)
    assert svg_of(picture_of(state, 1, "en")) == svg_of(picture_of(state, 1, "en"))
    assert state.words == before and not [e for e in state.log if e not in table.new(3).log]


@each_table
def test_what_a_seat_can_not_know_changes_nothing_in_its_picture(table: Table) -> None:
    chooser = random.Random(5)
    if not any(e.audience != ALL for e in table.game.program.layout if e.sort != "counter"):
        return
    different = 0
    positions_seen = 60 if table.small else table.share(4 * SOME)
    for seed in range(51, 81):
        for number, state in enumerate(random_states(table, seed, 10 * positions_seen)):
            if number % 10 and not table.small:
                continue
            positions_seen -= 1
            for seat in (None, *range(1, state.seats + 1)):
                twin = redealt(state, seat, chooser)
                different += twin.words != state.words
                for lang in ("en", "ja"):
                    first, second = (as_json(picture_of(one, seat, lang)) for one in (twin, state))
                    assert first == second, f"seat {seat}, decision {number}"
            if positions_seen <= 0 and different > table.seats:
                return
    assert different > table.seats, "nothing was hidden: the test proves nothing"
