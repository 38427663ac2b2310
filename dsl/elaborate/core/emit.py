"""Code under construction.

An `Emitter` collects instructions of one suspending procedure (straight stretches gathered into `Run`), or the
statements of a plain one. Labels are negative numbers until the procedure is finished.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import cast

from dsl import ir
from dsl.base.record import dataclass
from dsl.elaborate.core.scope import Body, Local, Scope, Val
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx


class Emitter:
    """The instructions of one suspending procedure (`flat`), or the statements of a plain one."""

    def __init__(self, flat: bool) -> None:
        self.flat = flat
        self.items: list[ir.Instr | int] = []  # an int is the position of a label
        self.buffers: list[list[ir.Stmt]] = [[]]
        self.labels = -1  # the first label is -2: -1 means "none" in a chance

    def emit(self, stmt: ir.Stmt) -> None:
        """Add a statement to the innermost block."""
        self.buffers[-1].append(stmt)

    def push(self) -> None:
        """Begin a block of statements."""
        self.buffers.append([])

    def pop(self) -> tuple[ir.Stmt, ...]:
        """End the innermost block and give its statements."""
        return tuple(self.buffers.pop())

    def flush(self) -> None:
        """Turn the statements so far into one instruction."""
        if self.buffers[-1]:
            assert len(self.buffers) == 1, "an instruction inside a statement"
            self.items.append(ir.Run(tuple(self.buffers[-1])))
            self.buffers[-1] = []

    def instr(self, i: ir.Instr) -> None:
        """Add an instruction; only outside of blocks of a suspending procedure."""
        assert self.flat and len(self.buffers) == 1, f"{type(i).__name__} in a procedure that does not suspend"
        self.flush()
        self.items.append(i)

    def label(self) -> int:
        """A new label, to be placed later."""
        self.labels -= 1
        return self.labels

    def place(self, label: int) -> None:
        """Put the label here."""
        self.flush()
        self.items.append(label)

    def link(self, base: int) -> tuple[list[ir.Instr], dict[int, int]]:
        """The instructions with labels resolved to addresses from `base`, and the addresses of the labels."""
        self.flush()
        at: dict[int, int] = {}
        instrs: list[ir.Instr] = []
        for item in self.items:
            if isinstance(item, int):
                at[item] = base + len(instrs)
            else:
                instrs.append(item)
        for i, instr in enumerate(instrs):
            match instr:
                case ir.Jump(target) | ir.Branch(_, target) | ir.Give(_, target) | ir.Confirm(_, target) if target < 0:
                    instrs[i] = cast(ir.Instr, replace(instr, target=at[target]))
                case ir.Ask(_, skip) if skip < 0:
                    instrs[i] = replace(instr, skip=at[skip])
                case ir.Chance(empty=empty) if empty < -1:
                    instrs[i] = replace(instr, empty=at[empty])
        return instrs, at


@dataclass(frozen=True, slots=True)
class Spent:
    """The `instead of` lines from which a block comes: the set of their numbers among all such lines, from 1. `line` is
    certainly one of them."""

    lines: ir.Expr
    line: int = 0


@dataclass(slots=True)
class EmitContext:
    """Where a statement stands: its routine, the code under construction, and where jumps go. `skip` is the label
    behind the innermost block (flat code), `epilogue` that of the end of the body; `spent` are the `instead of` lines
    from which this block comes."""

    routine: RoutineSym
    body: Body
    em: Emitter
    epilogue: int = 0
    skip: int = 0
    together_depth: int = 0
    spent: Spent | None = None
    site_counts: dict[str, int] = field(default_factory=dict)
    address: str = ""
    step: str = ""
    require_count: list[int] = field(default_factory=lambda: [0])
    # bodies of cases that wait until all have answered
    pending_cases: list[tuple[Local, list[tuple[sx.Case, Scope]]]] | None = None
    line: RuleLine | None = None
    result_slot: int = -1  # frame variable for what the routine gives, until it leaves
    in_plan: bool = False  # inside `plan by`
    first_argument: Val | None = None  # in the block of an `instead of` line: the first argument of its event

    def inside(self, **changes: object) -> EmitContext:
        """The same context with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def site_address(self, name: str) -> str:
        """A new address for a choice of this name; repeated names are numbered."""
        base = f"{self.address}.{self.step}.{name}" if self.step else f"{self.address}.{name}"
        n = self.site_counts.get(base, 0) + 1
        self.site_counts[base] = n
        return base if n == 1 else f"{base}_{n}"
