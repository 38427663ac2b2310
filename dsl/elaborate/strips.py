"""Strips of icons: one of, all, afterwards; `resolve` (CONCEPTS 18)."""

from __future__ import annotations

from dsl import ir
from dsl import syntax as sx
from dsl.elaborate.base import ONE, conj
from dsl.elaborate.emit import Ctx
from dsl.elaborate.purses import Purses
from dsl.elaborate.scope import Local, Scope, Val
from dsl.model import RoutineSym
from dsl.shapes import clause
from dsl.span import Span
from dsl.types import ERROR, INT


class Strips(Purses):
    # ------------------------------------------------------------ strips

    def strip_body(self, r: RoutineSym, scope: Scope, ctx: Ctx) -> None:
        _, name = r.name.rsplit(".", 1)
        decl = self.m.strips[(r.this, name)]
        assert decl.head is not None
        self.strip_part(decl.head, scope, ctx)

    def strip_part(self, e: sx.Expr, scope: Scope, ctx: Ctx) -> None:
        """`/` asks, `+` does all, `->` puts the rest on the end list of the routine that resolves the strip."""
        m = self.m
        match e:
            case sx.StripExpr("+", items):
                for item in items:
                    self.strip_part(item, scope, ctx)
            case sx.StripExpr("->", (first, *rest)):
                self.strip_part(first, scope, ctx)
                for item in rest:
                    self.defer_strip(item, item.span, scope, ctx)
            case sx.StripExpr("/", items):
                cases = tuple(sx.Case(self.strip_label(i, n), (), (), (), span=i.span) for n, i in enumerate(items, 1))
                node = sx.Choose("choose", "cases", None, (), (sx.Clause("or decline"),), cases, span=e.span)
                self.strip_choice(node, items, scope, ctx)
            case sx.Call() | sx.Name():
                target, args = (e.func, e.args) if isinstance(e, sx.Call) else (e, ())
                name = target.id if isinstance(target, sx.Name) else ""
                icon = m.routines.get(name)
                if icon is None or icon.word != "icon":
                    m.unknown(
                        "RW0831",
                        e.span,
                        "icon",
                        name or m.text(e.span),
                        [x.name for x in m.routines.values() if x.word == "icon"],
                    )
                    return
                icon.used = True
                self.icon(icon, args, e.span, scope, ctx)
            case _:
                m.error("RW0832", e.span, "a strip is made of icons, `/`, `+` and `->`")

    def icon(self, icon: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope, ctx: Ctx) -> None:
        """An icon whose leading demands fail is skipped."""
        given: list[ir.Expr] = []
        assert scope.you is not None
        self.effect_actor(icon, Val(scope.you.read, scope.you.type), span)
        params = icon.params
        lone = Scope(scope.body)
        lone.nested = True
        lone.you = scope.you
        if len(args) != len(params):
            self.m.error("RW0250", span, f"`{icon.name}` takes {len(params)} arguments, I read {len(args)}")
            return
        for (pname, t), a in zip(params, args, strict=True):
            v = self.argument(a.value, t, scope)
            given.append(v.e)
            lone.names[pname] = Local(pname, t, v.e, used=True)
        guards, _ = self.action_guards(icon, lone)
        test = conj([g.test for g in guards])
        skip = ctx.em.label()
        if test != ONE:
            ctx.em.instr(ir.Branch(test, skip))
        call = (*given, scope.you.read)
        if icon.suspends:
            ctx.em.instr(ir.CallI(icon.proc, call))
        else:
            ctx.em.emit(ir.CallS(icon.proc, call))
        ctx.em.place(skip)

    def strip_label(self, e: sx.Expr, n: int) -> str:
        target = e.func if isinstance(e, sx.Call) else e
        return target.id if isinstance(target, sx.Name) else f"way_{n}"

    def strip_choice(self, node: sx.Choose, items: tuple[sx.Expr, ...], scope: Scope, ctx: Ctx) -> None:
        assert scope.you is not None
        chosen = self.hidden_local(scope, INT)
        alternatives = tuple(ir.Alternative(c.name, (), (), ()) for c in node.block if isinstance(c, sx.Case))
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
            self.strip_part(item, scope, ctx)
            ctx.em.instr(ir.Jump(end))
            ctx.em.place(nxt)
        ctx.em.place(end)

    def defer_strip(self, item: sx.Expr, span: Span, scope: Scope, ctx: Ctx) -> None:
        """The part behind `->` as a deferred procedure."""
        assert scope.you is not None
        number = self.routine_number()
        r = RoutineSym(
            f"{ctx.routine.name}#after{number}",
            "afterwards",
            span,
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
        ctx.em.emit(ir.Defer(holders, number, (scope.you.read,), span))
        self.max_deferred = max(self.max_deferred, 1)

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
        for (thing, strip), _ in m.strips.items():
            if strip == operand.name and kind.low <= thing <= kind.high:
                r = next(
                    x
                    for x in m.routines.values()
                    if x.word == "strip" and x.this == thing and x.name.endswith(f".{strip}")
                )
                table[thing] = r.proc
                procs.append(r.proc)
                self.effect_actor(r, actor, node.span)
        m.tables_data.append(tuple(table))
        number = ir.TableGet(len(m.tables_data) - 1, card.e)
        skip = ctx.em.label()
        ctx.em.instr(ir.Branch(number, skip))
        ctx.em.instr(ir.Enter(number, (actor.e,), tuple(procs)))
        ctx.em.place(skip)
