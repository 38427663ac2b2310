"""The form of the changelog: releases, newest first, their groups, and one line of bounded length for each entry."""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
LONGEST = 140
UNRELEASED = "Unreleased"
RELEASE = re.compile(r"(\d+)\.(\d+)\.(\d+) - (\d{4}-\d\d-\d\d)")
GROUPS = ["Added", "Changed", "Removed", "Fixed", "Rulings changed"]
TOPICS = [
    "Language", "Checks", "Rulings", "Overlays", "Games", "Playing", "Tables", "Simulation", "Native code", "Tools",
    "Python", "Docs",
]  # fmt: skip
CLAUSE = re.compile(r"\b[A-Z]{2,3}-\d+\.\d+")


def headings(mark: str) -> list[str]:
    return [line.removeprefix(f"{mark} ") for line in LINES if line.startswith(f"{mark} ")]


def parts(lines: list[str], mark: str) -> list[tuple[str, list[str]]]:
    """Each heading with `mark`, and the lines below it up to the next one."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(f"{mark} "):
            found.append((line.removeprefix(f"{mark} "), []))
        elif found:
            found[-1][1].append(line)
    return found


RELEASES = parts(LINES, "##")
EVERY_GROUP = [(release, name, lines) for release, text in RELEASES for name, lines in parts(text, "###")]
BY_GROUP = pytest.mark.parametrize("lines", [g[2] for g in EVERY_GROUP], ids=[f"{g[0]}: {g[1]}" for g in EVERY_GROUP])


def test_releases_stand_below_what_is_not_released_the_newest_first() -> None:
    first, *released = headings("##")
    assert first == UNRELEASED
    found = [RELEASE.fullmatch(name) for name in released]
    assert released and all(found), released
    numbers = [tuple(map(int, match.group(1, 2, 3))) for match in found if match]
    days = [date.fromisoformat(match[4]) for match in found if match]
    assert numbers == sorted(set(numbers), reverse=True)
    assert days == sorted(days, reverse=True)


def test_the_version_is_that_of_the_newest_release() -> None:
    newest = headings("##")[1].partition(" ")[0]
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == newest
    assert json.loads((ROOT / "tools/vscode/package.json").read_text(encoding="utf-8"))["version"] == newest


@pytest.mark.parametrize("release, text", RELEASES, ids=[release for release, _ in RELEASES])
def test_a_release_has_its_groups_in_order(release: str, text: list[str]) -> None:
    names = [name for name, _ in parts(text, "###")]
    assert names == [name for name in GROUPS if name in names]
    assert names or release == UNRELEASED
    above = text[: text.index(f"### {names[0]}")] if names else text
    assert not any(above), above


@BY_GROUP
def test_topics_of_a_group_are_in_order_and_hold_something(lines: list[str]) -> None:
    topics = parts(lines, "####")
    names = [name for name, _ in topics]
    assert names == [name for name in TOPICS if name in names]
    assert all(any(entries) for _, entries in topics)


@BY_GROUP
def test_an_entry_is_one_short_line(lines: list[str]) -> None:
    entries = [line for line in lines if line and not line.startswith("#### ")]
    assert entries
    wrong = [e for e in entries if not e.startswith("- ") or len(e) > LONGEST or not e.endswith(".")]
    assert not wrong, "\n".join(wrong)
    assert sorted(set(entries)) == sorted(entries), "an entry stands there twice"


def test_changed_rulings_name_their_clause() -> None:
    entries = [line for _, group, lines in EVERY_GROUP if group == "Rulings changed" for line in lines if line]
    assert entries
    assert not [entry for entry in entries if not CLAUSE.search(entry)]
