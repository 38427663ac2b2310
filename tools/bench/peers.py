"""The peers of our ways to play: the same game written by hand, and OpenSpiel's own.

Both play whole games, each decision uniform over the legal ones, drawn in the same way.
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from random import Random
from typing import Any

import dsl
from tools.bench.cells import Player
from tools.bench.players import SteppingPlayer, spiel_playout

BY_HAND, OPEN_SPIEL = "by_hand", "open_spiel"
BASELINES = Path(dsl.__file__).resolve().parents[1] / "tests" / "bench"  # of the checkout that contains this package


def baseline(ruleset: str) -> Player | None:
    """The hand-written game of the same name; None where there is none."""
    file = BASELINES / f"{ruleset}.py"
    spec = importlib.util.spec_from_file_location(f"baseline_{ruleset}", file) if file.is_file() else None
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def playout(chance: Random) -> int:
        decisions: int = module.playout(chance)[0]
        return decisions

    return SteppingPlayer(playout, longest=0)


def open_spiel() -> Any:
    """The module `pyspiel`; None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def spiel_player(ruleset: str) -> Player | None:
    """OpenSpiel's game of the same name with its default parameters; None where there is none."""
    spiel = open_spiel()
    if spiel is None or ruleset not in spiel.registered_names():
        return None
    return SteppingPlayer(spiel_playout(spiel.load_game(ruleset)), longest=0)
