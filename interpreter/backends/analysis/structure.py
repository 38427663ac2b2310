"""Instructions as structured control: a tree of nested blocks, tests and loops for a target language without jumps.

Where control does not nest, the tree has an `Exit`, and the driver goes on at that place.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from dsl.base.record import dataclass
from dsl.program import Program


@dataclass(frozen=True, slots=True)
class CarryOut:
    """Carry out an instruction that does not branch."""

    pc: int


@dataclass(frozen=True, slots=True)
class Test:
    """A choice between two blocks: of a branch (`then` where it holds), chance (`orelse`: nothing to draw), a
    confirmation."""

    pc: int
    then: Block
    orelse: Block


@dataclass(frozen=True, slots=True)
class BackEdge:
    """Count a unit of work: control goes back to an earlier instruction."""


@dataclass(frozen=True, slots=True)
class Loop:
    body: Block


@dataclass(frozen=True, slots=True)
class BreakLoop:
    pass


@dataclass(frozen=True, slots=True)
class ContinueLoop:
    pass


@dataclass(frozen=True, slots=True)
class Exit:
    """Give control back to the driver, which goes on at `pc`."""

    pc: int


@dataclass(frozen=True, slots=True)
class Last:
    """Carry out an instruction that ends the region: a question, the end, a call of an unknown procedure."""

    pc: int


@dataclass(frozen=True, slots=True)
class SetVariables:
    """Set frame variables: the depth of the frame, the number of the variable, its value."""

    values: tuple[tuple[int, int, Any], ...]


Step = CarryOut | Test | BackEdge | Loop | BreakLoop | ContinueLoop | Exit | Last | SetVariables
Block = list[Step]


class ProcedureIndex:
    """Gives the suspending procedure that an instruction belongs to."""

    def __init__(self, program: Program) -> None:
        rows = sorted((p.entry, n) for n, p in enumerate(program.procs) if p.suspends)
        self.starts = [entry for entry, _ in rows]
        self.numbers = [n for _, n in rows]

    def proc(self, pc: int) -> int:
        at = bisect_right(self.starts, pc) - 1
        return self.numbers[at] if at >= 0 else -1


def falls_through(block: Block) -> bool:
    """True if control can reach the end of a block."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, Test):
        return falls_through(last.then) or falls_through(last.orelse)
    if isinstance(last, Loop):
        return any(has_break(step) for step in last.body)
    return not isinstance(last, BreakLoop | ContinueLoop | Exit | Last)


def has_break(step: Step) -> bool:
    return isinstance(step, BreakLoop) or (isinstance(step, Test) and any(map(has_break, [*step.then, *step.orelse])))
