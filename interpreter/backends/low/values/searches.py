"""Questions about what `reach` gives: the walk stops where the answer is certain."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.ir.searches import PASSED, All, Many, Question, Same, Walked, met, question
from interpreter.backends.low.base.context import Held, Lowering, NumberMaker, Words
from interpreter.backends.low.base.kinds import Number
from interpreter.backends.low.base.make import ONE, ZERO, add, inverted
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.loops import Pass, Work, each
from interpreter.backends.low.values.numbers import compared
from interpreter.backends.low.values.ranges import node_kind, set_kind
from interpreter.backends.low.values.reach import walk
from interpreter.backends.low.values.sets import ALL, count, is_member, some, words_of


def each_met(lo: Lowering, d: ir.Domain, work: Work) -> None:
    """Do `work` for every member of a domain, for a fold whose answer does not hang on their order: those of a walk as
    it meets them, so that it may stop."""
    found = met(d.a) if d.kind == "set" else None
    if found is None:
        each(lo, d, work)
        return
    kind, name = node_kind(lo, found.reach), lo.w.fresh("met")
    member = Held(Number(kind.low, max(kind.low, kind.high)), (name,))

    def one(y: Expr, leave: str) -> None:
        lo.passes(ONE)
        lo.w.set(name, y)

        def inner(skip: str) -> None:
            with lo.cut_back():
                work(Pass(member, leave, skip))

        lo.w.block(inner)

    _walk(lo, found, one)


def _walk(lo: Lowering, found: Walked, work: Callable[[Expr, str], None]) -> None:
    """Do `work` for what a walk meets of that which is asked for, with the label that ends the walk; where nothing is
    asked for, there is none."""
    kind = node_kind(lo, found.reach)
    wanted: Words | None = None
    for e in found.inside:
        words, before = lo.members(e), wanted
        wanted = words if before is None else {w: Op("&", before[w], words[w]) for w in words if w in before}
    for e in found.outside:
        words, before = lo.members(e), dict.fromkeys(kind.words, ALL) if wanted is None else wanted
        wanted = {w: Op("&", part, inverted(words[w])) if w in words else part for w, part in before.items()}
    held = None if wanted is None else {w: lo.w.let(part, "wanted") for w, part in wanted.items() if w in kind.words}

    def block(leave: str) -> None:
        def one(y: Expr) -> None:
            if held is None:
                work(y, leave)
            else:
                lo.w.when(is_member(held, y, Number(kind.low, kind.high)), lambda: work(y, leave))

        walk(lo, found.reach, one)

    if held is None:
        _block(lo, block)
    elif held:
        lo.w.when(Op("!=", some(held), ZERO), lambda: _block(lo, block))


def _block(lo: Lowering, work: Callable[[str], None]) -> None:
    with lo.cut_back():
        lo.w.block(work)


def _answer(lo: Lowering, q: Question) -> Expr:
    w = lo.w
    if isinstance(q, Many):
        wanted, size = w.let(lo.number(q.wanted)), w.fresh("size")
        enough = w.let(add(wanted, int(q.op in PASSED)))
        w.set(size, ZERO)

        def more(y: Expr, leave: str) -> None:
            w.set(size, add(Local(size), 1))
            w.leave_if(Op(">=", Local(size), enough), leave)

        w.when(compared(">", enough, ZERO), lambda: _walk(lo, q.met, more))
        return compared(q.op, Local(size), wanted)
    found = w.fresh("answer")
    if isinstance(q, All | Same):
        kind = set_kind(lo, q.wanted)
        left = lo.hold_words(kind, lo.members(q.wanted))
        names = dict(zip(kind.words, left.names, strict=True))
        wanted_words: Words = {n: w.let(part) for n, part in words_of(left).items()}
    if isinstance(q, All):

        def cross(y: Expr, leave: str) -> None:
            _take_out(lo, names, y)
            w.leave_if(Op("==", some(words_of(left)), ZERO), leave)

        w.when(Op("!=", some(wanted_words), ZERO), lambda: _walk(lo, q.met, cross))
        return Op("==", some(words_of(left)), ZERO)
    if isinstance(q, Same):
        size = w.fresh("size")
        w.set(size, ZERO)
        w.set(found, ONE)
        nodes = node_kind(lo, q.met.reach)

        def compare(y: Expr, leave: str) -> None:
            inside = is_member(wanted_words, y, Number(nodes.low, nodes.high))
            w.emit(low.If(low.Not(inside), (low.Set(found, ZERO), low.Leave(leave))))
            w.set(size, add(Local(size), 1))

        _walk(lo, q.met, compare)
        same = low.Both(Local(found), Op("==", Local(size), count(wanted_words)))
        return low.Not(same) if q.differs else same
    w.set(found, ZERO)

    def meet(y: Expr, leave: str) -> None:
        w.set(found, ONE)
        w.leave(leave)

    _walk(lo, q.met, meet)
    return low.Not(Local(found)) if q.none else Local(found)


def _take_out(lo: Lowering, names: dict[int, str], y: Expr) -> None:
    for n, name in names.items():
        bit: Expr = Op("<<", ONE, y)
        if len(names) > 1 or n:
            bit = low.Choice(Op("==", Op(">>", y, Num(6)), Num(n)), bit, ZERO)
        lo.w.set(name, Op("&", Local(name), inverted(bit)))


def asking(plain: dict[type, NumberMaker]) -> dict[type, NumberMaker]:
    """The makers of tests, questions about walks included; `plain` makes the others."""

    def asked(own: NumberMaker) -> NumberMaker:
        def test(lo: Lowering, e: ir.Expr) -> Expr:
            found = question(e)
            return own(lo, e) if found is None else _answer(lo, found)

        return test

    return {**plain, **{t: asked(plain[t]) for t in (ir.InSet, ir.Subset, ir.Compare)}}
