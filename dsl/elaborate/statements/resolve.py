"""`resolve`: the strip of a card is carried out for an actor (docs/manual/18-cards-and-strips.md).

Takes the sentence and emits the entry into the procedure of the strip that the card has, which is known at run time;
the procedures are made by `dsl.elaborate.declarations.strips`.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, Val, hidden_local
from dsl.elaborate.expressions import actors
from dsl.elaborate.statements import choose, do
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx


def resolve(elab: Elaboration, node: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`resolve c.strip by p`: run the strip of a card, unless the actor declines."""
    m = elab.model
    operand = node.operands[0]
    by = clause(node, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
    if not isinstance(operand, sx.Attr):
        m.error("RW0833", operand.span, "`resolve` takes the strip of a card", "write `resolve CARD.STRIP by WHO`")
        return
    card = elab.expr(operand.base, scope)
    kind = m.kind_of(card.t)
    if kind is None or actor is None:
        if card.t != ERROR:
            m.error("RW0833", operand.span, f"`{m.text(operand.base.span)}` is `{card.t}`, which has no strips")
        return
    parts = m.kind_parts(kind)
    if not all(operand.name in part.strips for part in parts):
        known = [strip for part in parts for strip in part.strips]
        m.unknown("RW0234", operand.span, f"strip of `{kind.name}`", operand.name, known)
        return
    declines = has_clause(node, "or decline")
    table = [0] * (m.thing_count + 1)
    asks_itself = [0] * (m.thing_count + 1)  # the strip begins with a choice, which may be declined
    procs: list[int] = []
    for (thing, strip), r in m.strip_routines.items():
        if strip == operand.name and any(part.low <= thing <= part.high for part in parts):
            head = m.strips[thing, strip].head
            if declines and isinstance(head, sx.StripExpr) and head.op == "/":
                r = optional_strip(elab, r)
                asks_itself[thing] = 1
            table[thing] = r.proc
            procs.append(r.proc)
            do.note_effect_actor(elab, r, actor, node.span)
    number = table_get(elab, table, card)
    skip = ctx.em.label()
    ctx.em.instr(ir.Branch(number, skip))
    if declines and len(procs) > sum(asks_itself):
        enter = ctx.em.label()
        if any(asks_itself):
            ctx.em.instr(ir.Branch(ir.Not(table_get(elab, asks_itself, card)), enter))
        chosen = hidden_local(m, scope, INT)
        whole = (ir.Alternative("resolve", (), (), ()),)
        choose.emit_question(
            elab,
            node,
            ctx.inside(skip=skip),
            scope,
            actor,
            "one",
            whole,
            operand.name,
            [scope],
            answer=(chosen.slot, INT),
        )
        ctx.em.place(enter)
    ctx.em.instr(ir.Enter(number, (actor.e,), tuple(dict.fromkeys(procs))))
    ctx.em.place(skip)


def table_get(elab: Elaboration, table: list[int], card: Val) -> ir.TableGet:
    """What a new table by thing says of a card."""
    elab.model.tables_data.append(tuple(table))
    return ir.TableGet(len(elab.model.tables_data) - 1, card.e)


def optional_strip(elab: Elaboration, r: RoutineSym) -> RoutineSym:
    """The procedure of a strip that begins with a choice, which may be declined there."""
    name = f"{r.name}#optional"
    found = elab.model.routines.get(name)
    if found is None:
        found = elab.model.routines[name] = replace(r, name=name, proc=elab.new_routine_number(), optional=True)
        elab.routines.pending_blocks.append((found, ""))
    return found
