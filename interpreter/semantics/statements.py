"""Statements: changes of the store that never suspend.

Each handler takes the run, the node and the temps and gives a signal: 0 to go on, else `BREAK`, `CONTINUE` or
`RETURN`. `EXECUTE` maps node classes to handlers; tracing and checking machines replace some of its entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import INT_HIGH, MOST_PIECES, IntType, MapType, TooLong, Type
from dsl.program import FP, FRAME_LINK, TOGETHER, TOGETHER_FRAME
from interpreter.core import frames, placement
from interpreter.core.pools import change_pool, pieces_at, pool_state, room_of
from interpreter.core.run import Executor, Run
from interpreter.core.words import Temps, save
from interpreter.semantics import purses
from interpreter.semantics.folds import domain_members

BREAK, CONTINUE, RETURN = 1, 2, 3


def run_body(m: Run, body: Sequence[ir.Stmt], t: Temps) -> int:
    ex = m.ex
    for s in body:
        signal = ex[type(s)](m, s, t)
        if signal:
            return signal
    return 0


# ------------------------------------------------------------ variables and fields


def _set_temp(m: Run, s: ir.SetTemp, t: Temps) -> int:
    t[s.slot] = m.ev[type(s.value)](m, s.value, t)
    return 0


def _set_frame(m: Run, s: ir.SetFrame, t: Temps) -> int:
    value = m.value(s.value, t)
    at = m.words[FP] + FRAME_LINK + s.slot
    if s.offset is not None:
        at += m.value(s.offset, t)
    write(m, at, s.type, value, "a local", Span("", 0, 0))
    return 0


def _store(m: Run, s: ir.Store, t: Temps) -> int:
    at = m.value(s.address, t)
    write(m, at, s.type, m.value(s.value, t), f"`{s.symbol}`", s.span)
    return 0


def write(m: Run, at: int, type_: Type, value: Any, what: str, span: Span) -> None:
    """Write a value after checking its numbers against the bounds of its type."""
    if isinstance(type_, IntType):
        if not type_.low <= value <= type_.high:
            raise m.fault(f"{what} must be in {type_.low}..{type_.high}, but was set to {value}", span)
        m.words[at] = value
        return
    if isinstance(type_, MapType) and isinstance(type_.value, IntType):
        low, high = type_.value.low, type_.value.high
        for item in value:
            if not low <= item <= high:
                raise m.fault(f"items of {what} must be in {low}..{high}, but one was set to {item}", span)
    try:
        save(m.words, at, type_, value)
    except TooLong as error:
        raise m.fault(f"{what}: {error}", span) from None


# ------------------------------------------------------------ pieces and things


def _transfer(m: Run, s: ir.Transfer, t: Temps) -> int:
    amount = m.value(s.amount, t)
    from_at, from_code, _ = pool_state(m, s.source, t)
    to_at, to_code, _ = pool_state(m, s.target, t)
    moved = transfer(m, s, amount, from_at, from_code, to_at, to_code)
    if s.moved is not None:
        t[s.moved] = moved
    return 0


def transfer(m: Run, s: ir.Transfer, amount: int, from_at: int, from_code: int, to_at: int, to_code: int) -> int:
    """Move pieces between two pools at known addresses; gives how many were moved."""
    if amount < 0:
        raise m.fault(f"{amount} {s.what} cannot be moved; the number must not be negative", s.span)
    there = pieces_at(m, s.source, from_at, from_code)
    moved = amount
    same = from_at == to_at and s.source.kind == s.target.kind != "endless"  # in a slot the piece may still be turned
    room = INT_HIGH if same else room_of(m, s.target, to_at, s.limit)
    if amount > there or amount > room:
        if s.exact:
            if amount > there:
                raise m.demand(f"{amount} {s.what} should leave `{s.source.symbol}`, but it holds only {there}", s.span)
            raise m.demand(f"{amount} {s.what} should go to `{s.target.symbol}`, but it has room for {room}", s.span)
        moved = max(0, min(amount, there, room))
    if moved and not (same and from_code == to_code):
        change_pool(m, s.source, from_at, from_code, -moved)
        if s.target.kind == "count" and not same and (held := m.words[to_at] + moved) > MOST_PIECES:
            message = f"`{s.target.symbol}` would hold {held} {s.what}, and a zone holds up to {MOST_PIECES} of a sort"
            raise m.fault(message, s.span)
        change_pool(m, s.target, to_at, to_code, moved)
    return moved


def _move_thing(m: Run, s: ir.MoveThing, t: Temps) -> int:
    thing = m.value(s.thing, t)
    if thing:
        at = s.at if s.at is None or isinstance(s.at, str) else m.value(s.at, t)
        placement.move(m, thing, m.value(s.zone, t), at, s)
    return 0


def _pay(m: Run, s: ir.Pay, t: Temps) -> int:
    try:
        purses.pay(m, s, t)
    except OverflowError:
        raise m.fault(f"a zone would hold more than {MOST_PIECES} pieces of a sort", s.span) from None
    return 0


def _show(m: Run, s: ir.Show, t: Temps) -> int:
    placement.reveal(m, m.value(s.things, t), m.value(s.seats, t))
    return 0


def _forget(m: Run, s: ir.Forget, t: Temps) -> int:
    placement.forget(m, m.value(s.things, t), m.value(s.named, t), m.value(s.seats, t))
    return 0


# ------------------------------------------------------------ control


def _if(m: Run, s: ir.IfS, t: Temps) -> int:
    return run_body(m, s.then if m.ev[type(s.test)](m, s.test, t) else s.orelse, t)


def _while(m: Run, s: ir.While, t: Temps) -> int:
    while m.value(s.test, t):
        m.work(s.span)
        signal = run_body(m, s.body, t)
        if signal == BREAK:
            break
        if signal == RETURN:
            return RETURN
    return 0


def _for(m: Run, s: ir.For, t: Temps) -> int:
    for v in domain_members(m, s.domain, t):
        t[s.slot] = v
        signal = run_body(m, s.body, t)
        if signal == BREAK:
            break
        if signal == RETURN:
            return RETURN
    return 0


def _break(m: Run, s: ir.Break, t: Temps) -> int:
    return BREAK


def _continue(m: Run, s: ir.Continue, t: Temps) -> int:
    return CONTINUE


def _return(m: Run, s: ir.Return, t: Temps) -> int:
    if s.value is not None:
        m.give(m.value(s.value, t))
    return RETURN


def _call(m: Run, s: ir.CallS, t: Temps) -> int:
    m.call_plain(s.proc, [m.value(arg, t) for arg in s.args])
    return 0


def call_plain(m: Run, number: int, args: Temps) -> None:
    """Run a procedure that does not suspend; `args` becomes its list of temps."""
    proc = m.program.procs[number]
    m.work(proc.span)
    if len(m.plain) >= m.program.limits.frames:
        deep = f"{len(m.plain)} routines are running inside each other where `{proc.name}` is called"
        raise m.fault(f"{deep}; is there an endless recursion?")
    m.plain.append(number)
    depth = m.words[TOGETHER]
    m.run_plain(number, args)
    if m.words[TOGETHER] != depth:
        together(m, depth - m.words[TOGETHER])  # it was left by `give`
    m.plain.pop()


def _require(m: Run, s: ir.Require, t: Temps) -> int:
    if not m.value(s.guard.test, t):
        text = s.guard.reason or s.guard.text
        raise m.demand(f"required: {text}", s.guard.span, s.guard.cites, ends=True)
    return 0


def _defer(m: Run, s: ir.Defer, t: Temps) -> int:
    frames.defer(m, s, [m.value(arg, t) for arg in s.args], [m.value(e, t) for e in s.order])
    return 0


def _timed(m: Run, s: ir.Timed, t: Temps) -> int:
    frames.timed(m, s, [m.value(v, t) for v in s.values])
    return 0


def _together(m: Run, s: ir.Together, t: Temps) -> int:
    together(m, s.delta)
    return 0


def together(m: Run, delta: int) -> None:
    """Count the open `together` of the frame of the outermost one; those of frames inside it change nothing."""
    words = m.words
    if not words[TOGETHER]:
        words[TOGETHER_FRAME] = words[FP]
    if words[TOGETHER_FRAME] == words[FP]:
        words[TOGETHER] += delta
    if not words[TOGETHER]:
        words[TOGETHER_FRAME] = 0


def do_nothing(m: Run, s: ir.Stmt, t: Temps) -> int:
    return 0


EXECUTE: dict[type, Executor] = {
    ir.SetTemp: _set_temp,
    ir.SetFrame: _set_frame,
    ir.Store: _store,
    ir.Transfer: _transfer,
    ir.MoveThing: _move_thing,
    ir.IfS: _if,
    ir.While: _while,
    ir.For: _for,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.Return: _return,
    ir.CallS: _call,
    ir.Require: _require,
    ir.Defer: _defer,
    ir.Timed: _timed,
    ir.Pay: _pay,
    ir.Show: _show,
    ir.Forget: _forget,
    ir.Together: _together,
    ir.AtomicEnd: do_nothing,
    ir.Note: do_nothing,
}
