"""Loops over one member after the other: frozen, live, round robin, `repeat` (docs/manual/12-loops-and-orders.md)."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, ListType, MemberType, SetType, Type, bounds, key_count
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import nonempty
from dsl.elaborate.core.build import ONE, ZERO, conj, key_offset, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, assign, bind, hidden_local, temp_local
from dsl.elaborate.expressions import calls, folds, operators
from dsl.elaborate.statements import flow
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ loops


def while_condition(elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope) -> ir.Expr:
    """The `while` clauses of a loop as one condition."""
    return conj(
        [elab.test(c.args[0], scope) for c in clauses if c.word == "while" and not isinstance(c.args[0], sx.Key)]
    )


def repeat(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`repeat while P`."""
    test = while_condition(elab, node.clauses, scope)
    tests = [c.args[0] for c in node.clauses if c.word == "while" and not isinstance(c.args[0], sx.Key)]
    proved = frozenset().union(*(operators.proved_facts(elab, t)[0] for t in tests))
    scope = scope.knowing(frozenset(filter(nonempty.is_fact, proved)))
    if not flow.must_be_flat(elab, node, ctx):
        ctx.em.emit(ir.While(test, flow.structured_block(elab, node.block, scope, ctx), node.span))
        return
    top, end = ctx.em.label(), ctx.em.label()
    ctx.em.place(top)
    ctx.em.instr(ir.Branch(test, end))
    flow.block(elab, node.block, scope.child(), ctx.inside(skip=end))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(end)


def for_every(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`for every`: over frozen members, or `live`."""
    if node.live:
        live_loop(elab, node, scope, ctx)
    elif len(node.binders) == 1:
        frozen_single(elab, node, scope, ctx)
    else:
        frozen_tuples(elab, node, scope, ctx)


def frozen_domain(elab: Elaboration, node: sx.Loop, scope: Scope) -> tuple[ir.Domain, Type]:
    """The members of a loop with one binder, filtered by its `where`."""
    inner = scope.child()
    inner.nested = True
    binders, types = folds.bind_members(elab, node.binders, inner)
    (slot, d), t = binders[0], types[0]
    where, _ = folds.where_clauses(elab, node.clauses, inner)
    keys = folds.order_keys(elab, node.clauses, inner)
    if keys:
        return ir.Domain("list", ir.Fold("ranked", ((slot, d),), where, keys, ir.Temp(slot))), t
    if where is None:
        return d, t
    if d.kind == "range":
        kind = "set" if isinstance(t, IntType) and t.low >= 0 else "list"
    else:
        kind = d.kind
    return ir.Domain(kind, ir.Fold(kind, ((slot, d),), where, (), ir.Temp(slot))), t


def frozen_single(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """A loop with one name over members that are fixed as it begins."""
    d, t = frozen_domain(elab, node, scope)
    b = node.binders[0]
    inner = scope.child()
    add_where_facts(elab, node, inner)
    if t == ERROR:
        inner.names[b.name] = Local(b.name, ERROR, ZERO)
        return
    if not flow.must_be_flat(elab, node, ctx):
        inner.nested = True
        x = temp_local(elab.model, inner, b.name, t, b.span)
        ctx.em.push()
        test = while_condition(elab, node.clauses, inner)
        if test != ONE:
            ctx.em.emit(ir.IfS(test, (), (ir.Break(),)))
        flow.block(elab, node.block, inner, ctx)
        ctx.em.emit(ir.For(x.slot, d, ctx.em.pop()))
        return
    top, nxt, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
    x = bind(elab.model, inner, b.name, t, b.span)
    if d.kind == "range":
        assert d.b is not None
        limit = hidden_local(elab.model, scope, INT)
        at = hidden_local(elab.model, scope, INT)
        ctx.em.emit(assign(at, d.a))
        ctx.em.emit(assign(limit, d.b))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(ir.Compare("<=", at.read, limit.read), end))
        ctx.em.emit(assign(x, at.read))
        ctx.em.emit(assign(at, ir.Arith("+", at.read, ONE)))
    elif d.kind == "set":
        rest = hidden_local(elab.model, scope, SetType(t))
        ctx.em.emit(assign(rest, d.a))
        slot = scope.body.temp()
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(ir.Compare("!=", rest.read, ZERO), end))
        first = ir.Fold("first", ((slot, ir.Domain("set", rest.read)),), None, (), ir.Temp(slot))
        ctx.em.emit(assign(x, first))
        ctx.em.emit(assign(rest, ir.Arith("&~", rest.read, ir.MakeSet((x.read,)))))
    else:
        n = max_length(elab, node, t)
        items = hidden_local(elab.model, scope, ListType(t, n))
        at = hidden_local(elab.model, scope, INT)
        ctx.em.emit(assign(items, d.a))
        ctx.em.emit(assign(at, ONE))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(ir.Compare("<=", at.read, ir.Size("list", items.read)), end))
        ctx.em.emit(assign(x, ir.ListItem(items.read, at.read)))
        ctx.em.emit(assign(at, ir.Arith("+", at.read, ONE)))
    emit_pass(elab, node, while_condition(elab, node.clauses, inner), inner, ctx, (top, nxt, end))


def emit_pass(
    elab: Elaboration, node: sx.Loop, test: ir.Expr, inner: Scope, ctx: EmitContext, labels: tuple[int, int, int]
) -> None:
    """The body of a loop for a member that is bound, while `test` holds, and the jump to the next. `labels`: where the
    loop tests whether there is another member, where a pass ends, where the loop ends."""
    top, nxt, end = labels
    if test != ONE:
        ctx.em.instr(ir.Branch(test, end))
    flow.block(elab, node.block, inner, ctx.inside(skip=nxt))
    ctx.em.place(nxt)
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(end)


def add_where_facts(elab: Elaboration, node: sx.Loop | sx.Choose, scope: Scope) -> None:
    """Add what the `where` of frozen members proves about locals."""
    for c in node.clauses:
        if c.word == "where" and not isinstance(c.args[0], sx.Key):
            scope.known = scope.known | flow.lasting_facts(operators.proved_facts(elab, c.args[0])[0])


def max_length(elab: Elaboration, node: sx.Loop, t: Type) -> int:
    """How many members a loop can have."""
    return max(1, calls.member_count(elab, t.elem if isinstance(t, SetType) else t))


def frozen_tuples(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """Several binders: the members are tuples numbered from 1, filtered once; lists keep nested order."""
    probe = scope.child()
    probe.nested = True
    binders, types = folds.bind_members(elab, node.binders, probe)
    where, _ = folds.where_clauses(elab, node.clauses, probe)
    if any(t == ERROR for t in types):
        return
    if any(d.kind == "list" for _, d in binders) or not all(isinstance(t, (MemberType, IntType)) for t in types):
        outer = sx.Loop(node.word, False, node.binders[1:], node.clauses, node.block, node.cites, span=node.span)
        first = sx.Loop(node.word, False, node.binders[:1], (), (outer,), span=node.span)
        frozen_single(elab, first, scope, ctx)
        return
    keys = tuple(types)
    n = key_count(keys)
    code = ir.Fold(
        "set", tuple(binders), where, (), linear(1, [(key_offset(keys, [ir.Temp(s) for s, _ in binders]), 1)])
    )
    inner = scope.child()
    add_where_facts(elab, node, inner)
    flat = flow.must_be_flat(elab, node, ctx)
    number: Local
    if flat:
        top, nxt, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
        rest = hidden_local(elab.model, scope, SetType(IntType(1, n)))
        number = hidden_local(elab.model, scope, INT)
        ctx.em.emit(assign(rest, code))
        slot = scope.body.temp()
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(ir.Compare("!=", rest.read, ZERO), end))
        ctx.em.emit(assign(number, ir.Fold("first", ((slot, ir.Domain("set", rest.read)),), None, (), ir.Temp(slot))))
        ctx.em.emit(assign(rest, ir.Arith("&~", rest.read, ir.MakeSet((number.read,)))))
    else:
        inner.nested = True
        number = temp_local(elab.model, inner, "", INT)
        ctx.em.push()
    unpack_tuple(elab, node.binders, keys, number.read, inner, ctx)
    test = while_condition(elab, node.clauses, inner)
    if flat:
        emit_pass(elab, node, test, inner, ctx, (top, nxt, end))
    else:
        if test != ONE:
            ctx.em.emit(ir.IfS(test, (), (ir.Break(),)))
        flow.block(elab, node.block, inner, ctx)
        ctx.em.emit(ir.For(number.slot, ir.Domain("set", code), ctx.em.pop()))


def unpack_tuple(
    elab: Elaboration,
    binders: tuple[sx.Binder, ...],
    keys: tuple[Type, ...],
    number: ir.Expr,
    scope: Scope,
    ctx: EmitContext,
) -> None:
    """Bind the names of a numbered tuple."""
    stride = key_count(keys)
    left: ir.Expr = linear(-1, [(number, 1)])
    for b, t in zip(binders, keys, strict=True):
        low, high = bounds(t)
        stride //= high - low + 1
        part = ir.Arith("div_down", left, ir.Const(stride)) if stride > 1 else left
        x = bind(elab.model, scope, b.name, t, b.span)
        ctx.em.emit(assign(x, linear(low, [(part, 1)])))
        left = ir.Arith("-", left, ir.Arith("*", part, ir.Const(stride)))


def live_loop(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """A loop that reads members, `where` and keys again after each pass; visited members do not come back."""
    m = elab.model
    if len(node.binders) != 1:
        m.error("RW0607", node.span, "a `live` loop takes one name", "write one loop inside the other")
        return
    b = node.binders[0]
    probe = scope.child()
    probe.nested = True
    binders, types = folds.bind_members(elab, node.binders, probe)
    t = types[0]
    if t == ERROR:
        return
    if not isinstance(t, (MemberType, IntType)):
        m.error("RW0607", node.span, f"a `live` loop visits members, not `{t}`")
        return
    visited = hidden_local(m, scope, SetType(t))
    ctx.em.emit(assign(visited, ZERO))
    slot, d = binders[0]
    where, probe = folds.where_clauses(elab, node.clauses, probe)
    unseen = ir.Not(ir.InSet(ir.Temp(slot), visited.read))
    test = conj([unseen, *([where] if where is not None else [])])
    keys = folds.order_keys(elab, node.clauses, probe)
    flat = flow.must_be_flat(elab, node, ctx)
    inner = scope.child()
    x: Local
    if flat:
        x = bind(m, inner, b.name, t, b.span)
    else:
        inner.nested = True
        x = temp_local(m, inner, b.name, t, b.span)
    some = ir.Fold("any", ((slot, d),), test, (), None)
    best = ir.Fold("first", ((slot, d),), test, keys, ir.Temp(slot))
    mark = assign(visited, ir.Arith("|", visited.read, ir.MakeSet((x.read,))))
    if not flat:
        ctx.em.push()
        ctx.em.emit(ir.SetTemp(x.slot, best))
        ctx.em.emit(mark)
        stop = while_condition(elab, node.clauses, inner)
        if stop != ONE:
            ctx.em.emit(ir.IfS(stop, (), (ir.Break(),)))
        flow.block(elab, node.block, inner, ctx)
        ctx.em.emit(ir.While(some, ctx.em.pop(), node.span))
        return
    top, end = ctx.em.label(), ctx.em.label()
    ctx.em.place(top)
    ctx.em.instr(ir.Branch(some, end))
    ctx.em.emit(assign(x, best))
    ctx.em.emit(mark)
    stop = while_condition(elab, node.clauses, inner)
    if stop != ONE:
        ctx.em.instr(ir.Branch(stop, end))
    flow.block(elab, node.block, inner, ctx.inside(skip=top))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(end)


def round_robin(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`round robin`: rounds over the frozen list; members for which `where` fails now are skipped. It ends when
    `while` fails or a whole round skips everybody."""
    keys = tuple(c for c in node.clauses if c.word == "with")
    bare = sx.Loop("for every", False, node.binders, keys, node.block, span=node.span)
    if len(node.binders) != 1:
        elab.model.error("RW0607", node.span, "a `round robin` takes one name")
        return
    d, t = frozen_domain(elab, bare, scope)
    if t == ERROR:
        return
    b = node.binders[0]
    inner = scope.child()
    items = hidden_local(elab.model, scope, ListType(t, max_length(elab, node, t)))
    at, acted = hidden_local(elab.model, scope, INT), hidden_local(elab.model, scope, INT)
    source = (
        d.a if d.kind == "list" else ir.ListOp("to_list", (d.a if d.kind == "set" else ir.RangeSet(d.a, d.b or ZERO),))
    )
    flat = flow.must_be_flat(elab, node, ctx)
    x = bind(elab.model, inner, b.name, t, b.span) if flat else temp_local(elab.model, inner, b.name, t, b.span)
    where, _ = folds.where_clauses(elab, node.clauses, inner)
    add_where_facts(elab, node, inner)
    test = while_condition(elab, node.clauses, inner)
    more = ir.Compare("<=", at.read, ir.Size("list", items.read))
    step = assign(at, ir.Arith("+", at.read, ONE))
    ctx.em.emit(assign(items, source))
    if not flat:
        inner.nested = True
        ctx.em.emit(assign(acted, ONE))
        ctx.em.push()
        ctx.em.emit(assign(acted, ZERO))
        ctx.em.emit(assign(at, ONE))
        ctx.em.push()
        ctx.em.emit(assign(x, ir.ListItem(items.read, at.read)))
        ctx.em.emit(step)
        ctx.em.emit(ir.IfS(test, (), (assign(acted, ZERO), ir.Break())))
        ctx.em.push()
        ctx.em.emit(assign(acted, ONE))
        flow.block(elab, node.block, inner, ctx)
        ctx.em.emit(ir.IfS(where or ONE, ctx.em.pop(), ()))
        ctx.em.emit(ir.While(more, ctx.em.pop(), node.span))
        ctx.em.emit(ir.While(acted.read, ctx.em.pop(), node.span))
        return
    round_, top, nxt, end = (ctx.em.label() for _ in range(4))
    ctx.em.place(round_)
    ctx.em.emit(assign(at, ONE))
    ctx.em.emit(assign(acted, ZERO))
    ctx.em.place(top)
    ctx.em.instr(ir.Branch(more, nxt))
    ctx.em.emit(assign(x, ir.ListItem(items.read, at.read)))
    ctx.em.emit(step)
    if test != ONE:
        ctx.em.instr(ir.Branch(test, end))
    if where is not None:
        ctx.em.instr(ir.Branch(where, top))
    ctx.em.emit(assign(acted, ONE))
    flow.block(elab, node.block, inner, ctx.inside(skip=top))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(nxt)
    ctx.em.instr(ir.Branch(acted.read, end))
    ctx.em.instr(ir.Jump(round_))
    ctx.em.place(end)
