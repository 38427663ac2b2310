"""Sets over an answer that is not known yet, by the class of the expression."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dsl import ir
from interpreter.backends.low.base.context import Held, Words
from interpreter.backends.low.base.kinds import MembersKind
from interpreter.backends.low.base.make import ZERO, inverted, union
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Op
from interpreter.backends.low.spans.numbers import within_call, within_let
from interpreter.backends.low.spans.spans import Between, Spans, UnseenSpan
from interpreter.backends.low.values.ranges import set_kind
from interpreter.backends.low.values.sets import words_of


def _temp(s: Spans, e: ir.Temp | ir.Force) -> Between:
    most = s.lo.bound[e.slot]
    if not isinstance(most, Held) or not isinstance(most.kind, MembersKind):
        raise UnseenSpan
    return Between(most.kind, words_of(s.lower[e.slot]), words_of(most))


def _held(s: Spans, kind: MembersKind, must: Words, may: Words) -> Between:
    """A set whose words are in variables."""
    return Between(kind, *(words_of(s.lo.hold_words(kind, words)) for words in (must, may)))


def _arith(s: Spans, e: ir.Arith) -> Between:
    a, b = s.set(e.left), s.set(e.right)
    kind = set_kind(s.lo, e)
    match e.op:
        case "|":
            return _held(s, kind, _joined(a.must, b.must), _joined(a.may, b.may))
        case "&":
            return _held(s, kind, _common(a.must, b.must), _common(a.may, b.may))
        case "&~":
            return _held(s, kind, _without(a.must, b.may), _without(a.may, b.must))
    raise UnseenSpan


def _joined(x: Words, y: Words) -> Words:
    return {n: union(x.get(n), y.get(n, ZERO)) for n in sorted({*x, *y})}


def _common(x: Words, y: Words) -> Words:
    return {n: Op("&", x[n], y[n]) for n in sorted(x.keys() & y.keys())}


def _without(x: Words, y: Words) -> Words:
    return {n: Op("&", v, inverted(y[n])) if n in y else v for n, v in x.items()}


def _if(s: Spans, e: ir.If) -> Between:
    """The members of one or the other; those of both, if the test is not decided."""
    kind, test, w = set_kind(s.lo, e), s.truth(e.test), s.lo.w
    must, may = s.lo.empty(kind), s.lo.empty(kind)

    def put(words: Words, names: tuple[str, ...]) -> None:
        for n, name in zip(kind.words, names, strict=True):
            w.set(name, words.get(n, ZERO))

    def first() -> None:
        found = s.set(e.then)
        put(found.must, must.names)
        put(found.may, may.names)

    def second() -> None:
        found = s.set(e.orelse)

        def join() -> None:
            put(_common(words_of(must), found.must), must.names)
            put(_joined(words_of(may), found.may), may.names)

        def replace() -> None:
            put(found.must, must.names)
            put(found.may, may.names)

        w.when(test.most, join, replace)

    w.when(test.most, first)
    w.when(low.Not(test.least), second)
    return Between(kind, words_of(must), words_of(may))


SETS: dict[type, Callable[[Spans, Any], Between]] = {
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.Arith: _arith,
    ir.If: _if,
    ir.ByPlace: lambda s, e: s.set(e.read),
    ir.CallFn: partial(within_call, Spans.set),
    ir.Let: partial(within_let, Spans.set),
    ir.LazyLet: partial(within_let, Spans.set),
}
