"""Folds with and without keys, what a binder ranges over, and the names that binders and `let` give."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    SetType,
    Type,
    bounds,
    default,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import nonempty
from dsl.elaborate.core.build import BAD, ONE, ZERO, conj, member_of_set
from dsl.elaborate.core.scope import Scope, Val, ZoneRef, temp_local
from dsl.elaborate.core.types import element_type, fits, is_int, kept, need, suggestion
from dsl.elaborate.expressions import calls, names, operators, possible, zones
from dsl.symbols.types import type_of
from dsl.syntax import nodes as sx

MOST_NUMBERS = 1_000_000  # of a range that is gone through
TIE_RULE = "tie_rank"  # a value of the ruleset that orders members with equal keys, the lowest first


def binder_domain(elab: Elaboration, node: sx.Expr, scope: Scope) -> tuple[ir.Domain, Type]:
    """What a binder ranges over, and the type of its members."""
    m = elab.model
    if isinstance(node, sx.RangeExpr):
        a, b = (kept(m, elab.number(end, scope), end.span) for end in (node.low, node.high))
        low = a.t.low if isinstance(a.t, IntType) else 0
        high = b.t.high if isinstance(b.t, IntType) else 0
        least = b.t.low - a.t.high + 1 if isinstance(a.t, IntType) and isinstance(b.t, IntType) else 0
        if least > MOST_NUMBERS:
            message = f"`{m.text(node.span)}` has {least} numbers; at most {MOST_NUMBERS} are gone through"
            m.error("RW0722", node.span, message, "work the result out, or range over the things that are meant")
        return ir.Domain("range", a.e, b.e), IntType(low, max(low, high))
    ref = elab.ref(node, scope)
    if isinstance(ref, ZoneRef) and ref.zone.piece is not None:
        piece = ref.zone.piece
        if len(piece.index) - len(ref.index) != 1:
            m.error(
                "RW0430",
                node.span,
                f"`{m.text(node.span)}` counts `{piece.name}`; its members cannot be listed",
                "range over an index with a `where`: `x in Kind where zone[x] > 0`",
            )
            return ir.Domain("set", ZERO), ERROR
        t: Type = piece.index[len(ref.index)]
        assert isinstance(t, MemberType)
        slot = scope.body.temp()
        count = zones.read_zone(elab, ref.of((*ref.index, ir.Temp(slot)), ref.face))
        every = ir.Domain("set", names.all_members(elab, t.domain))
        e = ir.Fold("set", ((slot, every),), ir.Compare(">", count.e, ZERO), (), ir.Temp(slot))
        return ir.Domain("set", e), t
    val = zones.read_zone(elab, ref) if isinstance(ref, ZoneRef) else ref
    if isinstance(val.t, MemberType) and isinstance(ref, ZoneRef):
        return ir.Domain("set", ir.MakeSet((val.e,))), MemberType(val.t.domain, val.t.low, val.t.high)
    elem = element_type(val.t)
    if elem is None:
        if val.t != ERROR:
            m.error(
                "RW0431",
                node.span,
                f"`{m.text(node.span)}` is `{val.t}`; a set, a list, a zone or a range is needed here",
                f"a single thing is written `{{{m.text(node.span)}}}`" if isinstance(val.t, MemberType) else None,
            )
        return ir.Domain("set", ZERO), ERROR
    return ir.Domain("list" if isinstance(val.t, ListType) else "set", val.e), elem


def bind_members(
    elab: Elaboration, binders: tuple[sx.Binder, ...], scope: Scope
) -> tuple[list[tuple[int, ir.Domain]], list[Type]]:
    """Bind the names of binders to temps; each domain may use the names before it. Gives (temp, domain) and the type
    of each."""
    done: list[tuple[int, ir.Domain]] = []
    types: list[Type] = []
    for b in binders:
        d, t = binder_domain(elab, b.domain, scope)
        check_new_name(elab, b.name, b, scope)
        local = temp_local(elab.model, scope, b.name, t, b.span)
        done.append((local.slot, d))
        types.append(t)
    return done, types


def check_new_name(elab: Elaboration, name: str, node: sx.Node, scope: Scope) -> None:
    """Report a new local name that is already a global one or a word of the language."""
    m = elab.model
    what = (
        "a kind"
        if name in m.kinds
        else "a zone"
        if name in m.zones
        else "an option"
        if name in m.options
        else "a word of the language"
        if name in ("this", "you", "owner", "none", "all", "seats")
        else f"a member of `{m.members[name][0][0]}`"
        if name in m.members
        else ""
    )
    if what:
        m.error(
            "RW0204",
            node.span,
            f"the name `{name}` is {what}, so it cannot be used for something else here",
            "choose another name",
        )


def let_value(elab: Elaboration, node: sx.Let, scope: Scope) -> Val:
    """What a new name stands for, with the type that was declared or else that of its value. A message for a name that
    is taken, and for a type that cannot be known."""
    m = elab.model
    check_new_name(elab, node.name, node, scope)
    declared = type_of(m, node.type) if node.type is not None else None
    v = elab.expr(node.value, scope, declared)
    if declared is not None:
        v = need(m, v, declared, node.value.span)
    t: Type = declared or v.t
    if isinstance(t, NoneType):
        wanted = "`none`", f"write `let {node.name}: TYPE or none = none`"
    elif isinstance(t, SetType) and t.elem == ERROR and v.t != ERROR:
        wanted = "`{}`", f"write `let {node.name}: set of TYPE = {{}}`"
    else:
        return Val(v.e, t)
    m.error("RW0606", node.span, f"the type of `{node.name}` cannot be inferred from {wanted[0]}", wanted[1])
    return BAD


def where_clauses(elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope) -> tuple[ir.Expr | None, Scope]:
    """All `where` clauses as one condition, and the scope in which what it proves is known."""
    tests: list[ir.Expr] = []
    for c in clauses:
        if c.word == "where" and not isinstance(c.args[0], sx.Key):
            tests.append(elab.test(c.args[0], scope))
            scope = scope.knowing(operators.proved_facts(elab, c.args[0])[0])
    return (conj(tests) if tests else None), scope


def covers_domain(elab: Elaboration, binder: tuple[int, ir.Domain], t: Type) -> bool:
    """Whether a binder goes through all members of its type."""
    d = binder[1]
    return isinstance(t, MemberType) and d.kind == "set" and d.a == ir.Const(elab.model.domain_mask(t.domain))


def order_keys(elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope) -> tuple[tuple[bool, ir.Expr], ...]:
    """The keys of `with highest/lowest`: for each whether the highest comes first, and its value."""
    return tuple((highest, v.e) for highest, v in typed_keys(elab, clauses, scope))


def typed_keys(elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope) -> list[tuple[bool, Val]]:
    """The keys of `with` clauses with their types; a message for a key that is no number."""
    result: list[tuple[bool, Val]] = []
    for c in clauses:
        if c.word != "with":
            continue
        for k in c.args:
            if isinstance(k, sx.Key):
                v = elab.expr(k.value, scope)
                ranked = (
                    isinstance(v.t, MemberType)
                    and v.t.domain in elab.model.enums
                    and elab.model.enums[v.t.domain].ranked
                )
                if v.t != ERROR and not isinstance(v.t, (IntType, BoolType)) and not ranked:
                    elab.model.error(
                        "RW0432",
                        k.span,
                        f"a key is a number, and `{elab.model.text(k.value.span)}` is `{v.t}`",
                        suggestion(v.t, INT),
                    )
                    v = Val(v.e, ERROR)
                result.append((k.direction == "highest", v))
    return result


def keys_with_tie_rule(
    elab: Elaboration, node: sx.Fold, keys: list[tuple[bool, Val]], member: Val
) -> tuple[tuple[bool, ir.Expr], ...]:
    """The keys of `first` and `ranked`, with the tie rule of the ruleset as the last, if it has one for these
    members. A note where the keys cannot distinguish all members and the order of declaration decides; of those that a
    `where` leaves the keys may distinguish each."""
    m = elab.model
    done = tuple((highest, v.e) for highest, v in keys)
    rule = m.values.get(TIE_RULE)
    if not keys or node.word not in ("first", "ranked") or member.t == ERROR or any(v.t == ERROR for _, v in keys):
        return done
    if rule is not None and len(rule.params) == 1 and fits(m, member.t, rule.params[0][1]):
        return (*done, (False, names.call_value(elab, TIE_RULE, [member], node.span).e))
    grades = 1
    for _, v in keys:
        low, high = bounds(v.t)
        grades *= high - low + 1
    if grades < calls.member_count(elab, member.t) and not any(c.word == "where" for c in node.clauses):
        m.note(
            "RW1209",
            node.span,
            f"these keys distinguish only {grades} of {calls.member_count(elab, member.t)} members, so there will be "
            "ties; the order of declaration decides them",
            f"add a last key, or declare the tie rule: `value {TIE_RULE}(x: {member.t}): int = ...`",
        )
    return done


def fold(elab: Elaboration, node: sx.Fold, scope: Scope, want: Type | None, has_default: bool = False) -> Val:
    """A word over binders: `sum`, `any`, `first`, `set` and the others, with `possible`. `has_default`:
    what the `max` or `min` of nothing is stands behind it."""
    m = elab.model
    word = node.word
    if word == "possible":
        return possible.possible(elab, node, scope)
    inner = scope.child()
    binders, types = bind_members(elab, node.binders, inner)
    where, inner = where_clauses(elab, node.clauses, inner)
    keys = typed_keys(elab, node.clauses, inner)
    if word in ("sum", "max", "min", "table") and node.body is None:
        m.error(
            "RW0434",
            node.span,
            f"`{word}` needs an expression after a colon",
            f"write `{word}(x in S: EXPRESSION)`",
        )
        return BAD
    if word in ("any", "every") and node.body is not None:
        test = elab.test(node.body, inner)
        if word == "any":
            where = conj([*([where] if where else []), test])
        return Val(ir.Fold(word, tuple(binders), where, (), test if word == "every" else None), BOOL)
    if word in ("any", "count"):
        if node.body is not None:
            m.error("RW0435", node.span, f"`{word}` takes a condition, not a value", "write it after `where`")
        return Val(ir.Fold(word, tuple(binders), where, (), None), BOOL if word == "any" else IntType(0, 999_999))
    if word == "every":
        # every(x in S where P): all of S satisfy P
        test_e = where if where is not None else ONE
        return Val(ir.Fold("every", tuple(binders), None, (), test_e), BOOL)
    body = elab.expr(node.body, inner, element_type(want) if want else None) if node.body is not None else None
    elem = types[-1]
    if isinstance(elem, MemberType):
        elem = MemberType(elem.domain, elem.low, elem.high)
    if any(t == ERROR for t in types) or (body is not None and body.t == ERROR):
        return BAD if word not in ("set",) else Val(ZERO, SetType(ERROR))
    if word in ("sum", "max", "min"):
        assert body is not None
        if not is_int(body.t):
            m.error(
                "RW0436",
                node.body.span if node.body else node.span,
                f"`{word}` works on numbers, and this is `{body.t}`",
            )
            return BAD
        assert isinstance(body.t, IntType)
        low, high = body.t.low, body.t.high
        empty = 0 if word == "sum" or nonempty.is_unbounded(body.t) else low if word == "max" else high
        if word != "sum" and not has_default:
            if nonempty.is_unbounded(body.t):
                warn_may_be_empty(elab, "RW1207", node, binders, scope)
            elif where is not None and empty != 0:
                warn_bound_is_real(elab, node, empty)
        t: Type = body.t if word != "sum" else IntType(min(0, low * 9999), min(INT.high, max(0, high * 9999)))
        if isinstance(t, IntType):
            t = IntType(max(INT.low, t.low), t.high)
        return Val(ir.Fold(word, tuple(binders), where, (), body.e, empty), t)
    if word == "table":
        assert body is not None
        key_types = tuple(types)
        for b, k in zip(node.binders, key_types, strict=True):
            if not isinstance(k, (MemberType, IntType, BoolType)) or k == INT:
                way = "keys are members of an enum or kind, or numbers with bounds"
                m.error("RW0218", b.span, f"`{k}` cannot be a key", way)
                return BAD
        spans = tuple(bounds(k) for k in key_types)
        return Val(
            ir.Fold("table", tuple(binders), where, (), body.e, default(body.t), False, spans),
            MapType(
                key_types,
                body.t
                if where is None and all(covers_domain(elab, b, t) for b, t in zip(binders, types, strict=True))
                else with_none(body.t),
            ),
        )
    if word in ("set", "list"):
        got = body.t if body is not None else elem
        e = body.e if body is not None else ir.Temp(binders[-1][0])
        if word == "set":
            if not isinstance(got, (MemberType, IntType)):
                m.error("RW0216", node.span, f"a set of `{got}` does not exist")
                return BAD
            return Val(ir.Fold("set", tuple(binders), where, (), e), SetType(member_of_set(got)))
        if isinstance(got, MemberType):
            got = MemberType(got.domain, got.low, got.high)
        return Val(ir.Fold("list", tuple(binders), where, (), e), ListType(got, length_bound(elab, got, types)))
    if node.body is not None:
        m.error("RW0435", node.span, f"`{word}` gives a member, not a value", "remove what follows the colon")
    ordered = keys_with_tie_rule(elab, node, keys, Val(ir.Temp(binders[-1][0]), elem))
    sure = word == "first" and not (isinstance(want, MemberType) and want.optional)
    e = ir.Fold(word, tuple(binders), where, ordered, ir.Temp(binders[-1][0]), 0, sure, (), node.span)
    if word == "first":
        if sure:
            warn_may_be_empty(elab, "RW1206", node, binders, scope)
        return Val(e, elem)
    if word == "only":
        return Val(e, MemberType(elem.domain, elem.low, elem.high, True) if isinstance(elem, MemberType) else elem)
    if word == "tied":
        return Val(e, SetType(member_of_set(elem)))
    if word == "ranked":
        return Val(e, ListType(elem, length_bound(elab, elem, types)))
    return Val(e, ListType(SetType(member_of_set(elem)), length_bound(elab, elem, types)))


def warn_may_be_empty(
    elab: Elaboration, code: str, node: sx.Fold, binders: list[tuple[int, ir.Domain]], scope: Scope
) -> None:
    """Warn where nothing shows that there is a member to fold over. That a `where` leaves one is up to the author."""
    m = elab.model
    for b, (_, d) in zip(node.binders, binders, strict=True):
        if nonempty.is_nonempty(b.domain, d, scope.known, m.tables_data) or gives_reach(elab, b.domain):
            continue
        what = m.text(b.domain.span)
        if code == "RW1206":
            message = f"`{what}` may be empty, and then there is no first: the game would end in an error here"
            help = f"test it first (`if {what} is not {{}}`), or accept `none` as the answer: `let x: T or none = ...`"
        else:
            message = f"`{what}` may be empty; the `{node.word}` of an empty set is not defined here, so 0 is used"
            help = f"state it: `{node.word}(...) or 0`"
        m.warn(code, node.span, message, help)
        return


def gives_reach(elab: Elaboration, node: sx.Expr) -> bool:
    """Whether a set is a value that no line modifies and that is a plain `reach`: its start belongs to it."""
    name = node.func if isinstance(node, sx.Call) else node
    value = elab.model.values.get(name.id) if isinstance(name, sx.Name) else None
    body = value.decl.value if value is not None and not value.lines else None
    return isinstance(body, sx.Fold) and body.word == "reach" and isinstance(body.binders[0].domain, sx.SetLit)


def warn_bound_is_real(elab: Elaboration, node: sx.Fold, bound: int) -> None:
    """Warn where a `where` may leave no member, and what stands for nothing is as good as a member's own number."""
    elab.model.warn(
        "RW1207", node.span, f"if no member passes, this `{node.word}` is {bound}, as if one with {bound} had passed",
        f"state what it is then: `{node.word}(...) or 0`",
    )  # fmt: skip


def length_bound(elab: Elaboration, elem: Type, types: list[Type]) -> int:
    """How long a list over these binders can become."""
    n = 1
    for t in types:
        n *= max(1, calls.member_count(elab, t))
    return min(n, 4000) if elem == types[-1] or len(types) > 1 else n


def with_none(t: Type) -> Type:
    """The type of the items of a table: those of keys that no member has are 0, or none."""
    if isinstance(t, IntType):
        return IntType(min(t.low, 0), max(t.high, 0))
    return MemberType(t.domain, t.low, t.high, True) if isinstance(t, MemberType) else t
