"""Several lines at one event (CONCEPTS 6 and 21.1): ruleset lines in text order, then those of cards by their owners,
from the active seat on.

The active seat is the value or field `active` of the ruleset, else the first seat. Cards of one owner, and cards
without owner, keep the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsl import ir
from dsl import program as pg
from dsl.elaborate.base import ONE, ZERO
from dsl.elaborate.emit import Ctx
from dsl.elaborate.scope import Scope, Val
from dsl.elaborate.verbs import Verbs
from dsl.model import RuleLine
from dsl.span import NOWHERE
from dsl.types import INT, IntType, MemberType, SetType


@dataclass(frozen=True, slots=True)
class Heard:
    """A line that may hear an event: how it sees the arguments, whether it does, and the owner of its card as the event
    began."""

    line: RuleLine
    view: list[Val]
    when: ir.Expr
    owner: Val | None


class Sources(Verbs):
    def owning_seat(self, val: Val, depth: int) -> ir.Expr:
        raise NotImplementedError

    def in_order(self, lines: list[Heard], scope: Scope, ctx: Ctx, run: Callable[[Heard, ir.Expr], None]) -> None:
        """Emit `run(line, when)` for each line, in source order."""
        cards = [h for h in lines if h.line.this and h.owner is not None]
        if len({h.line.this for h in cards}) < 2:
            cards = []
        for h in [h for h in lines if not h.line.this] + [h for h in lines if h.line.this and h not in cards]:
            run(h, h.when)
        if cards:
            self.by_owner(cards, scope, ctx, run)

    def by_owner(self, cards: list[Heard], scope: Scope, ctx: Ctx, run: Callable[[Heard, ir.Expr], None]) -> None:
        """The lines of cards, the one whose owner comes first next."""
        em = ctx.em
        numbers = IntType(1, len(cards))
        pending, pick = self.hidden_local(scope, SetType(numbers)), self.hidden_local(scope, numbers)
        ranks = []
        for h in cards:
            rank = self.hidden_local(scope, INT)
            em.emit(self.assign(rank, self.turn_of(h.owner)))
            ranks.append(rank.read)
        heard = tuple(ir.If(h.when, ir.Const(i), ZERO) for i, h in enumerate(cards, 1))
        em.emit(self.assign(pending, ir.MakeSet(heard)))
        slot = scope.body.temp()
        key: ir.Expr = ranks[-1]
        for i, rank_read in reversed(list(enumerate(ranks[:-1], 1))):
            key = ir.If(ir.Compare("==", ir.Temp(slot), ir.Const(i)), rank_read, key)
        best = ir.Fold("first", ((slot, ir.Domain("set", pending.read)),), None, ((False, key),), ir.Temp(slot))
        some = ir.Compare("!=", pending.read, ZERO)
        step = (self.assign(pick, best), self.assign(pending, ir.Arith("&~", pending.read, ir.MakeSet((pick.read,)))))
        flat = em.flat and len(em.buffers) == 1
        top, end = em.label(), em.label()
        if flat:
            em.place(top)
            em.instr(ir.Branch(some, end))
        else:
            em.push()
        for statement in step:
            em.emit(statement)
        for i, h in enumerate(cards, 1):
            chosen = ir.Compare("==", pick.read, ir.Const(i))
            if flat:
                following = em.label()
                em.instr(ir.Branch(chosen, following))
                run(h, ONE)
                em.instr(ir.Jump(top))
                em.place(following)
            else:
                em.push()
                run(h, ONE)
                em.emit(ir.IfS(chosen, em.pop(), ()))
        if flat:
            em.place(end)
        else:
            em.emit(ir.While(some, em.pop()))

    def turn_of(self, owner: Val | None) -> ir.Expr:
        """How many seats after the active one an owner comes; nobody's cards come last."""
        seats = ir.Cell(ir.Const(pg.SEATS), INT)
        if owner is None:
            return seats
        seat, active = self.owning_seat(owner, 0), self.active_seat()
        distance = ir.Arith("-", seat, active)
        later = ir.If(ir.Compare(">=", seat, active), distance, ir.Arith("+", distance, seats))
        return ir.If(seat, later, seats)

    def active_seat(self) -> ir.Expr:
        value, found = self.m.values.get("active"), self.m.fields.get("active")
        if (
            value is not None
            and not value.params
            and isinstance(value.result, MemberType)
            and value.result.domain == "Seat"
        ):
            return self.call_value("active", [], NOWHERE).e
        if found is not None and isinstance(found.type, MemberType) and found.type.domain == "Seat":
            return ir.Cell(ir.Const(found.base), found.type, found.name)
        return ONE
