"""The grammar's cache file: fast, and only ever a copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import parse
from dsl.build import Builder
from dsl.grammar import build, load
from dsl.parse import parse_file, prepare
from tests.dsl.corpus import TEXTS

NAME = "constructs.rules"


@pytest.fixture(autouse=True)
def fresh_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "_prepared", None)


def test_a_cached_grammar_reads_like_a_built_one(tmp_path: Path) -> None:
    built = parse_file(NAME, TEXTS[NAME])
    cache = tmp_path / "deep" / "grammar"
    prepare(cache)
    assert cache.is_file()
    assert parse_file(NAME, TEXTS[NAME]) == built
    prepare(cache)
    assert parse_file(NAME, TEXTS[NAME]) == built


def test_loading_from_the_cache_does_not_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "grammar"
    load(Builder(), cache)
    monkeypatch.setattr("dsl.grammar.build", lambda callbacks: pytest.fail("built again"))
    load(Builder(), cache)


@pytest.mark.parametrize("damage", ["empty", "truncated", "foreign", "flipped", "nonsense", "folder"])
def test_a_damaged_cache_is_rebuilt(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "grammar"
    load(Builder(), cache)
    good = cache.read_bytes()
    if damage == "folder":
        cache.unlink()
        cache.mkdir()
    else:
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 1
        bad = {"empty": b"", "truncated": good[: len(good) // 2], "foreign": b"PK\x03\x04", "flipped": bytes(flipped)}
        cache.write_bytes(bad.get(damage, b"[]\n"))
    prepare(cache)
    assert parse_file(NAME, TEXTS[NAME])[1] == []
    assert [path.name for path in tmp_path.iterdir()] == ["grammar"]
    if damage != "folder":
        monkeypatch.setattr("dsl.grammar.build", lambda callbacks: pytest.fail("built again"))
        load(Builder(), cache)


def test_another_grammar_is_not_taken_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "grammar"
    load(Builder(), cache)
    old = cache.read_bytes()
    changed = tmp_path / "rules.lark"
    changed.write_text((Path(parse.__file__).parent / "grammar" / "rules.lark").read_text() + "// changed\n")
    monkeypatch.setattr("dsl.grammar.GRAMMAR", changed)
    load(Builder(), cache)
    assert cache.read_bytes() != old


def test_building_needs_no_cache() -> None:
    assert build(Builder()).parse_interactive(start="file") is not None
