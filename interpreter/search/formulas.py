"""Values over an answer that is not known yet, and how they are combined.

A value that does not depend on the answer is the plain int or tuple that it always is. A number that does is a `Sum`
(what each item adds depends on its own amount alone) or, where items meet in another way, a `Formula`. A truth is a
number 0 or 1. Sets and maps know for each member or key the value it has. `Opaque` is an expression that is evaluated
once the items it reads are decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from dsl import ir
from interpreter.search.terms import Table

INFINITE = 1 << 62


class Unseen(Exception):
    """The structure of a value cannot be seen: what reads it has to wait until its items are decided."""


@dataclass(slots=True)
class Sum:
    """A sum of a number and of one table for each item: `const` plus what the tables of the items say."""

    const: int
    tables: Mapping[int, Table]

    @property
    def item(self) -> int:
        """The only item, or -1."""
        return next(iter(self.tables)) if len(self.tables) == 1 else -1


@dataclass(slots=True)
class Formula:
    """A formula over the items of an answer. kind: `+`, `*`, `min`, `max`, `and`, `or` of the args; `not` and `if`
    (test, then, else) as in the IR; `compare` with the operator `data`: the only arg against 0; `apply`: the function
    `data` of the only arg; `best`: of pairs (condition, value) in turn the greatest or least value, data is (`max` or
    `min`, what nothing gives)."""

    kind: str
    args: tuple[Any, ...]
    data: Any = None


@dataclass(slots=True)
class Members:
    """A set: for each value that may be a member whether it is one."""

    truths: dict[int, Number]


@dataclass(slots=True)
class Amounts:
    """A sparse map: the amounts by key number; of other keys it is 0."""

    amounts: dict[int, Number]


@dataclass(slots=True)
class Items:
    """The items of a dense map."""

    items: tuple[Any, ...]


@dataclass(slots=True)
class Opaque:
    """An expression with its temps, some of which hold values that are not known yet. `late`: it is a fault of the
    rules as it stands, so that it counts only where a whole answer comes to it."""

    expr: ir.Expr
    temps: list[Any]
    late: bool = False


Number: TypeAlias = Union[int, Sum, Formula, Opaque]
Unknown = (Sum, Formula, Members, Amounts, Items, Opaque)
UNKNOWN = frozenset(Unknown)


# ------------------------------------------------------------ numbers


def number(value: Any) -> Number:
    """A value as a number; a set or map has no place there."""
    if type(value) in (int, Sum, Formula, Opaque) or isinstance(value, int):
        return value  # type: ignore[no-any-return]
    raise Unseen


def pointwise(f: Callable[..., int], *sums: Number) -> Number | None:
    """A function of numbers that all depend on one and the same item, as the table of that item; None: they do not."""
    items = {s.item for s in sums if isinstance(s, Sum)}
    if len(items) != 1 or -1 in items or not all(isinstance(s, int | Sum) for s in sums):
        return None
    item = items.pop()
    length = next(len(s.tables[item]) for s in sums if isinstance(s, Sum))
    columns = [
        [s.const + v for v in s.tables[item]] if isinstance(s, Sum) else [s] * length
        for s in sums
    ]  # fmt: skip
    return by_item(item, [int(f(*row)) for row in zip(*columns, strict=True)])


def by_item(item: int, values: list[int]) -> Number:
    """The number that is one of these, by the amount of the item."""
    return Sum(0, {item: tuple(values)}) if min(values) != max(values) else values[0]


def add(a: Number, b: Number) -> Number:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(a, int | Sum) and isinstance(b, int | Sum):
        return total([a, b])
    if a == 0:
        return b
    return a if b == 0 else Formula("+", (a, b))


def total(numbers: Sequence[Number]) -> Number:
    """The sum of numbers."""
    const, tables, others = 0, dict[int, Table](), list[Number]()
    for n in numbers:
        if isinstance(n, int):
            const += n
        elif isinstance(n, Sum):
            const += n.const
            for i, table in n.tables.items():
                known = tables.get(i)
                if known is None:
                    tables[i] = table
                    continue
                merged = tuple(map(int.__add__, known, table))
                if min(merged) == max(merged):
                    const += merged[0]
                    del tables[i]
                else:
                    tables[i] = merged
        else:
            others.append(n)
    plain: Number = Sum(const, tables) if tables else const
    if not others:
        return plain
    if len(others) == 1 and plain == 0:
        return others[0]
    return Formula("+", (*others,) if plain == 0 else (plain, *others))


def scale(a: Number, factor: int) -> Number:
    if factor == 0:
        return 0
    if isinstance(a, int):
        return a * factor
    if factor == 1:
        return a
    if isinstance(a, Sum):
        return Sum(a.const * factor, {i: times(table, factor) for i, table in a.tables.items()})
    return Formula("*", (a, factor))


def times(table: Table, factor: int) -> Table:
    if type(table) is range:
        return range(table.start * factor, table.stop * factor, table.step * factor)
    return tuple([v * factor for v in table])


def multiply(a: Number, b: Number) -> Number:
    if isinstance(a, int):
        return scale(b, a)
    if isinstance(b, int):
        return scale(a, b)
    found = pointwise(int.__mul__, a, b)
    return Formula("*", (a, b)) if found is None else found


def extreme(kind: str, a: Number, b: Number) -> Number:
    """The lesser or the greater of two numbers."""
    f = min if kind == "min" else max
    if isinstance(a, int) and isinstance(b, int):
        return f(a, b)
    found = pointwise(f, a, b)
    return Formula(kind, (a, b)) if found is None else found


def apply(f: Callable[[int], int], a: Number) -> Number:
    """A function of a number."""
    if isinstance(a, int):
        return f(a)
    found = pointwise(f, a)
    return Formula("apply", (a,), f) if found is None else found


# ------------------------------------------------------------ truths

TRUTHS = ("and", "or", "not", "compare")

COMPARE: dict[str, Callable[[int], bool]] = {
    "==": lambda d: d == 0, "!=": lambda d: d != 0, "<": lambda d: d < 0,
    "<=": lambda d: d <= 0, ">": lambda d: d > 0, ">=": lambda d: d >= 0,
}  # fmt: skip
INVERSE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def truth(value: Any) -> Number:
    """A value as a truth: whether it is other than 0."""
    n = number(value)
    if isinstance(n, int):
        return 1 if n else 0
    if isinstance(n, Formula) and n.kind in TRUTHS:
        return n
    if isinstance(n, Sum) and n.const == 0 and n.item >= 0 and set(n.tables[n.item]) == {0, 1}:
        return n
    return compare("!=", n, 0)


def compare(op: str, a: Number, b: Number) -> Number:
    difference = add(a, scale(b, -1))
    if isinstance(difference, int):
        return int(COMPARE[op](difference))
    found = pointwise(COMPARE[op], difference)
    return Formula("compare", (difference,), op) if found is None else found


def negate(a: Number) -> Number:
    if isinstance(a, int):
        return 0 if a else 1
    if isinstance(a, Formula):
        if a.kind == "compare":
            return Formula("compare", a.args, INVERSE[a.data])
        if a.kind == "not":
            return a.args[0]  # type: ignore[no-any-return]
    found = pointwise(lambda v: not v, a)
    return Formula("not", (a,)) if found is None else found


def either(truths: Sequence[Number]) -> Number:
    """The truth that one of them is true. Truths that depend on one item each make a sum that is at least 1."""
    return _joined(truths, "or", stops=1)


def both(truths: Sequence[Number]) -> Number:
    """The truth that all of them are true."""
    return _joined(truths, "and", stops=0)


def _joined(truths: Sequence[Number], kind: str, stops: int) -> Number:
    left: list[Number] = []
    for truth in truths:
        if isinstance(truth, int):
            if bool(truth) == bool(stops):
                return stops
        elif isinstance(truth, Formula) and truth.kind == kind:
            left += truth.args
        else:
            left.append(truth)
    if not left:
        return 1 - stops
    if len(left) == 1:
        return left[0]
    if not all(isinstance(truth, Sum) and truth.item >= 0 for truth in left):
        return Formula(kind, tuple(left))
    merged: dict[int, Number] = {}
    for truth in left:
        assert isinstance(truth, Sum)
        known = merged.get(truth.item)
        joined = truth if known is None else pointwise(max if stops else min, known, truth)
        assert joined is not None, "both depend on one item"
        if isinstance(joined, int):
            if joined == stops:
                return stops
            joined = 1 - stops
            merged[truth.item] = joined
            continue
        merged[truth.item] = joined
    numbers = [n for n in merged.values() if not isinstance(n, int)]
    if not numbers:
        return 1 - stops
    if len(numbers) == 1:
        return numbers[0]
    return compare(">=", total(numbers), 1 if stops else len(numbers))


def choice(test: Number, then: Number, orelse: Number) -> Number:
    """`then if test else orelse`."""
    if isinstance(test, int):
        return then if test else orelse
    if isinstance(then, int) and isinstance(orelse, int):
        if then == orelse:
            return then
        if (then, orelse) == (1, 0):
            return test
    found = pointwise(lambda t, a, b: a if t else b, test, then, orelse)
    return Formula("if", (test, then, orelse)) if found is None else found
