"""Games by the C compiler: the same of a seed as by the reference, and what happens where there is none."""

from __future__ import annotations

import random

import pytest

from interpreter.backends.c import host
from interpreter.backends.native.targets import C
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from interpreter.session.setup import blank_store
from tests.conformance.tables import ruleset
from tests.interpreter.pair import Pair
from tests.native import native_games, needs_compiler

PLAYED = {"tic_tac_toe": 30, "connect_four": 10, "love_letter": 10, "kettle": 10}  # rulesets, and how many games


def played_by_c(name: str) -> Game:
    return Game(ruleset(name), C)


@needs_compiler
@pytest.mark.parametrize("name", PLAYED)
def test_a_seed_gives_the_same_games_as_by_the_reference(name: str) -> None:
    games = played_by_c(name)
    native, engine, n = native_games(games), games.engine, PLAYED[name]
    begun = engine.new(seed=3)
    mine = engine.playouts(begun, n, 7, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, n, 7, keep=True)
    assert engine.playouts(begun, n, 7).decisions == mine.decisions  # in one call, without the stores
    assert (native.notice, native.replayed, native.given_up) == ("", 0, 0) and native.decisions > n


@needs_compiler
def test_a_game_is_driven_as_by_the_reference() -> None:
    program = played_by_c("kettle").program
    pair = Pair(program, blank_store(Game(program), program.seats[0], {}, 1), target=C)
    assert pair.play(program.entry, random.Random(1), 60) > 10 and pair.in_native_code and pair.given_up == 0


@pytest.mark.parametrize(
    ("compiler", "said"), [("no-such-compiler", "there is no C compiler"), ("false", "made no library")]
)
def test_without_a_compiler_the_reference_plays(compiler: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setattr(host, "build", lambda: compiler)
    games = played_by_c("nim")
    begun = games.engine.new()
    assert games.engine.playouts(begun, 5, 1) == Engine(Game(games.program, REFERENCE)).playouts(begun, 5, 1)
    assert said in native_games(games).notice
