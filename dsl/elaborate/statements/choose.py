"""`choose`: everything that becomes a choice site."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, MemberType, SetType, SparseType, Type, key_count
from dsl.elaborate.alike import choices as alike
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, per_unit
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, bind, hidden_local, temp_local
from dsl.elaborate.core.types import need
from dsl.elaborate.expressions import actors, folds, operators
from dsl.elaborate.statements import flow
from dsl.elaborate.statements.guards import asked_scope, guards_of, is_told, named_guards, text_values
from dsl.ir.walk import free
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx

BOUNDS = ("exactly", "at least", "at most", "covering")


# ------------------------------------------------------------ choose


def unknown_answer(node: sx.Choose, scope: Scope) -> None:
    """Bind the names of a question that cannot be asked, so that lines with them are not reported."""
    for name in filter(None, (*(b.name for b in node.binders), node.name)):
        scope.names[name] = Local(name, ERROR, ZERO)


def choose(elab: Elaboration, node: sx.Choose, scope: Scope, ctx: EmitContext) -> None:
    """`choose`: a question to a seat; its answer becomes locals."""
    by = clause(node, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
    if actor is None:
        if by is None:
            elab.model.error("RW0701", node.span, "who chooses? nobody acts here", "add `by WHO`")
        return unknown_answer(node, scope)
    if isinstance(actor.t, MemberType) and actor.t.optional:
        elab.model.error("RW0401", node.span, "the one who chooses may be none", "test it first: `if ... is not none`")
        return
    if node.shape == "cases":
        alike.alike_binder(elab, node, [], node.shape)
        asked = ask_cases(elab, node, actor, scope, ctx)
        if ctx.pending_cases is None:
            run_cases(elab, *asked, ctx)
        else:
            ctx.pending_cases.append(asked)
        return
    if node.shape in ("some", "number"):
        report_second_name(elab, node, "choose the pairs as things of a kind, or one after the other")
    probe = scope.child()
    probe.nested = True
    temps: list[tuple[str, int, ir.Domain, Type]] = []
    each: tuple[ir.Expr, ir.Expr] | None = None
    most: Type = INT  # of the amount of a member
    for b in node.binders:
        d, t = folds.binder_domain(elab, b.domain, probe)
        folds.check_new_name(elab, b.name, b, probe)
        local = temp_local(elab.model, probe, b.name, t, b.span)
        local.used = True
        temps.append((b.name, local.slot, d, t))
    if any(t == ERROR for _, _, _, t in temps):
        return unknown_answer(node, scope)
    guards, inside = guards_of(elab, node.clauses, "where", probe, node.cites)
    each_clause = clause(node, "each")
    if each_clause and isinstance(each_clause.args[0], sx.RangeExpr):
        r = each_clause.args[0]
        high = elab.number(r.high, inside)
        each, most = (elab.number(r.low, inside).e, high.e), high.t
    elif each_clause:
        elab.model.error("RW0702", each_clause.span, "`each` takes a range", "write `each 0..N`")
    # where the answer goes
    answer: tuple[int, Type] | None = None
    slots: list[tuple[int, Type]] = []
    whole_slot = -1
    cursor = -1
    whole_scope = inside
    name = node.name or node.binders[0].name
    bounds_list = bounds_of(elab, node, inside, name, most)
    if node.shape == "amounts" and each is None:
        each = (ZERO, each_limit(elab, node, bounds_list))
    whole_type: Type | None = None
    if node.shape == "one":
        for b, (_, _, _, t) in zip(node.binders, temps, strict=True):
            sure = MemberType(t.domain, t.low, t.high) if isinstance(t, MemberType) else t
            after = bind(elab.model, scope, b.name, sure, b.span)
            if len(node.binders) == 1:
                elab.routines.locals.append(after)
            slots.append((after.slot, sure))
    else:
        if node.shape == "number":
            whole_type = INT
        elif node.shape == "some":
            whole_type = SetType(temps[0][3])
        else:
            keys = tuple(t for _, _, _, t in temps)
            whole_type = SparseType(keys, sparse_cap(elab, keys, node, bounds_list, inside))
        after = bind(elab.model, scope, name, whole_type, node.span)
        elab.routines.locals.append(after)
        answer = (after.slot, whole_type)
        if node.shape != "number":
            cursor = scope.body.frame(INT)
        whole_slot = scope.body.temp()
        whole_scope = scope.child()
        whole_scope.nested = True
        whole_scope.names[name] = Local(name, whole_type, ir.Temp(whole_slot), whole_slot, used=True)
    such, _ = guards_of(elab, node.clauses, "such that", whole_scope if node.shape != "one" else inside, node.cites)
    keys_e = folds.order_keys(elab, node.clauses, whole_scope if node.shape in ("some", "amounts") else inside)
    if node.shape == "number" and node.binders and not isinstance(node.binders[0].domain, sx.RangeExpr):
        elab.model.error(
            "RW0703", node.binders[0].span, "`choose number` takes a range", "write `choose number n in 0..N`"
        )
    guards, such, same = alike.one_of_each(elab, node, node.shape, scope.body, temps, guards, such, whole_slot)
    alternative = ir.Alternative("", tuple(temps), guards, tuple(slots), alike=same)
    emit_question(
        elab,
        node,
        ctx,
        scope,
        actor,
        node.shape,
        (alternative,),
        name,
        [inside],
        each=each,
        bounds=bounds_list,
        such_that=such,
        keys=keys_e,
        answer=answer,
        cursor=cursor,
        whole_slot=whole_slot,
    )


def report_second_name(elab: Elaboration, node: sx.Choose, way: str) -> None:
    """Report a name behind the first one where the answer or outcome is of one."""
    if len(node.binders) > 1:
        second = node.binders[1]
        word = node.word if node.shape == "one" else f"{node.word} {node.shape}"
        elab.model.error("RW0716", second.span, f"`{word}` has one name; I read a second, `{second.name}`", way)


def bounds_of(elab: Elaboration, node: sx.Choose, scope: Scope, name: str, most: Type) -> tuple[ir.Bound, ...]:
    """Bounds on the size or on totals; a bound belongs to the `total` before it. `most`: the type of the greatest
    amount of a member, which the name of the answer stands for inside `total`."""
    result: list[ir.Bound] = []
    weight: ir.Expr | None = None
    per: int | None = None
    totalled, amount_slot, slot = False, -1, -1
    inner = scope.child()
    if node.shape == "amounts":
        amount_slot = scope.body.temp()
        amount_type = IntType(0, max(most.high, 0)) if isinstance(most, IntType) else INT
        inner.names[name] = Local(name, amount_type, ir.Temp(amount_slot), amount_slot, used=True)
    for c in node.clauses:
        arg = c.args[0] if c.args else None
        if c.word == "total" and arg is not None and not isinstance(arg, sx.Key):
            v = need(elab.model, elab.expr(arg, inner), INT, arg.span)
            weight, per, totalled, slot = v.e, None, True, -1
            if node.shape == "amounts":
                unit = per_unit(v.e, amount_slot)
                weight, slot = (v.e, amount_slot) if unit is None else (unit, -1)
                if amount_slot not in free(v.e) and v.t != ERROR:
                    said = elab.model.text(arg.span)
                    help = f"write `total {name} * {said}` to weigh the amounts with it"
                    elab.model.error("RW0720", arg.span, f"`total {said}` is the same for every amount `{name}`", help)
            weight = None if weight == ONE else weight
        elif c.word == "per" and isinstance(arg, sx.Name):
            names = [b.name for b in node.binders]
            if arg.id in names:
                per = names.index(arg.id)
            else:
                elab.model.unknown("RW0704", arg.span, "name of this choice", arg.id, names)
        elif c.word in BOUNDS and arg is not None and not isinstance(arg, sx.Key):
            if node.shape in ("one", "number"):
                message = f"`{c.word}` applies only to answers with several members"
                elab.model.error("RW0705", c.span, message, "use `where`")
                continue
            if node.shape == "amounts" and not totalled:
                elab.model.error(
                    "RW0706", c.span, f"`{c.word}` of what?", f"write `total {name} {c.word} ...`, or `each a..b`"
                )
                continue
            result.append(ir.Bound(c.word, elab.number(arg, scope).e, weight, per, slot))
    return tuple(result)


def each_limit(elab: Elaboration, node: sx.Choose, bounds_list: tuple[ir.Bound, ...]) -> ir.Expr:
    """Without `each` the most that one slot can take is the least of the totals that bound it from above."""
    most: ir.Expr | None = None
    for b in bounds_list:
        if b.op in ("at most", "exactly") and b.weight is None:
            most = b.amount if most is None else ir.Arith("min", most, b.amount)
    if most is None:
        elab.model.error(
            "RW0715",
            node.span,
            "nothing bounds the amounts of this choice",
            "add `each 0..N`, or `total ... at most N`",
        )
    return most if most is not None else ZERO


def sparse_cap(
    elab: Elaboration, keys: tuple[Type, ...], node: sx.Choose, bounds_list: tuple[ir.Bound, ...], scope: Scope
) -> int:
    """How many slots of an `amounts` answer can be other than 0."""
    slots = key_count(keys)
    best = slots
    total_seen = False  # of the amounts as they are
    for c in node.clauses:
        if c.word == "total":
            total_seen = isinstance(c.args[0], sx.Name) and c.args[0].id == node.name
        if c.word == "per":
            total_seen = False
        if c.word in ("at most", "exactly") and total_seen and c.args and not isinstance(c.args[0], sx.Key):
            with elab.model.quietly():
                v = elab.expr(c.args[0], scope)
            if isinstance(v.t, IntType):
                best = min(best, max(0, v.t.high))
    return max(1, min(best, slots, 1000))


def emit_question(
    elab: Elaboration,
    node: sx.Choose | sx.Sentence,
    ctx: EmitContext,
    scope: Scope,
    actor: Val,
    shape: str,
    alternatives: tuple[ir.Alternative, ...],
    name: str,
    text_scopes: list[Scope],
    *,
    each: tuple[ir.Expr, ir.Expr] | None = None,
    bounds: tuple[ir.Bound, ...] = (),
    such_that: tuple[ir.Guard, ...] = (),
    keys: tuple[tuple[bool, ir.Expr], ...] = (),
    answer: tuple[int, Type] | None = None,
    cursor: int = -1,
    whole_slot: int = -1,
    if_any: bool = False,
) -> None:
    """Make the site and the instruction that asks. `text_scopes` are those in which the texts of the alternatives
    are read, `answer` the slot and type of an answer as a whole, `slots` of the alternatives those of its parts."""
    decline = has_clause(node, "or decline")
    address = ctx.site_address(name)
    if name in scope.names and is_told(elab, address, name):
        scope.names[name].used = True
    seat = actors.seat_of(elab, actor, node.span)
    audience = audience_of(elab, node, scope, seat)
    giving = clause(node, "giving")
    skip = ctx.skip or ctx.epilogue
    give_label = 0
    if giving and not isinstance(giving.args[0], sx.Key):
        give_label = ctx.em.label()
        skip = give_label
    values = tuple(
        (local.name, local.read, local.type)
        for local in scope.all_locals()
        if local.type != ERROR and local.name.isidentifier()
    )
    alternatives = tuple(
        replace(a, guards=named_guards(a.guards, f"{address}.{a.name}.where" if a.name else f"{address}.where"))
        for a in alternatives
    )
    written, own_values, open_values = text_values(
        elab, address, tuple(a.name for a in alternatives), asked_scope(scope, shape, alternatives), text_scopes
    )
    site = ir.Site(
        address,
        shape,
        seat,
        actor.e,
        actor.t,
        alternatives,
        each=each,
        bounds=bounds,
        such_that=named_guards(such_that, f"{address}.such_that"),
        keys=keys,
        decline=decline,
        if_any=if_any or has_clause(node, "if any"),
        answer=answer,
        cursor=cursor,
        whole_slot=whole_slot,
        audience=audience,
        cites=node.cites,
        span=node.span,
        temps=scope.body.temps,
        text_values=values + written,
        own_values=own_values if any(own_values) else (),
        open_values=open_values,
    )
    elab.out.sites.append(site)
    number = len(elab.out.sites) - 1
    elab.out.site_bodies.append((number, scope.body))
    if cursor >= 0 and answer is not None:
        ctx.em.emit(ir.SetFrame(cursor, INT, ZERO))
        ctx.em.emit(ir.SetFrame(answer[0], answer[1], ir.Const(0 if isinstance(answer[1], SetType) else ())))
    ctx.em.instr(ir.Ask(number, skip))
    if audience is not None:
        forget(elab, site, ir.Arith("|", audience, ir.MakeSet((seat,))), ctx)
    if give_label:
        go_on = ctx.em.label()
        ctx.em.instr(ir.Jump(go_on))
        ctx.em.place(give_label)
        assert giving and not isinstance(giving.args[0], sx.Key)
        t = ctx.routine.gives
        value = elab.expr(giving.args[0], scope, t)
        if t is not None:
            value = need(elab.model, value, t, giving.span)
        flow.leave_with(value.e, ctx)
        ctx.em.place(go_on)


def forget(elab: Elaboration, site: ir.Site, informed: ir.Expr, ctx: EmitContext) -> None:
    """An answer that only the `informed` see ends what the others knew of the things that it might have named."""
    for a in site.alternatives:
        binders = tuple((slot, d) for _, slot, d, _ in a.binders)
        where = conj([g.test for g in a.guards]) if a.guards else None
        for i, (_, slot, _, t) in enumerate(a.binders):
            if not isinstance(t, MemberType) or t.domain not in elab.model.kinds:
                continue
            named: ir.Expr = ZERO
            if site.shape == "some" and site.answer is not None:
                named = ir.FrameVar(*site.answer)
            elif site.shape == "one" and len(site.alternatives) == 1:
                named = ir.MakeSet((ir.FrameVar(*a.slots[i]),))
            ctx.em.emit(ir.Forget(ir.Fold("set", binders, where, (), ir.Temp(slot)), named, informed))


# ------------------------------------------------------------ choose one with cases


def ask_cases(
    elab: Elaboration, node: sx.Choose, actor: Val, scope: Scope, ctx: EmitContext
) -> tuple[Local, list[tuple[sx.Case, Scope]]]:
    """The question; gives the local that holds the number of the case, and the bodies with the names of their
    parameters."""
    m = elab.model
    alternatives: list[ir.Alternative] = []
    text_scopes: list[Scope] = []
    bodies: list[tuple[sx.Case, Scope]] = []
    chosen = hidden_local(m, scope, INT)
    for case in node.block:
        if not isinstance(case, sx.Case):
            m.error("RW0707", case.span, "only `case` lines are allowed under `choose one`")
            continue
        probe = scope.child()
        probe.nested = True
        inner = scope.child()
        temps: list[tuple[str, int, ir.Domain, Type]] = []
        slots: list[tuple[int, Type]] = []
        for p in case.params:
            name = p.value.id if isinstance(p.value, sx.Name) else "?"
            if p.type is None:
                m.error("RW0708", p.span, f"what does `{name}` range over?", f"write `{name}: SET` or `{name}: 1..N`")
                inner.names[name] = Local(name, ERROR, ZERO)
                continue
            d, t = folds.binder_domain(elab, p.type, probe)
            folds.check_new_name(elab, name, p, probe)
            local = temp_local(m, probe, name, t, p.span)
            temps.append((name, local.slot, d, t))
            sure = MemberType(t.domain, t.low, t.high) if isinstance(t, MemberType) else t
            after = bind(m, inner, name, sure, p.span)
            slots.append((after.slot, sure))
        guards, _ = guards_of(elab, case.clauses, "where", probe, case.cites or node.cites)
        for c in case.clauses:
            if c.word == "where" and not isinstance(c.args[0], sx.Key):
                inner = inner.knowing(flow.lasting_facts(operators.proved_facts(elab, c.args[0])[0]))
        guards, _, same = alike.one_of_each(elab, case, "one", scope.body, temps, guards)
        alternatives.append(ir.Alternative(case.name, tuple(temps), guards, tuple(slots), alike=same))
        bodies.append((case, inner))
        text_scopes.append(probe)
    times = Counter(c.name for c, _ in bodies)
    for case, _ in bodies:
        if times[case.name] > 1:
            m.error("RW0202", case.span, f"two cases are called `{case.name}`")
            break
    if not alternatives:
        m.error("RW0709", node.span, "`choose one` without any `case`")
        return chosen, []
    emit_question(
        elab, node, ctx, scope, actor, "one", tuple(alternatives), "one", text_scopes, answer=(chosen.slot, INT)
    )
    return chosen, bodies


def run_cases(elab: Elaboration, chosen: Local, bodies: list[tuple[sx.Case, Scope]], ctx: EmitContext) -> None:
    """The bodies of the cases, of which the chosen one runs."""
    end = ctx.em.label()
    for i, (case, inner) in enumerate(bodies, 1):
        nxt = ctx.em.label()
        ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
        elab.model.add_citations(f"{ctx.address}.{case.name}", case.cites)
        flow.block(elab, case.block, inner, ctx.inside(skip=end))
        ctx.em.instr(ir.Jump(end))
        ctx.em.place(nxt)
    ctx.em.place(end)


def audience_of(
    elab: Elaboration, node: sx.Choose | sx.Sentence, scope: Scope, seat: ir.Expr | None = None
) -> ir.Expr | None:
    """The seats of `seen by`; None for all. `seat` is the one who is asked, if anybody is."""
    seen = clause(node, "seen by")
    who = seen.args[0] if seen else None
    if who is None or isinstance(who, sx.Key):
        return None
    if isinstance(who, sx.Name) and who.id in ("all", "nobody"):
        return ZERO if who.id == "nobody" else None
    if seat is not None and isinstance(who, sx.Name) and who.id in ("owner", "you"):
        return ir.MakeSet((seat,))
    v = elab.expr(who, scope)
    return actors.seats_of(elab, v, scope, who.span)
