"""Facts about a program that a generator needs before it writes code: calls, features never used.

Takes the IR of a program and gives sets and numbers; it changes and writes nothing. All generating back ends use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.ir.walk import children, free, walk
from dsl.program import Program

SMALL_BODY = 18  # nodes of a function that is inlined where it is called
FRAME_ITEMS = 4096  # frame variables that an item with an unknown number may be
__all__ = [
    "FRAME_ITEMS", "SMALL_BODY", "FlowFacts", "children", "facts", "frame_slots", "free", "longest_chain",
    "recursive", "size", "successors", "walk",
]  # fmt: skip


def size(node: Any) -> int:
    """The nodes of an expression that are evaluated."""
    nodes = sum(1 for n in walk(node) if ir.is_node(n))
    return nodes - sum(size(n.meaning) for n in walk(node) if isinstance(n, ir.ByPlace))


def frame_slots(part: Any) -> Iterator[int]:
    """The frame variables that statements may set."""
    for s in walk(part):
        if isinstance(s, ir.SetFrame):
            if s.offset is None:
                yield s.slot
            else:
                yield from range(s.slot, s.slot + FRAME_ITEMS)


def successors(code: tuple[ir.Instr, ...], pc: int) -> tuple[int, ...]:
    """The instructions up to which temps may live behind one: none lives over a question, chance or a call."""
    match code[pc]:
        case ir.Run() | ir.Drain() | ir.OpenPlan() | ir.ClosePlan() | ir.Scope():
            return (pc + 1,)
        case ir.Jump(target) | ir.Give(target=target):
            return (target,)
        case ir.Branch(target=target) | ir.Confirm(target=target):
            return (pc + 1, target)
        case ir.CallI() | ir.Enter():
            return (pc + 1,)  # one that does not suspend keeps the temps of its caller
        case ir.Ask(skip=skip):
            return (skip,)
        case ir.Chance(empty=empty) if empty >= 0:
            return (pc + 1, empty)
        case ir.Chance():
            return (pc + 1,)
    return ()


# ------------------------------------------------------------ features of a program


@dataclass(frozen=True, slots=True)
class FlowFacts:
    """Facts about a program. `uses_...`: whether it ever has that. `frames_from_plain`: whether procedures that do not
    suspend read or write frame variables. `recursive_...`: those that may call themselves."""

    uses_deferred: bool
    uses_timed: bool
    uses_plans: bool
    uses_together: bool
    uses_running: bool
    frames_from_plain: bool
    recursive_fns: frozenset[int]
    recursive_procs: frozenset[int]
    depth: int  # of procedures that do not suspend inside each other
    sizes: tuple[int, ...]  # nodes of each function


def facts(program: Program) -> FlowFacts:
    """The facts about a program."""
    nodes = (program.code, program.procs, program.functions, program.sites, program.purses)
    needs = program.needs  # of rulings, which are not generated
    kinds: set[type] = set()
    mods = needs.changed
    for node in walk(nodes):
        kinds.add(type(node))
        if isinstance(node, ir.Possible) and (node.waive or node.mods):
            mods = True
    fn_calls = [{n.fn for n in walk(f.body) if isinstance(n, ir.CallFn)} for f in program.functions]
    proc_calls = [{n.proc for n in walk(p.body) if isinstance(n, ir.CallS)} for p in program.procs]
    recursive_procs = recursive(proc_calls)
    return FlowFacts(
        ir.Defer in kinds,
        mods or ir.Timed in kinds or ir.Scope in kinds,
        ir.OpenPlan in kinds or ir.Possible in kinds or bool(needs.tried),
        ir.Together in kinds,
        ir.Running in kinds or needs.running,
        any(isinstance(n, ir.SetFrame | ir.FrameVar | ir.FrameItem) for p in program.procs for n in walk(p.body)),
        recursive(fn_calls),
        recursive_procs,
        0 if recursive_procs else longest_chain(proc_calls),
        tuple(size(f.body) for f in program.functions),
    )


def recursive(calls: list[set[int]]) -> frozenset[int]:
    """The members of a call graph that may call themselves, directly or through others."""
    reach = [set(c) for c in calls]
    changed = True
    while changed:
        changed = False
        for found in reach:
            more = set().union(*(reach[n] for n in found)) - found if found else set()
            if more:
                found |= more
                changed = True
    return frozenset(n for n, found in enumerate(reach) if n in found)


def longest_chain(calls: list[set[int]]) -> int:
    """The longest chain of calls in a graph without cycles."""
    depth: dict[int, int] = {}

    def of(n: int) -> int:
        if n not in depth:
            depth[n] = 1 + max((of(c) for c in calls[n]), default=0)
        return depth[n]

    return max((of(n) for n in range(len(calls))), default=0)
