"""Rule lines that react (docs/manual/13-triggers.md): what a `before`, `instead of` or `after` line matches; its block
as a procedure.

It takes a line and the arguments of an event and gives the test whether the line reacts and the call of its block;
`dsl.elaborate.events.events` decides when that happens.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.types import BOOL, ERROR, INT, MemberType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, kind_test
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Body, Local, Scope, Val, assign, hidden_local, temp_local
from dsl.elaborate.core.types import need
from dsl.elaborate.events.order import Listener
from dsl.elaborate.expressions import actors, names, operators
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with

ACCOUNTS = words_with("accounts")
CHANGES = words_with("changes")
YOU = "$you"  # the copied actor of a line under `until end of`


# ------------------------------------------------------------ matching


def line_args(elab: Elaboration, t: RuleLine, args: list[Val], actor: Val | None, amount: ir.Expr) -> list[Val]:
    """What a line's pattern is matched with: for `gain`, `lose` and `pay` (who, how many, what), or with a piece as
    the type of the first name (index, from, to), like `move`."""
    if t.decl.name not in ACCOUNTS or matches_pieces(elab, t):
        return args
    return [actor, Val(amount, INT), Val(ZERO, INT)] if actor is not None else []


def matches_pieces(elab: Elaboration, t: RuleLine) -> bool:
    """Whether the first name of a line's pattern has a piece as its type."""
    head = t.decl.head
    first = head.args[0].type if isinstance(head, sx.Call) and head.args else None
    return isinstance(first, sx.Name) and first.id in elab.model.pieces


def other_event_test(args: list[Val], ctx: EmitContext) -> ir.Expr | None:
    """Inside the block of an `instead of` line: the test whether an event with these arguments differs from the
    line's own. None: it is certainly the same, issued again."""
    own = ctx.first_argument
    if own is None or not args or args[0].e == own:
        return None
    return ir.Compare("!=", args[0].e, own)


def listens_test(
    elab: Elaboration, t: RuleLine, args: list[Val], amount: Val, cause: Val, scope: Scope, ctx: EmitContext
) -> ir.Expr:
    """The test whether line `t` reacts to an event with these arguments."""
    tests = [match_test(elab, t, args, amount, cause, scope)]
    other = other_event_test(args, ctx) if t.number in ctx.excluded else None
    if other is not None:
        tests.insert(0, other)
    return conj(tests)


def occurs_test(args: list[Val], amount: Val) -> ir.Expr:
    """The test whether anything changes: to move none or zero is no event."""
    tests: list[ir.Expr] = []
    if args and isinstance(args[0].t, MemberType) and args[0].t.optional:
        tests.append(ir.Compare("!=", args[0].e, ZERO))
    if not isinstance(amount.e, ir.Const) or amount.e.value == 0:
        tests.append(ir.Compare(">", amount.e, ZERO))
    return conj(tests)


def can_listen(elab: Elaboration, t: RuleLine, args: list[Val], what: str, actor: Val | None = None) -> bool:
    """Whether the types of a verb's arguments can match a line's pattern."""
    head = t.decl.head
    if not isinstance(head, sx.Call) or not head.args:
        return True
    if t.decl.name in ACCOUNTS and not matches_pieces(elab, t):
        if actor is None or len(head.args) > 2 and head.args[2].type not in (None, sx.Name(what)):
            return False
        args = [actor]
        what = ""
    first = head.args[0]
    if first.type is None or not args:
        return first.type is None
    name = first.type.id if isinstance(first.type, sx.Name) else ""
    if name in elab.model.pieces or what in elab.model.pieces:
        return name == what
    wanted = elab.model.kinds.get(name)
    have = args[0].t
    return wanted is not None and isinstance(have, MemberType) and operators.overlap(have, wanted.type)


# ------------------------------------------------------------ one line


def pattern(elab: Elaboration, t: RuleLine, args: list[Val]) -> list[tuple[str, Type, Val, Type | None]]:
    """(name, its type, the argument, the narrowed kind) of each parameter of a line's pattern."""
    head = t.decl.head
    given = head.args if isinstance(head, sx.Call) else ()
    result: list[tuple[str, Type, Val, Type | None]] = []
    for i, p in enumerate(given):
        if i >= len(args):
            if t.decl.name in CHANGES:
                continue
            break
        name = p.value.id if isinstance(p.value, sx.Name) else "?"
        narrowed: Type | None = None
        have = args[i].t
        if isinstance(p.type, sx.Name) and p.type.id in elab.model.kinds:
            narrowed = elab.model.kinds[p.type.id].type
        if isinstance(have, MemberType):
            have = MemberType(have.domain, have.low, have.high)
        result.append((name, narrowed or have, args[i], narrowed))
    return result


def line_scope(t: RuleLine, body: Body) -> Scope:
    """The scope in which the expressions of a line stand."""
    scope = Scope(body)
    scope.this = t.this
    scope.nested = True
    return scope


def match_test(elab: Elaboration, t: RuleLine, args: list[Val], amount: Val, cause: Val, outer: Scope) -> ir.Expr:
    """The test whether line `t` is active and its `where` holds for these arguments."""
    scope = line_scope(t, outer.body)
    if t.timed >= 0:
        scope.names |= outer.names
        scope.you = outer.you
    tests: list[ir.Expr] = []
    for name, t_param, arg, narrowed in pattern(elab, t, args):
        scope.names[name] = Local(name, t_param, arg.e, used=True)
        if isinstance(narrowed, MemberType) and isinstance(arg.t, MemberType):
            if not elab.model.fits_kind(arg.t, narrowed):
                tests.append(kind_test(elab.model, arg.e, elab.model.kinds[narrowed.domain]))
    bind_event_words(elab, scope, amount, cause)
    tests += while_tests(elab, t, scope)
    scope = scope.knowing(while_facts(elab, t))
    for cl in t.decl.clauses:
        if cl.word == "where" and not isinstance(cl.args[0], sx.Key):
            tests.append(elab.test(cl.args[0], scope))
            scope = scope.knowing(operators.proved_facts(elab, cl.args[0])[0])
    counter = once_counter(elab, t)
    if counter:
        tests.append(ir.Not(ir.Cell(ir.Const(counter), INT)))
    return conj(tests)


def bind_event_words(elab: Elaboration, scope: Scope, amount: Val, cause: Val) -> None:
    """Let `cause` and `amount` stand for those of the event."""
    enum = elab.model.enums.get("Cause")
    t: Type = MemberType("Cause", 1, enum.type.high, True) if enum else INT
    scope.special = {"cause": Local("cause", t, cause.e), "amount": Local("amount", INT, amount.e)}


def while_tests(elab: Elaboration, t: RuleLine, scope: Scope) -> list[ir.Expr]:
    """The `while` conditions; a bare predicate applies to `this`."""
    result: list[ir.Expr] = []
    for cond in t.conditions:
        result.append(while_test(elab, cond, t.this, scope))
    return result


def while_facts(elab: Elaboration, t: RuleLine) -> frozenset[sx.Expr]:
    """What the `while` conditions of a line prove not to be none."""
    return frozenset().union(*(operators.proved_facts(elab, cond)[0] for cond in t.conditions))


def while_test(elab: Elaboration, cond: sx.Expr, this: int, scope: Scope) -> ir.Expr:
    """One `while` condition as a test."""
    m = elab.model
    if isinstance(cond, sx.Name) and this and scope.find(cond.id) is None:
        kind = next(k for k in m.kinds.values() if not k.parts and k.low <= this <= k.high)
        found = names.find_attribute(elab, Val(ir.Const(this), kind.type), cond.id, cond.span)
        if isinstance(found, Val):
            return need(m, found, BOOL, cond.span).e
    return elab.test(cond, scope)


def once_counter(elab: Elaboration, t: RuleLine) -> int:
    """Address of the counter of `once per F`; 0 without one."""
    if clause(t.decl, "once per") is None:
        return 0
    return elab.layout.counter(f"trigger.{t.number}.{t.this}")


def line_routine(elab: Elaboration, t: RuleLine, args: list[Val], excluded: frozenset[int]) -> RoutineSym:
    """The block of a line as a procedure; its parameters are the pattern's names, then cause and amount. `excluded`
    are the `instead of` lines that do not apply again to what the block issues."""
    params: list[tuple[str, Type]] = [(n, ty) for n, ty, _, _ in pattern(elab, t, args)]
    owner = line_owner(elab, t)
    extra = [*t.captured, *([("$owner", owner.t)] if owner is not None else [])]
    key = ",".join([*(str(ty) for _, ty in params), *(str(n) for n in sorted(excluded))])
    name = f"{t.decl.word} {t.decl.name}#{t.number}({key})"
    found = elab.model.routines.get(name)
    if found:
        return found
    r = RoutineSym(
        name,
        "rule",
        t.decl.span,
        [*params, *extra, ("$cause", INT), ("$amount", INT)],
        None,
        t.decl.block,
        elab.new_routine_number(),
        cites=t.decl.cites,
        this=t.this,
    )
    r.suspends = elab.suspends_block(t.decl.block)
    r.used = True
    wheres = [c.args[0] for c in t.decl.clauses if c.word == "where" and not isinstance(c.args[0], sx.Key)]
    elab.model.routines[name] = r

    def setup(scope: Scope) -> None:
        c, n = scope.names["$cause"], scope.names["$amount"]
        bind_event_words(elab, scope, Val(n.read, INT), Val(c.read, INT))
        known = while_facts(elab, t).union(*(operators.proved_facts(elab, w)[0] for w in wheres))
        scope.known = frozenset(k for k in known if isinstance(k, sx.Name))
        if owner is not None:
            scope.special["owner"] = scope.names["$owner"]
        if YOU in scope.names:
            scope.you = scope.names[YOU]
        elif owner is not None:
            scope.you = scope.names["$owner"]
        elif t.this:
            scope.you = None
        elif params and actors.is_actor_type(elab, params[0][1]):
            scope.you = scope.names[params[0][0]]

    elab.compile_routine(r, setup, t, excluded)
    return r


def line_owner(elab: Elaboration, t: RuleLine) -> Val | None:
    """The owner of the card that a line stands on; not optional where the line's conditions say so. None for other
    lines."""
    local = owner_local(elab, t.this, Scope(Body(""))) if t.this else None
    if local is None:
        return None
    sure = sx.Name("owner") in while_facts(elab, t) or sx.Attr(sx.Name("this"), "owner") in while_facts(elab, t)
    if sure and isinstance(local.type, MemberType):
        return Val(local.read, MemberType(local.type.domain, local.type.low, local.type.high))
    return Val(local.read, local.type)


def owner_local(elab: Elaboration, this: int, scope: Scope) -> Local | None:
    """The owner of the thing `this` as a local `you`; None where its kind has none."""
    kind = next(k for k in elab.model.kinds.values() if not k.parts and k.low <= this <= k.high)
    if "owner" not in kind.fields and "owner" not in elab.model.values:
        return None
    found = names.find_attribute(elab, Val(ir.Const(this), kind.type), "owner", Span("", 0, 0))
    return Local("you", found.t, found.e) if isinstance(found, Val) and found.t != ERROR else None


def call_line(
    elab: Elaboration, h: Listener, amount: Val, cause: Val, scope: Scope, ctx: EmitContext, when: ir.Expr
) -> None:
    """Run a line's block if `when` holds; an `after` line inside a `together` waits for its end. A line under `until
    end of` runs once for each of its records that react; `instead of` and `once per` only for the oldest."""
    t = h.line
    excluded: frozenset[int] = frozenset()
    if t.decl.word == "instead of":
        again = other_event_test(h.args, ctx) is None
        excluded = (ctx.excluded if again else frozenset()) | {t.number}
    r = line_routine(elab, t, h.args, excluded)
    owner = h.owner or line_owner(elab, t)
    owner_arg = (owner.e,) if owner is not None else ()
    counter = once_counter(elab, t)
    count = ir.Store(ir.Const(counter), INT, ONE, f"counter.trigger.{t.number}.{t.this}") if counter else None

    def given(record: ir.Expr) -> tuple[ir.Expr, ...]:
        copies = (ir.ListItem(captured.e, record) for captured in h.captured)
        return (*(arg.e for _, _, arg, _ in pattern(elab, t, h.args)), *copies, *owner_arg, cause.e, amount.e)

    loops = t.timed >= 0 and not counter and t.decl.word != "instead of"
    if not loops:
        call_block(elab, t, r, given(ONE), when, count, ctx)
    elif not r.suspends:
        record = temp_local(elab.model, scope.child(), "", INT)
        ctx.em.push()
        call_block(elab, t, r, given(record.read), ONE, None, ctx)
        loop = ir.For(record.slot, ir.Domain("range", ONE, h.count), ctx.em.pop())
        ctx.em.emit(ir.IfS(when, (loop,), ()))
    else:
        at = hidden_local(elab.model, scope, INT)
        top, end = ctx.em.label(), ctx.em.label()
        ctx.em.emit(assign(at, ONE))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(conj([when, ir.Compare("<=", at.read, h.count)]), end))
        call_block(elab, t, r, given(at.read), ONE, None, ctx)
        ctx.em.emit(assign(at, ir.Arith("+", at.read, ONE)))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)


def call_block(
    elab: Elaboration,
    t: RuleLine,
    r: RoutineSym,
    given: tuple[ir.Expr, ...],
    when: ir.Expr,
    count: ir.Stmt | None,
    ctx: EmitContext,
) -> None:
    """Emit the call of a block with its arguments, and the statement that counts it; inside `together` an `after`
    line is deferred."""
    stmts: list[ir.Stmt] = [count] if count else []
    if t.decl.word == "after" and elab.suspension.has_together:
        later: tuple[ir.Stmt, ...] = (*stmts, ir.Defer((), r.proc, given, t.decl.span))
        open_ = ir.Cell(ir.Const(pg.TOGETHER), INT)
        ctx.em.emit(ir.IfS(conj([open_, when]), later, ()))
        when = conj([ir.Not(open_), when])
    if not r.suspends:
        ctx.em.emit(ir.IfS(when, (*stmts, ir.CallS(r.proc, given)), ()))
        return
    skip = ctx.em.label()
    if when != ONE:
        ctx.em.instr(ir.Branch(when, skip))
    if count:
        ctx.em.emit(count)
    ctx.em.instr(ir.CallI(r.proc, given))
    ctx.em.place(skip)
