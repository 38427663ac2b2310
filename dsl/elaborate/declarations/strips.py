"""Strips of icons: one of, all, afterwards; `resolve` (docs/manual/18-cards-and-strips.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR, INT
from dsl.elaborate.context import ONE, ZERO, conj
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Local, Scope, Val
from dsl.elaborate.declarations.purses import Purses
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has
from dsl.syntax import nodes as sx


class Strips(Purses):
    # ------------------------------------------------------------ strips

    def strip_body(self, r: RoutineSym, scope: Scope, ctx: Ctx) -> None:
        _, name = r.address.rsplit(".", 1)
        decl = self.m.strips[(r.this, name)]
        assert decl.head is not None
        self.strip_part(decl.head, scope, ctx)

    def strip_part(self, e: sx.Expr, scope: Scope, ctx: Ctx, begins: Callable[[], None] | None = None) -> None:
        """`/` asks, `+` does all, `->` puts the rest on the end list of the routine that resolves the strip as soon as
        its first part begins. `begins` is emitted where an icon begins."""
        m = self.m
        match e:
            case sx.StripExpr("+", items):
                for item in items:
                    self.strip_part(item, scope, ctx, begins)
            case sx.StripExpr("->", (first, *rest)):
                after = rest[0] if len(rest) == 1 else sx.StripExpr("->", tuple(rest), span=e.span)
                self.strip_part(
                    first, scope, ctx, self.first_time(self.deferred(after, scope, ctx), begins, scope, ctx)
                )
            case sx.StripExpr("/", items):
                cases = tuple(sx.Case(self.strip_label(i, n), (), (), (), span=i.span) for n, i in enumerate(items, 1))
                node = sx.Choose("choose", "cases", None, (), (sx.Clause("if any"),), cases, span=e.span)
                self.strip_choice(node, items, scope, ctx, begins)
            case sx.Call() | sx.Name():
                icon = self.icon_of(e)
                if icon is not None:
                    self.icon(icon, e.args if isinstance(e, sx.Call) else (), e.span, scope, ctx, begins)
            case _:
                m.error(
                    "RW0832",
                    e.span,
                    f"`{m.text(e.span)}` is no icon",
                    "a strip is made of icons, `/`, `+` and `->`; declare `icon NAME` for what it does",
                )

    def icon_of(self, e: sx.Call | sx.Name) -> RoutineSym | None:
        target = e.func if isinstance(e, sx.Call) else e
        name = target.id if isinstance(target, sx.Name) else ""
        icon = self.m.routines.get(name)
        if icon is None or icon.word != "icon":
            icons = [x.name for x in self.m.routines.values() if x.word == "icon"]
            self.m.unknown("RW0831", e.span, "icon", name or self.m.text(e.span), icons)
            return None
        icon.used = True
        return icon

    def first_time(
        self, defer: ir.Defer, begins: Callable[[], None] | None, scope: Scope, ctx: Ctx
    ) -> Callable[[], None]:
        """What is emitted where an icon of the first part begins: once, the other parts go on the end list."""
        begun = self.hidden_local(scope, INT)
        ctx.em.emit(self.assign(begun, ZERO))

        def begin() -> None:
            if begins is not None:
                begins()
            ctx.em.emit(ir.IfS(ir.Not(begun.read), (defer, self.assign(begun, ONE)), ()))

        return begin

    def icon_guards(
        self, icon: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope
    ) -> tuple[list[ir.Expr], tuple[ir.Guard, ...]]:
        """The arguments of an icon, and what must hold for it to be done."""
        given: list[ir.Expr] = []
        assert scope.you is not None
        self.effect_actor(icon, Val(scope.you.read, scope.you.type), span)
        lone = Scope(scope.body)
        lone.nested = True
        lone.you = scope.you
        if len(args) != len(icon.params):
            self.m.error("RW0250", span, f"`{icon.name}` takes {len(icon.params)} arguments, I read {len(args)}")
            return given, ()
        for (pname, t), a in zip(icon.params, args, strict=True):
            v = self.argument(a.value, t, scope)
            given.append(v.e)
            lone.names[pname] = Local(pname, t, v.e, used=True)
        return given, self.action_guards(icon, lone)[0]

    def icon(
        self, icon: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope, ctx: Ctx,
        begins: Callable[[], None] | None,
    ) -> None:  # fmt: skip
        """An icon whose demands fail is skipped."""
        assert scope.you is not None
        given, guards = self.icon_guards(icon, args, span, scope)
        test = conj([g.test for g in guards])
        skip = ctx.em.label()
        if test != ONE:
            ctx.em.instr(ir.Branch(test, skip))
        if begins is not None:
            begins()
        call = (*given, scope.you.read)
        if icon.suspends:
            ctx.em.instr(ir.CallI(icon.proc, call))
        else:
            ctx.em.emit(ir.CallS(icon.proc, call))
        ctx.em.place(skip)

    def strip_label(self, e: sx.Expr, n: int) -> str:
        target = e.func if isinstance(e, sx.Call) else e
        return target.id if isinstance(target, sx.Name) else f"way_{n}"

    def strip_choice(
        self, node: sx.Choose, items: tuple[sx.Expr, ...], scope: Scope, ctx: Ctx, begins: Callable[[], None] | None
    ) -> None:
        """One of the parts; an icon that can not be done is not offered."""
        assert scope.you is not None
        chosen = self.hidden_local(scope, INT)
        found: list[ir.Alternative] = []
        for case, item in zip(node.block, items, strict=True):
            guards: tuple[ir.Guard, ...] = ()
            icon = self.icon_of(item) if isinstance(item, (sx.Call, sx.Name)) else None
            if icon is not None:
                guards = self.icon_guards(icon, item.args if isinstance(item, sx.Call) else (), item.span, scope)[1]
            found.append(ir.Alternative(case.name if isinstance(case, sx.Case) else "", (), guards, ()))
        alternatives = tuple(found)
        end = ctx.em.label()
        self.finish(
            node,
            ctx.inside(skip=end),
            scope,
            Val(scope.you.read, scope.you.type),
            "one",
            alternatives,
            "one",
            [scope],
            answer=(chosen.slot, INT),
        )
        for i, item in enumerate(items, 1):
            nxt = ctx.em.label()
            ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
            self.strip_part(item, scope, ctx, begins)
            ctx.em.instr(ir.Jump(end))
            ctx.em.place(nxt)
        ctx.em.place(end)

    def deferred(self, item: sx.Expr, scope: Scope, ctx: Ctx) -> ir.Defer:
        """The part behind `->` as a deferred procedure."""
        assert scope.you is not None
        number = self.routine_number()
        r = RoutineSym(
            f"{ctx.routine.name}#after{number}",
            "afterwards",
            item.span,
            [("$you", scope.you.type)],
            None,
            (),
            number,
            this=ctx.routine.this,
            suspends=True,
        )
        self.m.routines[r.name] = r
        self.later_strips.append((r, item))
        holders = tuple(sorted(x.proc for x in self.m.routines.values() if x.name in self.resolvers))
        self.max_deferred = max(self.max_deferred, 1)
        return ir.Defer(holders, number, (scope.you.read,), item.span)

    def resolve_strip(self, node: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        """`resolve c.strip by p`."""
        m = self.m
        operand = node.operands[0]
        by = clause(node, "by")
        actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
        if not isinstance(operand, sx.Attr):
            m.error("RW0833", operand.span, "`resolve` takes the strip of a card", "write `resolve CARD.STRIP by WHO`")
            return
        card = self.expr(operand.base, scope)
        kind = m.kind_of(card.t)
        if kind is None or actor is None:
            if card.t != ERROR:
                m.error("RW0833", operand.span, f"`{m.text(operand.base.span)}` is `{card.t}`, which has no strips")
            return
        if operand.name not in kind.strips:
            m.unknown("RW0234", operand.span, f"strip of `{kind.name}`", operand.name, list(kind.strips))
            return
        table = [0] * (m.thing_count + 1)
        procs: list[int] = []
        for (thing, strip), r in m.strip_routines.items():
            if strip == operand.name and kind.low <= thing <= kind.high:
                table[thing] = r.proc
                procs.append(r.proc)
                self.effect_actor(r, actor, node.span)
        m.tables_data.append(tuple(table))
        number = ir.TableGet(len(m.tables_data) - 1, card.e)
        skip = ctx.em.label()
        ctx.em.instr(ir.Branch(number, skip))
        if has(node, "or decline"):
            chosen = self.hidden_local(scope, INT)
            whole = (ir.Alternative("resolve", (), (), ()),)
            self.finish(node, ctx.inside(skip=skip), scope, actor, "one", whole, operand.name, [scope],
                        answer=(chosen.slot, INT))  # fmt: skip
        ctx.em.instr(ir.Enter(number, (actor.e,), tuple(dict.fromkeys(procs))))
        ctx.em.place(skip)
