"""Sites of questions: the code behind each, which says if its options must be tried.

Takes the finished code; completes the sites.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import MemberType
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
    planned, nested = plan_procs(elab)
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
            if number in nested or (may_fail_later(elab, i, later) if inside else any(map(may_fail, later))):
                ask = elab.out.code[i]
                assert isinstance(ask, ir.Ask)
                result.add(ask.site)
    return result


def may_fail_later(elab: Elaboration, at: int, later: list[ir.Instr]) -> bool:
    """Whether anything may fail in what follows a question to the end of its action, or the same question may come
    again. What comes after the action is not part of its plan."""
    for instr in later:
        if isinstance(instr, ir.Ask):
            site = elab.out.sites[instr.site]
            if not (site.if_any or site.decline):
                return True
        elif may_fail(instr) or isinstance(instr, ir.Chance) or any(demands(elab, node) for node in nodes(instr)):
            return True
        elif isinstance(instr, (ir.Jump, ir.Branch)) and 0 <= instr.target <= at:
            return True
    return False


def demands(elab: Elaboration, node: object) -> bool:
    """Whether a node may fail beside what `may_fail` knows: a call, `first` of nothing, a move to a full zone."""
    match node:
        case ir.CallS() | ir.Fold(kind="first"):
            return True
        case ir.MoveThing(zone=zone):
            numbers = zone_numbers(zone)
            bounded = {z.symbol for z in elab.model.all_zones() if z.cap}
            return numbers is None or any(elab.layout.zones[n].symbol in bounded for n in numbers)
    return False


def zone_numbers(zone: ir.Expr) -> range | None:
    """A range that holds the number of a zone, as far as its form tells."""
    if isinstance(zone, ir.Const):
        return range(zone.value, zone.value + 1)
    if not isinstance(zone, ir.Linear):
        return None
    low = high = zone.const
    for term, stride in zone.terms:
        if not (isinstance(term, ir.FrameVar) and isinstance(term.type, MemberType) and not term.type.optional):
            return None
        ends = term.type.low * stride, term.type.high * stride
        low, high = low + min(ends), high + max(ends)
    return range(low, high + 1)


def may_fail(instr: ir.Instr) -> bool:
    """Whether an instruction may fail, or call or ask something that may."""
    if isinstance(instr, (ir.CallI, ir.Enter, ir.Ask)):
        return True
    return any(isinstance(n, (ir.Require, ir.Pay)) or isinstance(n, ir.Transfer) and n.exact for n in nodes(instr))


def plan_procs(elab: Elaboration) -> tuple[set[int], set[int]]:
    """Procedures that run inside a plan: actions, and all that they call; and those of them that are called there, so
    that what follows them belongs to the plan as well."""
    actions = [r.proc for r in elab.model.routines.values() if r.word == "action"]
    todo, nested, code = actions, set[int](), elab.out.code
    for i, instr in enumerate(code):
        if isinstance(instr, ir.OpenPlan):
            for j in range(i + 1, len(code)):
                if isinstance(code[j], ir.ClosePlan):
                    break
                called = called_by(code[j])
                todo += called
                if not isinstance(code[j + 1], ir.ClosePlan):
                    nested.update(called)
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
            if isinstance(instr, ir.Leave):
                break
            todo += called_by(instr)
            nested.update(called_by(instr))
            at += 1
    return seen, nested


def called_by(instr: ir.Instr) -> tuple[int, ...]:
    """The procedures that an instruction may call. What waits for the end of a `together` is called as well where it
    begins to wait: no `together` may be open there."""
    if isinstance(instr, ir.CallI):
        return (instr.proc,)
    return tuple(instr.choices) if isinstance(instr, ir.Enter) else ()
