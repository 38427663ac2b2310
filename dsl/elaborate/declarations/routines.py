"""Procedures: prologue, body, end list, checks, `after` lines; blocks that became procedures
(docs/manual/10-routines-and-frames.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import ERROR, INT, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO
from dsl.elaborate.core.emit import EmitContext, Emitter, Spent
from dsl.elaborate.core.scope import Body, Scope, Val, bind
from dsl.elaborate.declarations import plans, strips
from dsl.elaborate.declarations.plans import CarriedGuards
from dsl.elaborate.events import chosen, events, reactions
from dsl.elaborate.events.order import ReactingLine
from dsl.elaborate.statements import flow
from dsl.elaborate.statements.resolve import optional_name
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx
from dsl.syntax.walk import branches

# ------------------------------------------------------------ one routine


def compile_routines(elab: Elaboration) -> None:
    """Make the procedures of all declared routines but strips. These, and what is found meanwhile, wait for
    `compile_deferred`."""
    for words in (("phase", "action", "procedure"), ("effect",), ("icon",)):
        waiting = {r.proc for r, _ in elab.routines.pending_blocks}
        made = elab.out.procs.keys() | waiting
        for r in [r for r in elab.model.routines.values() if r.word in words and r.proc not in made]:
            compile_routine(elab, r)


def compile_routine(
    elab: Elaboration,
    r: RoutineSym,
    setup: Callable[[Scope], None] | None = None,
    line: RuleLine | None = None,
) -> None:
    """Make the procedure of `r`. `setup` completes its scope; `line` is the rule line whose block this is."""
    m = elab.model
    elab.values.current = ""
    body = Body(r.name, r.suspends)
    scope = Scope(body, this=r.this, address=r.name)
    params = list(r.params)
    if r.word in ("effect", "strip", "icon"):
        params.append(("$you", elab.routines.effect_you.get(r.proc, m.kinds["Seat"].type)))
    for name, t in params:
        local = bind(m, scope, name, t, r.span)
        local.param = True
    if r.word in ("effect", "strip", "icon"):
        scope.you = scope.names["$you"]
    elif r.actor or (r.word in ("procedure", "rule") and r.captured and "$you" in scope.names):
        scope.you = scope.names[params[0][0]] if r.actor else scope.names["$you"]
    if setup is not None:
        setup(scope)
    em = Emitter(r.suspends)
    name = r.address
    ctx = EmitContext(r, body, em, address=name, line=line)
    if line is not None:
        first = scope.names[params[0][0]]
        ctx.first_argument = Val(first.read, first.type) if first.name != "$cause" else None
        if (spent := scope.names.get(reactions.SPENT)) is not None:
            ctx.spent = Spent(spent.read, reactions.replacing_number(elab, line))
    elab.routines.locals = []
    if not r.suspends:
        flow.block(elab, r.block, emit_head_demands(elab, r, scope, ctx), ctx)
        elab.out.procs[r.proc] = ir.Proc(
            name,
            r.word,
            tuple(params),
            body.temps,
            False,
            em.pop(),
            cites=tuple(m.cites.get(name, ())),
            span=r.span,
            of=r.of,
        )
    else:
        compile_framed(elab, r, params, body, scope, em, ctx)
    if r.word in ("effect", "icon") and scope.names["$you"].used:
        elab.routines.acting.add(r.proc)
    if r.gives is not None and not always_gives(elab, r.block):
        m.error(
            "RW0811",
            r.span,
            f"`{r.address}` should give a `{r.gives}`, but it can end without `give`",
            "end every branch with `give ...`",
        )
    for local in elab.routines.locals:
        if not local.used and local.type != ERROR:
            m.warn("RW0812", local.span, f"`{local.name}` is never used", "remove it, or use it")


def emit_head_demands(elab: Elaboration, r: RoutineSym, scope: Scope, ctx: EmitContext) -> Scope:
    """Emit what an action demands in its head: the `while` around it, its `where`, and `once per`. Gives the scope
    in which it holds."""
    if r.word != "action":
        return scope
    c = CarriedGuards()
    scope = plans.head_guards(elab, r, scope, c)
    for g in c.guards:
        ctx.em.emit(ir.Require(g))
    return scope


def always_gives(elab: Elaboration, block: tuple[sx.Line, ...]) -> bool:
    """Whether every way through a block ends with `give`."""
    if not block:
        return False
    last = block[-1]
    match last:
        case sx.Sentence(word="give"):
            return True
        case sx.If(then=then, orelse=orelse):
            if last.span in elab.routines.matched:
                *_, end = each = list(branches(last))
                given = all(always_gives(elab, b.then) for b in each)
                return given and (not end.orelse or always_gives(elab, end.orelse))
            return bool(orelse) and always_gives(elab, then) and always_gives(elab, orelse)
        case sx.Section(word="step", block=inner):
            return always_gives(elab, inner)
        case sx.Choose(shape="cases", block=cases):
            return all(isinstance(c, sx.Case) and always_gives(elab, c.block) for c in cases)
    return False


def compile_framed(
    elab: Elaboration,
    r: RoutineSym,
    params: list[tuple[str, Type]],
    body: Body,
    scope: Scope,
    em: Emitter,
    ctx: EmitContext,
) -> None:
    """Body, end list, checks, after lines, leave."""
    m = elab.model
    epilogue = em.label()
    leave = em.label()
    ctx.epilogue = ctx.skip = epilogue
    if r.gives is not None:
        ctx.result_slot = body.frame(r.gives)
    inner = emit_head_demands(elab, r, scope, ctx)
    for address in elab.routines.resets.get(r.name, ()):
        em.emit(ir.Store(ir.Const(address), INT, ZERO, "counter"))
    if r.name in elab.routines.once_actions:
        em.emit(ir.Store(ir.Const(elab.routines.once_actions[r.name]), INT, ONE, f"counter.action.{r.name}"))
    args = [Val(scope.names[n].read, t) for n, t in r.params if n != reactions.SPENT]
    zero = Val(ZERO, INT)
    if r.gives is not None:
        for t in [t for t in r.lines if t.decl.word == "instead of"]:
            m.error("RW0813", t.decl.span, f"`{r.name}` gives a value, so an `instead of` line cannot replace it")
    spent = scope.names.get(reactions.SPENT)
    outside = ctx.inside(spent=Spent(spent.read) if spent is not None else None, first_argument=None)
    listeners = events.find_listeners(elab, [(t, args) for t in r.lines], zero, zero, scope, outside)
    before, instead, after = (
        [h for h in listeners if h.line.decl.word == w] for w in ("before", "instead of", "after")
    )

    def call(h: ReactingLine, when: ir.Expr) -> None:
        reactions.call_line(elab, h, zero, zero, scope, outside, when)

    def replace_event(h: ReactingLine, when: ir.Expr) -> None:
        skip = em.label()
        em.instr(ir.Branch(when, skip))
        call(h, ONE)
        em.instr(ir.Jump(leave))
        em.place(skip)

    chosen.emit_in_order(elab, before, scope, ctx, call)
    chosen.emit_in_order(elab, instead, scope, ctx, replace_event)
    if r.word == "strip":
        strips.strip_body(elab, r, scope, ctx)
    else:
        flow.block(elab, r.block, inner, ctx)
    em.place(epilogue)
    em.instr(ir.EndList())
    events.settle(elab, set(elab.checks.reads), scope, ctx, r.span)
    chosen.emit_in_order(elab, after, scope, ctx, call)
    if r.gives is not None:
        em.instr(ir.Give(ir.FrameVar(ctx.result_slot, r.gives), leave))
    em.place(leave)
    em.instr(ir.Leave())
    cites = tuple(m.cites.get(r.address, ()))
    proc = ir.Proc(r.address, r.word, tuple(params), 0, True, cites=cites, span=r.span, of=r.of)
    elab.add_framed(r.proc, proc, body, em, epilogue)


def compile_deferred(elab: Elaboration) -> None:
    """Make strips, and the blocks that became procedures of their own while others were made."""
    while elab.routines.pending_blocks or elab.routines.pending_strips or missing_strips(elab):
        while elab.routines.pending_blocks:
            r, you = elab.routines.pending_blocks.pop(0)

            def setup(scope: Scope, you: str = you) -> None:
                if you and you in scope.names:
                    scope.you = scope.names[you]
                elif "$you" in scope.names:
                    scope.you = scope.names["$you"]

            compile_routine(elab, r, setup)
        while elab.routines.pending_strips:
            strips.compile_part(elab, *elab.routines.pending_strips.pop(0))
        for r in missing_strips(elab):
            compile_routine(elab, r)


def missing_strips(elab: Elaboration) -> list[RoutineSym]:
    """The strips of cards that are to be made: those that are resolved, and those that nothing resolves, but not
    those that are resolved only where they may be declined, which are made as such."""
    known = elab.model.routines
    strips = (r for r in known.values() if r.word == "strip" and not r.optional and r.proc not in elab.out.procs)
    return [r for r in strips if r.proc in elab.routines.resolved or optional_name(r) not in known]
