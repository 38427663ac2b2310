"""A panel that shows a track: the spaces, the markers, borders and labels, and what a narrow screen has of it."""

from __future__ import annotations

import pytest

from dsl.shows.reading import show_program
from interpreter import State
from tests.concepts.play import start
from tools.display.board import find_part

RULES = """
enum Age: wood, iron
kind Team from "data/teams.yaml"
    const first: 0..6 by Age
    const asked: 0..300 by 0..6
    field place: 0..6
    field playing: bool
kind Seat
phase game
    set north.playing to true
    set south.playing to true
    set south.place to 5
    choose n in 1..2 by p1
"""
TEAMS = """
Team:
  north: {first: {wood: 2, iron: 4}, asked: {5: 80, 6: 200}}
  south: {first: {wood: 3, iron: 4}, asked: {5: 120, 6: 300}}
  away: {first: {wood: 3, iron: 4}}
"""
DISPLAY = """
members:
  Team: {north: {glyph: N}, south: {glyph: S}}
panels:
  - {id: race, per: Team, where: playing, track: place, borders: [first], labels: asked}
"""
LOCALE = "Team: {north: Northern, south: Southern, away: Away}\ndisplay.race: The race\n"


def state(display: str = DISPLAY) -> State:
    return start(RULES, {"display.yaml": display, "locale/en.yaml": LOCALE, "data/teams.yaml": TEAMS})


def drawn(width: int, display: str = DISPLAY) -> list[str]:
    return [line.plain for line in find_part(state(display), 1, "en", width, "race")]


def test_a_row_has_its_marker_its_borders_and_what_is_printed_on_its_spaces() -> None:
    assert drawn(80) == [
        "The race",
        "             0 1 2 3 4    5   6",
        "  N Northern N ·|· ·|·   80 200",
        "  S Southern · · ·|·|· S120 300",
    ]


def test_a_narrower_screen_has_less_of_it_and_always_the_markers() -> None:
    assert drawn(30)[1:] == ["             0 1 2 3 4 5 6", "  N Northern N ·|· ·|· · ·", "  S Southern · · ·|·|· S ·"]
    assert drawn(20)[1:] == ["    0 1 2 3 4 5 6", "  N N ·|· ·|· · ·", "  S · · ·|·|· S ·"]
    assert drawn(10)[1:] == ["  N  0", "  S  5"]


def test_a_thing_without_a_glyph_has_a_plain_marker() -> None:
    bare = DISPLAY.replace("  Team: {north: {glyph: N}, south: {glyph: S}}", "  Age: {wood: {glyph: W}}")
    assert drawn(99, bare)[2] == "  Northern o ·|· ·|·   80 200"


@pytest.mark.parametrize("spec", ["per: Team, where: first_place, track: place", "per: Nobody, track: place"])
def test_a_track_with_nobody_on_it_is_not_drawn(spec: str) -> None:
    s = state()
    panel = dict(pair.split(": ") for pair in f"id: race, {spec}".replace("first_place", "nothing").split(", "))
    s.game.program.display = show_program({"panels": [panel]})
    assert find_part(s, 1, "en", 80, "race") == []


def test_a_track_with_too_many_spaces_is_not_drawn() -> None:
    """`check` refuses it; a display that nobody has checked holds nobody up."""
    s = start(RULES + "value far(t: Team): int = t.place * 1000\n", {"data/teams.yaml": TEAMS})
    s.game.program.display = show_program({"panels": [{"id": "race", "per": "Team", "track": "far"}]})
    assert find_part(s, 1, "en", 80, "race") == []
