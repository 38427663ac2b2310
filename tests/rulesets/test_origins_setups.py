"""Thirteen set-ups of Bios:Origins with nothing shuffled: what lies where, who has what (BO-5, 28, 29, 31, 33)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import interpreter as rw
from tests.concepts.play import cell, value
from tools.base.loading import load_game

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "rulesets/bios_origins"
SETUPS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("origins_setups.yaml").read_text("utf-8"))
NUMBERED = {
    int(number): name
    for file in (ROOT / "cards/bios_origins").glob("*.cards")
    for name, number in re.findall(r"^card (\w+) .*\n +# BO\.(\d+)", file.read_text("utf-8"), re.MULTILINE)
}
NUMBER_OF = {name: number for number, name in NUMBERED.items()}
EPOCHS = [f"epoch_{n}" for n in range(1, 5)]


def read(path: str, kind: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / path).read_text("utf-8"))[kind]
    return found


ALIASES = {name: at["aliases"][0] for name, at in read("data/hexes.yaml", "Hex").items() if at.get("aliases")}
HEXES_OF_CHITS = read("variants/custom/data/hexes.yaml", "Hex")
WILD = {r: at for r, at in read("variants/craton/data/resources.yaml", "Resource").items() if at.get("wild")}
CENTRES = {berth: at["centre"] for berth, at in read("variants/craton/data/cratons.yaml", "Berth").items()}
STARTING = {"footprint": 1, "energy": 3, "metallurgy": 1, "immunology": 1, "maritime": 0, "information": 1}
IN_SETUP = (
    "take_kinds",
    "place_migrants",
    "deal_climate",
    "assign_cratons",
    "exchange_cratons",
    "settle_at_home",
    "deal_chits",
)
FIRST_CLIMATE = {"custom": ["ice", "sea", "desert", "jungle"], "craton": ["ice", "jungle", "desert", "sea"]}
ARTS = ["culture", "politics", "industry"]


def laid_out(asked: dict[str, Any]) -> rw.State:
    """The position after the set-up, with chance and the seats answering as the file says."""
    overlays = [o for o in (asked["map"], asked["mode"], asked["habitat"]) if (FOLDER / "variants" / o).is_dir()]
    options = {"habitat": "marine"} if asked["habitat"] == "marine" else {}
    if asked["mode"] == "competitive":
        options |= {"level": asked["level"], "speciation": f"{asked['speciation']}_speciation"}
    game = load_game("+".join([str(FOLDER), *overlays]))
    state: rw.State = game.new(seats=len(asked["seats"]), options=options, chance="ask")
    colours = list(asked["seats"])
    while state.chance or (state.decision and state.decision.address.split(".")[0] in IN_SETUP):
        if state.chance:
            wanted = [o for o in state.chance.outcomes if o.id in colours]
            rw.apply(state, min(wanted, key=lambda o: colours.index(o.id)) if wanted else state.chance.outcomes[0])
        else:
            rw.apply(state, first_answer(state, asked))
    return state


def first_answer(state: rw.State, asked: dict[str, Any]) -> rw.Option:
    """The answer of a seat in a set-up where the first of everything is taken."""
    assert state.decision is not None
    address, options = state.decision.address.split(".")[0], rw.legal(state)
    if address == "take_kinds":
        kind = [at[-1] for at in asked["seats"].values()][state.decision.seat - 1]
        return next(o for o in options if o.ids == (f"live_{'on_land' if kind == 'land' else 'at_sea'}",))
    if address == "exchange_cratons":
        return next(o for o in options if o.kind == "decline")
    if address not in ("deal_climate", "deal_chits"):
        return options[0]
    order = FIRST_CLIMATE[asked["map"]]

    def rank(option: rw.Option) -> tuple[int, str]:
        *climate, place = option.ids
        ring = climate[0] if climate else HEXES_OF_CHITS[place]["ring"]
        return order.index(ring), value(state, "cell_of", place)

    return min(options, key=rank)


def numbers(ids: list[str]) -> list[int]:
    return [NUMBER_OF[i] for i in ids]


@pytest.mark.parametrize("name", SETUPS)
def test_a_setup_comes_out_as_the_rules_say(name: str) -> None:
    asked = SETUPS[name]
    state = laid_out(asked)
    seats = {colour: f"p{i}" for i, colour in enumerate(asked["seats"], 1)}
    assert numbers(cell(state, "challenges")) == asked["challenges"]
    assert [len(cell(state, "unused", e)) for e in EPOCHS] == asked["unused"]
    for first, art in zip((88, 98, 108), ARTS, strict=True):
        market = [cell(state, f"{art}.market", i) for i in (3, 2, 1)]
        assert numbers(market) == [first, first + 1, first + 2]
        assert [len(cell(state, f"{art}.deck", e)) for e in EPOCHS] == [7, 10, 10, 10]
    assert climate(state, asked["map"]) == {k: sorted(v) for k, v in asked["climate"].items()}
    assert value(state, "first_player") == seats[asked["first"]]
    assert cell(state, "philosophy") == "start"
    for colour, (crown, ruling, emotions, vocabulary, free_will, spot, *habitat) in asked["seats"].items():
        p = seats[colour]
        assert (cell(state, f"{p}.species"), cell(state, f"{p}.crown")) == (colour, f"crown_{crown}")
        assert cell(state, f"{p}.ruling") == ruling
        assert cell(state, f"{p}.habitat") == (habitat[0] if habitat else asked["habitat"])
        brain = [cell(state, f"{p}.{area}", p) for area in ("emotions", "vocabulary", "free_will", "mysticism")]
        assert brain == [emotions, vocabulary, free_will, 0] and value(state, "elders", p) == 0
        assert cell(state, f"{spot}.migrant") == int(p[1:])
        assert (cell(state, f"{p}.pool", p), cell(state, f"{p}.cuboids", p)) == (11, 10)
        assert {t: cell(state, f"{p}.stage", t) for t in STARTING} == STARTING
        assert (value(state, "diversity", p), len(value(state, "open_icons", p))) == (1, 1)
        assert [value(state, "category", p, art) for art in ARTS] == [4, 2, 2]
        assert value(state, "score", p) == (2 if asked["mode"] == "solitaire" else 4)  # BO-31.16: the lowest


def climate(state: rw.State, map_: str) -> dict[str, list[str]]:
    """Where the chits lie: by row and place on the classic map, by cell on the others."""
    found = {}
    for kind in ("ice", "sea", "desert", "jungle"):
        hexes = value(state, "with_chit", kind)
        found[kind] = sorted(ALIASES[h] if map_ == "classic" else value(state, "cell_of", h) for h in hexes)
    return found


def test_the_field_of_the_custom_map() -> None:
    asked = SETUPS["2p_custom"]
    state = laid_out(asked)
    spots = state.game.program.domains["Spot"].ids
    assert sum(value(state, "on_chit", s) and not value(state, "wet", s) for s in spots) == asked["land_spots"]
    unplaced = {"sea_ice": value(state, "left_of", "ice"), "desert_jungle": value(state, "left_of", "desert")}
    assert unplaced == asked["chits_unplaced"]  # a chit has one of the two on each side


def test_cratons_their_animals_and_the_strip() -> None:
    asked = SETUPS["2p_craton"]
    state = laid_out(asked)
    centres = {k: CENTRES[berth] for k, berth in asked["craton_places"].items()}
    assert {k: cell(state, f"{k}.centre") for k in centres} == centres
    assert cell(state, "zones") == asked["strip"]
    animals: dict[str, dict[str, str]] = {}
    for craton in asked["craton_places"]:
        for sort in ("war", "work"):
            (met,) = [
                r
                for r in WILD
                if cell(state, f"{r}.met") and WILD[r]["hex"].startswith(craton) and WILD[r]["sort"] == f"{sort}_animal"
            ]
            animals.setdefault(craton, {})[sort] = value(state, "cell_of", WILD[met]["hex"])
    assert animals == asked["animals"]
