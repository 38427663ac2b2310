"""The handlers that call a machine's `on_...` methods, put into its tables only if a subclass overrides one.

A plain machine never uses them. Hooks are not called in trials of plans, which happen on copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from dsl.base.types import INT, PLACE, Type
from dsl.program import FP, HEADER
from interpreter.core import pools, stack
from interpreter.core.run import Run
from interpreter.core.words import Temps, load
from interpreter.semantics import instructions, purses, statements


def install(m: Run, plain: type) -> None:
    """Replace the handlers that concern a hook which the class of `m` overrides; `plain` is the class without hooks."""

    def overridden(name: str) -> bool:
        return getattr(type(m), name) is not getattr(plain, name)

    if overridden("on_store"):
        m.ex |= {ir.Store: _store, ir.Transfer: _transfer, ir.MoveThing: _move_thing, ir.Pay: _pay}
    if overridden("on_require"):
        m.ex[ir.Require] = _require
    if overridden("on_note"):
        m.ex[ir.Note] = _note
    if overridden("on_call") or overridden("on_leave"):
        m.ins |= {ir.Leave: _leave, ir.Stop: _stop}
        _hook_calls(m)


def _hook_calls(m: Run) -> None:
    enter, call_plain = m.enter, m.call_plain

    def hooked_enter(number: int, args: Temps, back: int) -> int:
        if not m.probing and m.program.procs[number].suspends:
            m.on_call(number, list(args))
        return enter(number, args, back)

    def hooked_plain(number: int, args: Temps) -> None:
        if m.probing:
            call_plain(number, args)
            return
        m.on_call(number, list(args))
        call_plain(number, args)
        m.on_leave(number)

    m.enter = hooked_enter  # type: ignore[method-assign]
    m.call_plain = hooked_plain  # type: ignore[method-assign]


def _leave(m: Run, i: ir.Leave, pc: int, t: Temps) -> int:
    number = m.words[m.words[FP] + 2]
    back = instructions.leave(m, i, pc, t)
    if not m.probing:
        m.on_leave(number if number >= 0 else ~number)
    return back


def _stop(m: Run, i: ir.Stop, pc: int, t: Temps) -> int:
    target = stack.innermost(m.words, i.procs)
    if target and not m.probing:
        for base in stack.bases(m.words):
            if base == target:
                break
            number = m.words[base + 2]
            m.on_leave(number if number >= 0 else ~number)
    return instructions.INSTRUCTIONS[ir.Stop](m, i, pc, t)


Watched = list[tuple[str, int, Type]]


def _report_changes(m: Run, watched: Watched, cause: ir.Expr | None, t: Temps, work: Callable[[], int]) -> int:
    """Do the work and report which of the watched cells it changed."""
    if m.probing:
        return work()
    cause_value = m.value(cause, t) if cause is not None else 0
    before = [load(m.words, at, type_) for _, at, type_ in watched]
    signal = work()
    for (symbol, at, type_), old in zip(watched, before, strict=True):
        new = load(m.words, at, type_)
        if new != old:
            m.on_store(symbol, at, type_, old, new, cause_value)
    return signal


def _store(m: Run, s: ir.Store, t: Temps) -> int:
    at = m.value(s.address, t)
    watched = [(s.symbol, at, s.type)] if at >= HEADER else []
    return _report_changes(m, watched, None, t, lambda: statements.EXECUTE[ir.Store](m, s, t))


def _transfer(m: Run, s: ir.Transfer, t: Temps) -> int:
    ends = [(pool.symbol, pools.pool_state(m, pool, t)[0], INT) for pool in (s.source, s.target)]
    watched: list[Any] = [end for end in ends if end[1]]
    return _report_changes(m, watched, s.cause, t, lambda: statements.EXECUTE[ir.Transfer](m, s, t))


def _move_thing(m: Run, s: ir.MoveThing, t: Temps) -> int:
    thing = m.value(s.thing, t)
    at = m.program.placed[thing] if thing < len(m.program.placed) else 0
    watched: Watched = [(m.program.thing_ids[thing], at, PLACE)] if at else []
    return _report_changes(m, watched, s.cause, t, lambda: statements.EXECUTE[ir.MoveThing](m, s, t))


def _pay(m: Run, s: ir.Pay, t: Temps) -> int:
    watched: Watched = [(symbol, at, INT) for symbol, at in purses.affected_cells(m, s, t)]
    return _report_changes(m, watched, s.cause, t, lambda: statements.EXECUTE[ir.Pay](m, s, t))


def _require(m: Run, s: ir.Require, t: Temps) -> int:
    if not m.probing:
        m.on_require(s.guard, bool(m.value(s.guard.test, t)), t)
    return statements.EXECUTE[ir.Require](m, s, t)


def _note(m: Run, s: ir.Note, t: Temps) -> int:
    if not m.probing:
        m.on_note(s.address, s.cites)
    return 0
