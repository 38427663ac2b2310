"""What a seat sees of a state, as numbers and as text: the observations of the adapters.

The numbers are the declared cells of the store in a fixed order, with `HIDDEN` for what the seat may not see; for a
hidden zone of public size, the size comes first. The texts are the view and the log of the seat. Neither shows more
than `interpreter.play.view` does.
"""

from __future__ import annotations

import json

from dsl import ir
from dsl.base.types import key_count, width
from dsl.program import Program
from interpreter import State, log_for, view
from interpreter.play.view import SKIPPED, things_in
from interpreter.rules.layout import holder_width, holders
from interpreter.rules.rules import ALL
from interpreter.visibility.audiences import knows
from interpreter.visibility.cells import sees_cell

HIDDEN = -(2**31)  # below every number that a store can hold


class ObservationNumbers:
    """The observation of a program's states as a list of `size` numbers."""

    def __init__(self, program: Program) -> None:
        self.entries = [e for e in program.layout if e.sort not in SKIPPED]
        self.things = [thing for thing, address in enumerate(program.placed) if address]
        self.placed = program.placed
        if all(e.audience == ALL for e in self.entries):
            self.things = []  # the zones show where everything is
        cells = sum(key_count(e.dims) * width(e.type) for e in self.entries)
        self.size = 3 + cells + len(self.things)

    def of(self, state: State, seat: int | None) -> list[int]:
        """The seat that looks (0: nobody's), the seat that is asked, the number of the question (0: unknown); the
        cells; the places of known things, if zones may hide them."""
        game, decision = state.game, state.decision
        words = state.words
        sees_plan = state.plan is None or state.plan.seat == seat
        if state.plan is not None and not sees_plan:
            words = list(state.plan.words)
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


def _hidden(words: list[int], entry: ir.LayoutEntry, base: int, size: int) -> list[int]:
    found = [HIDDEN] * size
    each = width(entry.type)
    for at in range(0, size, each):  # one after the other where there is a zone for each member
        if entry.size_seen and entry.sort == "pieces":
            found[at] = sum(words[base + at : base + at + each])
        elif entry.size_seen and entry.sort == "slot":
            found[at] = int(words[base + at] != 0)
        elif entry.size_seen and entry.sort == "zone":
            found[at] = len(things_in(words, base + at, entry))
    return found


def observation(state: State, seat: int | None) -> str:
    """The view of a seat as one line of JSON."""
    return json.dumps(view(state, seat), ensure_ascii=False, sort_keys=True)


def view_with_log(state: State, seat: int | None) -> str:
    """The view after the log of the seat so far: what a player who forgets nothing knows."""
    return "\n".join([*log_for(state, seat), observation(state, seat)])
