"""`resolve`: the strip of a card is carried out for an actor (docs/manual/18-cards-and-strips.md).

Takes the sentence and emits the entry into the procedure of the strip that the card has, which is known at run time;
the procedures are made by `dsl.elaborate.declarations.strips`.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, hidden_local
from dsl.elaborate.expressions import actors
from dsl.elaborate.statements import choose, do
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
    if operand.name not in kind.strips:
        m.unknown("RW0234", operand.span, f"strip of `{kind.name}`", operand.name, list(kind.strips))
        return
    table = [0] * (m.thing_count + 1)
    procs: list[int] = []
    for (thing, strip), r in m.strip_routines.items():
        if strip == operand.name and kind.low <= thing <= kind.high:
            table[thing] = r.proc
            procs.append(r.proc)
            do.note_effect_actor(elab, r, actor, node.span)
    m.tables_data.append(tuple(table))
    number = ir.TableGet(len(m.tables_data) - 1, card.e)
    skip = ctx.em.label()
    ctx.em.instr(ir.Branch(number, skip))
    if has_clause(node, "or decline"):
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
    ctx.em.instr(ir.Enter(number, (actor.e,), tuple(dict.fromkeys(procs))))
    ctx.em.place(skip)
