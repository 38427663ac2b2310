"""Folds over an answer that is not known yet: a binding counts certainly, perhaps, or not at all."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from interpreter.backends.low.base.context import Held
from interpreter.backends.low.base.kinds import MembersKind, Number
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.spans.numbers import put
from interpreter.backends.low.spans.spans import Between, NumberSpan, Spans, UnseenSpan
from interpreter.backends.low.values.loops import Pass, each, each_member
from interpreter.backends.low.values.ranges import domain_kind, number_kind, set_kind
from interpreter.backends.low.values.sets import clear, is_member, words_of
from interpreter.backends.low.values.sets import put as put_member

Work = Callable[[Spans, Held, Expr, str], None]
"""The work for a binding that may pass: the spans in it, the member of its last binder, whether it certainly
passes, and the label that ends the fold."""


def bindings(s: Spans, e: ir.Fold, work: Work) -> None:
    """Do `work` for all bindings that may pass, in order."""
    w = s.lo.w

    def level(s: Spans, depth: int, sure: Expr, outer: str) -> None:
        slot, domain = e.binders[depth]

        def one(p: Pass, own: Expr = ONE) -> None:
            leave = outer or p.leave
            with s.also(slot, p.member) as inner:
                given = w.let(both(sure, own))
                if depth + 1 < len(e.binders):
                    level(inner, depth + 1, given, leave)
                elif e.where is None:
                    work(inner, p.member, given, leave)
                else:
                    truth = inner.truth(e.where)
                    w.when(truth.most, lambda: work(inner, p.member, w.let(both(given, truth.least)), leave))

        if domain.kind != "set":
            if not s.is_known((domain.a, domain.b)):
                raise UnseenSpan
            each(s.lo, domain, one)
            return
        kind = domain_kind(s.lo, domain)
        assert isinstance(kind, Number)
        if s.is_known(domain.a) and not s.is_kept(domain.a):
            each(s.lo, domain, one)
            return
        among = s.set(domain.a)

        def member(p: Pass) -> None:
            own: Expr = ONE
            if among.must is not among.may:
                own = w.let(is_member(among.must, Local(p.member.names[0]), kind))
            one(p, own)

        each_member(s.lo, among.may, kind, member)

    level(s, 0, ONE, "")


def _body(s: Spans, e: ir.Fold, member: Held) -> NumberSpan:
    if e.body is not None:
        return s.number(e.body)
    value = Local(member.names[0])
    return NumberSpan(value, value)


# ------------------------------------------------------------ numbers


def number(s: Spans, e: ir.Fold) -> NumberSpan:
    work = {"count": _count, "sum": _sum, "max": _extreme, "min": _extreme, "any": _any, "every": _every}.get(e.kind)
    if work is None:
        raise UnseenSpan
    return work(s, e)


def _from(s: Spans, start: Expr) -> NumberSpan:
    found = NumberSpan(Local(s.lo.w.fresh("least")), Local(s.lo.w.fresh("most")))
    put(s, found, start, start)
    return found


def _count(s: Spans, e: ir.Fold) -> NumberSpan:
    found = _from(s, ZERO)

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        put(s, found, add(found.least, sure), add(found.most, ONE))

    bindings(s, e, one)
    return found


def _sum(s: Spans, e: ir.Fold) -> NumberSpan:
    found, w = _from(s, ZERO), s.lo.w

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        body = _body(inner, e, member)
        least = low.Choice(either(sure, Op("<", body.least, ZERO)), body.least, ZERO)
        most = low.Choice(either(sure, Op(">", body.most, ZERO)), body.most, ZERO)
        put(s, found, add(found.least, w.let(least)), add(found.most, w.let(most)))

    bindings(s, e, one)
    return found


def _any(s: Spans, e: ir.Fold) -> NumberSpan:
    found, w = _from(s, ZERO), s.lo.w

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        body = NumberSpan(ONE, ONE) if e.body is None else inner.truth(e.body)
        put(s, found, both(sure, body.least), either(found.most, body.most))
        w.leave_if(found.least, leave)

    bindings(s, e, one)
    return found


def _every(s: Spans, e: ir.Fold) -> NumberSpan:
    found, w = _from(s, ONE), s.lo.w

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        if e.body is None:
            return
        body = inner.truth(e.body)
        put(s, found, both(found.least, body.least), either(low.Not(sure), body.most))
        w.leave_if(low.Not(found.most), leave)

    bindings(s, e, one)
    return found


def _extreme(s: Spans, e: ir.Fold) -> NumberSpan:
    """The best of the values whose bindings pass. It is at least the best that is certain; if none is certain, the
    worst of all, or what nothing gives."""
    if not isinstance(e.empty, int):
        raise UnseenSpan
    w, better = s.lo.w, ">" if e.kind == "max" else "<"
    some, certain = w.fresh("some"), w.fresh("certain")
    surest, best, worst = w.fresh("surest"), w.fresh("best"), w.fresh("worst")
    for name in (some, certain, surest, best, worst):
        w.set(name, ZERO)

    def take(known: str, name: str, op: str, value: Expr) -> None:
        w.emit(low.If(either(low.Not(Local(known)), Op(op, value, Local(name))), (low.Set(name, value),)))

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        body = _body(inner, e, member)
        least, most = (body.least, body.most) if e.kind == "max" else (body.most, body.least)
        w.when(sure, lambda: take(certain, surest, better, least))
        w.set(certain, either(Local(certain), sure))
        take(some, best, better, most)
        take(some, worst, "<" if e.kind == "max" else ">", least)
        w.set(some, ONE)

    bindings(s, e, one)
    nothing = Num(e.empty)

    def unsure() -> None:
        lesser = Op(better, Local(worst), nothing)
        w.set(surest, low.Choice(either(low.Not(Local(some)), lesser), nothing, Local(worst)))
        greater = Op(better, Local(best), nothing)
        w.set(best, low.Choice(both(Local(some), greater), Local(best), nothing))

    w.when(low.Not(Local(certain)), unsure)
    ends = (Local(surest), Local(best)) if e.kind == "max" else (Local(best), Local(surest))
    return NumberSpan(*ends)


# ------------------------------------------------------------ sets


def members(s: Spans, e: ir.Fold) -> Between:
    if e.kind != "set":
        raise UnseenSpan
    kind = set_kind(s.lo, e)
    must, may = clear(s.lo, s.lo.empty(kind)), clear(s.lo, s.lo.empty(kind))
    own = e.body is None or e.body == ir.Temp(e.binders[-1][0])

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        value: Expr
        if own:
            value, value_kind = Local(member.names[0]), member.kind
        elif e.body is not None and inner.is_known(e.body):
            value, value_kind = inner.known_number(e.body), number_kind(s.lo, e.body)
        else:
            raise UnseenSpan
        if not isinstance(value_kind, Number):
            raise UnseenSpan
        put_member(s.lo, may, value, value_kind, not own)
        s.lo.w.when(sure, lambda: put_member(s.lo, must, value, value_kind, not own))

    bindings(s, e, one)
    assert isinstance(kind, MembersKind)
    return Between(kind, words_of(must), words_of(may))
