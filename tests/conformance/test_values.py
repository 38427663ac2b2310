"""Derived values are worked out once: not again before a word that they may have read is another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import interpreter as rw
from dsl.program import TIMED, TIMED_LINK
from interpreter.backends.analysis.dataflow import facts
from interpreter.backends.analysis.footprint import Extent
from interpreter.backends.analysis.memo import Memo
from interpreter.backends.python.compile.machine import PythonMachine
from tests.conformance.tables import ROOT, Table, each_ruleset, playing

DECISIONS = 150


class Watched:
    """One remembered function: the words for which each of its values was last worked out. `timed`: where the timed
    records of a store begin and end, if it reads them."""

    def __init__(self, work: Any, reads: tuple[Extent, ...], timed: Callable[[list[int]], list[int]]) -> None:
        self.work, self.reads, self.timed = work, reads, timed
        self.last: dict[tuple[Any, ...], list[int]] = {}

    def __call__(self, store: list[int], *args: Any) -> Any:
        moved = [(e.start + (by := sum(args[slot] * n for slot, n in e.terms)), e.end + by) for e in self.reads]
        words = [word for start, end in moved for word in store[start:end]] + self.timed(store)
        assert self.last.get(args) != words, f"worked out again for {args}"
        self.last[args] = words
        return self.work(store, *args)


@each_ruleset
def test_no_value_is_worked_out_twice_while_nothing_that_it_reads_changes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rw.load(ROOT / table.folder)  # of its own: nothing is remembered from other tests
    machine = game.machine
    assert isinstance(machine, PythonMachine)
    names = machine.code.names
    program = game.program
    memo = Memo(program, facts(program))
    base, size = program.timed_base, TIMED_LINK + program.timed_args

    def timed(store: list[int]) -> list[int]:
        return store[base : base + size * store[TIMED]]

    watched = {
        n: Watched(names[f"_f{n}_v"], reads, timed if n in memo.timely else lambda _: [])
        for n, reads in memo.extents.items()
    }
    for n, value in watched.items():
        monkeypatch.setitem(names, f"_f{n}_v", value)
    for _ in playing(table, 7, DECISIONS, game=game):
        pass
    if program.id == "through_the_ages":
        assert sum(len(value.last) for value in watched.values()) > 100
