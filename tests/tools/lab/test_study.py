"""Whole studies of small games: null overlays, known effects, and the same result however it is worked out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import lay_out, run
from tools import cli
from tools.lab.study import BATCH

ROOT = Path(__file__).parents[3]
DRAWS = """\
piece drop each 90 from well
zone well: drop
kind Seat
    zone bucket: drop
value extra(p: Seat): int = 0
value score(p: Seat): int = p.bucket + extra(p)
phase game
    for every p in seats
        choose number n in 1..2 by p
        random number luck in 0..3
        move n + luck drop from well to p.bucket
"""
MANIFEST = "id: {}\nversion: 1\ntitle: {{en: Draws, ja: くじ}}\nseats: {{min: 1, max: 3}}\nload: [game.rules]\n"
ERRATUM = (
    'errata {} on draws because "said" dated "2021-01-01"\n    replace extra\n        value extra(p: Seat): int = {}\n'
)
PHASE = """\
errata {} on draws because "said" dated "2021-01-01"
    replace game
        phase game
            for every p in seats
                choose number n in 1..2 by p
                random number luck in 0..3
                move n + luck drop from well to p.bucket
            for every p in seats
                {}
"""
MIRRORED = """\
errata mirrored on draws because "said" dated "2021-01-01"
    replace game
        phase game
            for every p in seats
                choose number n in 1..2 by p
                random number luck in 0..3
                move n + 3 - luck drop from well to p.bucket
"""
FILES = {
    "cards/draws/errata/mirrored.errata": MIRRORED,
    "rulesets/draws/ruleset.yaml": MANIFEST.format("draws") + "result: {score: score}\n",
    "rulesets/draws/game.rules": DRAWS,
    "rulesets/aimless/ruleset.yaml": MANIFEST.format("aimless"),
    "rulesets/aimless/game.rules": DRAWS,
    "cards/aimless/errata/slower.errata": PHASE.format("slower", "choose number m in 1..2 by p").replace(
        "on draws", "on aimless"
    ),
    "cards/draws/errata/same.errata": ERRATUM.format("same", "1 - 1"),
    "cards/draws/errata/ahead.errata": ERRATUM.format("ahead", "1 if p is p1 else 0"),
    "cards/draws/errata/behind.errata": ERRATUM.format("behind", "-1 if p is p1 else 0"),
    "cards/draws/errata/reverse.errata": ERRATUM.format("reverse", "-2 * p.bucket"),
    "cards/draws/errata/longer.errata": PHASE.format("longer", "choose number m in 1..2 by p"),
    "cards/draws/errata/lost.errata": PHASE.format("lost", "move 90 drop from well to p.bucket"),
}
SIDES = ("before", "after", "blind")
TWO = ("--seats", "2", "--jobs", "1")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    return tmp_path


def study(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(capsys, "lab", *words, "--json", code=code))
    return found


def verdicts(found: dict[str, Any], sort: str = "known") -> dict[str, str]:
    (level,) = found["levels"]
    return {effect["figure"]: effect["verdict"] for effect in level["effects"][sort] if effect["verdict"]}


def test_an_overlay_that_changes_nothing_is_the_same_and_no_more(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With no pair that differs it takes 300 pairs to say so, for three figures; 200 say nothing yet."""
    found = study(capsys, "draws", "same", "--seats", "2", "--jobs", "1")
    (level,) = found["levels"]
    assert set(verdicts(found).values()) == {"same"} and level["stop"] == "decided"
    assert level["played"] == level["alike"] == 250
    early = study(capsys, "draws", "same", *TWO, "--games", "200")
    assert set(verdicts(early).values()) == {"undecided"} and early["levels"][0]["stop"] == "games"


def test_luck_that_is_turned_round_changes_games_and_favours_nobody(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Few pairs are alike, and no seat gains: of 20 studies that look six times, at most one says that one does."""
    lies, alike = 0, 0
    for seed in range(20):
        words = ("--seats", "2", "--jobs", "1", "--games", "300", "--until", "0.1%", "--seed", str(seed))
        found = study(capsys, "draws", "mirrored", *words)
        lies += any(verdict in ("more", "less") for verdict in verdicts(found).values())
        alike += found["levels"][0]["alike"]
    assert lies <= 1 and alike < 20 * 300 / 4


@pytest.mark.parametrize(("overlay", "first"), [("ahead", "more"), ("behind", "less")])
def test_a_known_effect_is_found_with_its_sign(
    home: Path, capsys: pytest.CaptureFixture[str], overlay: str, first: str
) -> None:
    for seed in ("1", "2", "3", "4", "5"):
        found = study(capsys, "draws", overlay, *TWO, "--seed", seed)
        other = "less" if first == "more" else "more"
        assert verdicts(found) == {"wins of seat 1 of 2 (%)": first, "wins of seat 2 of 2 (%)": other}
        assert found["levels"][0]["played"] < 1000


def test_the_result_is_the_same_by_two_processes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It stops at the same pair, and all numbers are those of before."""
    one = study(capsys, "draws", "ahead", "--seats", "2,3", "--jobs", "1")
    two = study(capsys, "draws", "ahead", "--seats", "2,3", "--jobs", "2")
    assert one == two and one["levels"][0]["stop"] == "decided" and one["levels"][0]["played"] % BATCH == 0
    assert one["levels"][0]["pairs"][7].keys() == {"game", "seats", "seed", "before", "after"}
    assert one["levels"][0]["pairs"][7]["seed"] == 1_000_007


def test_a_cluster_stops_at_the_same_pair(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray", reason="the extra `ray` is not installed")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    one = study(capsys, "draws", "ahead", *TWO)
    assert study(capsys, "draws", "ahead", "--seats", "2", "--jobs", "2", "--cluster", "ray") == one


def test_only_what_was_asked_beforehand_gets_a_verdict(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = study(capsys, "draws", "ahead", *TWO, "--ask", "length", "--ask", "Score of  seat 1", "--games", "100")
    assert verdicts(found) == {"length in decisions": "same", "score of seat 1 of 2": "more"}
    shown = run(capsys, "lab", "draws", "ahead", *TWO, "--ask", "length", "--games", "100")
    asked, _, others = shown.partition("Not asked, may be chance:")
    assert "wins of seat 1" in others and "wins of seat 1" not in asked
    assert "length in decisions: the same within" in asked and "Bots are no people" in others


def test_all_wins_and_all_scores_have_names(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = study(capsys, "draws", "same", "--seats", "2..3", "--jobs", "1", "--games", "2", "--ask", "scores")
    assert found["asked"] == [
        "score of seat 1 of 2", "score of seat 2 of 2",
        "score of seat 1 of 3", "score of seat 2 of 3", "score of seat 3 of 3",
    ]  # fmt: skip
    found = study(capsys, "draws", "same", *TWO, "--games", "2", "--ask", "wins", "--ask", "wins of seat 1")
    assert found["asked"] == ["wins of seat 1 of 2 (%)", "wins of seat 2 of 2 (%)"]


def test_the_same_is_a_share_of_what_was_before(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A choice more by each of two seats; a tenth of the two that there were is 0.2."""
    found = study(capsys, "draws", "longer", *TWO, "--ask", "length", "--games", "100", "--until", "10%")
    (effect,) = [e for e in found["levels"][0]["effects"]["known"] if e["verdict"]]
    assert (effect["verdict"], effect["difference"]["mean"], effect["same_within"]) == ("more", 2.0, 0.2)


def test_levels_are_studies_of_their_own_and_searching_bots_may_think_by_the_old_rules(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = study(capsys, "draws", "ahead", *TWO, "--levels", "random,search:4", "--games", "50")
    at_random, searching = found["levels"]
    assert (at_random["bot"], list(at_random["effects"]), at_random["no_effect_of_the_rule"]) == (
        "random", ["known"], "no_search",
    )  # fmt: skip
    assert list(searching["effects"]) == ["rule", "known"] and searching["no_effect_of_the_rule"] is None
    assert all(pair["blind"] is not None for pair in searching["pairs"])
    shown = run(capsys, "lab", "draws", "longer", *TWO, "--levels", "search:4", "--games", "2")
    assert "the new rules keep their games in another form" in shown and "Once players know it" in shown


def test_who_thinks_by_the_old_rules_plays_as_under_the_old_rules(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing but the count at the end differs, so the answers are those of before: seat 2 has the same score in
    every pair, and seat 1 one point more."""
    found = study(capsys, "draws", "ahead", *TWO, "--levels", "search:8", "--games", "20")
    for pair in found["levels"][0]["pairs"]:
        before, blind = pair["before"], pair["blind"]
        assert blind["score of seat 2 of 2"] == before["score of seat 2 of 2"]
        assert blind["score of seat 1 of 2"] == before["score of seat 1 of 2"] + 1


def test_who_knows_that_little_is_much_takes_little(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The score is turned round: whoever thinks by the old rules fills the bucket as before, the others less."""
    found = study(capsys, "draws", "reverse", *TWO, "--levels", "search:50", "--games", "20")
    sides = {side: [pair[side]["score of seat 1 of 2"] for pair in found["levels"][0]["pairs"]] for side in SIDES}
    assert sides["blind"] == [-drops for drops in sides["before"]]
    filled, spared = sum(sides["before"]), -sum(sides["after"])
    assert filled - spared > 10, "a drop less in more than half of the games"


def test_a_game_alone_is_compared_with_an_even_share(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = study(capsys, "draws", *TWO, "--games", "100")
    assert set(verdicts(found, "even")) == {"wins of seat 1 of 2 (%)", "wins of seat 2 of 2 (%)"}
    assert all(e["before"]["mean"] == 50.0 for e in found["levels"][0]["effects"]["even"] if e["verdict"])
    shown = run(capsys, "lab", "draws", *TWO, "--games", "100")
    assert "draws as it is" in shown and "an even share is 50.0" in shown and "even share" in shown


def test_a_game_of_one_seat_is_asked_about_its_score(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = study(capsys, "draws", "ahead", "--seats", "1", "--jobs", "1")
    assert verdicts(found) == {"score of seat 1 of 1": "more"}


def test_a_game_that_says_nothing_of_winners_or_scores_is_asked_about_its_length(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verdicts(study(capsys, "aimless", "slower", *TWO, "--games", "50")) == {"length in decisions": "more"}


def test_a_game_alone_of_one_seat_or_more_is_asked_about_those_of_more(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = study(capsys, "draws", "--seats", "1..2", "--jobs", "1", "--games", "2")
    assert found["asked"] == ["wins of seat 1 of 2 (%)", "wins of seat 2 of 2 (%)"]


@pytest.mark.parametrize(
    ("words", "figure"),
    [
        (["aimless", "--seats", "2"], "length in decisions"),
        (["draws", "--seats", "1"], "score of seat 1 of 1"),
        (["draws", "--seats", "2", "--ask", "scores"], "score of seat 1 of 2"),
    ],
)
def test_what_has_nothing_to_be_compared_with_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], figure: str
) -> None:
    assert cli.run(["lab", *words, "--jobs", "1"]) == 2
    shown = capsys.readouterr().err
    assert f"without overlays there is nothing to compare the {figure} with: only wins of several seats" in shown


def test_games_that_fail_are_named_and_do_not_count(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "lab", "draws", "lost", *TWO, "--games", "3", code=1)
    assert "0 pairs of games compared" in shown and "3 games failed" in shown and "rulewright replay " in shown
    assert "undecided, for 0 are too few" in shown


def test_a_page_needs_nothing_else_and_says_how_it_was_made(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "lab", "draws", "ahead", *TWO, "--levels", "search:4", "--games", "60", "--html", "lab.html")
    page = Path("lab.html").read_text(encoding="utf-8")
    assert "<script" not in page and page.count("<svg") == 3
    for text in ("In short", "The rule itself", "Once players know it", "How it was done", "How long games are"):
        assert text in page, text
    assert "rulewright lab draws ahead --seats 2 --levels search:4 --until 2% --games 60 --seed 1" in page
    digests = re.findall(r"digest (\w+)", page)
    assert len(set(digests)) == 2
    run(capsys, "lab", "draws", "ahead", *TWO, "--games", "60", "--html", "lab.html", "--lang", "ja")
    assert "要点" in Path("lab.html").read_text(encoding="utf-8")


def test_a_game_may_be_called_like_a_command(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(home / "rulesets/draws", home / "rulesets/study")
    manifest = MANIFEST.format("study") + "result: {score: score}\n"
    (home / "rulesets/study/ruleset.yaml").write_text(manifest, encoding="utf-8")
    assert "study as it is" in run(capsys, "lab", "study", "study", *TWO, "--games", "1")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--games", "0"], "--games should be a number from 1 to"),
        (["--until", "0%"], "--until should be a share between 0% and 100%"),
        (["--until", "much"], "--until should be"),
        (["--ask", "wins of seat 3"], "there is no figure 'wins of seat 3': did you mean 'wins of seat 1'?"),
        (["--levels", "clever"], "there is no bot 'clever'"),
        (["--seats", "4"], "--seats should be"),
        (["--for", "soon"], "--for should be"),
        (["--cluster", "rey"], "did you mean 'ray'"),
        (["--jobs", "0"], "--jobs should be"),
        (["--lang", "xx"], "there is no language 'xx'"),
    ],
)
def test_mistakes_in_what_is_asked_for(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], expected: str
) -> None:
    assert cli.run(["lab", "draws", "same", "--seats", "2", "--jobs", "1", *words]) == 2
    assert expected in capsys.readouterr().err
