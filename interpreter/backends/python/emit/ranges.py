"""Bounds of the values of expressions, and the conditions that they decide."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import BoolType, IntType, MemberType, PlaceType, SetType, Type, bounds
from dsl.program import SEATS, Program
from interpreter.backends.python.emit.function import ANY, Fn, Range
from interpreter.core.words import members

NON_EMPTY = {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False, ("<=", 0): False}


def range_of(fn: Fn, e: ir.Expr) -> Range:
    """The least and the greatest value that an expression can have, as far as that is known."""
    match e:
        case ir.Const(int() as v):
            return v, v
        case ir.Temp(slot):
            known = fn.names.known.get(slot)
            return (known, known) if known is not None else fn.names.ranges.get(slot, ANY)
        case ir.Force(slot):
            return fn.names.ranges.get(slot, ANY)
        case ir.Cell(ir.Const(at)) if at == SEATS:
            return fn.ctx.program.seats
        case ir.FrameVar(_, t) | ir.Cell(_, t) | ir.FrameItem(_, _, t):
            return type_range(t)
        case ir.Linear(const, terms):
            low = high = const
            for term, stride in terms:
                a, b = range_of(fn, term)
                low, high = low + min(a * stride, b * stride), high + max(a * stride, b * stride)
            return max(low, ANY[0]), min(high, ANY[1])
        case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.InSet() | ir.InList() | ir.Subset():
            return 0, 1
        case ir.Fold(kind="any" | "every"):
            return 0, 1
        case ir.Fold(kind="count") | ir.Size() | ir.CellSum():
            return 0, ANY[1]
        case ir.If(_, then, orelse):
            (a, b), (c, d) = range_of(fn, then), range_of(fn, orelse)
            return min(a, c), max(b, d)
        case ir.Bounded(_, least, most):
            return least, most
        case ir.TableGet(table, _):
            return table_range(fn.ctx.program, table)
        case ir.CallFn(number):
            t = fn.ctx.program.functions[number].result
            return (0, bounds(t)[1]) if isinstance(t, BoolType | MemberType) else ANY
        case ir.Arith(op, left, right):
            return arithmetic(op, range_of(fn, left), range_of(fn, right))
    return ANY


def known_truth(fn: Fn, test: ir.Expr) -> bool | None:
    """Whether a condition holds, if the bounds of its sides decide it; else None."""
    match test:
        case ir.Not(operand):
            found = known_truth(fn, operand)
            return None if found is None else not found
        case ir.Compare(op, left, right):
            (a, b), (c, d) = range_of(fn, left), range_of(fn, right)
            if op in (">", ">="):
                op, a, b, c, d = ("<" if op == ">" else "<="), c, d, a, b
            match op:
                case "==" | "!=":
                    apart, same = b < c or d < a, a == b == c == d
                    return (op == "!=") if apart else (op == "==") if same else None
                case "<":
                    return True if b < c else False if a >= d else None
                case "<=":
                    return True if b <= c else False if a > d else None
    return None


def simplify_test(fn: Fn, e: ir.Expr) -> ir.Expr:
    """The same condition in a shorter form, for instance without sets that are only compared with the empty one."""
    match e:
        case ir.Compare("==" | "!=" as op, ir.If(test, then, ir.Const(0)), ir.Const(0)) if range_of(fn, then)[0] > 0:
            return ir.Not(test) if op == "==" else test
        case ir.Not(ir.Not(inner)):
            return simplify_test(fn, inner)
        case ir.Compare("==" | "!=" as op, ir.Fold("set", ((slot, _),), body=body) as fold, ir.Const(0)) if body in (
            None,
            ir.Temp(slot),
        ):
            found = replace(fold, kind="any", body=None)
            return found if op == "!=" else ir.Not(found)
        case ir.Compare(op, ir.Fold(kind="count", body=None) as fold, ir.Const(int() as n)) if (op, n) in NON_EMPTY:
            found = replace(fold, kind="any")
            return found if NON_EMPTY[op, n] else ir.Not(found)
        case ir.Not(ir.Compare("==" | "!=" as op, left, right)):
            return simplify_test(fn, ir.Compare("!=" if op == "==" else "==", left, right))
    return e


def table_range(program: Program, number: int) -> Range:
    """The least and the greatest item of a constant table."""
    items = program.tables[number]
    if all(type(v) is int for v in items) and items:
        return min(items), max(items)
    return ANY


def member_range(program: Program, number: int) -> Range:
    """The least and the greatest member of the sets of a constant table."""
    masks = [v for v in program.tables[number] if type(v) is int and v > 0]
    found = [m for mask in masks for m in (members(mask)[0], members(mask)[-1])]
    return (min(found), max(found)) if found else (0, ANY[1])


def arithmetic(op: str, left: Range, right: Range) -> Range:
    (a, b), (c, d) = left, right
    match op:
        case "+":
            return max(a + c, ANY[0]), min(b + d, ANY[1])
        case "-":
            return max(a - d, ANY[0]), min(b - c, ANY[1])
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
        case "half_up" | "half_down" if a >= 0:
            return 0, b
        case "mod" if c > 0:
            return 0, d - 1
    return (0, ANY[1]) if a >= 0 and c >= 0 and op in ("*", "|", "&", "&~") else ANY


def type_range(t: Type) -> Range:
    """The bounds of a variable of this type; before it is set it holds 0."""
    match t:
        case IntType(low, high):
            return min(low, 0), max(high, 0)
        case BoolType():
            return 0, 1
        case MemberType(_, _, high):
            return 0, high
        case PlaceType() | SetType():
            return 0, ANY[1]
    return ANY
