"""What is read once for all readers of a position: only what asks nobody who he is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from interpreter import State
from tests.tools.picture.games import DISPLAY, LOCALE, RULES, state
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of
from tools.picture.model.reader import Shared
from tools.picture.render import chart
from tools.picture.render.page import KeptSections, sections_of
from tools.shows.presenter import Presenter

VALUES = """
value mine(s: Seat, v: Seat): bool = s is v
value dearest(s: Seat): int = sum(c in s.hand: c.price)
value keeps(s: Seat): int = sum(f in Field where f.keeper is s: 1)
value priced(s: Seat): int = sum(c in market: c.price)
"""
PANELS = """
  - {id: own, per: Seat, where: mine, columns: [coins]}
  - {id: dear, per: Seat, columns: [dearest]}
  - {id: kept, per: Seat, columns: [keeps]}
  - {id: facts, per: Seat, rows: [[coins], [dearest], [mine], [hand], [priced]]}
  - {id: cards, per: Card, as: face, columns: [price]}
"""
READERS = (None, 1, 2)
ALIKE = {"map", "signs", "by_ground", "kept", "cards"}
OWN = {"stores", "market", "own", "dear", "facts"}  # a hand, a deck, what is mine, what is worked out from a hand


@pytest.fixture(scope="module")
def position() -> State:
    at = RULES.index("phase game")
    return state(DISPLAY + PANELS.strip("\n") + "\n", LOCALE, RULES[:at] + VALUES.lstrip("\n") + RULES[at:])


def pictures(shown: State, order: tuple[int | None, ...], shared: Shared | None) -> dict[int | None, Picture]:
    return {seat: picture_of(shown, seat, "en", notes=False, shared=shared) for seat in order}


def names(shared: Shared) -> set[str]:
    """The parts that are shared: the map, the signs, and the panels by their ids."""
    found = {name for name in shared if isinstance(name, str)}
    return found | {m.value.id for name, m in shared.items() if isinstance(name, tuple) and name[0] == "panel"}


@pytest.mark.parametrize("seat", READERS)
def test_a_part_with_something_of_the_reader_is_never_shared(position: State, seat: int | None) -> None:
    shared: Shared = {}
    picture_of(position, seat, "en", notes=False, shared=shared)
    assert names(shared) == ALIKE
    rows = {name[2:] for name in shared if isinstance(name, tuple) and name[0] == "facts"}
    assert {number for number, _ in rows} == {0, 4}  # coins, and what is worked out from the market


def test_every_reader_has_the_picture_that_he_would_have_alone(position: State) -> None:
    alone = pictures(position, READERS, None)
    assert len({str(one.panels) for one in alone.values()}) == 3, "all see the same: the test proves nothing"
    for order in permutations(READERS):
        assert pictures(position, order, {}) == alone, order


def test_that_would_be_seen_if_somebody_read_without_asking(position: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same comparison fails as soon as a presenter does not note that it was asked who the reader is."""
    alone = pictures(position, READERS, None)
    monkeypatch.setattr(Presenter, "seat", property(lambda presenter: presenter._seat))
    assert pictures(position, READERS, {}) != alone
    shared: Shared = {}
    picture_of(position, 1, "en", notes=False, shared=shared)
    assert names(shared) == ALIKE | OWN


def test_what_is_shared_is_read_once(position: State) -> None:
    shared: Shared = {}
    first, second = (picture_of(position, seat, "en", notes=False, shared=shared) for seat in (1, 2))
    assert first.chart is second.chart is not None
    panels = [{panel.id: panel for panel in one.panels} for one in (first, second)]
    assert all(panels[0][id_] is panels[1][id_] for id_ in ("kept", "by_ground", "cards"))
    assert panels[0]["stores"] != panels[1]["stores"]


def test_of_a_map_only_what_has_changed_is_written_anew(position: State, monkeypatch: pytest.MonkeyPatch) -> None:
    written, contents = [], chart.contents
    monkeypatch.setattr(chart, "contents", lambda *args: written.append(args[1].id) or contents(*args))
    first = picture_of(position, None, "en")
    assert first.chart is not None
    places = [replace(one, lines=one.lines[:1]) if one.thing == "Field.f2" else one for one in first.chart.places]
    second = replace(first, chart=replace(first.chart, places=tuple(places)))
    kept = KeptSections()
    before = [one.html for one in sections_of(first, kept)]
    assert len(written) == 3
    after = [one.html for one in sections_of(second, kept)]
    assert written[3:] == [one.id for one in places if one.thing == "Field.f2"]
    assert after == [one.html for one in sections_of(second)] != before
