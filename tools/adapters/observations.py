"""What a seat sees of a state, as numbers and as text: the observations of the adapters.

The numbers are the declared cells of the store in a fixed order, with `HIDDEN` where the seat may not look; of a hidden
zone whose size is public, the size comes first. The texts are the view and the log of the seat. Both show no more than
`interpreter.play.view` does.
"""

from __future__ import annotations

import json

from dsl import ir
from dsl.base.types import key_count, width
from dsl.program import Program
from interpreter import State, log_for, view
from interpreter.play.view import SKIPPED, things_in
from interpreter.rules.layout import holders, inner
from interpreter.rules.rules import ALL
from interpreter.visibility.audiences import knows
from interpreter.visibility.cells import sees_cell

HIDDEN = -(2**31)  # below every number that a store can hold


class Numbers:
    """The observation of a program's states as a list of `size` numbers."""

    def __init__(self, program: Program) -> None:
        self.entries = [e for e in program.layout if e.sort not in SKIPPED]
        self.things = [thing for thing, address in enumerate(program.placed) if address]
        self.placed = program.placed
        if all(e.audience == ALL for e in self.entries):
            self.things = []  # the zones tell where everything is
        cells = sum(key_count(e.dims) * width(e.type) for e in self.entries)
        self.size = 3 + cells + len(self.things)

    def of(self, state: State, seat: int | None) -> list[int]:
        """Who looks, who is asked, which question; the cells; where known things are, if zones may hide them."""
        game, decision = state.game, state.decision
        words = state.words
        told = state.plan is None or state.plan.seat == seat
        if state.plan is not None and not told:
            words = list(state.plan.words)
        found = [seat or 0, 0, 0]
        if decision is not None:
            found[1:] = [decision.seat, decision.number + 1 if told else 0]
        for entry in self.entries:
            size = inner(entry)
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
    if entry.size_seen and entry.sort == "pieces":
        found[0] = sum(words[base : base + size])
    elif entry.size_seen and entry.sort == "slot":
        found[0] = int(words[base] != 0)
    elif entry.size_seen and entry.sort == "zone":
        found[0] = len(things_in(words, base, entry))
    return found


def observation(state: State, seat: int | None) -> str:
    """The view of a seat as one line of JSON."""
    return json.dumps(view(state, seat), ensure_ascii=False, sort_keys=True)


def memory(state: State, seat: int | None) -> str:
    """The view, after all that the seat was told so far: what a player who forgets nothing knows."""
    return "\n".join([*log_for(state, seat), observation(state, seat)])
