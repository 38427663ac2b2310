"""The bench on a small game: its players, its figures, its messages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from dsl.driver.reference import RulesetReference
from interpreter.backends.wasm import host
from tools import cli
from tools.base.loading import load_game
from tools.bench import command, peers, report, tables
from tools.bench import costs as benchcosts
from tools.bench.cells import Measurement
from tools.bench.given_up import GivenUp
from tools.bench.peers import BY_HAND
from tools.bench.players import BULK, DRIVER, PRINTED, REFERENCE, SESSION, SIMULATE
from tools.bench.report import BenchRecord

OURS = [DRIVER, SESSION, PRINTED, REFERENCE, BULK, SIMULATE]  # whatever is installed
PLAYOUT = "def playout(rng):\n    return 4, [rng.choice([1, -1]), 0]\n"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchcosts, "COPIES", 100)


@pytest.fixture
def without_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs take a few processes each; where they are not what is tested, these stand for them."""
    monkeypatch.setattr(command, "measure_costs", lambda *_: dict.fromkeys(report.COSTS, 7.0) | {"check_cold": 0.0})
    monkeypatch.setattr(command, "check_time", lambda _: 8.0)


@pytest.fixture
def by_hand(apples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of baselines with one for the small game."""
    folder = apples.parent.parent / "tests" / "bench"
    folder.mkdir(parents=True)
    (folder / "last_apple.py").write_text(PLAYOUT, encoding="utf-8")
    monkeypatch.setattr(peers, "BASELINES", folder)
    monkeypatch.setattr(command, "BASELINES", folder)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = cli.run(["bench", "--seconds", "0.002", *words])
    seen = capsys.readouterr()
    return code, seen.out, seen.err


# ------------------------------------------------------------ figures


def cells(*rates: tuple[int, int]) -> list[Measurement]:
    """Cells of half a second with so many games and decisions."""
    return [Measurement(games, decisions, 0.5) for games, decisions in rates]


def test_a_ratio_is_taken_in_each_round() -> None:
    record = BenchRecord("x", 2, 40)
    record.cells[DRIVER] = cells((100, 400), (50, 200), (300, 1200))
    record.cells[BY_HAND] = cells((200, 1600), (50, 400), (200, 1600))
    record.cells[REFERENCE] = cells((10, 100), (10, 100), (10, 100))
    assert record.ratios(DRIVER, BY_HAND) == [0.5, 1.0, 1.5]  # by games: what is written by hand counts forced answers
    assert record.ratios(DRIVER, REFERENCE) == [4.0, 2.0, 12.0]  # by decisions: both count the same
    shown = record.to_json()
    assert (shown["ratios"]["driver/by_hand"]["median"], shown["length"][DRIVER]) == (1.0, 4.0)
    assert shown["playouts"][DRIVER] == {
        "unit": "per second",
        "median": 200.0,
        "min": 100.0,
        "max": 600.0,
        "runs": [200.0, 100.0, 600.0],
    }


def test_games_that_were_cut_short_are_not_compared_as_games() -> None:
    record = BenchRecord("x", 2, 40)
    record.cells[DRIVER] = [Measurement(10, 5000, 0.5, cut=1)]
    record.cells[REFERENCE], record.cells[BULK] = cells((1, 500)), cells((20, 20_000))
    assert (record.playouts(DRIVER), record.ratios(BULK, DRIVER)) == ([], [])
    assert record.ratios(DRIVER, REFERENCE) == [10.0]
    assert list(record.to_json()["playouts"]) == [REFERENCE, BULK]


def test_a_table_has_the_columns_that_have_figures() -> None:
    played, unplayed = BenchRecord("x", 2, 40), BenchRecord("y", 2, 40)
    played.cells = {DRIVER: cells((100, 400)), REFERENCE: cells((10, 100))}
    played.given_up = {DRIVER: GivenUp(1200, 3)}
    found = report.tables([played, unplayed])
    assert [table.title.partition("?")[0] for table in found] == [
        "How fast is a game driven", "Without wasmtime: decisions per second", "Decisions of a mean game",
        "Decisions given up by native code",
    ]  # fmt: skip
    assert found[0].heads == ["", "driver", "reference", "driver / reference"]
    assert found[0].rows == [["x", "800", "200", "4.00"]] and found[-1].rows == [["x", "3 of 1,200"]]
    assert tables.as_markdown(found[-1]).splitlines()[2:] == [
        "| Ruleset | driver |",
        "| --- | ---: |",
        "| `x` | 3 of 1,200 |",
    ]


def test_figures_are_medians_with_spread() -> None:
    assert tables.format_spread([90.0, 100.0, 120.0]) == "100 ±15%"
    assert (tables.format_spread([90.0]), tables.format_range([0.7])) == ("90.0", "0.70")  # nothing to compare
    assert tables.format_spread([]) == "-"
    assert tables.format_range([0.7, 0.9, 0.8]) == "0.80 (0.70..0.90)"
    numbers = [tables.format_number(value) for value in (12345.6, 12.345, 1.2345, 0.01234)]
    assert numbers == ["12,346", "12.3", "1.23", "0.0123"]
    assert [tables.round_significant(value) for value in (123456.7, 0.00123456, 0)] == [123460, 0.0012346, 0]


# ------------------------------------------------------------ the command


def test_every_figure_has_a_value_for_each_round(
    by_hand: None, without_costs: None, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "last_apple", "--json", "--rounds", "2")
    data = json.loads(out)
    assert (code, err, data["complete"], data["rounds"]) == (0, "", True, 2)
    found = data["rulesets"]["last_apple"]
    assert [key for key in found["decisions"] if key in OURS] == OURS
    assert found["decisions"].keys() == found["playouts"].keys() == found["length"].keys()
    known = [f"{one}/{other}" for one, other in report.pairs()]
    assert [name for name in known if {*name.split("/")} <= {*found["decisions"]}] == list(found["ratios"])
    assert {"driver/session", "driver/by_hand", "simulate/bulk"} <= {*found["ratios"]}
    assert list(found["costs"]) == list(report.COSTS) and found["costs"]["check_cold"]["runs"] == [8.0, 8.0]
    figures: list[dict[str, Any]] = [
        f for part in ("playouts", "decisions", "ratios", "costs") for f in found[part].values()
    ]
    for figure in figures:
        assert len(figure["runs"]) == 2 and 0 < figure["min"] <= figure["median"] <= figure["max"]
    assert found["length"][BY_HAND] == 4 and all(6 <= found["length"][key] <= 21 for key in OURS)
    assert all(one["given_up"] == 0 < one["decisions"] for one in found["given_up"].values())
    assert {*found["given_up"]} >= ({DRIVER, SESSION, BULK, SIMULATE} if host.available() else set())
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
    found = benchcosts.measure_costs(RulesetReference(apples), game, 2)
    assert {*report.COSTS} - {*found} - {"native_cold"} == {"check_cold"}
    assert all(value > 0 for value in found.values()) and 5 < found["memory"] < 1000
    benchcosts.check_time(str(apples))
    assert seen == [
        (benchcosts.COLD, False, True),
        (benchcosts.MAKING, False, True),
        (benchcosts.WARM, True, True),
        (benchcosts.MAKING, True, True),
        ("tools", False, True),
    ]


def test_a_suite_is_a_list_in_a_file(by_hand: None, apples: Path, without_costs: None, capsys: Any) -> None:
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
    assert lines[0] == "How fast is a game driven? Decisions per second"
    assert lines[1].split()[:3] == ["driver", "session", "reference"]
    assert lines[2].startswith("last_apple") and "±" not in out
    assert lines[-1].startswith("1 round, ")


def test_tables_are_put_into_a_page(by_hand: None, apples: Path, without_costs: None, capsys: Any) -> None:
    title = "**How fast is a game driven? Decisions per second**"
    page = apples.parent / "page.md"
    page.write_text(f"# Speed\n\n{title}\n\n| old |\n| --- |\n| 7 |\n\nWords.\n\n**Mine**\n\n| a |\n", encoding="utf-8")
    code, _, err = run(capsys, "last_apple", "--rounds", "1", "--into", str(page))
    assert code == 2 and "has no table with the title: Bulk play" in err.replace("Bots and learners", "Bulk play", 1)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# Speed\n\n{title}\n\n| Ruleset | driver | session | reference |") and "old" not in text
    assert "\n| `last_apple` | " in text and text.endswith(" |\n\nWords.\n\n**Mine**\n\n| a |\n")


def test_what_is_missing_is_said(
    apples: Path, without_costs: None, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert {"load_cold", "first_cold", "check_cold"} <= set(found["costs"])
    assert found["length"][DRIVER] >= 10 > 7  # of 21 apples at most two at a time
    entries = [command.make_entry(rules, None, 0.1) for rules in command.rules_of_suite("fruit")]
    assert "by hand: not for last_apple+two_apples." in command.notes_on_missing(entries)


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
        (("last_apple", "--into", "x.md"), "--into should be a page of Markdown, but there is no file 'x.md'."),
        (
            ("last_apple", "--game", "x"),
            "RULESET, --game and --suite each say what is measured: give only one of them.",
        ),
    ],
)
def test_mistakes_are_sentences(apples: Path, capsys: Any, words: tuple[str, ...], message: str) -> None:
    assert run(capsys, *words) == (2, "", f"error: {message}\n")


def test_stopping_shows_what_was_measured(
    by_hand: None, without_costs: None, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = command.BenchEntry.play
    done: list[str] = []

    def play(self: command.BenchEntry, key: str, number: int) -> None:
        if len(done) == len(self.players) + 1:  # in the second round, before the second player
            raise KeyboardInterrupt
        done.append(key)
        plain(self, key, number)

    monkeypatch.setattr(command.BenchEntry, "play", play)
    code, out, err = run(capsys, "last_apple", "--json")
    data = json.loads(out)
    assert (code, data["complete"]) == (130, False)
    assert [key for key in done if key in OURS or key == BY_HAND] == [*OURS, BY_HAND, DRIVER]
    found = data["rulesets"]["last_apple"]
    assert [len(found["playouts"][key]["runs"]) for key in (DRIVER, REFERENCE, BY_HAND)] == [2, 1, 1]
    assert len(found["ratios"]["driver/by_hand"]["runs"]) == 1
    assert err.strip() == "stopped."


def test_stopped_before_anything_was_measured(apples: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(self: command.BenchEntry, key: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command.BenchEntry, "warm_up", stop)
    code, out, err = run(capsys, "last_apple")
    assert code == 130 and err.strip() == "stopped." and "stopped before the end" in out and "playouts" not in out
