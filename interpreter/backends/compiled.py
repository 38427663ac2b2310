"""A machine whose expressions are compiled.

`CompiledMachine` is the reference machine, except that an expression which is read often is written as Python source
(`interpreter.backends.expressions`), compiled once and called from then on. Statements, frames and choices are those
of the
reference. Values never depend on whether an expression has been compiled; a test runs both in lock step.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dsl import ir
from dsl.program import Program
from dsl.span import NOWHERE
from interpreter import evaluate
from interpreter.backends.expressions import Unsupported, Writer
from interpreter.machine import Machine
from interpreter.store import Temps, load, members, to_mask

OFTEN = 12  # readings after which an expression is compiled
WORTH = (
    ir.Fold,
    ir.CallFn,
    ir.And,
    ir.Or,
    ir.If,
    ir.Compare,
    ir.Not,
    ir.Arith,
    ir.InSet,
    ir.Reach,
    ir.Let,
    ir.MapItem,
    ir.CellSum,
    ir.Size,
    ir.TableGet,
    ir.Cell,
    ir.ListOp,
)

Compiled = Callable[[list[int], Temps], Any]


class CompiledMachine(Machine):
    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.readings: dict[int, int] = {}
        self.compiled: dict[int, Compiled] = {}
        self.kept: list[ir.Expr] = []  # keeps the ids above valid
        self.functions: dict[int, Callable[..., Any] | None] = {}
        self.names = helpers(self)
        self.reference = dict(self.ev)
        for node in WORTH:
            self.ev[node] = self.handler(self.reference[node])

    def handler(self, walk: Callable[[Machine, Any, Temps], Any]) -> Callable[[Machine, Any, Temps], Any]:
        """Calls the compiled expression; counts readings until there is one."""
        compiled, readings = self.compiled, self.readings

        def read(m: Machine, e: Any, t: Temps) -> Any:
            key = id(e)
            found = compiled.get(key)
            if found is not None:
                return found(m.words, t)
            n = readings.get(key, 0)
            if n < OFTEN:
                readings[key] = n + 1
                if n == 0:
                    self.kept.append(e)
            elif n == OFTEN:
                readings[key] = n + 1
                made = self.make(e)
                if made is not None:
                    compiled[key] = made
                    return made(m.words, t)
            return walk(m, e, t)

        return read

    # ------------------------------------------------------------ compiling

    def make(self, e: ir.Expr) -> Compiled | None:
        """The expression as a function of the store and the temps; None where the reference must do it."""
        constants: dict[str, Any] = {}
        try:
            text = Writer(self.function_name, constants)(e)
        except (Unsupported, RecursionError):
            return None
        return self.build(f"lambda S, T: {text}", constants)

    def build(self, source: str, constants: dict[str, Any]) -> Any:
        for name in constants:
            if name.startswith("TABLE"):
                constants[name] = self.program.tables[int(name[5:])]
        scope = {**self.names, **constants}
        try:
            return eval(compile(source, "<compiled rules>", "eval"), scope)  # noqa: S307 - the text is made of numbers and our own names
        except (SyntaxError, MemoryError, RecursionError):  # nested too deeply for Python
            return None

    def function_name(self, number: int) -> str:
        """The name of a compiled function of the program; compiles it when it is met for the first time."""
        name = f"f{number}"
        if number in self.functions:
            if self.functions[number] is None and name not in self.names:
                raise Unsupported(name)
            return name
        fn = self.program.functions[number]
        self.functions[number] = None
        constants: dict[str, Any] = {}
        params = {i: f"p{i}" for i in range(len(fn.params))}
        try:
            text = Writer(self.function_name, constants, params)(fn.body)
        except RecursionError:
            raise Unsupported(name) from None
        if "T[" in text:
            raise Unsupported(name)
        head = ", ".join(["S", *params.values()])
        made = self.build(f"lambda {head}: {text}", constants)
        if made is None:
            raise Unsupported(name)
        self.functions[number] = made
        self.names[name] = made
        return name

    def eval_fn(self, words: list[int], number: int, args: Sequence[Any]) -> Any:
        self.words = words
        return self._guarded(lambda: evaluate.call(self, number, list(args)))


def helpers(m: Machine) -> dict[str, Any]:
    """What generated text may call."""

    def item(table: tuple[Any, ...], at: int) -> Any:
        if at < 0 or at >= len(table):
            raise m.fault(f"item {at} of a constant table of {len(table)} items was read", NOWHERE)
        return table[at]

    def lookup(rows: tuple[tuple[int, int, Any], ...], key: int) -> Any:
        for low, high, value in rows:
            if low <= key <= high:
                return value
        return rows[-1][2]

    def cells(words: list[int], at: int, count: int, stride: int) -> int:
        return sum(words[at : at + count * stride : stride])

    def div_down(a: int, b: int) -> int:
        if b == 0:
            raise m.fault(f"{a} was divided by 0", NOWHERE)
        return a // b

    def div_up(a: int, b: int) -> int:
        if b == 0:
            raise m.fault(f"{a} was divided by 0", NOWHERE)
        return -(-a // b)

    def list_item(items: tuple[Any, ...], index: int) -> Any:
        if not 1 <= index <= len(items):
            raise m.fault(f"item {index} of a list of {len(items)} was read; items count from 1", NOWHERE)
        return items[index - 1]

    def first_of(found: list[Any], span: Any) -> Any:
        if not found:
            raise m.demand("`first` needs a member, but there is none", span)
        return found[0]

    def best(pairs: list[tuple[tuple[int, ...], Any]], span: Any) -> Any:
        if not pairs:
            if span is not None:
                raise m.demand("`first` needs a member, but there is none", span)
            return 0
        return min(pairs, key=rank)[1]

    def sparse_item(items: Iterable[tuple[int, int]], key: int) -> int:
        return next((amount for k, amount in items if k == key), 0)

    names: dict[str, Any] = {
        "load": load,
        "members": members,
        "to_mask": to_mask,
        "item": item,
        "lookup": lookup,
        "cells": cells,
        "div_up": div_up,
        "div_down": div_down,
        "list_item": list_item,
        "first_of": first_of,
        "best": best,
        "only": only,
        "tied": tied,
        "ranked": ranked,
        "tiers": tiers,
        "table": table,
        "bits": bits,
        "range_set": range_set,
        "set_size": int.bit_count,
        "total": total,
        "sparse_item": sparse_item,
        "map_item": lambda items, at: items[at],
        "in_list": in_list,
        "flood": flood,
        "within": lambda *args: within(m, *args),
        "map_with": lambda items, at, value: (*items[:at], value, *items[at + 1 :]),
        "__builtins__": {
            "sum": sum,
            "len": len,
            "min": min,
            "max": max,
            "any": any,
            "all": all,
            "tuple": tuple,
            "range": range,
            "next": next,
        },
    }
    names |= {f"list_{op}": fn for op, fn in evaluate.LIST_OPS.items()}
    return names


def rank(pair: tuple[tuple[int, ...], Any]) -> tuple[int, ...]:
    return pair[0]


def leaders(pairs: list[tuple[tuple[int, ...], Any]]) -> list[Any]:
    if not pairs:
        return []
    top = min(pairs, key=rank)[0]
    return [v for r, v in pairs if r == top]


def only(pairs: list[tuple[tuple[int, ...], Any]]) -> Any:
    found = leaders(pairs)
    return found[0] if len(found) == 1 else 0


def tied(pairs: list[tuple[tuple[int, ...], Any]]) -> int:
    return to_mask(leaders(pairs))


def ranked(pairs: list[tuple[tuple[int, ...], Any]]) -> tuple[Any, ...]:
    return tuple(v for _, v in sorted(pairs, key=rank))


def tiers(pairs: list[tuple[tuple[int, ...], Any]]) -> tuple[int, ...]:
    found: dict[tuple[int, ...], int] = {}
    for r, v in pairs:
        found[r] = found.get(r, 0) | 1 << v
    return tuple(found[r] for r in sorted(found))


def table(pairs: list[tuple[tuple[int, ...], Any]], keys: tuple[tuple[int, int], ...], empty: Any) -> tuple[Any, ...]:
    size = 1
    for low, high in keys:
        size *= high - low + 1
    items = [empty] * size
    for at, value in pairs:
        n = 0
        for k, (low, high) in zip(at, keys, strict=True):
            n = n * (high - low + 1) + k - low
        items[n] = value
    return tuple(items)


def bits(found: list[int]) -> int:
    mask = 0
    for v in found:
        mask |= 1 << v
    return mask


def range_set(low: int, high: int) -> int:
    return ((1 << (high - low + 1)) - 1) << low if high >= low else 0


def total(value: Any) -> int:
    return sum(i[1] if isinstance(i, tuple) else i for i in value)


def in_list(member: int, items: tuple[int, ...]) -> int:
    return 1 if member and member in items else 0


def flood(start: int, following: Callable[[int], int], where: Callable[[int, int], Any]) -> int:
    seen = start
    queue = deque(members(start))
    while queue:
        x = queue.popleft()
        for y in members(following(x) & ~seen):
            if where(x, y):
                seen |= 1 << y
                queue.append(y)
    return seen


def within(
    m: Machine,
    start: int,
    following: Callable[[int], int],
    where: Callable[[int, int], Any],
    cost: Callable[[int, int], tuple[int, ...]],
    budget: tuple[int, ...],
) -> int:
    """Breadth first over what is left of the budgets; a node keeps the vectors that no other beats."""
    if min(budget) < 0:
        return start
    best: dict[int, list[tuple[int, ...]]] = {x: [budget] for x in members(start)}
    queue = deque((x, budget) for x in best)
    while queue:
        x, left = queue.popleft()
        if left not in best[x]:
            continue
        for y in members(following(x)):
            if not where(x, y):
                continue
            price = cost(x, y)
            if min(price) < 0:
                raise m.fault(f"a step of `reach` costs {min(price)}; costs must not be negative")
            rest = tuple(have - p for have, p in zip(left, price, strict=True))
            known = best.setdefault(y, [])
            if min(rest) >= 0 and not any(all(k >= n for k, n in zip(old, rest, strict=True)) for old in known):
                known[:] = [old for old in known if not all(n >= k for k, n in zip(old, rest, strict=True))]
                known.append(rest)
                queue.append((y, rest))
    return bits([x for x, ways in best.items() if ways])
