"""The demands of an action, carried to its start (docs/manual/11-plans.md): which options can be offered without a try.

Going through the body in order, each `require`, exact amount and compulsory choice becomes a guard of the option as
long as nothing before it writes what it reads. The first sentence that cannot be carried makes the plan one that is
tried on a copy; `Findings.grades` keeps the grade of every action with that sentence, for `check --plans`.
"""

from __future__ import annotations

from math import prod

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO, conj
from dsl.elaborate.core.reads import nodes
from dsl.elaborate.core.scope import Body, Local, Scope, Val, ZoneRef, temp_local
from dsl.elaborate.events import force
from dsl.elaborate.expressions import actors, calls, folds, operators, paying
from dsl.elaborate.expressions.zones import place_in_clause, read_zone, zone_symbols
from dsl.elaborate.statements import guards, move, offer, pay, verbs
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with

CARRY = True  # False: all demands after the head of an action are tried
MAX_ANSWERS = 256  # combinations of answers that are gone through to see whether a demand can be met
SAFE_VERBS = {*words_with("counts")} - {*words_with("demands")}  # verbs that demand nothing


def possible_causes(e: ir.Expr) -> set[int]:
    """The causes that an expression can give; none if that is not clear from its form."""
    match e:
        case ir.Const(value=int(n)):
            return {n}
        case ir.If(then=then, orelse=orelse):
            one, other = possible_causes(then), possible_causes(orelse)
            return one | other if one and other else set()
    return set()


class CarriedGuards:
    """The guards found so far, and the symbols written by the sentences already passed (None: unknown, anything).
    `waive`: causes whose payments the order leaves out."""

    def __init__(self, waive: int = 0) -> None:
        self.waive = waive
        self.guards: list[ir.Guard] = []
        self.written: set[str] | None = set()
        self.stopped: sx.Line | None = None
        self.asked = False
        self.answers = 1  # combinations of answers to the choices so far


def action_guards(
    elab: Elaboration, r: RoutineSym, scope: Scope, waive: int = 0, outside_orders: bool = False
) -> tuple[tuple[ir.Guard, ...], bool]:
    """Guards of an option that orders `r` (its names bound in `scope`), and whether the rest must be tried. `waive`:
    causes of payments that are left out; `outside_orders`: it is never asked inside another order."""
    carried = CarriedGuards(waive)
    scope = head_guards(elab, r, scope, carried)
    if any(t.decl.word != "after" for t in r.lines):  # their demands and replacements belong to the plan
        note_grade(elab, r, "tries", r.lines[0].decl, outside_orders)
        return (), True
    with elab.model.quietly():  # the body reports its own when it is compiled
        carry_lines(elab, r, list(r.block), scope, carried)
    lasting = tuple(g for g in carried.guards if outside_orders or not is_changed_by_orders(elab, g))
    must_try = carried.stopped is not None or len(lasting) < len(carried.guards)
    if must_try and carried.stopped is None:
        carried.stopped = r.block[0] if r.block else None
    carried.guards = list(lasting)
    grade = "tries" if must_try else "nested guards" if carried.asked else "guards"
    note_grade(elab, r, grade, carried.stopped, outside_orders)
    return tuple(carried.guards), must_try


def note_grade(elab: Elaboration, r: RoutineSym, grade: str, because: sx.Node | None, outside_orders: bool) -> None:
    """Note for `check --plans` how the action is decided; of several orders of it, where it is not part of another."""
    if outside_orders or r.name not in elab.findings.grades:
        elab.findings.grades[r.name] = (grade, elab.model.text(because.span)[:80] if because is not None else "")


def head_guards(elab: Elaboration, r: RoutineSym, scope: Scope, carried: CarriedGuards) -> Scope:
    """Add the demands of an action's head; gives the scope in which they hold."""
    for cond in r.conditions:
        carried.guards.append(
            ir.Guard(force.while_test(elab, cond, r.this, scope), elab.model.text(cond.span), r.cites, cond.span)
        )
    reasons: list[str] = []
    for number, word in enumerate(r.clauses):
        if word.word == "where" and not isinstance(word.args[0], sx.Key):
            reason, key = guards.reason_of(r.clauses[number + 1 :]), ""
            if reason:
                reasons = list(dict.fromkeys([*reasons, reason]))
                key = guards.numbered(f"{r.address}.where", reasons.index(reason) + 1)
            scope = add_guards(elab, word.args[0], scope, r.cites, key, reason, carried)
        if word.word == "once per":
            counter = elab.layout.counter(f"action.{r.name}")
            carried.guards.append(
                ir.Guard(
                    ir.Not(ir.Cell(ir.Const(counter), INT)),
                    elab.model.text(word.span),
                    r.cites,
                    word.span,
                )
            )
    return scope


def is_changed_by_orders(elab: Elaboration, g: ir.Guard) -> bool:
    """Whether a guard reads a value that some order changes by `with`: inside another order it may not hold."""
    if not elab.suspension.changed_values:
        return False
    todo = [
        elab.values.by_function[n.fn]
        for n in nodes(g.test)
        if isinstance(n, ir.CallFn) and n.fn in elab.values.by_function
    ]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += elab.values.reads.get(name, {})
    return bool(seen & elab.suspension.changed_values)


def add_guards(
    elab: Elaboration,
    node: sx.Expr,
    scope: Scope,
    cites: tuple[str, ...],
    key: str,
    reason: str,
    carried: CarriedGuards,
) -> Scope:
    """Add the conditions of an expression; gives the scope in which they hold."""
    for leaf in guards.conjuncts(node):
        carried.guards.append(guards.guard(elab, leaf, scope, cites, key, reason))
        scope = scope.knowing(operators.proved_facts(elab, leaf)[0])
    return scope


def is_unwritten(elab: Elaboration, e: ir.Expr, carried: CarriedGuards) -> bool:
    """Whether nothing that `e` reads has been written by the sentences before."""
    return carried.written is not None and not (elab.reading.cells(e) & carried.written)


def carry_lines(
    elab: Elaboration, r: RoutineSym, lines: list[sx.Line], scope: Scope, carried: CarriedGuards, leading: bool = True
) -> None:
    """Carry the demands of these lines; stops at the first that cannot be carried. `leading`: nothing was done
    before them."""
    requires = 0
    for i, line in enumerate(lines):
        if isinstance(line, sx.Sentence) and line.word == "require":
            requires += 1
            test = elab.test(line.operands[0], scope)
            if not leading and not (CARRY and is_unwritten(elab, test, carried)):
                carried.stopped = line
                return
            reason = guards.reason_of(line.clauses)
            scope = add_guards(
                elab, line.operands[0], scope, line.cites or r.cites, f"{r.address}.require.{requires}", reason, carried
            )
            continue
        leading = False
        if not offer.has_demand(elab, (line,), set()):
            if isinstance(line, sx.Choose) and (has_clause(line, "or decline") or has_clause(line, "if any")):
                return  # declining skips the rest, so nothing after it can forbid the action
            note_writes(elab, line, scope, carried)
            continue
        if not CARRY or not carry_line(elab, line, lines[i + 1 :], scope, r, carried):
            carried.stopped = line
            return
        if isinstance(line, sx.Choose):
            return


def carry_line(
    elab: Elaboration, line: sx.Line, rest: list[sx.Line], scope: Scope, r: RoutineSym, carried: CarriedGuards
) -> bool:
    """Add the guard of one demanding line; False if its form allows none."""
    match line:
        case sx.Sentence(word="pay" | "move", operands=(sx.Amount() as amount,)):
            return carry_amount(elab, line, amount, scope, r, carried)
        case sx.Choose(word="choose", shape="one" | "number", binders=binders) if binders:
            return carry_choice(elab, line, rest, scope, r, carried)
    return False


def carry_amount(
    elab: Elaboration, line: sx.Sentence, a: sx.Amount, scope: Scope, r: RoutineSym, carried: CarriedGuards
) -> bool:
    """`pay n piece`, `move n piece from Z`: at least n must be there."""
    base = a.what.base if isinstance(a.what, sx.Index) else a.what
    name = base.id if isinstance(base, sx.Name) else ""
    if carried.waive and line.word == "pay" and clause(line, "as") is not None:
        waived = {bool(carried.waive >> n & 1) for n in possible_causes(pay.cause_of(elab, line, scope))}
        if len(waived) != 1:
            return False
        if True in waived:
            return True
    if name in elab.model.purses:
        return line.word == "pay" and carry_payment(elab, line, a, name, scope, r, carried)
    if name not in elab.model.pieces:
        return False
    piece, index, face = move.amount_parts(elab, a, scope)
    if piece is None or offer.may_have_listeners(elab, line):
        return False
    source = place_in_clause(elab, line, "from", scope)
    if source is None and line.word == "pay":
        by = clause(line, "by")
        actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
        source = actors.zone_of_actor(elab, piece, actor, line.span)
    target = place_in_clause(elab, line, "to", scope)
    if not isinstance(source, ZoneRef) or isinstance(target, Val) or target is not None and target.zone.cap is not None:
        return False
    have = read_zone(elab, source.of(tuple(index), face, line.span)).e
    amount = elab.expr(a.count, scope, INT)
    if not isinstance(amount.t, IntType):
        return False
    test = ir.Compare(">=", have, amount.e)
    if not is_unwritten(elab, test, carried):
        return False
    add_payment(elab, line, a, test, amount, (f"{piece.name} there", have, INT), r, carried)
    supply = {piece.home.symbol} if piece.home else set()
    return note_written(elab, zone_symbols(source, target) | supply, carried)


def carry_payment(
    elab: Elaboration, line: sx.Sentence, a: sx.Amount, purse: str, scope: Scope, r: RoutineSym, carried: CarriedGuards
) -> bool:
    """`pay n food`: n can be paid; a second payment from the same purse has to be tried."""
    by = clause(line, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, line.span)
    p = elab.model.purses[purse]
    code = elab.out.purses[p.number]
    amount = elab.expr(a.count, scope, INT)
    if actor is None or code is None or not isinstance(amount.t, IntType) or offer.may_have_listeners(elab, line):
        return False
    held = {node.symbol for node in nodes(code) if isinstance(node, ir.Pool) and node.symbol}
    if carried.written is None or carried.written & (held | elab.reading.cells(code)):
        return False
    cause = pay.cause_of(elab, line, scope)
    test = paying.can_pay(elab, p, actor.e, cause, amount.e)
    if not is_unwritten(elab, test, carried):
        return False
    worth = paying.purse_worth(elab, p, actor.e, cause)
    add_payment(elab, line, a, test, amount, (f"{purse} there", worth, INT), r, carried)
    return note_written(elab, held, carried)


def add_payment(
    elab: Elaboration,
    line: sx.Sentence,
    a: sx.Amount,
    test: ir.Expr,
    amount: Val,
    there: tuple[str, ir.Expr, Type],
    r: RoutineSym,
    carried: CarriedGuards,
) -> None:
    """The guard for what has to be there, with how much is wanted and how much there is."""
    wanted = () if isinstance(amount.e, ir.Const) else ((elab.model.text(a.count.span), amount.e, amount.t),)
    carried.guards.append(
        ir.Guard(test, elab.model.text(line.span), line.cites or r.cites, line.span, (*wanted, there))
    )


def note_written(elab: Elaboration, symbols: set[str], carried: CarriedGuards) -> bool:
    """Note what a sentence has written; False if a check reads it, which may then ask or demand anything."""
    if symbols & elab.checks.reads:
        return False
    if carried.written is not None:
        carried.written |= symbols
    return True


def carry_choice(
    elab: Elaboration, line: sx.Choose, rest: list[sx.Line], scope: Scope, r: RoutineSym, carried: CarriedGuards
) -> bool:
    """A compulsory choice of the actor: there must be an answer that meets what is demanded after it. Several
    choices are gone through together, so there may not be too many answers."""
    by = clause(line, "by")
    own = {"you", *(name for name, _ in r.params[: r.actor])}
    other = by is not None and not (isinstance(by.args[0], sx.Name) and by.args[0].id in own)
    if other or has_clause(line, "such that"):
        return False
    inner = scope.child()
    inner.nested = True
    binders, types = folds.bind_members(elab, line.binders, inner)
    where, inner = folds.where_clauses(elab, line.clauses, inner)
    if any(t == ERROR for t in types):
        return False
    following = CarriedGuards(carried.waive)
    if offer.has_demand(elab, tuple(rest), set()):
        following.written = None if carried.written is None else set(carried.written)
        following.answers = carried.answers * prod(calls.member_count(elab, t) for t in types)
        if has_clause(line, "with") or following.answers > MAX_ANSWERS:
            return False
        carry_lines(elab, r, rest, inner, following, leading=False)
        if following.stopped is not None:
            return False
    tests = [*([where] if where is not None else []), *(g.test for g in following.guards)]
    test = ir.Fold("any", tuple(binders), conj(tests) if tests else None, (), None)
    if not is_unwritten(elab, ir.Fold("any", tuple(binders), where, (), None), carried):
        return False
    demanded = "".join(f"; {g.text}" for g in following.guards)
    carried.guards.append(ir.Guard(test, elab.model.text(line.span) + demanded, line.cites or r.cites, line.span))
    carried.asked = True
    return True


def note_writes(elab: Elaboration, line: sx.Line, scope: Scope, carried: CarriedGuards) -> None:
    """Note what a line that demands nothing changes; a `let` is read where the action begins if its value is the
    same there. Where lines or checks may follow, anything may change."""
    note_own_writes(elab, line, scope, carried)
    listened = isinstance(line, sx.Sentence) and offer.may_have_listeners(elab, line)
    if listened or carried.written is not None and carried.written & elab.checks.reads:
        carried.written = None


def note_own_writes(elab: Elaboration, line: sx.Line, scope: Scope, carried: CarriedGuards) -> None:
    """Note what a line writes itself."""
    match line:
        case sx.Let(name=name, value=value):
            v = elab.expr(value, scope)
            ok = is_unwritten(elab, v.e, carried)
            scope.names[name] = Local(name, v.t if ok else ERROR, v.e if ok else ZERO, used=True)
            if not ok:
                carried.written = None
        case sx.Sentence(word="set", operands=(target,)):
            found = (
                verbs.field_target(elab, target, scope)
                if not (isinstance(target, sx.Name) and scope.find(target.id))
                else None
            )
            add_written({found[2]} if found else None, carried)
        case sx.Sentence(word=word) if word in SAFE_VERBS and line.operands:
            add_written(verb_writes(elab, line, scope), carried)
        case _:
            carried.written = None


def add_written(symbols: set[str] | None, carried: CarriedGuards) -> None:
    """Add symbols that are written; None is anything."""
    carried.written = None if symbols is None or carried.written is None else carried.written | symbols


def verb_writes(elab: Elaboration, line: sx.Sentence, scope: Scope) -> set[str] | None:
    """The symbols that a verb may write; None if they are not known."""
    refs = [place_in_clause(elab, line, "from", scope), place_in_clause(elab, line, "to", scope)]
    symbols = zone_symbols(*refs)
    operand = line.operands[0]
    if isinstance(operand, sx.Amount):
        piece, _, _ = move.amount_parts(elab, operand, scope)
        if piece is None:
            return None
        zones = elab.model.all_zones()
        return symbols | {z.symbol for z in zones if z.piece is piece}
    v = elab.ref(operand, scope)
    if isinstance(v, Val) and (kind := elab.model.kind_of(v.t)) is not None:
        return symbols | move.symbols_holding(elab, kind.type) | {f"{kind.name}.face"}
    return None


def grade_unordered_actions(elab: Elaboration) -> None:
    """Note the grade of every action that nothing orders."""
    for r in list(elab.model.routines.values()):
        if r.word == "action" and r.name not in elab.findings.grades:
            scope = Scope(Body(r.name), this=r.this, address=r.name)
            for name, t in r.params:
                temp_local(elab.model, scope, name, t).used = True
            if r.actor:
                scope.you = scope.names[r.params[0][0]]
            action_guards(elab, r, scope)
