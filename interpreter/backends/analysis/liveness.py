"""Frame variables: their types, and where their values may still be read.

Takes the IR of a program. Frame variables live over questions and calls, unlike temps (`backends.analysis.dataflow`).
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ListType, SetType, Type
from dsl.program import Program
from interpreter.backends.analysis.dataflow import successors, walk
from interpreter.backends.analysis.substitute import Value
from interpreter.core.words import SCALARS

MOST_ITEMS = 256  # frame variables that are read by number


def initial_value(t: Type) -> Value | None:
    """The value of a frame variable before it is set; None: not one that this analysis represents."""
    if isinstance(t, ListType):
        return ()
    return 0 if type(t) in SCALARS or isinstance(t, SetType) else None


def instructions(program: Program, number: int) -> tuple[ir.Instr, ...]:
    """The instructions of a procedure; empty if it does not suspend."""
    proc = program.procs[number]
    ends = [p.entry for p in program.procs if p.suspends and p.entry > proc.entry]
    return program.code[proc.entry : min(ends, default=len(program.code))] if proc.suspends else ()


def slot_types(program: Program, number: int) -> dict[int, Type]:
    """The types of the frame variables of a procedure that suspends."""
    proc = program.procs[number]
    found: dict[int, Type] = {slot: t for slot, (_, t) in enumerate(proc.params)}
    code = instructions(program, number)
    sites = [program.sites[i.site] for i in code if isinstance(i, ir.Ask | ir.Confirm)]
    for node in walk((code, sites)):
        match node:
            case ir.FrameVar(slot, t) | ir.SetFrame(slot, t):
                found.setdefault(slot, t)
            case ir.FrameItem(slot, _, t):
                for k in range(slot, proc.frame_words):
                    found.setdefault(k, t)
            case ir.Chance(slot=slot, type=t) if t is not None:
                found.setdefault(slot, t)
    for site in sites:
        for slot, t in site.answer_slots():
            found.setdefault(slot, t)
    return found


def frame_reads(node: object) -> set[int]:
    """The frame variables that a part of the rules may read."""
    found: set[int] = set()
    for n in walk(node):
        if isinstance(n, ir.FrameVar):
            found.add(n.slot)
        elif isinstance(n, ir.FrameItem):
            found.update(range(n.slot, n.slot + MOST_ITEMS))
    return found


def list_counters(program: Program, number: int) -> dict[int, int]:
    """The frame variables of a procedure that are indexes of a list, and the variable of the list."""
    found: dict[int, int] = {}
    for node in walk(instructions(program, number)):
        match node:
            case ir.ListItem(ir.FrameVar(items), ir.FrameVar(index)):
                found[index] = items
    return found


def frame_liveness(program: Program) -> list[frozenset[int]]:
    """The live variables of the running frame for each instruction: those that it, or what follows it, may read. The
    variables of an answer are set by that answer only."""
    code = program.code
    effects = [frame_effects(program, i) for i in code]
    following = [frame_successors(program, pc) for pc in range(len(code))]
    live: list[frozenset[int]] = [frozenset()] * len(code)
    changed = True
    while changed:
        changed = False
        for pc in range(len(code) - 1, -1, -1):
            read, always = effects[pc]
            now = frozenset(read.union(*(live[to] - always - sets for to, sets in following[pc])))
            if now != live[pc]:
                live[pc], changed = now, True
    return live


def frame_effects(program: Program, i: ir.Instr) -> tuple[set[int], set[int]]:
    """The frame variables that an instruction reads before it sets them, and those it always sets."""
    match i:
        case ir.Run(body):
            read: set[int] = set()
            always: set[int] = set()
            for s in body:
                read |= frame_reads(s) - always
                if isinstance(s, ir.SetFrame) and s.offset is None:
                    always.add(s.slot)
            return read, always
        case ir.Ask(site):
            return frame_reads(program.sites[site].alternatives), set()
        case ir.Confirm(site):
            asked = program.sites[site]
            return frame_reads(asked.alternatives) | {slot for slot, _ in asked.answer_slots()}, set()
    return frame_reads(i), set()


def frame_successors(program: Program, pc: int) -> list[tuple[int, set[int]]]:
    """The successors of an instruction in its procedure, each with the frame variables that are set on this edge
    only."""
    match program.code[pc]:
        case ir.Ask(site, skip):
            return [(pc + 1, {slot for slot, _ in program.sites[site].answer_slots()}), (skip, set())]
        case ir.Chance(slot=slot, empty=empty):
            return [(pc + 1, {slot})] + ([(empty, set())] if empty >= 0 else [])
        case ir.Enter() | ir.EndList():
            return [(pc + 1, set())]
        case ir.Stop(procs):
            return [(pc + 1, set()), *((program.procs[n].epilogue, set[int]()) for n in procs)]
    return [(to, set()) for to in successors(program.code, pc)]
