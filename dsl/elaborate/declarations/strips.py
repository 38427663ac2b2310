"""Strips of icons as procedures: one of, all, afterwards (docs/manual/18-cards-and-strips.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.types import INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope, Val, assign, bind, hidden_local
from dsl.elaborate.declarations import plans
from dsl.elaborate.expressions import actors, calls
from dsl.elaborate.statements import choose, do
from dsl.symbols.symbols import RoutineSym
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

# ------------------------------------------------------------ strips


def strip_body(elab: Elaboration, r: RoutineSym, scope: Scope, ctx: EmitContext) -> None:
    """The strip of a card as the body of its procedure."""
    _, name = r.address.rsplit(".", 1)
    decl = elab.model.strips[(r.this, name)]
    if decl.head is None:  # that was reported
        return
    strip_part(elab, decl.head, scope, ctx, decline=r.optional)


def strip_part(
    elab: Elaboration,
    e: sx.Expr,
    scope: Scope,
    ctx: EmitContext,
    begins: Callable[[], None] | None = None,
    *,
    whole: bool = False,
    decline: bool = False,
) -> None:
    """`/` asks, `+` does all, `->` puts the rest on the end list of the routine that resolves the strip as soon as
    its first part begins. `begins` is emitted where an icon begins. `whole`: it is a way of a `/`, so all of it must
    be done; elsewhere what cannot be done is skipped. `decline`: a `/` may be left out."""
    match e:
        case sx.StripExpr("+", items):
            for item in items:
                strip_part(elab, item, scope, ctx, begins, whole=whole)
                whole = whole and not commits(elab, item)
        case sx.StripExpr("->", (first, *rest)):
            after = rest[0] if len(rest) == 1 else sx.StripExpr("->", tuple(rest), span=e.span)
            defer = defer_part(elab, after, scope, ctx)
            if whole:
                ctx.em.emit(defer)
            else:
                begins = begin_once(elab, defer, begins, scope, ctx)
            strip_part(elab, first, scope, ctx, begins, whole=whole)
        case sx.StripExpr("/", items):
            labels = strip_labels(items)
            cases = tuple(sx.Case(label, (), (), (), span=i.span) for label, i in zip(labels, items, strict=True))
            clauses = (sx.Clause("or decline"),) if decline else () if whole else (sx.Clause("if any"),)
            node = sx.Choose("choose", "cases", None, (), clauses, cases, span=e.span)
            strip_choice(elab, node, items, scope, ctx, begins)
        case _:
            here = icon_here(elab, e, scope)
            if here is not None:
                emit_icon(elab, here, e.span, scope, ctx, begins, whole)


def find_icon(elab: Elaboration, e: sx.Expr) -> RoutineSym | None:
    """The icon that a strip names; None after a message."""
    m = elab.model
    if not isinstance(e, (sx.Call, sx.Name)):
        m.error(
            "RW0832",
            e.span,
            f"`{m.text(e.span)}` is not an icon",
            "a strip is made of icons, `/`, `+` and `->`; declare `icon NAME` for what it does",
        )
        return None
    target = e.func if isinstance(e, sx.Call) else e
    name = target.id if isinstance(target, sx.Name) else ""
    icon = m.routines.get(name)
    if icon is None or icon.word != "icon":
        icons = [x.name for x in m.routines.values() if x.word == "icon"]
        m.unknown("RW0831", e.span, "icon", name or m.text(e.span), icons)
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


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon with its arguments where it stands: the procedure and what it takes, what its head demands, the guards
    that were carried to its start, and whether the rest must be tried."""

    routine: RoutineSym
    args: tuple[ir.Expr, ...]
    head: tuple[ir.Guard, ...]
    guards: tuple[ir.Guard, ...]
    must_try: bool

    @property
    def trial(self) -> ir.Possible | None:
        """The trial that decides what the guards leave open; None: they decide it."""
        return ir.Possible(self.routine.proc, self.args, actor=-1) if self.must_try else None


def icon_here(elab: Elaboration, e: sx.Expr, scope: Scope) -> Icon | None:
    """The icon that stands in a strip, with what must hold for it to be done; None after a message."""
    icon = find_icon(elab, e)
    if icon is None:
        return None
    args = e.args if isinstance(e, sx.Call) else ()
    given: list[ir.Expr] = []
    assert scope.you is not None
    actors.note_effect_actor(elab, icon, Val(scope.you.read, scope.you.type), e.span)
    icon_scope = Scope(scope.body)
    icon_scope.nested = True
    icon_scope.this = icon.this
    icon_scope.you = scope.you
    if len(args) != len(icon.params):
        elab.model.error("RW0250", e.span, f"`{icon.name}` takes {len(icon.params)} arguments, but got {len(args)}")
        return None
    for (pname, t), a in zip(icon.params, args, strict=True):
        v = calls.argument(elab, a.value, t, scope)
        given.append(v.e)
        icon_scope.names[pname] = Local(pname, t, v.e, used=True)
    key = (icon.name, tuple(given), scope.you.read, scope.you.type)
    demands = elab.memo.demands.get(key)
    if demands is None:
        slots = scope.body.temps, scope.body.words
        head = plans.CarriedGuards()
        plans.head_guards(elab, icon, icon_scope, head)
        demands = tuple(head.guards), *plans.action_guards(elab, icon, icon_scope)
        if slots == (scope.body.temps, scope.body.words):  # else they are of this procedure alone
            elab.memo.demands[key] = demands
    return Icon(icon, (*given, scope.you.read), *demands)


def emit_icon(
    elab: Elaboration,
    here: Icon,
    span: Span,
    scope: Scope,
    ctx: EmitContext,
    begins: Callable[[], None] | None,
    whole: bool,
) -> None:
    """Do an icon, as a plan. Where it cannot be done it is skipped, or fails the plan of its `whole` way."""
    if whole:
        for g in here.head:
            ctx.em.emit(ir.Require(g))
        do.call_routine(elab, here.routine, list(here.args), ctx, span)
        return
    tests = [g.test for g in here.guards] + ([here.trial] if here.trial else [])
    skip = ctx.em.label()
    if tests:
        ctx.em.instr(ir.Branch(conj(tests), skip))
    if begins is not None:
        begins()
    in_plan(elab, here.routine, list(here.args), span, scope, ctx)
    ctx.em.place(skip)


def in_plan(elab: Elaboration, r: RoutineSym, args: list[ir.Expr], span: Span, scope: Scope, ctx: EmitContext) -> None:
    """Call an icon or a way as a plan of the one for whom the strip is resolved."""
    assert scope.you is not None
    if r.suspends:
        ctx.em.instr(ir.OpenPlan(actors.seat_of(elab, Val(scope.you.read, scope.you.type), span)))
    do.call_routine(elab, r, args, ctx, span)
    if r.suspends:
        ctx.em.instr(ir.ClosePlan())


def commits(elab: Elaboration, e: sx.Expr) -> bool:
    """Whether a part cannot be taken back once it is done: what comes behind it in a way is done if it can be then."""
    names = (x.id for x in walk(e) if isinstance(x, sx.Name))
    icons = [r for r in (elab.model.routines.get(n) for n in names) if r is not None and r.word == "icon"]
    return any(elab.late_demands.commit_reason(r.block, "", set(), own=True) for r in icons)


def strip_labels(items: tuple[sx.Expr, ...]) -> list[str]:
    """The names of the options of a strip: the icon with which each begins, numbered if others begin with it too, or
    its number if it begins with a choice."""
    labels: list[str] = []
    for n, e in enumerate(items, 1):
        while isinstance(e, sx.StripExpr) and e.op != "/":
            e = e.items[0]
        target = e.func if isinstance(e, sx.Call) else e
        label = target.id if isinstance(target, sx.Name) else f"way_{n}"
        same = sum(x.partition("#")[0] == label for x in labels) + 1
        labels.append(label if same == 1 else f"{label}#{same}")
    return [x.replace("#", "_") for x in labels]


def strip_choice(
    elab: Elaboration,
    node: sx.Choose,
    items: tuple[sx.Expr, ...],
    scope: Scope,
    ctx: EmitContext,
    begins: Callable[[], None] | None,
) -> None:
    """One of the ways; a way that cannot be done is not offered."""
    assert scope.you is not None
    you = scope.you
    chosen = hidden_local(elab.model, scope, INT)
    found: list[ir.Alternative] = []
    chosen_calls: list[tuple[RoutineSym, tuple[ir.Expr, ...], Span] | None] = []
    text_scopes: list[Scope] = []
    for case, item in zip(node.block, items, strict=True):
        first = first_icon(elab, item, scope)
        guards, trial = (first.guards, first.trial) if first is not None else ((), None)
        text_scopes.append(scope.child())
        if first is not None:
            params = zip(first.routine.params, first.args, strict=False)
            text_scopes[-1].names |= {name: Local(name, t, arg, used=True) for (name, t), arg in params}
        if isinstance(item, sx.StripExpr):
            way = procedure_of(elab, item, "way", scope, ctx.routine, whole=True)
            if first is None or trial is not None or item.op != "->" or isinstance(item.items[0], sx.StripExpr):
                trial = ir.Possible(way.proc, (you.read,), actor=-1)
            chosen_calls.append((way, (you.read,), item.span))
        else:
            chosen_calls.append((first.routine, first.args, item.span) if first is not None else None)
        found.append(ir.Alternative(case.name if isinstance(case, sx.Case) else "", (), guards, (), trial))
    end = ctx.em.label()
    choose.emit_question(
        elab,
        node,
        ctx.inside(skip=end),
        scope,
        Val(you.read, you.type),
        "one",
        tuple(found),
        "one",
        text_scopes,
        answer=(chosen.slot, INT),
    )
    labels = (case.name if isinstance(case, sx.Case) else "" for case in node.block)
    elab.findings.ways.append((elab.out.sites[-1].address, scope.this, tuple(zip(labels, items, strict=True))))
    for i, call in enumerate(chosen_calls, 1):
        nxt = ctx.em.label()
        ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
        if call is not None:
            if begins is not None:
                begins()
            in_plan(elab, call[0], list(call[1]), call[2], scope, ctx)
        ctx.em.instr(ir.Jump(end))
        ctx.em.place(nxt)
    ctx.em.place(end)


def first_icon(elab: Elaboration, e: sx.Expr, scope: Scope) -> Icon | None:
    """The icon with which a way begins; None if it begins with a choice, or after a message."""
    while isinstance(e, sx.StripExpr):
        if e.op == "/":
            return None
        e = e.items[0]
    return icon_here(elab, e, scope)


def can_begin(elab: Elaboration, e: sx.Expr, strip: RoutineSym, scope: Scope) -> ir.Expr:
    """Whether something of a strip can be done for the `you` of the scope: an icon or a way that stands at its
    beginning, or is joined to the beginning by `+`. 1: always."""
    assert scope.you is not None
    match e:
        case sx.StripExpr("->", (first, *_)):
            return can_begin(elab, first, strip, scope)
        case sx.StripExpr("/", items):
            return any_of([can_do_way(elab, item, strip, scope) for item in items])
        case sx.StripExpr(_, items):
            return any_of([can_begin(elab, item, strip, scope) for item in items])
    here = icon_here(elab, e, scope)
    tests = [*(g.test for g in here.guards), *([here.trial] if here.trial else [])] if here is not None else []
    return conj(tests) if tests else ONE


def can_do_way(elab: Elaboration, item: sx.Expr, strip: RoutineSym, scope: Scope) -> ir.Expr:
    """Whether a way of a `/` can be done."""
    if not isinstance(item, sx.StripExpr):
        return can_begin(elab, item, strip, scope)
    assert scope.you is not None
    way = procedure_of(elab, item, "way", scope, strip, whole=True)
    return ir.Possible(way.proc, (scope.you.read,), actor=-1)


def any_of(tests: list[ir.Expr]) -> ir.Expr:
    """Whether one of the conditions holds."""
    tests = list(dict.fromkeys(tests))
    return ONE if ONE in tests else tests[0] if len(tests) == 1 else ir.Or(tuple(tests))


# ------------------------------------------------------------ parts as procedures


def procedure_of(
    elab: Elaboration, item: sx.Expr, what: str, scope: Scope, strip: RoutineSym, whole: bool
) -> RoutineSym:
    """A new procedure for a part of a strip, made after the strip; its one parameter is `you`."""
    assert scope.you is not None
    number = elab.new_routine_number()
    r = RoutineSym(
        f"{strip.name}#{what}{number}",
        "afterwards" if what == "after" else what,
        item.span,
        [("$you", scope.you.type)],
        None,
        (),
        number,
        this=strip.this,
        suspends=True,
    )
    elab.model.routines[r.name] = r
    elab.routines.pending_strips.append((r, item, whole))
    return r


def defer_part(elab: Elaboration, item: sx.Expr, scope: Scope, ctx: EmitContext) -> ir.Defer:
    """The part behind `->` as a deferred procedure."""
    assert scope.you is not None
    r = procedure_of(elab, item, "after", scope, ctx.routine, whole=False)
    holders = tuple(sorted(x.proc for x in elab.model.routines.values() if x.name in elab.routines.resolvers))
    elab.out.max_deferred = max(elab.out.max_deferred, 1)
    return ir.Defer(holders, r.proc, (scope.you.read,), item.span)


def compile_part(elab: Elaboration, r: RoutineSym, item: sx.Expr, whole: bool) -> None:
    """Make the procedure of a part of a strip."""
    body = Body(r.name, True)
    scope = Scope(body, this=r.this, address=r.name)
    scope.you = bind(elab.model, scope, "$you", r.params[0][1])
    em = Emitter(True)
    ctx = EmitContext(r, body, em, address=r.name.split("#")[0])
    ctx.epilogue = ctx.skip = em.label()
    strip_part(elab, item, scope, ctx, whole=whole)
    em.place(ctx.epilogue)
    em.instr(ir.EndList())
    em.instr(ir.Leave())
    proc = ir.Proc(r.name.split("#")[0], r.word, tuple(r.params), 0, True, span=r.span)
    elab.add_framed(r.proc, proc, body, em, ctx.epilogue)
