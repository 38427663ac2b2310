"""Values as Python text: numbers, sets, lists, maps. The table of the writers of all expressions is at the end; reads
are in `loads`, conditions in `conditions`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dsl import ir
from dsl.base.types import ListType, SetType, SparseType, width
from dsl.program import RV, SEATS, TIMED, WAIVE
from interpreter.backends.python.emit.addresses import address_text, set_part
from interpreter.backends.python.emit.calls import call_value, is_atom
from interpreter.backends.python.emit.conditions import in_set, not_, truth
from interpreter.backends.python.emit.folds.reach import reach_text
from interpreter.backends.python.emit.folds.values import (
    fold_text,
    force,
    lazy_let,
    member_count,
    outlined_call,
)
from interpreter.backends.python.emit.function import Fn, Names
from interpreter.backends.python.emit.loads import (
    by_reference,
    cell,
    cell_sum,
    const,
    frame_item,
    frame_var,
    linear_sum,
    range_table,
    table_get,
    temp_value,
)
from interpreter.backends.python.emit.ranges import known_truth, range_of
from interpreter.backends.python.emit.source import sum_text
from interpreter.core.words import SCALARS, members

SYMBOL = {"+": "+", "-": "-", "*": "*", "mod": "%", "|": "|", "&": "&"}
MAY_FAIL = re.compile(r"\w\(|/|\w\[")  # texts that may fail
FEW_ITEMS = 3  # members that make a set without a call


def if_value(fn: Fn, e: ir.If) -> str:
    known = known_truth(fn, e.test)
    if known is not None:
        return fn(e.then if known else e.orelse)
    test = fn.test(e.test)
    with fn.lazily():
        text = f"({fn(e.then)} if {test} else {fn(e.orelse)})"
    return fn.hoist(text) if text.count("(") == 2 and not MAY_FAIL.search(text) else text


def arith(fn: Fn, e: ir.Arith) -> str:
    match e:
        case ir.Arith("&", ir.Cell(_, SetType() as t) as cell, ir.Const(int() as mask)) if width(t) > 1 and mask > 0:
            return f"({set_part(fn, cell, t, mask)} & {fn.constant(mask)})"
    left, right = fn(e.left), fn(e.right)
    match e.op:
        case "min" | "max":
            (a, b), (c, d) = range_of(fn, e.left), range_of(fn, e.right)
            if isinstance(e.right, ir.Const) and (a >= d if e.op == "max" else b <= c):
                return left
            if is_atom(left) and is_atom(right):
                return f"({left} if {left} {'<' if e.op == 'min' else '>'} {right} else {right})"
            return f"{e.op}({left}, {right})"
        case "div_up" | "div_down":
            if isinstance(e.right, ir.Const) and e.right.value != 0:
                return f"({left} // {right})" if e.op == "div_down" else f"(-(-{left} // {right}))"
            return f"{e.op}({left}, {right})"
        case "&~":
            return f"({left} & ~{right})"
        case "half_up":
            return f"(({left} + 1) // 2)"
        case "half_down":
            return f"({left} // 2)"
    return f"({left} {SYMBOL[e.op]} {right})"


def let(fn: Fn, e: ir.Let) -> str:
    if fn.eager:
        value, span = fn.hold(fn(e.value)), range_of(fn, e.value)
        before = fn.names.copy()
        fn.names.temps[e.slot], fn.names.ranges[e.slot] = value, span
        fn.names.known.pop(e.slot, None)
        text = fn(e.body)
        fn.names = Names(before.temps, before.known, before.ranges, fn.names.frame)
        return text
    return outlined_call(fn, e)


def subset(fn: Fn, e: ir.Subset) -> str:
    return f"(0 if {fn(e.left)} & ~{fn(e.right)} else 1)"


def in_list(fn: Fn, e: ir.InList) -> str:
    return f"in_list({fn(e.member)}, {fn(e.list)})"


def make_set(fn: Fn, e: ir.MakeSet) -> str:
    if len(e.items) == 1 and range_of(fn, e.items[0])[0] >= 0:
        none = "" if range_of(fn, e.items[0])[0] > 0 else " & -2"
        return f"(1 << {fn(e.items[0])}{none})"
    if 1 < len(e.items) <= FEW_ITEMS and all(range_of(fn, i)[0] >= 0 for i in e.items):
        return f"(({' | '.join(f'1 << {fn(i)}' for i in e.items)}) & -2)"
    return f"to_mask(({', '.join(fn(i) for i in e.items)},))" if e.items else "0"


def range_set(fn: Fn, e: ir.RangeSet) -> str:
    match e:
        case ir.RangeSet(ir.Const(1), ir.Cell(ir.Const(at))) if at == SEATS:
            return f"((2 << S[{SEATS}]) - 2)"
    return f"range_set({fn(e.low)}, {fn(e.high)})"


def size_of(fn: Fn, e: ir.Size) -> str:
    if e.kind == "set" and isinstance(e.operand, ir.Const):
        return str(e.operand.value.bit_count())
    if e.kind == "list":
        match e.operand:
            case ir.Cell(address, ListType()):
                return f"S[{address_text(fn, address)}]"
            case ir.FrameVar(slot, ListType()):
                return f"S[{fn.storage.at(slot)}]"
    if e.kind == "set":
        found = member_count(fn, e.operand)
        return found or f"({fn(e.operand)}).bit_count()"
    return f"{'len' if e.kind == 'list' else 'total'}({fn(e.operand)})"


def bounded(fn: Fn, e: ir.Bounded) -> str:
    low, high = range_of(fn, e.value)
    if e.low <= low and high <= e.high:
        return fn(e.value)
    return f"bounded({fn(e.value)}, {e.low}, {e.high}, {fn.ctx.object(e)})"


def list_item(fn: Fn, e: ir.ListItem) -> str:
    match e.list:
        case ir.FrameVar(slot, ListType(elem, _)) if type(elem) in SCALARS:
            if not fn.eager:
                return f"item_at(S, {fn.storage.at(slot)}, {fn(e.index)})"
            at, index = fn.storage.at(slot), fn.hold(fn(e.index))
            fn.line(f"if not 1 <= {index} <= S[{at}]: raise bad_item(S, {at}, {index})")
            return f"S[{at} + {index}]"
        case ir.Cell(address, ListType(elem, _)) if type(elem) in SCALARS:
            return f"item_at(S, {address_text(fn, address)}, {fn(e.index)})"
    return f"list_item({fn(e.list)}, {fn(e.index)})"


def list_op(fn: Fn, e: ir.ListOp) -> str:
    match e:
        case ir.ListOp("front", (ir.Cell(ir.Const(int() as at), ListType(elem, cap)),)) if (
            type(elem) in SCALARS and cap
        ):
            return f"(S[{at + 1}] if S[{at}] else 0)"
        case ir.ListOp("front", (items,)) if fn.eager:
            x = fn.hold(fn(items))
            return f"({x}[0] if {x} else 0)"
        case ir.ListOp("to_list", (ir.Const(int() as mask),)):
            return fn.constant(members(mask))
        case ir.ListOp("to_list", (ir.RangeSet(low, high),)):
            return f"tuple(range({fn(low)}, {sum_text(1, fn(high))}))"
    return f"list_{e.op}({', '.join(fn(a) for a in e.args)})"


def map_item(fn: Fn, e: ir.MapItem) -> str:
    if e.sparse:
        match e.map:
            case ir.FrameVar(type=SparseType() as t) | ir.Cell(type=SparseType() as t):
                text, loaded = fn(e.map), f"{fn.ctx.loader(t)}(S, "
                if text.startswith(loaded):
                    return f"sparse_at(S, {text[len(loaded) : -1]}, {fn(e.offset)})"
        return f"sparse_item({fn(e.map)}, {fn(e.offset)})"
    return f"{fn(e.map)}[{address_text(fn, e.offset)}]"


def map_with(fn: Fn, e: ir.MapWith) -> str:
    return f"map_with({fn(e.map)}, {fn(e.offset)}, {fn(e.value)})"


def by_place(fn: Fn, e: ir.ByPlace) -> str:
    return fn(e.read)


def running(fn: Fn, e: ir.Running) -> str:
    fn.storage.sync()
    return f"(1 if innermost(S, {fn.ctx.literal(tuple(e.procs))}) else 0)"


def waived(fn: Fn, e: ir.Waived) -> str:
    return f"(S[{WAIVE}] and S[{WAIVE}] >> {fn(e.cause)} & 1)"


def last_result(fn: Fn, e: ir.LastResult) -> str:
    return f"S[{RV}]"


def timed_active(fn: Fn, e: ir.TimedActive) -> str:
    return f"({by_reference(fn, e)} if S[{TIMED}] else 0)" if fn.ctx.facts.uses_timed else "0"


def timed_fold(fn: Fn, e: ir.TimedFold) -> str:
    none = "()" if e.op == "list" else "0"
    with fn.lazily():
        base = fn(e.base) if e.base is not None and e.op != "list" else none
        return f"({by_reference(fn, e)} if S[{TIMED}] else {base})" if fn.ctx.facts.uses_timed else base


def payable(fn: Fn, e: ir.Payable) -> str:
    fn.storage.sync()
    return f"can_pay({e.purse}, [{', '.join([fn(a) for a in e.args])}], {fn(e.amount)})"


def payments(fn: Fn, e: ir.Payments) -> str:
    fn.storage.sync()
    return f"count_ways({e.purse}, [{', '.join([fn(a) for a in e.args])}], {fn(e.amount)}, {e.gain}, {e.most})"


EXPRESSIONS: dict[type, Callable[[Any, Any], str]] = {
    ir.Const: const, ir.Temp: temp_value, ir.FrameVar: frame_var, ir.FrameItem: frame_item, ir.Cell: cell,
    ir.CellSum: cell_sum, ir.Linear: linear_sum, ir.TableGet: table_get, ir.RangeTable: range_table,
    ir.Not: not_, ir.And: truth, ir.Or: truth, ir.Compare: truth, ir.If: if_value, ir.Arith: arith, ir.Let: let,
    ir.LazyLet: lazy_let, ir.Force: force,
    ir.InSet: in_set, ir.Subset: subset, ir.InList: in_list, ir.MakeSet: make_set, ir.RangeSet: range_set,
    ir.Size: size_of, ir.Bounded: bounded, ir.ListItem: list_item, ir.ListOp: list_op, ir.MapItem: map_item,
    ir.MapWith: map_with,
    ir.Fold: fold_text, ir.Reach: reach_text, ir.CallFn: call_value, ir.ByPlace: by_place,
    ir.Running: running, ir.Waived: waived, ir.LastResult: last_result,
    ir.TimedActive: timed_active, ir.TimedFold: timed_fold,
    ir.Possible: by_reference, ir.Payable: payable, ir.Payments: payments,
}  # fmt: skip
"""The writer of each class of expressions; `by_reference` lets the reference evaluate the node."""
