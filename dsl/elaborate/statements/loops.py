"""Loops of one member after the other: frozen, live, round robin, `repeat` (docs/manual/12-loops-and-orders.md)."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import (
    ERROR,
    INT,
    IntType,
    ListType,
    MemberType,
    SetType,
    Type,
    bounds,
    key_count,
)
from dsl.elaborate.context import ONE, ZERO, conj, key_offset, linear
from dsl.elaborate.core import nonempty
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Local, Scope
from dsl.elaborate.core.suspension import Suspension
from dsl.elaborate.events.events import Events
from dsl.syntax import nodes as sx


class Loops(Events):
    """Each loop is either one statement, where nothing in it suspends, or instructions with its cursor in the frame."""

    sus: Suspension

    # tied in by `flow` and `choices`
    def line(self, line: sx.Line, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def block(self, lines: tuple[sx.Line, ...], scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def structured(self, lines: tuple[sx.Line, ...], scope: Scope, ctx: Ctx) -> tuple[ir.Stmt, ...]:
        raise NotImplementedError

    def must_be_flat(self, line: sx.Line, ctx: Ctx) -> bool:
        raise NotImplementedError

    def lasting(self, paths: frozenset[sx.Expr]) -> frozenset[sx.Expr]:
        raise NotImplementedError

    # ------------------------------------------------------------ loops

    def while_clause(self, clauses: tuple[sx.Clause, ...], scope: Scope) -> ir.Expr:
        return conj(
            [self.test(c.args[0], scope) for c in clauses if c.word == "while" and not isinstance(c.args[0], sx.Key)]
        )

    def repeat(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        test = self.while_clause(node.clauses, scope)
        tests = [c.args[0] for c in node.clauses if c.word == "while" and not isinstance(c.args[0], sx.Key)]
        proved = frozenset().union(*(self.sure(t)[0] for t in tests))
        scope = scope.knowing(frozenset(filter(nonempty.is_fact, proved)))
        if not self.must_be_flat(node, ctx):
            ctx.em.emit(ir.While(test, self.structured(node.block, scope, ctx), node.span))
            return
        top, end = ctx.em.label(), ctx.em.label()
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(test, end))
        self.block(node.block, scope.child(), ctx.inside(skip=end))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)

    def for_every(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        if node.live:
            self.live(node, scope, ctx)
        elif len(node.binders) == 1:
            self.frozen_one(node, scope, ctx)
        else:
            self.frozen_many(node, scope, ctx)

    def frozen_domain(self, node: sx.Loop, scope: Scope) -> tuple[ir.Domain, Type]:
        """The members of a loop with one binder, filtered by its `where`."""
        inner = scope.child()
        inner.nested = True
        binders, types = self.binders(node.binders, inner)
        (slot, d), t = binders[0], types[0]
        where, _ = self.where(node.clauses, inner)
        keys = self.keys(node.clauses, inner)
        if keys:
            return ir.Domain("list", ir.Fold("ranked", ((slot, d),), where, keys, ir.Temp(slot))), t
        if where is None:
            return d, t
        if d.kind == "range":
            kind = "set" if isinstance(t, IntType) and t.low >= 0 else "list"
        else:
            kind = d.kind
        return ir.Domain(kind, ir.Fold(kind, ((slot, d),), where, (), ir.Temp(slot))), t

    def frozen_one(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        d, t = self.frozen_domain(node, scope)
        b = node.binders[0]
        inner = scope.child()
        self.prove(node, inner)
        if t == ERROR:
            inner.names[b.name] = Local(b.name, ERROR, ZERO)
            return
        if not self.must_be_flat(node, ctx):
            inner.nested = True
            x = self.temp_local(inner, b.name, t, b.span)
            ctx.em.push()
            test = self.while_clause(node.clauses, inner)
            if test != ONE:
                ctx.em.emit(ir.IfS(test, (), (ir.Break(),)))
            self.block(node.block, inner, ctx)
            ctx.em.emit(ir.For(x.slot, d, ctx.em.pop()))
            return
        top, nxt, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
        x = self.bind(inner, b.name, t, b.span)
        if d.kind == "range":
            assert d.b is not None
            limit = self.hidden_local(scope, INT)
            at = self.hidden_local(scope, INT)
            ctx.em.emit(self.assign(at, d.a))
            ctx.em.emit(self.assign(limit, d.b))
            ctx.em.place(top)
            ctx.em.instr(ir.Branch(ir.Compare("<=", at.read, limit.read), end))
            ctx.em.emit(self.assign(x, at.read))
            ctx.em.emit(self.assign(at, ir.Arith("+", at.read, ONE)))
        elif d.kind == "set":
            rest = self.hidden_local(scope, SetType(t))
            ctx.em.emit(self.assign(rest, d.a))
            slot = scope.body.temp()
            ctx.em.place(top)
            ctx.em.instr(ir.Branch(ir.Compare("!=", rest.read, ZERO), end))
            first = ir.Fold("first", ((slot, ir.Domain("set", rest.read)),), None, (), ir.Temp(slot))
            ctx.em.emit(self.assign(x, first))
            ctx.em.emit(self.assign(rest, ir.Arith("&~", rest.read, ir.MakeSet((x.read,)))))
        else:
            n = self.list_cap(node, t)
            items = self.hidden_local(scope, ListType(t, n))
            at = self.hidden_local(scope, INT)
            ctx.em.emit(self.assign(items, d.a))
            ctx.em.emit(self.assign(at, ONE))
            ctx.em.place(top)
            ctx.em.instr(ir.Branch(ir.Compare("<=", at.read, ir.Size("list", items.read)), end))
            ctx.em.emit(self.assign(x, ir.ListItem(items.read, at.read)))
            ctx.em.emit(self.assign(at, ir.Arith("+", at.read, ONE)))
        test = self.while_clause(node.clauses, inner)
        if test != ONE:
            ctx.em.instr(ir.Branch(test, end))
        self.block(node.block, inner, ctx.inside(skip=nxt))
        ctx.em.place(nxt)
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)

    def prove(self, node: sx.Loop | sx.Choose, scope: Scope) -> None:
        """What the `where` of frozen members proves about locals."""
        for c in node.clauses:
            if c.word == "where" and not isinstance(c.args[0], sx.Key):
                scope.known = scope.known | self.lasting(self.sure(c.args[0])[0])

    def list_cap(self, node: sx.Loop, t: Type) -> int:
        return max(1, self.members_of(t.elem if isinstance(t, SetType) else t))

    def frozen_many(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """Several binders: the members are pairs numbered from 1, filtered once; lists keep nested order."""
        probe = scope.child()
        probe.nested = True
        binders, types = self.binders(node.binders, probe)
        where, _ = self.where(node.clauses, probe)
        if any(t == ERROR for t in types):
            return
        if any(d.kind == "list" for _, d in binders) or not all(isinstance(t, (MemberType, IntType)) for t in types):
            outer = sx.Loop(node.word, False, node.binders[1:], node.clauses, node.block, node.cites, span=node.span)
            first = sx.Loop(node.word, False, node.binders[:1], (), (outer,), span=node.span)
            self.frozen_one(first, scope, ctx)
            return
        keys = tuple(types)
        n = key_count(keys)
        code = ir.Fold(
            "set", tuple(binders), where, (), linear(1, [(key_offset(keys, [ir.Temp(s) for s, _ in binders]), 1)])
        )
        inner = scope.child()
        self.prove(node, inner)
        flat = self.must_be_flat(node, ctx)
        number: Local
        if flat:
            top, nxt, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
            rest = self.hidden_local(scope, SetType(IntType(1, n)))
            number = self.hidden_local(scope, INT)
            ctx.em.emit(self.assign(rest, code))
            slot = scope.body.temp()
            ctx.em.place(top)
            ctx.em.instr(ir.Branch(ir.Compare("!=", rest.read, ZERO), end))
            ctx.em.emit(
                self.assign(number, ir.Fold("first", ((slot, ir.Domain("set", rest.read)),), None, (), ir.Temp(slot)))
            )
            ctx.em.emit(self.assign(rest, ir.Arith("&~", rest.read, ir.MakeSet((number.read,)))))
        else:
            inner.nested = True
            number = self.temp_local(inner, "", INT)
            ctx.em.push()
        self.unpack_number(node.binders, keys, number.read, inner, ctx)
        test = self.while_clause(node.clauses, inner)
        if flat:
            if test != ONE:
                ctx.em.instr(ir.Branch(test, end))
            self.block(node.block, inner, ctx.inside(skip=nxt))
            ctx.em.place(nxt)
            ctx.em.instr(ir.Jump(top))
            ctx.em.place(end)
        else:
            if test != ONE:
                ctx.em.emit(ir.IfS(test, (), (ir.Break(),)))
            self.block(node.block, inner, ctx)
            ctx.em.emit(ir.For(number.slot, ir.Domain("set", code), ctx.em.pop()))

    def unpack_number(
        self, binders: tuple[sx.Binder, ...], keys: tuple[Type, ...], number: ir.Expr, scope: Scope, ctx: Ctx
    ) -> None:
        """Bind the names of a numbered tuple."""
        stride = key_count(keys)
        left: ir.Expr = linear(-1, [(number, 1)])
        for b, t in zip(binders, keys, strict=True):
            low, high = bounds(t)
            stride //= high - low + 1
            part = ir.Arith("div_down", left, ir.Const(stride)) if stride > 1 else left
            x = self.bind(scope, b.name, t, b.span)
            ctx.em.emit(self.assign(x, linear(low, [(part, 1)])))
            left = ir.Arith("-", left, ir.Arith("*", part, ir.Const(stride)))

    def live(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """After each pass members, `where` and keys are read again; visited members do not come back."""
        m = self.m
        if len(node.binders) != 1:
            m.error("RW0607", node.span, "a `live` loop has one name", "write one loop inside the other")
            return
        b = node.binders[0]
        probe = scope.child()
        probe.nested = True
        binders, types = self.binders(node.binders, probe)
        t = types[0]
        if t == ERROR:
            return
        if not isinstance(t, (MemberType, IntType)):
            m.error("RW0607", node.span, f"a `live` loop visits members, not `{t}`")
            return
        visited = self.hidden_local(scope, SetType(t))
        ctx.em.emit(self.assign(visited, ZERO))
        slot, d = binders[0]
        where, probe = self.where(node.clauses, probe)
        unseen = ir.Not(ir.InSet(ir.Temp(slot), visited.read))
        test = conj([unseen, *([where] if where is not None else [])])
        keys = self.keys(node.clauses, probe)
        flat = self.must_be_flat(node, ctx)
        inner = scope.child()
        x: Local
        if flat:
            x = self.bind(inner, b.name, t, b.span)
        else:
            inner.nested = True
            x = self.temp_local(inner, b.name, t, b.span)
        some = ir.Fold("any", ((slot, d),), test, (), None)
        best = ir.Fold("first", ((slot, d),), test, keys, ir.Temp(slot))
        mark = self.assign(visited, ir.Arith("|", visited.read, ir.MakeSet((x.read,))))
        if not flat:
            ctx.em.push()
            ctx.em.emit(ir.SetTemp(x.slot, best))
            ctx.em.emit(mark)
            stop = self.while_clause(node.clauses, inner)
            if stop != ONE:
                ctx.em.emit(ir.IfS(stop, (), (ir.Break(),)))
            self.block(node.block, inner, ctx)
            ctx.em.emit(ir.While(some, ctx.em.pop(), node.span))
            return
        top, end = ctx.em.label(), ctx.em.label()
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(some, end))
        ctx.em.emit(self.assign(x, best))
        ctx.em.emit(mark)
        stop = self.while_clause(node.clauses, inner)
        if stop != ONE:
            ctx.em.instr(ir.Branch(stop, end))
        self.block(node.block, inner, ctx.inside(skip=top))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)

    def round_robin(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """Rounds over the frozen list; members for which `where` fails now are skipped; ends when `while` fails or a
        whole round skips everybody."""
        keys = tuple(c for c in node.clauses if c.word == "with")
        bare = sx.Loop("for every", False, node.binders, keys, node.block, span=node.span)
        if len(node.binders) != 1:
            self.m.error("RW0607", node.span, "a `round robin` has one name")
            return
        d, t = self.frozen_domain(bare, scope)
        if t == ERROR:
            return
        b = node.binders[0]
        inner = scope.child()
        items = self.hidden_local(scope, ListType(t, self.list_cap(node, t)))
        at, acted = self.hidden_local(scope, INT), self.hidden_local(scope, INT)
        source = (
            d.a
            if d.kind == "list"
            else ir.ListOp("to_list", (d.a if d.kind == "set" else ir.RangeSet(d.a, d.b or ZERO),))
        )
        flat = self.must_be_flat(node, ctx)
        x = self.bind(inner, b.name, t, b.span) if flat else self.temp_local(inner, b.name, t, b.span)
        where, _ = self.where(node.clauses, inner)
        self.prove(node, inner)
        test = self.while_clause(node.clauses, inner)
        more = ir.Compare("<=", at.read, ir.Size("list", items.read))
        step = self.assign(at, ir.Arith("+", at.read, ONE))
        ctx.em.emit(self.assign(items, source))
        if not flat:
            inner.nested = True
            ctx.em.emit(self.assign(acted, ONE))
            ctx.em.push()
            ctx.em.emit(self.assign(acted, ZERO))
            ctx.em.emit(self.assign(at, ONE))
            ctx.em.push()
            ctx.em.emit(self.assign(x, ir.ListItem(items.read, at.read)))
            ctx.em.emit(step)
            ctx.em.emit(ir.IfS(test, (), (self.assign(acted, ZERO), ir.Break())))
            ctx.em.push()
            ctx.em.emit(self.assign(acted, ONE))
            self.block(node.block, inner, ctx)
            ctx.em.emit(ir.IfS(where or ONE, ctx.em.pop(), ()))
            ctx.em.emit(ir.While(more, ctx.em.pop(), node.span))
            ctx.em.emit(ir.While(acted.read, ctx.em.pop(), node.span))
            return
        round_, top, nxt, end = (ctx.em.label() for _ in range(4))
        ctx.em.place(round_)
        ctx.em.emit(self.assign(at, ONE))
        ctx.em.emit(self.assign(acted, ZERO))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(more, nxt))
        ctx.em.emit(self.assign(x, ir.ListItem(items.read, at.read)))
        ctx.em.emit(step)
        if test != ONE:
            ctx.em.instr(ir.Branch(test, end))
        if where is not None:
            ctx.em.instr(ir.Branch(where, top))
        ctx.em.emit(self.assign(acted, ONE))
        self.block(node.block, inner, ctx.inside(skip=top))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(nxt)
        ctx.em.instr(ir.Branch(acted.read, end))
        ctx.em.instr(ir.Jump(round_))
        ctx.em.place(end)
