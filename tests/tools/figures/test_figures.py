"""Figures for a rulebook: against values worked out by hand, and `lab figures` on small games."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.concepts.play import game as small
from tests.games import ROOT
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.cli import run
from tools.figures.course import POINTS, GameCourse, Standing, play_course
from tools.figures.figures import Share, decided_from, figures_of, share_of
from tools.figures.measured import FILE, kept, rules_digest
from tools.figures.sentences import rows
from tools.simulation.playout import GameSetup
from tools.site.command import site_files

ONE, TWO, BOTH = frozenset({1}), frozenset({2}), frozenset({1, 2})


def course(number: int, choices: int, winners: tuple[int, ...], first: str) -> GameCourse:
    """A game in which at each point the seat of this digit leads, `=` where both stand alike."""
    standings = tuple({"1": Standing(ONE, TWO), "2": Standing(TWO, ONE), "=": Standing(BOTH, BOTH)}[c] for c in first)
    widths = Counter({2: choices - 1, 10: 1})
    return GameCourse(GameSetup(number, 2, number), 2 * choices, choices, choices // 2, widths, standings, winners)


GAMES = (
    course(0, 10, (1,), "=1111111111"),
    course(1, 20, (2,), "=1111122222"),
    course(2, 30, (1, 2), "=2222222212"),
    course(3, 40, (1,), "=2121111111"),
)


def test_lengths_and_widths() -> None:
    found = figures_of(2, GAMES)
    assert found.duration_actions.mean.mean == 25 and found.duration_turns.mean.mean == 12.5
    # the deviation is 12.91, Student's t of three degrees 3.182: 3.182 * 12.91 / 2
    assert found.duration_actions.mean.margin == pytest.approx(20.54, abs=0.01)
    assert found.duration_actions.quantiles == (11.5, 25, 38.5)
    assert found.branching_factor.mean == pytest.approx((96 * 2 + 4 * 10) / 100)
    assert found.widest == 10 and found.decision_moves == 0.5


def test_wins_and_draws() -> None:
    found = figures_of(2, GAMES)
    assert [share.hits for share in found.wins] == [2.5, 1.5]
    assert found.drawishness is not None and found.drawishness.share == 0.25
    assert found.advantage_p1 is not None and found.advantage_p1[0] == 0.125
    assert found.completion == share_of([1, 1, 1, 1]) and not found.lost


def test_leaders_and_comebacks() -> None:
    leads = figures_of(2, GAMES).leads
    assert leads is not None
    assert leads.first_won[0] == Share(0, 0, 0, 0, 1)  # nobody leads at the start
    assert [leads.first_won[5].hits, leads.first_won[5].of] == [1 + 0 + 0.5 + 1, 4]
    assert [leads.last_won[5].hits, leads.last_won[5].of] == [0 + 1 + 0.5 + 0, 4]
    assert leads.changes.mean == (0 + 1 + 2 + 3) / 4
    assert leads.decided is None  # the shared win leaves 3.5 of 4 at the end


def test_decided_where_the_leader_wins_from_there_on() -> None:
    nine, less, none = share_of([1] * 9 + [0]), share_of([1] * 8 + [0] * 2), share_of([])
    assert decided_from([less, nine, less, nine, nine]) == 3
    assert decided_from([nine, nine, less]) is None
    assert decided_from([none, nine, nine]) == 1


def test_games_that_do_not_end_are_counted_apart() -> None:
    stopped, failed = course(4, 99, (), "=" * POINTS), course(5, 99, (), "=" * POINTS)
    stopped.unfinished, failed.failure = True, "dead end"
    found = figures_of(2, [*GAMES, stopped, failed])
    assert (found.timeouts, found.failures, found.completion.hits, found.completion.of) == (1, 1, 4, 6)
    assert found.duration_actions == figures_of(2, GAMES).duration_actions
    assert dict(rows(found, 20, "en"))["ended"] == "4 of 6 games; the figures are those of these"
    assert list(rows(figures_of(2, [failed]), 20, "en")) == [("ended", "0 of 1 games; the figures are those of these")]


def test_rows_say_it_in_words() -> None:
    said = dict(rows(figures_of(2, GAMES), 30, "en"))
    assert said["minutes"] == "about 12, nine in ten games from 6 to 19, at 30 s a choice"
    assert said["width"] == "2.3 options a choice, 10 at most; 50% of the answers are choices"
    assert said["whoever is last half way wins"].startswith("38% (")
    assert said["as good as decided"].startswith("at no point before the end")
    assert set(dict(rows(figures_of(2, GAMES), 30, "ja"))) & set(said) == set()


ALONE = """
enum Cause: won
kind Seat
    field points: 0..9
value score(p: Seat): int = p.points
phase game
    repeat while p1.points < 3
        choose one by p1
            case step: set p1.points to p1.points + 1
            case rest: set p1.points to p1.points
"""


def test_a_game_for_one_has_a_length_and_no_rivals() -> None:
    game = small(ALONE, seats=(1, 1), manifest="result: {score: score}")
    found = figures_of(1, [play_course(game, GameSetup(n, 1, n), ("random",), 500) for n in range(20)])
    assert found.completion.hits == 20 and found.duration_actions.mean.mean >= 3 and found.branching_factor.mean == 2
    assert found.advantage_p1 is None and found.drawishness is None and found.leads is None


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("rulesets", "cards"):
        (tmp_path / folder).mkdir()
    here = tmp_path / "rulesets" / "tic_tac_toe"
    shutil.copytree(ROOT / "rulesets" / "tic_tac_toe", here, ignore=shutil.ignore_patterns(FILE))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rulesets" / "tic_tac_toe"


def figures(*words: str) -> list[str]:
    return ["lab", "figures", "rulesets/tic_tac_toe", "--games", "12", *words]


def test_processes_change_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for jobs in ("1", "2"):
        assert run(figures("--json", "--jobs", jobs)) == 0
        texts.append(capsys.readouterr().out)
    found = json.loads(texts[0])
    assert texts[0] == texts[1]
    assert found["bots"] == ["random"] and found["figures"][0]["completion"]["of"] == 12
    assert not (home / FILE).exists()


def test_figures_are_kept_for_the_website(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(figures("--write")) == 0
    assert "seat 1 wins" in capsys.readouterr().out
    measured = kept(home)
    assert measured is not None and measured.rules == rules_digest(home)
    reference = read_reference(str(home))
    pages = site_files(reference, ["en", "ja"], pictures=False)
    assert "seat 1 wins" in pages["en/index.html"] and "席 1 の勝ち" in pages["ja/index.html"]
    assert "have changed since" not in pages["en/index.html"]
    assert measured.command in pages["en/index.html"]
    rule = next(home.glob("*.rules"))
    rule.write_text(rule.read_text(encoding="utf-8") + "\n# another line\n", encoding="utf-8")
    assert "have changed since" in site_files(reference, ["en"], pictures=False)["en/index.html"]


def test_what_time_cuts_short_is_reported_and_not_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["lab", "figures", "rulesets/tic_tac_toe", "--games", "100000", "--for", "1s", "--jobs", "1", "--write"])
        == 0
    )
    told = capsys.readouterr()
    assert "stopped after" in told.out and "Not kept" in told.err
    assert not (home / FILE).exists()


@pytest.mark.parametrize("text", ["", "[]", '{"ruleset": 3}', "\x00", '{"figures": [{"seats": "many"}]}'])
def test_a_file_that_holds_no_figures_is_told(home: Path, text: str) -> None:
    (home / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"holds no figures .*rulewright lab figures tic_tac_toe --write"):
        kept(home)


@pytest.mark.parametrize(
    "words, said",
    [
        (("--games", "0"), "--games should be a number"),
        (("--choice-time", "nan"), "--choice-time should be more than 0"),
        (("--choice-time", "0"), "--choice-time should be more than 0"),
        (("--seats", "7"), "--seats should be 2"),
        (("--bot", "gredy"), "did you mean 'greedy'"),
    ],
)
def test_mistakes_are_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run(figures(*words)) != 0
    assert said in capsys.readouterr().err
