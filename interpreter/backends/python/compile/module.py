"""The Python text of a whole program: its regions, questions, functions and procedures in their order.

`write` takes a program and gives a `Module`, plain data that can be stored on disk.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.structure import ProcedureIndex, Region, called_procedures
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.functions import (
    module_context,
    values_context,
    write_finder,
    write_function,
    write_procedure,
)
from interpreter.backends.python.emit.statements import procedure_name
from interpreter.backends.python.regions.options import write_bindings, write_lister, write_rows
from interpreter.backends.python.regions.purses import write_purse
from interpreter.backends.python.regions.region import write_region, written_instructions
from interpreter.backends.python.regions.taker import write_taker
from interpreter.backends.python.runtime.module import Module
from interpreter.backends.python.runtime.options import form_of

REGION_LIMITS = ((200, 90, 90, 2), (2000, 20, 20, 1))
"""Instructions of a program; of a region at most; of a region from which on it ends where another begins anyway;
passes of a loop in its middle."""
LEAST_LIMITS = (12, 3, 1)  # the same in larger programs: what many regions share is written in few of them
CALLED_LIMITS = (90, 90, 2)  # the same where a procedure begins that is called, so that a pass of it stays inside

WRITERS: dict[str, Callable[[ModuleContext, int], None]] = {
    "function": write_function, "finder": write_finder, "procedure": write_procedure, "lister": write_lister,
}  # fmt: skip
"""The writers of functions that other functions call by name, by kind."""


def write(program: Program, checked: bool) -> Module:
    """The generated code of a program. `checked`: for runs that test invariants and places."""
    ctx = module_context(program, checked)
    program = ctx.program
    written, index = written_instructions(program), ProcedureIndex(program)
    limits = next((limits for most, *limits in REGION_LIMITS if len(program.code) <= most), LEAST_LIMITS)
    called = called_procedures(program, ctx.facts, written)
    begun = {program.procs[n].entry for n in called}
    entries = entry_points(program, written)
    others = frozenset(entries)

    def region(pc: int) -> Region:
        chosen = CALLED_LIMITS if pc in begun else limits
        return Region(program, ctx.facts, index, pc, written, called, others, *chosen)

    exits: set[int] = set()
    takers = []
    for pc, i in enumerate(program.code):
        if isinstance(i, ir.Ask) and form_of(program.sites[i.site]):
            exits |= write_taker(ctx, region(pc + 1), pc, i)
            takers.append(pc)
    regions: list[int] = []
    queue = entries
    while queue:
        for pc in queue:
            exits |= write_region(ctx, region(pc))
            regions.append(pc)
        queue = sorted(pc for pc in exits if pc in written and pc not in set(regions))
    listers, bindings, rows = [], [], []
    for n, site in enumerate(program.sites):
        if form_of(site):
            ctx.function_name("lister", n)
            listers.append(n)
            continue
        for k in range(len(site.alternatives)):
            write_bindings(ctx, n, k)
            bindings.append((n, k))
        if site.shape in ("some", "amounts"):
            write_rows(ctx, n)
            rows.append(n)
    for n in range(len(program.purses)):
        write_purse(ctx, n)
    for n in range(len(program.functions)):
        ctx.function_name("function", n)
    procedures = [n for n, p in enumerate(program.procs) if not p.suspends and procedure_name(ctx, n)]
    source = ctx.finish(WRITERS)
    return Module(
        source,
        ctx.objects,
        ctx.type_functions(),
        tuple(regions),
        tuple(takers),
        tuple(listers),
        tuple(bindings),
        tuple(rows),
        tuple(range(len(program.purses))),
        tuple(range(len(program.functions))),
        tuple(procedures),
        tuple(sorted(ctx.by_reference)),
        ctx.facts.uses_plans,
    )


def write_values(program: Program) -> Module:
    """The code of the function that bots judge by, and of those that it asks for: the costly ones are called by name,
    so that their values can be remembered."""
    ctx = values_context(program)
    ctx.function_name("function", program.evaluate)
    source = ctx.finish(WRITERS)
    apart = tuple(sorted(number for kind, number in ctx.written if kind == "function" and number in ctx.apart))
    return Module(source, ctx.objects, ctx.type_functions(), functions=apart)


def entry_points(program: Program, written: frozenset[int]) -> list[int]:
    """The instructions at which the machine may go on: entries, returns, answers, outcomes, epilogues."""
    found = {p.entry for p in program.procs if p.suspends} | {p.epilogue for p in program.procs if p.suspends}
    for pc, i in enumerate(program.code):
        match i:
            case ir.CallI() | ir.Enter():
                found.add(pc + 1)
            case ir.Ask(_, skip):
                found |= {pc, pc + 1, skip}
            case ir.Chance(empty=empty):
                found |= {pc, pc + 1, *((empty,) if empty >= 0 else ())}
            case ir.EndList() | ir.Drain():
                found.add(pc)
    return sorted(pc for pc in found | {0} if pc >= 0 and pc in written)
