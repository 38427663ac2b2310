"""Builders of the intermediate form: constants, addresses, conditions.

They take expressions of the IR and give the simplest with the same meaning; nothing here reads the model's state or
reports anything.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.types import ERROR, INT, INT_HIGH, INT_LOW, IntType, MemberType, Type, bounds
from dsl.elaborate.core.scope import Val
from dsl.ir.walk import free
from dsl.symbols.symbols import KindSym, Model

ZERO = ir.Const(0)
ONE = ir.Const(1)
OPEN = ir.Cell(ir.Const(pg.TOGETHER), INT)  # whether a `together` is open
BAD = Val(ZERO, ERROR)  # stands for a value about which a message was given


def linear(const: int, terms: list[tuple[ir.Expr, int]]) -> ir.Expr:
    """An address: constants and inner sums are folded in."""
    rest: list[tuple[ir.Expr, int]] = []
    for e, stride in terms:
        if isinstance(e, ir.Const):
            const += e.value * stride
        elif isinstance(e, ir.Linear):
            const += e.const * stride
            rest += [(inner, s * stride) for inner, s in e.terms]
        elif stride:
            rest.append((e, stride))
    return ir.Linear(const, tuple(rest)) if rest else ir.Const(const)


def conj(items: list[ir.Expr]) -> ir.Expr:
    """The conjunction of conditions, flattened and without those that always hold."""
    flat = [i for e in items for i in (e.items if isinstance(e, ir.And) else (e,)) if e != ONE]
    return ONE if not flat else flat[0] if len(flat) == 1 else ir.And(tuple(flat))


def negate(e: ir.Expr) -> ir.Expr:
    """The opposite of a condition."""
    return e.operand if isinstance(e, ir.Not) else ir.Not(e)


def key_offset(keys: tuple[Type, ...], at: list[ir.Expr]) -> ir.Expr:
    """Row-major number of a key, counted from 0."""
    stride = 1
    terms: list[tuple[ir.Expr, int]] = []
    const = 0
    for t, e in reversed(list(zip(keys, at, strict=True))):
        low, high = bounds(t)
        terms.append((e, stride))
        const -= low * stride
        stride *= high - low + 1
    return linear(const, terms)


def clamp(n: int) -> int:
    """A number within the bounds of integers."""
    return max(INT_LOW, min(INT_HIGH, n))


def kind_test(model: Model, e: ir.Expr, kind: KindSym) -> ir.Expr:
    """The test whether a thing is a member of a kind or union: its number lies in one of their ranges."""
    tests = [
        conj([ir.Compare(">=", e, ir.Const(k.low)), ir.Compare("<=", e, ir.Const(k.high))])
        for k in model.kind_parts(kind)
    ]
    return tests[0] if len(tests) == 1 else ir.Or(tuple(tests))


def per_unit(e: ir.Expr, amount: int) -> ir.Expr | None:
    """The weight w of an expression that is w times the temp `amount`; None if it is of another form."""
    match e:
        case ir.Temp(slot) if slot == amount:
            return ONE
        case ir.Linear(0, ((term, stride),)) if (w := per_unit(term, amount)) is not None:
            return product(w, ir.Const(stride))
        case ir.Arith("*", left, right):
            for a, b in ((left, right), (right, left)):
                if amount not in free(b) and (w := per_unit(a, amount)) is not None:
                    return product(w, b)
    return None


def product(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    """The product of two numbers."""
    if ONE in (a, b):
        return b if a == ONE else a
    return ir.Arith("*", a, b)


def member_of_set(t: Type) -> Type:
    """The type of the members of a set of such values: none and numbers below 0 are no members."""
    match t:
        case MemberType(domain, low, high):
            return MemberType(domain, low, high)
        case IntType(low, high):
            return IntType(max(low, 0), max(high, 0))
    return t
