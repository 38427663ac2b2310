"""The programs of docs/bots.md play whole games, which are those that the same answers give in Python."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from tests.conformance.tables import load
from tests.tools.bot_server.programs import ROOT, environment, listening, node, write_programs

RULESETS = ["connect_four", "love_letter", "kuhn_poker", "goofspiel", "dominant_species"]


def run(folder: Path, *command: str) -> dict[str, Any]:
    write_programs(folder)
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def check(ruleset: str, seed: int, told: dict[str, Any]) -> None:
    """What a program tells of its game is what Python says of it."""
    state = load(f"rulesets/{ruleset}").new(seed=seed)
    for number in told["answers"]:
        assert state.decision is not None
        rw.apply(state, (rw.legal(state) + rw.moments(state, state.decision.seat))[number])
    found = rw.result(state)
    assert state.over and told["result"]["over"] and len(told["answers"]) > 1
    assert told["result"]["winners"] == found.winners
    assert told["result"]["scores"] == {str(seat): score for seat, score in found.scores.items()}
    assert told["log"] == rw.log_for(state, None)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_python_program_plays_over_stdio(ruleset: str, tmp_path: Path) -> None:
    check(ruleset, 11, run(tmp_path, sys.executable, "driver.py", ruleset, "11"))


def test_the_javascript_program_plays_over_the_socket(tmp_path: Path) -> None:
    program = node()
    with listening() as server:
        for ruleset in RULESETS:
            where = (str(server["port"]), server["token"])
            check(ruleset, 12, run(tmp_path, program, "driver.js", ruleset, "12", *where))


def simulated(folder: Path, bot: str, ruleset: str = "connect_four", code: int = 0) -> dict[str, Any]:
    write_programs(folder)
    command = [sys.executable, "-m", "tools", "simulate", ruleset, "--games", "4", "--jobs", "1", "--json"]
    command += ["--bot", bot, "--out", str(folder / "failures")]
    done = subprocess.run(command, cwd=ROOT, env=environment(folder), capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_bot_of_ones_own_plays_in_simulate(tmp_path: Path) -> None:
    """It takes the last option, against itself; every game is the same one."""
    state = load("rulesets/connect_four").new()
    while not state.over:
        rw.apply(state, rw.legal(state)[-1])
    report = simulated(tmp_path, f"run:{sys.executable} {tmp_path}/bot.py")
    assert report["failures"] == 0
    (winner,) = rw.result(state).winners
    assert {row["seat"]: row["wins"] for row in report["seats"]} == {winner: 1.0, 3 - winner: 0.0}


def test_a_bot_of_ones_own_plays_games_with_actions_out_of_turn_and_hidden_cards(tmp_path: Path) -> None:
    report = simulated(tmp_path, f"run:{sys.executable} {tmp_path}/bot.py,random", "love_letter")
    assert report["failures"] == 0


FAULTY = {
    "ended": "import sys; sys.exit(0)",
    "bad_json": "print('hello', flush=True); input()",
    "bad_version": "print('{\"version\": 9}', flush=True); input()",
    "not_offered": 'print(\'{"version": 1}\\n{"number": 99}\', flush=True); input(); input(); input()',
    "bad_field": "print('{\"version\": 1}\\n{}', flush=True); input(); input(); input()",
}


@pytest.mark.parametrize("code", FAULTY)
def test_a_bot_that_fails_is_a_failure_of_its_game(code: str, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY[code], encoding="utf-8")
    report = simulated(tmp_path, f"run:{sys.executable} {tmp_path}/faulty.py", code=1)
    assert [failure["kind"] for failure in report["failed_games"]] == ["bot"] * 4
    assert f"({code})" in report["failed_games"][0]["message"]


def test_play_stops_with_a_sentence_where_a_bot_fails(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY["ended"], encoding="utf-8")
    command = [sys.executable, "-m", "tools", "play", "connect_four", "--human", "0", "--bot"]
    for bot, code in ((f"run:{sys.executable} {tmp_path}/faulty.py", 1), ("run:no-such-program", 2)):
        done = subprocess.run([*command, bot], cwd=ROOT, capture_output=True, text=True, timeout=60)
        assert done.returncode == code and done.stderr.startswith("error: "), done.stderr
