"""A position as a seat may imagine it, compiled from `interpreter.machine.redeal`; those who answered before in a round
answer anew."""

from __future__ import annotations

from functools import partial

from dsl.program import FP, FRAME_LINK, PC, SITE
from interpreter.backends.low.base.context import FRESH, GO, SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.exported import COUNT
from interpreter.backends.low.base.make import ONE, ZERO, bit, both, word
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.stores import BACK, KEEP, STASH
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import BELOW
from interpreter.backends.low.generators.store import STORE
from interpreter.backends.low.kernel.context import Host
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.machine.hidden import HiddenParts, hidden_of
from interpreter.machine.redeal import redeal

IMAGINE, REDEAL, ROUND = "bot_imagine", "bot_redeal", "bot_round"
"""Functions: make the store what a seat may imagine, with the generator at an address; deal what lies in it again; let
those who answered before in a round answer anew."""


class LowSight(Host):
    """What the redeal asks of the store (`interpreter.machine.redeal.Sight`)."""

    def __init__(self, lo: Lowering, parts: HiddenParts) -> None:
        super().__init__(lo)
        self.invariants = parts.invariants

    def sees(self, place: Expr, seat: Expr) -> Expr:
        return bit(low.Call(SEERS, (place,)), seat)

    def sees_top(self, zone: Expr, seat: Expr) -> Expr:
        return bit(low.Call(TOP_SEERS, (zone,)), seat)

    def is_lawful(self) -> Expr:
        if self.invariants:
            self.lo.w.call(FRESH)
        holds: Expr = ONE
        for one in self.invariants:
            holds = both(holds, low.Call(self.lo.want(FUNCTION, one.fn)))
        return holds

    def keep(self) -> Expr:
        return low.Call(KEEP) if self.invariants else ZERO

    def put_back(self, kept: Expr) -> None:
        if self.invariants:
            self.lo.w.call(BACK, kept)

    def forget(self, kept: Expr) -> None:
        if self.invariants:
            self.lo.w.emit(low.SetGlobal(STASH, kept))  # it lies last


def prepare(lo: Lowering) -> None:
    """Before the table of zones is written: the cells that are imagined are asked for like zones."""
    lo.cells = hidden_of(lo.program).zones[len(lo.program.zones) :]


def write(lo: Lowering) -> None:
    parts = hidden_of(lo.program)
    write_kernel(lo, redeal, REDEAL, parts=parts, sight=LowSight(lo, parts), store=STORE)
    if parts.rounds:
        _write_round(lo, parts)
    with lo.function(IMAGINE, ("seat", "at")) as w:
        w.call(FRESH)
        w.call(REDEAL, Local("seat"), Local("at"))
        if parts.rounds:
            w.call(ROUND, Local("seat"), Local("at"))
        w.give(ZERO)


def _write_round(lo: Lowering, hidden: HiddenParts) -> None:
    with lo.function(ROUND, ("seat", "at")) as w:
        for number, (asked, top) in hidden.rounds.items():
            stands_there = both(Op("==", word(SITE), Num(number + 1)), Op("==", word(PC), Num(asked)))
            w.when(stands_there, partial(_answer_anew, lo, number, top))
        w.give(ZERO)


def _answer_anew(lo: Lowering, number: int, top: int) -> None:
    w, site = lo.w, lo.program.sites[number]
    assert site.at_once is not None
    reached = low.Load(word(FP), FRAME_LINK + site.at_once[1])
    if site.cursor >= 0:
        w.emit(low.If(low.Load(word(FP), FRAME_LINK + site.cursor), (low.Return(ZERO),)))
    member = w.let(reached)
    stash = w.let(Global(STASH))
    kept = w.let(low.Call(KEEP))
    w.store(word(FP), FRAME_LINK + site.at_once[1], ONE)
    w.put(SITE, ZERO)
    w.call(FRESH)
    w.call(GO, Num(top))

    def one(label: str) -> None:
        w.leave_if(low.Not(word(SITE)), label)
        w.leave_if(Op(">=", reached, member), label)
        w.leave_if(Op("==", low.Call(ASKED), Local("seat")), label)
        chosen = w.let(low.Call(BELOW, (Local("at"), Global(COUNT))))
        w.call(FRESH)
        w.call(GO, low.Call(TAKE, (chosen,)))

    w.loop(one)
    arrived = both(Op("==", word(SITE), Num(number + 1)), Op("==", reached, member))
    w.when(low.Not(arrived), lambda: w.call(BACK, kept))
    w.emit(low.SetGlobal(STASH, stash))
