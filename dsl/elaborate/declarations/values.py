"""Values with their layers: base, `to`, `by`, bounds; `grant` and `deny` (docs/manual/05-values-and-layers.md)."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT, BoolType, IntType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import once
from dsl.elaborate.core.build import ZERO, conj
from dsl.elaborate.core.scope import Body, Local, Scope, Val, temp_local
from dsl.elaborate.core.types import captured_types, need, within
from dsl.elaborate.events import force
from dsl.elaborate.expressions import folds, operators
from dsl.symbols.symbols import RuleLine, ValueSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ values


def compile_values(elab: Elaboration) -> None:
    """Make the functions of all values."""
    for v in elab.model.values.values():
        compile_value(elab, v)


def recompile_timed_values(elab: Elaboration) -> None:
    """Make again the values to which lines under `until end of` were added while routines were made."""
    for v in elab.model.values.values():
        if any(line.timed >= 0 for line in v.lines):
            compile_value(elab, v)


def compile_value(elab: Elaboration, v: ValueSym) -> None:
    """Make the function of a value: its base with permissions or layers, within its bounds."""
    m = elab.model
    elab.values.current = v.name
    elab.values.for_bots = v.bots
    body = Body(v.name)
    scope = Scope(body, address=v.name)
    for name, t in v.params:
        local = temp_local(m, scope, name, t, v.span)
        local.param = True
    if v.decl.value is None:
        help = "end its block with `= EXPRESSION`" if v.decl.block else "write `= EXPRESSION`"
        m.error("RW0801", v.span, f"the value `{v.name}` has no body", help)
        elab.values.current = ""
        return
    named = [value_let(elab, line, scope) for line in v.decl.block if isinstance(line, sx.Let)]
    got = elab.expr(v.decl.value, scope, v.result)
    loose = v.result
    base = need(m, got, loose, v.decl.value.span)
    e = base.e
    if isinstance(v.result, BoolType):
        e = permissions(elab, v, e, scope)
    elif v.lines or v.layers:
        e = layers(elab, v, e, scope)
    e = with_bounds(elab, v, e, scope)
    altered = v.lines or v.layers
    e = within(m, Val(e, INT if altered and isinstance(v.result, IntType) else base.t), v.result, v.decl.value.span).e
    for local in scope.names.values():
        if not local.used and not (local.param and v.lines) and local.type != ERROR:
            what, span = ("parameter", v.span) if local.param else ("name", local.span)
            m.warn("RW0802", span, f"the {what} `{local.name}` of `{v.name}` is not used", "remove it, or use it")
    for local, value in reversed(named):
        e = once.let_once(local.slot, value, e, elab.findings.opened)
    elab.out.functions[v.fn] = ir.Function(v.name, tuple(v.params), body.temps, v.result, e, v.decl.cites, v.span)
    elab.values.current = ""
    elab.values.for_bots = False


def value_let(elab: Elaboration, node: sx.Let, scope: Scope) -> tuple[Local, ir.Expr]:
    """`let x = V` in the block of a value: the name, which the lines after it may read, and what it stands for."""
    m = elab.model
    value = folds.let_value(elab, node, scope)
    slot = scope.body.temp()
    local = scope.names[node.name] = Local(node.name, value.t, ir.Force(slot), slot, span=node.span)
    m.locals[node.span, node.name] = value.t
    return local, value.e


def with_bounds(elab: Elaboration, v: ValueSym, e: ir.Expr, scope: Scope) -> ir.Expr:
    """The value within the bounds of its declaration."""
    for c in v.decl.clauses:
        if c.word in ("at least", "at most") and not isinstance(c.args[0], sx.Key):
            e = clamp_to(elab, e, c, scope)
    return e


def clamp_to(elab: Elaboration, e: ir.Expr, c: sx.Clause, scope: Scope) -> ir.Expr:
    """The value within the bound of one clause."""
    node = c.args[0]
    assert not isinstance(node, sx.Key)
    n = elab.number(node, scope)
    return ir.Arith("max" if c.word == "at least" else "min", e, n.e)


def bind_line(elab: Elaboration, v: ValueSym, rule: RuleLine, outer: Scope) -> tuple[Scope, list[ir.Expr], int]:
    """The scope of a line's expressions with its names bound to the value's parameters, and its conditions. For a
    timed line the captured values follow in temps from the returned slot."""
    m = elab.model
    scope = Scope(outer.body, None, {}, rule.this, None, dict(outer.special), frozenset(), rule.address, True)
    head = rule.decl.head
    args = head.args if isinstance(head, sx.Call) else ()
    if len(args) != len(v.params):
        m.error(
            "RW0803",
            rule.decl.span,
            f"`{v.name}` has {len(v.params)} parameters, and this line names {len(args)}",
            f"write `{v.name}({', '.join(n for n, _ in v.params)})`",
        )
        return scope, [ZERO], -1
    tests: list[ir.Expr] = []
    for a, (pname, t) in zip(args, v.params, strict=True):
        param = outer.find(pname)
        assert param is not None
        param.used = True
        if not isinstance(a.value, sx.Name):
            m.error(
                "RW0804",
                a.span,
                f"`{m.text(a.span)}` is not a name; a parameter name is needed here",
                "name it, and put the condition in `where`",
            )
            continue
        name = a.value.id
        if name in m.members or name in m.kinds or name in m.zones:
            m.error(
                "RW0804",
                a.span,
                f"`{name}` is already in use",
                f"write a new name, and `where NAME is {name}`",
            )
            continue
        scope.names[name] = Local(name, t, param.read, used=True)
        m.locals[a.span, name] = t
    slot = -1
    if rule.timed >= 0:
        slot = scope.body.temps
        for name, t in rule.captured:
            local = temp_local(m, scope, name, t)
            local.used = True
    tests += [force.while_test(elab, c, rule.this, scope) for c in rule.conditions]
    inner = scope.knowing(force.while_facts(elab, rule))
    for c in rule.decl.clauses:
        if c.word == "where" and not isinstance(c.args[0], sx.Key):
            tests.append(elab.test(c.args[0], inner))
            inner = inner.knowing(operators.proved_facts(elab, c.args[0])[0])
    return inner, tests, slot


def permissions(elab: Elaboration, v: ValueSym, base: ir.Expr, scope: Scope) -> ir.Expr:
    """The base or any `grant`, and no `deny`."""
    grants: list[ir.Expr] = [base]
    denies: list[ir.Expr] = []
    for rule in v.lines:
        _, tests, slot = bind_line(elab, v, rule, scope)
        test: ir.Expr = conj(tests)
        if rule.timed >= 0:
            test = ir.TimedFold(rule.timed, "or", slot, None, test, None, captured_types(rule))
        (grants if rule.decl.word == "grant" else denies).append(test)
    e = grants[0] if len(grants) == 1 else ir.Or(tuple(grants))
    return conj([e, *(ir.Not(d) for d in denies)])


def layers(elab: Elaboration, v: ValueSym, base: ir.Expr, scope: Scope) -> ir.Expr:
    """Layer by layer: the last `to`, the sum of plain `by`, then each line with bounds of its own."""
    names = v.layers or [""]
    e = base
    for layer in names:
        last = layer == names[-1]
        lines = [r for r in v.lines if layer_of(r) == layer or (last and layer_of(r) == "")]
        if not lines:
            continue
        slot = scope.body.temp()
        scope.special = {"so_far": Local("so_far", INT, ir.Temp(slot), slot)}
        result: ir.Expr = ir.Temp(slot)
        for r in lines:
            to = clause(r.decl, "to")
            if to is not None and not isinstance(to.args[0], sx.Key):
                inner, tests, at = bind_line(elab, v, r, scope)
                value = need(elab.model, elab.expr(to.args[0], inner, v.result), v.result, to.span)
                bounded = value.e
                for c in limits_of(r):
                    bounded = clamp_to(elab, bounded, c, inner)
                if r.timed >= 0:
                    result = ir.TimedFold(r.timed, "to", at, conj(tests), bounded, result, captured_types(r))
                else:
                    result = ir.If(conj(tests), bounded, result)
        others = [r for r in lines if clause(r.decl, "to") is None]
        for r in [r for r in others if not limits_of(r)]:
            inner, tests, at = bind_line(elab, v, r, scope)
            result = ir.Arith("+", result, added(elab, r, inner, tests, at))
        for r in [r for r in others if limits_of(r)]:
            result = bounded_line(elab, v, r, result, scope)
        e = ir.Let(slot, e, result)
        scope.special = {}
    return e


def added(elab: Elaboration, r: RuleLine, inner: Scope, tests: list[ir.Expr], at: int) -> ir.Expr:
    """What the `by` of a line adds; 0 where it does not apply, or has none."""
    by = clause(r.decl, "by")
    if by is None or isinstance(by.args[0], sx.Key):
        return ZERO
    value = elab.number(by.args[0], inner)
    if r.timed >= 0:
        return ir.TimedFold(r.timed, "+", at, conj(tests), value.e, None, captured_types(r))
    return ir.If(conj(tests), value.e, ZERO)


def bounded_line(elab: Elaboration, v: ValueSym, r: RuleLine, before: ir.Expr, scope: Scope) -> ir.Expr:
    """The value after a line with bounds of its own, with or without `by`: the bounds hold where the line applies. Of
    a timed line they hold for the sum of its records."""
    inner, tests, at = bind_line(elab, v, r, scope)
    if r.timed >= 0:
        result: ir.Expr = ir.Arith("+", before, added(elab, r, inner, tests, at))
        for c in limits_of(r):
            assert not isinstance(c.args[0], sx.Key)
            op, n = "max" if c.word == "at least" else "min", elab.number(c.args[0], inner)
            result = ir.TimedFold(r.timed, op, at, conj(tests), n.e, result, captured_types(r))
        return result
    slot = scope.body.temp()
    by = clause(r.decl, "by")
    result = ir.Temp(slot)
    if by is not None and not isinstance(by.args[0], sx.Key):
        result = ir.Arith("+", result, elab.number(by.args[0], inner).e)
    for c in limits_of(r):
        result = clamp_to(elab, result, c, inner)
    return ir.Let(slot, before, ir.If(conj(tests), result, ir.Temp(slot)))


def limits_of(rule: RuleLine) -> list[sx.Clause]:
    """The bounds of a line of its own."""
    return [c for c in rule.decl.clauses if c.word in ("at least", "at most") and not isinstance(c.args[0], sx.Key)]


def layer_of(rule: RuleLine) -> str:
    """The layer that a line names; empty for the last."""
    c = clause(rule.decl, "in layer")
    return c.args[0].id if c and isinstance(c.args[0], sx.Name) else ""


def check_dependencies(elab: Elaboration) -> None:
    """Report values that use themselves, directly or through others."""
    m = elab.model
    state: dict[str, int] = {}

    def visit(name: str, path: list[str]) -> None:
        state[name] = 1
        for other, span in elab.values.reads.get(name, {}).items():
            if state.get(other) == 1:
                cycle = [*path[path.index(other) :], other] if other in path else [name, other]
                m.error(
                    "RW0805",
                    span,
                    f"the value `{other}` depends on itself: {' -> '.join(cycle)}",
                    "a line that needs the previous value reads `so_far`; only procedures recurse",
                )
            elif other not in state:
                visit(other, [*path, other])
        state[name] = 2

    for name in list(elab.values.reads):
        if name not in state:
            visit(name, [name])
