"""Procedures: prologue, body, end list, checks, `after` lines; deferred blocks
(docs/manual/10-routines-and-frames.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import ERROR, INT, Type
from dsl.elaborate.context import ONE, ZERO
from dsl.elaborate.core.emit import Ctx, Emitter
from dsl.elaborate.core.exhaustive import branches
from dsl.elaborate.core.scope import Body, Local, Scope, Val
from dsl.elaborate.declarations.plans import Carrier
from dsl.elaborate.declarations.strips import Strips
from dsl.elaborate.events.order import Heard
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx


class Routines(Strips):
    next_proc: int

    def routine_number(self) -> int:
        self.next_proc += 1
        return self.next_proc - 1

    def suspends_block(self, block: tuple[sx.Line, ...]) -> bool:
        return self.sus.of_block(block)

    # ------------------------------------------------------------ one routine

    def compile_routine(
        self,
        r: RoutineSym,
        setup: Callable[[Scope], None] | None = None,
        line: RuleLine | None = None,
        excluded: frozenset[int] = frozenset(),
    ) -> None:
        m = self.m
        self.current = ""
        body = Body(r.name, r.suspends)
        scope = Scope(body, this=r.this, address=r.name)
        params = list(r.params)
        if r.word in ("effect", "strip", "icon"):
            params.append(("$you", self.effect_you.get(r.proc, m.kinds["Seat"].type)))
        for name, t in params:
            local = self.bind(scope, name, t, r.span)
            local.param = True
        if r.word in ("effect", "strip", "icon"):
            scope.you = scope.names["$you"]
        elif r.actor or (r.word in ("procedure", "rule") and r.captured and "$you" in scope.names):
            scope.you = scope.names[params[0][0]] if r.actor else scope.names["$you"]
        if setup is not None:
            setup(scope)
        em = Emitter(r.suspends)
        name = r.address
        ctx = Ctx(r, body, em, address=name, line=line)
        if line is not None:
            ctx.excluded = excluded
            ctx.line_first = scope.names[params[0][0]].read if params[0][0] != "$cause" else None
        self.locals_seen = []
        if not r.suspends:
            self.block(r.block, self.first_demands(r, scope, ctx), ctx)
            self.procs[r.proc] = ir.Proc(
                name,
                r.word,
                tuple(params),
                body.temps,
                False,
                em.pop(),
                cites=tuple(m.cites.get(name, ())),
                span=r.span,
            )
        else:
            self.framed_routine(r, params, body, scope, em, ctx, frozenset() if line is not None else excluded)
        if r.gives is not None and not self.always_gives(r.block):
            m.error(
                "RW0811",
                r.span,
                f"`{r.address}` should give a `{r.gives}`, but it can end without `give`",
                "end every branch with `give ...`",
            )
        for local in self.locals_seen:
            if not local.used and local.type != ERROR:
                m.warn("RW0812", local.span, f"`{local.name}` is never used", "leave it out, or use it")

    def first_demands(self, r: RoutineSym, scope: Scope, ctx: Ctx) -> Scope:
        """What an action demands in its head: the `while` around it, its `where`, and `once per`. Gives the scope in
        which it holds."""
        if r.word != "action":
            return scope
        c = Carrier()
        scope = self.head_guards(r, scope, c)
        for g in c.guards:
            ctx.em.emit(ir.Require(g))
        return scope

    def always_gives(self, block: tuple[sx.Line, ...]) -> bool:
        if not block:
            return False
        last = block[-1]
        match last:
            case sx.Sentence(word="give"):
                return True
            case sx.If(then=then, orelse=orelse):
                if self.matched.get(last.span):
                    return all(self.always_gives(b.then) for b in branches(last))
                return bool(orelse) and self.always_gives(then) and self.always_gives(orelse)
            case sx.Section(word="step", block=inner):
                return self.always_gives(inner)
            case sx.Choose(shape="cases", block=cases):
                return all(isinstance(c, sx.Case) and self.always_gives(c.block) for c in cases)
        return False

    def framed_routine(
        self,
        r: RoutineSym,
        params: list[tuple[str, Type]],
        body: Body,
        scope: Scope,
        em: Emitter,
        ctx: Ctx,
        used: frozenset[int],
    ) -> None:
        """Body, end list, checks, after lines, leave. `used` are `instead of` lines that stand behind this call
        already."""
        m = self.m
        epilogue = em.label()
        leave = em.label()
        ctx.epilogue = ctx.skip = epilogue
        if r.gives is not None:
            ctx.result = body.frame(r.gives)
        inner = self.first_demands(r, scope, ctx)
        for address in self.resets.get(r.name, ()):
            em.emit(ir.Store(ir.Const(address), INT, ZERO, "counter"))
        if r.name in self.once_actions:
            em.emit(ir.Store(ir.Const(self.once_actions[r.name]), INT, ONE, f"counter.action.{r.name}"))
        args = [Val(scope.names[n].read, t) for n, t in r.params]
        zero = Val(ZERO, INT)
        if r.gives is not None:
            for t in [t for t in r.lines if t.decl.word == "instead of"]:
                m.error("RW0813", t.decl.span, f"`{r.name}` gives a value, so nothing can stand instead of it")
        outside = ctx.inside(excluded=used, line_first=None)
        heard = self.note_lines([(t, args) for t in r.lines], zero, zero, scope, outside)
        before, instead, after = (
            [h for h in heard if h.line.decl.word == w] for w in ("before", "instead of", "after")
        )

        def call(h: Heard, when: ir.Expr) -> None:
            self.call_line(h, zero, zero, scope, outside, when)

        def replace_event(h: Heard, when: ir.Expr) -> None:
            skip = em.label()
            em.instr(ir.Branch(when, skip))
            call(h, ONE)
            em.instr(ir.Jump(leave))
            em.place(skip)

        self.in_order(before, scope, ctx, call)
        self.in_order(instead, scope, ctx, replace_event)
        if r.word == "strip":
            self.strip_body(r, scope, ctx)
        else:
            self.block(r.block, inner, ctx)
        em.place(epilogue)
        em.instr(ir.EndList())
        self.settle(set(self.check_reads), scope, ctx, r.span)
        self.in_order(after, scope, ctx, call)
        if r.gives is not None:
            em.instr(ir.Give(ir.FrameVar(ctx.result, r.gives), leave))
        em.place(leave)
        em.instr(ir.Leave())
        base = len(self.code)
        instrs, at = em.link(base)
        self.code.extend(instrs)
        name = r.address
        self.procs[r.proc] = ir.Proc(
            name,
            r.word,
            tuple(params),
            body.temps,
            True,
            (),
            base,
            at[epilogue],
            body.words,
            tuple(m.cites.get(name, ())),
            r.span,
        )

    # ------------------------------------------------------------ at end of

    def defer_block(self, node: sx.Section, scope: Scope, ctx: Ctx) -> None:
        """The block becomes a procedure; the names it uses are copied when it is put on the list."""
        m = self.m
        frame = node.head.id if isinstance(node.head, sx.Name) else ""
        target = m.routines.get(frame)
        if target is None:
            m.unknown("RW0207", node.span, "routine", frame, list(m.routines))
            return
        names: list[Local] = []
        for line in node.block:
            for local in self.captured_names(line, set(), scope):
                if local not in names:
                    names.append(local)
        if scope.you is not None and scope.you not in names:
            names.append(scope.you)
        params = [("$you" if n is scope.you else n.name, n.type) for n in names]
        if scope.you is not None and scope.find(scope.you.name) is scope.you:
            params = [(n.name, n.type) for n in names]
        r = RoutineSym(
            f"{ctx.routine.name}#end{self.next_proc}",
            "procedure",
            node.span,
            params,
            None,
            node.block,
            self.routine_number(),
            this=ctx.routine.this,
            captured=1,
        )
        r.suspends = True
        self.later.append((r, scope.you.name if scope.you is not None else ""))
        m.routines[r.name] = r
        r.used = True
        for n in names:
            n.used = True
        ctx.em.emit(ir.Defer(target.procs, r.proc, tuple(n.read for n in names), node.span))
        self.max_deferred = max(self.max_deferred, len(names))
