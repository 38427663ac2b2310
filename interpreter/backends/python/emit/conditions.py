"""Conditions: expressions of which only the truth counts, and truth values as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds, width
from interpreter.backends.python.emit.addresses import address_parts
from interpreter.backends.python.emit.calls import call_function, is_atom
from interpreter.backends.python.emit.folds.values import fold_test, in_filter, non_empty_test
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import NON_EMPTY, range_of, simplify_test
from interpreter.backends.python.emit.source import sum_text


def test(fn: Fn, e: ir.Expr) -> str:
    """The text of an expression of which only the truth counts."""
    e = simplify_test(fn, e)
    match e:
        case ir.And(items):
            return join_tests(fn, items, " and ", "True")
        case ir.Or(items):
            return join_tests(fn, items, " or ", "False")
        case ir.Not(operand):
            return f"(not {fn.test(operand)})"
        case ir.Compare(op, ir.Size("set", inner), ir.Const(int() as n)) if (op, n) in NON_EMPTY:
            return fn.test(ir.Compare("!=" if NON_EMPTY[op, n] else "==", inner, ir.Const(0)))
        case ir.Compare("==" | "!=" as op, left, ir.Const(0)) if found := non_empty_test(fn, left):
            return f"(not {found})" if op == "==" else found
        case ir.Compare(op, left, right):
            return f"({fn(left)} {op} {fn(right)})"
        case ir.CallFn():
            return call_function(fn, e, fn.test)
        case ir.Fold(kind="any" | "every"):
            return fold_test(fn, e)
        case ir.InSet():
            return member_test(fn, e)
        case ir.If(test, then, orelse) if is_condition(then) and is_condition(orelse):
            text = fn.test(test)
            with fn.lazily():
                return f"({fn.test(then)} if {text} else {fn.test(orelse)})"
    return fn(e)


def join_tests(fn: Fn, items: Sequence[ir.Expr], word: str, none: str) -> str:
    if not items:
        return none
    first = fn.test(items[0])
    with fn.lazily():
        return "(" + word.join([first, *(fn.test(i) for i in items[1:])]) + ")"


def member_test(fn: Fn, e: ir.InSet) -> str:
    """Membership as a condition; in a filtered set it is the test of the filter."""
    return in_filter(fn, e) or in_set(fn, e)


def truth(fn: Fn, e: ir.And | ir.Or | ir.Compare) -> str:
    return f"(1 if {fn.test(e)} else 0)"


def not_(fn: Fn, e: ir.Not) -> str:
    return f"(0 if {fn.test(e.operand)} else 1)"


def in_set(fn: Fn, e: ir.InSet) -> str:
    return in_word(fn, e) or in_mask(fn, e)


def in_word(fn: Fn, e: ir.InSet) -> str | None:
    """Membership in a set of several words, by the word that the member is in."""
    match e.set:
        case ir.Cell(address, SetType(elem) as t) if width(t) > 1:
            (low, high), (a, b) = bounds(elem), range_of(fn, e.member)
            const, text = address_parts(fn, address)
            member = fn(e.member)
            if not low <= a <= b <= high or not is_atom(member):
                return None
            if member.isdigit():
                word, bit = divmod(int(member) - low, WORD_BITS)
                return f"(S[{sum_text(const + word, text)}] >> {bit} & 1)"
            place = sum_text(-low, member)
            place = f"({place})" if low else place
            return f"(S[{sum_text(const, text)} + {place} // {WORD_BITS}] >> {place} % {WORD_BITS} & 1)"
    return None


def in_mask(fn: Fn, e: ir.InSet) -> str:
    member, mask = fn(e.member), fn(e.set)
    if range_of(fn, e.member)[0] >= 0:
        return f"({mask} >> {member} & 1)"
    if is_atom(member):
        return f"({mask} >> {member} & 1 if {member} >= 0 else 0)"
    return f"has({mask}, {member})"


def is_condition(e: ir.Expr) -> bool:
    """Whether an expression is a condition."""
    if isinstance(e, ir.Const):
        return e.value in (0, 1)
    return isinstance(e, ir.Not | ir.And | ir.Or | ir.Compare | ir.InSet | ir.If)
