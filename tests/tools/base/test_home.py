"""Finding rulesets by id and by path, and the messages when there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.base.errors import UserError
from tools.base.home import find_ruleset, rulesets, selected_rulesets


def make(home: Path, name: str) -> Path:
    folder = home / "rulesets" / name
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(f"id: {name}\n", encoding="utf-8")
    return folder


def test_by_id_and_by_path(home: Path) -> None:
    folder = make(home, "pebbles")
    assert find_ruleset("pebbles") == folder.resolve()
    assert find_ruleset(str(folder)) == folder.resolve()
    assert find_ruleset(str(folder / "ruleset.yaml")) == folder.resolve()


def test_the_named_home_comes_first(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    first = make(other, "pebbles")
    make(home, "pebbles")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(other))
    assert find_ruleset("pebbles") == first.resolve()


def test_found_from_a_folder_below(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(home, "pebbles")
    monkeypatch.delenv("RULEWRIGHT_HOME")
    monkeypatch.chdir(folder)
    assert find_ruleset("pebbles") == folder.resolve()


def test_a_typo_gets_the_nearest_name(home: Path) -> None:
    make(home, "pebbles")
    with pytest.raises(UserError, match="no ruleset 'peblles': did you mean 'pebbles'"):
        find_ruleset("peblles")


def test_a_folder_without_manifest_is_said_so(home: Path) -> None:
    with pytest.raises(UserError, match=r"is not a ruleset folder: no ruleset\.yaml"):
        find_ruleset(str(home))


def test_nothing_named(home: Path) -> None:
    with pytest.raises(UserError, match="a ruleset is needed"):
        find_ruleset(" ")


def test_a_folder_without_manifest_is_no_ruleset(home: Path) -> None:
    (home / "rulesets" / "empty").mkdir()
    make(home, "pebbles")
    assert "empty" not in rulesets()
    assert [rules.label for rules in selected_rulesets(None)][0] == "pebbles"
