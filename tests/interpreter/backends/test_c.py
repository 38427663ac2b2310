"""Random games by the C compiler: the same games of a seed as in Python, and what happens where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.driver.load import compile_ruleset
from interpreter.backends.c import host
from interpreter.backends.native.judging import NativeJudge
from interpreter.rules.rules import C
from interpreter.session.game import Game
from interpreter.session.playouts import Engine
from tests.native import needs_compiler

ROOT = Path(__file__).resolve().parents[3]
PLAYED = {"tic_tac_toe": 30, "connect_four": 10, "love_letter": 10, "kettle": 10}  # rulesets, and how many games


def played_by_c(name: str) -> Game:
    folder = ROOT / ("tests/conformance/rulesets" if name == "kettle" else "rulesets") / name
    program = compile_ruleset(folder)[0]
    assert program is not None
    return Game(program, C)


@needs_compiler
@pytest.mark.parametrize("name", PLAYED)
def test_a_seed_gives_the_same_games_as_in_python(name: str) -> None:
    games = played_by_c(name)
    native, engine, n = games.native, games.engine, PLAYED[name]
    assert native is not None
    begun = engine.new(seed=3)
    mine = engine.playouts(begun, n, 7, keep=True)
    assert mine == Engine(Game(games.program)).playouts(begun, n, 7, keep=True)
    assert engine.playouts(begun, n, 7).decisions == mine.decisions  # in one call, without the stores
    assert (native.notice, native.replayed, native.given_up) == ("", 0, 0) and native.decisions > n


@needs_compiler
def test_positions_are_judged_as_in_python() -> None:
    games = played_by_c("kettle")
    judge, words = NativeJudge(games.machine, C), games.engine.new(seed=1)
    for seat in games.program.domains[games.program.seat_kind].values:
        assert judge.worth(words, words, seat) == games.machine.worth(words, words, seat)
    assert judge.notice == "" and judge.given_up == 0


@pytest.mark.parametrize(
    ("compiler", "said"), [("no-such-compiler", "there is no C compiler"), ("false", "made no library")]
)
def test_without_a_compiler_python_plays(compiler: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", compiler)
    monkeypatch.setattr(host, "build", lambda: compiler)
    games = played_by_c("nim")
    begun = games.engine.new()
    assert games.engine.playouts(begun, 5, 1) == Engine(Game(games.program)).playouts(begun, 5, 1)
    assert games.native is not None and said in games.native.notice
