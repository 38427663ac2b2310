"""Instructions: each suspending procedure is one function over the numbers of its instructions.

It begins at a given instruction and gives the one at which the driver goes on: the entry of a procedure that it calls,
the return address where it ends, or STOPPED at a question or the end. Inside, a jump sets the number and goes through a
table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from dsl.base.types import INT_HIGH
from dsl.program import (
    CHANCE,
    DEFERRED,
    DRIVEN,
    FP,
    OVER,
    PC,
    PLAN,
    PLAN_FRAME,
    PLAN_SEAT,
    RV,
    SITE,
    TIMED,
    TOGETHER,
    TOGETHER_FRAME,
    Program,
)
from interpreter.backends.low.base.context import BULK, HEAP, LOOKING, PROBING, Lowering
from interpreter.backends.low.base.exported import COUNT, NUMBER, SP
from interpreter.backends.low.base.kinds import ANY, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.base.status import end_plan, fail, settle, stop
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.calls import arguments, enter, leave
from interpreter.backends.low.rules.chance import ask
from interpreter.backends.low.rules.items import ANYTHING, CLAIM, next_item
from interpreter.backends.low.rules.questions import LIST, is_offered, option
from interpreter.backends.low.rules.statements import body
from interpreter.backends.low.rules.variables import declare
from interpreter.backends.low.rules.writes import give
from interpreter.backends.low.scopes.frames import STOP, innermost
from interpreter.backends.low.scopes.orders import close_scope, open_scope
from interpreter.backends.low.scopes.records import CLOSE
from interpreter.backends.low.values.functions import fitted
from interpreter.choices.options import has_bare_bindings

PROCEDURE = "procedure"
AT = "pc"  # the variable that holds the number of the instruction
DISPATCH = "dispatch"
STOPPED = Num(-1)


def owners(program: Program) -> list[int]:
    """The suspending procedure that each instruction belongs to; 0 in front of all."""
    entries = sorted((proc.entry, n) for n, proc in enumerate(program.procs) if proc.suspends)
    found, k = [], -1
    for pc in range(len(program.code)):
        while k + 1 < len(entries) and entries[k + 1][0] <= pc:
            k += 1
        found.append(entries[k][1] if k >= 0 else 0)
    return found


def instructions_of(program: Program) -> dict[int, list[int]]:
    """The instructions of each procedure that suspends, by its number."""
    found: dict[int, list[int]] = {n: [] for n, proc in enumerate(program.procs) if proc.suspends}
    for pc, number in enumerate(owners(program)):
        if number in found and pc >= program.procs[number].entry:
            found[number].append(pc)
    return found


def write_procedure(lo: Lowering, number: int, own: list[int]) -> None:
    """Write a procedure that suspends, and has these instructions. One that cannot be lowered gives up, or all of them
    do."""
    try:
        _write_procedure(lo, number, own)
    except Unsupported as reason:
        lo.give_up(lo.program.procs[number].name, reason)
        with lo.function(f"{PROCEDURE}{number}", (AT,)) as w:
            w.trap(Reason.GAP)


def _write_procedure(lo: Lowering, number: int, own: list[int]) -> None:
    program = lo.program
    starts = _starts(program, own, program.procs[number].entry)
    with lo.function(f"{PROCEDURE}{number}", (AT,)) as w:
        w.way_out = low.Return(STOPPED)
        lo.asks = lo.trials.asks(tuple(program.code[pc] for pc in own))
        declare(lo, [i.body for pc in own if isinstance(i := program.code[pc], ir.Run)])
        rows: list[tuple[int, list[low.Stmt]]] = []
        for pc in own:
            if pc in starts:
                rows.append((pc, []))
            rows[-1][1].extend(_written(lo, number, pc))
        rows[-1][1].append(low.Trap(Reason.LOST))
        free = (low.SetGlobal(HEAP, lo.floor),) if w.scratch else ()  # nothing in it lasts
        table = low.Table(Local(AT), tuple((pc, (*free, *written)) for pc, written in rows))
        w.emit(low.Loop(DISPATCH, (table,)))


def _written(lo: Lowering, number: int, pc: int) -> list[low.Stmt]:
    """The statements of an instruction."""
    try:
        with lo.w.inside() as written:
            instruction(lo, pc)
    except Unsupported as reason:
        lo.give_up(lo.program.procs[number].name, reason)
        return [low.Trap(Reason.GAP)]
    return written


def _starts(program: Program, own: list[int], first: int) -> set[int]:
    """The instructions of a procedure that are reached otherwise than from the one in front of them."""
    found = {first}
    for pc in own:
        i = program.code[pc]
        for name in ("target", "skip", "empty"):
            to = getattr(i, name, -1)
            if isinstance(to, int) and to >= 0:
                found.add(to)
        if isinstance(i, ir.CallI | ir.Enter | ir.Ask | ir.Chance):
            found |= {pc, pc + 1}
        if isinstance(i, ir.EndList | ir.Drain):
            found |= {pc, pc + 1}
    return found


def go_to(lo: Lowering, pc: int, to: int) -> None:
    """Go to an instruction of the same procedure; back is a unit of work."""
    if to <= pc:
        lo.work()
    lo.w.set(AT, Num(to))
    lo.w.emit(low.Again(DISPATCH))


def instruction(lo: Lowering, pc: int) -> None:
    i = lo.program.code[pc]
    work = INSTRUCTIONS.get(type(i))
    if work is None:
        raise Unsupported(type(i).__name__)
    work(lo, i, pc)


# ------------------------------------------------------------ jumps and calls


def _run(lo: Lowering, i: ir.Run, pc: int) -> None:
    body(lo, i.body)


def _jump(lo: Lowering, i: ir.Jump, pc: int) -> None:
    go_to(lo, pc, i.target)


def _branch(lo: Lowering, i: ir.Branch, pc: int) -> None:
    lo.w.when(lo.number(i.test), lambda: None, lambda: go_to(lo, pc, i.target))


def _call(lo: Lowering, i: ir.CallI, pc: int) -> None:
    enter(lo, i.proc, arguments(lo, i.proc, i.args), pc + 1)


def _enter(lo: Lowering, i: ir.Enter, pc: int) -> None:
    which = lo.w.let(lo.number(i.proc))

    def one(number: int) -> Callable[[], None]:
        return lambda: enter(lo, number, arguments(lo, number, i.args), pc + 1)

    chosen = [0, *i.choices]
    fitting = [n for n in chosen if len(lo.program.procs[n].params) == len(i.args)]
    rows = {number: one(number) for number in fitting}
    if 0 not in rows:
        rows[0] = lambda: enter(lo, 0, [], pc + 1)
    lo.w.cases(which, rows)


def _give(lo: Lowering, i: ir.Give, pc: int) -> None:
    if i.value is not None:
        give(lo, i.value)
    if lo.facts.uses_together:
        left = both(word(TOGETHER), Op("==", word(TOGETHER_FRAME), word(FP)))
        lo.w.emit(low.If(left, (low.Store(Num(0), TOGETHER, ZERO), low.Store(Num(0), TOGETHER_FRAME, ZERO))))
    lo.w.set(AT, Num(i.target))
    lo.w.emit(low.Again(DISPATCH))


def _end_list(lo: Lowering, i: ir.EndList, pc: int) -> None:
    frame = lo.w.frame()
    if lo.facts.uses_deferred:
        next_item(lo, frame, pc, lambda: go_on_at(lo, pc))
    if lo.facts.uses_timed:
        lo.w.when(word(TIMED), lambda: lo.w.call(CLOSE, frame))
    number = lo.w.let(low.Load(frame, 2))
    lo.w.emit(low.If(Op(">=", number, ZERO), (low.Store(frame, 2, Op("^", number, Num(-1))),)))


def go_on_at(lo: Lowering, pc: int) -> None:
    """Go to an instruction without counting work."""
    lo.w.set(AT, Num(pc))
    lo.w.emit(low.Again(DISPATCH))


def _drain(lo: Lowering, i: ir.Drain, pc: int) -> None:
    def work() -> None:
        lo.known.add((CLAIM, 0))
        lo.w.call(CLAIM)
        thing = ANYTHING if i.thing is None else lo.w.let(lo.number(i.thing))
        next_item(lo, lo.w.let(Op("-", ZERO, lo.w.frame())), pc, lambda: go_on_at(lo, pc), thing)

    if lo.facts.uses_deferred:
        lo.w.when(both(word(DEFERRED), low.Not(word(TOGETHER))), work)


def _scope(lo: Lowering, i: ir.Scope, pc: int) -> None:
    if not i.begin:
        close_scope(lo)
        return
    open_scope(lo, i.waive, [(line, [fitted(lo, v, ANY) for v in values]) for line, values in i.mods])


def _stop(lo: Lowering, i: ir.Stop, pc: int) -> None:
    base = innermost(lo, i.procs)
    lo.w.when(base, lambda: lo.w.give(low.Call(STOP, (base,))))


def _leave(lo: Lowering, i: ir.Leave, pc: int) -> None:
    frame = lo.w.frame()
    back = leave(lo)
    if lo.facts.uses_plans:
        lo.w.when(both(word(PLAN), Op("==", word(PLAN_FRAME), frame)), lambda: end_plan(lo))
    lo.w.give(back)  # where that ends a trial, the driver sees it


# ------------------------------------------------------------ questions, plans, the end


def _ask(lo: Lowering, i: ir.Ask, pc: int) -> None:
    site, w = lo.program.sites[i.site], lo.w
    if lo.facts.uses_plans:
        w.when(word(PLAN), lambda: _commit_before(lo, site), lambda: settle(lo))
        stop(lo)
    w.put(PC, Num(pc))
    w.put(SITE, Num(i.site + 1))

    def wait() -> None:
        large = either(Op(">", word(RV), Num(INT_HIGH)), Op("<", word(RV), Num(-INT_HIGH)))
        w.emit(low.If(large, (low.Store(Num(0), RV, ZERO),)))
        w.give(STOPPED)

    some = w.let(_listed(lo, i.site))
    stop(lo)
    w.when(some, wait)
    w.put(SITE, ZERO)
    if site.decline or site.if_any:
        go_to(lo, pc, i.skip)
    else:
        fail(lo)
        w.give(STOPPED)


def _listed(lo: Lowering, number: int) -> Expr:
    """The number of options of a site, listed now. A bot that looks ahead gets one that stands for all where they
    would have to be searched or tried, as of a menu: the first way of a payment or gain that answers itself."""
    w, site = lo.w, lo.program.sites[number]
    listed = low.Call(lo.want(LIST, number))
    if not lo.looks:
        return listed
    ahead: Expr = Global(LOOKING)
    if len(site.alternatives) == 1 and has_bare_bindings(site):
        ahead = both(ahead, word(PLAN))
    ahead = both(ahead, low.Not(Global(PROBING)))
    found = w.fresh("some")
    w.set(found, ONE)

    def stand_in() -> None:
        w.emit(low.SetGlobal(COUNT, ZERO))
        option(lo, NUMBER, ONE, (ONE,))

    w.when(ahead, stand_in, lambda: w.set(found, listed))
    return Local(found)


def _confirm(lo: Lowering, i: ir.Confirm, pc: int) -> None:
    lo.w.when(is_offered(lo, i.site), lambda: go_to(lo, pc, i.target))


def _commit_before(lo: Lowering, site: ir.Site) -> None:
    """Commit the open plan if another seat is asked than the one that plans."""
    w = lo.w
    seat, actor = w.let(lo.number(site.seat)), w.let(lo.number(site.actor))
    planner = w.let(word(PLAN_SEAT))
    own = either(low.Not(planner), Op("==", planner, Op("-", ZERO, actor)))
    other = lo.w.written(lambda: w.when(Op("!=", seat, planner), lambda: end_plan(lo)))
    w.emit(low.If(own, (low.Store(Num(0), PLAN_SEAT, seat),), other))


def _open_plan(lo: Lowering, i: ir.OpenPlan, pc: int) -> None:
    w = lo.w
    seat = w.let(lo.number(i.seat))

    def keep() -> None:
        w.put(PC, Num(pc))
        w.put(lo.memory.planned, Global(SP))
        w.emit(low.Copy(Num(lo.memory.planned + 1), ZERO, Global(SP)))

    def begin() -> None:
        if lo.memory.planned:
            w.when(both(low.Not(Global(PROBING)), low.Not(Global(BULK))), keep)
        for at, value in ((PLAN, ONE), (PLAN_FRAME, word(FP)), (PLAN_SEAT, seat)):
            w.put(at, value)

    def nest() -> None:
        w.emit(low.If(Op("==", word(PLAN_FRAME), word(FP)), (low.Store(Num(0), PLAN, add(word(PLAN), 1)),)))

    w.when(low.Not(word(PLAN)), begin, nest)
    w.emit(low.If(Op("<=", word(PLAN_SEAT), ZERO), (low.Store(Num(0), PLAN_SEAT, seat),)))


def _close_plan(lo: Lowering, i: ir.ClosePlan, pc: int) -> None:
    w = lo.w

    def close() -> None:
        w.when(Op("==", word(PLAN), ONE), lambda: end_plan(lo), lambda: w.count(PLAN, -1))

    w.when(both(word(PLAN), Op("==", word(PLAN_FRAME), word(FP))), close)
    stop(lo)


def end(lo: Lowering) -> None:
    """Write instruction 0, at which the game, the procedure that a driver started, or what is being tried is over."""

    def all_is_over() -> None:
        lo.w.put(PC, ZERO)
        lo.w.when(word(DRIVEN), lambda: lo.w.put(DRIVEN, ZERO), lambda: lo.w.put(OVER, ONE))

    if lo.trials.tries:
        lo.w.when(Global(PROBING), lambda: settle(lo), all_is_over)
    else:
        all_is_over()


def _end(lo: Lowering, i: ir.End, pc: int) -> None:
    end(lo)
    lo.w.give(STOPPED)


def _chance(lo: Lowering, i: ir.Chance, pc: int) -> None:
    settle(lo)
    stop(lo)
    if lo.facts.uses_plans:
        lo.w.when(word(PLAN), lambda: end_plan(lo))

    def empty() -> None:
        if i.empty >= 0:
            go_to(lo, pc, i.empty)
        else:
            lo.w.trap(Reason.FAULT)

    def wait() -> None:
        lo.w.put(PC, Num(pc))
        lo.w.put(CHANCE, Num(pc))
        lo.w.give(STOPPED)

    ask(lo, i, pc, empty, wait)


Step = Callable[[Lowering, Any, int], None]

INSTRUCTIONS: dict[type, Step] = {
    ir.Run: _run,
    ir.Jump: _jump,
    ir.Branch: _branch,
    ir.CallI: _call,
    ir.Enter: _enter,
    ir.Give: _give,
    ir.EndList: _end_list,
    ir.Drain: _drain,
    ir.Leave: _leave,
    ir.Scope: _scope,
    ir.Stop: _stop,
    ir.Ask: _ask,
    ir.Confirm: _confirm,
    ir.Chance: _chance,
    ir.OpenPlan: _open_plan,
    ir.ClosePlan: _close_plan,
    ir.End: _end,
}
