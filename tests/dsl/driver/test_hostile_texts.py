"""Texts and file names that nobody writes by accident: they are reported in order, and nothing falls over them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.diagnostics.render import render_text
from dsl.driver import pipeline
from dsl.driver.load import check_texts, compile_ruleset, compile_sources
from interpreter import Game, RulesetError, apply, legal
from interpreter.backends.native.targets import WASM
from interpreter.rules.rules import REFERENCE

BASE = """\
field n: 0..9
value outcome(p: Seat): int = n
phase game
    round robin p in seats while n < 9: do turn(p)
phase turn(p: Seat)
    choose k in 1..2 by p
    if n < 9: set n to min(n + k, 9)
"""
MANIFEST = """\
id: x
version: 1
title: {en: X}
seats: 2..3
load: [x.rules]
result: {score: outcome}
"""
WRONG_KEY = BASE + "value w: Seat or none = only(p in seats with highest {p})\n"


def errors(found: list[Diagnostic]) -> list[str]:
    return [d.code for d in found if d.severity is Severity.ERROR]


@pytest.mark.parametrize("digits", ["9" * 4301, "1" + "0" * 5000])
def test_a_number_of_thousands_of_digits_is_too_large(digits: str) -> None:
    (found,) = check_texts({"x.rules": BASE + f"value x: int = {digits}\n"})
    assert found.code == "RW0108" and f"({len(digits)} digits)" in found.message and len(found.message) < 100


def test_zeros_before_a_number_do_not_count() -> None:
    zeros = "0" * 5000
    assert not errors(check_texts({"x.rules": BASE + f"value x: int = {zeros}7\nvalue y: int = {zeros}\n"}))


def test_seats_of_thousands_of_digits_are_no_number_of_seats() -> None:
    found = check_texts({"x.rules": BASE}, {"ruleset.yaml": MANIFEST.replace("2..3", "2.." + "9" * 5000)})
    assert errors(found) == ["RW0312"]


def test_a_number_below_zero_in_a_set_of_a_ruling_is_reported() -> None:
    ruling = 'ruling X_001 "a"\n    expect\n        nobody..3: -2\n'
    assert "RW0205" in errors(check_texts({"x.rules": BASE, "x.ruling": ruling}))


@pytest.mark.parametrize("backend", [WASM, REFERENCE])
def test_a_number_below_zero_in_a_set_is_a_fault_of_the_rules_in_play(backend: str) -> None:
    rules = BASE.replace("field n: 0..9", "field n: 0..9\nfield s: set of (0..99)")
    rules = rules.replace(" by p", " by p\n    set s to set(x in 0..3: x - k)")
    program, found, _ = compile_sources({"x.rules": rules})
    assert program is not None, found
    state = Game(program, backend).new(seats=2, seed=1)
    with pytest.raises(RulesetError, match=r"x\.rules:6.*a set holds numbers from 0 on"):
        apply(state, legal(state)[0])


# ---------------------------------------------------------------- faults of the checker after errors


def fall_over(*_: Any) -> None:
    raise KeyError("hole")


PASSES = ["attach_timed", "manifest_values", "check_program", "without_consequences", "report_misspelt"]


@pytest.mark.parametrize("name", PASSES)
def test_errors_of_any_pass_are_told_when_a_later_one_falls_over(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first error comes from the elaboration, where the later passes are not yet known to meet a hole."""
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    monkeypatch.setattr(pipeline, name, fall_over)
    texts = WRONG_KEY if name != "attach_timed" else BASE + "value x: int = 3 +\n"
    found = check_texts({"x.rules": texts})
    assert "RW1114" in [d.code for d in found] and len(errors(found)) == 1


def test_a_fault_without_an_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "check_program", fall_over)
    with pytest.raises(KeyError, match="hole"):
        check_texts({"x.rules": BASE})


# ---------------------------------------------------------------- many messages


def calls(work: Any) -> int:
    """How many functions of Python are called."""
    count = 0

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_the_work_grows_with_the_number_of_messages_and_not_with_its_square() -> None:
    def check(fields: int) -> int:
        rules = BASE + "".join(f"field f{i}: 0..9\n" for i in range(fields))
        found: list[Diagnostic] = []
        steps = calls(lambda: found.extend(check_texts({"x.rules": rules}, {"ruleset.yaml": MANIFEST})))
        assert len([d for d in found if d.code == "RW1105"]) == fields
        return steps

    check(10)
    small, large = check(300), check(1200)
    assert large < 5 * small


def test_hundreds_of_unknown_names_are_not_each_compared_with_all_known_ones() -> None:
    def check(names: int) -> int:
        lines = [f"field f{i}: 0..9\nvalue v{i}: int = f{i}x\n" for i in range(names)]
        found: list[Diagnostic] = []
        steps = calls(lambda: found.extend(check_texts({"x.rules": BASE + "".join(lines)})))
        assert errors(found).count("RW0205") == names
        return steps

    small, large = check(200), check(400)
    assert large < 3 * small


END = "phase game\n    stop game\n"
MANY = {  # what stands many times in a ruleset, and how many times
    "enum": (100_000, lambda n: "enum Word: " + ", ".join(f"w{i}" for i in range(n)) + "\n" + END),
    "comments": (100_000, lambda n: "# x\n" * n + END),
    "blank lines": (100_000, lambda n: "\n" * n + END),
    "cases": (5_000, lambda n: END.replace(
        "    stop", "    choose one by p1\n" + "".join(f"        case c{i}: stop game\n" for i in range(n)) + "    stop"
    )),
    "cards": (5_000, lambda n: "kind Card\n    const c: 0..9\n" + "".join(
        f'card c{i} "C": Card\n    c: 3\n' for i in range(n)) + END),
    "rows": (5_000, lambda n: "enum Word: " + ", ".join(f"w{i}" for i in range(n)) + "\ntable t: int by Word\n"
        + "".join(f"    w{i}: 3\n" for i in range(n)) + END),
    "a long line": (100_000, lambda n: "value v: int = " + " + ".join("1" for _ in range(n)) + "\n" + END),
    "brackets": (100_000, lambda n: "value v: int = " + "(" * n + "1" + ")" * n + "\n" + END),
    "levels": (1_000, lambda n: "phase game\n" + "".join(
        "    " * (i + 1) + "if true\n" for i in range(n)) + "    " * (n + 1) + "stop game\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", MANY)
def test_much_of_one_thing_is_checked_in_seconds_or_refused(name: str) -> None:
    number, rules = MANY[name]
    begun = time.process_time()
    found = check_texts({"x.rules": rules(number)})
    assert time.process_time() - begun < 10
    assert len(found) < (20 if name != "levels" else number) and all(len(d.message) < 300 for d in found)


# ---------------------------------------------------------------- names of files


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text there")
@pytest.mark.parametrize("name", [b"x\xff.rules", b"a\nb\x1b[31m.rules", "x\u202e.rules".encode()])
def test_a_file_name_that_cannot_be_shown_is_reported(tmp_path: Path, name: bytes) -> None:
    folder = tmp_path / "rulesets" / "x"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST)
    (folder / "x.rules").write_text(BASE)
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(BASE)
    program, found, sources = compile_ruleset(folder)
    assert program is None and errors(found) == ["RW0132"]
    assert render_text(found, sources).isascii() and "\x1b" not in render_text(found, sources)


def test_letters_of_every_script_may_stand_in_a_file_name(tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "x"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(MANIFEST.replace("x.rules", "\u898f\u5247.rules"))
    (folder / "\u898f\u5247.rules").write_text(BASE, encoding="utf-8")
    assert compile_ruleset(folder)[0] is not None
