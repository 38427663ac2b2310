"""Checked games in native code: invariants after each change, places at each question, and the failures of Python."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from dsl.program import Program
from interpreter import Game, replay
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.notes.lawful import LAWFUL
from interpreter.backends.low.whole.walking import lower_checked
from interpreter.backends.native.walks import NativeWalks
from interpreter.core.errors import RulesetError
from interpreter.machine.invariants import check_places
from interpreter.machine.machine import Machine
from tests.concepts.play import game as small
from tests.concepts.test_plans import LOANS, SHOP
from tests.interpreter.backends.test_low_trials import DEEP, GARDEN, HANDS
from tests.printed import printed
from tests.tools.simulation.test_native import MOMENTS, keep, load, needs_compiler, needs_wasmtime, report, told
from tools import cli
from tools.commands.replay import repeat_failure

# ------------------------------------------------------------ invariants

SEEDED = """
piece point
kind Seat
    zone points: point
    field turns: 0..99
value points_of(p: Seat): int = p.points
invariant few: every(p in seats: p.points <= 8)
{rule}phase game
    repeat while p1.turns < 9
        for every p in seats
            set p.turns to p.turns + 1
            choose number n in 1..3 by p
            {change}
"""
CAP = "rule cap\n    always for every p in seats where p.points > 8: lose 1 point by p\n"
FOUND = {
    "after a change": ("", "gain n point by p"),
    "between two questions": ("", "gain 3 * n point by p\n            lose min(p.points, 9) point by p"),
    "at the end of a together": (
        "",
        "together\n                gain n point by p\n                if p.points > 7: gain 1 point by p",
    ),
    "after checks that do too little": (
        "rule cap\n    always for every p in seats where p.points > 9: lose 2 point by p\n",
        "gain n point by p",
    ),
}
SOUND = {
    "inside a together": ("", "together\n                gain 9 point by p\n                lose 9 point by p"),
    "mended by checks": (CAP, "gain n point by p"),
}


def both(game: Game, bots: str, tmp_path: Path, games: int = 30, **how: Any) -> tuple[str, dict[str, str]]:
    """What both say of checked games, which must be the same, and the saves of those that fail, by their names."""
    found = []
    for backend in ("wasm", "reference"):
        mine = report(game, backend, bots, games, out=tmp_path / backend, checked=True, **how)
        files = {Path(f["file"]).name: Path(f["file"]).read_text(encoding="utf-8") for f in mine.failures}
        for failure in mine.failures:
            failure["file"] = Path(failure["file"]).name
        found.append((told(mine), files))
    assert found[0] == found[1]
    return found[0]


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "greedy,random"])
@pytest.mark.parametrize("where", FOUND)
def test_a_broken_invariant_is_found(
    where: str, bots: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rule, change = FOUND[where]
    manifest = "result: {score: points_of}\nevaluate: points_of\n"
    game = small(SEEDED.format(rule=rule, change=change), seats=(2, 2), manifest=manifest)
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    _, files = both(game, bots, tmp_path)
    assert files and made[0].replayed == len(files)  # low code finds them, and no others
    for text in files.values():
        data = json.loads(text)
        assert "the invariant `few` does not hold" in data["failure"]["message"]
        assert repeat_failure(replay(game, data), data["failure"], tmp_path) == 0
    assert "it fails again" in capsys.readouterr().out


@needs_wasmtime
@pytest.mark.parametrize("where", SOUND)
def test_what_is_mended_in_time_is_no_failure(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule, change = SOUND[where]
    game = small(SEEDED.format(rule=rule, change=change), seats=(2, 2), manifest="evaluate: points_of\n")
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    _, files = both(game, "random", tmp_path)
    assert not files and made[0].given_up == made[0].replayed == 0


@needs_wasmtime
def test_late_demands_are_faults(tmp_path: Path) -> None:
    """Unchecked they end the action."""
    rules = SHOP.replace("    field days: 0..9\n", "    field days: 0..9\n    field owes: bool\n") + LOANS
    game = small(rules, seats=(2, 2))
    _, files = both(game, "random", tmp_path)
    assert 0 < len(files) < 30 and all("only at the end" in text for text in files.values())
    assert report(game, "wasm", "random", 30).finished == 30


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy,random"])
@pytest.mark.parametrize(
    ("rules", "limits", "message"),
    [(GARDEN, "limits: {tries: 3}", "not decided within 3 tries"), (DEEP, "limits: {tries: 40}", "within 40 tries")],
)
def test_what_is_not_decided_is_a_fault(rules: str, limits: str, message: str, bots: str, tmp_path: Path) -> None:
    """Unchecked it is not offered."""
    _, files = both(small(rules, seats=(2, 2), manifest=limits), bots, tmp_path)
    assert files and all(message in text for text in files.values())


@needs_wasmtime
@pytest.mark.parametrize("rules", [GARDEN, HANDS])
def test_what_is_tried_is_not_checked(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    broken = "invariant untried: every(p in seats: p.{} <= 1)\n"
    both(small(rules, seats=(2, 2)), "random", tmp_path)
    name = "fruit" if rules == GARDEN else "shown"
    _, files = both(small(rules + broken.format(name), seats=(2, 2)), "random", tmp_path)
    assert files and made[-1].given_up == made[-1].replayed == len(files)


# ------------------------------------------------------------ places


@pytest.mark.parametrize("name", ["love_letter", "kettle", "masks"])
def test_unlawful_places_are_those_of_python(name: str) -> None:
    """Words of zones and places are changed by chance: both find the same stores to be unlawful."""
    program = load(name).program
    runner = printed(lower_checked(program).module)
    machine, chance = Machine(program), random.Random(4)
    found = [0, 0]
    for start in stores(program, 12):
        for _ in range(12):
            words = start[:]
            for _ in range(chance.randrange(3)):
                spoil(program, words, chance)
            runner.memory[: len(words)] = words
            unlawful = is_unlawful(machine, words)
            found[unlawful] += 1
            try:
                runner.call(LAWFUL)
                assert not unlawful
            except Trapped:
                assert unlawful
    assert min(found) > 20


def stores(program: Program, number: int) -> list[list[int]]:
    """Stores of games that have begun."""
    game = Game(program)
    return [game.new(seats=program.seats[1], seed=seed).words[:] for seed in range(number)]


def spoil(program: Program, words: list[int], chance: random.Random) -> None:
    """Change a word of a place or of a zone, to a value that may stand there."""
    places = [address for address in program.placed if address]
    zones = [z for n, z in enumerate(program.zones) if n and z.kind in ("list", "set", "slot")]
    if chance.random() < 0.5:
        words[chance.choice(places)] = chance.choice([0, *(program.zones.index(z) for z in zones)])
        return
    zone = chance.choice(zones)
    if zone.kind == "set":
        words[zone.base] ^= 1 << chance.randrange(4)
    elif zone.kind == "slot":
        words[zone.base] = 0
    elif words[zone.base]:
        size = words[zone.base]
        words[zone.base + chance.randrange(size) + 1] = words[zone.base + chance.randrange(size) + 1]


def is_unlawful(machine: Machine, words: list[int]) -> bool:
    machine.words, machine.place_index = words, None
    try:
        check_places(machine)
    except RulesetError:
        return True
    return False


# ------------------------------------------------------------ whole runs


@needs_wasmtime
@pytest.mark.parametrize(
    ("name", "bots", "games", "most"),
    [
        ("love_letter", "random", 12, 300),
        ("kettle", "greedy,random", 8, 100),
        ("foundry", "random", 12, 200),
        ("masks", "random,greedy", 8, 100),
        ("nim", "random", 12, 100),
        ("dominant_species", "random", 2, 1200),
        ("dominant_species", "greedy", 1, 25),
    ],
)
def test_reports_of_checked_games_are_those_of_python(
    name: str, bots: str, games: int, most: int, tmp_path: Path
) -> None:
    both(load(name), bots, tmp_path, games, most=most)


@needs_wasmtime
def test_checked_actions_at_any_moment_are_taken_as_in_python(tmp_path: Path) -> None:
    both(small(MOMENTS, manifest="evaluate: promise\n"), "random,greedy", tmp_path)


@needs_compiler
def test_c_checks_as_well(tmp_path: Path) -> None:
    rule, change = FOUND["between two questions"]
    game = small(SEEDED.format(rule=rule, change=change), seats=(2, 2))
    mine = report(game, "c", games=12, out=tmp_path, checked=True)
    assert mine.failures and told(mine) == told(report(game, "reference", games=12, out=tmp_path, checked=True))


@needs_wasmtime
def test_native_code_checks_by_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: list[NativeWalks] = []
    keep(monkeypatch, made)
    assert cli.run(["simulate", "nim", "--games", "12", "--jobs", "1", "--json", "--checked"]) == 0
    assert made[0].checked and made[0].answers > 20 and capsys.readouterr().err == ""
