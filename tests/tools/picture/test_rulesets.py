"""Every ruleset is drawn, for each seat and an onlooker, in each language; its secrets are tested in `conformance`."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import interpreter as rw
from tests.tools.picture.games import check_inside
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of
from tools.picture.render.page import page_of
from tools.picture.sheets.sheet import svg_of
from tools.pytest_plugin import load_rules
from tools.shows.parts import CHIP, Part

DECISIONS = 60
ROOT = Path(__file__).resolve().parents[3]


each_ruleset = pytest.mark.parametrize(
    "folder", sorted(p for p in (ROOT / "rulesets").iterdir() if p.is_dir()), ids=lambda p: p.name
)


@cache
def game(folder: Path) -> rw.Game:
    return load_rules(str(folder))


def positions(folder: Path, *numbers: int) -> Iterator[rw.State]:
    """The state of a random game after so many decisions each, and at its end if it is over before."""
    state, chooser = game(folder).new(seats=game(folder).program.seats[0], seed=7), random.Random(7)
    for number in range(max(numbers) + 1):
        if number in numbers or state.over:
            yield state
        if state.over:
            return
        rw.apply(state, chooser.choice(rw.legal(state)))


@each_ruleset
def test_every_reader_has_a_picture_in_every_language(folder: Path) -> None:
    for state in positions(folder, 0, DECISIONS):
        for seat in (None, *range(1, state.seats + 1)):
            for lang in ("en", "ja") if seat in (None, 1) else ("en",):
                picture = picture_of(state, seat, lang)
                assert picture.panels or picture.chart, "nothing is drawn"
                svg = svg_of(picture)
                ElementTree.fromstring(svg)
                check_inside(svg)
                ids = re.findall(r' id="([^"]*)"', svg)
                assert len(ids) == len({*ids}), "two elements have one id"
                assert page_of(picture).endswith("</html>\n")


@each_ruleset
def test_no_colour_stands_alone(folder: Path) -> None:
    """What is shown by a token has letters on it, and what is shown by a name has its name."""
    for state in positions(folder, DECISIONS):
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
def test_drawing_changes_nothing(folder: Path) -> None:
    (state,) = positions(folder, 0)
    before = state.words[:]
    assert svg_of(picture_of(state, 1, "en")) == svg_of(picture_of(state, 1, "en"))
    assert state.words == before
