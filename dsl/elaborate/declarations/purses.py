"""Purses: sources, change and default payments (docs/manual/15-purses.md).

`dsl.elaborate.statements.pay` pays from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.scope import Body, Local, Scope, Val, ZoneRef, temp_local
from dsl.elaborate.core.types import captured_types
from dsl.elaborate.events import ends, force, order
from dsl.elaborate.events.reactions import YOU
from dsl.elaborate.expressions import folds, paying, zones
from dsl.elaborate.expressions.paying import have_equal_worth, sharing_counter
from dsl.symbols.symbols import PieceSym, PurseSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ purses


def compile_purses(elab: Elaboration) -> None:
    """Make all purses."""
    for p in elab.model.purses.values():
        compile_purse(elab, p)


def compile_purse(elab: Elaboration, p: PurseSym) -> None:
    """Make a purse and the function of what it is worth."""
    m = elab.model
    body = Body(p.name)
    scope = Scope(body, address=p.name)
    for name, t in p.params:
        temp_local(m, scope, name, t).used = True
    sources: list[ir.PurseSource] = []
    change: ir.Pool | None = None
    requires: list[ir.Expr] = []
    keys: tuple[tuple[bool, ir.Expr], ...] = ()
    scope.special = {}
    if paying.depends_on_cause(elab, p):
        cause = temp_local(m, scope, "", paying.cause_type(elab))  # after the arguments, as in `purse_args`
        scope.special["cause"] = Local("cause", cause.type, cause.read, cause.slot)
    over = temp_local(m, scope, "", INT)
    scope.special |= {"over": Local("over", INT, over.read, over.slot)}
    worth = f"worth_of({p.name})"  # it depends on what sources read, not on `require` and `default`
    for line in p.decl.block:
        elab.values.current = worth if isinstance(line, sx.Loop) or getattr(line, "word", "") == "source" else ""
        match line:
            case sx.Decl(word="source"):
                append_source(sources, purse_source(elab, line, scope, None))
            case sx.Loop(word="for every", binders=(binder,), block=block):
                for inner_line in block:
                    if isinstance(inner_line, sx.Decl) and inner_line.word == "source":
                        inner = scope.child()
                        d, t = folds.binder_domain(elab, binder.domain, inner)
                        local = temp_local(m, inner, binder.name, t, binder.span)
                        append_source(sources, purse_source(elab, inner_line, inner, (local.slot, d)))
            case sx.Decl(word="change", head=head) if head is not None:
                ref = elab.ref(head, scope)
                if (
                    isinstance(ref, ZoneRef)
                    and ref.zone.piece is not None
                    and len(ref.index) == len(ref.zone.piece.index)
                ):
                    change = ends.pool(elab, ref, ref.zone.piece, list(ref.index), 0, line.span)
                else:
                    m.error("RW0821", line.span, "`change from` names a zone of counted pieces")
            case sx.Sentence(word="require", operands=(cond,)):
                requires.append(elab.test(cond, scope))
            case sx.Decl(word="default", head=sx.Name("ask")):
                pass  # see `Suspension.asks_each_payment`
            case sx.Decl(word="default"):
                keys += folds.order_keys(elab, line.clauses, scope)
            case _:
                m.error("RW0822", line.span, "a purse holds `source`, `change`, `require` and `default` lines")
    elab.values.current = worth
    ordered = len({rule.this for rule in p.extra if rule.this}) > 1
    for rule in sorted(p.extra, key=lambda rule: rule.this):
        made = outside_source(elab, p, rule, scope)
        if made is not None:
            rank = order.source_rank(elab, rule.this) if ordered and rule.this else None
            sources.append(replace(made, rank=rank))
    elab.values.current = ""
    if not sources:
        m.error("RW0823", p.span, f"the purse `{p.name}` has no source", "add `source ZONE`")
    elab.out.purses[p.number] = ir.Purse(
        p.name, tuple(p.params), body.temps, tuple(sources), change, over.slot, tuple(requires), keys
    )
    params = (*p.params, ("cause", paying.cause_type(elab))) if paying.depends_on_cause(elab, p) else tuple(p.params)
    elab.out.functions[elab.out.worth_base + p.number] = ir.Function(
        worth, params, body.temps, INT, total_worth(sources), p.decl.cites, p.span
    )


def outside_source(elab: Elaboration, p: PurseSym, rule: RuleLine, scope: Scope) -> ir.PurseSource | None:
    """A `source` line outside the purse. That of a card pays for its owner, one under `until end of` for the one who
    acted."""
    inner = scope.child()
    inner.this = rule.this
    inner.nested = True
    each = live_records(rule, inner) if rule.timed >= 0 else None
    active = [force.while_test(elab, c, rule.this, inner) for c in rule.conditions]
    inner.known = force.while_facts(elab, rule)
    payer, kind = p.params[0]
    owner = force.line_owner(elab, rule) if rule.timed < 0 else None
    if inner.you is not None:
        owner = Val(inner.you.read, inner.you.type)
    if owner is not None and elab.model.kind_of(owner.t) is elab.model.kind_of(kind):
        active.append(ir.Compare("==", scope.names[payer].read, owner.e))
    return purse_source(elab, rule.decl, inner, each, rule, active, p.name)


def live_records(rule: RuleLine, scope: Scope) -> tuple[int, ir.Domain]:
    """A temp for the number of a live record of a line under `until end of`, and all these numbers; the names that
    the line has copied are read from that record."""
    first, number = scope.body.temps, scope.body.temps + len(rule.captured)
    scope.body.temps = number + 1
    types = captured_types(rule)

    def copies(body: ir.Expr) -> ir.Expr:
        return ir.TimedFold(rule.timed, "list", first, None, body, ir.Const(()), types)

    for i, (name, t) in enumerate(rule.captured):
        local = Local(name, t, ir.ListItem(copies(ir.Temp(first + i)), ir.Temp(number)), used=True)
        scope.names[name] = local
        if name == YOU:
            scope.you = local
    return number, ir.Domain("range", ONE, ir.Size("list", copies(ONE)))


def append_source(sources: list[ir.PurseSource], made: ir.PurseSource | None) -> None:
    """Append a source that was made without a message."""
    if made is not None:
        sources.append(made)


def purse_source(
    elab: Elaboration,
    d: sx.Decl,
    scope: Scope,
    each: tuple[int, ir.Domain] | None,
    rule: RuleLine | None = None,
    active: Sequence[ir.Expr] = (),
    purse: str = "",
) -> ir.PurseSource | None:
    """One source of a purse; None after a message. `each` is the temp and domain that it ranges over, `active` what
    must hold."""
    m = elab.model
    assert d.head is not None
    ref = elab.ref(d.head, scope)
    if not isinstance(ref, ZoneRef) or ref.zone.piece is None:
        m.error("RW0821", d.span, f"a source is a zone of counted pieces, and `{m.text(d.head.span)}` is not")
        return None
    piece: PieceSym = ref.zone.piece
    if len(ref.index) != len(piece.index):
        help = f"name the sort: `source {m.text(d.head.span)}[...]`"
        m.error(
            "RW0821", d.span, f"a source holds one sort of `{piece.name}`, and `{m.text(d.head.span)}` several", help
        )
        return None
    pool = ends.pool(elab, ref.of((), None, d.span), piece, list(ref.index), ref.face or 0, d.span)
    if pool is None:
        return None
    worth_clause = clause(d, "worth")
    worth = (
        elab.number(worth_clause.args[0], scope).e
        if worth_clause and not isinstance(worth_clause.args[0], sx.Key)
        else ONE
    )
    to = clause(d, "to")
    target: ir.Pool | None = None
    if to and not isinstance(to.args[0], sx.Key):
        back = elab.ref(to.args[0], scope)
        if isinstance(back, ZoneRef):
            target = ends.pool(elab, back, piece, list(ref.index), 0, d.span)
    elif (supply := zones.home(piece, ref.index, d.span)) is not None:
        target = ends.pool(elab, supply, piece, list(ref.index), 0, d.span)
    else:
        target = ir.Pool("endless", None, None, f"{piece.name} supply")
    tests: list[ir.Expr] = [*active]
    for c in d.clauses:
        if c.word == "where" and not isinstance(c.args[0], sx.Key):
            tests.append(elab.test(c.args[0], scope))
    limit = clause(d, "max")
    most = elab.number(limit.args[0], scope).e if limit and not isinstance(limit.args[0], sx.Key) else None
    counter = 0
    if rule is not None and clause(d, "once per"):
        counter = source_counter(elab, purse, rule)
        most = ir.If(ir.Cell(ir.Const(counter), INT), ZERO, most or ir.Const(999_999))
    slot, domain = each if each is not None else (-1, None)
    first = clause(d, "first") is not None
    closed = clause(d, "never back") is not None
    where = conj(tests) if tests else None
    return ir.PurseSource(slot, domain, pool, worth, target, first, where, most, counter, never_back=closed)


def source_counter(elab: Elaboration, purse: str, rule: RuleLine) -> int:
    """Address of the counter of `once per F`: lines of one card that pay into one purse are counted together."""
    limit = clause(rule.decl, "once per")
    frame = limit.args[0].id if limit and isinstance(limit.args[0], sx.Name) else ""
    which = f"{rule.this} per {frame}" if rule.this else str(rule.number)
    return elab.layout.counter(f"source.{purse}.{which}")


def total_worth(sources: Sequence[ir.PurseSource]) -> ir.Expr:
    """What all sources hold together, as far as they count now; never too little, and exact where `have_equal_worth`
    holds."""
    total: ir.Expr = ZERO
    for s in sources:
        if len(lines := sharing_counter(s, sources)) == 1 or not have_equal_worth(lines):
            total = ir.Arith("+", total, source_worth(s, s.worth))
        elif s is lines[0]:
            part: ir.Expr = ZERO
            most: ir.Expr = ZERO
            for line in lines:
                assert line.most is not None, "what has a counter has a limit"
                part = ir.Arith("+", part, source_worth(line, line.worth))
                most = ir.Arith("max", most, line.most if line.where is None else ir.If(line.where, line.most, ZERO))
            total = ir.Arith("+", total, ir.Arith("min", part, ir.Arith("*", most, s.worth)))
    return total


def source_worth(s: ir.PurseSource, each: ir.Expr) -> ir.Expr:
    """What a source holds, where one piece counts `each`."""
    pool = s.pool
    assert pool.address is not None
    held: ir.Expr = ir.Cell(pool.address, INT, pool.symbol)
    if pool.kind == "slot":
        assert pool.code is not None
        held = ir.Compare("==", held, pool.code)
    if s.most is not None:
        held = ir.Arith("min", held, s.most)
    worth = ir.Arith("*", held, each)
    if s.domain is not None:
        return ir.Fold("sum", ((s.slot, s.domain),), s.where, (), worth)
    return ir.If(s.where, worth, ZERO) if s.where is not None else worth
