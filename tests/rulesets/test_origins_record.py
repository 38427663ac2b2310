"""A game of Bios:Origins begins from facts of Bios:Megafauna, which is not among the games here (BO-30, BO-44)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import cell, value
from tools.base.loading import load_game

FOLDER = Path(__file__).resolve().parents[2] / "rulesets/bios_origins"
OF_PEOPLES: dict[str, dict[str, Any]] = {
    "player": {"black": "p1", "white": "p2", "orange": "p3"},
    "to_colour": {"black": "black", "white": "white", "orange": "orange"},
    "points": {"black": 30, "white": 25, "orange": 20},
    "campaign_fossils": {"black": 2, "white": 1, "orange": 0},
    "survived": {"black": True, "white": True, "orange": True},
    "species": {"black": ["burrower"], "white": ["armored"], "orange": ["flyer"]},
    "shape": {"black": "burrower", "white": "armored", "orange": "flyer"},
    "emotions": {"black": 2, "white": 1, "orange": 0},
    "habitat": {"black": "land", "white": "land", "orange": "land"},
}
OF_THE_PLANET: dict[str, Any] = {
    "strip": "strip_3",
    "place": {"k1": "e1", "k2": "e2", "k3": "e3", "k4": "w1"},
    "disk": {"qa08": "white", "qd10": "black", "qd08": "green"},
    "percent": {"oxygen": 20, "atmosphere": 10},
    "hex": {"black": "qb07", "white": "qd09", "orange": "qe09"},
}
FACTS = {"source_game": "megafauna", "victory": "chits"} | OF_PEOPLES


@pytest.fixture(scope="module")
def megafauna() -> rw.Game:
    return load_game(f"{FOLDER}+megafauna")


def test_it_begins_with_the_planet_and_the_peoples_of_the_record(megafauna: rw.Game) -> None:
    state = megafauna.new(given=FACTS | OF_THE_PLANET, seed=1)
    assert state.seats == 3
    assert state.decision is not None and state.decision.address == "settle_at_home.s"
    assert cell(state, "zones") == "strip_3"
    assert [cell(state, f"{k}.centre") for k in ("k1", "k2", "k3", "k4")] == ["qb07", "qc10", "qe08", "qb03"]
    chits = {
        "k1_1": "ice",
        "k2_3": "desert",
        "k3_1": "jungle",
        "k1_4": "sea",
        "k2_2": "sea",
        "k3_5": "sea",
        "k4_3": "sea",
    }
    assert {h: cell(state, f"{h}.climate") for h in chits} == chits
    while state.decision is not None and state.decision.address == "settle_at_home.s":
        rw.apply(state, rw.legal(state)[0])
    brains = {
        p: [cell(state, f"{p}.{area}", p) for area in ("emotions", "vocabulary", "free_will")] for p in ("p1", "p2")
    }
    assert brains == {"p1": [4, 2, 1], "p2": [5, 1, 1]}
    assert [value(state, "migrants", p) for p in ("p1", "p2", "p3")] == [7, 7, 7]
    assert [cell(state, "p1.stage", "immunology"), cell(state, "p3.stage", "maritime")] == [2, 2]


def test_what_the_record_does_not_tell_of_the_planet_is_chosen(megafauna: rw.Game) -> None:
    state = megafauna.new(given=FACTS, seed=1)
    assert state.decision is not None and state.decision.address == "assign_cratons.x"
    assert [cell(state, f"{p}.species") for p in ("p1", "p2", "p3")] == ["black", "white", "orange"]


def test_without_the_peoples_no_game_begins(megafauna: rw.Game) -> None:
    with pytest.raises(rw.GameSetupError, match="the fact `emotions` is missing"):
        megafauna.new(given={k: v for k, v in FACTS.items() if k != "emotions"})


@pytest.mark.parametrize(
    "dead", [{"runaway_greenhouse": True}, {"survived": dict.fromkeys(("black", "white", "orange"), False)}]
)
def test_after_the_end_of_the_world_the_game_is_over(megafauna: rw.Game, dead: dict[str, Any]) -> None:
    assert megafauna.new(given=FACTS | OF_THE_PLANET | dead).over


def test_the_result_of_the_last_game_names_who_wins_the_campaign(megafauna: rw.Game) -> None:
    facts = FACTS | OF_THE_PLANET | {"campaign_fossils": {"black": 0, "white": 0, "orange": 9}}
    assert rw.result(megafauna.new(given=facts, seed=1)).winners == [3]
