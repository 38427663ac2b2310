"""The value of what was unknown once the amounts are decided, and the items that have to be decided for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dsl.ir.walk import free
from interpreter.core.run import Run
from interpreter.search.formulas import COMPARE, Amounts, Formula, Items, Members, Opaque, Sum

Decided = Callable[[int], int]  # the amount of an item

_FREE: dict[int, tuple[Any, tuple[int, ...]]] = {}  # by the id of an expression, which the entry keeps alive


def free_temps(e: Any) -> tuple[int, ...]:
    """The temps that an expression reads and does not bind itself; worked out once."""
    found = _FREE.get(id(e))
    if found is None:
        found = _FREE[id(e)] = (e, tuple(free(e)))
    return found[1]


def concrete(m: Run, value: Any, amount: Decided) -> Any:
    """The value for these amounts."""
    match value:
        case Sum(const, tables):
            return const + sum(table[amount(i)] for i, table in tables.items())
        case Formula():
            return _node(m, value, amount)
        case Members(truths):
            return sum(1 << v for v, truth in truths.items() if concrete(m, truth, amount))
        case Amounts(amounts):
            found = ((key, concrete(m, n, amount)) for key, n in sorted(amounts.items()))
            return tuple((key, n) for key, n in found if n)
        case Items(items):
            return tuple([concrete(m, item, amount) for item in items])
        case Opaque(expr, temps):
            known = temps[:]
            for slot in free_temps(expr):
                known[slot] = concrete(m, temps[slot], amount)
            return m.value(expr, known)
    return value


def _node(m: Run, n: Formula, amount: Decided) -> int:
    match n.kind:
        case "and":
            return int(all(concrete(m, a, amount) for a in n.args))
        case "or":
            return int(any(concrete(m, a, amount) for a in n.args))
        case "if":
            test, then, orelse = n.args
            return int(concrete(m, then if concrete(m, test, amount) else orelse, amount))
        case "best":
            kind, empty = n.data
            found = [concrete(m, v, amount) for given, v in n.args if concrete(m, given, amount)]
            return int((max if kind == "max" else min)(found, default=empty))
    args = [concrete(m, a, amount) for a in n.args]
    match n.kind:
        case "+":
            return int(sum(args))
        case "*":
            return int(args[0] * args[1])
        case "min":
            return int(min(args))
        case "max":
            return int(max(args))
        case "not":
            return int(not args[0])
        case "compare":
            return int(COMPARE[n.data](args[0]))
    assert n.kind == "apply", n.kind
    return int(n.data(args[0]))


def items_of(value: Any) -> set[int]:
    """The items on which a value depends."""
    match value:
        case Sum(_, tables):
            return set(tables)
        case Formula("best", args):
            return items_in(part for pair in args for part in pair)
        case Formula(_, args):
            return items_in(args)
        case Members(truths):
            return items_in(truths.values())
        case Amounts(amounts):
            return items_in(amounts.values())
        case Items(items):
            return items_in(items)
        case Opaque(expr, temps):
            return items_in(temps[slot] for slot in free_temps(expr))
    return set()


def items_in(values: Iterable[Any]) -> set[int]:
    found: set[int] = set()
    for value in values:
        found |= items_of(value)
    return found


def only_item(values: Iterable[Any]) -> int:
    """The one item on which all values depend, or -1."""
    found: set[int] = set()
    for value in values:
        found |= items_of(value)
        if len(found) > 1:
            return -1
    return found.pop() if found else -1
