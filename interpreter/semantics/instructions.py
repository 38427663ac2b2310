"""Instructions: what can call, jump, suspend or end.

Each handler takes the run, the node, its number and the temps, and gives the number of the instruction that
follows, or `STOPPED` where the machine waits for an answer or has come to an end. Between two instructions
everything lives in the store.
"""

from __future__ import annotations

from dsl import ir
from dsl.program import DEFERRED, DRIVEN, FP, OVER, PC, PLAN, PLAN_FRAME, PLAN_SEAT, SITE, TOGETHER, TOGETHER_FRAME
from interpreter.core import frames, stack
from interpreter.core.errors import PlanSettled
from interpreter.core.run import STOPPED, Run, Step
from interpreter.core.words import Temps
from interpreter.semantics import chance
from interpreter.semantics.statements import run_body


def _run(m: Run, i: ir.Run, pc: int, t: Temps) -> int:
    run_body(m, i.body, t)
    return pc + 1


def _jump(m: Run, i: ir.Jump, pc: int, t: Temps) -> int:
    return i.target


def _branch(m: Run, i: ir.Branch, pc: int, t: Temps) -> int:
    return pc + 1 if m.ev[type(i.test)](m, i.test, t) else i.target


def _call(m: Run, i: ir.CallI, pc: int, t: Temps) -> int:
    return m.enter(i.proc, [m.value(arg, t) for arg in i.args], pc + 1)


def _enter(m: Run, i: ir.Enter, pc: int, t: Temps) -> int:
    return m.enter(m.value(i.proc, t), [m.value(arg, t) for arg in i.args], pc + 1)


def _give(m: Run, i: ir.Give, pc: int, t: Temps) -> int:
    if i.value is not None:
        m.give(m.value(i.value, t))
    if m.words[TOGETHER] and m.words[TOGETHER_FRAME] == m.words[FP]:
        m.words[TOGETHER] = m.words[TOGETHER_FRAME] = 0  # it is left
    return i.target


def _end_list(m: Run, i: ir.EndList, pc: int, t: Temps) -> int:
    item = frames.next_item(m, m.words[FP])
    if item is not None:
        return m.enter(item[0], item[1], pc)
    frames.close(m)
    return pc + 1


def _drain(m: Run, i: ir.Drain, pc: int, t: Temps) -> int:
    if m.words[TOGETHER] or not m.words[DEFERRED]:
        return pc + 1
    frames.claim(m)
    item = frames.next_item(m, -m.words[FP], None if i.thing is None else m.value(i.thing, t))
    return pc + 1 if item is None else m.enter(item[0], item[1], pc)


def leave(m: Run, i: ir.Leave, pc: int, t: Temps) -> int:
    return frames.pop(m)


def _stop(m: Run, i: ir.Stop, pc: int, t: Temps) -> int:
    base = stack.innermost(m.words, i.procs)
    return frames.stop(m, base) if base else pc + 1


def _ask(m: Run, i: ir.Ask, pc: int, t: Temps) -> int:
    """Wait for an answer; skip where nothing can be chosen and the site allows it."""
    words = m.words
    site = m.program.sites[i.site]
    if not words[PLAN] and m.probing:
        raise PlanSettled
    if words[PLAN] and not _asks_planner(m, site, t):
        m.commit()
    words[PC], words[SITE] = pc, i.site + 1
    if m.list_options() if m.rng is None or m.probing else m.draw_options(m.rng):
        m.drop_given()  # a set or list is read right after the call
        return STOPPED
    words[SITE] = 0
    if site.decline or site.if_any:
        return i.skip
    message = f"a dead end: `{site.address}` must be answered, but there is nothing to choose"
    raise m.demand(message, site.span, site.cites)


def _asks_planner(m: Run, site: ir.Site, t: Temps) -> bool:
    """True if the question goes to the seat of the open plan. A trial may know the actor only; his first question names
    his seat."""
    words = m.words
    seat, planner = m.value(site.seat, t), words[PLAN_SEAT]
    if planner == 0 or planner == -m.value(site.actor, t):
        words[PLAN_SEAT] = planner = seat
    return bool(seat == planner)


def _open_plan(m: Run, i: ir.OpenPlan, pc: int, t: Temps) -> int:
    words = m.words
    if not words[PLAN]:
        if not m.probing:
            m.plan_start = words[:]
        words[PLAN], words[PLAN_FRAME], words[PLAN_SEAT] = 1, words[FP], m.value(i.seat, t)
    elif words[PLAN_FRAME] == words[FP]:
        words[PLAN] += 1
    if words[PLAN_SEAT] <= 0:
        words[PLAN_SEAT] = m.value(i.seat, t)
    return pc + 1


def _close_plan(m: Run, i: ir.ClosePlan, pc: int, t: Temps) -> int:
    words = m.words
    if words[PLAN] and words[PLAN_FRAME] == words[FP]:
        if words[PLAN] == 1:
            m.end_plan()
        else:
            words[PLAN] -= 1
    return pc + 1


def _scope(m: Run, i: ir.Scope, pc: int, t: Temps) -> int:
    if i.begin:
        frames.open_scope(m, i.waive, [(line, [m.value(v, t) for v in values]) for line, values in i.mods])
    else:
        frames.close_scope(m)
    return pc + 1


def _end(m: Run, i: ir.End, pc: int, t: Temps) -> int:
    if m.probing:
        raise PlanSettled
    words = m.words
    words[PC] = 0
    if words[DRIVEN]:
        words[DRIVEN] = 0
    else:
        words[OVER] = 1
    return STOPPED


INSTRUCTIONS: dict[type, Step] = {
    ir.Run: _run,
    ir.Jump: _jump,
    ir.Branch: _branch,
    ir.CallI: _call,
    ir.Enter: _enter,
    ir.Give: _give,
    ir.EndList: _end_list,
    ir.Drain: _drain,
    ir.Leave: leave,
    ir.Stop: _stop,
    ir.Ask: _ask,
    ir.Chance: chance.chance,
    ir.OpenPlan: _open_plan,
    ir.ClosePlan: _close_plan,
    ir.Scope: _scope,
    ir.End: _end,
}
