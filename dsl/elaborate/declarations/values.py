"""Values with their layers: base, `to`, `by`, bounds; `grant` and `deny` (docs/manual/05-values-and-layers.md)."""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR, INT, BoolType, Type
from dsl.elaborate.context import ZERO, conj
from dsl.elaborate.core.scope import Body, Local, Scope
from dsl.elaborate.declarations.plans import Plans
from dsl.symbols.symbols import RuleLine, ValueSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


class Lines(Plans):
    current: str = ""
    value_reads: dict[str, dict[str, Span]]

    def reads_value(self, name: str, span: Span) -> None:
        if self.current:
            self.value_reads.setdefault(self.current, {}).setdefault(name, span)

    # ------------------------------------------------------------ values

    def compile_value(self, v: ValueSym) -> None:
        m = self.m
        self.current = v.name
        self.in_bots = v.bots
        body = Body(v.name)
        scope = Scope(body, address=v.name)
        for name, t in v.params:
            local = self.temp_local(scope, name, t, v.span)
            local.param = True
        if v.decl.value is None:
            m.error("RW0801", v.span, f"the value `{v.name}` has no body", "write `= EXPRESSION`")
            self.current = ""
            return
        got = self.expr(v.decl.value, scope, v.result)
        loose = v.result
        base = self.need(got, loose, v.decl.value.span)
        e = base.e
        if isinstance(v.result, BoolType):
            e = self.permissions(v, e, scope)
        elif v.lines or v.layers:
            e = self.layers(v, e, scope)
        e = self.bounded(v, e, scope)
        for local in scope.names.values():
            if not local.used and not v.lines and local.type != ERROR:
                m.warn(
                    "RW0802",
                    v.span,
                    f"the parameter `{local.name}` of `{v.name}` is not used",
                    "leave it out, or use it",
                )
        self.functions[v.fn] = ir.Function(v.name, tuple(v.params), body.temps, v.result, e, v.decl.cites, v.span)
        self.current = ""
        self.in_bots = False

    def bounded(self, v: ValueSym, e: ir.Expr, scope: Scope) -> ir.Expr:
        for c in v.decl.clauses:
            if c.word in ("at least", "at most") and not isinstance(c.args[0], sx.Key):
                e = self.clamped(e, c, scope)
        return e

    def clamped(self, e: ir.Expr, c: sx.Clause, scope: Scope) -> ir.Expr:
        node = c.args[0]
        assert not isinstance(node, sx.Key)
        n = self.number(node, scope)
        return ir.Arith("max" if c.word == "at least" else "min", e, n.e)

    def line_in(self, v: ValueSym, rule: RuleLine, outer: Scope) -> tuple[Scope, list[ir.Expr], int]:
        """The scope of a line's expressions with its names bound to the value's parameters, and its conditions. For a
        timed line the captured values follow in temps from the returned slot."""
        m = self.m
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
                    f"`{m.text(a.span)}` stands where the line names a parameter",
                    "name it, and put the condition into `where`",
                )
                continue
            name = a.value.id
            if name in m.members or name in m.kinds or name in m.zones:
                m.error(
                    "RW0804",
                    a.span,
                    f"`{name}` is not a new name here",
                    f"write a new name, and `where NAME is {name}`",
                )
                continue
            scope.names[name] = Local(name, t, param.read, used=True)
            m.locals[a.span, name] = t
        slot = -1
        if rule.timed >= 0:
            slot = scope.body.temps
            for name, t in rule.captured:
                local = self.temp_local(scope, name, t)
                local.used = True
        tests += [self.while_test(c, rule.this, scope) for c in rule.conditions]
        inner = scope.knowing(self.held(rule))
        for c in rule.decl.clauses:
            if c.word == "where" and not isinstance(c.args[0], sx.Key):
                tests.append(self.test(c.args[0], inner))
                inner = inner.knowing(self.sure(c.args[0])[0])
        return inner, tests, slot

    def permissions(self, v: ValueSym, base: ir.Expr, scope: Scope) -> ir.Expr:
        """base or any grant, and no deny."""
        grants: list[ir.Expr] = [base]
        denies: list[ir.Expr] = []
        for rule in v.lines:
            _, tests, slot = self.line_in(v, rule, scope)
            test: ir.Expr = conj(tests)
            if rule.timed >= 0:
                test = ir.TimedFold(rule.timed, "or", slot, None, test, None, kept_types(rule))
            (grants if rule.decl.word == "grant" else denies).append(test)
        e = grants[0] if len(grants) == 1 else ir.Or(tuple(grants))
        return conj([e, *(ir.Not(d) for d in denies)])

    def layers(self, v: ValueSym, base: ir.Expr, scope: Scope) -> ir.Expr:
        """Layer by layer: the last `to`, the sum of plain `by`, then each `by` with bounds of its own."""
        names = v.layers or [""]
        e = base
        for layer in names:
            last = layer == names[-1]
            lines = [r for r in v.lines if self.layer_of(r) == layer or (last and self.layer_of(r) == "")]
            if not lines:
                continue
            slot = scope.body.temp()
            scope.special = {"so_far": Local("so_far", INT, ir.Temp(slot), slot)}
            result: ir.Expr = ir.Temp(slot)
            for r in lines:
                to = clause(r.decl, "to")
                if to is not None and not isinstance(to.args[0], sx.Key):
                    inner, tests, at = self.line_in(v, r, scope)
                    value = self.need(self.expr(to.args[0], inner, v.result), v.result, to.span)
                    if r.timed >= 0:
                        result = ir.TimedFold(r.timed, "to", at, conj(tests), value.e, result, kept_types(r))
                    else:
                        result = ir.If(conj(tests), value.e, result)
            for bounded in (False, True):
                for r in lines:
                    by = clause(r.decl, "by")
                    if by is None or isinstance(by.args[0], sx.Key):
                        continue
                    limits = [c for c in r.decl.clauses if c.word in ("at least", "at most")]
                    if bool(limits) != bounded:
                        continue
                    inner, tests, at = self.line_in(v, r, scope)
                    value = self.number(by.args[0], inner)
                    if r.timed >= 0:
                        part: ir.Expr = ir.TimedFold(r.timed, "+", at, conj(tests), value.e, None, kept_types(r))
                        result = ir.Arith("+", result, part)
                        for c in limits:
                            result = self.clamped(result, c, inner)
                    elif not bounded:
                        result = ir.Arith("+", result, ir.If(conj(tests), value.e, ZERO))
                    else:
                        kept = scope.body.temp()
                        sum_e: ir.Expr = ir.Arith("+", ir.Temp(kept), value.e)
                        for c in limits:
                            sum_e = self.clamped(sum_e, c, inner)
                        result = ir.Let(kept, result, ir.If(conj(tests), sum_e, ir.Temp(kept)))
            e = ir.Let(slot, e, result)
            scope.special = {}
        return e

    @staticmethod
    def layer_of(rule: RuleLine) -> str:
        c = clause(rule.decl, "in layer")
        return c.args[0].id if c and isinstance(c.args[0], sx.Name) else ""

    def dependencies(self) -> None:
        """No value may use itself, not even by a detour."""
        m = self.m
        state: dict[str, int] = {}

        def visit(name: str, path: list[str]) -> None:
            state[name] = 1
            for other, span in self.value_reads.get(name, {}).items():
                if state.get(other) == 1:
                    cycle = [*path[path.index(other) :], other] if other in path else [name, other]
                    m.error(
                        "RW0805",
                        span,
                        f"the value `{other}` depends on itself: {' -> '.join(cycle)}",
                        "a line that needs the value before it reads `so_far`; only procedures recurse",
                    )
                elif other not in state:
                    visit(other, [*path, other])
            state[name] = 2

        for name in list(self.value_reads):
            if name not in state:
                visit(name, [name])


def kept_types(rule: RuleLine) -> tuple[Type, ...]:
    """Types of the values that a timed line has copied."""
    return tuple(t for _, t in rule.captured)
