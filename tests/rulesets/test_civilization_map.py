"""The map of Civilization on the screen: every area and sea has its place, neighbours lie near each other, and the
regions are no wider than a terminal."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.cells import cell_len

from tests.tools.terminal.test_screens import screen_for, screens
from tools.base.loading import load_game
from tools.display.board import find_part
from tools.simulation.bots import make_bot

FOLDER = Path(__file__).resolve().parents[2] / "rulesets/civilization"
SIDE = 3  # units of a tab


def read(path: str) -> Any:
    return yaml.safe_load((FOLDER / path).read_text(encoding="utf-8"))


AREAS: dict[str, dict[str, Any]] = read("data/areas.yaml")["Area"]
COASTS: dict[str, dict[str, Any]] = read("data/coasts.yaml")["Coast"]
DISPLAY: dict[str, Any] = read("display.yaml")
LANDS, SEAS, SPLIT, SINGLE = DISPLAY["map"]["layers"]


def test_every_area_and_coast_has_one_place() -> None:
    assert LANDS["at"].keys() == AREAS.keys() and len(AREAS) == 123
    assert SEAS["at"].keys() == {id_ for id_, coast in COASTS.items() if "area" not in coast}
    several = {id_ for id_, coast in COASTS.items() if coast.get("area", id_) != id_}
    assert SPLIT["at"].keys() == several and SINGLE["at"].keys() == COASTS.keys() - several - SEAS["at"].keys()
    assert all([x, y] == [LANDS["at"][id_][0], LANDS["at"][id_][1] + 1] for id_, (x, y) in SINGLE["at"].items())


def test_no_two_places_overlap() -> None:
    tabs = [*LANDS["at"].values(), *SEAS["at"].values()]
    assert all(x % SIDE == y % SIDE == 0 for x, y in tabs)
    assert len({tuple(at) for at in tabs}) == len(tabs)
    points = [tuple(at) for at in SPLIT["at"].values()]
    cells = [(round(x / SIDE), round(y / SIDE)) for x, y in points]
    assert not {(x * SIDE, y * SIDE) for x, y in cells} & {tuple(at) for at in tabs}
    assert len(set(points)) == len(points)


def test_neighbours_lie_near_each_other() -> None:
    """In steps of a king from tab to tab; two areas that lie side by side are neighbours by land or by sea."""
    at = {id_: (x // SIDE, y // SIDE) for id_, (x, y) in LANDS["at"].items()}
    steps = {(a, b): max(abs(at[a][0] - at[b][0]), abs(at[a][1] - at[b][1])) for a, b in combinations(sorted(AREAS), 2)}
    borders = [steps[a, b] for a, b in steps if b in AREAS[a]["near"]]
    assert len(borders) == 237
    assert max(borders) <= 3 and sum(borders) / len(borders) < 1.25 and sum(n > 1 for n in borders) < 50
    home = {id_: coast.get("area") for id_, coast in COASTS.items()}
    shores = {tuple(sorted((home[c], home[d]))) for c in COASTS for d in COASTS[c]["next"] if home[c] and home[d]}
    crossings = [steps[pair] for pair in shores]
    assert len(crossings) > 100 and sum(crossings) / len(crossings) < 1.6


@pytest.mark.parametrize(
    ("west", "east"),
    [
        ("roma", "athens"), ("athens", "miletus"), ("miletus", "antiochia"), ("carthago", "cyrene"),
        ("cyrene", "memphis"), ("memphis", "petra"), ("syria", "babylon"), ("thrace", "sinope"), ("sardinia", "roma"),
        ("mesopotamia", "parthia"),
    ],
)  # fmt: skip
def test_west_is_left(west: str, east: str) -> None:
    assert LANDS["at"][west][0] < LANDS["at"][east][0]


@pytest.mark.parametrize(
    ("north", "south"),
    [
        ("scythia", "thrace"), ("thrace", "knossos"), ("knossos", "alexandria"), ("memphis", "upper_egypt"),
        ("upper_egypt", "thebes"), ("pannonia", "roma"), ("roma", "syracuse"), ("mikop", "sinope"),
        ("sinope", "antiochia"), ("antiochia", "jerusalem"), ("jerusalem", "midian"), ("nineveh", "babylon"),
        ("babylon", "chaldaea"),
    ],
)  # fmt: skip
def test_north_is_up(north: str, south: str) -> None:
    assert LANDS["at"][north][1] < LANDS["at"][south][1]


def test_every_place_has_its_own_abbreviation_and_lies_in_a_region() -> None:
    members = DISPLAY["members"]
    signs = [sign["glyph"] for kind in ("Area", "Coast") for sign in members[kind].values()]
    assert members["Area"].keys() == AREAS.keys() and len(set(signs)) == len(signs)
    assert max(len(sign["glyph"]) for sign in members["Area"].values()) <= 3
    for layer in (LANDS, SEAS, SPLIT):
        assert {id_ for ids in layer["regions"].values() for id_ in ids} == layer["at"].keys()


def test_the_map_and_its_regions_fit_on_a_terminal() -> None:
    state = load_game("civilization").new(seats=7, seed=2)
    whole = [line.plain for line in find_part(state, 1, "en", 190, "map")]
    assert max(map(cell_len, whole)) <= 190 and len(whole) <= 45
    for region in LANDS["regions"]:
        lines = [line.plain for line in find_part(state, 1, "ja", 80, region)]
        assert 10 < len(lines) <= 30 and max(map(cell_len, lines)) <= 80, region


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_only_what_is_in_play_is_drawn(seats: int) -> None:
    board = {2: "west", 4: "far_east", 7: "whole"}[seats]
    state = load_game("civilization").new(seats=seats, seed=2)
    text = "\n".join(line.plain for line in find_part(state, 1, "en", 190, "map"))
    for id_, sign in DISPLAY["members"]["Area"].items():
        if id_ not in ("ur", "roma"):  # shown by their names
            assert (f"{sign['glyph']} {AREAS[id_]['limit']}" in text) <= (board in AREAS[id_]["boards"]), id_
    assert ("Petra" in text or "Pet 1" in text) == (seats != 2)
    assert ("Siw" in text) == (seats != 2) and ("Sdn" in text) == (seats != 4)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (200, 50)])
def test_every_screen_fits(width: int, height: int) -> None:
    import interpreter as rw

    state = load_game("civilization").new(seats=6, seed=5)
    bot = make_bot("random", 5)
    for number in range(301):
        if number % 100 == 0:
            for lines in screens(screen_for(state, width, height, "en")):
                assert len(lines) < height and max(map(cell_len, lines)) <= width
        rw.apply(state, bot.choose(state))
