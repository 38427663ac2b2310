"""Statements other than verbs and choices: branches, loops, calls, frames, plans."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl import program as pg
from dsl import syntax as sx
from dsl.collect import clause, has
from dsl.elaborate.base import ONE, ZERO, conj, key_offset, linear
from dsl.elaborate.emit import Ctx
from dsl.elaborate.events import Events
from dsl.elaborate.scope import Local, Scope, Val
from dsl.elaborate.suspend import CHANGES, Suspension
from dsl.model import RoutineSym
from dsl.span import Span
from dsl.types import (
    ERROR,
    INT,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
    width,
)
from dsl.walk import walk


class Flow(Events):
    sus: Suspension

    # tied in by `choices`
    def choose(self, node: sx.Choose, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def run_cases(self, chosen: Local, bodies: list[tuple[sx.Case, Scope]], ctx: Ctx) -> None:
        raise NotImplementedError

    def offer(self, node: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def perform(self, node: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def guard(self, node: sx.Expr, scope: Scope, cites: tuple[str, ...], key: str = "", reason: str = "") -> ir.Guard:
        raise NotImplementedError

    def resolve_strip(self, node: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def defer_block(self, node: sx.Section, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def timed_block(self, node: sx.Section, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ blocks

    def block(self, lines: tuple[sx.Line, ...], scope: Scope, ctx: Ctx) -> None:
        """Statements one after the other; after a branch that leaves, what its condition proved false is known."""
        for i, line in enumerate(lines):
            self.line(line, scope, ctx)
            if isinstance(line, sx.If) and not line.orelse and line.then and self.leaves_always(line.then):
                scope.known = scope.known | frozenset(p for p in self.sure(line.test)[1] if isinstance(p, sx.Name))
            if i < len(lines) - 1 and isinstance(line, sx.Sentence) and line.word in ("give", "stop"):
                if line.word == "stop" and not (line.operands and line.operands[0] == sx.Name(ctx.routine.name)):
                    continue
                self.m.warn("RW0601", lines[i + 1].span, "this is never reached: the line above leaves the block")
                return

    def leaves_always(self, lines: tuple[sx.Line, ...]) -> bool:
        return bool(lines) and isinstance(lines[-1], sx.Sentence) and lines[-1].word in ("give", "stop")

    def must_be_flat(self, line: sx.Line, ctx: Ctx) -> bool:
        return ctx.em.flat and len(ctx.em.buffers) == 1 and (self.sus.of(line) or self.sus.leaves(line))

    def line(self, line: sx.Line, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        if line.span and isinstance(line, (sx.Sentence, sx.Choose, sx.Loop, sx.If, sx.Let, sx.Section)) and line.cites:
            self.m.cites.setdefault(ctx.address, []).extend(
                c for c in line.cites if c not in self.m.cites.get(ctx.address, ())
            )
            if not isinstance(line, (sx.Choose, sx.Section)):
                ctx.em.emit(ir.Note(f"{ctx.address}.{ctx.step}" if ctx.step else ctx.address, line.cites))
        match line:
            case sx.Let():
                self.let(line, scope, ctx)
            case sx.If():
                self.branch(line, scope, ctx)
            case sx.Loop(word="repeat"):
                self.repeat(line, scope, ctx)
            case sx.Loop(word="for every"):
                self.for_every(line, scope, ctx)
            case sx.Loop(word="round robin"):
                self.round_robin(line, scope, ctx)
            case sx.Loop(word="open to"):
                self.open_to(line, scope, ctx)
            case sx.Choose():
                self.choose(line, scope, ctx)
            case sx.Sentence():
                self.sentence(line, scope, ctx)
            case sx.Section():
                self.section(line, scope, ctx)
            case sx.Row():
                m.error(
                    "RW0602",
                    line.span,
                    f"a row stands where a sentence is needed: `{m.text(line.key.span)}:`",
                    "a sentence begins with a verb: `move`, `do`, `set`, `choose` ...",
                )
            case sx.Decl():
                m.error(
                    "RW0603",
                    line.span,
                    f"a declaration (`{line.word}`) stands among sentences",
                    "move it to the top of the file",
                )
            case _:
                m.error("RW0604", line.span, "this line does not belong into a body")

    def section(self, s: sx.Section, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        match s.word:
            case "step":
                inner = ctx.inside(step=s.name or "")
                self.m.cite_step(f"{ctx.address}.{s.name}", s.cites)
                self.inner_block(s.block, scope.child(), inner)
            case "together":
                self.together(s, scope, ctx)
            case "plan by" | "plan":
                head = s.head
                actor = self.actor(head, scope, s.span)
                if actor is None:
                    m.error("RW0256", s.span, "whose plan is it? nobody acts here", "write `plan by WHO`")
                    return
                within = scope.child()
                you = self.bind(within, "$you", actor.t)
                ctx.em.emit(self.assign(you, actor.e))
                within.you = you
                ctx.em.instr(ir.OpenPlan(self.seat_of(Val(you.read, actor.t), s.span)))
                self.inner_block(s.block, within, ctx)
                ctx.em.instr(ir.ClosePlan())
            case "at end of":
                self.defer_block(s, scope, ctx)
            case "until end of":
                self.timed_block(s, scope, ctx)
            case _:
                m.error(
                    "RW0605", s.span, f"`{s.word}` does not belong into a body", "`effect` and `while` stand in cards"
                )

    def inner_block(self, lines: tuple[sx.Line, ...], scope: Scope, ctx: Ctx) -> None:
        """A block whose end is where `or decline` goes."""
        if not ctx.em.flat or len(ctx.em.buffers) > 1:
            self.block(lines, scope, ctx)
            return
        end = ctx.em.label()
        self.block(lines, scope, ctx.inside(skip=end))
        ctx.em.place(end)

    def structured(self, lines: tuple[sx.Line, ...], scope: Scope, ctx: Ctx) -> tuple[ir.Stmt, ...]:
        ctx.em.push()
        inner = scope.child()
        inner.nested = True
        self.block(lines, inner, ctx)
        return ctx.em.pop()

    # ------------------------------------------------------------ let, if

    def let(self, node: sx.Let, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        self.fresh(node.name, node, scope)
        declared = self.collector.type_of(node.type) if node.type is not None else None
        v = self.expr(node.value, scope, declared)
        if declared is not None:
            v = self.need(v, declared, node.value.span)
        t: Type = declared or v.t
        if isinstance(t, NoneType):
            m.error(
                "RW0606",
                node.span,
                f"the type of `{node.name}` can not be seen from `none`",
                f"write `let {node.name}: TYPE or none = none`",
            )
            t = ERROR
        if declared is None and isinstance(t, IntType):
            t = INT
        if isinstance(t, SetType) and t.elem == ERROR and v.t != ERROR:
            m.error(
                "RW0606",
                node.span,
                f"the type of `{node.name}` can not be seen from `{{}}`",
                f"write `let {node.name}: set of TYPE = {{}}`",
            )
        local = self.bind(scope, node.name, t, node.span)
        local.assignable = True
        if t != ERROR and v.t != ERROR:
            ctx.em.emit(self.assign(local, v.e))
        self.locals_seen.append(local)

    def branch(self, node: sx.If, scope: Scope, ctx: Ctx) -> None:
        test = self.test(node.test, scope)
        yes, no = self.sure(node.test)
        first, second = scope.knowing(self.lasting(yes)), scope.knowing(self.lasting(no))
        if not self.must_be_flat(node, ctx):
            then = self.structured(node.then, first, ctx)
            orelse = self.structured(node.orelse, second, ctx)
            ctx.em.emit(ir.IfS(test, then, orelse))
            return
        other, end = ctx.em.label(), ctx.em.label()
        ctx.em.instr(ir.Branch(test, other))
        self.inner_block(node.then, first, ctx)
        if node.orelse:
            ctx.em.instr(ir.Jump(end))
        ctx.em.place(other)
        if node.orelse:
            self.inner_block(node.orelse, second, ctx)
            ctx.em.place(end)

    def lasting(self, paths: frozenset[sx.Expr]) -> frozenset[sx.Expr]:
        """A block narrows locals only: a sentence may change a path."""
        return frozenset(p for p in paths if isinstance(p, sx.Name))

    # ------------------------------------------------------------ loops

    def while_clause(self, clauses: tuple[sx.Clause, ...], scope: Scope) -> ir.Expr:
        return conj(
            [self.test(c.args[0], scope) for c in clauses if c.word == "while" and not isinstance(c.args[0], sx.Key)]
        )

    def repeat(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        test = self.while_clause(node.clauses, scope)
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
        if has(node, "at once"):
            self.at_once(node, scope, ctx)
        elif node.live:
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
        whole round
        skips everybody."""
        bare = sx.Loop("for every", False, node.binders, (), node.block, span=node.span)
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

    def open_to(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """Every member who has not declined since the last change may answer; sequential drivers ask in order."""
        m = self.m
        only = node.block[0] if len(node.block) == 1 else None
        if not isinstance(only, sx.Choose) and not (
            isinstance(only, sx.Sentence) and only.word in ("offer", "perform")
        ):
            m.error("RW0608", node.span, "the body of `open to` is one `offer` or `choose` by the member")
            return
        d, t = self.frozen_domain(node, scope)
        if not isinstance(t, MemberType):
            return
        b = node.binders[0]
        inner = scope.child()
        members, declined = self.hidden_local(scope, SetType(t)), self.hidden_local(scope, SetType(t))
        count = self.hidden_local(scope, INT)
        x = self.bind(inner, b.name, t, b.span)
        ctx.em.emit(self.assign(members, d.a if d.kind == "set" else ir.ListOp("to_set", (d.a,))))
        ctx.em.emit(self.assign(declined, ZERO))
        ctx.em.emit(self.assign(count, ZERO))
        ctx.em.emit(self.assign(x, ZERO))
        top, no, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
        slot = scope.body.temp()
        waiting = ir.Arith("&~", members.read, declined.read)
        pick = ir.Fold(
            "first",
            ((slot, ir.Domain("set", waiting)),),
            None,
            ((True, ir.Compare(">", ir.Temp(slot), x.read)),),
            ir.Temp(slot),
        )
        ctx.em.place(top)
        limit = ir.Compare("<", count.read, ir.Const(self.limits.open_to))
        ctx.em.instr(
            ir.Branch(conj([ir.Compare("!=", waiting, ZERO), limit, self.while_clause(node.clauses, scope)]), end)
        )
        ctx.em.emit(self.assign(x, pick))
        ctx.em.emit(self.assign(count, ir.Arith("+", count.read, ONE)))
        first = len(self.sites)
        assert only is not None
        self.line(only, inner, ctx.inside(skip=no))
        for i in range(first, min(first + 1, len(self.sites))):
            self.sites[i] = replace(self.sites[i], open_to=(waiting, x.slot), always_ask=True)
        ctx.em.emit(self.assign(declined, ZERO))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(no)
        ctx.em.emit(self.assign(declined, ir.Arith("|", declined.read, ir.MakeSet((x.read,)))))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)

    def at_once(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """All members answer before any answer is applied; the slots are hidden from the others."""
        m = self.m
        lead: list[sx.Choose] = []
        for inner_line in node.block:
            if not isinstance(inner_line, sx.Choose):
                break
            lead.append(inner_line)
        if not lead or len(node.binders) != 1:
            m.error("RW0609", node.span, "the body of an `at once` loop begins with choices by its member")
            return
        d, t = self.frozen_domain(node, scope)
        if not isinstance(t, MemberType):
            return
        b = node.binders[0]
        inner = scope.child()
        order = self.hidden_local(scope, ListType(t, self.list_cap(node, t)))
        at = self.hidden_local(scope, INT)
        x = self.bind(inner, b.name, t, b.span)
        source = d.a if d.kind == "list" else ir.ListOp("to_list", (d.a,))
        ctx.em.emit(self.assign(order, source))
        ctx.em.emit(self.assign(at, ONE))
        skipped = self.hidden_local(scope, SetType(t))
        ctx.em.emit(self.assign(skipped, ZERO))
        top, no, second, apply, end = (ctx.em.label() for _ in range(5))
        more = ir.Compare("<=", at.read, ir.Size("list", order.read))
        step = self.assign(at, ir.Arith("+", at.read, ONE))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(more, second))
        ctx.em.emit(self.assign(x, ir.ListItem(order.read, at.read)))
        ctx.em.emit(step)
        first = len(self.sites)
        asking = ctx.inside(skip=no, later=[])
        for c in lead:
            self.choose(c, inner, asking)
        sites = range(first, len(self.sites))
        answers: list[tuple[int, Type, int, ir.Expr]] = []
        for i in sites:
            site = self.sites[i] = replace(self.sites[i], audience=ir.MakeSet((self.sites[i].seat,)))
            for slot, st in [*(s for a in site.alternatives for s in a.slots), *([site.answer] if site.answer else [])]:
                offset = linear(-t.low * width(st), [(x.read, width(st))])
                answers.append((slot, st, scope.body.frame(MapType((t,), st)), offset))
        for slot, st, kept, offset in answers:
            ctx.em.emit(ir.SetFrame(kept, st, ir.FrameVar(slot, st), offset))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(no)
        ctx.em.emit(self.assign(skipped, ir.Arith("|", skipped.read, ir.MakeSet((x.read,)))))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(second)
        ctx.em.emit(self.assign(at, ONE))
        ctx.em.place(apply)
        ctx.em.instr(ir.Branch(more, end))
        ctx.em.emit(self.assign(x, ir.ListItem(order.read, at.read)))
        ctx.em.emit(step)
        ctx.em.instr(ir.Branch(ir.Not(ir.InSet(x.read, skipped.read)), apply))
        for slot, st, kept, offset in answers:
            ctx.em.emit(ir.SetFrame(slot, st, ir.FrameItem(kept, offset, st)))
        for i in sites:
            self.confirm(i, ctx, apply)
        for asked in asking.later or ():
            self.run_cases(*asked, ctx.inside(skip=apply))
        self.block(node.block[len(lead) :], inner, ctx.inside(skip=apply))
        ctx.em.instr(ir.Jump(apply))
        ctx.em.place(end)

    def confirm(self, number: int, ctx: Ctx, skip: int) -> None:
        """An answer that is no longer legal is asked for again."""
        site = self.sites[number]
        good = ctx.em.label()
        ctx.em.instr(ir.Confirm(number, good))
        if site.cursor >= 0 and site.answer is not None:
            ctx.em.emit(ir.SetFrame(site.cursor, INT, ZERO))
            ctx.em.emit(ir.SetFrame(*site.answer, ir.Const(0 if isinstance(site.answer[1], SetType) else ())))
        ctx.em.instr(ir.Ask(number, skip))
        ctx.em.place(good)

    # ------------------------------------------------------------ together

    def together(self, s: sx.Section, scope: Scope, ctx: Ctx) -> None:
        for node in walk(s.block):
            if (
                isinstance(node, sx.Choose)
                and node.word == "choose"
                or isinstance(node, sx.Sentence)
                and node.word in ("offer", "perform")
            ):
                self.m.error(
                    "RW0610",
                    node.span,
                    "nobody can be asked inside `together`: all of it happens at one moment",
                    "ask before it, and apply the answers inside",
                )
                return
        ctx.em.emit(ir.Together(1))
        self.block(s.block, scope.child(), ctx.inside(together=ctx.together + 1))
        ctx.em.emit(ir.Together(-1))
        symbols = {e.symbol for e in self.lay.entries}
        self.settle(symbols, scope, ctx, s.span)
        if ctx.em.flat and len(ctx.em.buffers) == 1 and self.m.triggers:
            ctx.em.instr(ir.Drain())

    # ------------------------------------------------------------ sentences

    def sentence(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        match s.word:
            case "move":
                self.move(s, scope, ctx)
            case "gain" | "lose" | "pay":
                self.account(s, scope, ctx)
            case "turn":
                self.turn(s, scope, ctx)
            case "set":
                self.set_field(s, scope, ctx)
            case "show":
                self.show(s, scope, ctx)
            case "shuffle":
                ref = self.ref(s.operands[0], scope)
                if isinstance(ref, Val) or not ref.zone.ordered:
                    m.error(
                        "RW0611",
                        s.span,
                        f"`{m.text(s.operands[0].span)}` has no order to shuffle",
                        "declare the zone `ordered`",
                    )
                    return
                ref.zone.used = True
                ctx.em.instr(
                    ir.Chance("shuffle", self.instance(ref), None, -1, None, f"{ctx.address}.shuffle", -1, s.span)
                )
                self.settle({ref.zone.symbol}, scope, ctx, s.span)
            case "do":
                self.do(s, scope, ctx)
            case "give":
                self.give(s, scope, ctx)
            case "stop":
                self.stop(s, scope, ctx)
            case "require":
                self.require(s, scope, ctx)
            case "offer":
                self.offer(s, scope, ctx)
            case "perform":
                self.perform(s, scope, ctx)
            case "resolve":
                self.resolve_strip(s, scope, ctx)
            case _:
                m.error("RW0612", s.span, f"`{s.word}` is not a sentence of a body")

    def require(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        because = clause(s, "because")
        reason = because.args[0].value if because and isinstance(because.args[0], sx.Text) else ""
        ctx.requires[0] += 1
        key = f"{ctx.address}.require.{ctx.requires[0]}"
        g = self.guard(s.operands[0], scope, s.cites, key, reason)
        ctx.em.emit(ir.Require(g))
        scope.known = scope.known | self.lasting(self.sure(s.operands[0])[0])

    def give(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
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
            value = self.need(self.expr(s.operands[0], scope, t), t, s.operands[0].span).e
        elif t is not None:
            m.error("RW0614", s.span, f"`{ctx.routine.name}` gives a `{t}`, and this `give` gives nothing")
        if ctx.em.flat:
            self.give_back(value, ctx)
        else:
            ctx.em.emit(ir.Return(value))

    def give_back(self, value: ir.Expr | None, ctx: Ctx) -> None:
        """Leave the body; the value is kept in the frame, since the end list and `after` lines may call others."""
        if value is not None and ctx.result >= 0 and ctx.routine.gives is not None:
            ctx.em.emit(ir.SetFrame(ctx.result, ctx.routine.gives, value))
        ctx.em.instr(ir.Give(None, ctx.epilogue))

    def stop(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        name = s.operands[0].id if isinstance(s.operands[0], sx.Name) else ""
        r = m.routines.get(name)
        if r is None:
            m.unknown("RW0207", s.operands[0].span, "routine", name or m.text(s.operands[0].span), list(m.routines))
            return
        r.used = True
        if r is ctx.routine and ctx.em.flat:
            ctx.em.instr(ir.Give(None, ctx.epilogue))
        elif ctx.em.flat:
            ctx.em.instr(ir.Stop((r.proc,)))
        else:
            ctx.em.emit(ir.Return(None))

    # ------------------------------------------------------------ do

    def do(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        node = s.operands[0]
        target, args = (node.func, node.args) if isinstance(node, sx.Call) else (node, ())
        if isinstance(target, sx.Attr) and target.name == "effect":
            self.do_effect(s, target, args, scope, ctx)
            return
        name = target.id if isinstance(target, sx.Name) else ""
        r = m.routines.get(name)
        if r is None:
            if name in m.values:
                m.error(
                    "RW0615",
                    node.span,
                    f"`{name}` is a value, not a routine",
                    "values are read: `let x = ...`, `if ...`",
                )
            elif name not in m.broken:
                m.unknown(
                    "RW0207",
                    target.span,
                    "routine",
                    name or m.text(target.span),
                    [r.name for r in m.routines.values() if "." not in r.name],
                )
            return
        r.used = True
        m.uses.append((target.span, r.span))
        given = self.arguments(r, args, node.span, scope)
        if given is None:
            return
        if r.word == "icon":
            actor = self.actor(None, scope, s.span)
            self.effect_actor(r, actor, s.span)
            given.append(actor.e if actor is not None else ZERO)
        self.call_routine(r, given, ctx)
        self.take_result(s, r, scope, ctx)

    def take_result(self, s: sx.Sentence, r: RoutineSym, scope: Scope, ctx: Ctx) -> None:
        """`do f(x) giving w`: the given value as a local."""
        c = clause(s, "giving")
        if c is None or isinstance(c.args[0], sx.Key):
            return
        name = c.args[0].id if isinstance(c.args[0], sx.Name) else ""
        if not name or r.gives is None:
            self.m.error(
                "RW0618",
                c.span,
                f"`{r.name}` gives nothing" if r.gives is None else "`giving` takes a new name",
                f"declare `procedure {r.name}(...) giving TYPE`" if r.gives is None else "write `do f(x) giving NAME`",
            )
            return
        self.fresh(name, c, scope)
        local = self.bind(scope, name, r.gives, c.span)
        ctx.em.emit(self.assign(local, ir.LastResult()))
        self.locals_seen.append(local)

    def arguments(self, r: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope) -> list[ir.Expr] | None:
        if len(args) != len(r.params):
            self.m.error(
                "RW0250",
                span,
                f"`{r.name}` takes {len(r.params)} argument{'s' * (len(r.params) != 1)}, I read {len(args)}",
                f"its parameters: {', '.join(f'{n}: {t}' for n, t in r.params) or 'none'}",
            )
            return None
        vals = [self.argument(a.value, t, scope) for a, (_, t) in zip(args, r.params, strict=True)]
        return [v.e for v in vals]

    def call_routine(self, r: RoutineSym, args: list[ir.Expr], ctx: Ctx) -> None:
        proc = self.variant(r, ctx) if ctx.excluded and r.lines else r.proc
        if proc != r.proc and args and args[0] != ctx.line_first and ctx.line_first is not None:
            number = ir.If(ir.Compare("==", args[0], ctx.line_first), ir.Const(proc), ir.Const(r.proc))
            ctx.em.instr(ir.Enter(number, tuple(args), (proc, r.proc)))
        elif r.suspends:
            if not ctx.em.flat or len(ctx.em.buffers) > 1:
                raise AssertionError(f"{r.name} suspends inside a statement of {ctx.routine.name}")
            ctx.em.instr(ir.CallI(proc, tuple(args)))
        else:
            ctx.em.emit(ir.CallS(proc, tuple(args)))

    def variant(self, r: RoutineSym, ctx: Ctx) -> int:
        """`r` without the `instead of` lines whose block we are in."""
        rest = [line for line in r.lines if line.number not in ctx.excluded]
        if len(rest) == len(r.lines):
            return r.proc
        name = f"{r.name}#" + ".".join(str(n) for n in sorted(ctx.excluded))
        found = self.m.routines.get(name)
        if found is None:
            from dataclasses import replace

            found = replace(r, name=name, proc=self.routine_number(), lines=rest)
            self.m.routines[name] = found
            self.compile_routine(found, None, None, ctx.excluded)
        return found.proc

    def do_effect(self, s: sx.Sentence, target: sx.Attr, args: tuple[sx.Arg, ...], scope: Scope, ctx: Ctx) -> None:
        """`do c.effect(args) by a`: the card is known at run time."""
        m = self.m
        card = self.expr(target.base, scope)
        kind = m.kind_of(card.t)
        if kind is None or (isinstance(card.t, MemberType) and card.t.optional):
            if card.t != ERROR:
                m.error(
                    "RW0616",
                    target.span,
                    f"`{m.text(target.base.span)}` is `{card.t}`, which has no effect",
                    "effects belong to cards; test for none before",
                )
            return
        effects = [(t, r) for t, r in m.effects.items() if any(p.low <= t <= p.high for p in m.kind_parts(kind))]
        if not effects:
            m.error("RW0616", target.span, f"no card of `{kind.name}` has an effect")
            return
        params = self.collector.params(kind.effect_params)
        if len(args) != len(params):
            m.error(
                "RW0250", s.span, f"the effect of a `{kind.name}` takes {len(params)} arguments, I read {len(args)}"
            )
            return
        given = [self.argument(a.value, t, scope).e for a, (_, t) in zip(args, params, strict=True)]
        by = clause(s, "by")
        actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, s.span)
        table = [0] * (m.thing_count + 1)
        for t, r in effects:
            table[t] = r.proc
            r.used = True
            self.effect_actor(r, actor, s.span)
        m.tables_data.append(tuple(table))
        number = ir.TableGet(len(m.tables_data) - 1, card.e)
        you = actor.e if actor is not None else ZERO
        ctx.em.instr(ir.Enter(number, (*given, you), tuple(r.proc for _, r in effects)))

    def effect_actor(self, r: RoutineSym, actor: Val | None, span: Span) -> None:
        """`you` of an effect: all uses must agree on the kind that acts."""
        if actor is None:
            return
        t = actor.t
        if isinstance(t, MemberType):
            t = MemberType(t.domain, t.low, t.high)
        known = self.effect_you.get(r.proc)
        if known is None:
            self.effect_you[r.proc] = t
        elif not self.fits(t, known):
            self.m.error("RW0617", span, f"the effect is used by a `{t}` here and by a `{known}` elsewhere")


__all__ = ["CHANGES", "BoolType", "Flow", "SparseType", "pg"]
