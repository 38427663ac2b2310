"""The sources of purses in generated code are those that the reference reads."""

from __future__ import annotations

from random import Random

from dsl.program import OVER
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.machine.machine import Machine
from tests.conformance.tables import load


def sources_of(machine: Machine, words: list[int], number: int, args: list[int]) -> list[object]:
    machine.words = words
    t = args + [0] * (machine.program.purses[number].temps - len(args))
    return list(machine.source_rows(number, t))


def test_the_sources_of_a_heavy_game() -> None:
    game = load("rulesets/through_the_ages")
    reference, machine, chance = Machine(game.program), game.machine, Random(4)
    assert isinstance(machine, PythonMachine)
    words: list[int] = []
    several = 0
    for n in range(100):
        if not words or words[OVER]:
            words = game.engine.new(2, seed=n)
            game.engine.run(words)
        machine.take(words, chance.choice(game.engine.options(words)))
        for number in range(len(game.program.purses)):
            for seat, cause in ((1, 0), (2, 6), (1, 10), (2, 13)):
                args = [game.names.seat_thing(seat), cause]
                found = sources_of(machine, words, number, args)
                assert found == sources_of(reference, words, number, args)
                several += len(found) > 2
    assert several, "some purse has several sources"
