"""Numbers and truths over an answer that is not known yet, by the class of the expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from dsl import ir
from interpreter.backends.low.base.context import Bound, Held
from interpreter.backends.low.base.kinds import MembersKind, Number
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, inverted, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Op
from interpreter.backends.low.spans.spans import MOST_DEPTH, NumberSpan, Spans, UnseenSpan
from interpreter.backends.low.values.numbers import same_words
from interpreter.backends.low.values.ranges import number_kind
from interpreter.backends.low.values.sets import count, is_member

T = TypeVar("T")


def _temp(s: Spans, e: ir.Temp | ir.Force) -> NumberSpan:
    most = s.lo.bound[e.slot]
    if not isinstance(most, Held) or not isinstance(most.kind, Number):
        raise UnseenSpan
    return NumberSpan(Local(s.lower[e.slot].names[0]), Local(most.names[0]))


def variables(s: Spans, least: Expr, most: Expr) -> NumberSpan:
    """A span in fresh variables."""
    found = NumberSpan(Local(s.lo.w.fresh("least")), Local(s.lo.w.fresh("most")))
    put(s, found, least, most)
    return found


def put(s: Spans, span: NumberSpan, least: Expr, most: Expr) -> None:
    """Set both ends of a span that is in variables."""
    assert isinstance(span.least, Local) and isinstance(span.most, Local)
    s.lo.w.set(span.least.name, least)
    s.lo.w.set(span.most.name, most)


# ------------------------------------------------------------ truths


def _not(s: Spans, e: ir.Not) -> NumberSpan:
    found = s.truth(e.operand)
    return NumberSpan(low.Not(found.most), low.Not(found.least))


def _and(s: Spans, e: ir.And) -> NumberSpan:
    found = variables(s, ONE, ONE)

    def one(item: ir.Expr) -> None:
        truth = s.truth(item)
        put(s, found, both(truth.least, found.least), truth.most)

    for item in e.items:
        s.lo.w.when(found.most, partial(one, item))
    return found


def _or(s: Spans, e: ir.Or) -> NumberSpan:
    found = variables(s, ZERO, ZERO)

    def one(item: ir.Expr) -> None:
        truth = s.truth(item)
        put(s, found, truth.least, either(truth.most, found.most))

    for item in e.items:
        s.lo.w.when(low.Not(found.least), partial(one, item))
    return found


def _compare(s: Spans, e: ir.Compare) -> NumberSpan:
    kinds = s.lo.kind(e.left), s.lo.kind(e.right)
    if any(isinstance(kind, MembersKind) for kind in kinds):
        return _same_sets(s, e)
    if not all(isinstance(kind, Number) for kind in kinds):
        raise UnseenSpan
    a, b = s.number(e.left), s.number(e.right)
    w = s.lo.w
    match e.op:
        case "<" | "<=":
            return NumberSpan(w.let(Op(e.op, a.most, b.least)), w.let(Op(e.op, a.least, b.most)))
        case ">" | ">=":
            return NumberSpan(w.let(Op(e.op, a.least, b.most)), w.let(Op(e.op, a.most, b.least)))
    same = both(Op("==", a.most, b.least), Op("==", a.least, b.most))
    apart = either(Op("<", a.most, b.least), Op("<", b.most, a.least))
    return _equality(s, e.op, same, apart)


def _equality(s: Spans, op: str, same: Expr, apart: Expr) -> NumberSpan:
    w = s.lo.w
    if op == "==":
        return NumberSpan(w.let(same), w.let(low.Not(apart)))
    return NumberSpan(w.let(apart), w.let(low.Not(same)))


def _same_sets(s: Spans, e: ir.Compare) -> NumberSpan:
    if e.op not in ("==", "!="):
        raise UnseenSpan
    a, b = s.set(e.left), s.set(e.right)
    decided = both(same_words(a.must, a.may), same_words(b.must, b.may))
    apart = either(low.Not(_inside(a.must, b.may)), low.Not(_inside(b.must, a.may)))
    return _equality(s, e.op, both(decided, same_words(a.may, b.may)), apart)


def _inside(x: Mapping[int, Expr], y: Mapping[int, Expr]) -> Expr:
    """A test that all members of one set are in another."""
    found: Expr = ONE
    for n, v in x.items():
        rest = Op("&", v, inverted(y[n])) if n in y else v
        found = both(found, Op("==", rest, ZERO))
    return found


def _in_set(s: Spans, e: ir.InSet) -> NumberSpan:
    if not s.is_known(e.member):
        raise UnseenSpan
    member, kind = s.known_number(e.member), number_kind(s.lo, e.member)
    among = s.set(e.set)
    w = s.lo.w
    return NumberSpan(w.let(is_member(among.must, member, kind)), w.let(is_member(among.may, member, kind)))


def _subset(s: Spans, e: ir.Subset) -> NumberSpan:
    a, b = s.set(e.left), s.set(e.right)
    return NumberSpan(s.lo.w.let(_inside(a.may, b.must)), s.lo.w.let(_inside(a.must, b.may)))


# ------------------------------------------------------------ numbers


def _if(s: Spans, e: ir.If) -> NumberSpan:
    if not isinstance(s.lo.kind(e), Number):
        raise UnseenSpan
    test, w = s.truth(e.test), s.lo.w
    found = variables(s, ZERO, ZERO)

    def first() -> None:
        value = s.number(e.then)
        put(s, found, value.least, value.most)

    def second() -> None:
        value = s.number(e.orelse)
        least = low.Choice(both(test.most, Op("<", found.least, value.least)), found.least, value.least)
        most = low.Choice(both(test.most, Op(">", found.most, value.most)), found.most, value.most)
        put(s, found, least, most)

    if test.known:
        w.when(test.most, first, lambda: put(s, found, *s.number(e.orelse)))
    else:
        w.when(test.most, first)
        w.when(low.Not(test.least), second)
    return found


def _arith(s: Spans, e: ir.Arith) -> NumberSpan:
    if e.op in ("|", "&", "&~"):
        raise UnseenSpan
    a, b = s.number(e.left), s.number(e.right)
    w = s.lo.w
    match e.op:
        case "+":
            return NumberSpan(w.let(add(a.least, b.least)), w.let(add(a.most, b.most)))
        case "-":
            return NumberSpan(w.let(Op("-", a.least, b.most)), w.let(Op("-", a.most, b.least)))
        case "*":
            corners = [w.let(Op("*", x, y)) for x in _ends(a) for y in _ends(b)]
            return NumberSpan(_extreme(s, "<", corners), _extreme(s, ">", corners))
        case "min" | "max":
            op = "<" if e.op == "min" else ">"
            return NumberSpan(_extreme(s, op, [a.least, b.least]), _extreme(s, op, [a.most, b.most]))
        case "half_up":
            return NumberSpan(*(w.let(Op(">>", add(end, 1), ONE)) for end in a))
        case "half_down":
            return NumberSpan(*(w.let(Op(">>", end, ONE)) for end in a))
    raise UnseenSpan


def _ends(span: NumberSpan) -> list[Expr]:
    return [span.least] if span.known else [span.least, span.most]


def _extreme(s: Spans, op: str, values: list[Expr]) -> Expr:
    found = values[0]
    for value in values[1:]:
        found = s.lo.w.let(low.Choice(Op(op, value, found), value, found))
    return found


def _linear(s: Spans, e: ir.Linear) -> NumberSpan:
    least: Expr = ZERO
    most: Expr = ZERO
    for term, stride in e.terms:
        span = s.number(term)
        ends = (span.least, span.most) if stride >= 0 else (span.most, span.least)
        least, most = add(least, scale(ends[0], stride)), add(most, scale(ends[1], stride))
    return NumberSpan(s.lo.w.let(add(least, e.const)), s.lo.w.let(add(most, e.const)))


def size_of_set(s: Spans, e: ir.Size) -> NumberSpan:
    found = s.set(e.operand)
    return NumberSpan(s.lo.w.let(count(found.must)), s.lo.w.let(count(found.may)))


# ------------------------------------------------------------ functions and temps


def within_call(work: Callable[[Spans, ir.Expr], T], s: Spans, e: ir.CallFn) -> T:
    """The result of `work` for the body of a function, whose parameters are bound to the arguments meanwhile."""
    if e.fn in s.lo.facts.recursive_fns or s.depth >= MOST_DEPTH:
        raise UnseenSpan
    bound: dict[int, Bound] = {}
    lower: dict[int, Held] = {}
    fixed = set()
    for slot, arg in enumerate(e.args):
        bound[slot], least, stays = s.held(arg)
        if least is not None:
            lower[slot] = least
        elif stays:
            fixed.add(slot)
    with s.lo.binding(bound):
        return work(
            Spans(s.lo, s.tables, lower, frozenset(fixed), s.depth + 1, s.answer), s.lo.program.functions[e.fn].body
        )


def _call(s: Spans, e: ir.CallFn) -> NumberSpan:
    return s.tables.shared(s, e) or within_call(Spans.number, s, e)


def within_let(work: Callable[[Spans, ir.Expr], T], s: Spans, e: ir.Let | ir.LazyLet) -> T:
    """The result of `work` for the body of a `let`."""
    with s.also(e.slot, *s.held(e.value)) as inner:
        return work(inner, e.body)


NUMBERS: dict[type, Callable[[Spans, Any], NumberSpan]] = {
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.Not: _not,
    ir.And: _and,
    ir.Or: _or,
    ir.If: _if,
    ir.Compare: _compare,
    ir.InSet: _in_set,
    ir.Subset: _subset,
    ir.Arith: _arith,
    ir.Linear: _linear,
    ir.ByPlace: lambda s, e: s.number(e.read),
    ir.CallFn: _call,
    ir.Let: partial(within_let, Spans.number),
    ir.LazyLet: partial(within_let, Spans.number),
}
