"""Notes at the beginning of an event: the lines of cards that are in force, whose the cards are and where they lie, as
the running event began.

What happens in a `together` begins with it (docs/manual/14-checks-and-together.md), so all this is noted there, in
words of the store: what leaves together sees each other leave. Elsewhere it is as it is now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dsl import ir
from dsl import program as pg
from dsl.base.types import BOOL, INT, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.at_once import events_at_once
from dsl.elaborate.core.build import ONE, OPEN, ZERO, conj, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Body, Local, Scope, Val, assign, hidden_local
from dsl.elaborate.core.suspension import orders_events
from dsl.elaborate.events import force, order
from dsl.elaborate.events.order import ReactingLine
from dsl.symbols.symbols import RuleLine


def is_noted(elab: Elaboration, t: RuleLine) -> bool:
    """Whether a line is noted as a `together` begins: one of a card, on what may happen there."""
    if elab.memo.at_once is None:
        elab.memo.at_once = events_at_once(elab.model, elab.suspension)
    return bool(t.this) and t.timed < 0 and t.decl.name in elab.memo.at_once


def note(elab: Elaboration, name: str, t: Type) -> ir.Cell:
    """A word of the store for a note."""
    return ir.Cell(ir.Const(elab.layout.note(name, t)), t, pg.NOTE)


def force_note(elab: Elaboration, t: RuleLine) -> ir.Cell:
    """The note whether the `while` conditions of a line hold; lines of a card under the same ones share it."""
    known = elab.memo.noted_conditions.setdefault(t.this, [])
    if t.conditions not in known:
        known.append(t.conditions)
    return note(elab, f"force.{t.this}.{known.index(t.conditions)}", BOOL)


# ------------------------------------------------------------ what is asked


def in_force(elab: Elaboration, t: RuleLine, scope: Scope) -> list[ir.Expr]:
    """The tests whether the `while` conditions of a line held as its event began."""
    now = force.while_tests(elab, t, scope)
    if not now or not is_noted(elab, t):
        return now
    return [ir.If(OPEN, force_note(elab, t), conj(now))]


def owner_as_it_began(elab: Elaboration, t: RuleLine) -> Val | None:
    """The owner of the card of a line as its event began; None for lines of the ruleset."""
    now = force.line_owner(elab, t)
    if now is None or not is_noted(elab, t):
        return now
    return Val(ir.If(OPEN, note(elab, f"owner.{t.this}", now.t), now.e), now.t)


def bind_owner(elab: Elaboration, t: RuleLine, scope: Scope) -> None:
    """Let `owner` stand for the owner of the card as the event of its line began."""
    if is_noted(elab, t) and (local := force.owner_local(elab, t.this, scope)) is not None:
        noted = note(elab, f"owner.{t.this}", local.type)
        scope.special["owner"] = Local("owner", local.type, ir.If(OPEN, noted, local.read))


def rank_as_it_began(elab: Elaboration, t: RuleLine) -> ir.Expr:
    """The place of a card in source order as the event of its line began."""
    rank = order.source_rank(elab, t.this)
    return ir.If(OPEN, note(elab, f"rank.{t.this}", INT), rank) if is_noted(elab, t) else rank


def with_ranks(
    elab: Elaboration, lines: list[ReactingLine], scope: Scope, ctx: EmitContext, more: Iterable[ir.Stmt] = ()
) -> list[ReactingLine]:
    """The lines with the places of their cards in source order as the event began, worked out only if lines of several
    cards react; `more` is worked out then, too."""
    cards = sorted({h.line.this for h in lines if h.line.this})
    if len(cards) < 2:
        return lines
    ranks = {this: hidden_local(elab.model, scope, INT) for this in cards}
    several = ir.Compare(">", linear(0, [(ir.If(h.when, ONE, ZERO), 1) for h in lines if h.line.this]), ONE)
    first = {h.line.this: h.line for h in sorted(lines, key=lambda h: is_noted(elab, h.line)) if h.line.this}
    found = [*more, *(assign(local, rank_as_it_began(elab, first[this])) for this, local in ranks.items())]
    ctx.em.emit(ir.IfS(several, tuple(found), ()))
    return [replace(h, rank=ranks[h.line.this].read) if h.line.this else h for h in lines]


# ------------------------------------------------------------ what is noted


def begin(elab: Elaboration, ctx: EmitContext) -> None:
    """Several changes begin that are one: note what was so before them, unless they belong to others that are one."""
    if notes := noting(elab):
        ctx.em.emit(ir.IfS(ir.Not(OPEN), (ir.CallS(notes[0], ()),), ()))
    ctx.em.emit(ir.Together(1))


def end(elab: Elaboration, ctx: EmitContext) -> None:
    """They are over: nothing noted is left in the store, which is the position and nothing else."""
    ctx.em.emit(ir.Together(-1))
    if notes := noting(elab):
        ctx.em.emit(ir.IfS(ir.Not(OPEN), (ir.CallS(notes[1], ()),), ()))


def noting(elab: Elaboration) -> tuple[int, int] | None:
    """The numbers of the procedures that note and that clear the notes; None where no line is noted."""
    lines = [t for t in elab.model.triggers if is_noted(elab, t)]
    if lines and elab.memo.noting is None:
        elab.memo.noting = elab.new_routine_number(), elab.new_routine_number()
        body = Body("notes")
        taken = notes_of_lines(elab, lines, body)
        cleared: list[ir.Stmt] = [replace(s, value=ZERO) for s in stores(taken)]
        for number, temps, statements in zip(elab.memo.noting, (body.temps, 0), (taken, cleared), strict=True):
            elab.out.procs[number] = ir.Proc("notes", "notes", (), temps, False, tuple(statements))
    return elab.memo.noting


def stores(statements: Iterable[ir.Stmt]) -> list[ir.Store]:
    """The notes among these statements."""
    found: list[ir.Store] = []
    for s in statements:
        if isinstance(s, ir.Store):
            found.append(s)
        elif isinstance(s, ir.IfS):
            found += stores(s.then)
    return found


def notes_of_lines(elab: Elaboration, lines: list[RuleLine], body: Body) -> list[ir.Stmt]:
    """The statements that note whether each line is in force, and of a card with such a line its owner and rank."""
    found: list[ir.Stmt] = []
    cards = dict.fromkeys(t.this for t in lines)
    for this in cards:
        own = {t.conditions: t for t in lines if t.this == this}
        flags = {conditions: force_note(elab, t) for conditions, t in own.items() if conditions}
        for conditions, flag in flags.items():
            tests = force.while_tests(elab, own[conditions], force.line_scope(own[conditions], body))
            found.append(written(flag, conj(tests)))
        more: list[ir.Stmt] = []
        owner = force.owner_local(elab, this, Scope(body))
        if owner is not None:
            more.append(written(note(elab, f"owner.{this}", owner.type), owner.read))
        if len(cards) > 1 or orders_events(elab.model):
            more.append(written(note(elab, f"rank.{this}", INT), order.source_rank(elab, this)))
        if len(flags) == len(own):
            found.append(ir.IfS(ir.Or(tuple(flags.values())), tuple(more), ()))
        else:
            found += more
    return found


def written(note: ir.Cell, value: ir.Expr) -> ir.Store:
    return ir.Store(note.address, note.type, value, note.symbol)
