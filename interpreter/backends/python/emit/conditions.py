"""Expressions of which only the truth counts, and truths as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds, width
from interpreter.backends.python.emit.addresses import added, linear
from interpreter.backends.python.emit.calls import atom, call_function
from interpreter.backends.python.emit.folds.values import fold_test, has_members, in_choice
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import ANY_OF, range_of, simple_test


def test(fn: Fn, e: ir.Expr) -> str:
    """A condition where only its truth counts."""
    e = simple_test(fn, e)
    match e:
        case ir.And(items):
            return joined(fn, items, " and ", "True")
        case ir.Or(items):
            return joined(fn, items, " or ", "False")
        case ir.Not(operand):
            return f"(not {fn.test(operand)})"
        case ir.Compare(op, ir.Size("set", inner), ir.Const(int() as n)) if (op, n) in ANY_OF:
            return fn.test(ir.Compare("!=" if ANY_OF[op, n] else "==", inner, ir.Const(0)))
        case ir.Compare("==" | "!=" as op, left, ir.Const(0)) if found := has_members(fn, left):
            return f"(not {found})" if op == "==" else found
        case ir.Compare(op, left, right):
            return f"({fn(left)} {op} {fn(right)})"
        case ir.CallFn():
            return call_function(fn, e, fn.test)
        case ir.Fold(kind="any" | "every"):
            return fold_test(fn, e)
        case ir.InSet():
            return member_test(fn, e)
        case ir.If(test, then, orelse) if truths(then) and truths(orelse):
            text = fn.test(test)
            with fn.lazily():
                return f"({fn.test(then)} if {text} else {fn.test(orelse)})"
    return fn(e)


def joined(fn: Fn, items: Sequence[ir.Expr], word: str, none: str) -> str:
    if not items:
        return none
    first = fn.test(items[0])
    with fn.lazily():
        return "(" + word.join([first, *(fn.test(i) for i in items[1:])]) + ")"


def member_test(fn: Fn, e: ir.InSet) -> str:
    """Membership as a condition: a test of the members where the set is a choice of them."""
    return in_choice(fn, e) or in_set(fn, e)


def truth(fn: Fn, e: ir.And | ir.Or | ir.Compare) -> str:
    return f"(1 if {fn.test(e)} else 0)"


def not_(fn: Fn, e: ir.Not) -> str:
    return f"(0 if {fn.test(e.operand)} else 1)"


def in_set(fn: Fn, e: ir.InSet) -> str:
    return in_word(fn, e) or in_mask(fn, e)


def in_word(fn: Fn, e: ir.InSet) -> str | None:
    """Membership in a set of several words, by the word that the member lies in."""
    match e.set:
        case ir.Cell(address, SetType(elem) as t) if width(t) > 1:
            (low, high), (a, b) = bounds(elem), range_of(fn, e.member)
            const, text = linear(fn, address)
            member = fn(e.member)
            if not low <= a <= b <= high or not atom(member):
                return None
            if member.isdigit():
                word, bit = divmod(int(member) - low, WORD_BITS)
                return f"(S[{added(const + word, text)}] >> {bit} & 1)"
            place = added(-low, member)
            place = f"({place})" if low else place
            return f"(S[{added(const, text)} + {place} // {WORD_BITS}] >> {place} % {WORD_BITS} & 1)"
    return None


def in_mask(fn: Fn, e: ir.InSet) -> str:
    member, mask = fn(e.member), fn(e.set)
    if range_of(fn, e.member)[0] >= 0:
        return f"({mask} >> {member} & 1)"
    if atom(member):
        return f"({mask} >> {member} & 1 if {member} >= 0 else 0)"
    return f"has({mask}, {member})"


def truths(e: ir.Expr) -> bool:
    """Whether an expression is a condition."""
    if isinstance(e, ir.Const):
        return e.value in (0, 1)
    return isinstance(e, ir.Not | ir.And | ir.Or | ir.Compare | ir.InSet | ir.If)
