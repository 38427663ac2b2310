"""`do`: routines, effects and strips of cards are called, and what a routine gives becomes a local."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import ERROR, MemberType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, Val, assign, bind
from dsl.elaborate.core.types import kept
from dsl.elaborate.events import reactions
from dsl.elaborate.expressions import actors, calls, folds
from dsl.elaborate.statements import resolve
from dsl.symbols.rule_lines import parameters
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, runs_strip
from dsl.syntax import nodes as sx


def do(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`do F(args)`: a call of a routine, or of the effect of a card."""
    m = elab.model
    node = s.operands[0]
    target, args = (node.func, node.args) if isinstance(node, sx.Call) else (node, ())
    if isinstance(target, sx.Attr) and target.name == "effect":
        do_effect(elab, s, target, args, scope, ctx)
        return
    if runs_strip(s):
        resolve.resolve(elab, s, scope, ctx)
        return
    if decline := clause(s, "or decline"):
        help = "ask with `choose`, or order an action with `perform`"
        m.error("RW0119", decline.span, "only a strip of a card can be declined here", help)
    name = target.id if isinstance(target, sx.Name) else ""
    r = m.routines.get(name)
    if r is None:
        if name in m.values:
            m.error(
                "RW0615",
                node.span,
                f"`{name}` is a value, not a routine",
                "values are read: `let x = ...`, `if ...`",
            )
        elif name not in m.broken:
            m.unknown(
                "RW0207",
                target.span,
                "routine",
                name or m.text(target.span),
                [r.name for r in m.routines.values() if "." not in r.name],
            )
        return
    r.used = True
    m.uses.append((target.span, r.span))
    given = arguments(elab, r, args, node.span, scope)
    if given is None:
        return
    if r.word == "icon":
        actor = actors.actor(elab, None, scope, s.span)
        actors.note_effect_actor(elab, r, actor, s.span)
        given.append(actor.e if actor is not None else ZERO)
    elab.late_demands.note_listeners(ctx.routine, r.lines, s.span)
    call_routine(elab, r, given, ctx, s.span)
    bind_result(elab, s, r, scope, ctx)


def bind_result(elab: Elaboration, s: sx.Sentence, r: RoutineSym, scope: Scope, ctx: EmitContext) -> None:
    """`let w = do f(x)`: the value that the routine gives becomes a local."""
    c = clause(s, "giving")
    if c is None or not isinstance(c.args[0], sx.Name):
        return
    name = c.args[0].id
    if r.gives is None:
        help = f"declare `procedure {r.name}(...) giving TYPE`"
        elab.model.error("RW0618", c.span, f"`{r.name}` gives nothing", help)
        return
    folds.check_new_name(elab, name, c, scope)
    local = bind(elab.model, scope, name, r.gives, c.span)
    ctx.em.emit(assign(local, ir.LastResult()))
    elab.routines.locals.append(local)


def arguments(
    elab: Elaboration, r: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope
) -> list[ir.Expr] | None:
    """The arguments of a call; None after a message."""
    if len(args) != len(r.params):
        elab.model.error(
            "RW0250",
            span,
            f"`{r.name}` takes {len(r.params)} argument{'s' * (len(r.params) != 1)}, but got {len(args)}",
            f"its parameters: {', '.join(f'{n}: {t}' for n, t in r.params) or 'none'}",
        )
        return None
    return [
        kept(elab.model, calls.argument(elab, a.value, t, scope), a.value.span).e
        for a, (_, t) in zip(args, r.params, strict=True)
    ]


def call_routine(elab: Elaboration, r: RoutineSym, args: list[ir.Expr], ctx: EmitContext, span: Span = NOWHERE) -> None:
    """Emit the call of a routine, which is written at `span`. In the block of an `instead of` line it may be the event
    that the line has replaced, to which what is spent does not apply again."""
    if r.suspends and (not ctx.em.flat or len(ctx.em.buffers) > 1):
        raise AssertionError(f"{r.name} suspends inside a statement of {ctx.routine.name}")
    if not r.suspends:
        ctx.em.emit(elab.findings.call(ir.CallS(r.proc, tuple(args)), span))
        return
    plain = ir.CallI(r.proc, tuple(args))
    if ctx.spent is None or all(line.decl.word != "instead of" for line in r.lines):
        ctx.em.instr(elab.findings.call(plain, span))
        return
    again = elab.findings.call(ir.CallI(issued_again(elab, r), (*args, ctx.spent.lines)), span)
    first = [Val(e, t) for e, (_, t) in zip(args, r.params[:1], strict=False)]
    other = reactions.other_event_test(elab, first, ctx)
    if other is None:
        ctx.em.instr(again)
        return
    same, end = ctx.em.label(), ctx.em.label()
    ctx.em.instr(ir.Branch(other, same))
    ctx.em.instr(elab.findings.call(plain, span))
    ctx.em.instr(ir.Jump(end))
    ctx.em.place(same)
    ctx.em.instr(again)
    ctx.em.place(end)


def issued_again(elab: Elaboration, r: RoutineSym) -> int:
    """The number of the procedure of `r` that is told which of its `instead of` lines are spent."""
    name = f"{r.name}#again"
    found = elab.model.routines.get(name)
    if found is None:
        params = [*r.params, (reactions.SPENT, reactions.spent_type(elab))]
        found = replace(r, name=name, proc=elab.new_routine_number(), params=params)
        elab.model.routines[name] = found
        elab.compile_routine(found)
    return found.proc


def do_effect(
    elab: Elaboration, s: sx.Sentence, target: sx.Attr, args: tuple[sx.Arg, ...], scope: Scope, ctx: EmitContext
) -> None:
    """`do c.effect(args) by a`: the card is known at run time."""
    m = elab.model
    card = elab.expr(target.base, scope)
    kind = m.kind_of(card.t)
    if kind is None or (isinstance(card.t, MemberType) and card.t.optional):
        if card.t != ERROR:
            m.error(
                "RW0616",
                target.span,
                f"`{m.text(target.base.span)}` is `{card.t}`, which has no effect",
                "effects belong to cards; test for none first",
            )
        return
    effects = [(t, r) for t, r in m.effects.items() if any(p.low <= t <= p.high for p in m.kind_parts(kind))]
    if not effects:
        m.error("RW0616", target.span, f"no card of `{kind.name}` has an effect")
        return
    params = parameters(m, kind.effect_params)
    if len(args) != len(params):
        m.error("RW0250", s.span, f"the effect of a `{kind.name}` takes {len(params)} arguments, but got {len(args)}")
        return
    given = [calls.argument(elab, a.value, t, scope).e for a, (_, t) in zip(args, params, strict=True)]
    by = clause(s, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, s.span)
    table = [0] * (m.thing_count + 1)
    for t, r in effects:
        table[t] = r.proc
        r.used = True
        actors.note_effect_actor(elab, r, actor, s.span)
    m.tables_data.append(tuple(table))
    number = ir.TableGet(len(m.tables_data) - 1, card.e)
    you = actor.e if actor is not None else ZERO
    enter = ir.Enter(number, (*given, you), tuple(dict.fromkeys(r.proc for _, r in effects)))
    ctx.em.instr(elab.findings.call(enter, s.span))
