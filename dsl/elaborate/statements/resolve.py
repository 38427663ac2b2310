"""`do c.strip`: the strip of a card is carried out for an actor (docs/manual/18-cards-and-strips.md).

Takes the sentence and emits the entry into the procedure of the strip that the card has, which is known at run time;
the procedures are made by `dsl.elaborate.declarations.strips`.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, hidden_local
from dsl.elaborate.expressions import actors
from dsl.elaborate.statements import choose
from dsl.symbols.copies import refers_to_this
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx


def resolve(elab: Elaboration, node: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`do c.strip by p`: run the strip of a card, unless the actor declines."""
    m = elab.model
    operand = node.operands[0]
    by = clause(node, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
    assert isinstance(operand, sx.Attr), "a strip is `CARD.STRIP`"
    card = elab.expr(operand.base, scope)
    kind = m.kind_of(card.t)
    if kind is None or actor is None:
        if card.t != ERROR:
            m.error("RW0833", operand.span, f"`{m.text(operand.base.span)}` is `{card.t}`, which has no strips")
        return
    parts = m.kind_parts(kind)
    if not all(operand.name in part.strips for part in parts):
        known = [strip for part in parts for strip in part.strips]
        help = None if known else f"a routine is called by its name alone: `do {operand.name}(...)`"
        m.unknown("RW0234", operand.span, f"strip of `{kind.name}`", operand.name, known, help)
        return
    declines = has_clause(node, "or decline")
    table = [0] * (m.thing_count + 1)
    asks_itself = [0] * (m.thing_count + 1)  # the strip begins with a choice, which may be declined
    procs: list[int] = []
    whole: dict[int, RoutineSym] = {}  # the strips that are left out as a whole, by thing
    for (thing, strip), r in m.strip_routines.items():
        if strip == operand.name and any(part.low <= thing <= part.high for part in parts):
            head = m.strips[thing, strip].head
            if declines and isinstance(head, sx.StripExpr) and head.op == "/":
                r = optional_strip(elab, r)
                asks_itself[thing] = 1
            elif declines and head is not None:
                whole[thing] = r
            table[thing] = r.proc
            procs.append(r.proc)
            elab.routines.resolved.add(r.proc)
            actors.note_effect_actor(elab, r, actor, node.span)
            note_icons(elab, head, actor)
    number = table_get(elab, table, card)
    skip = ctx.em.label()
    ctx.em.instr(ir.Branch(number, skip))
    if whole:
        enter = ctx.em.label()
        if any(asks_itself):
            ctx.em.instr(ir.Branch(ir.Not(table_get(elab, asks_itself, card)), enter))
        chosen = hidden_local(m, scope, INT)
        guards = can_resolve(elab, whole, card, actor, operand, scope)
        choose.emit_question(
            elab,
            node,
            ctx.inside(skip=skip),
            scope,
            actor,
            "one",
            (ir.Alternative("resolve", (), guards, ()),),
            operand.name,
            [scope],
            answer=(chosen.slot, INT),
        )
        ctx.em.place(enter)
    entering = ir.Enter(number, (actor.e,), tuple(dict.fromkeys(procs)))
    ctx.em.instr(elab.findings.call(entering, node.span))
    ctx.em.place(skip)


def note_icons(elab: Elaboration, strip: sx.Expr | None, actor: Val) -> None:
    """Note the kind of `you` in the icons of a strip, which are made before it; a use that does not agree is told where
    the icon stands."""
    match strip:
        case sx.StripExpr(_, items):
            for item in items:
                note_icons(elab, item, actor)
        case sx.Call(sx.Name(name)) | sx.Name(name):
            icon = elab.model.routines.get(name)
            if icon is not None and icon.word == "icon" and icon.proc not in elab.routines.effect_you:
                actors.note_effect_actor(elab, icon, actor, strip.span)


def can_resolve(
    elab: Elaboration, strips: dict[int, RoutineSym], card: Val, actor: Val, operand: sx.Attr, scope: Scope
) -> tuple[ir.Guard, ...]:
    """Whether something of the strip of a card can be done: the condition of each kind of strip is made once, and the
    card says which is meant. No guard where none of the strips needs one."""
    inner = scope.child()
    inner.you = Local("you", actor.t, actor.e)
    tests: list[ir.Expr] = [ONE]  # by the number in the table
    known: dict[tuple[str, int], int] = {}
    numbers = [0] * (elab.model.thing_count + 1)
    for thing, r in strips.items():
        head = elab.model.strips[thing, operand.name].head
        while isinstance(head, sx.StripExpr) and head.op == "->":
            head = head.items[0]  # what comes afterwards does not count
        assert head is not None
        written = elab.model.text(head.span), r.this if refers_to_this(head) else 0
        if written not in known:
            inner.this = r.this
            tests.append(elab.tables.can_begin(elab, head, r, inner))
            known[written] = len(tests) - 1
        numbers[thing] = known[written]
    if len(tests) == 1:
        return ()
    test = one_of(table_get(elab, numbers, card), tests, 0)
    return (ir.Guard(test, elab.model.text(operand.span), (), operand.span),)


def one_of(number: ir.Expr, items: list[ir.Expr], first: int) -> ir.Expr:
    """The item with this number, which lies among theirs, counted from `first`."""
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    test = ir.Compare("<", number, ir.Const(first + half))
    return ir.If(test, one_of(number, items[:half], first), one_of(number, items[half:], first + half))


def table_get(elab: Elaboration, table: list[int], card: Val) -> ir.TableGet:
    """What a new table by thing says of a card."""
    elab.model.tables_data.append(tuple(table))
    return ir.TableGet(len(elab.model.tables_data) - 1, card.e)


def optional_strip(elab: Elaboration, r: RoutineSym) -> RoutineSym:
    """The procedure of a strip that begins with a choice, which may be declined there."""
    name = optional_name(r)
    found = elab.model.routines.get(name)
    if found is None:
        found = elab.model.routines[name] = replace(r, name=name, proc=elab.new_routine_number(), optional=True)
        elab.routines.pending_blocks.append((found, ""))
    return found


def optional_name(r: RoutineSym) -> str:
    """The name of the procedure of a strip where it may be declined."""
    return f"{r.name}#optional"
