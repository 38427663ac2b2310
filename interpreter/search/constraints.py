"""Formulas as constraints of a problem: their least and greatest value while items are still undecided."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.core.errors import DemandFailed, RulesetError
from interpreter.core.run import Run
from interpreter.search import formulas as f
from interpreter.search.formulas import INFINITE, Formula, Number, Opaque, Sum
from interpreter.search.known import concrete, items_of
from interpreter.search.solver import Constraint, Problem, Sums

OPAQUE_STEPS = 5  # that looking at an expression by the rules counts for
MOST_LOOKED_UP = 1000  # numbers that a function of one number is applied to
RELATIONS = {"==": ("==", 0), "!=": ("!=", 0), "<=": ("<=", 0), ">=": (">=", 0), "<": ("<=", -1), ">": (">=", 1)}

Span = tuple[int, int]
Spans = Callable[[int, Sums], Span]  # the least and greatest value after i items


def demand(m: Run, problem: Problem, truth: Number) -> None:
    """Add the constraint that a formula is true."""
    match truth:
        case int():
            if not truth:
                problem.relate({}, ">=", 1)
            return
        case Formula("and", args):
            for arg in args:
                demand(m, problem, arg)
            return
        case Sum(const, tables):
            problem.relate(dict(tables), ">=", 1 - const)
            return
        case Formula("compare", (Sum(const, tables),), op):
            related, shift = RELATIONS[op]
            problem.relate(dict(tables), related, shift - const)
            return
    reads: set[int] = set()
    spans = spans_of(m, problem, truth, reads)

    def check(i: int, sums: Sums) -> bool | None:
        low, high = spans(i, sums)
        return True if low > 0 else False if high <= 0 else None

    problem.constraints.append(Constraint(check, tuple(sorted(reads))))


def spans_of(m: Run, problem: Problem, value: Number, reads: set[int]) -> Spans:
    """The function that gives the bounds of a number; the terms that it reads are added to `reads`."""
    match value:
        case int():
            known = value, value
            return lambda i, sums: known
        case Sum(const, tables):
            number = problem.term(dict(tables))
            reads.add(number)
            least, greatest = problem.terms[number].least, problem.terms[number].greatest
            return lambda i, sums: (const + sums[number] + least[i], const + sums[number] + greatest[i])
        case Opaque():
            return _opaque(m, problem, value, reads)
    assert isinstance(value, Formula), value
    if value.kind == "best":
        kind, empty = value.data
        pairs = [(spans_of(m, problem, a, reads), spans_of(m, problem, b, reads)) for a, b in value.args]
        return _best(kind, empty, pairs)
    args = [spans_of(m, problem, arg, reads) for arg in value.args]
    return NODES[value.kind](args, value.data)


def _opaque(m: Run, problem: Problem, value: Opaque, reads: set[int]) -> Spans:
    """The spans of an opaque value: anything until its items are decided, then what it is. A fault counts only at the
    end."""
    items = range(len(problem.lows)) if value.late else sorted(items_of(value))
    last = max(items, default=-1)
    numbers = {i: problem.term({i: range(problem.highs[i] + 1)}) for i in items if problem.highs[i]}
    reads.update(numbers.values())

    def spans(i: int, sums: Sums) -> Span:
        if i <= last:
            return -INFINITE, INFINITE
        problem.budget.spend(OPAQUE_STEPS)
        try:
            found = concrete(m, value, lambda item: sums[numbers[item]] if item in numbers else 0)
        except (RulesetError, DemandFailed):
            if i < len(problem.lows):
                return -INFINITE, INFINITE
            raise
        return int(found), int(found)

    return spans


# ------------------------------------------------------------ nodes


def _add(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        low = high = 0
        for arg in args:
            a, b = arg(i, sums)
            low, high = low + a, high + b
        return low, high

    return spans


def _multiply(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        (a, b), (c, d) = args[0](i, sums), args[1](i, sums)
        corners = a * c, a * d, b * c, b * d
        return min(corners), max(corners)

    return spans


def _smaller(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        found = [arg(i, sums) for arg in args]
        return min(a for a, _ in found), min(b for _, b in found)

    return spans


def _larger(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        found = [arg(i, sums) for arg in args]
        return max(a for a, _ in found), max(b for _, b in found)

    return spans


def _all(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        low = 1
        for arg in args:
            a, b = arg(i, sums)
            if b <= 0:
                return 0, 0
            if a <= 0:
                low = 0
        return low, 1

    return spans


def _any(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        high = 0
        for arg in args:
            a, b = arg(i, sums)
            if a > 0:
                return 1, 1
            if b > 0:
                high = 1
        return 0, high

    return spans


def _not(args: list[Spans], _: Any) -> Spans:
    def spans(i: int, sums: Sums) -> Span:
        low, high = args[0](i, sums)
        return (0, 0) if low > 0 else (1, 1) if high <= 0 else (0, 1)

    return spans


def _if(args: list[Spans], _: Any) -> Spans:
    test, then, orelse = args

    def spans(i: int, sums: Sums) -> Span:
        low, high = test(i, sums)
        if low > 0:
            return then(i, sums)
        if high <= 0:
            return orelse(i, sums)
        (a, b), (c, d) = then(i, sums), orelse(i, sums)
        return min(a, c), max(b, d)

    return spans


def _compare(args: list[Spans], op: str) -> Spans:
    holds, inverse = f.COMPARE[op], f.COMPARE[f.INVERSE[op]]
    equation = op in ("==", "!=")

    def spans(i: int, sums: Sums) -> Span:
        low, high = args[0](i, sums)
        if equation:
            if low <= 0 <= high and low != high:
                return 0, 1
            return (1, 1) if holds(low) else (0, 0)
        if holds(low) and holds(high):
            return 1, 1
        return (0, 0) if inverse(low) and inverse(high) else (0, 1)

    return spans


def _apply(args: list[Spans], function: Callable[[int], int]) -> Spans:
    known: dict[Span, Span] = {}

    def spans(i: int, sums: Sums) -> Span:
        span = args[0](i, sums)
        found = known.get(span)
        if found is None:
            low, high = span
            if high - low > MOST_LOOKED_UP:
                return -INFINITE, INFINITE
            values = [function(v) for v in range(low, high + 1)]
            found = known[span] = min(values), max(values)
        return found

    return spans


def _best(kind: str, empty: int, pairs: list[tuple[Spans, Spans]]) -> Spans:
    """The greatest or least of the values whose conditions hold; `empty`: what nothing gives."""
    sign = 1 if kind == "max" else -1

    def spans(i: int, sums: Sums) -> Span:
        surest: int | None = None  # what the best value is at least
        most: int | None = None  # what it can be at most
        least: int | None = None  # the worst that it can be if none is sure
        for given, value in pairs:
            a, b = given(i, sums)
            if b <= 0:
                continue
            low, high = value(i, sums)
            if sign < 0:
                low, high = -high, -low
            if a > 0:
                surest = low if surest is None else max(surest, low)
            most = high if most is None else max(most, high)
            least = low if least is None else min(least, low)
        if surest is None:
            nothing = sign * empty
            surest = nothing if least is None else min(least, nothing)
            most = nothing if most is None else max(most, nothing)
        assert most is not None, "what is sure is possible"
        return (surest, most) if sign > 0 else (-most, -surest)

    return spans


NODES: dict[str, Callable[[list[Spans], Any], Spans]] = {
    "+": _add, "*": _multiply, "min": _smaller, "max": _larger, "and": _all, "or": _any, "not": _not, "if": _if,
    "compare": _compare, "apply": _apply,
}  # fmt: skip
