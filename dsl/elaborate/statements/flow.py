"""Bodies: lines one after the other, branches, sections, and the sentences that demand something or leave."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, MapType, MemberType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import exhaustive, nonempty
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, assign, bind
from dsl.elaborate.core.types import kept, need
from dsl.elaborate.events import chosen, events, noted, timed
from dsl.elaborate.expressions import actors, folds, operators
from dsl.elaborate.statements import guards
from dsl.symbols.symbols import RoutineSym
from dsl.syntax import nodes as sx
from dsl.syntax.form import old_spelling
from dsl.syntax.walk import branches, head_of, is_match, walk

# ------------------------------------------------------------ blocks


def block(elab: Elaboration, lines: tuple[sx.Line, ...], scope: Scope, ctx: EmitContext) -> None:
    """Statements one after the other; after a branch that leaves, what its condition proved false is known."""
    for i, line in enumerate(lines):
        elab.line(line, scope, ctx)
        if isinstance(line, sx.If) and not line.orelse and line.then and always_leaves(line.then):
            scope.known = scope.known | lasting_facts(operators.proved_facts(elab, line.test)[1])
        if i < len(lines) - 1 and isinstance(line, sx.Sentence) and line.word in ("give", "stop"):
            if line.word == "stop" and not (line.operands and line.operands[0] == sx.Name(ctx.routine.name)):
                continue
            elab.model.warn("RW0601", lines[i + 1].span, "this is never reached: the line above leaves the block")
            return


def always_leaves(lines: tuple[sx.Line, ...]) -> bool:
    """Whether a block ends with `give` or `stop`."""
    return bool(lines) and isinstance(lines[-1], sx.Sentence) and lines[-1].word in ("give", "stop")


def must_be_flat(elab: Elaboration, line: sx.Line, ctx: EmitContext) -> bool:
    """Whether a line has to be instructions with jumps, since it may suspend or leave."""
    return (
        ctx.em.flat
        and len(ctx.em.buffers) == 1
        and (elab.suspension.line_suspends(line) or elab.suspension.can_leave(line))
    )


def inner_block(elab: Elaboration, lines: tuple[sx.Line, ...], scope: Scope, ctx: EmitContext) -> None:
    """A block; `or decline` inside it goes to its end."""
    if not ctx.em.flat or len(ctx.em.buffers) > 1:
        block(elab, lines, scope, ctx)
        return
    end = ctx.em.label()
    block(elab, lines, scope, ctx.inside(skip=end))
    ctx.em.place(end)


def structured_block(
    elab: Elaboration, lines: tuple[sx.Line, ...], scope: Scope, ctx: EmitContext
) -> tuple[ir.Stmt, ...]:
    """A block as statements inside a statement."""
    ctx.em.push()
    inner = scope.child()
    inner.nested = True
    block(elab, lines, inner, ctx)
    return ctx.em.pop()


# ------------------------------------------------------------ lines that begin with a word


def sentence(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """A sentence, by its verb."""
    elab.tables.sentences.get(s.word, no_sentence)(elab, s, scope, ctx)


def section(elab: Elaboration, s: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """A section, by its word."""
    elab.tables.sections.get(s.word, no_section)(elab, s, scope, ctx)


def loop(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """A loop, by its word."""
    elab.tables.loops.get(node.word, no_line)(elab, node, scope, ctx)


def choice(elab: Elaboration, node: sx.Choose, scope: Scope, ctx: EmitContext) -> None:
    """`choose` or `random`."""
    elab.tables.choices[node.word](elab, node, scope, ctx)


def no_sentence(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """A sentence that does not belong in a body."""
    elab.model.error("RW0612", s.span, f"`{s.word}` is not a sentence of a body")


def no_section(elab: Elaboration, s: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """A section that does not belong in a body."""
    elab.model.error("RW0605", s.span, f"`{s.word}` does not belong in a body", "`effect` and `while` stand in cards")


def declaration(elab: Elaboration, line: sx.Decl, scope: Scope, ctx: EmitContext) -> None:
    """A declaration among sentences, which is an error."""
    elab.model.error(
        "RW0603",
        line.span,
        f"a declaration (`{line.word}`) stands among sentences",
        "move it out of the body",
    )


def no_line(elab: Elaboration, line: sx.Line, scope: Scope, ctx: EmitContext) -> None:
    """A line that does not belong in a body."""
    help = "`= EXPRESSION` ends the block of a value; a procedure says `give EXPRESSION`"
    is_result = isinstance(line, sx.Result)
    elab.model.error("RW0604", line.span, "this line does not belong in a body", help if is_result else None)


# ------------------------------------------------------------ let


def let(elab: Elaboration, node: sx.Let, scope: Scope, ctx: EmitContext) -> None:
    """`let x = V`: a new local, which `set` may change."""
    v = folds.let_value(elab, node, scope)
    t = unbounded(v.t) if node.type is None else v.t
    local = bind(elab.model, scope, node.name, t, node.span)
    local.assignable = True
    if t != ERROR:
        ctx.em.emit(assign(local, kept(elab.model, v, node.value.span).e))
    elab.routines.locals.append(local)


def unbounded(t: Type) -> Type:
    """The type of a local whose first value has this type: `set` may give it, or an item of it, any number."""
    match t:
        case IntType():
            return INT
        case MapType(keys, IntType()):
            return MapType(keys, INT)
    return t


# ------------------------------------------------------------ branches


def branch(elab: Elaboration, node: sx.If, scope: Scope, ctx: EmitContext) -> None:
    """`if P ... else ...`."""
    test = elab.test(node.test, scope)
    yes, no = operators.proved_facts(elab, node.test)
    first, second = scope.knowing(lasting_facts(yes)), scope.knowing(lasting_facts(no))
    if not must_be_flat(elab, node, ctx):
        then = structured_block(elab, node.then, first, ctx)
        orelse = structured_block(elab, node.orelse, second, ctx)
        ctx.em.emit(ir.IfS(test, then, orelse))
        return
    other, end = ctx.em.label(), ctx.em.label()
    ctx.em.instr(ir.Branch(test, other))
    inner_block(elab, node.then, first, ctx)
    if node.orelse:
        ctx.em.instr(ir.Jump(end))
    ctx.em.place(other)
    if node.orelse:
        inner_block(elab, node.orelse, second, ctx)
        ctx.em.place(end)


def if_chain(elab: Elaboration, node: sx.If, scope: Scope, ctx: EmitContext) -> None:
    """A chain of branches. One that tells the members of an enum apart is said by `depending on` today; where it leaves
    some out, it is only noted which, since the new sentence would have to say what happens for them."""
    m = elab.model
    first = node.span not in elab.routines.chained
    if first and is_match(node):
        return match(elab, node, scope, ctx)
    elab.routines.chained.update(each.span for each in branches(node))
    branch(elab, node, scope, ctx)
    head = exhaustive.matched_expression(node) if first else None
    if head is None or not exhaustive.is_ladder(m, node):
        return
    t = type_again(elab, head, scope)
    if not isinstance(t, MemberType) or t.domain not in m.enums or exhaustive.first_without_member(m, node) is not None:
        return
    said, left_out = m.text(head.span), exhaustive.left_out(m, node, t)
    if left_out:
        message = f"these branches over `{said}` say nothing about {left_out}"
        m.note("RW1215", node.test.span, message, f"write `depending on {said}` with a `case` for each, or an `else`")
    else:
        old = f"if {said} is ... else if {said} is ..."
        elab.routines.matched.add(node.span)
        m.diagnostics.append(old_spelling(node.test.span, old, f"depending on {said}", mend=False))


def match(elab: Elaboration, node: sx.If, scope: Scope, ctx: EmitContext) -> None:
    """`depending on X`: the branch of the case that names the member which X is."""
    m = elab.model
    elab.routines.chained.update(each.span for each in branches(node))
    branch(elab, node, scope, ctx)
    head = head_of(node)
    t = type_again(elab, head, scope)
    stray = exhaustive.first_without_member(m, node)
    if t == ERROR or stray is head or stray is not None and type_again(elab, stray, scope) == ERROR:
        return
    if not isinstance(t, MemberType):
        message = f"`depending on` tells members apart, and `{m.text(head.span)}` is `{t}`"
        m.error("RW0619", head.span, message, "conditions of another sort stand behind `if` and `else if`")
    elif stray is not None:
        message = f"`{m.text(stray.span)}` is no name of a member of `{t}`"
        m.error("RW0619", stray.span, message, "a `case` names members, or `none`; for anything else write `if`")
    elif left_out := exhaustive.left_out(m, node, t):
        help = "add a `case` for it, which may have no block, or an `else` below"
        m.error("RW0620", head.span, f"no `case` says what happens for {left_out}", help)
    else:
        elab.routines.matched.add(node.span)


def type_again(elab: Elaboration, node: sx.Expr, scope: Scope) -> Type:
    """The type of an expression that has been read: its messages and uses are there already."""
    kept = len(elab.model.uses)
    with elab.model.quietly():
        t = elab.expr(node, scope).t
    del elab.model.uses[kept:]
    return t


def lasting_facts(paths: frozenset[sx.Expr]) -> frozenset[sx.Expr]:
    """The facts that hold in the lines that follow. Only locals keep theirs, since a sentence may change a path;
    that a set has members is kept, too, as it only spares a warning."""
    return frozenset(
        p for p in paths if isinstance(p, sx.Name) or nonempty.is_fact(p) and not nonempty.is_kind_of_path(p)
    )


# ------------------------------------------------------------ sections


def step(elab: Elaboration, s: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """`step NAME`: a part of the body with an address of its own."""
    inner = ctx.inside(step=s.name or "")
    elab.model.add_citations(f"{ctx.address}.{s.name}", s.cites)
    inner_block(elab, s.block, scope.child(), inner)


def plan(elab: Elaboration, s: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """`plan by p`: what is done in the block is one plan."""
    m = elab.model
    actor = actors.actor(elab, s.head, scope, s.span)
    if actor is None:
        m.error("RW0256", s.span, "who owns this plan? nobody acts here", "write `plan by WHO`")
        return
    within = scope.child()
    you = bind(m, within, "$you", actor.t)
    ctx.em.emit(assign(you, actor.e))
    within.you = you
    ctx.em.instr(ir.OpenPlan(actors.seat_of(elab, Val(you.read, actor.t), s.span)))
    inner_block(elab, s.block, within, ctx.inside(in_plan=True))
    ctx.em.instr(ir.ClosePlan())


def together(elab: Elaboration, s: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """`together`: all of it is one change, and checks come after it."""
    for node in walk(s.block):
        if (
            isinstance(node, sx.Choose)
            and node.word == "choose"
            or isinstance(node, sx.Sentence)
            and node.word in ("offer", "perform")
        ):
            elab.model.error(
                "RW0610",
                node.span,
                "nobody can be asked inside `together`: all of it happens at one moment",
                "ask before it, and apply the answers inside",
            )
            return
    noted.begin(elab, ctx)
    block(elab, s.block, scope.child(), ctx.inside(together_depth=ctx.together_depth + 1))
    noted.end(elab, ctx)
    events.settle(elab, set(events.all_symbols(elab)), scope, ctx, s.span, several=True)
    if ctx.em.flat and len(ctx.em.buffers) == 1 and elab.model.triggers:
        chosen.drain(elab, ctx)


def defer_block(elab: Elaboration, node: sx.Section, scope: Scope, ctx: EmitContext) -> None:
    """`at end of F`: the block becomes a procedure; the names it uses are copied when it is put on the list."""
    m = elab.model
    frame = node.head.id if isinstance(node.head, sx.Name) else ""
    target = m.routines.get(frame)
    if target is None:
        m.unknown("RW0207", node.span, "routine", frame, list(m.routines))
        return
    names: list[Local] = []
    for line in node.block:
        for local in timed.captured_names(line, set(), scope):
            if local not in names:
                names.append(local)
    if scope.you is not None and scope.you not in names:
        names.append(scope.you)
    params = [("$you" if n is scope.you else n.name, n.type) for n in names]
    if scope.you is not None and scope.find(scope.you.name) is scope.you:
        params = [(n.name, n.type) for n in names]
    r = RoutineSym(
        f"{ctx.routine.name}#end{elab.out.next_proc}",
        "procedure",
        node.span,
        params,
        None,
        node.block,
        elab.new_routine_number(),
        this=ctx.routine.this,
        captured=1,
    )
    r.suspends = True
    elab.routines.pending_blocks.append((r, scope.you.name if scope.you is not None else ""))
    m.routines[r.name] = r
    r.used = True
    for n in names:
        n.used = True
    ctx.em.emit(ir.Defer(target.procs, r.proc, tuple(n.read for n in names), node.span))
    elab.out.max_deferred = max(elab.out.max_deferred, len(names))


# ------------------------------------------------------------ sentences


def require(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`require P because "..."`."""
    ctx.require_count[0] += 1
    elab.late_demands.report_demand(ctx.routine, s)
    key = f"{ctx.address}.require.{ctx.require_count[0]}"
    g = guards.guard(elab, s.operands[0], scope, s.cites, key, guards.reason_of(s.clauses))
    ctx.em.emit(ir.Require(g))
    scope.known = scope.known | lasting_facts(operators.proved_facts(elab, s.operands[0])[0])


def give(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`give V`: leave the routine with a value."""
    m = elab.model
    t = ctx.routine.gives
    value: ir.Expr | None = None
    if s.operands:
        if t is None:
            m.error(
                "RW0613",
                s.span,
                f"`{ctx.routine.name}` gives nothing",
                "add `giving TYPE` to its head, or write `stop " + ctx.routine.name + "`",
            )
            return
        value = need(m, elab.expr(s.operands[0], scope, t), t, s.operands[0].span).e
    elif t is not None:
        m.error("RW0614", s.span, f"`{ctx.routine.name}` gives a `{t}`, and this `give` gives nothing")
    if ctx.em.flat:
        leave_with(value, ctx)
    else:
        ctx.em.emit(ir.Return(value))


def leave_with(value: ir.Expr | None, ctx: EmitContext) -> None:
    """Leave the body; the value is kept in the frame, since the end list and `after` lines may call others."""
    if value is not None and ctx.result_slot >= 0 and ctx.routine.gives is not None:
        ctx.em.emit(ir.SetFrame(ctx.result_slot, ctx.routine.gives, value))
    ctx.em.instr(ir.Give(None, ctx.epilogue))


def stop(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`stop F`: leave a routine and all that it has called; `stop effect`: the innermost running effect of a card."""
    m = elab.model
    operand = s.operands[0]
    name = operand.id if isinstance(operand, sx.Name) else ""
    if name == "effect" and m.effects:
        own = ctx.routine.word == "effect"
        procs = tuple(dict.fromkeys(r.proc for r in m.effects.values()))
        ctx.em.instr(ir.Give(None, ctx.epilogue) if own else ir.Stop(procs))
        return
    r = m.routines.get(name)
    if r is None and (name == "effect" or name in m.cards):
        what = "no card has an effect" if name == "effect" else f"`{name}` is a card, and its effect is no routine"
        m.error("RW0207", operand.span, what, "`stop effect` leaves the effect of a card that is running")
        return
    if r is None:
        m.unknown("RW0207", operand.span, "routine", name or m.text(operand.span), list(m.routines))
        return
    r.used = True
    if r is ctx.routine and ctx.em.flat:
        ctx.em.instr(ir.Give(None, ctx.epilogue))
    elif ctx.em.flat:
        ctx.em.instr(ir.Stop(r.procs))
    else:
        ctx.em.emit(ir.Return(None))
