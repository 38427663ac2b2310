"""What bots judge by: the words that are read for a value, and values from memory that are those of the reference."""

from __future__ import annotations

from random import Random

import pytest

from interpreter import Game
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.compile.valuation import TRIAL, UNTOLD, Valuation
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
value faulty: int = div_down(6, tree_1.apples)
value promise(p: Seat): int = own(p) + 2 * first + all_fruit + sum(t in Tree: fruit(t)) + framed
phase game
    choose n in 0..9 by p1
    set tree_1.apples to n
    choose m in 0..9 by p1
    set tree_2.apples to m
"""


def orchard() -> Game:
    return game_of(ORCHARD, seats=(2, 2), manifest="evaluate: promise\n")


def read(game: Game, words: list[int], name: str, *args: str) -> set[str] | None:
    """The cells that are read for a value in this store, by symbol and number; None: it is of no use for others."""
    program = game.program
    assert isinstance(game.machine, PythonMachine)
    valuation = Valuation(game.machine)
    valuation.begin(words)
    key = tuple(program.thing_ids.index(arg) for arg in args)
    work = game.machine.code.functions[program.function_names[name]]
    assert work is not None
    found = valuation.recorded(work, key)
    if found is UNTOLD:
        return None
    cells = set()
    for at in found[0]:
        entry = [e for e in game.layout if e.base <= at][-1]
        cells.add(f"{entry.symbol}[{at - entry.base + 1}]")
    return cells


def begun(game: Game) -> list[int]:
    words = game.engine.new(2, seed=1)
    game.engine.run(words)
    return words


def test_the_words_that_are_read_for_a_value() -> None:
    game = orchard()
    words = begun(game)
    assert read(game, words, "first") == {"Tree.apples[1]"}
    assert read(game, words, "all_fruit") == {"Tree.apples[1]", "Tree.apples[2]", "Tree.apples[3]"}
    assert read(game, words, "fruit", "tree_2") == {"Tree.apples[2]", "Tree.next[2]"}
    entry = next(e for e in game.layout if e.symbol == "Tree.next")
    words[entry.base + 1] = game.program.thing_ids.index("tree_3")
    assert read(game, words, "fruit", "tree_2") == {"Tree.apples[2]", "Tree.next[2]", "Tree.apples[3]"}


def test_a_value_that_reads_more_than_declared_state_or_fails_is_not_kept() -> None:
    game = orchard()
    assert read(game, begun(game), "framed") is None
    assert read(game, begun(game), "faulty") is None


def test_a_word_that_is_read_later_counts_as_changed_where_it_is() -> None:
    """What is read only after another word has changed is compared from then on."""
    game = orchard()
    assert isinstance(game.machine, PythonMachine)
    valuation, number = Valuation(game.machine), game.program.function_names["fruit"]
    work = game.machine.code.functions[number]
    assert work is not None
    valuation.remember(number, work)
    valuation.evaluate = f"_f{number}"
    ids, at = game.program.thing_ids, {e.symbol: e.base for e in game.layout}
    base = begun(game)
    laden = base[:]
    laden[at["Tree.apples"] + 2] = 5
    linked = laden[:]
    linked[at["Tree.next"]] = ids.index("tree_3")
    for first in (base, laden, linked):
        valuation.begin(first)
        for words in (base, laden, linked, laden):
            assert valuation.value(words, ids.index("tree_1")) == (5 if words is linked else 0)


def stores(game: Game, seed: int, seats: int, most: int) -> list[list[int]]:
    """The stores at some questions of a random game."""
    chance, engine = Random(seed), game.engine
    words = engine.new(seats, seed=seed)
    engine.run(words)
    found: list[list[int]] = []
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


def test_a_function_that_reads_few_words_is_not_remembered_for_long() -> None:
    """To look up what it gave would cost as much as the function itself."""
    game = orchard()
    assert isinstance(game.machine, PythonMachine)
    valuation, base = Valuation(game.machine), begun(game)
    numbers = [game.program.function_names[name] for name in ("fruit", "all_fruit")]
    few = game.machine.code.functions[numbers[0]]
    assert few is not None
    valuation.remember(numbers[0], few)
    valuation.remember(numbers[1], lambda words: sum(words[:8]))
    valuation.begin(base)
    for _ in range(TRIAL):
        valuation.names[f"_f{numbers[0]}"](base, game.program.thing_ids.index("tree_1"))
        valuation.names[f"_f{numbers[1]}"](base)
    assert set(numbers) & set(valuation.remembered) == {numbers[1]}
