"""The commands on a whole game in text, as a person runs them: what is printed, what is saved, the exit codes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interpreter.records.save import sealed
from tests.tools.conftest import rewrite, run
from tools import cli

ROOT = Path(cli.__file__).parents[1]
Capture = pytest.CaptureFixture[str]


def as_json(capsys: Capture, *words: str, code: int = 0) -> Any:
    return json.loads(run(capsys, *words, code=code))


def saved(apples: Path, capsys: Capture, decisions: int = 3) -> Path:
    """A save some way into a game, made as a person would."""
    from interpreter import apply, legal, save
    from tools.base.loading import load_game

    state = load_game("last_apple").new(seats=2, seed=5)
    for _ in range(decisions):
        apply(state, legal(state)[-1])
    file = apples.parent.parent / "game.json"
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    return file


def test_check_is_content_and_says_so(apples: Path, capsys: Capture) -> None:
    assert run(capsys, "check", "last_apple").endswith("last_apple: no problems\n")
    assert as_json(capsys, "check", "last_apple", "--format", "json") == {
        "ruleset": "last_apple",
        "ok": True,
        "diagnostics": [],
    }
    run(capsys, "check", "last_apple", "--plans")
    assert "last_apple: no problems" in run(capsys, "check")


def test_check_shows_the_place_and_the_nearest_name(apples: Path, capsys: Capture) -> None:
    rewrite(apples / "game.rules", "to p.basket", "to p.baskte")
    out = run(capsys, "check", "last_apple", code=1)
    assert "rulesets/last_apple/game.rules:18:" in out
    assert "basket" in out and "1 error" in out
    found = as_json(capsys, "check", "last_apple", "--format", "json", code=1)["diagnostics"]
    assert [row["line"] for row in found if row["severity"] == "error"] == [18]


def test_a_broken_ruleset_is_not_played(apples: Path, capsys: Capture) -> None:
    rewrite(apples / "game.rules", "to p.basket", "to p.baskte")
    assert cli.run(["play", "last_apple"]) == 1
    err = capsys.readouterr().err
    assert "game.rules:18:" in err and "cannot be played until these errors are fixed" in err


def test_play_without_a_terminal_tells_a_whole_game(apples: Path, capsys: Capture) -> None:
    out = run(capsys, "play", "last_apple", "--seed", "4")
    assert out.startswith("The last apple: 2 seats, seed 4\n")
    assert "== turn ==" in out and "== Final scores ==" in out and "Winner: " in out
    assert out == run(capsys, "play", "--seed", "4")


def test_play_in_japanese(apples: Path, capsys: Capture) -> None:
    out = run(capsys, "play", "last_apple", "--seed", "4", "--lang", "ja", "--seats", "3")
    assert out.startswith("最後のりんご：3席、シード 4\n")
    assert "勝者：" in out


def test_options_and_presets_reach_the_game(apples: Path, capsys: Capture) -> None:
    whole = run(capsys, "play", "last_apple", "--seed", "4")
    short = run(capsys, "play", "last_apple", "--seed", "4", "--option", "short=true")
    assert len(short) < len(whole)
    assert short == run(capsys, "play", "last_apple", "--seed", "4", "--preset", "small")


def test_options_and_presets_reach_the_games_of_bots(apples: Path, capsys: Capture) -> None:
    def decisions(*words: str) -> int:
        out = run(capsys, "simulate", "last_apple", "--games", "4", "--jobs", "1", "--json", *words)
        return int(json.loads(out)["decisions"])

    assert decisions("--preset", "small") == decisions("--option", "short=true") < decisions()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--seats", "9"], "--seats should be a number from 2 to 4, but 9 was given."),
        (["--seats", "99999999999999999999"], "--seats should be a number from 2 to 4"),
        (["--human", "3"], "a seat of --human should be a number from 1 to 2, but 3 was given."),
        (["--human", "one"], "a seat of --human should be a number from 1 to 2, but 'one' was given."),
        (["--option", "short"], "an option is written name=value, but 'short' was given."),
        (["--option", "shrot=true"], "there is no option 'shrot': did you mean 'short'?"),
        (["--option", "short=maybe"], "option short cannot be 'maybe': it is true or false."),
        (["--preset", "smal"], "there is no preset 'smal': did you mean 'small'?"),
    ],
)
def test_what_play_refuses(apples: Path, capsys: Capture, words: list[str], expected: str) -> None:
    assert cli.run(["play", "last_apple", *words]) == 2
    assert expected in capsys.readouterr().err


def test_simulate_in_two_processes_gives_what_one_gives(apples: Path, capsys: Capture) -> None:
    words = ["simulate", "last_apple", "--games", "9", "--seats", "2..4", "--seed", "3", "--checked", "--json"]
    one = as_json(capsys, *words, "--jobs", "1")
    two = as_json(capsys, *words, "--jobs", "2")
    assert (one["finished"], one["failures"], one["dead_ends"]) == (9, 0, 0)
    for key in ("decisions", "length", "seats"):
        assert one[key] == two[key]
    assert [(row["seats"], row["seat"]) for row in one["seats"]][:3] == [(2, 1), (2, 2), (3, 1)]


def test_a_failing_ruleset_leaves_replay_files_that_fail_again(apples: Path, capsys: Capture) -> None:
    rewrite(apples / "game.rules", "value score", "invariant few: tree > 5\n\nvalue score")
    words = ["simulate", "last_apple", "--games", "3", "--checked", "--jobs", "1", "--out", "failed"]
    out = run(capsys, *words, code=1)
    assert "failures    3" in out and "rulewright replay failed" in out
    files = sorted(Path("failed").iterdir())
    assert len(files) == 3
    out = run(capsys, "replay", str(files[0]))
    assert "it fails again" in out and "few" in out


def test_replay_tells_and_verifies(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    whole = run(capsys, "replay", str(file), "--verify")
    assert "verified: 3 entries, same state" in whole
    assert "entry 2 of 3: seat 1 is asked" in run(capsys, "replay", str(file), "--to", "2")
    assert cli.run(["replay", str(file), "--to", "4"]) == 2
    assert "--to should be a number from 0 to 3" in capsys.readouterr().err


def test_a_log_that_was_changed_does_not_verify(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    data = json.loads(file.read_text(encoding="utf-8"))
    data["log"][0]["ids"] = ["1"]
    file.write_text(json.dumps(data), encoding="utf-8")
    assert cli.run(["replay", str(file), "--verify"]) == 2
    assert "the file was altered or damaged" in capsys.readouterr().err
    file.write_text(json.dumps(sealed(data)), encoding="utf-8")
    assert cli.run(["replay", str(file), "--verify"]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_save_of_another_text_is_refused_with_the_way_out(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    rewrite(apples / "game.rules", "each 21", "each 20")
    assert cli.run(["play", "--load", str(file)]) == 2
    err = capsys.readouterr().err
    assert "was saved under another text of last_apple" in err and "with --again" in err
    assert "== Final scores ==" in run(capsys, "play", "--load", str(file), "--again")
    for words in (["replay", str(file)], ["trace", str(file)], ["explain", str(file), "2"]):
        assert cli.run(words) == 0
        assert "note: " in capsys.readouterr().err


def test_a_log_that_does_not_lead_on_under_another_text_says_where(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    rewrite(apples / "game.rules", "min(3, tree)", "min(2, tree)")
    assert "== Final scores ==" in run(capsys, "play", "--load", str(file), "--again")
    assert cli.run(["play", "--load", str(file), "--again"]) == 0
    assert "note: the first 0 of 3 entries are kept. line 1 of the log: " in capsys.readouterr().err
    assert cli.run(["replay", str(file)]) == 1
    assert "does not lead on: line 1 of the log" in capsys.readouterr().err
    rewrite(apples / "game.rules", "phase game", "phase game\n    random n in 1..6")
    assert cli.run(["play", "--load", str(file), "--again"]) == 2
    assert "cannot be continued under this text: the beginning already differs" in capsys.readouterr().err


def test_play_goes_on_from_a_save(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    assert "== Final scores ==" in run(capsys, "play", "--load", str(file))
    data = json.loads(file.read_text(encoding="utf-8"))
    data["words"] = data["words"][:-1]
    file.write_text(json.dumps(sealed(data)), encoding="utf-8")
    assert cli.run(["play", "--load", str(file)]) == 2
    assert "cannot be continued" in capsys.readouterr().err


def test_trace_shows_rules_with_clauses(apples: Path, capsys: Capture) -> None:
    out = run(capsys, "trace", str(saved(apples, capsys)), "--at", "2")
    assert "entry 2 of 3" in out
    assert "basket" in out and "tree: 18 -> 15" in out
    assert "[LA-1] A turn takes one to three apples" in out


def test_explain_says_why_not_with_code_1(apples: Path, capsys: Capture) -> None:
    file = saved(apples, capsys)
    out = run(capsys, "explain", str(file), "7", code=1)
    assert "7 is not offered" in out
    assert "2 is offered as number 2" in run(capsys, "explain", str(file), "2")
    assert "1..3" in out


def test_rulings_pass_and_fail_in_words(apples: Path, capsys: Capture) -> None:
    assert "last_apple: 1 passed" in run(capsys, "rulings", "last_apple")
    rewrite(apples / "game.rules", "1 if p.last else 0", "2 if p.last else 0")
    out = run(capsys, "rulings", "last_apple", code=1)
    assert 'FAILED LA_001 "the last apple wins" [LA-2]' in out
    assert "rulesets/last_apple/rulings/apples.ruling:12: score(p1): 1" in out
    assert "expected  1" in out and "seen      2" in out
    (row,) = as_json(capsys, "rulings", "last_apple", "--json", code=1)["last_apple"]["results"]
    assert row["failures"][0]["line"] == 12


def test_rulings_can_be_picked(apples: Path, capsys: Capture) -> None:
    for wanted in ("LA_001", "LA-2", "apples.ruling", "LAST APPLE"):
        assert "ok score(p1): 1" in run(capsys, "rulings", "last_apple", "--only", wanted)
    assert cli.run(["rulings", "last_apple", "--only", "LA_002"]) == 2
    assert "did you mean 'LA_001'?" in capsys.readouterr().err


def test_coverage_finds_what_is_missing(apples: Path, capsys: Capture) -> None:
    data = as_json(capsys, "coverage", "last_apple", "--json")
    assert data["clauses"] == 3
    assert data["prose"] == {"LA-3": "nothing of it is in the game"}
    assert (data["clauses_without_rule"], data["rules_without_ruling"]) == ({}, {})
    rewrite(apples / "game.rules", "[LA-1]", "")
    out = run(capsys, "coverage", "last_apple", code=1)
    assert "LA-1  A turn takes one to three apples" in out
    (apples / "rulings" / "apples.ruling").unlink()
    assert as_json(capsys, "coverage", "last_apple", "--json", code=1)["rules_without_ruling"] == {"score": ["LA-2"]}


def test_coverage_of_all_rulesets(apples: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    other = apples.parent / "pears"
    shutil.copytree(apples, other)
    rewrite(other / "ruleset.yaml", "id: last_apple", "id: pears")
    rewrite(other / "game.rules", "[LA-1]", "")
    monkeypatch.setattr("tools.base.home.rulesets", lambda: {"last_apple": apples, "pears": other})
    rows = as_json(capsys, "coverage", "--json", code=1)
    assert [(row["ruleset"], list(row["clauses_without_rule"])) for row in rows] == [
        ("last_apple", []),
        ("pears", ["LA-1"]),
    ]
    out = run(capsys, "coverage", code=1)
    assert "last_apple: 3 clauses: 2 in rules, 1 prose, 0 uncovered" in out
    assert "pears: 3 clauses: 1 in rules, 1 prose, 1 uncovered" in out


def test_a_card_of_lasting_lines_is_covered_by_a_ruling_that_cites_its_clause(apples: Path, capsys: Capture) -> None:
    rules = apples / "game.rules"
    worm = 'kind Pest\ncard worm "Worm": Pest {0}\n    modify score(p) by 1 where p.basket > 9\n'
    rules.write_text(rules.read_text(encoding="utf-8") + worm.format("[LA-1]"), encoding="utf-8")
    data = as_json(capsys, "coverage", "last_apple", "--json")
    assert (data["cards_without_ruling"], data["rules_without_ruling"]) == (["worm"], {"worm": ["LA-1"]})
    rewrite(rules, "Pest [LA-1]", "Pest [LA-2]")
    data = as_json(capsys, "coverage", "last_apple", "--json")
    assert (data["cards_without_ruling"], data["rules_without_ruling"]) == ([], {})


def test_a_card_of_several_copies_is_covered_once(apples: Path, capsys: Capture) -> None:
    """`this` makes an effect for each copy; a ruling that uses one of them uses the card."""
    rules = apples / "game.rules"
    worm = """
kind Pest
    field eaten: 0..9
card worm "Worm": Pest                                                                              [LA-1]
    copies: 4
    effect: set this.eaten to 1                                                                     [LA-2]
ruling LA_worm "the third worm"
    given three_left
    when
        do worm_3.effect() by p1
    expect
        worm_3.eaten: 1
        worm.eaten: 0
"""
    rules.write_text(rules.read_text(encoding="utf-8") + worm, encoding="utf-8")
    data = as_json(capsys, "coverage", "last_apple", "--json")
    assert (data["cards"], data["cards_without_ruling"], data["rules_without_ruling"]) == (1, [], {})
    assert data["rules"] == 3  # the turn, the score and the card
    assert "ok worm_3.eaten: 1" in run(capsys, "rulings", "last_apple", "--only", "LA_worm")


def test_a_card_of_facts_alone_is_used_by_a_ruling_that_names_it(apples: Path, capsys: Capture) -> None:
    rules = apples / "game.rules"
    pests = """
kind Pest
    const bite: 0..9
    field eaten: 0..9
card worm "Worm": Pest
    copies: 2
    bite: 2
card moth "Moth": Pest
    bite: 1
"""
    rules.write_text(rules.read_text(encoding="utf-8") + pests, encoding="utf-8")
    assert as_json(capsys, "coverage", "last_apple", "--json")["cards_without_ruling"] == ["worm", "moth"]
    ruling = (
        'ruling LA_worm "bitten"\n    given three_left\n        worm_2.eaten: 2\n    expect\n        worm_2.bite: 2\n'
    )
    rules.write_text(rules.read_text(encoding="utf-8") + ruling, encoding="utf-8")
    assert as_json(capsys, "coverage", "last_apple", "--json")["cards_without_ruling"] == ["moth"]


def command(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "tools", *words], cwd=home, env=environment, capture_output=True, text=True, check=False
    )


def test_a_reader_that_leaves_is_no_error(apples: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first = subprocess.Popen(
        [sys.executable, "-m", "tools", "play", "last_apple"],
        cwd=apples, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert first.stdout is not None and first.stderr is not None
    first.stdout.close()
    assert first.stderr.read() == b""
    assert first.wait() == 0
    first.stderr.close()


def test_an_old_terminal_gets_signs_for_what_it_has_not(apples: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "tools", "play", "last_apple", "--lang", "ja"]
    done = subprocess.run(words, cwd=apples, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout


def test_people_without_a_terminal_are_told(apples: Path) -> None:
    done = command(apples, "play", "last_apple", "--human", "1")
    assert (done.returncode, done.stderr) == (0, "note: --human needs a terminal; bots play all seats.\n")


def test_a_pipe_has_no_colours_and_ends_with_0(apples: Path) -> None:
    done = command(apples, "play", "last_apple", "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_on_a_terminal_a_person_is_asked_and_leaves_politely(apples: Path) -> None:
    import pty
    import select

    master, slave = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "NO_COLOR": "1"}
    words = [sys.executable, "-m", "tools", "play", "last_apple", "--seed", "1"]
    process = subprocess.Popen(words, cwd=apples, env=environment, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    seen = b""

    def until(text: bytes, times: int = 1) -> None:
        nonlocal seen
        while seen.count(text) < times:
            ready, _, _ = select.select([master], [], [], 60)
            assert ready, f"{text!r} did not come: {seen.decode()}"
            try:
                seen += os.read(master, 4096)
            except OSError:  # the other end is closed
                assert text in seen, seen.decode()

    until(b"your choice")
    os.write(master, b"2\n")
    until(b"p1: 2")
    until(b"your choice", times=2)
    os.write(master, b"\x04")
    until(b"rulewright play --load last_apple-1.json")
    assert process.wait(60) == 0
    os.close(master)
    assert b"Traceback" not in seen


def test_a_file_that_is_no_text_is_all_that_is_reported(apples: Path, capsys: Capture) -> None:
    for file in apples.rglob("game.rules"):
        file.write_bytes(b"\xff\x00 no text")
    assert cli.run(["check", "last_apple"]) == 1
    out, err = capsys.readouterr()
    assert "game.rules is not UTF-8 text (byte 0)" in out + err
    assert "last_apple: 1 error\n" in out + err
