"""`fmt --upgrade`: texts of earlier languages become those of today, with the same meaning, comments and layout.

`language_1.txt` has every spelling that has gone, `language_2.txt` what becomes of it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.diagnostics.diagnostic import Severity
from dsl.driver.load import compile_ruleset
from dsl.files.ruleset import variants_of
from dsl.format.rewriters import REWRITERS
from dsl.overlay.changes import changes_of
from dsl.syntax.vocabulary import LANGUAGE, RETIRED, RETIRED_VERBS
from interpreter import Game
from interpreter.records.ruling import run_rulings
from tools.cli import run

HERE = Path(__file__).parent
DIGEST = re.compile(r'was "(\w+)"')
Capture = pytest.CaptureFixture[str]


def texts_of(language: int) -> dict[str, str]:
    """The files of a language, by path."""
    parts = re.split(
        r"^==== (.*)\n", (HERE / f"language_{language}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def lay_out(home: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return home / "rulesets" / "wharf"


def found_in(home: Path) -> dict[str, str]:
    return {file.relative_to(home).as_posix(): file.read_text(encoding="utf-8") for file in home.rglob("*.*")}


def digests_of(ruleset: Path) -> list[str]:
    variant = ruleset / "variants" / "calm"
    return [change.digest for change in changes_of(ruleset, [variant]) if change.digest]


@pytest.fixture
def wharf(tmp_path: Path) -> Path:
    """The ruleset of the first language, whose variant names the right digest."""
    ruleset = lay_out(tmp_path, texts_of(1))
    variant = ruleset / "variants" / "calm" / "calm.variant"
    variant.write_text(variant.read_text(encoding="utf-8").replace("DIGEST", digests_of(ruleset)[0]), encoding="utf-8")
    return ruleset


def test_every_old_spelling_becomes_that_of_today(wharf: Path, tmp_path: Path, capsys: Capture) -> None:
    before = DIGEST.findall((wharf / "variants/calm/calm.variant").read_text(encoding="utf-8"))
    assert run(["fmt", "--upgrade", str(wharf)]) == 0
    assert f"language {LANGUAGE}: " in capsys.readouterr().out
    texts = found_in(tmp_path)
    after = DIGEST.findall(texts["rulesets/wharf/variants/calm/calm.variant"])
    assert after == digests_of(wharf)[:1] and after != before
    assert {name: text.replace(after[0], "DIGEST") for name, text in texts.items()} == texts_of(2)


def test_what_is_upgraded_stays_as_it_is_and_is_laid_out(wharf: Path, tmp_path: Path, capsys: Capture) -> None:
    run(["fmt", "--upgrade", str(tmp_path)])
    texts = found_in(tmp_path)
    assert run(["fmt", "--upgrade", "--check", str(tmp_path)]) == 0
    assert run(["fmt", "--check", str(tmp_path)]) == 0
    assert run(["fmt", "--upgrade", str(tmp_path)]) == 0 and found_in(tmp_path) == texts
    assert "language 2: 0 files upgraded" in capsys.readouterr().out


def test_what_is_upgraded_checks_clean_and_keeps_its_rulings(wharf: Path) -> None:
    run(["fmt", "--upgrade", str(wharf)])
    for overlays in ([], variants_of(wharf)[:1], variants_of(wharf)):
        program, found, _ = compile_ruleset(wharf, overlays, cached=False)
        assert program is not None and not found
        assert all(not ruling.failures for ruling in run_rulings(Game(program)))


def test_with_check_nothing_is_written(wharf: Path, tmp_path: Path, capsys: Capture) -> None:
    texts = found_in(tmp_path)
    assert run(["fmt", "--upgrade", "--check", str(wharf)]) == 1
    assert f"would upgrade {wharf / 'game.rules'}" in capsys.readouterr().out
    assert found_in(tmp_path) == texts


def test_a_ruleset_with_another_mistake_stays_as_it_is(wharf: Path, tmp_path: Path, capsys: Capture) -> None:
    (wharf / "state.rules").write_text("zone quay crate\n", encoding="utf-8")
    texts = found_in(tmp_path)
    assert run(["fmt", "--upgrade", str(wharf)]) == 1
    assert "RW0114" in capsys.readouterr().err and found_in(tmp_path) == texts


def test_an_earlier_ruleset_is_told_so_once_and_one_of_today_at_each_place(wharf: Path) -> None:
    program, found, _ = compile_ruleset(wharf, cached=False)
    (once,) = (d for d in found if d.code == "RW0138")
    assert program is None and once.span.file == "rulesets/wharf/ruleset.yaml"
    assert "written in language 1" in once.message and "fmt --upgrade" in (once.help or "")
    manifest = wharf / "ruleset.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("version: 1", f"version: 1\nlanguage: {LANGUAGE}"), encoding="utf-8")
    each = [d for d in compile_ruleset(wharf, cached=False)[1] if d.code == "RW0138"]
    assert len(each) > 1 and all(d.severity is Severity.ERROR for d in each) and any(d.fix for d in each)


def test_a_name_of_ones_own_is_no_old_word(tmp_path: Path) -> None:
    texts = texts_of(2)
    own = "value smaller(a: int, b: int): int = min(a, b) - 1\nvalue least(p: Seat): int = smaller(p.room, 3)\n"
    texts["rulesets/wharf/state.rules"] += own
    lay_out(tmp_path, texts)
    assert run(["fmt", "--upgrade", str(tmp_path / "rulesets")]) == 0
    assert own in found_in(tmp_path)["rulesets/wharf/state.rules"]


def test_a_file_that_belongs_to_no_ruleset_is_rewritten_alone(tmp_path: Path) -> None:
    file = tmp_path / "cards.rules"
    file.write_text("value low(a: int): int = smaller(a, 3)  # at most three\n", encoding="utf-8")
    assert run(["fmt", "--upgrade", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == "value low(a: int): int = min(a, 3)      # at most three\n"


def test_the_texts_of_the_first_language_have_all_that_has_gone() -> None:
    first, second = ("".join(texts_of(language).values()) for language in (1, 2))
    for word in (*RETIRED, *RETIRED_VERBS):
        assert re.search(rf"\b{word}\b", first), word
    assert len(REWRITERS) == len({rewrite.__doc__ for rewrite in REWRITERS}) and first != second
