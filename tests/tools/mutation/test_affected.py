"""Which rulings a change can reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dsl.driver.load import compile_ruleset
from dsl.program import Program
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tools.mutation.affected import Recording, changed_parts

MORE = """\

procedure shake()
    if tree > 5: do drop(2)
    else: do drop(1)
procedure drop(n: int): move n apple from tree to floor as picked
zone floor: apple

ruling LA_002 "few apples"
    given three_left
    when
        do shake()
    expect
        tree: 2
"""


def compiled(folder: Path, before: str = "", after: str = "") -> Program:
    """The game with one more routine, with this change."""
    file = folder / "game.rules"
    text = file.read_text(encoding="utf-8")
    try:
        assert before in text
        file.write_text(text.replace(before, after, 1) if before else text, encoding="utf-8")
        program, found, _ = compile_ruleset(folder, cached=False)
        assert program is not None, found
        return program
    finally:
        file.write_text(text, encoding="utf-8")


def names_of(program: Program, before: Program) -> set[Any] | None:
    """The changed parts, by name."""
    found = changed_parts(before, program)
    if found is None:
        return None
    names = set()
    for sort, number in found:
        if sort == "code":
            names.add((before.procs[number[0]].name, "code"))
        else:
            item = number if sort in ("tables", "positions") else getattr(before, sort)[number]
            names.add(getattr(item, "name", getattr(item, "address", item)))
    return names


@pytest.fixture
def larger(apples: Path) -> Path:
    rules, rulings = MORE.split("\nruling", 1)
    with (apples / "game.rules").open("a", encoding="utf-8") as file:
        file.write(rules)
    with (apples / "rulings" / "apples.ruling").open("a", encoding="utf-8") as file:
        file.write("\nruling" + rulings)
    return apples


def test_places_in_the_text_are_no_change(larger: Path) -> None:
    plain = compiled(larger)
    assert names_of(compiled(larger, "phase game", "# a remark\nphase game"), plain) == set()


def test_a_change_is_in_the_part_that_says_it(larger: Path) -> None:
    plain = compiled(larger)
    assert names_of(compiled(larger, "1 if p.last", "2 if p.last"), plain) == {"score"}
    assert names_of(compiled(larger, "tree < 12", "tree < 13"), plain) == {("game", "code")}
    assert names_of(compiled(larger, "tree > 5", "tree > 6"), plain) == {"shake"}
    assert names_of(compiled(larger, "1..min(3", "1..min(4"), plain) == {"turn.n"}


def test_another_state_is_a_change_of_all(larger: Path) -> None:
    plain = compiled(larger)
    assert changed_parts(plain, compiled(larger, "each 21", "each 20")) is None
    assert changed_parts(plain, compiled(larger, "field last: bool", "field last: bool\n    field x: 0..3")) is None


def test_what_a_ruling_reads(larger: Path) -> None:
    """A ruling that reads nothing of what has changed ends alike; the second reads `shake`, not `turn`."""
    plain = compiled(larger)
    read = {}
    for name, ruling in plain.rulings.items():
        recording = Recording(plain)
        assert run_ruling(recording.game, ruling).passed
        read[name] = recording.parts()
    changes = {
        "1..min(3": ("1..min(2", "LA_001"),
        "1 if p.last": ("0 if p.last", "LA_001"),
        "do drop(1)": ("do drop(2)", "LA_002"),
        "move n apple from tree to floor": ("move n + 1 apple from tree to floor", "LA_002"),
    }
    for before, (after, reader) in changes.items():
        changed = compiled(larger, before, after)
        parts = changed_parts(plain, changed)
        assert parts
        assert [name for name in read if parts & read[name]] == [reader]
        results = {name: run_ruling(Game(changed), ruling).passed for name, ruling in changed.rulings.items()}
        assert results == {name: name != reader for name in read}
