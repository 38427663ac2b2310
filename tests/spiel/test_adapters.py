"""The adapters under the conformance tests of the two libraries, each ruleset of the repository at a time."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from tests.spiel.extras import need

need("pyspiel", "spiel")
need("pettingzoo", "pettingzoo")

import pyspiel  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from tests.conformance.tables import folders, load  # noqa: E402
from tools.adapters import openspiel  # noqa: E402
from tools.adapters import pettingzoo as zoo  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
MOST = 200  # decisions of a game that OpenSpiel plays: it copies, saves and describes every position
FEW = {"dominant_species": 40}
each_ruleset = pytest.mark.parametrize(
    "folder", [str(p.relative_to(ROOT)) for p in folders()], ids=lambda f: Path(f).name
)


def registered(folder: str, **how: object) -> str:
    """The name of a ruleset in OpenSpiel; one name for one way to register it."""
    name = "_".join(["tested", Path(folder).name, *map(str, how.values())])
    if name not in pyspiel.registered_names():
        openspiel.register(load(folder), name, **how)
    return name


@each_ruleset
def test_openspiel_accepts_each_ruleset_as_a_game(folder: str) -> None:
    game = pyspiel.load_game(registered(folder), {"max_game_length": FEW.get(Path(folder).name, MOST)})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert game.num_players() == load(folder).program.seats[0]


@each_ruleset
def test_pettingzoo_accepts_each_ruleset_as_an_environment(folder: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        warnings.filterwarnings("ignore", message=".*probably too (low|high)")
        api_test(zoo.env(load(folder)), num_cycles=100)
        seed_test(lambda: zoo.env(load(folder)), num_cycles=50)
