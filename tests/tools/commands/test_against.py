"""`rulings --against REV`: both sides of what comes out otherwise, and what git cannot give."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tools.commands.test_rulings import FILES, PLACE
from tests.tools.conftest import lay_out, rewrite
from tools.cli import run

RULES = Path("rulesets/dial/dial.rules")


def git(home: Path, *words: str) -> None:
    person = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(home), *person, *words], check=True, capture_output=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home in a folder of a repository, with one commit."""
    place = tmp_path / "games"
    lay_out(FILES, place, monkeypatch)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Lay a number")
    return place


def test_nothing_has_changed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "dial", "--against", "HEAD"]) == 0
    assert capsys.readouterr().out.strip() == "against HEAD: 3 equal, 0 otherwise, 0 new, 0 gone"


def test_both_sides_of_a_ruling_are_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own transcript on file does not matter, and the new ruling and the one that is gone are told."""
    rewrite(home / RULES, "set p.mark to n", "set p.mark to 3\n    set p.mark to n")
    rewrite(home / PLACE, "ruling DI_2", "ruling DI_5")
    assert run(["rulings", "dial", "--update"]) == 0
    rewrite(home / RULES, "set p.mark to 3", "set p.mark to 1")
    rewrite(home / PLACE, "p1.mark: 2", "p1.mark: 3")
    capsys.readouterr()
    assert run(["rulings", "dial", "--against", "HEAD"]) == 1
    told = capsys.readouterr().out
    assert "otherwise dial DI_1" in told and "dial.ruling:3" in told
    assert " p1 chooses 2" in told and "-    Seat.mark[p1] 0 -> 2" in told and "+    Seat.mark[p1] 0 -> 1 -> 2" in told
    assert "+FAILED p1.mark: 3: expected 3, seen 2" in told
    assert "new dial DI_5" in told and "gone dial DI_2" in told
    assert "against HEAD: 1 equal, 1 otherwise, 1 new, 1 gone" in told
    assert run(["rulings", "dial", "--against", "HEAD", "--only", "DI_9"]) == 0


def test_comparisons_as_data(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(home / PLACE, '"a number is laid"', '"a mark is laid"')
    assert run(["rulings", "dial", "--against", "HEAD", "--json"]) == 1
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["DI_2"]["outcome"] == "equal" and found["DI_9"]["rules"] == "dial+wide"
    assert found["DI_1"]["outcome"] == "otherwise"
    assert [line for line in found["DI_1"]["difference"] if line[:1] in "+-"] == [
        "-a number is laid [DI-1]", "+a mark is laid [DI-1]"
    ]  # fmt: skip


def test_a_ruleset_that_was_not_there_is_new(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "rulesets/dial").rename(home / "rulesets/clock")
    rewrite(home / "rulesets/clock/ruleset.yaml", "id: dial", "id: clock")
    rewrite(home / "rulesets/clock/variants/wide/wide.variant", "on dial", "on clock")
    assert run(["rulings", "clock", "--against", "HEAD"]) == 1
    assert "0 equal, 0 otherwise, 3 new, 0 gone" in capsys.readouterr().out


def test_what_git_cannot_give_is_said(
    home: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rulings", "dial", "--against", "HAED"]) == 2
    assert "git has no revision 'HAED' here" in capsys.readouterr().err
    assert run(["rulings", "dial", "--against", "--help"]) == 2  # a word of git's own is no revision
    assert "git has no revision '--help' here" in capsys.readouterr().err
    assert run(["rulings", "dial", "--against", "HEAD", "--update"]) == 2
    assert "--against compares and stores nothing" in capsys.readouterr().err
    assert run(["rulings", "dial", "--against", "HEAD", "--only", "XY"]) == 2
    assert "no ruling has 'XY'" in capsys.readouterr().err
    (home / "rulesets/dial/variants/wide").rename(home / "rulesets/dial/variants/broad")
    rewrite(home / "rulesets/dial/variants/broad/wide.variant", "variant wide", "variant broad")
    (home / "rulesets/dial/variants/broad/wide.variant").rename(home / "rulesets/dial/variants/broad/broad.variant")
    assert run(["rulings", "dial+broad", "--against", "HEAD"]) == 2
    assert "there is no overlay of dial 'broad' in HEAD" in capsys.readouterr().err
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("nothing")))
    assert run(["rulings", "dial", "--against", "HEAD"]) == 2
    assert "git is not installed here" in capsys.readouterr().err


def test_a_home_without_git_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(FILES, tmp_path, monkeypatch)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert run(["rulings", "dial", "--against", "HEAD"]) == 2
    assert "is in no repository of git" in capsys.readouterr().err


def test_a_comparison_that_is_stopped_tells_what_both_sides_have(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import tools.commands.rulings as module

    whole, runs = module.guarded, []

    def stopped(*how: Any) -> Any:
        runs.append(how)
        if len(runs) == 4:  # the last of the old side
            raise KeyboardInterrupt
        yield from whole(*how)

    monkeypatch.setattr(module, "guarded", stopped)
    assert run(["rulings", "dial", "--against", "HEAD"]) == 130
    assert "against HEAD: 2 equal, 0 otherwise, 0 new, 0 gone" in capsys.readouterr().out
