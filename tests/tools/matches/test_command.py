"""The commands: the same for any number of processes, honest about what did not end, and clear about slips."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dsl.files.phrases import sections
from tests.tools.conftest import lay_out, run
from tools import cli

GAME = {
    "rulesets/duel/ruleset.yaml": "id: duel\nversion: 1\nlanguage: 2\ntitle: {en: Duel, ja: 決闘}\nseats: 1..3\n"
    "load: [game.rules]\nresult: {score: ahead}\nevaluate: ahead\n",
    "rulesets/duel/game.rules": """
kind Seat
    field steps: 0..99
action walk(p: Seat) of turn
    set p.steps to p.steps + 1
action stand(p: Seat) of turn
value ahead(p: Seat): int = p.steps
phase game
    for every n in 1..6
        for every p in seats: offer turn by p
""",
}
ALONE = {"rulesets/duel/ruleset.yaml": GAME["rulesets/duel/ruleset.yaml"].replace("1..3", "1")}
UNJUDGED = {"rulesets/duel/ruleset.yaml": GAME["rulesets/duel/ruleset.yaml"].replace("result: {score: ahead}\n", "")}


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(GAME, tmp_path, monkeypatch)
    return tmp_path


def ladder(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, "lab", "ladder", "duel", "--json", *words, code=code))
    return found


def test_a_ladder_is_the_same_for_any_number_of_processes(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who always walks beats who walks half of the time, and ties with who does so too."""
    words = ("--levels", "random,greedy,search:30", "--games", "12", "--seed", "3")
    one, two = (ladder(capsys, *words, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.pop("times") and two.pop("times")
    assert one == two
    first, second = one["matches"]
    assert first["wins_of_second"] >= 11
    assert (second["wins_of_first"], second["wins_of_second"]) == (6.0, 6.0)
    assert second["share_of_second_95"] == [0.2538, 0.7462]  # of 12: (0.5 + 0.16) / 1.32 and 0.2462 to either side
    levels = [rung["level"] for rung in one["elo"]]
    assert levels == ["random", "greedy", "search:30"]
    assert one["elo"][1]["elo"] == one["elo"][2]["elo"] > 300


def test_three_seats_are_shared_evenly(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Greedy bots tie with each other; each pair of games has three seats of either bot, and random ones rarely win."""
    found = ladder(capsys, "--levels", "random,greedy", "--games", "10", "--seats", "3", "--jobs", "1")
    (match,) = found["matches"]
    assert match["wins_of_second"] + match["wins_of_first"] == pytest.approx(10)
    assert match["wins_of_second"] > 8


def test_games_that_are_not_over_are_lost_for_both(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--levels", "random,greedy", "--games", "4", "--max-decisions", "5", "--jobs", "1")
    found = ladder(capsys, *words)
    (match,) = found["matches"]
    assert (match["wins_of_first"], match["wins_of_second"], match["not_finished"]) == (0, 0, 4)
    assert "4 games were not over after 5 decisions: lost for both." in run(capsys, "lab", "ladder", "duel", *words)


def test_a_calibration_prints_its_matches_and_what_to_do(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("lab", "calibrate", "duel", "--games", "4", "--iterations", "5", "--jobs", "1")
    shown = run(capsys, *words)
    assert "exploring=15" in shown and "cut=16" in shown
    assert "No candidate is clearly better: the usual settings stay." in shown
    found = json.loads(run(capsys, *words, "--json"))
    assert (found["manifest"], found["found"]) == ("", {"scale": None, "cut": None, "exploring": None})
    assert [trial["setting"] for trial in found["trials"]][-4:] == ["exploring", "exploring", "cut", "cut"]
    assert len(found["scales"]) == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("ladder duel --games 3", "--games should be an even number"),
        ("ladder duel --games 0", "--games should be an even number"),
        ("ladder duel --levels greedy", "--levels should name two or more different bots"),
        ("ladder duel --levels greedy,greedy", "--levels should name two or more different bots"),
        ("ladder duel --levels greedy,grady", "there is no bot 'grady': did you mean 'greedy'?"),
        ("ladder duel --seats 4", "--seats should be a number from 2 to 3, but 4 was given."),
        ("ladder duel --jobs 0", "--jobs should be a number from 1 to"),
        ("calibrate duel --iterations 0", "--iterations should be a number from 1 to 100000"),
        ("calibrate duel --preset x", "there is no preset 'x'"),
    ],
)
def test_a_slip_is_a_sentence(duel: Path, capsys: pytest.CaptureFixture[str], words: str, sentence: str) -> None:
    assert cli.run(["lab", *words.split()]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(("files", "sentence"), [(ALONE, "is for one seat"), (UNJUDGED, "do not say who has won")])
def test_a_game_without_matches_says_why(
    duel: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    files: dict[str, str],
    sentence: str,
) -> None:
    lay_out(files, duel, monkeypatch)
    for command in ("ladder", "calibrate"):
        assert cli.run(["lab", command, "duel"]) == 2
        assert sentence in capsys.readouterr().err


def test_they_speak_the_language_of_the_reader(duel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--games", "2", "--jobs", "1", "--lang", "ja")
    shown = run(capsys, "lab", "ladder", "duel", "--levels", "random,greedy", *words)
    assert "各レベルと一つ下のレベルの対戦" in shown and "against" not in shown
    shown = run(capsys, "lab", "calibrate", "duel", "--iterations", "5", *words)
    assert "候補" in shown and "candidate" not in shown
    for lang in ("ja", "fr"):
        assert sections(lang)["matches"].keys() == sections("en")["matches"].keys()
