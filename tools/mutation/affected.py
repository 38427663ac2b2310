"""Rulings that a change of the rules can reach: those that read a part of the compiled program that the change alters.

A part is a function, a routine, one instruction, a site, a purse, a constant table or a position. `recording` gives a
game whose reference machine notes the parts that it reads, tried or carried out; `changed_parts` compares two programs.
A run that reads no part that differs goes the same way in both: so nothing else about it need be known.
"""

from __future__ import annotations

from bisect import bisect_right
from copy import copy
from dataclasses import fields
from typing import Any, TypeAlias

from dsl import ir
from dsl.base.span import Span
from dsl.ir.walk import children
from dsl.program import Program
from interpreter import Game

Part: TypeAlias = tuple[str, Any]  # sort and number or name; an instruction: its routine and its place there

NUMBERED = ("functions", "procs", "sites", "purses", "tables")
# What no run reads, and the parts, which are compared one by one.
NOT_COMPARED = frozenset(
    {*NUMBERED, "code", "positions", "rulings", "digest", "clauses", "sources_of_clauses", "cites", "wanted", "display"}
    | {"broken", "sources", "notes", "plans", "needs"}
)


class Noted(tuple[Any, ...]):
    """A sequence that notes which of its items are read by their number; who goes through all of it is not noted: that
    is done to prepare for the whole program."""

    read: set[int]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            self.read.update(range(*index.indices(len(self))))
        else:
            self.read.add(index)
        return tuple.__getitem__(self, index)


class Recording:
    """A `game` on the reference machine, with what it has read so far: one for each run that is to be known, since
    a game keeps what it has once worked out."""

    def __init__(self, program: Program) -> None:
        self.program = program
        noting = copy(program)
        self.noted: dict[str, Noted] = {}
        for name in (*NUMBERED, "code"):
            self.noted[name] = Noted(getattr(program, name))
            self.noted[name].read = set()
            setattr(noting, name, self.noted[name])
        self.game = Game(noting, "reference")
        for noted in self.noted.values():
            noted.read.clear()

    def parts(self) -> frozenset[Part]:
        """The parts read since the beginning."""
        found: set[Part] = {(name, number) for name in NUMBERED for number in self.noted[name].read}
        entries = Extents(self.program)
        return frozenset(found | {entries.place(number) for number in self.noted["code"].read})


class Extents:
    """The instructions of each routine, as ranges of the code."""

    def __init__(self, program: Program) -> None:
        begins = sorted((proc.entry, number) for number, proc in enumerate(program.procs) if proc.suspends)
        self.starts = [0, *(entry for entry, _ in begins)]
        self.owners = [-1, *(number for _, number in begins)]
        self.end = len(program.code)

    def place(self, pc: int) -> Part:
        at = bisect_right(self.starts, pc) - 1
        return "code", (self.owners[at], pc - self.starts[at])

    def ranges(self) -> dict[int, range]:
        """Routine -> its instructions; -1: what stands before all routines."""
        ends = [*self.starts[1:], self.end]
        return {o: range(s, e) for o, s, e in zip(self.owners, self.starts, ends, strict=True)}


def same(a: Any, b: Any) -> bool:
    """True if two nodes say the same, wherever they stand in the text."""
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b):
        return False
    if kind is Span:
        return True
    if kind is dict:
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if kind is tuple or kind is list:
        return len(a) == len(b) and all(map(same, a, b))
    inside = () if kind is frozenset else children(a)
    return all(map(same, inside, children(b))) if inside else bool(a == b)


def changed_parts(before: Program, after: Program) -> frozenset[Part] | None:
    """The parts that differ; None where the programs differ as a whole, in their state or in what is numbered how."""
    if not (same_names(before, after) and same_frame(before, after)):
        return None
    found: set[Part] = set()
    for name in ("functions", "sites", "purses", "tables"):
        pairs = enumerate(zip(getattr(before, name), getattr(after, name), strict=True))
        found |= {(name, number) for number, (a, b) in pairs if not same(a, b)}
    found |= {("positions", name) for name, p in after.positions.items() if not same(p, before.positions[name])}
    one, two = Extents(before).ranges(), Extents(after).ranges()
    for number, (a, b) in enumerate(zip(before.procs, after.procs, strict=True)):
        if a.suspends != b.suspends or not same(outline(a), outline(b)):
            found.add(("procs", number))
    for number in one.keys() & two.keys():
        found |= {("code", (number, place)) for place in changed_places(before, after, one[number], two[number])}
    return frozenset(found)


def same_names(before: Program, after: Program) -> bool:
    return all(
        [getattr(x, how) for x in getattr(before, name)] == [getattr(x, how) for x in getattr(after, name)]
        for name, how in (("functions", "name"), ("procs", "name"), ("sites", "address"), ("purses", "name"))
    ) and (before.positions.keys(), len(before.tables)) == (after.positions.keys(), len(after.tables))


def same_frame(before: Program, after: Program) -> bool:
    """True if two programs differ in nothing but their parts."""
    names = [f.name for f in fields(Program) if f.name not in NOT_COMPARED]
    return all(same(getattr(before, name), getattr(after, name)) for name in names)


def outline(proc: ir.Proc) -> tuple[Any, ...]:
    """A routine without its instructions."""
    return proc.params, proc.temps, proc.body, proc.epilogue - proc.entry, proc.frame_words


def changed_places(before: Program, after: Program, one: range, two: range) -> range | list[int]:
    """The places of a routine where its instructions differ; all of them if there are more or fewer than before."""
    if len(one) != len(two):
        return range(len(one))
    pairs = enumerate(zip(one, two, strict=True))
    return [n for n, (a, b) in pairs if not same(moved(before.code[a], one[0]), moved(after.code[b], two[0]))]


def moved(i: ir.Instr, start: int) -> tuple[Any, ...]:
    """An instruction whose ways are counted from the beginning of its routine."""
    match i:
        case ir.Jump(target):
            return ir.Jump, target - start
        case ir.Branch(test, target):
            return ir.Branch, test, target - start
        case ir.Give(value, target):
            return ir.Give, value, target - start
        case ir.Ask(site, skip):
            return ir.Ask, site, skip - start if skip > 0 else skip
        case ir.Confirm(site, target):
            return ir.Confirm, site, target - start
        case ir.Chance(empty=empty):
            rest = [getattr(i, f.name) for f in fields(i) if f.name != "empty"]
            return ir.Chance, *rest, empty - start if empty >= 0 else empty
    return (i,)
