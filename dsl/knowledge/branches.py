"""Branches that decide which instructions of a routine are carried out, or how often.

An instruction is controlled by a branch if it can be reached from it before the ways meet again.
"""

from __future__ import annotations

from collections.abc import Mapping

from dsl import ir
from dsl.knowledge.labels import OPEN, Label


def controlled(code: list[ir.Instr], entry: int, branches: Mapping[int, Label]) -> dict[int, Label]:
    """The label of all that decides whether each instruction of the routine at `entry` is carried out. `branches` are
    those whose tests tell something hidden."""
    if not branches:
        return {}
    nodes, after = reachable(code, entry)
    behind = post_dominators(nodes, after)
    result: dict[int, Label] = {}
    for branch, told in branches.items():
        meets = behind[branch] - {branch}
        todo = [n for n in after[branch] if n not in meets]
        seen: set[int] = set()
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            result[at] = result.get(at, OPEN) | told
            todo += [n for n in after[at] if n not in meets]
    return result


def reachable(code: list[ir.Instr], entry: int) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """The instructions of a routine, and those that may follow each."""
    after: dict[int, tuple[int, ...]] = {}
    todo = [entry]
    while todo:
        at = todo.pop()
        if at not in after:
            after[at] = successors(code[at], at)
            todo += after[at]
    return sorted(after), after


def post_dominators(nodes: list[int], after: Mapping[int, tuple[int, ...]]) -> dict[int, set[int]]:
    """The instructions that are passed on every way from each instruction to the end, itself among them."""
    everything = set(nodes)
    found = {n: {n} if not after[n] else everything for n in nodes}
    changed = True
    while changed:
        changed = False
        for n in reversed(nodes):
            if after[n]:
                now = {n} | set.intersection(*(found[m] for m in after[n]))
                if now != found[n]:
                    found[n], changed = now, True
    return found


def successors(instr: ir.Instr, at: int) -> tuple[int, ...]:
    """The instructions that may come next in the same routine."""
    match instr:
        case ir.Jump(target) | ir.Give(_, target):
            return (target,)
        case ir.Branch(_, target) | ir.Confirm(_, target):
            return (at + 1, target)
        case ir.Ask(_, skip):
            return (at + 1, skip)
        case ir.Chance(empty=empty) if empty >= 0:
            return (at + 1, empty)
        case ir.Leave() | ir.End():
            return ()
    return (at + 1,)
