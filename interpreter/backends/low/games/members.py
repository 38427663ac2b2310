"""The members of a domain that pass tests, as words of a set: without a loop where the domain is a small constant.

There the test of each member becomes its bit, so that nothing depends on what a processor guesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from interpreter.backends.analysis.substitute import replace_node
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.games.plain import Plain
from interpreter.backends.low.values.loops import Pass, is_contiguous
from interpreter.backends.low.values.narrowing import flattened, narrowed, when_all
from interpreter.backends.low.values.ranges import domain_kind
from interpreter.backends.low.values.sets import clear, put, words_of

MOST_PARTS = 2  # words of a set of answers


def filtered(slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]) -> tuple[ir.Domain, tuple[ir.Expr, ...]]:
    """A domain and its tests, where one that is a set of members that pass a test is that test besides."""
    found = flattened(tests)
    while domain.kind == "set":
        match domain.a:
            case ir.Fold("set", ((inner, of),), where, (), body) if body in (None, ir.Temp(inner)) and of.kind == "set":
                passed = () if where is None else (replace_node(where, ir.Temp(inner), ir.Temp(slot)),)
                domain, found = of, (*flattened(passed), *found)
            case _:
                break
    return domain, found


def members_that_pass(lo: Lowering, plain: Plain, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]) -> Words:
    """The members of a domain of a set that pass tests. Raises Unsupported for what is no small set."""
    if domain.kind == "list":
        raise Unsupported("answers from a list")
    domain, left = filtered(slot, domain, tests)
    kind = domain_kind(lo, domain)
    if not isinstance(kind, Number) or kind.low < 0 or kind.high >> 6 >= MOST_PARTS:
        raise Unsupported("answers that are no small set")
    if not left and domain.kind == "set":
        return {w: lo.w.let(e) for w, e in lo.members(domain.a).items()}
    if isinstance(domain.a, ir.Const) and domain.kind == "set":
        found = _by_bits(lo, plain, slot, domain.a.value, left)
        if found is not None:
            return found
    held = clear(lo, lo.empty(MembersKind(kind.low, kind.high)))
    walk = narrowed(lo, slot, domain, left)

    def one(p: Pass) -> None:
        member = p.member.kind
        assert isinstance(member, Number)
        with lo.also({slot: p.member}):
            when_all(lo, walk.tests, lambda: put(lo, held, Local(p.member.names[0]), member, False))

    walk.go(one)
    return words_of(held)


def _by_bits(lo: Lowering, plain: Plain, slot: int, mask: int, tests: Sequence[ir.Expr]) -> Words | None:
    """The members of a constant set that pass plain tests; None: a test is not plain. Few are tested one by one, more
    of them in a loop for each word."""
    test = ir.And(tuple(tests))
    found: Words = {}
    for w in range(mask.bit_length() + 63 >> 6):
        part = mask >> 64 * w << 64 * w & (1 << 64 * w + 64) - 1
        if part:
            bits = _few(lo, plain, slot, part, test) or _many(lo, plain, slot, part, test)
            if bits is None:
                return None
            found[w] = bits
    return found


def _few(lo: Lowering, plain: Plain, slot: int, mask: int, test: ir.Expr) -> Expr | None:
    bits = plain.bits(lo, ir.Fold("set", ((slot, ir.Domain("set", ir.Const(mask))),), test, (), None))
    return None if bits is None else lo.w.let(bits)


def _many(lo: Lowering, plain: Plain, slot: int, mask: int, test: ir.Expr) -> Expr | None:
    """The bits of those of a word, if they follow each other."""
    if not is_contiguous(mask):
        return None
    first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
    name, bits, w = lo.w.fresh("v"), lo.w.fresh("bits"), lo.w
    with lo.also({slot: Held(Number(first, last), (name,))}), w.inside() as body:
        holds = plain.truth(lo, test)
        if holds is not None:
            w.set(bits, Op("|", Local(bits), Op("<<", holds, Local(name))))
    if holds is None:
        return None
    lo.passes(Num(last - first + 1))
    w.set(bits, ZERO)
    w.set(name, Num(first))

    def one(label: str) -> None:
        w.leave_if(Op(">", Local(name), Num(last)), label)
        w.out += body
        w.set(name, add(Local(name), 1))

    w.loop(one)
    return Local(bits)
