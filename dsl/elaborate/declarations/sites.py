"""What a question needs to know of the code behind it: whether its options must be tried.

Takes the finished code; completes the sites.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import nodes


def finish_sites(elab: Elaboration) -> list[ir.Site]:
    """Temps of the whole body, and whether the options must be tried."""
    tried = tried_sites(elab)
    for number, body in elab.out.site_bodies:
        site = elab.out.sites[number]
        elab.out.sites[number] = replace(site, temps=max(body.temps, site.temps), filter=number in tried)
    return elab.out.sites


def tried_sites(elab: Elaboration) -> set[int]:
    """Sites after which a demand may still fail while a plan is open: the options there must be tried."""
    planned = plan_procs(elab)
    result: set[int] = set()
    for proc in elab.out.procs.values():
        if proc is None or not proc.suspends or proc.entry < 0:
            continue
        number = next((n for n, p in elab.out.procs.items() if p is proc), -1)
        inside = number in planned
        end = proc.epilogue
        at = proc.entry
        while at < len(elab.out.code) and not isinstance(elab.out.code[at], ir.Leave):
            at += 1
        asks = [i for i in range(proc.entry, max(at, end) + 1) if isinstance(elab.out.code[i], ir.Ask)]
        opens = [i for i in range(proc.entry, max(at, end) + 1) if isinstance(elab.out.code[i], ir.OpenPlan)]
        for i in asks:
            if not inside and not any(o < i for o in opens):
                continue
            later = elab.out.code[i + 1 : max(at, end) + 1]
            if inside or any(may_fail(instr) for instr in later):
                ask = elab.out.code[i]
                assert isinstance(ask, ir.Ask)
                result.add(ask.site)
    return result


def may_fail(instr: ir.Instr) -> bool:
    """Whether an instruction may fail, or call or ask something that may."""
    if isinstance(instr, (ir.CallI, ir.Enter, ir.Ask)):
        return True
    return any(isinstance(n, (ir.Require, ir.Pay)) or isinstance(n, ir.Transfer) and n.exact for n in nodes(instr))


def plan_procs(elab: Elaboration) -> set[int]:
    """Procedures that run inside a plan: actions, and all that they call."""
    todo = [r.proc for r in elab.model.routines.values() if r.word == "action"]
    for i, instr in enumerate(elab.out.code):
        if isinstance(instr, ir.OpenPlan):
            for later in elab.out.code[i + 1 :]:
                if isinstance(later, ir.ClosePlan):
                    break
                if isinstance(later, ir.CallI):
                    todo.append(later.proc)
                elif isinstance(later, ir.Enter):
                    todo += later.choices
    seen: set[int] = set()
    while todo:
        n = todo.pop()
        if n in seen:
            continue
        seen.add(n)
        proc = elab.out.procs.get(n)
        if proc is None or not proc.suspends:
            continue
        at = proc.entry
        while at < len(elab.out.code):
            instr = elab.out.code[at]
            if isinstance(instr, ir.CallI):
                todo.append(instr.proc)
            elif isinstance(instr, ir.Enter):
                todo += instr.choices
            elif isinstance(instr, ir.Leave):
                break
            at += 1
    return seen
