"""Outcomes of chance as whole numbers that stay the same, as `tools.adapters.actions` has options."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import bounds as type_bounds
from dsl.program import Program
from interpreter.choices.numbers import MAX_VALUES
from tools.adapters.actions import TooManyOptions


class ChanceNumbers:
    """Numbers below `size` for the outcomes of chance: by value, or by place for an event with too many values."""

    def __init__(self, program: Program, room: int) -> None:
        spans: dict[str, tuple[int, int]] = {}
        for event in program.code:
            if isinstance(event, ir.Chance):
                low, high = _outcome_bounds(program, event)
                lowest, highest = spans.get(event.address, (low, high))
                spans[event.address] = min(low, lowest), max(high, highest)
        self.lowest = {address: low for address, (low, high) in spans.items() if high - low < MAX_VALUES}
        widest = [high - low + 1 if address in self.lowest else room for address, (low, high) in spans.items()]
        self.size = max(widest, default=0)

    def numbered(self, address: str, outcomes: list[tuple[int, int]]) -> dict[int, tuple[int, int]]:
        """The outcomes of the chance event at this address, values and weights, by their numbers; raises
        `TooManyOptions`."""
        found, low = sorted(outcomes), self.lowest.get(address)
        numbers = range(len(found)) if low is None else [value - low for value, _ in found]
        if numbers[-1] >= self.size:
            message = f"`{found[-1][0]}` is beyond the {self.size} numbers for chance; give the adapter more `room`"
            raise TooManyOptions(message)
        return dict(zip(numbers, found, strict=True))


def _outcome_bounds(program: Program, event: ir.Chance) -> tuple[int, int]:
    """The lowest and the highest outcome of a chance event."""
    if event.op == "shuffle":
        return 0, len(program.thing_ids) - 1
    assert event.type is not None, "what is drawn goes into a variable"
    return type_bounds(event.type)
