"""The names that generated Python may use: those of one machine, and operations that need more than an expression.

`scope` gives the dictionary that is the global scope of all generated code of a machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.base.types import INT_HIGH, WORD_BITS, IntType, ListType, MapType, SetType, Type, bounds, width
from dsl.program import FP, FRAME_LINK, PC, STEPS, Program
from interpreter.backends.python.runtime.moves import make_mix, make_move, make_show, make_shuffle
from interpreter.choices import confirm, options
from interpreter.core import frames, placement, stack
from interpreter.core.lazy import Lazy, force
from interpreter.core.question import DECLINE
from interpreter.core.rng import pick
from interpreter.core.run import Run
from interpreter.core.words import SCALARS, Temps, load, members, to_mask
from interpreter.machine import invariants
from interpreter.semantics import expressions, purses, reach, statements
from interpreter.semantics.expressions import out_of_bounds

Pairs = tuple[tuple[int, Any], ...]
Target = tuple[Type, str, Span | None]  # of an assignment: type, name for messages, where it is written


def scope(m: Run, temps: Temps) -> dict[str, Any]:
    """The global scope of generated code. `temps`: those of the machine, as many as any procedure or function has."""
    program, most = m.program, len(temps)

    def see(e: ir.Expr, pairs: Pairs) -> Any:
        """The value of a node by the reference; `pairs` are the temps that it may read."""
        t = [0] * most
        for slot, value in pairs:
            t[slot] = value
        return m.ev[type(e)](m, e, t)

    def do(s: ir.Stmt, pairs: Pairs) -> None:
        t = [0] * most
        for slot, value in pairs:
            t[slot] = value
        m.ex[type(s)](m, s, t)

    def step(pc: int, pairs: Pairs) -> int:
        """One instruction by the reference."""
        for slot, value in pairs:
            temps[slot] = value
        i = program.code[pc]
        m.words[PC] = pc
        return m.ins[type(i)](m, i, pc, temps)

    calls = [call_of(program, proc) for proc in program.procs]

    def enter(words: list[int], number: int, args: tuple[Any, ...], back: int) -> int:
        """Call a procedure by its number; gives the instruction at which to go on."""
        entry, most, rest = calls[number]
        base = len(words)
        if base <= most:
            words[STEPS] += 1
            words.extend((back, words[FP], number, *args, *rest))
            words[FP] = base
            return entry
        plain = names.get(f"_p{number}")
        if plain is None:
            return m.enter(number, list(args), back)
        plain(words, *args[: len(program.procs[number].params)])
        return back

    def outside(what: Target, value: int) -> Exception:
        t, name, span = what
        assert isinstance(t, IntType)
        return m.fault(f"{name} must be in {t.low}..{t.high}, but was set to {value}", span or Span("", 0, 0))

    def put(words: list[int], at: int, what: Target, value: Any) -> None:
        statements.write(m, at, what[0], value, what[1], what[2] or Span("", 0, 0))

    def required(what: tuple[str, Span, tuple[str, ...]]) -> Exception:
        return m.demand(f"required: {what[0]}", what[1], what[2], ends=True)

    def dead_end(number: int) -> Exception:
        site = program.sites[number]
        message = f"a dead end: `{site.address}` must be answered, but there is nothing to choose"
        return m.demand(message, site.span, site.cites)

    def nothing_to_draw(span: Span) -> Exception:
        return m.demand("there is nothing to draw from", span)

    def nothing_first(span: Span) -> Exception:
        return m.demand("`first` needs a member, but there is none", span)

    def endless(span: Span | None) -> Exception:
        return m.endless(span or NOWHERE)

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

    def item_at(words: list[int], at: int, index: int) -> int:
        if not 1 <= index <= words[at]:
            raise m.fault(f"item {index} of a list of {words[at]} was read; items count from 1", NOWHERE)
        return words[at + index]

    def bounded(found: int, low: int, high: int, e: ir.Bounded) -> int:
        if not low <= found <= high:
            raise m.fault(out_of_bounds(e, found), e.span)
        return found

    def bad_item(words: list[int], at: int, index: int) -> Exception:
        return m.fault(f"item {index} of a list of {words[at]} was read; items count from 1", NOWHERE)

    def table(number: int, shift: int) -> Table:
        return Table(m, program.tables[number], shift)

    def rows_from(items: tuple[Any, ...], shift: int) -> Table:
        return Table(m, items, shift)

    def members_of(number: int, shift: int) -> Table:
        return Table(m, tuple(members(mask) for mask in program.tables[number]), shift)

    def padded(number: int, pad: int, as_members: bool) -> tuple[Any, ...]:
        items = program.tables[number]
        return (0,) * pad + (tuple(members(mask) for mask in items) if as_members else items)

    def rows_of(outer: int, by: int, number: int, const: int, shift: int) -> Table:
        inner = program.tables[number]
        found = (rows(tuple(inner[v + const] for v in members(mask)), shift) for mask in program.tables[outer])
        return Table(m, tuple(found), by)

    def inverse(number: int, const: int, mask: int) -> dict[Any, tuple[int, ...]]:
        items = program.tables[number]
        found: dict[Any, tuple[int, ...]] = {}
        for v in members(mask):
            found[items[v + const]] = (*found.get(items[v + const], ()), v)
        return found

    names: dict[str, Any] = {
        "m": m, "T": temps, "see": see, "do": do, "step": step, "outside": outside, "put": put, "required": required,
        "dead_end": dead_end, "nothing_to_draw": nothing_to_draw, "nothing_first": nothing_first, "pick": pick,
        "W": m.passes, "overworked": m.overworked, "too_many": lambda n: options.too_many(m, program.sites[n]),
        "endless": endless, "div_up": div_up, "div_down": div_down, "list_item": list_item, "item_at": item_at,
        "bounded": bounded, "bad_item": bad_item, "table": table, "members_of": members_of, "padded": padded,
        "rows": rows, "rows_of": rows_of, "rows_from": rows_from, "inverse": inverse, "DECLINE": DECLINE,
        "members": members, "to_mask": to_mask, "lookup": lookup, "cells": cells, "ranked": ranked, "tiers": tiers,
        "keyed": keyed, "bits": bits, "range_set": range_set, "total": total,
        "sparse_item": sparse_item, "sparse_at": sparse_at,
        "in_list": in_list, "has": has, "map_with": map_with, "flood": flood, "within": partial(within, m),
        "within_one": partial(within_one, m), "innermost": stack.innermost, "pieces": partial(statements.transfer, m),
        "call": m.call_plain, "move": make_move(m), "learnt": partial(placement.commit_plan_of, m),
        "shuffle": make_shuffle(m), "show": make_show(m),
        "enter": enter, "push": partial(frames.push, m), "end_plan": m.end_plan,
        "together": lambda s: statements.together(m, s.delta),
        "atomic_end": lambda s: invariants.atomic_end(m, s, []),
        "confirmed": partial(confirm.is_offered, m), "pick_piece": pick_piece,
        "can_pay": partial(purses.can_pay, m), "count_ways": partial(purses.count_ways, m),
        "pay": partial(purses.settle, m),
        "mix": make_mix(m), "is_number": is_number, "Lazy": Lazy, "force": force,
        "shortest": partial(reach.shortest, m), "length_of": length_of,
        "__builtins__": {
            "sum": sum, "len": len, "min": min, "max": max, "any": any, "all": all, "tuple": tuple, "range": range,
            "list": list, "enumerate": enumerate, "zip": zip, "int": int,
        },
    }  # fmt: skip
    names |= {f"list_{op}": fn for op, fn in expressions.LIST_OPS.items()}
    return names


def call_of(program: Program, proc: ir.Proc) -> tuple[int, int, tuple[int, ...]]:
    """The entry of a procedure, the longest store to which its frame can be added without a test of the limits (-1:
    it has no frame, or not a plain one), and the words behind its arguments."""
    limits, size = program.limits, FRAME_LINK + proc.frame_words
    if not proc.suspends or any(type(t) not in SCALARS for _, t in proc.params):
        return proc.entry, -1, ()
    most = program.state_words + min(limits.stack - size, FRAME_LINK * (limits.frames - 1))
    return proc.entry, most, (0,) * (proc.frame_words - len(proc.params))


def rows(masks: Iterable[int], shift: int) -> tuple[tuple[int, ...], ...]:
    """The members of some sets, a number added to each."""
    return tuple(tuple(v + shift for v in members(mask)) for mask in masks)


def pick_piece(words: list[int], counts: Sequence[int], total: int, low: int) -> int:
    """The kind of a piece drawn from `total` pieces, each equally likely; `counts` are those of the kinds from `low`
    on."""
    left = pick(words, range(total))
    for kind, n in enumerate(counts, low):
        left -= n
        if left < 0:
            return kind
    raise AssertionError("there are fewer pieces than were counted")


def is_number(value: Any) -> bool:
    """Whether a result may stay in the store at a question."""
    return type(value) is int and -INT_HIGH <= value <= INT_HIGH


class Table(dict[int, Any]):
    """A constant table by number plus a shift; an item outside it is a fault of the ruleset."""

    def __init__(self, m: Run, items: tuple[Any, ...], shift: int) -> None:
        super().__init__(enumerate(items, shift))
        self.machine, self.shift = m, shift

    def __missing__(self, at: int) -> Any:
        size = len(self)
        raise self.machine.fault(f"item {at - self.shift} of a constant table of {size} items was read", NOWHERE)


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
    for k, amount in items:
        if k == key:
            return amount
    return 0


def sparse_at(words: list[int], at: int, key: int) -> int:
    """The amount under a key in a sparse map in the store."""
    for k in range(at + 1, at + 1 + 2 * words[at], 2):
        if words[k] == key:
            return words[k + 1]
    return 0


def map_with(items: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*items[:at], value, *items[at + 1 :])


def rank(pair: tuple[tuple[int, ...], Any]) -> tuple[int, ...]:
    return pair[0]


def ranked(pairs: list[tuple[tuple[int, ...], Any]]) -> tuple[Any, ...]:
    return tuple(v for _, v in sorted(pairs, key=rank))


def tiers(pairs: list[tuple[tuple[int, ...], Any]]) -> tuple[int, ...]:
    found: dict[tuple[int, ...], int] = {}
    for r, v in pairs:
        found[r] = found.get(r, 0) | 1 << v
    return tuple(found[r] for r in sorted(found))


def keyed(pairs: list[tuple[tuple[int, ...], Any]], keys: tuple[tuple[int, int], ...], empty: Any) -> tuple[Any, ...]:
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


def length_of(found: tuple[int, int], empty: int) -> int:
    return empty if found[0] < 0 else found[0]


def within_one(
    m: Run,
    start: int,
    following: Callable[[int], int],
    where: Callable[[int, int], Any],
    cost: Callable[[int, int], int],
    budget: int,
) -> int:
    """`within` for a single budget: for each node only the most that is left there counts."""
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
    m: Run,
    start: int,
    following: Callable[[int], int],
    where: Callable[[int, int], Any],
    cost: Callable[[int, int], tuple[int, ...]],
    budget: tuple[int, ...],
) -> int:
    """The nodes within reach, breadth first over what is left of the budgets; each node has the remainders that no
    other one beats."""
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
    return bits([x for x, remainders in best.items() if remainders])
