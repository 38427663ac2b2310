"""The values of a kernel function while it is compiled, and what operators make of them."""

from __future__ import annotations

import ast
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from interpreter.backends.low.base.make import ZERO, add, num, scale, subtract
from interpreter.backends.low.base.writer import Writer
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op


class Sort(Enum):
    NUMBER = "number"
    BITS = "bits"  # a number without a sign
    ROW = "row"  # an address of words
    LONGS = "row of long numbers"  # an address of numbers of 64 bits with a sign
    RECORD = "record"  # an address of fields, or globals that hold them


class Typed(NamedTuple):
    """A value of native code. `record`: the class of a record."""

    expr: Expr
    sort: Sort = Sort.NUMBER
    record: type | None = None


class Known(NamedTuple):
    """A value that is known while the function is compiled."""

    value: Any


class InGlobals(NamedTuple):
    """A record whose fields, in their order, lie in globals of these names."""

    record: type
    globals: tuple[str, ...]


Value: TypeAlias = Typed | Known | InGlobals

PLAIN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<"}
COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def operation(w: Writer, op: type[ast.operator], left: Typed, right: Typed) -> Typed | None:
    """The value of an operator; None: there is no such one. Where one side has no sign the result has none either."""
    sort = Sort.BITS if Sort.BITS in (left.sort, right.sort) else Sort.NUMBER
    a, b, unsigned = left.expr, right.expr, sort is Sort.BITS
    if op in (ast.FloorDiv, ast.Mod):
        if unsigned or isinstance(a, Num) and a.value >= 0:
            return Typed(Op("/u" if op is ast.FloorDiv else "%u", a, b), sort)
        return Typed(_floored(w, op, w.let(a), w.let(b)))
    if op is ast.RShift:
        return Typed(Op(">>u" if unsigned else ">>", a, b), sort)
    if op is ast.Add:
        return Typed(add(a, b), sort)
    if op is ast.Sub:
        return Typed(subtract(a, b), sort)
    if op is ast.Mult and isinstance(b, Num):
        return Typed(scale(a, b.value), sort)
    if op is ast.BitAnd and b == Num(-1):  # all 64 bits
        return Typed(a, sort)
    return Typed(Op(PLAIN[op], a, b), sort) if op in PLAIN else None


def _floored(w: Writer, op: type[ast.operator], a: Expr, b: Expr) -> Expr:
    """A division that rounds down, or what it leaves; the divisor is above 0."""
    cut = w.let(Op("/", a, b))
    down = Op("-", cut, Op(">", Op("*", cut, b), a))
    return down if op is ast.FloorDiv else Op("-", a, Op("*", w.let(down), b))


def comparison(op: type[ast.cmpop], left: Typed, right: Typed) -> Expr | None:
    """The truth of a comparison; None: there is no such one."""
    sign = COMPARED.get(op)
    if sign is None:
        return None
    a, b = left.expr, right.expr
    if sign in TURNED and Sort.BITS in (left.sort, right.sort):
        if sign in ("<", ">="):
            a, b = b, a
        greater = Op(">u", a, b)
        return greater if sign in ("<", ">") else low.Not(greater)
    if isinstance(a, Num) and sign in TURNED:
        a, b, sign = b, a, TURNED[sign]
    return Op(sign, a, b)


def inverted(test: Expr) -> Expr:
    """1 where a test is 0."""
    if isinstance(test, Num):
        return num(int(not test.value))
    if isinstance(test, low.Not) and truth(test.operand) == test.operand:
        return test.operand
    if isinstance(test, Op) and test.op in OPPOSITE:
        return Op(OPPOSITE[test.op], test.left, test.right)
    return low.Not(test)


def truth(e: Expr) -> Expr:
    """0 or 1, whether a value is other than 0."""
    if isinstance(e, Num):
        return num(int(e.value != 0))
    if isinstance(e, low.Not | low.Both | low.Either) or isinstance(e, Op) and e.op in (*OPPOSITE, ">u"):
        return e
    return Op("!=", e, ZERO)
