"""Values that are remembered: worked out again only when a word that they depend on has changed."""

from __future__ import annotations

import random
from collections import Counter

from dsl import ir
from dsl.base.types import IntType
from dsl.program import Program
from interpreter.backends.analysis.dataflow import facts
from interpreter.backends.analysis.footprint import Extent, Extents
from interpreter.backends.analysis.memo import Memo
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.machine.machine import Machine
from tests.interpreter.build import END, Build, C, add, alternative, numbers, site

SMALL = IntType(0, 99)
FLAGS = 12


class Flags:
    """Twelve words and one more beside them; `dear` adds up, for every pair of the twelve, both and its parameter."""

    def __init__(self, asked: int) -> None:
        b = self.b = Build()
        self.base = b.words
        b.words += FLAGS
        b.layout.append(ir.LayoutEntry("flags", self.base, (IntType(1, FLAGS),), SMALL, "field"))
        b.words += 8
        self.beside = b.words
        b.field("beside", SMALL)
        pairs = ((1, numbers(1, FLAGS)), (2, numbers(1, FLAGS)))
        both = add(add(self.flag(1), self.flag(2)), ir.Temp(0))
        self.dear = b.function("dear", ir.Fold("sum", pairs, None, (), both), 1)
        self.cheap = b.function("cheap", add(self.flag(0), C(1)), 1)
        guard = ir.Compare(">", ir.CallFn(self.dear, (C(1),)), C(0))
        other = ir.Compare(">", ir.CallFn(self.cheap, (C(1),)), C(0))
        options = [alternative(None, guard, other, name=f"a{n}") for n in range(asked)]
        b.site(site("one", *options, answer=(0, IntType(0, 9))))
        b.proc("main", ir.Ask(0, END), ir.Jump(0))

    def flag(self, slot: int) -> ir.Cell:
        return ir.Cell(ir.Linear(self.base - 1, ((ir.Temp(slot), 1),)), SMALL, "flags")

    def program(self) -> Program:
        return self.b.program()


def remembered(program: Program) -> dict[int, tuple[Extent, ...]]:
    return Memo(program, facts(program)).extents


def test_dear_values_that_are_asked_twice_are_remembered() -> None:
    flags = Flags(2)
    assert remembered(flags.program()) == {flags.dear: (Extent((), flags.base, flags.base + FLAGS),)}


def test_what_is_asked_once_is_not() -> None:
    assert remembered(Flags(1).program()) == {}


def test_what_an_argument_says_of_the_words_that_are_read() -> None:
    """One word by its argument, one by a number, all flags where the argument can not be told, and the call of another
    function with a number."""
    flags = Flags(1)
    b = flags.b
    named = b.function("named", ir.CallFn(flags.cheap, (C(3),)), 1)
    passed = b.function("passed", ir.CallFn(flags.cheap, (ir.Linear(2, ((ir.Temp(0), 2),)),)), 1)
    looked = b.function("looked", ir.CallFn(flags.cheap, (flags.flag(0),)), 1)
    both = b.function("both", add(ir.Cell(C(flags.beside), SMALL, "beside"), ir.CallFn(named, (C(0),))), 1)
    program = b.program()
    reads = Extents(program)
    assert reads.of(flags.cheap) == (Extent(((0, 1),), flags.base - 1, flags.base),)
    assert reads.of(named) == (Extent((), flags.base + 2, flags.base + 3),)
    assert reads.of(passed) == (Extent(((0, 2),), flags.base + 1, flags.base + 2),)
    assert reads.of(flags.dear) == (Extent((), flags.base, flags.base + FLAGS),)
    found = reads.of(looked)
    assert found is not None and any(e.start <= flags.base and flags.base + FLAGS <= e.end for e in found)
    assert reads.of(both) == (
        Extent((), flags.base + 2, flags.base + 3),
        Extent((), flags.beside, flags.beside + 1),
    )


def test_a_frame_variable_is_not_declared_state() -> None:
    flags = Flags(1)
    number = flags.b.function("framed", ir.FrameVar(0, SMALL))
    assert Extents(flags.b.program()).of(number) is None


def counted(m: PythonMachine, number: int) -> Counter[int]:
    """How often a function is worked out, by its argument."""
    names, found = m.code.names, Counter[int]()
    work = names[f"_f{number}_v"]

    def working(words: list[int], arg: int) -> int:
        found[arg] += 1
        return int(work(words, arg))

    names[f"_f{number}_v"] = working
    return found


def test_a_value_is_worked_out_when_what_it_reads_has_changed() -> None:
    flags = Flags(2)
    program = flags.program()
    m = PythonMachine(program)
    done = counted(m, flags.dear)
    words = [0] * program.state_words
    words[flags.base] = 3  # in 23 of the 144 pairs once, in one of them twice: 24 * 3
    assert m.eval_fn(words, flags.dear, [1]) == 24 * 3 + 144
    assert m.eval_fn(words, flags.dear, [1]) == 24 * 3 + 144
    assert done == {1: 1}
    words[flags.beside] = 7
    assert m.eval_fn(words[:], flags.dear, [1]) == 24 * 3 + 144  # nothing that it reads, and another store
    assert done == {1: 1}
    words[flags.base + 11] = 2
    assert m.eval_fn(words, flags.dear, [1]) == 24 * 5 + 144
    assert done == {1: 2}
    assert m.eval_fn(words, flags.dear, [2]) == 24 * 5 + 288
    assert done == {1: 2, 2: 1}


def test_options_ask_for_it_once() -> None:
    flags = Flags(5)
    program = flags.program()
    m = PythonMachine(program)
    done = counted(m, flags.dear)
    words = [0] * program.state_words
    words[flags.base] = 1
    m.start(words, 0)
    m.run(words)
    assert len(m.options(words)) == 5
    assert done == {1: 1}


def test_values_are_those_of_the_reference() -> None:
    flags = Flags(2)
    program = flags.program()
    one, other = Machine(program), PythonMachine(program)
    rng = random.Random(3)
    words = [0] * program.state_words
    for _ in range(300):
        words[rng.choice([*range(flags.base, flags.base + FLAGS), flags.beside])] = rng.randrange(100)
        arg = rng.randrange(3)
        assert one.eval_fn(words, flags.dear, [arg]) == other.eval_fn(words, flags.dear, [arg])
