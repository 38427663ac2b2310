"""Statements other than verbs and choices: branches, loops, calls, frames, plans."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import (
    ERROR,
    INT,
    IntType,
    NoneType,
    SetType,
    Type,
)
from dsl.elaborate.core import exhaustive, nonempty
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.statements.do import Calling
from dsl.symbols.types import clause, has
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


class Flow(Calling):
    # tied in by `choices`
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
                scope.known = scope.known | self.lasting(self.sure(line.test)[1])
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
                self.match(line, scope, ctx)
            case sx.Loop(word="repeat"):
                self.repeat(line, scope, ctx)
            case sx.Loop(word="for every") if has(line, "at once"):
                self.at_once(line, scope, ctx)
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
                self.inner_block(s.block, within, ctx.inside(plan=True))
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

    def match(self, node: sx.If, scope: Scope, ctx: Ctx) -> None:
        """A chain of branches; if it tells the members of an enum apart, whether it leaves some out."""
        first = node.span not in self.matched
        for branch in exhaustive.branches(node):
            self.matched.setdefault(branch.span, False)
        self.branch(node, scope, ctx)
        compared = exhaustive.compared(node) if first else None
        if compared is None:
            return
        kept = len(self.m.diagnostics), len(self.m.uses)
        t = self.expr(compared, scope).t
        del self.m.diagnostics[kept[0] :], self.m.uses[kept[1] :]  # both are there from the conditions
        left_out = exhaustive.missing(self.m, node, t)
        self.matched[node.span] = left_out == []
        if left_out and node.orelse:
            names = ", ".join(f"`{name}`" for name in left_out)
            self.m.note(
                "RW1215",
                node.test.span,
                f"these branches over `{self.m.text(compared.span)}` say nothing about {names}",
                "add a branch or an `else`; where nothing is to be done, write an `if` for each instead of `else if`",
            )

    def lasting(self, paths: frozenset[sx.Expr]) -> frozenset[sx.Expr]:
        """A block narrows locals only: a sentence may change a path. That a set has members is believed longer: it only
        spares a warning."""
        return frozenset(p for p in paths if isinstance(p, sx.Name) or nonempty.is_fact(p) and not nonempty.of_path(p))

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
        self.late.demanded(ctx.routine, s)
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
            ctx.em.instr(ir.Stop(r.procs))
        else:
            ctx.em.emit(ir.Return(None))
