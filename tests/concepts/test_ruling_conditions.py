"""For which overlays and options a ruling holds; what holds elsewhere only is left out, counted, and no mistake."""

from __future__ import annotations

from dsl.driver.load import compile_sources
from dsl.program import Program
from interpreter import Game
from interpreter.records.ruling import run_rulings

RULES = """\
kind Seat
    zone coins: coin
piece coin each 20 from bank
zone bank: coin
option quick: bool = false
option speed: slow, fast, wild = slow
phase day(p: Seat)
    gain 1 coin by p
phase game
    for every p in seats: do day(p)
"""
BARE = "variant bare on test\n    drop quick\n"
SWIFT = "variant swift on test\n    alter quick from false to true\n    alter speed from slow to fast\n"
POOR = "variant poor on test\n    alter day.gain from 1 to 2\n"
WHEN = "    when\n        do day(p1)\n    expect\n"
ONE = WHEN + "        p1.coins: 1\n"


def held(cases: str, **overlays: str) -> tuple[Program, list[str]]:
    """The program with these overlays, and the names of the rulings that hold there, all of which pass."""
    found = {f"{name}.variant": text for name, text in overlays.items()}
    texts = {"small.rules": RULES, "rulings/some.ruling": cases}
    program, messages, _ = compile_sources(texts, overlays=found, known=("bare", "swift", "poor"))
    assert program is not None and not messages
    assert all(result.passed for result in run_rulings(Game(program)))
    return program, list(program.rulings)


def ruling(name: str, *lines: str, body: str = ONE) -> str:
    return f'ruling {name} "{name}"\n' + "".join(f"    {line}\n" for line in lines) + body


def test_with_and_without_overlays() -> None:
    cases = (
        ruling("A", "holds without poor")
        + ruling("B", "holds with poor", body=WHEN + "        p1.coins: 2\n")
        + ruling("C", "holds without poor, swift")
        + ruling("D", "holds with swift", "holds without poor")
        + ruling("E", "holds with swift, poor", body=WHEN + "        p1.coins: 2\n")
    )
    assert held(cases)[1] == ["A", "C"]
    assert held(cases, poor=POOR)[1] == ["B"]
    assert held(cases, swift=SWIFT)[1] == ["A", "D"]
    program, names = held(cases, swift=SWIFT, poor=POOR)
    assert names == ["B", "E"] and [*program.elsewhere] == ["A", "C", "D"] and not program.broken


def test_options_are_those_of_the_ruling_or_the_usual_ones() -> None:
    cases = (
        'position fast "fast"\n    seats: 2\n    speed: fast\n'
        'position wild "wild" from fast\n    option speed: wild\n'
        + ruling("A", "holds with speed is slow")
        + ruling("B", "holds without quick")
        + ruling("C", "holds with speed is fast", "given fast")
        + ruling("D", "holds with speed is fast", "given wild")
        + ruling("E", "holds with speed is wild", "given fast\n        speed: wild")
    )
    assert held(cases)[1] == ["A", "B", "C", "E"]
    assert held(cases, swift=SWIFT)[1] == ["C", "E"]


def test_what_an_overlay_has_taken_away_holds_neither_way() -> None:
    """And a row that names the option is no mistake then."""
    cases = (
        ruling("A", "holds with quick", "given\n        quick: true")
        + ruling("B", "holds without quick")
        + ruling("C", "holds without bare", "given\n        quick: true")
        + ruling("D")
    )
    assert held(cases)[1] == ["A", "B", "C", "D"]
    assert held(cases, bare=BARE)[1] == ["D"]


def test_what_begins_with_a_position_holds_where_that_does() -> None:
    cases = (
        'position two "two"\n    holds without poor\n    seats: 2\nposition more "more" from two\n    p1.coins: 1\n'
        + ruling("A", "given two")
        + ruling("B", "given more", body=WHEN + "        p1.coins: 2\n")
        + ruling("C", body=WHEN + "        p1.coins > 0: true\n")
    )
    assert held(cases)[1] == ["A", "B", "C"]
    program, names = held(cases, poor=POOR)
    assert names == ["C"] and [*program.elsewhere] == ["A", "B"] and not program.positions


def test_a_number_of_seats_that_an_overlay_excludes_is_counted_too() -> None:
    manifest = "id: test\nversion: 1\ntitle: {en: Test}\nseats: 2..4\nload: [small.rules]\n"
    cases = ruling("A", "given\n        seats: 4") + ruling("B")
    program, messages, _ = compile_sources(
        {"small.rules": RULES, "rulings/some.ruling": cases},
        {"ruleset.yaml": manifest},
        overlays={"poor/poor.variant": POOR, "poor/ruleset.yaml": "seats: 2\n"},
    )
    assert program is not None and not [m for m in messages if m.severity.value == "error"]
    assert list(program.rulings) == ["B"] and [*program.elsewhere] == ["A"]
