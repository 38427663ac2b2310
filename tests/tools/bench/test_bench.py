"""The bench on a small game: its players, its figures, its messages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from dsl.driver.reference import RulesetReference
from interpreter.backends.wasm import host
from interpreter.core.question import Option
from tools import cli
from tools.base.home import read_reference
from tools.base.loading import load_game
from tools.bench import command, players, report
from tools.bench import costs as benchcosts
from tools.bench.players import (
    BY_HAND,
    DRIVEN,
    ENGINE,
    NATIVE,
    NATIVE_SIMULATE,
    REFERENCE,
    SIMULATE,
    Cell,
    DrivenPlayer,
)
from tools.bench.report import Record

PLAYOUT = "def playout(rng):\n    return 4, [rng.choice([1, -1]), 0]\n"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchcosts, "COPIES", 100)


@pytest.fixture
def by_hand(apples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of baselines with one for the small game."""
    folder = apples.parent.parent / "tests" / "bench"
    folder.mkdir(parents=True)
    (folder / "last_apple.py").write_text(PLAYOUT, encoding="utf-8")
    monkeypatch.setattr(players, "BASELINES", folder)
    monkeypatch.setattr(command, "BASELINES", folder)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.run(["bench", "--seconds", "0.002", *words])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


# ------------------------------------------------------------ figures


def cells(*rates: tuple[int, int]) -> list[Cell]:
    """Cells of half a second with so many games and decisions."""
    return [Cell(games, decisions, 0.5) for games, decisions in rates]


def test_a_ratio_is_taken_in_each_round() -> None:
    record = Record("x", 2, 40)
    record.cells[ENGINE] = cells((100, 400), (50, 200), (300, 1200))
    record.cells[BY_HAND] = cells((200, 800), (50, 200), (200, 800))
    record.cells[REFERENCE] = cells((10, 100), (10, 100), (10, 100))
    record.cells[DRIVEN] = cells((10, 200), (10, 200), (10, 200))
    record.cells[SIMULATE] = cells((20, 150), (20, 100), (20, 200))
    assert record.ratios(ENGINE, BY_HAND) == [0.5, 1.0, 1.5]
    assert record.ratios(ENGINE, REFERENCE) == [4.0, 2.0, 12.0]  # by decisions: its games were longer
    assert record.ratios(SIMULATE, DRIVEN) == [0.75, 0.5, 1.0]
    shown = record.to_json()
    assert (shown["ratios"]["engine/by_hand"]["median"], shown["length"][ENGINE]) == (1.0, 4.0)
    assert shown["playouts"][ENGINE] == {
        "unit": "per second",
        "median": 200.0,
        "min": 100.0,
        "max": 600.0,
        "runs": [200.0, 100.0, 600.0],
    }


def test_figures_are_medians_with_spread() -> None:
    assert report.format_spread([90.0, 100.0, 120.0]) == "100 ±15%"
    assert (report.format_spread([90.0]), report.format_range([0.7])) == ("90.0", "0.70")  # nothing to compare
    assert report.format_spread([]) == "-"
    assert report.format_range([0.7, 0.9, 0.8]) == "0.80 (0.70..0.90)"
    numbers = [report.format_number(value) for value in (12345.6, 12.345, 1.2345, 0.01234)]
    assert numbers == ["12,346", "12.3", "1.23", "0.0123"]
    assert [report.round_significant(value) for value in (123456.7, 0.00123456, 0)] == [123460, 0.0012346, 0]


# ------------------------------------------------------------ players


@pytest.fixture(autouse=True)
def without_webassembly(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same players on every machine, but for the test of that one."""
    if "native" not in request.node.name:
        monkeypatch.setattr(players, "native_player", lambda game, seats: None)
        monkeypatch.setattr(players, "native_simulate_player", lambda game, seats: None)


@pytest.mark.skipif(not host.available(), reason="the extra `native` is not installed")
def test_the_native_player_plays_the_games_of_the_engine() -> None:
    nim = command.make_entry(command.Rules("nim", read_reference("nim")), 2, 0.1)
    lengths = []
    for key in (NATIVE, ENGINE):
        player = nim.players[key]
        player.play(3)
        player.begin(1)
        lengths.append(player.play(30))
    assert lengths[0] == lengths[1]
    for key in (NATIVE_SIMULATE, SIMULATE):
        player = nim.players[key]
        player.begin(1)
        lengths.append(player.play(30))
    assert lengths[2] == lengths[3] != lengths[0]
    path = Path(__file__).resolve().parents[2] / "conformance" / "rulesets" / "kettle"
    kettle = command.make_entry(command.Rules("kettle", RulesetReference(path)), None, 0.1)
    assert NATIVE in kettle.players and not any("wasm" in note for note in command.notes_on_missing([nim, kettle]))
    del kettle.players[NATIVE]
    assert "wasm: not for kettle." in command.notes_on_missing([nim, kettle])


class Counting:
    """A player for whom a game takes 1/1024 of a second, by a clock of its own."""

    def __init__(self) -> None:
        self.played: list[int] = []
        self.now = 0.0

    def begin(self, seed: int) -> None:
        self.seed = seed

    def play(self, games: int) -> int:
        self.played.append(games)
        self.now += games / 1024
        return 3 * games


def test_a_cell_is_as_long_as_it_is_said_and_holds_whole_games(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Counting()
    monkeypatch.setattr(players.time, "process_time", lambda: player.now)
    batch = players.calibrate(player, 80 / 1024)  # a part is the twentieth
    assert batch == 4 and player.played == [1, 1, 2, 4, 4], "a batch that is long enough is played again"
    cell = players.measure(player, 18 / 1024, batch, 7)
    assert player.seed == 7
    assert cell.decisions == 3 * cell.games
    assert (cell.games, cell.seconds, cell.games_per_second) == (20, 20 / 1024, 1024)


def test_code_that_is_made_for_many_games_is_no_part_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    class Making(Counting):
        def play(self, games: int) -> int:
            if games == 2 and self.played.count(2) == 0:
                self.now += 1
            return super().play(games)

    player = Making()
    monkeypatch.setattr(players.time, "process_time", lambda: player.now)
    assert players.calibrate(player, 80 / 1024) == 4 and player.played == [1, 1, 2, 2, 4, 4]


def test_both_back_ends_play_the_same_games(apples: Path) -> None:
    entry = command.make_entry(command.Rules("last_apple", RulesetReference(apples)), 3, 0.1)
    assert list(entry.players) == [ENGINE, DRIVEN, SIMULATE, REFERENCE] and entry.record.seats == 3
    lengths = []
    for key in (ENGINE, REFERENCE, DRIVEN, SIMULATE):
        player = entry.players[key]
        player.play(3)
        player.begin(1)
        lengths.append(player.play(30))
    assert lengths[0] == lengths[1]
    assert all(7 * 30 <= length <= 21 * 30 for length in lengths)  # three apples at most, and one at least


def test_a_list_is_chosen_from_as_the_machine_draws(apples: Path) -> None:
    """A seldom action seldom; and it is taken where there is nothing else."""
    player = DrivenPlayer(load_game(apples), 2)
    player.begin(1)
    stay, leave = Option("pick", (1,), 0), Option("pick", (2,), 1)
    taken = [player.choose([stay, leave], frozenset({1})) for _ in range(2000)]
    assert 0 < taken.count(leave) < 20
    assert 800 < [player.choose([stay, leave], frozenset()) for _ in range(2000)].count(leave) < 1200
    assert {player.choose([leave], frozenset({1})) for _ in range(50)} == {leave}


def test_a_baseline_is_found_by_its_name(by_hand: None) -> None:
    player = players.baseline("last_apple")
    assert player is not None and player.play(5) == 20
    assert players.baseline("first_pear") is None


@pytest.mark.parametrize("name, low, high", [("kuhn_poker", 2, 3), ("goofspiel", 24, 24), ("connect_four", 7, 42)])
def test_open_spiel_plays_whole_games(name: str, low: int, high: int) -> None:
    """With explicit chance, with simultaneous moves (its last cards play themselves), and in turns."""
    pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
    player = players.spiel_game(name)
    assert player is not None and players.spiel_game("last_apple") is None
    player.begin(3)
    assert all(low <= player.play(1) <= high for _ in range(30))


# ------------------------------------------------------------ the command


def test_every_figure_has_a_value_for_each_round(
    by_hand: None, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "last_apple", "--json", "--rounds", "2")
    data = json.loads(out)
    assert (code, err, data["complete"], data["rounds"]) == (0, "", True, 2)
    found = data["rulesets"]["last_apple"]
    assert list(found["playouts"]) == [ENGINE, DRIVEN, SIMULATE, REFERENCE, BY_HAND]
    assert list(found["ratios"]) == ["engine/reference", "engine/driven", "simulate/driven", "engine/by_hand"]
    assert list(found["costs"]) == ["copy", "load_cold", "load_cached", "first_decision", "memory", "check_cold"]
    figures: list[dict[str, Any]] = [f for part in ("playouts", "ratios", "costs") for f in found[part].values()]
    for figure in figures:
        assert len(figure["runs"]) == 2 and 0 < figure["min"] <= figure["median"] <= figure["max"]
    assert found["length"][BY_HAND] == 4 and 7 <= found["length"][ENGINE] <= 21
    costs = {key: figure["median"] for key, figure in found["costs"].items()}
    assert 5 < costs["memory"] < 1000
    assert data["seconds"] == 0.002


def test_cold_is_with_an_empty_cache_and_cached_with_a_filled_one(
    apples: Path, quick: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what the processes find and leave, not by the clock."""
    seen: list[tuple[str, bool, bool]] = []
    true = benchcosts.run_python

    def watched(arguments: list[str], cache: str | None) -> str:
        folder = Path(cache if cache is not None else os.environ["RULEWRIGHT_CACHE"])
        before = any(folder.rglob("*"))
        output = true(arguments, cache)
        seen.append((arguments[1], before, any(folder.rglob("*"))))
        return output

    monkeypatch.setattr(benchcosts, "run_python", watched)
    game = load_game(apples)
    benchcosts.measure_costs(RulesetReference(apples), game, 2)
    benchcosts.check_time(str(apples))
    assert seen == [(benchcosts.COLD, False, True), (benchcosts.WARM, True, True), ("tools", False, True)]


def test_a_suite_is_a_list_in_a_file(by_hand: None, apples: Path, quick: None, capsys: Any) -> None:
    file = apples.parent / "suites.yaml"
    assert run(capsys, "--suite", "fruit")[0] == 2
    file.write_text("fruit: [last_apple]\nnone: 7\n", encoding="utf-8")
    assert run(capsys, "--suite", "fruit") == (2, "", f"error: '{file}' should hold lists of rulesets, each after the "
        "name of its suite.\n")  # fmt: skip
    file.write_text("fruit: [last_apple]\n", encoding="utf-8")
    assert run(capsys, "--suite", "friut")[2] == "error: there is no suite 'friut': did you mean 'fruit'?\n"
    code, out, _ = run(capsys, "--suite", "fruit", "--rounds", "1")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "Random playouts per second"
    assert lines[1].split() == ["engine", "driven", "simulate", "reference", "by", "hand"]
    assert lines[2].startswith("last_apple") and "±" not in out
    assert lines[-1].startswith("1 round, ")


def test_what_is_missing_is_said(apples: Path, quick: None, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "BASELINES", apples / "nowhere")
    monkeypatch.setattr(command, "open_spiel", lambda: None)
    code, out, _ = run(capsys, "--game", "last_apple", "--rounds", "1", "--seats", "2")
    assert code == 0
    assert "by hand: tests/bench was not found" in out and "open-spiel is not installed" in out


VARIANT = """\
variant two_apples on last_apple because "a slower game"
    alter turn.n from 3 to 2
"""


def test_overlays_are_measured_without_the_players_of_the_plain_game(
    by_hand: None, apples: Path, quick: None, capsys: Any
) -> None:
    """In every cost as well: the new processes read the same overlays."""
    (apples / "variants").mkdir()
    (apples / "variants" / "two_apples.variant").write_text(VARIANT, encoding="utf-8")
    (apples.parent / "suites.yaml").write_text("fruit: [last_apple+two_apples, last_apple]\n", encoding="utf-8")
    code, out, _ = run(capsys, "last_apple+two_apples", "--json", "--rounds", "1")
    found = json.loads(out)["rulesets"]["last_apple+two_apples"]
    assert code == 0 and BY_HAND not in found["playouts"]
    assert {"load_cold", "first_decision", "check_cold"} <= set(found["costs"])
    assert found["length"][ENGINE] >= 11 > 7  # of 21 apples at most two at a time
    code, out, _ = run(capsys, "--suite", "fruit", "--rounds", "1")
    assert code == 0 and "by hand: not for last_apple+two_apples." in out


@pytest.mark.parametrize(
    "words, message",
    [
        (("last_apple", "--rounds", "0"), "--rounds should be a number from 1 to 1000, but 0 was given."),
        (("last_apple", "--seconds", "-1"), "--seconds should be a number up to 3600, but -1.0 was given."),
        (("last_apple", "--seats", "5"), "--seats should be a number from 2 to 4 for last_apple, but 5 was given."),
        (
            ("last_apple", "--suite", "x"),
            "RULESET, --game and --suite each say what is measured: give only one of them.",
        ),
        (
            ("last_apple", "--game", "x"),
            "RULESET, --game and --suite each say what is measured: give only one of them.",
        ),
    ],
)
def test_mistakes_are_sentences(apples: Path, capsys: Any, words: tuple[str, ...], message: str) -> None:
    assert run(capsys, *words) == (2, "", f"error: {message}\n")


def test_stopping_shows_what_was_measured(
    by_hand: None, quick: None, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = command.Entry.play
    done: list[str] = []

    def play(self: command.Entry, key: str, number: int) -> None:
        if len(done) == 6:  # in the second round, before the second player
            raise KeyboardInterrupt
        done.append(key)
        plain(self, key, number)

    monkeypatch.setattr(command.Entry, "play", play)
    code, out, err = run(capsys, "last_apple", "--json")
    data = json.loads(out)
    assert (code, data["complete"]) == (130, False)
    assert done == [ENGINE, DRIVEN, SIMULATE, REFERENCE, BY_HAND, ENGINE]
    found = data["rulesets"]["last_apple"]
    assert [len(found["playouts"][key]["runs"]) for key in (ENGINE, REFERENCE, BY_HAND)] == [2, 1, 1]
    assert len(found["ratios"]["engine/by_hand"]["runs"]) == 1
    assert err.strip() == "stopped."


def test_stopped_before_anything_was_measured(apples: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: command.Entry, key: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command.Entry, "warm_up", stop)
    code, out, err = run(capsys, "last_apple")
    assert code == 130 and err.strip() == "stopped." and "stopped before the end" in out and "playouts" not in out
