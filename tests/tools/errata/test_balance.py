"""`errata diff --games`: paired differences, against figures worked out by hand and on small games."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dsl.driver.reference import RulesetReference
from interpreter import Game
from tests.concepts.play import game as small
from tests.interpreter.low_pair import WITH_A_GAP
from tests.native import needs_wasmtime
from tests.tools.conftest import lay_out
from tools.base.home import read_reference
from tools.base.loading import load_game
from tools.base.stats import Mean
from tools.cli import run
from tools.commands.simulate import make_setups
from tools.errata.balance import Balance, compare_pairs
from tools.errata.balance_text import summary
from tools.errata.diff import BalanceRequest, compare_balance
from tools.lab.sentences import shown
from tools.pairs.playing import Pair, PairsRun, PairTask, play_pairs
from tools.simulation.native import NativePlay
from tools.simulation.playout import GameFailure, GameOutcome, GameSetup

ROOT = Path(__file__).parents[3]


def outcome(number: int, decisions: int, scores: tuple[int, int], winner: int, tides: float) -> GameOutcome:
    found = GameOutcome(GameSetup(number, 2, 100 + number), decisions)
    found.seat_scores = {1: scores[0], 2: scores[1]}
    found.actor_scores = {"eel": scores[0], "cod" if number else "ray": scores[1]}
    found.seat_wins = {winner: 1.0}
    found.actor_wins = {"eel": 1.0 if winner == 1 else 0.0}
    found.trajectories = {"tides": (0.0, tides)}
    return found


def three_pairs() -> list[Pair]:
    return [
        Pair(outcome(0, 20, (10, 4), 1, 1.0), outcome(0, 20, (10, 4), 1, 1.0)),
        Pair(outcome(1, 30, (50, 9), 1, 2.0), outcome(1, 33, (52, 9), 1, 4.0)),
        Pair(outcome(2, 40, (70, 80), 2, 3.0), outcome(2, 43, (81, 80), 1, 3.0)),
    ]


def test_figures_are_those_worked_out_by_hand() -> None:
    """For the margins: Student's factor for two degrees is 4.303, and the root of 3 is 1.7321.

    length: 0, 3, 3 are 2 in the mean, squares 4 + 1 + 1, the deviation is the root of 3, the margin 4.303.
    score of seat 1: 0, 2, 11 are 13/3, squares (169 + 49 + 400) / 9, deviation 5.8595, margin 14.557.
    wins of seat 1: 0, 0, 100 are 33.3, deviation 57.735, margin 143.433.
    """
    found = compare_pairs(three_pairs(), Balance(("greedy",), 1, 3, 99))
    figures = {f.figure: f for f in found.figures}
    assert list(figures) == [
        "length in decisions", "score of seat 1 of 2", "score of seat 2 of 2", "score of cod", "score of eel",
        "score of ray", "wins of seat 1 of 2 (%)", "wins of seat 2 of 2 (%)", "wins of eel (%)", "tides at the end",
    ]  # fmt: skip
    assert (found.played, found.compared, found.alike) == (3, 3, 1)
    expected = {
        "length in decisions": (3, 30, 32, 2, 4.303),
        "score of seat 1 of 2": (3, 130 / 3, 143 / 3, 13 / 3, 14.557),
        "score of seat 2 of 2": (3, 31, 31, 0, 0),
        "score of cod": (2, 44.5, 44.5, 0, 0),
        "wins of seat 1 of 2 (%)": (3, 200 / 3, 100, 100 / 3, 143.433),
        "wins of seat 2 of 2 (%)": (3, 100 / 3, 0, -100 / 3, 143.433),
        "tides at the end": (3, 2, 8 / 3, 2 / 3, 2.8687),
    }
    for name, (n, before, after, difference, margin) in expected.items():
        f = figures[name]
        means = (f.before.mean, f.after.mean, f.difference.mean, f.difference.margin)
        assert f.difference.n == n and means == pytest.approx((before, after, difference, margin), abs=1e-3), name
    assert figures["score of ray"].difference == Mean(1, 0.0, None)
    assert figures["score of seat 1 of 2"].quartiles == ((30, 50, 60), (31, 52, 66.5))
    assert figures["length in decisions"].quartiles is None
    assert not any(f.clear for f in found.figures)


def test_a_pair_counts_where_both_games_ended() -> None:
    pairs = three_pairs()
    pairs[1].after.unfinished = True
    pairs[2].before.failure = GameFailure("rule", "there is nothing to draw from", {})
    found = compare_pairs(pairs, Balance(("random",), 1, 3, 99))
    assert (found.played, found.compared, found.alike) == (3, 1, 1)
    assert {f.difference for f in found.figures} == {Mean(1, 0.0, None)}
    nothing = compare_pairs([], Balance(("random",), 1, 3, 99))
    assert (nothing.compared, nothing.figures) == (0, [])


def test_an_interval_that_excludes_nothing_is_marked() -> None:
    pairs = [Pair(outcome(n, 20, (n, 4), 1, 1.0), outcome(n, 20 + n % 2, (n + 3, 4), 1, 1.0)) for n in (1, 2, 3, 4)]
    figures = {f.figure: f for f in compare_pairs(pairs, Balance(("random",), 1, 4, 99)).figures}
    assert figures["score of seat 1 of 2"].difference == Mean(4, 3.0, 0.0) and figures["score of seat 1 of 2"].clear
    assert not figures["length in decisions"].clear and not figures["score of seat 2 of 2"].clear


def test_small_margins_are_not_rounded_away() -> None:
    assert shown(Mean(9, 0.234, 0.046)) == "0.23 ± 0.05"
    assert shown(Mean(9, 12.34, 3.21)) == "12.3 ± 3.2"
    assert shown(Mean(9, 0.0, 0.0)) == "0.0 ± 0.0"
    assert shown(Mean(1, 5.0, None)) == "5.0"


# ---------------------------------------------------------------- whole commands


BUCKETS = """\
piece drop each 90 from well
zone well: drop
kind Seat
    zone bucket: drop
value score(p: Seat): int = p.bucket
value drawn: int = 90 - well
procedure draw_water(p: Seat, n: 0..9)
    random number leak in 0..1
    move max(0, n - leak) drop from well to p.bucket
phase game
    for every p in seats
        choose number n in 1..3 by p
        do draw_water(p, n)
    for every p in seats
        choose number n in 1..3 by p
        do draw_water(p, n)
"""
FILES = {
    "rulesets/buckets/ruleset.yaml": (
        "id: buckets\nversion: 1\ntitle: {en: Buckets}\nseats: {min: 2, max: 3}\nload: [game.rules]\n"
        "result: {score: score}\nevaluate: score\nwatch: [drawn]\n"
    ),
    "rulesets/buckets/game.rules": BUCKETS,
    "cards/buckets/errata/deeper.errata": (
        'errata deeper on buckets because "deeper" dated "2021-01-01"\n    replace draw_water\n'
        "        procedure draw_water(p: Seat, n: 0..9)\n            random number leak in 0..1\n"
        "            move 1 + max(0, n - leak) drop from well to p.bucket\n"
    ),
    "cards/buckets/errata/flood.errata": (
        'errata flood on buckets because "flood" dated "2021-01-01"\n    replace draw_water\n'
        "        procedure draw_water(p: Seat, n: 0..9)\n            random number much in 40..50\n"
        "            move much drop from well to p.bucket\n"
    ),
    "cards/tic_tac_toe/errata/same.errata": (
        'errata same on tic_tac_toe because "said otherwise" dated "2021-01-01"\n    replace full\n'
        "        value full: bool = not any(s in Square: s.mark is none)\n"
    ),
    "cards/tic_tac_toe/errata/worth_ten.errata": (
        'errata worth_ten on tic_tac_toe because "ten" dated "2021-01-01"\n    replace outcome\n'
        "        value outcome(p: Seat): int = 0 if winner is none else 10 if winner is p else -10\n"
    ),
    "cards/kettle/errata/same.errata": (
        'errata same on kettle because "said otherwise" dated "2021-01-01"\n    replace ring\n'
        "        procedure ring(p: Seat)\n            gain 2 - 1 steam_point by p as rung\n"
    ),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of tic-tac-toe and of the kettle and a game of buckets, with errata that change something or nothing."""
    shutil.copytree(ROOT / "rulesets" / "tic_tac_toe", tmp_path / "rulesets" / "tic_tac_toe")
    shutil.copytree(ROOT / "tests" / "conformance" / "rulesets" / "kettle", tmp_path / "rulesets" / "kettle")
    lay_out(FILES, tmp_path, monkeypatch)
    return tmp_path


def diff(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    assert run(["errata", "diff", *words, "--sample", "0", "--jobs", "1"]) == code
    return capsys.readouterr().out


def balance(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(diff(capsys, *words, "--json"))["balance"]
    return found


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_rules_that_play_alike_differ_by_exactly_nothing(
    home: Path, capsys: pytest.CaptureFixture[str], bot: str
) -> None:
    output = diff(capsys, "tic_tac_toe+same", "--games", "12", "--bot", bot)
    assert f"balance: 12 pairs of games, {bot} bots, seed 1" in output
    assert "alike       12, in which no figure differs" in output
    table = output[output.index("by (95%)") :].split("by: after less before")[0]
    rows = [line for line in table.splitlines()[1:] if line.strip()]
    assert len(rows) == 5  # length, two scores, two shares of wins
    assert all(line.rstrip().endswith(" 0.0 ± 0.0") for line in rows)


def test_ten_for_one_is_nine_more_in_each_game_that_is_won(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The moves are those of before, so a seat gains nine for each game that it wins and loses nine for each other."""
    found = balance(capsys, "tic_tac_toe+worth_ten", "--games", "30", "--bot", "random")
    figures = {f["figure"]: f for f in found["figures"]}
    first = figures["score of seat 1 of 2"]
    assert first["difference"]["mean"] == pytest.approx(9 * first["before"]["mean"])
    assert first["difference"]["margin"] == pytest.approx(9 * first["before"]["margin"])
    assert figures["wins of seat 1 of 2 (%)"]["difference"] == {"n": 30, "mean": 0.0, "margin": 0.0}
    assert figures["length in decisions"]["difference"] == {"n": 30, "mean": 0.0, "margin": 0.0}
    assert 0 < found["alike"] < 30


def test_a_drop_more_each_time_is_two_more_in_each_game(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each seat draws twice, and the leaks are those of before: the difference has no spread at all."""
    found = balance(capsys, "buckets+deeper", "--games", "8", "--bot", "random", "--seats", "3")
    figures = {f["figure"]: f for f in found["figures"]}
    for seat in (1, 2, 3):
        assert figures[f"score of seat {seat} of 3"]["difference"] == {"n": 8, "mean": 2.0, "margin": 0.0}
        assert figures[f"score of seat {seat} of 3"]["before"]["margin"] > 0
    assert figures["drawn at the end"]["difference"] == {"n": 8, "mean": 6.0, "margin": 0.0}
    assert figures["wins of seat 1 of 3 (%)"]["difference"] == {"n": 8, "mean": 0.0, "margin": 0.0}


def test_a_game_of_chance_and_greedy_bots_is_the_same_under_the_same_rules(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = balance(capsys, "kettle+same", "--games", "2", "--seats", "2")
    assert (found["bots"], found["compared"], found["alike"]) == (["greedy"], 2, 2)


def test_seats_seed_and_bots_are_those_asked_for(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("buckets+deeper", "--games", "6", "--seats", "3")
    found = balance(capsys, *words)
    assert (found["bots"], found["compared"], found["seed"]) == (["greedy"], 6, 1)  # the rules say what is good
    names = [f["figure"] for f in found["figures"]]
    assert "score of seat 3 of 3" in names and "score of seat 1 of 2" not in names
    assert balance(capsys, *words) == found
    assert balance(capsys, *words, "--seed", "2")["figures"] != found["figures"]
    assert balance(capsys, *words, "--bot", "random,greedy")["bots"] == ["random", "greedy"]
    two = balance(capsys, "buckets+deeper", "--games", "4", "--seats", "2,3", "--bot", "random")
    assert [f["difference"]["n"] for f in two["figures"] if " of 2" in f["figure"]] == [2, 2, 2, 2]


def test_more_processes_find_the_same(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["errata", "diff", "buckets+deeper", "--games", "5", "--bot", "random", "--sample", "0", "--json"]
    found = []
    for jobs in ("1", "2"):
        assert run([*words, "--jobs", jobs]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]


def test_games_that_go_on_are_counted_and_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = diff(capsys, "tic_tac_toe+same", "--games", "20", "--bot", "random", "--max-decisions", "7")
    compared = int(output.split("compared    ")[1].split()[0])
    assert 0 < compared < 20
    assert f"not over    {2 * (20 - compared)} games (stopped after 7 decisions, --max-decisions)" in output
    assert "  before: game " in output and "2 seats, seed 10000" in output
    none = diff(capsys, "tic_tac_toe+same", "--games", "2", "--bot", "random", "--max-decisions", "3")
    assert "compared    0 pairs" in none and "not over    4 games" in none and "by (95%)" not in none


def test_games_that_fail_are_counted_named_and_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """More drops than the well has: the game under the errata ends with a message, and the other alone is no pair."""
    output = diff(capsys, "buckets+flood", "--games", "3", "--bot", "random", "--seats", "2", code=1)
    assert "compared    0 pairs" in output and "failed      3 games" in output
    line = next(line for line in output.splitlines() if line.startswith("  after: game 0"))
    file = line.rpartition("rulewright replay ")[2]
    assert run(["replay", file]) == 0
    assert "it fails again" in capsys.readouterr().out


def test_a_page_shows_the_balance(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    diff(capsys, "tic_tac_toe+worth_ten", "--games", "4", "--bot", "random", "--html", "page.html")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "4 pairs of games, random bots" in page and "<td>wins of seat 1 of 2 (%)</td>" in page
    assert "<th>by (95%)</th>" in page and "in which no figure differs" in page


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--games", "-1"], "--games should be"),
        (["--seats", "2"], "say how many, as in '--games 100'"),
        (["--games", "2", "--seats", "4"], "--seats should be 2, but 4 was given"),
        (["--games", "2", "--bot", "clever"], "there is no bot 'clever'"),
        (["--games", "2", "--max-decisions", "0"], "--max-decisions should be"),
        (["--games", "2", "--jobs", "0"], "--jobs should be"),
    ],
)
def test_mistakes_in_what_is_asked_for(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], expected: str
) -> None:
    assert run(["errata", "diff", "tic_tac_toe+same", "--sample", "0", *words]) == 2
    assert expected in capsys.readouterr().err


def test_what_was_played_before_an_interruption_counts() -> None:
    found = compare_pairs(three_pairs(), Balance(("greedy",), 1, 9, 99, interrupted=True))
    assert summary(found, "en")[0] == "stopped after 3 of 9 pairs"


@pytest.mark.soak
def test_a_doubled_card_is_seen_much_better_in_pairs_than_in_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The interval of the paired differences is at most half as wide as that of two samples of the same games."""
    for folder in ("rulesets", "cards"):
        shutil.copytree(ROOT / folder / "dominant_species", tmp_path / folder / "dominant_species")
    doubled = (
        'errata doubled on dominant_species because "doubled" dated "2021-01-01"\n'
        "    replace biodiversity.effect: gain 2 * shared_tiles(you) vp as card_effect\n"
    )
    lay_out({"cards/dominant_species/errata/doubled.errata": doubled}, tmp_path, monkeypatch)
    found = balance(capsys, "dominant_species+doubled", "--games", "20", "--seats", "3")
    assert (found["bots"], found["compared"]) == (["greedy"], 20)
    for figure in found["figures"]:
        if figure["figure"].startswith("score of seat"):
            sample = (figure["before"]["margin"] ** 2 + figure["after"]["margin"] ** 2) ** 0.5
            assert 0 < figure["difference"]["margin"] <= sample / 2, figure


# ---------------------------------------------------------------- native code


@needs_wasmtime
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("buckets+deeper", "--games", "30", "--bot", "random,greedy"), 0),
        (("buckets+flood", "--games", "12", "--bot", "random"), 1),
        (("kettle+same", "--games", "2", "--max-decisions", "12"), 0),
        (("tic_tac_toe+worth_ten", "--games", "40"), 0),
    ],
)
def test_native_code_finds_the_same(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int
) -> None:
    """The same text and data, and the same games that failed."""
    found = []
    for backend in ("wasm", "reference"):
        told = [diff(capsys, *words, *more, "--backend", backend, code=code) for more in ((), ("--json",))]
        saves = {file.name: file.read_text(encoding="utf-8") for file in Path(".rulewright/failures").glob("*.json")}
        shutil.rmtree(".rulewright/failures", ignore_errors=True)
        found.append((told, saves))
    assert found[0] == found[1] and bool(found[0][1]) == bool(code)
    assert "balance" in found[0][0][0]


@needs_wasmtime
@pytest.mark.parametrize(
    ("bot", "games", "most"),
    [("random", 1, 3000), ("greedy", 1, 20), pytest.param("greedy", 2, 300, marks=pytest.mark.soak)],
)
def test_a_heavy_game_is_compared_alike(monkeypatch: pytest.MonkeyPatch, bot: str, games: int, most: int) -> None:
    monkeypatch.chdir(ROOT)
    rules = read_reference("dominant_species"), read_reference("dominant_species+domination_printed")
    asked = BalanceRequest(games, "2", bot, 1, most, 1)
    found = []
    for backend in ("wasm", "reference"):
        before, after = (load_game(reference, backend) for reference in rules)
        found.append(compare_balance((before, after), rules, asked, backend, True, "en").to_json())
    assert found[0] == found[1] and found[0]["played"] == games


@needs_wasmtime
def test_native_code_plays_pairs_by_itself(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []
    play = NativePlay.play

    def noting(self: NativePlay, setups: Any) -> Any:
        played.append(len(setups))
        return play(self, setups)

    monkeypatch.setattr(NativePlay, "play", noting)
    balance(capsys, "buckets+deeper", "--games", "3")
    assert sum(played) == 6
    balance(capsys, "buckets+deeper", "--games", "11")
    assert sum(played) == 6 + 22
    assert run(["errata", "diff", "buckets+deeper", "--games", "11", "--backend", "wasn"]) == 2
    assert "wasn" in capsys.readouterr().err


def played(game: Game, task: PairTask) -> tuple[list[Pair], PairsRun]:
    """80 pairs of games of the same rules."""
    pairs: list[Pair] = []

    def take(pair: Pair) -> bool:
        pairs.append(pair)
        return False

    return pairs, play_pairs((game, game), task, make_setups(80, (2, 3), 1), 1, take, True)


@needs_wasmtime
def test_why_native_code_plays_no_longer_is_told() -> None:
    """It gives up at a question of each turn, which is too often. Python goes on with the same pairs."""
    value = "value promise(p: Seat): int = p.total\n"
    game = small(WITH_A_GAP + value, manifest="result: {score: promise}\n")
    task = PairTask((RulesetReference(Path("gap")), RulesetReference(Path("gap"))), ("random",), 500, "wasm")
    pairs, run = played(game, task)
    assert "gives up too often" in run.notice and not run.interrupted
    assert [(pair.setup.number, pair.setup.seats) for pair in pairs] == [(n, 2 + n % 2) for n in range(80)]
    assert all(pair.before.seat_scores == pair.after.seat_scores for pair in pairs)
    wanted, run = played(game, replace(task, backend="reference"))
    assert run.notice == ""
    assert [pair.after.seat_scores for pair in pairs] == [pair.after.seat_scores for pair in wanted]
    assert len({str(pair.after.seat_scores) for pair in pairs}) > 20
