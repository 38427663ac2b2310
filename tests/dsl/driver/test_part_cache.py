"""A check that takes what is unchanged from the cache gives what a check without any cache gives."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dsl.base.cache import HEADER_SIZE, gc_paused, load_cached, store_cached
from dsl.driver import part_cache
from dsl.driver.load import compile_ruleset
from dsl.driver.part_cache import PartCache
from dsl.files.ruleset import variants_of
from tests.dsl.driver.test_rulings import FIRST, GAME, SECOND, WRONG

ROOT = Path(__file__).parents[3]
CARDS = """\
kind Charm
    field worth: 0..9
card acorn "Acorn": Charm
card leaf "Leaf": Charm
"""


@pytest.fixture
def parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were parsed, since it was emptied; the cache is a fresh one."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    names: list[str] = []

    def watched(path: str, text: str, true: Any = part_cache.parse_file) -> Any:
        names.append(Path(path).name)
        return true(path, text)

    monkeypatch.setattr(part_cache, "parse_file", watched)
    return names


@pytest.fixture
def game(tmp_path: Path) -> Path:
    folder = tmp_path / "rulesets" / "game"
    folder.mkdir(parents=True)
    manifest = "id: game\nversion: '1'\ntitle: {en: Test}\nseats: 2..4\nload: [game.rules]\n"
    given = {"ruleset.yaml": manifest, "game.rules": GAME, "charms.cards": CARDS}
    for name, text in (given | {"a.ruling": FIRST, "b.ruling": SECOND}).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@cache
def names(cls: Any) -> list[str]:
    return [f.name for f in fields(cls) if f.name != "_starts"]  # of a source: where its lines start, if it was asked


def alike(one: Any, other: Any, seen: set[tuple[int, int]]) -> bool:
    """Whether two things are the same with everything in them, also what does not count when they are compared, such
    as places. `seen`: the pairs that were looked at, as many things stand in several others."""
    if type(one) is not type(other) or isinstance(one, (str, int)):
        return type(one) is type(other) and bool(one == other)
    if (id(one), id(other)) in seen:
        return True
    seen.add((id(one), id(other)))
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(alike(one[key], other[key], seen) for key in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(alike(*pair, seen) for pair in zip(one, other, strict=True))
    if is_dataclass(one):
        return all(alike(getattr(one, name), getattr(other, name), seen) for name in names(type(one)))
    return bool(one == other)


def same_as_without_cache(path: Path, **options: Any) -> Any:
    """What a check with the cache gives, after looking that one without it gives the same."""
    after, plain = (compile_ruleset(path, cached=cached, **options) for cached in (True, False))
    assert after[1] == plain[1]
    seen: set[tuple[int, int]] = set()
    with gc_paused():
        for number, what in enumerate(("program", "diagnostics", "sources")):
            assert alike(after[number], plain[number], seen), what
    return after


CHANGES = {
    "a card": ("charms.cards", CARDS.replace("leaf", "bark")),
    "a rule": ("game.rules", "# one line more\n" + GAME.replace("set t.age to t.age + 1", "set t.age to 9")),
    "a card with an unknown name": ("charms.cards", CARDS.replace("leaf", "bark").replace(": Charm\n", ": Chram\n")),
    "a rule that is not read": ("game.rules", GAME.replace("phase game\n", "phase game game\n")),
    "a rule that a ruling needs": ("game.rules", GAME.replace("double", "twofold")),
    "no rules": ("game.rules", ""),
    "no card": ("charms.cards", ""),
} | {f"a ruling with {what}": ("b.ruling", text) for what, text in WRONG.items()}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_check_after_one_change_is_a_check_without_a_cache(
    game: Path, parsed: list[str], change: tuple[str, str]
) -> None:
    name, text = change
    program, _, _ = same_as_without_cache(game)
    assert program is not None and sorted(parsed) == ["a.ruling", "b.ruling", "charms.cards", "game.rules"]
    before = (game / name).read_text(encoding="utf-8")
    for written in (text, before):
        (game / name).write_text(written, encoding="utf-8")
        parsed.clear()
        same_as_without_cache(game)
        assert parsed == ([name] if written == text else [])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("love_letter", {"as_of": "2030-01-01"}),
        ("dominant_species", {"overlays": variants_of(ROOT / "rulesets" / "dominant_species")[:1]}),
    ],
)
def test_programs_of_kept_trees_are_the_same(
    name: str, options: dict[str, Any], parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ROOT / "rulesets" / name
    monkeypatch.setattr("dsl.driver.load.load_cached", lambda key: None)  # no program is kept, its trees are
    compile_ruleset(path, **options)
    assert parsed
    parsed.clear()
    same_as_without_cache(path, **options)
    assert parsed == []


def test_a_file_with_a_slip_is_parsed_each_time(game: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.driver.load.load_cached", lambda key: None)  # no program is kept
    (game / "b.ruling").write_text(WRONG["a slip of the form"], encoding="utf-8")
    for _ in range(2):
        parsed.clear()
        program, found, _ = same_as_without_cache(game)
        assert program and program.broken and found and "b.ruling" in parsed
    assert parsed == ["b.ruling"]


def test_what_nobody_asks_for_is_not_kept(game: Path, parsed: list[str], tmp_path: Path) -> None:
    compile_ruleset(game)
    (pack,) = [found for file in (tmp_path / "cache").iterdir() if isinstance(found := contents(file), dict)]
    assert len(pack) == 6  # the manifest, a tree for each of the other files, and the rulings together
    (game / "b.ruling").unlink()
    (game / "charms.cards").write_text(CARDS + "card bark: Charm\n", encoding="utf-8")
    compile_ruleset(game)
    (left,) = [found for file in (tmp_path / "cache").iterdir() if isinstance(found := contents(file), dict)]
    assert len(left) == 5 and len(left.keys() & pack.keys()) == 3


def contents(file: Path) -> Any:
    return pickle.loads(file.read_bytes()[HEADER_SIZE:])


def test_two_rulesets_keep_their_own(game: Path, parsed: list[str]) -> None:
    """Also where a file of both has the same name and text."""
    other = game.parent / "other"
    other.mkdir()
    for file in game.iterdir():
        (other / file.name).write_bytes(file.read_bytes().replace(b"id: game", b"id: other"))
    compile_ruleset(game)
    same_as_without_cache(other)
    (game / "game.rules").write_text("# changed\n" + GAME, encoding="utf-8")
    parsed.clear()
    same_as_without_cache(game)
    assert parsed == ["game.rules"]


@pytest.mark.parametrize("found", [None, [], {b"key": b"no pickle"}, {"key": 1}, "text"])
def test_what_is_not_there_is_parsed(game: Path, parsed: list[str], found: Any) -> None:
    store_cached(PartCache(str(game)).name, found)
    same_as_without_cache(game)
    assert len(parsed) == 4


def test_a_damaged_pack_is_made_again(game: Path, parsed: list[str], tmp_path: Path) -> None:
    compile_ruleset(game)
    for file in (tmp_path / "cache").iterdir():
        data = file.read_bytes()
        file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    parsed.clear()
    same_as_without_cache(game)
    assert len(parsed) == 4 and load_cached(PartCache(str(game)).name)


def test_nothing_is_kept_without_the_cache(game: Path, parsed: list[str], tmp_path: Path) -> None:
    compile_ruleset(game, cached=False)
    assert not (tmp_path / "cache").exists() and parsed == []


def test_another_compiler_parses(game: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    compile_ruleset(game)
    parsed.clear()
    monkeypatch.setattr("dsl.base.cache.compiler_digest", lambda: b"another")
    same_as_without_cache(game)
    assert len(parsed) == 4


def test_a_text_is_parsed_once(parsed: list[str]) -> None:
    parts = PartCache("game")
    first, second = parts.parse("a.ruling", FIRST), parts.parse("a.ruling", FIRST)
    assert first[0] is second[0] and first[1] == second[1] == [] and parsed == ["a.ruling"]
    assert parts.parse("b.ruling", FIRST)[0].path == "b.ruling"
