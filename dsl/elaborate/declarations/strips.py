"""Strips of icons as procedures: one of, all, afterwards (docs/manual/18-cards-and-strips.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope, Val, assign, bind, hidden_local
from dsl.elaborate.declarations import plans
from dsl.elaborate.expressions import calls
from dsl.elaborate.statements import choose, do
from dsl.symbols.symbols import RoutineSym
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ strips


def strip_body(elab: Elaboration, r: RoutineSym, scope: Scope, ctx: EmitContext) -> None:
    """The strip of a card as the body of its procedure."""
    _, name = r.address.rsplit(".", 1)
    decl = elab.model.strips[(r.this, name)]
    assert decl.head is not None
    strip_part(elab, decl.head, scope, ctx)


def strip_part(
    elab: Elaboration, e: sx.Expr, scope: Scope, ctx: EmitContext, begins: Callable[[], None] | None = None
) -> None:
    """`/` asks, `+` does all, `->` puts the rest on the end list of the routine that resolves the strip as soon as
    its first part begins. `begins` is emitted where an icon begins."""
    m = elab.model
    match e:
        case sx.StripExpr("+", items):
            for item in items:
                strip_part(elab, item, scope, ctx, begins)
        case sx.StripExpr("->", (first, *rest)):
            after = rest[0] if len(rest) == 1 else sx.StripExpr("->", tuple(rest), span=e.span)
            strip_part(
                elab, first, scope, ctx, begin_once(elab, defer_part(elab, after, scope, ctx), begins, scope, ctx)
            )
        case sx.StripExpr("/", items):
            cases = tuple(sx.Case(strip_label(i, n), (), (), (), span=i.span) for n, i in enumerate(items, 1))
            node = sx.Choose("choose", "cases", None, (), (sx.Clause("if any"),), cases, span=e.span)
            strip_choice(elab, node, items, scope, ctx, begins)
        case sx.Call() | sx.Name():
            named = find_icon(elab, e)
            if named is not None:
                emit_icon(elab, named, e.args if isinstance(e, sx.Call) else (), e.span, scope, ctx, begins)
        case _:
            m.error(
                "RW0832",
                e.span,
                f"`{m.text(e.span)}` is not an icon",
                "a strip is made of icons, `/`, `+` and `->`; declare `icon NAME` for what it does",
            )


def find_icon(elab: Elaboration, e: sx.Call | sx.Name) -> RoutineSym | None:
    """The icon that a strip names; None after a message."""
    target = e.func if isinstance(e, sx.Call) else e
    name = target.id if isinstance(target, sx.Name) else ""
    icon = elab.model.routines.get(name)
    if icon is None or icon.word != "icon":
        icons = [x.name for x in elab.model.routines.values() if x.word == "icon"]
        elab.model.unknown("RW0831", e.span, "icon", name or elab.model.text(e.span), icons)
        return None
    icon.used = True
    return icon


def begin_once(
    elab: Elaboration, defer: ir.Defer, begins: Callable[[], None] | None, scope: Scope, ctx: EmitContext
) -> Callable[[], None]:
    """What is emitted where an icon of the first part begins: once, the other parts go on the end list."""
    begun = hidden_local(elab.model, scope, INT)
    ctx.em.emit(assign(begun, ZERO))

    def begin() -> None:
        if begins is not None:
            begins()
        ctx.em.emit(ir.IfS(ir.Not(begun.read), (defer, assign(begun, ONE)), ()))

    return begin


def icon_guards(
    elab: Elaboration, icon: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope
) -> tuple[list[ir.Expr], tuple[ir.Guard, ...]]:
    """The arguments of an icon, and what must hold for it to be done."""
    given: list[ir.Expr] = []
    assert scope.you is not None
    do.note_effect_actor(elab, icon, Val(scope.you.read, scope.you.type), span)
    icon_scope = Scope(scope.body)
    icon_scope.nested = True
    icon_scope.you = scope.you
    if len(args) != len(icon.params):
        elab.model.error("RW0250", span, f"`{icon.name}` takes {len(icon.params)} arguments, but got {len(args)}")
        return given, ()
    for (pname, t), a in zip(icon.params, args, strict=True):
        v = calls.argument(elab, a.value, t, scope)
        given.append(v.e)
        icon_scope.names[pname] = Local(pname, t, v.e, used=True)
    return given, plans.action_guards(elab, icon, icon_scope)[0]


def emit_icon(
    elab: Elaboration,
    icon: RoutineSym,
    args: tuple[sx.Arg, ...],
    span: Span,
    scope: Scope,
    ctx: EmitContext,
    begins: Callable[[], None] | None,
) -> None:
    """Do an icon; it is skipped where its demands fail."""
    assert scope.you is not None
    given, guards = icon_guards(elab, icon, args, span, scope)
    test = conj([g.test for g in guards])
    skip = ctx.em.label()
    if test != ONE:
        ctx.em.instr(ir.Branch(test, skip))
    if begins is not None:
        begins()
    call = (*given, scope.you.read)
    if icon.suspends:
        ctx.em.instr(ir.CallI(icon.proc, call))
    else:
        ctx.em.emit(ir.CallS(icon.proc, call))
    ctx.em.place(skip)


def strip_label(e: sx.Expr, n: int) -> str:
    """The name of an option of a strip: its icon, or its number."""
    target = e.func if isinstance(e, sx.Call) else e
    return target.id if isinstance(target, sx.Name) else f"way_{n}"


def strip_choice(
    elab: Elaboration,
    node: sx.Choose,
    items: tuple[sx.Expr, ...],
    scope: Scope,
    ctx: EmitContext,
    begins: Callable[[], None] | None,
) -> None:
    """One of the parts; an icon that cannot be done is not offered."""
    assert scope.you is not None
    chosen = hidden_local(elab.model, scope, INT)
    found: list[ir.Alternative] = []
    for case, item in zip(node.block, items, strict=True):
        guards: tuple[ir.Guard, ...] = ()
        icon = find_icon(elab, item) if isinstance(item, (sx.Call, sx.Name)) else None
        if icon is not None:
            guards = icon_guards(elab, icon, item.args if isinstance(item, sx.Call) else (), item.span, scope)[1]
        found.append(ir.Alternative(case.name if isinstance(case, sx.Case) else "", (), guards, ()))
    alternatives = tuple(found)
    end = ctx.em.label()
    choose.emit_question(
        elab,
        node,
        ctx.inside(skip=end),
        scope,
        Val(scope.you.read, scope.you.type),
        "one",
        alternatives,
        "one",
        [scope],
        answer=(chosen.slot, INT),
    )
    for i, item in enumerate(items, 1):
        nxt = ctx.em.label()
        ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
        strip_part(elab, item, scope, ctx, begins)
        ctx.em.instr(ir.Jump(end))
        ctx.em.place(nxt)
    ctx.em.place(end)


def defer_part(elab: Elaboration, item: sx.Expr, scope: Scope, ctx: EmitContext) -> ir.Defer:
    """The part behind `->` as a deferred procedure."""
    assert scope.you is not None
    number = elab.new_routine_number()
    r = RoutineSym(
        f"{ctx.routine.name}#after{number}",
        "afterwards",
        item.span,
        [("$you", scope.you.type)],
        None,
        (),
        number,
        this=ctx.routine.this,
        suspends=True,
    )
    elab.model.routines[r.name] = r
    elab.routines.pending_strips.append((r, item))
    holders = tuple(sorted(x.proc for x in elab.model.routines.values() if x.name in elab.routines.resolvers))
    elab.out.max_deferred = max(elab.out.max_deferred, 1)
    return ir.Defer(holders, number, (scope.you.read,), item.span)


def compile_deferred_part(elab: Elaboration, r: RoutineSym, item: sx.Expr) -> None:
    """Make the procedure of a part behind `->`."""
    body = Body(r.name, True)
    scope = Scope(body, this=r.this, address=r.name)
    scope.you = bind(elab.model, scope, "$you", r.params[0][1])
    em = Emitter(True)
    ctx = EmitContext(r, body, em, address=r.name.split("#")[0])
    ctx.epilogue = ctx.skip = em.label()
    strip_part(elab, item, scope, ctx)
    em.place(ctx.epilogue)
    em.instr(ir.EndList())
    em.instr(ir.Leave())
    proc = ir.Proc(r.name.split("#")[0], r.word, tuple(r.params), 0, True, span=r.span)
    elab.add_framed(r.proc, proc, body, em, ctx.epilogue)
