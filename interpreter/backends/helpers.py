"""What generated Python may call: the names of one machine, and operations that need more than an expression.

`helpers` gives the dictionary that is the global scope of all generated code of a machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.span import NOWHERE, Span
from dsl.types import WORD_BITS, IntType, ListType, MapType, SetType, Type, bounds, width
from interpreter import check, evaluate, execute, frames, things
from interpreter.binding import Option
from interpreter.store import SCALARS, load, members, to_mask

if TYPE_CHECKING:
    from interpreter.machine import Machine

Pairs = tuple[tuple[int, Any], ...]


def helpers(m: Machine) -> dict[str, Any]:
    program = m.program
    rooms = [f.temps for f in program.functions] + [m.temps]
    size = max(rooms) + 1

    def see(e: ir.Expr, pairs: Pairs) -> Any:
        """The value of a node by the reference; `pairs` are the temps that it may read."""
        return see_in(e, [0] * size, pairs)

    def see_in(e: ir.Expr, t: list[Any], pairs: Pairs) -> Any:
        for slot, value in pairs:
            t[slot] = value
        return m.ev[type(e)](m, e, t)

    def do(s: ir.Stmt, t: list[Any], pairs: Pairs) -> None:
        for slot, value in pairs:
            t[slot] = value
        m.ex[type(s)](m, s, t)

    def outside(t: IntType, value: int, what: tuple[str, Span | None]) -> Exception:
        return m.fault(f"{what[0]} is {t.low}..{t.high}, but {value} was put into it", what[1] or Span("", 0, 0))

    def put(at: int, t: Type, value: Any, what: tuple[str, Span | None]) -> None:
        execute.write(m, at, t, value, what[0], what[1] or Span("", 0, 0))

    def required(guard: ir.Guard) -> Exception:
        return m.demand(f"required: {guard.reason or guard.text}", guard.span, guard.cites, ends=True)

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

    def first_of(found: list[Any], span: Span) -> Any:
        if not found:
            raise m.demand("`first` needs a member, but there is none", span)
        return found[0]

    def best(pairs: list[tuple[tuple[int, ...], Any]], span: Span | None) -> Any:
        if not pairs:
            if span is not None:
                raise m.demand("`first` needs a member, but there is none", span)
            return 0
        return min(pairs, key=rank)[1]

    names: dict[str, Any] = {
        "see": see, "see_in": see_in, "do": do, "outside": outside, "put": put, "required": required,
        "div_up": div_up, "div_down": div_down, "list_item": list_item, "first_of": first_of, "best": best,
        "members": members, "to_mask": to_mask, "lookup": lookup, "cells": cells, "only": only,
        "tied": tied, "ranked": ranked, "tiers": tiers, "table": table, "bits": bits, "range_set": range_set,
        "total": total, "sparse_item": sparse_item, "in_list": in_list, "has": has, "map_with": map_with,
        "flood": flood, "within": partial(within, m),
        "within_one": partial(within_one, m), "innermost": frames.innermost, "new": tuple.__new__,
        "Option": Option, "pieces": partial(execute.transfer, m), "endless": m.endless, "call": m.call_plain,
        "move": lambda thing, zone, at, s: things.move(m, thing, zone, at, s), "push": partial(frames.push, m),
        "end_plan": m.end_plan, "together": lambda s: execute.together(m, s.delta),
        "checked_together": lambda s: check.together(m, s, []), "atomic_end": lambda s: check.atomic_end(m, s, []),
        "__builtins__": {
            "sum": sum, "len": len, "min": min, "max": max, "any": any, "all": all, "tuple": tuple, "range": range,
            "next": next,
        },
    }  # fmt: skip
    names |= {f"list_{op}": fn for op, fn in evaluate.LIST_OPS.items()}
    names |= {f"do_{node.__name__}": partial(step, m) for node, step in m.ins.items()}
    return names


class Table(dict[int, Any]):
    """A constant table; an item outside it is a fault of the ruleset."""

    def __init__(self, m: Machine, items: tuple[Any, ...]) -> None:
        super().__init__(enumerate(items))
        self.machine = m

    def __missing__(self, at: int) -> Any:
        raise self.machine.fault(f"item {at} of a constant table of {len(self)} items was read", NOWHERE)


def loader(t: Type) -> Callable[[list[int], int], Any]:
    """A function of the store and an address that reads a value of type `t`."""
    if isinstance(t, SetType):
        low, count = bounds(t.elem)[0], width(t)
        shifts = tuple((i, i * WORD_BITS) for i in range(1, count))

        def load_set(words: list[int], at: int) -> int:
            mask = words[at]
            for i, shift in shifts:
                mask |= words[at + i] << shift
            return mask << low

        return load_set
    if isinstance(t, ListType) and type(t.elem) in SCALARS:
        return lambda words, at: tuple(words[at + 1 : at + 1 + words[at]])
    if isinstance(t, MapType) and type(t.value) in SCALARS:
        size = width(t)
        return lambda words, at: tuple(words[at : at + size])
    return lambda words, at: load(words, at, t)


def saver(t: Type) -> Callable[[list[int], int, int], None]:
    """A function of the store, an address and a value that writes a set of type `t`."""
    assert isinstance(t, SetType)
    low, count, mask = bounds(t.elem)[0], width(t), (1 << WORD_BITS) - 1

    def save_set(words: list[int], at: int, value: int) -> None:
        value >>= low
        for i in range(at, at + count):
            words[i] = value & mask
            value >>= WORD_BITS

    return save_set


def lookup(rows: tuple[tuple[int, int, Any], ...], key: int) -> Any:
    for low, high, value in rows:
        if low <= key <= high:
            return value
    return rows[-1][2]


def cells(words: list[int], at: int, count: int, stride: int) -> int:
    return sum(words[at : at + count * stride : stride])


def has(mask: int, member: int) -> int:
    return mask >> member & 1 if member >= 0 else 0


def sparse_item(items: Iterable[tuple[int, int]], key: int) -> int:
    return next((amount for k, amount in items if k == key), 0)


def map_with(items: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*items[:at], value, *items[at + 1 :])


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


def within_one(
    m: Machine,
    start: int,
    following: Callable[[int], int],
    where: Callable[[int, int], Any],
    cost: Callable[[int, int], int],
    budget: int,
) -> int:
    """`within` for a single budget: a node keeps the most that is left there."""
    if budget < 0:
        return start
    best = dict.fromkeys(members(start), budget)
    queue = deque(best.items())
    while queue:
        x, left = queue.popleft()
        if left != best[x]:
            continue
        for y in members(following(x)):
            if where(x, y):
                price = cost(x, y)
                if price < 0:
                    raise m.fault(f"a step of `reach` costs {price}; costs must not be negative")
                rest = left - price
                if rest >= 0 and rest > best.get(y, -1):
                    best[y] = rest
                    queue.append((y, rest))
    return bits(list(best))


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
