"""Observations of the adapters: what a seat sees of a state, as numbers and as text.

The numbers are the declared cells of the store in a fixed order, with `HIDDEN` for what the seat may not see; for a
hidden zone of public size, the size comes first. The texts are the view and the log of the seat. Neither shows more
than `interpreter.play.view` does.
"""

from __future__ import annotations

import json

from dsl import ir
from dsl.base.types import (
    INT_HIGH,
    INT_LOW,
    WORD_BITS,
    ListType,
    MapType,
    NoneType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
    width,
)
from dsl.program import ALL, SKIPPED, Program
from interpreter import State, log_for, view
from interpreter.core.words import HIDDEN, Words
from interpreter.rules.layout import holder_dims, holder_width, holders
from interpreter.visibility.audiences import knows
from interpreter.visibility.cells import sees_cell
from interpreter.visibility.unseen import unseen_count


class ObservationNumbers:
    """The observation of a program's states as a list of `size` numbers, which lie between `lows` and `highs`."""

    def __init__(self, program: Program) -> None:
        self.entries = [e for e in program.layout if e.sort not in SKIPPED]
        self.things = [thing for thing, address in enumerate(program.placed) if address]
        self.placed = program.placed
        if all(e.audience == ALL for e in self.entries):
            self.things = []  # the zones show where everything is
        self.lows, self.highs = self._bounds(program)
        self.size = len(self.lows)

    def _bounds(self, program: Program) -> tuple[list[int], list[int]]:
        """The lowest and the highest number that can stand at each place, by the types."""
        seats = program.seats[1]
        found = [(0, seats), (0, seats), (0, len(program.sites))]
        for entry in self.entries:
            words = word_bounds(entry.type, program) * (holder_width(entry) // width(entry.type))
            many = key_count(entry.dims[: holder_dims(entry)])
            if entry.audience != ALL:
                size, many = _greatest_size(entry, words), len(list(holders(entry)))
                words = [(HIDDEN, max(high, size)) for _, high in words]
            found += words * many
        found += [(HIDDEN, len(program.zones))] * len(self.things)
        return [low for low, _ in found], [high for _, high in found]

    def of(self, state: State, seat: int | None) -> list[int]:
        """The seat that looks (0: nobody's), the seat that is asked, the number of the question (0: unknown); the
        cells; the places of known things, if zones may hide them."""
        game, decision = state.game, state.decision
        words = state.words
        sees_plan = state.plan is None or state.plan.seat == seat
        if state.plan is not None and not sees_plan:
            words = state.plan.words
        found = [seat or 0, 0, 0]
        if decision is not None:
            found[1:] = [decision.seat, decision.number + 1 if sees_plan else 0]
        for entry in self.entries:
            size = holder_width(entry)
            if entry.audience == ALL:
                found += words[entry.base : entry.base + key_count(entry.dims) * width(entry.type)]
                continue
            for thing, base in holders(entry):
                if sees_cell(game, words, entry, thing, seat):
                    found += words[base : base + size]
                else:
                    found += _hidden(words, entry, base, size)
        found += [words[self.placed[t]] if knows(game, words, t, seat) else HIDDEN for t in self.things]
        return found


def _hidden(words: Words, entry: ir.LayoutEntry, base: int, size: int) -> list[int]:
    found = [HIDDEN] * size
    each = width(entry.type)
    for at in range(0, size, each):  # one after the other where there is a zone for each member
        count = unseen_count(words, entry, base + at)
        found[at] = HIDDEN if count is None else count
    return found


def word_bounds(t: Type, program: Program) -> list[tuple[int, int]]:
    """The lowest and the highest number of each word of a value in the store; 0 stands there before it is set."""
    match t:
        case SetType(elem):
            low, high = bounds(elem)
            members = high - low + 1
            return [(0, (1 << min(WORD_BITS, members - at)) - 1) for at in range(0, members, WORD_BITS)] or [(0, 0)]
        case ListType(elem, cap):
            return [(0, cap), *word_bounds(elem, program) * cap]
        case MapType(keys, value):
            return word_bounds(value, program) * key_count(keys)
        case SparseType(keys, cap):
            return [(0, cap), *[(0, key_count(keys)), (INT_LOW, INT_HIGH)] * cap]
        case PlaceType():
            return [(0, len(program.zones))]
        case NoneType():
            return [(0, 0)]
    low, high = bounds(t)
    return [(min(low, 0), max(high, 0))]


def _greatest_size(entry: ir.LayoutEntry, words: list[tuple[int, int]]) -> int:
    """The greatest size that stands at the beginning of a hidden zone; 0 where none does."""
    if not entry.size_seen:
        return 0
    if entry.sort == "pieces":
        return min(INT_HIGH, sum(high for _, high in words[: width(entry.type)]))
    if entry.sort == "zone" and isinstance(entry.type, SetType):
        low, high = bounds(entry.type.elem)
        return high - low + 1
    return 1


def observation(state: State, seat: int | None) -> str:
    """The view of a seat as one line of JSON."""
    return json.dumps(view(state, seat), ensure_ascii=False, sort_keys=True)


def view_with_log(state: State, seat: int | None) -> str:
    """The view after the log of the seat so far: what a player who forgets nothing knows."""
    return "\n".join([*log_for(state, seat), observation(state, seat)])
