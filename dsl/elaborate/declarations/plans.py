"""The demands of an action, carried to its start (docs/manual/11-plans.md): which options can be offered
without a try.

Going through the body in order, each `require`, exact amount and compulsory choice becomes a guard of the option as
long as nothing before it writes what it reads. The first sentence that can not be carried makes the plan one that is
tried on a copy; `Plans.plans` keeps the grade of every action with that sentence, for `check --plans`.
"""

from __future__ import annotations

from math import prod

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR, INT, IntType, Type
from dsl.elaborate.context import ZERO, conj
from dsl.elaborate.core.reads import nodes
from dsl.elaborate.core.scope import Local, Scope, Val, ZoneRef
from dsl.elaborate.statements.offer import Orders
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import having

MOST_ANSWERS = 256  # of several choices together, gone through to see whether what they lead to can be met

UNDEMANDING = {*having("counts")} - {*having("demands")}  # verbs after which an action goes on


def causes(e: ir.Expr) -> set[int]:
    """The causes that an expression can give; none if that is not seen at once."""
    match e:
        case ir.Const(value=int(n)):
            return {n}
        case ir.If(then=then, orelse=orelse):
            one, other = causes(then), causes(orelse)
            return one | other if one and other else set()
    return set()


class Carrier:
    """The guards found so far, and the symbols written by the sentences already passed (None: unknown, anything).
    `waive`: causes whose payments the order leaves out."""

    def __init__(self, waive: int = 0) -> None:
        self.waive = waive
        self.guards: list[ir.Guard] = []
        self.written: set[str] | None = set()
        self.stopped: sx.Line | None = None
        self.asked = False
        self.answers = 1  # to the choices so far, all together


class Plans(Orders):
    carry: bool = True
    plans: dict[str, tuple[str, str]]
    value_at: dict[int, str]  # the values by the number of their function
    value_reads: dict[str, dict[str, Span]]

    def action_guards(
        self, r: RoutineSym, scope: Scope, waive: int = 0, alone: bool = False
    ) -> tuple[tuple[ir.Guard, ...], bool]:
        """Guards of an option that orders `r` (its names bound in `scope`), and whether the rest must be tried.
        `waive`: causes of payments that are left out; `alone`: it is never asked inside another order."""
        c = Carrier(waive)
        scope = self.head_guards(r, scope, c)
        if any(t.decl.word != "after" for t in r.lines):  # what they demand, or do instead, belongs to the plan
            self.tell_grade(r, "tries", r.lines[0].decl, alone)
            return (), True
        kept = len(self.m.diagnostics)
        self.passes(r, list(r.block), scope, c)
        del self.m.diagnostics[kept:]  # the body says its own when it is compiled
        lasting = tuple(g for g in c.guards if alone or not self.order_changes(g))
        must_try = c.stopped is not None or len(lasting) < len(c.guards)
        if must_try and c.stopped is None:
            c.stopped = r.block[0] if r.block else None
        c.guards = list(lasting)
        grade = "tries" if must_try else "nested guards" if c.asked else "guards"
        self.tell_grade(r, grade, c.stopped, alone)
        return tuple(c.guards), must_try

    def tell_grade(self, r: RoutineSym, grade: str, because: sx.Node | None, alone: bool) -> None:
        """For `check --plans`: how the action is decided, of several orders of it where it is no part of another."""
        if alone or r.name not in self.plans:
            self.plans[r.name] = (grade, self.m.text(because.span)[:80] if because is not None else "")

    def head_guards(self, r: RoutineSym, scope: Scope, c: Carrier) -> Scope:
        """The demands of an action's head; gives the scope in which they hold."""
        for cond in r.conditions:
            c.guards.append(ir.Guard(self.while_test(cond, r.this, scope), self.m.text(cond.span), r.cites, cond.span))
        for word in r.clauses:
            if word.word == "where" and not isinstance(word.args[0], sx.Key):
                scope = self.add_guards(word.args[0], scope, r.cites, "", "", c)
            if word.word == "once per":
                counter = self.lay.counter(f"action.{r.name}")
                c.guards.append(
                    ir.Guard(
                        ir.Not(ir.Cell(ir.Const(counter), INT)),
                        self.m.text(word.span),
                        r.cites,
                        word.span,
                    )
                )
        return scope

    def order_changes(self, g: ir.Guard) -> bool:
        """Whether a guard reads a value that some order changes by `with`: what it says here may not hold inside of
        another order."""
        if not self.sus.changed:
            return False
        todo = [self.value_at[n.fn] for n in nodes(g.test) if isinstance(n, ir.CallFn) and n.fn in self.value_at]
        seen: set[str] = set()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.value_reads.get(name, {})
        return bool(seen & self.sus.changed)

    def add_guards(
        self, node: sx.Expr, scope: Scope, cites: tuple[str, ...], key: str, reason: str, c: Carrier
    ) -> Scope:
        for leaf in self.leaves(node):
            c.guards.append(self.guard(leaf, scope, cites, key, reason))
            scope = scope.knowing(self.sure(leaf)[0])
        return scope

    def untouched(self, e: ir.Expr, c: Carrier) -> bool:
        """Whether nothing that `e` reads has been written by the sentences before."""
        return c.written is not None and not (self.reading.cells(e) & c.written)

    def passes(self, r: RoutineSym, lines: list[sx.Line], scope: Scope, c: Carrier, leading: bool = True) -> None:
        """Carry the demands of these lines; stops at the first that can not be carried. `leading`: nothing was done
        before them."""
        requires = 0
        for i, line in enumerate(lines):
            if isinstance(line, sx.Sentence) and line.word == "require":
                requires += 1
                test = self.test(line.operands[0], scope)
                if not leading and not (self.carry and self.untouched(test, c)):
                    c.stopped = line
                    return
                because = clause(line, "because")
                reason = because.args[0].value if because and isinstance(because.args[0], sx.Text) else ""
                scope = self.add_guards(
                    line.operands[0], scope, line.cites or r.cites, f"{r.address}.require.{requires}", reason, c
                )
                continue
            leading = False
            if not self.has_demand((line,), set()):
                if isinstance(line, sx.Choose) and (has(line, "or decline") or has(line, "if any")):
                    return  # declining skips the rest, so nothing behind it can forbid the action
                self.note_writes(line, scope, c)
                continue
            if not self.carry or not self.carried(line, lines[i + 1 :], scope, r, c):
                c.stopped = line
                return
            if isinstance(line, sx.Choose):
                return

    def carried(self, line: sx.Line, rest: list[sx.Line], scope: Scope, r: RoutineSym, c: Carrier) -> bool:
        """One demanding line as a guard, if it is of a form that can be."""
        match line:
            case sx.Sentence(word="pay" | "move", operands=(sx.Amount() as amount,)):
                return self.carried_amount(line, amount, scope, r, c)
            case sx.Choose(word="choose", shape="one" | "number", binders=binders) if binders:
                return self.carried_choice(line, rest, scope, r, c)
        return False

    def carried_amount(self, line: sx.Sentence, a: sx.Amount, scope: Scope, r: RoutineSym, c: Carrier) -> bool:
        """`pay n piece`, `move n piece from Z`: as many must be there."""
        base = a.what.base if isinstance(a.what, sx.Index) else a.what
        name = base.id if isinstance(base, sx.Name) else ""
        if c.waive and line.word == "pay" and clause(line, "as") is not None:
            waived = {bool(c.waive >> n & 1) for n in causes(self.cause(line, scope))}
            if len(waived) != 1:
                return False
            if True in waived:
                return True
        if name in self.m.purses:
            return line.word == "pay" and self.carried_payment(line, a, name, scope, r, c)
        if name not in self.m.pieces:
            return False
        piece, index, face = self.amount_of(a, scope)
        if piece is None or self.may_hear(line):
            return False
        source = self.place(line, "from", scope)
        if source is None and line.word == "pay":
            by = clause(line, "by")
            actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
            source = self.own_zone(piece, actor, line.span)
        target = self.place(line, "to", scope)
        if (
            not isinstance(source, ZoneRef)
            or isinstance(target, Val)
            or target is not None
            and target.zone.cap is not None
        ):
            return False
        have = self.read_zone(ZoneRef(source.zone, source.holder, tuple(index), face, line.span)).e
        amount = self.expr(a.count, scope, INT)
        if not isinstance(amount.t, IntType):
            return False
        test = ir.Compare(">=", have, amount.e)
        if not self.untouched(test, c):
            return False
        self.add_payment(line, a, test, amount, (f"{piece.name} there", have, INT), r, c)
        supply = {piece.supply} if piece.supply else set()
        return self.settled(self.zone_symbols(source, target) | supply, c)

    def carried_payment(
        self, line: sx.Sentence, a: sx.Amount, purse: str, scope: Scope, r: RoutineSym, c: Carrier
    ) -> bool:
        """`pay n food`: n can be paid; a second payment from the same purse has to be tried."""
        by = clause(line, "by")
        actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
        p = self.m.purses[purse]
        code = self.purse_code[p.number]
        amount = self.expr(a.count, scope, INT)
        if actor is None or code is None or not isinstance(amount.t, IntType) or self.may_hear(line):
            return False
        held = {node.symbol for node in nodes(code) if isinstance(node, ir.Pool) and node.symbol}
        if c.written is None or c.written & (held | self.reading.cells(code)):
            return False
        cause = self.cause(line, scope)
        test = self.can_pay(p, actor.e, cause, amount.e)
        if not self.untouched(test, c):
            return False
        worth = self.purse_worth_of(p, actor.e, cause)
        self.add_payment(line, a, test, amount, (f"{purse} there", worth, INT), r, c)
        return self.settled(held, c)

    def add_payment(
        self,
        line: sx.Sentence,
        a: sx.Amount,
        test: ir.Expr,
        amount: Val,
        there: tuple[str, ir.Expr, Type],
        r: RoutineSym,
        c: Carrier,
    ) -> None:
        """The guard for what has to be there, with how much is wanted and how much there is."""
        wanted = () if isinstance(amount.e, ir.Const) else ((self.m.text(a.count.span), amount.e, amount.t),)
        c.guards.append(ir.Guard(test, self.m.text(line.span), line.cites or r.cites, line.span, (*wanted, there)))

    def settled(self, symbols: set[str], c: Carrier) -> bool:
        """Note what a sentence has written; a check that looks at it may ask or demand anything."""
        if symbols & self.check_reads:
            return False
        if c.written is not None:
            c.written |= symbols
        return True

    def carried_choice(self, line: sx.Choose, rest: list[sx.Line], scope: Scope, r: RoutineSym, c: Carrier) -> bool:
        """A compulsory choice of the actor: something must be there to choose that meets what is demanded behind it. Of
        several choices all together are gone through, so there may not be too many."""
        by = clause(line, "by")
        own = {"you", *(name for name, _ in r.params[:1])}
        other = by is not None and not (isinstance(by.args[0], sx.Name) and by.args[0].id in own)
        if other or has(line, "such that"):
            return False
        inner = scope.child()
        inner.nested = True
        binders, types = self.binders(line.binders, inner)
        where, inner = self.where(line.clauses, inner)
        if any(t == ERROR for t in types):
            return False
        behind = Carrier(c.waive)
        if self.has_demand(tuple(rest), set()):
            behind.written = None if c.written is None else set(c.written)
            behind.answers = c.answers * prod(self.members_of(t) for t in types)
            if has(line, "with") or behind.answers > MOST_ANSWERS:
                return False
            self.passes(r, rest, inner, behind, leading=False)
            if behind.stopped is not None:
                return False
        tests = [*([where] if where is not None else []), *(g.test for g in behind.guards)]
        test = ir.Fold("any", tuple(binders), conj(tests) if tests else None, (), None)
        if not self.untouched(ir.Fold("any", tuple(binders), where, (), None), c):
            return False
        demanded = "".join(f"; {g.text}" for g in behind.guards)
        c.guards.append(ir.Guard(test, self.m.text(line.span) + demanded, line.cites or r.cites, line.span))
        c.asked = True
        return True

    def note_writes(self, line: sx.Line, scope: Scope, c: Carrier) -> None:
        """What a line that demands nothing changes; a `let` is read where the action begins if that is the same. Where
        lines or checks may follow, anything."""
        self.add_own_writes(line, scope, c)
        heard = isinstance(line, sx.Sentence) and self.may_hear(line)
        if heard or c.written is not None and c.written & self.check_reads:
            c.written = None

    def add_own_writes(self, line: sx.Line, scope: Scope, c: Carrier) -> None:
        match line:
            case sx.Let(name=name, value=value):
                v = self.expr(value, scope)
                ok = self.untouched(v.e, c)
                scope.names[name] = Local(name, v.t if ok else ERROR, v.e if ok else ZERO, used=True)
                if not ok:
                    c.written = None
            case sx.Sentence(word="set", operands=(target,)):
                found = (
                    self.field_target(target, scope)
                    if not (isinstance(target, sx.Name) and scope.find(target.id))
                    else None
                )
                self.add_written({found[2]} if found else None, c)
            case sx.Sentence(word=word) if word in UNDEMANDING and line.operands:
                self.add_written(self.verb_writes(line, scope), c)
            case _:
                c.written = None

    @staticmethod
    def add_written(symbols: set[str] | None, c: Carrier) -> None:
        c.written = None if symbols is None or c.written is None else c.written | symbols

    def verb_writes(self, line: sx.Sentence, scope: Scope) -> set[str] | None:
        refs = [self.place(line, "from", scope), self.place(line, "to", scope)]
        symbols = self.zone_symbols(*refs)
        operand = line.operands[0]
        if isinstance(operand, sx.Amount):
            piece, _, _ = self.amount_of(operand, scope)
            if piece is None:
                return None
            zones = [*self.m.zones.values(), *(z for k in self.m.kinds.values() for z in k.zones.values())]
            return symbols | {z.symbol for z in zones if z.piece is piece}
        v = self.ref(operand, scope)
        if isinstance(v, Val) and (kind := self.m.kind_of(v.t)) is not None:
            return symbols | self.holding(kind.type) | {f"{kind.name}.face"}
        return None
