"""Expressions: the value of every node of the IR, by a walk over the tree.

Each handler takes the run, the node and the temps of the running activation and gives an int or a tuple; none
changes the store. `EVALUATE` maps node classes to handlers; `interpreter.machine.tables` adds the nodes that look at
options. Folds, reach, purses and timed records have modules of their own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import repeat
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE
from dsl.program import FP, FRAME_LINK, RV, WAIVE
from interpreter.core import frames, stack
from interpreter.core.lazy import Lazy, force
from interpreter.core.run import Evaluator, Run, call
from interpreter.core.words import SCALARS, Temps, load, members, to_mask
from interpreter.semantics import folds, purses, reach
from interpreter.semantics.reach import COMPARISONS, MAY_WALK

# ------------------------------------------------------------ loads


def _const(m: Run, e: ir.Const, t: Temps) -> Any:
    return e.value


def _temp(m: Run, e: ir.Temp, t: Temps) -> Any:
    return t[e.slot]


def _frame_var(m: Run, e: ir.FrameVar, t: Temps) -> Any:
    words = m.words
    at = words[FP] + FRAME_LINK + e.slot
    return words[at] if type(e.type) in SCALARS else load(words, at, e.type)


def _frame_item(m: Run, e: ir.FrameItem, t: Temps) -> Any:
    words = m.words
    return load(words, words[FP] + FRAME_LINK + e.slot + m.value(e.offset, t), e.type)


def _cell(m: Run, e: ir.Cell, t: Temps) -> Any:
    at = m.ev[type(e.address)](m, e.address, t)
    return m.words[at] if type(e.type) in SCALARS else load(m.words, at, e.type)


def _cell_sum(m: Run, e: ir.CellSum, t: Temps) -> int:
    at = m.value(e.address, t)
    return sum(m.words[at : at + e.count * e.stride : e.stride])


def _linear(m: Run, e: ir.Linear, t: Temps) -> int:
    total = e.const
    ev = m.ev
    for term, stride in e.terms:
        total += ev[type(term)](m, term, t) * stride
    return total


def _table_get(m: Run, e: ir.TableGet, t: Temps) -> Any:
    offset = m.ev[type(e.offset)](m, e.offset, t)
    table = m.program.tables[e.table]
    if not 0 <= offset < len(table):
        raise m.fault(f"item {offset} of a constant table of {len(table)} items was read", NOWHERE)
    return table[offset]


def _range_table(m: Run, e: ir.RangeTable, t: Temps) -> Any:
    key = m.value(e.key, t)
    for low, high, value in e.rows:
        if low <= key <= high:
            return value
    return e.rows[-1][2]


# ------------------------------------------------------------ logic and numbers


def _not(m: Run, e: ir.Not, t: Temps) -> int:
    return 0 if m.ev[type(e.operand)](m, e.operand, t) else 1


def _and(m: Run, e: ir.And, t: Temps) -> int:
    ev = m.ev
    for item in e.items:
        if not ev[type(item)](m, item, t):
            return 0
    return 1


def _or(m: Run, e: ir.Or, t: Temps) -> int:
    ev = m.ev
    for item in e.items:
        if ev[type(item)](m, item, t):
            return 1
    return 0


def _if(m: Run, e: ir.If, t: Temps) -> Any:
    branch = e.then if m.ev[type(e.test)](m, e.test, t) else e.orelse
    return m.ev[type(branch)](m, branch, t)


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "mod": operator.mod,
    "min": min,
    "max": max,
    "div_up": lambda a, b: -(-a // b),
    "div_down": operator.floordiv,
    "half_up": lambda a, _: (a + 1) // 2,
    "half_down": lambda a, _: a // 2,
    "|": operator.or_,
    "&": operator.and_,
    "&~": lambda a, b: a & ~b,
}


def _arith(m: Run, e: ir.Arith, t: Temps) -> int:
    ev = m.ev
    left = ev[type(e.left)](m, e.left, t)
    right = ev[type(e.right)](m, e.right, t)
    if right == 0 and e.op.startswith("div"):
        raise m.fault(f"{left} was divided by 0", NOWHERE)
    return ARITHMETIC[e.op](left, right)


def _compare(m: Run, e: ir.Compare, t: Temps) -> int:
    if type(e.left) in MAY_WALK or type(e.right) in MAY_WALK:
        asked = reach.asked(m, e)
        if asked is not None:
            return reach.answer(m, asked, t)
    ev = m.ev
    left = ev[type(e.left)](m, e.left, t)
    right = ev[type(e.right)](m, e.right, t)
    return 1 if COMPARISONS[e.op](left, right) else 0


# ------------------------------------------------------------ sets, lists, maps


def _in_set(m: Run, e: ir.InSet, t: Temps) -> int:
    if type(e.set) in MAY_WALK:
        asked = reach.asked(m, e)
        if asked is not None:
            return reach.answer(m, asked, t)
    member = m.ev[type(e.member)](m, e.member, t)
    mask = m.ev[type(e.set)](m, e.set, t)
    return mask >> member & 1 if member >= 0 else 0


def _subset(m: Run, e: ir.Subset, t: Temps) -> int:
    asked = reach.asked(m, e)
    if asked is not None:
        return reach.answer(m, asked, t)
    return 0 if m.value(e.left, t) & ~m.value(e.right, t) else 1


def _in_list(m: Run, e: ir.InList, t: Temps) -> int:
    member = m.value(e.member, t)
    return 1 if member and member in m.value(e.list, t) else 0


def _make_set(m: Run, e: ir.MakeSet, t: Temps) -> int:
    return to_mask([m.value(item, t) for item in e.items])


def _range_set(m: Run, e: ir.RangeSet, t: Temps) -> int:
    low, high = m.value(e.low, t), m.value(e.high, t)
    return ((1 << (high - low + 1)) - 1) << low if high >= low else 0


def _size(m: Run, e: ir.Size, t: Temps) -> int:
    value = m.ev[type(e.operand)](m, e.operand, t)
    if e.kind == "set":
        return int(value).bit_count()
    if e.kind == "list":
        return len(value)
    return sum(item[1] if isinstance(item, tuple) else item for item in value)


def _bounded(m: Run, e: ir.Bounded, t: Temps) -> int:
    found = m.value(e.value, t)
    if not e.low <= found <= e.high:
        raise m.fault(out_of_bounds(e, found), e.span)
    return int(found)


def out_of_bounds(e: ir.Bounded, found: int) -> str:
    return f"`{e.text}` is {found}, and a number from {e.low} to {e.high} is needed here"


def _list_item(m: Run, e: ir.ListItem, t: Temps) -> Any:
    items, index = m.value(e.list, t), m.value(e.index, t)
    if not 1 <= index <= len(items):
        raise m.fault(f"item {index} of a list of {len(items)} was read; items count from 1", NOWHERE)
    return items[index - 1]


LIST_OPS: dict[str, Callable[..., Any]] = {
    "insert": lambda items, item, index: (*items[:index], item, *items[index:]),
    "without": lambda items, mask: tuple(x for x in items if not mask >> x & 1),
    "concat": lambda left, right: (*left, *right),
    "to_set": to_mask,
    "to_list": members,
    "dense": lambda pairs, size, at: tuple(map(dict(pairs).get, range(-at, size - at), repeat(0, size))),
    "front": lambda items: items[0] if items else 0,
    "last": lambda items: items[-1] if items else 0,
    "front_some": lambda items, n: tuple(items[: max(n, 0)]),
    "last_some": lambda items, n: tuple(items[len(items) - n if 0 < n < len(items) else 0 :]) if n > 0 else (),
    "place": lambda item, items: items.index(item) + 1 if item in items else 0,
}


def _list_op(m: Run, e: ir.ListOp, t: Temps) -> Any:
    return LIST_OPS[e.op](*(m.value(arg, t) for arg in e.args))


def _map_item(m: Run, e: ir.MapItem, t: Temps) -> Any:
    items, offset = m.value(e.map, t), m.value(e.offset, t)
    if e.sparse:
        return next((amount for key, amount in items if key == offset), 0)
    return items[offset]


def _map_with(m: Run, e: ir.MapWith, t: Temps) -> Any:
    items, offset = m.value(e.map, t), m.value(e.offset, t)
    return (*items[:offset], m.value(e.value, t), *items[offset + 1 :])


# ------------------------------------------------------------ calls and the running frames


def _by_place(m: Run, e: ir.ByPlace, t: Temps) -> Any:
    return m.ev[type(e.read)](m, e.read, t)


def _call_fn(m: Run, e: ir.CallFn, t: Temps) -> Any:
    ev = m.ev
    return call(m, e.fn, [ev[type(arg)](m, arg, t) for arg in e.args])


def _running(m: Run, e: ir.Running, t: Temps) -> int:
    return 1 if stack.innermost(m.words, e.procs) else 0


def _pending(m: Run, e: ir.Pending, t: Temps) -> int:
    return frames.pending(m, m.value(e.thing, t), e.what)


def _waived(m: Run, e: ir.Waived, t: Temps) -> int:
    waived = m.words[WAIVE]
    return waived >> m.value(e.cause, t) & 1 if waived else 0


def _let(m: Run, e: ir.Let, t: Temps) -> Any:
    t[e.slot] = m.value(e.value, t)
    return m.value(e.body, t)


def _lazy_let(m: Run, e: ir.LazyLet, t: Temps) -> Any:
    t[e.slot] = Lazy(m.value, e.value, t)
    return m.value(e.body, t)


def _force(m: Run, e: ir.Force, t: Temps) -> Any:
    found = t[e.slot]
    return force(found) if type(found) is Lazy else found


def _last_result(m: Run, e: ir.LastResult, t: Temps) -> Any:
    return m.words[RV] if m.given is None else m.given


EVALUATE: dict[type, Evaluator] = {
    ir.Const: _const,
    ir.Temp: _temp,
    ir.FrameVar: _frame_var,
    ir.FrameItem: _frame_item,
    ir.Cell: _cell,
    ir.CellSum: _cell_sum,
    ir.Linear: _linear,
    ir.TableGet: _table_get,
    ir.RangeTable: _range_table,
    ir.Not: _not,
    ir.And: _and,
    ir.Or: _or,
    ir.If: _if,
    ir.Arith: _arith,
    ir.Compare: _compare,
    ir.InSet: _in_set,
    ir.Subset: _subset,
    ir.InList: _in_list,
    ir.MakeSet: _make_set,
    ir.RangeSet: _range_set,
    ir.Size: _size,
    ir.Bounded: _bounded,
    ir.ListItem: _list_item,
    ir.ListOp: _list_op,
    ir.MapItem: _map_item,
    ir.MapWith: _map_with,
    ir.CallFn: _call_fn,
    ir.Fold: folds.fold,
    ir.ByPlace: _by_place,
    ir.Reach: reach.reach,
    ir.Running: _running,
    ir.TimedActive: frames.timed_active,
    ir.TimedFold: frames.timed_fold,
    ir.Payable: purses.payable,
    ir.Payments: purses.count_payments,
    ir.Pending: _pending,
    ir.Waived: _waived,
    ir.Let: _let,
    ir.LazyLet: _lazy_let,
    ir.Force: _force,
    ir.LastResult: _last_result,
}
