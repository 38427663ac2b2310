"""What bots judge by: the words that a value may read, and values from memory that are those of the reference."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game
from interpreter.backends.analysis.footprint import Footprints
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.compile.valuation import Valuation
from interpreter.machine.machine import Machine
from tests.concepts.play import game as game_of
from tests.conformance.tables import load

ORCHARD = """
kind Tree: 3
    field apples: 0..9
    field next: Tree or none
kind Seat
    field coins: 0..99
    field luck: 0..9 seen by owner
value fruit(t: Tree): int = t.apples + (t.next.apples if t.next is not none else 0)
value first: int = tree_1.apples
value all_fruit: int = sum(t in Tree: t.apples)
value own(p: Seat): int = p.coins
value framed: int = 1 if running(game) else 0
value promise(p: Seat): int = own(p) + 2 * first + all_fruit + sum(t in Tree: fruit(t)) + framed
phase game
    choose n in 0..9 by p1
    set tree_1.apples to n
    choose m in 0..9 by p1
    set tree_2.apples to m
"""


def orchard() -> Game:
    return game_of(ORCHARD, seats=(2, 2), manifest="evaluate: promise\n")


def read(game: Game, name: str, *args: str) -> set[str] | None:
    """The symbols and numbers of the cells that a value may read."""
    program = game.program
    things = [program.thing_ids.index(arg) for arg in args]
    found = Footprints(program).of(program.function_names[name], things)
    if found is None:
        return None
    cells = set()
    for at in found:
        entry = [e for e in game.layout if e.base <= at][-1]
        cells.add(f"{entry.symbol}[{at - entry.base + 1}]")
    return cells


def test_the_words_that_a_value_may_read() -> None:
    game = orchard()
    assert read(game, "first") == {"Tree.apples[1]"}
    assert read(game, "all_fruit") == {"Tree.apples[1]", "Tree.apples[2]", "Tree.apples[3]"}
    found = read(game, "fruit", "tree_2")
    assert found is not None and found >= {"Tree.next[2]", "Tree.apples[1]", "Tree.apples[2]", "Tree.apples[3]"}
    assert "Tree.next[1]" not in found and "Tree.next[3]" not in found


def test_what_runs_is_not_declared_state() -> None:
    game = orchard()
    assert read(game, "framed") is None
    assert read(game, "promise", "p1") is None


def stores(game: Game, seed: int, seats: int, most: int) -> list[list[int]]:
    """The stores at some questions of a random game."""
    chance, engine = Random(seed), game.engine
    words = engine.new(seats, seed=seed)
    engine.run(words)
    found = []
    while words[3] and len(found) < most:
        found.append(words[:])
        option = chance.choice(engine.options(words))
        game.machine.take(words, option)
    return found


@pytest.mark.parametrize(
    ("folder", "seats", "most"), [("rulesets/dominant_species", 3, 400), ("rulesets/through_the_ages", 2, 120)]
)
def test_values_from_memory_are_those_of_the_reference(folder: str, seats: int, most: int) -> None:
    """Whatever the base is, and however much a store differs from it."""
    game = load(folder)
    reference, chance = Machine(game.program), Random(1)
    found = stores(game, 3, seats, most)
    for at in range(0, len(found), 8):
        base = found[at]
        for words in [base, *found[at + 1 : at + 4], chance.choice(found)]:
            seat = game.names.seat_thing(chance.randrange(seats) + 1)
            assert game.machine.worth(words, base, seat) == reference.worth(words, base, seat)


def test_what_has_not_changed_is_not_worked_out_again() -> None:
    game = load("rulesets/dominant_species")
    found = stores(game, 3, 3, 200)[-1]
    assert isinstance(game.machine, PythonMachine)
    valuation = Valuation(game.machine)
    number = game.program.function_names["tile_promise"]
    known = valuation.remembered[number]
    valuation.begin(found)
    for seat in (1, 2, 3):
        valuation.value(found, game.names.seat_thing(seat))
    kept = dict(known.base)
    assert kept and not known.here
    other = found[:]
    animal, tile = next(iter(kept))
    other[min(kept[animal, tile][0])] += 1
    valuation.value(other, game.names.seat_thing(1))
    assert known.base == kept
    valuation.begin(other)
    assert (animal, tile) not in known.base
    assert set(known.base) < set(kept)
