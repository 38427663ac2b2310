"""Rulesets of other kinds of games, in lock step with OpenSpiel's games of that name."""

from __future__ import annotations

import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")

import interpreter as rw  # noqa: E402
from tests.interpreter.low_pair import lower  # noqa: E402
from tests.native import needs_wasmtime  # noqa: E402
from tests.spiel.kinds import KINDS  # noqa: E402
from tests.spiel.pairs import Pair, place_of, ruleset  # noqa: E402
from tests.spiel.speed import play_there, rate  # noqa: E402
from tests.spiel.test_lockstep import compare  # noqa: E402

each_kind = pytest.mark.parametrize("pair", KINDS, ids=lambda pair: pair.name)


@each_kind
def test_both_engines_play_the_same_game(pair: Pair) -> None:
    compare(pair, pair.quick_games, 1)


@pytest.mark.soak
@each_kind
def test_both_engines_play_the_same_hundreds_of_games(pair: Pair) -> None:
    compare(pair, pair.long_games, 2)


@needs_wasmtime
@pytest.mark.parametrize(
    "name",
    [
        "chess",
        pytest.param("quoridor", marks=pytest.mark.soak),
        "twenty_forty_eight",
        "dou_dizhu",
        "climbing",
    ],
)
def test_native_code_plays_the_same_games_as_the_reference(name: str) -> None:
    """To the last word of the store; what low code cannot do, the machine does for it."""
    ends = {}
    for backend in ("reference", "wasm"):
        engine = rw.load(place_of(name), backend=backend).engine
        played = [engine.playouts(engine.new(seed=seed), 1, seed, keep=True) for seed in (1, 2)]
        ends[backend] = [list(found.ends[0]) for found in played]
    assert ends["wasm"] == ends["reference"]


@pytest.mark.parametrize("name", ["chess", "quoridor"])
def test_the_whole_game_has_native_code(name: str) -> None:
    assert lower(ruleset(name).program, True).gaps == ()


@needs_wasmtime
def test_the_speed_of_both_can_be_measured() -> None:
    """A helper that measured nothing would not be noticed elsewhere."""
    pair = KINDS[0]
    ours = rate(lambda games, seed: pair.ours.engine.playouts(pair.ours.engine.new(2), games, seed).decisions, 0.01)
    theirs = rate(lambda games, seed: play_there(pair, games, seed), 0.01)
    for found in (ours, theirs):
        assert found.games > 0 and found.decisions > 10 * found.games
