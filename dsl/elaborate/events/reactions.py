"""Rule lines that react (docs/manual/13-triggers.md): what a `before`, `instead of` or `after` line matches; its block
as a procedure.

It takes a line and the arguments of an event and gives the test whether the line reacts and the call of its block;
`dsl.elaborate.events.events` decides when that happens.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT, IntType, MemberType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, OPEN, ZERO, conj, kind_test
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, assign, hidden_local, temp_local
from dsl.elaborate.core.types import overlap
from dsl.elaborate.events import force, noted, orderers
from dsl.elaborate.events.order import ReactingLine
from dsl.elaborate.expressions import actors, operators
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import words_with

ACCOUNTS = words_with("accounts")
CHANGES = words_with("changes")
SPENT = "$spent"  # the `instead of` lines from whose blocks an event comes
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


def other_event_test(elab: Elaboration, args: list[Val], ctx: EmitContext) -> ir.Expr | None:
    """Inside the block of an `instead of` line: the test whether an event with these arguments differs from the
    line's own. None: it is certainly the same, issued again, or about something that cannot be compared with it."""
    own = ctx.first_argument
    if own is None or not args or args[0].e == own.e or not are_alike(elab, args[0].t, own.t):
        return None
    return ir.Compare("!=", args[0].e, own.e)


def are_alike(elab: Elaboration, one: Type, other: Type) -> bool:
    """Whether values of both types are the same if their numbers are: things, or members of one enum."""
    if not isinstance(one, MemberType) or not isinstance(other, MemberType):
        return isinstance(one, MemberType) == isinstance(other, MemberType)
    return one.domain == other.domain or one.domain in elab.model.kinds and other.domain in elab.model.kinds


def replacing_number(elab: Elaboration, t: RuleLine) -> int:
    """The number of an `instead of` line among all of them, from 1; 0 for other lines."""
    if t.decl.word != "instead of":
        return 0
    return [line.number for line in elab.model.triggers if line.decl.word == "instead of"].index(t.number) + 1


def spent_type(elab: Elaboration) -> SetType:
    """A set of `instead of` lines."""
    return SetType(IntType(1, sum(1 for line in elab.model.triggers if line.decl.word == "instead of")))


def fresh_test(elab: Elaboration, t: RuleLine, args: list[Val], ctx: EmitContext) -> ir.Expr:
    """The test that an event does not come from the block of line `t` itself, which does not apply to it again."""
    number = replacing_number(elab, t) if ctx.spent is not None else 0
    if ctx.spent is None or not number:
        return ONE
    other = other_event_test(elab, args, ctx)
    if number == ctx.spent.line:
        return ZERO if other is None else other
    unspent = ir.Not(ir.InSet(ir.Const(number), ctx.spent.lines))
    return unspent if other is None else ir.Or((unspent, other))


def listens_test(
    elab: Elaboration, t: RuleLine, args: list[Val], amount: Val, cause: Val, scope: Scope, ctx: EmitContext
) -> ir.Expr:
    """The test whether line `t` reacts to an event with these arguments."""
    return conj([fresh_test(elab, t, args, ctx), match_test(elab, t, args, amount, cause, scope)])


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
    return wanted is not None and isinstance(have, MemberType) and overlap(have, wanted.type)


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


def match_test(elab: Elaboration, t: RuleLine, args: list[Val], amount: Val, cause: Val, outer: Scope) -> ir.Expr:
    """The test whether line `t` is active and its `where` holds for these arguments."""
    scope = force.line_scope(t, outer.body)
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
    noted.bind_owner(elab, t, scope)
    tests += noted.in_force(elab, t, scope)
    scope = scope.knowing(force.while_facts(elab, t))
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


def once_counter(elab: Elaboration, t: RuleLine) -> int:
    """Address of the counter of `once per F`; 0 without one."""
    if clause(t.decl, "once per") is None:
        return 0
    return elab.layout.counter(f"trigger.{t.number}.{t.this}")


def line_routine(elab: Elaboration, t: RuleLine, args: list[Val]) -> RoutineSym:
    """The block of a line as a procedure; its parameters are the pattern's names, then cause and amount, and for an
    `instead of` line what is spent of such lines."""
    params: list[tuple[str, Type]] = [(n, ty) for n, ty, _, _ in pattern(elab, t, args)]
    owner = force.line_owner(elab, t)
    extra = [*t.captured, *([("$owner", owner.t)] if owner is not None else [])]
    last: list[tuple[str, Type]] = [("$cause", INT), ("$amount", INT)]
    if t.decl.word == "instead of":
        last.append((SPENT, spent_type(elab)))
    name = f"{t.decl.word} {t.decl.name}#{t.number}({','.join(str(ty) for _, ty in params)})"
    found = elab.model.routines.get(name)
    if found:
        return found
    r = RoutineSym(
        name,
        "rule",
        t.decl.span,
        [*params, *extra, *last],
        None,
        t.decl.block,
        elab.new_routine_number(),
        cites=t.decl.cites,
        this=t.this,
        of="" if t.address == f"{t.decl.word} {t.decl.name}" else t.address,
    )
    r.suspends = elab.suspends_block(t.decl.block)
    r.used = True
    wheres = [c.args[0] for c in t.decl.clauses if c.word == "where" and not isinstance(c.args[0], sx.Key)]
    elab.model.routines[name] = r

    def setup(scope: Scope) -> None:
        c, n = scope.names["$cause"], scope.names["$amount"]
        bind_event_words(elab, scope, Val(n.read, INT), Val(c.read, INT))
        known = force.while_facts(elab, t).union(*(operators.proved_facts(elab, w)[0] for w in wheres))
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

    elab.compile_routine(r, setup, t)
    return r


def call_line(
    elab: Elaboration, h: ReactingLine, amount: Val, cause: Val, scope: Scope, ctx: EmitContext, when: ir.Expr
) -> None:
    """Run a line's block if `when` holds; an `after` line inside a `together` waits for its end. A line under `until
    end of` runs once for each of its records that react; `instead of` and `once per` only for the oldest."""
    t = h.line
    r = line_routine(elab, t, h.args)
    owner = h.owner or noted.owner_as_it_began(elab, t)
    owner_arg = (owner.e,) if owner is not None else ()
    counter = once_counter(elab, t)
    count = ir.Store(ir.Const(counter), INT, ONE, f"counter.trigger.{t.number}.{t.this}") if counter else None

    def given(record: ir.Expr) -> tuple[ir.Expr, ...]:
        copies = (ir.ListItem(captured.e, record) for captured in h.captured)
        spent = (spent_with(elab, t, ctx),) if t.decl.word == "instead of" else ()
        return (*(arg.e for _, _, arg, _ in pattern(elab, t, h.args)), *copies, *owner_arg, cause.e, amount.e, *spent)

    waits = orderers.tags(elab, t, owner, scope) if waits_for_end(elab, t) else None
    loops = t.timed >= 0 and not counter and t.decl.word != "instead of"
    if not loops:
        call_block(elab, t, r, given(ONE), when, count, ctx, waits)
    elif not r.suspends:
        record = temp_local(elab.model, scope.child(), "", INT)
        ctx.em.push()
        call_block(elab, t, r, given(record.read), ONE, None, ctx, waits)
        loop = ir.For(record.slot, ir.Domain("range", ONE, h.count), ctx.em.pop())
        ctx.em.emit(ir.IfS(when, (loop,), ()))
    else:
        at = hidden_local(elab.model, scope, INT)
        top, end = ctx.em.label(), ctx.em.label()
        ctx.em.emit(assign(at, ONE))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(conj([when, ir.Compare("<=", at.read, h.count)]), end))
        call_block(elab, t, r, given(at.read), ONE, None, ctx, waits)
        ctx.em.emit(assign(at, ir.Arith("+", at.read, ONE)))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)


def spent_with(elab: Elaboration, t: RuleLine, ctx: EmitContext) -> ir.Expr:
    """The lines that are spent in the block of an `instead of` line: itself, and those that were where its event was
    issued."""
    own = ir.Const(1 << replacing_number(elab, t))
    return ir.Arith("|", ctx.spent.lines, own) if ctx.spent is not None else own


def waits_for_end(elab: Elaboration, t: RuleLine) -> bool:
    """Whether the block of a line may have to wait for the end of a `together`."""
    return t.decl.word == "after" and elab.suspension.has_together


def call_block(
    elab: Elaboration,
    t: RuleLine,
    r: RoutineSym,
    given: tuple[ir.Expr, ...],
    when: ir.Expr,
    count: ir.Stmt | None,
    ctx: EmitContext,
    waits: tuple[ir.Expr, ...] | None,
) -> None:
    """Emit the call of a block with its arguments, and the statement that counts it; inside `together` an `after`
    line is deferred, and `waits` is its order; None: it does not wait."""
    stmts: list[ir.Stmt] = [count] if count else []
    if waits is not None:
        later: tuple[ir.Stmt, ...] = (*stmts, ir.Defer((), r.proc, given, t.decl.span, waits))
        ctx.em.emit(ir.IfS(conj([OPEN, when]), later, ()))
        when = conj([ir.Not(OPEN), when])
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
