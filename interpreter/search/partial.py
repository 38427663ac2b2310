"""The values of expressions that read an answer which is not known yet.

What does not read the answer is evaluated as always, by the machine. `unknown` gives the value of the others as
`interpreter.search.formulas` describes; an expression without a handler here, or whose parts cannot be seen, is opaque.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.base.types import BoolType, IntType, MemberType
from interpreter.core.errors import DemandFailed, RulesetError
from interpreter.core.run import Run
from interpreter.core.words import Temps, members
from interpreter.search import formulas as f
from interpreter.search.formulas import UNKNOWN, Formula, Members, Opaque, Sum, Unseen
from interpreter.search.known import concrete, free_temps, only_item
from interpreter.semantics.expressions import ARITHMETIC

MOST_NODES = 50_000  # of all formulas of one question; beyond, what is left is opaque
MOST_DEPTH = 40  # functions inside each other

Handler = Callable[["Partial", Any, Temps], Any]


@dataclass(slots=True)
class Partial:
    """The evaluation for one question. `highs`: the greatest amount of each item; `handlers`: how each class of
    expressions is evaluated; `left`: the nodes that may still be made."""

    m: Run
    highs: list[int]
    handlers: Mapping[type, Handler]
    left: int = MOST_NODES
    depth: int = 0

    def __call__(self, e: ir.Expr, t: Temps) -> Any:
        for slot in free_temps(e):
            if type(t[slot]) in UNKNOWN:
                break
        else:
            try:
                return self.m.value(e, t)
            except (RulesetError, DemandFailed):
                return Opaque(e, t[:], late=True)
        self.left -= 1
        handler = self.handlers.get(type(e))
        if handler is None or self.left < 0:
            return Opaque(e, t[:])
        try:
            return handler(self, e, t)
        except Unseen:
            return Opaque(e, t[:])

    def number(self, e: ir.Expr, t: Temps) -> f.Number:
        return f.number(self(e, t))

    def truth(self, e: ir.Expr, t: Temps) -> f.Number:
        return f.truth(self(e, t))


# ------------------------------------------------------------ logic and numbers


def _temp(p: Partial, e: ir.Temp | ir.Force, t: Temps) -> Any:
    return t[e.slot]


def _not(p: Partial, e: ir.Not, t: Temps) -> f.Number:
    return f.negate(p.truth(e.operand, t))


def _and(p: Partial, e: ir.And, t: Temps) -> f.Number:
    found = []
    for item in e.items:
        truth = p.truth(item, t)
        if truth == 0:
            return 0
        found.append(truth)
    return f.both(found)


def _or(p: Partial, e: ir.Or, t: Temps) -> f.Number:
    found = []
    for item in e.items:
        truth = p.truth(item, t)
        if truth == 1:
            return 1
        found.append(truth)
    return f.either(found)


def _if(p: Partial, e: ir.If, t: Temps) -> Any:
    test = p.truth(e.test, t)
    if isinstance(test, int):
        return p(e.then if test else e.orelse, t)
    then, orelse = p(e.then, t), p(e.orelse, t)
    if isinstance(then, Members) or isinstance(orelse, Members):
        return Members(chosen(test, members_of(then), members_of(orelse)))
    return f.choice(test, f.number(then), f.number(orelse))


def _compare(p: Partial, e: ir.Compare, t: Temps) -> f.Number:
    left, right = p(e.left, t), p(e.right, t)
    if isinstance(left, Members) or isinstance(right, Members):
        if e.op not in ("==", "!="):
            raise Unseen
        same = same_members(members_of(left), members_of(right))
        return same if e.op == "==" else f.negate(same)
    if e.op in ("==", "!=") and (type(left) is Opaque or type(right) is Opaque):
        raise Unseen  # perhaps no numbers
    return f.compare(e.op, f.number(left), f.number(right))


def _arith(p: Partial, e: ir.Arith, t: Temps) -> Any:
    left, right = p(e.left, t), p(e.right, t)
    if e.op in ("|", "&", "&~"):
        return combined(e.op, members_of(left), members_of(right))
    a, b = f.number(left), f.number(right)
    match e.op:
        case "+":
            return f.add(a, b)
        case "-":
            return f.add(a, f.scale(b, -1))
        case "*":
            return f.multiply(a, b)
        case "min" | "max":
            return f.extreme(e.op, a, b)
    if isinstance(b, int) and (b or e.op.startswith("half")):
        operation = ARITHMETIC[e.op]
        return f.apply(lambda v: operation(v, b), a)
    raise Unseen


def _linear(p: Partial, e: ir.Linear, t: Temps) -> f.Number:
    return f.total([e.const, *(f.scale(p.number(term, t), stride) for term, stride in e.terms)])


def _table_get(p: Partial, e: ir.TableGet, t: Temps) -> f.Number:
    table, offset = p.m.program.tables[e.table], p.number(e.offset, t)
    if not all(isinstance(v, int) for v in table) or type(offset) is Opaque:
        raise Unseen
    low, high = span(offset)
    if low < 0 or high >= len(table):
        raise Unseen
    return f.apply(table.__getitem__, offset)


def _range_table(p: Partial, e: ir.RangeTable, t: Temps) -> f.Number:
    if not all(isinstance(v, int) for *_, v in e.rows):
        raise Unseen

    def look_up(key: int) -> int:
        return next((int(v) for low, high, v in e.rows if low <= key <= high), int(e.rows[-1][2]))

    return f.apply(look_up, p.number(e.key, t))


def span(n: f.Number) -> tuple[int, int]:
    """Numbers between which a number certainly lies."""
    match n:
        case int():
            return n, n
        case Sum(const, tables):
            return const + sum(map(min, tables.values())), const + sum(map(max, tables.values()))
        case Formula(kind, args) if kind in f.TRUTHS:
            return 0, 1
        case Formula("+", args):
            spans = [span(arg) for arg in args]
            return sum(a for a, _ in spans), sum(b for _, b in spans)
        case Formula("min" | "max" as kind, args):
            (a, b), (c, d) = map(span, args)
            extreme = min if kind == "min" else max
            return extreme(a, c), extreme(b, d)
        case Formula("if", (_, then, orelse)):
            (a, b), (c, d) = span(then), span(orelse)
            return min(a, c), max(b, d)
        case Formula("best", pairs, (_, empty)):
            spans = [span(value) for _, value in pairs]
            return min(empty, *(a for a, _ in spans)), max(empty, *(b for _, b in spans))
        case Formula("*", args):
            (a, b), (c, d) = map(span, args)
            corners = a * c, a * d, b * c, b * d
            return min(corners), max(corners)
    raise Unseen


# ------------------------------------------------------------ sets


def members_of(value: Any) -> dict[int, f.Number]:
    """The members of a set, each with whether it is one."""
    if isinstance(value, Members):
        return value.truths
    if isinstance(value, int):
        return dict.fromkeys(members(value), 1)
    if isinstance(value, Sum) and value.item >= 0:  # one of several known sets
        masks = [value.const + v for v in value.tables[value.item]]
        if min(masks) >= 0:
            every = 0
            for mask in masks:
                every |= mask
            return {v: f.by_item(value.item, [mask >> v & 1 for mask in masks]) for v in members(every)}
    if isinstance(value, Formula) and value.kind == "if":
        return chosen(value.args[0], members_of(value.args[1]), members_of(value.args[2]))
    raise Unseen


def chosen(test: f.Number, a: dict[int, f.Number], b: dict[int, f.Number]) -> dict[int, f.Number]:
    """The members of one set or the other."""
    return {v: f.choice(test, a.get(v, 0), b.get(v, 0)) for v in (*a, *(v for v in b if v not in a))}


def combined(op: str, a: dict[int, f.Number], b: dict[int, f.Number]) -> Members:
    """Union, intersection or difference."""
    if op == "|":
        return Members({v: f.either([a.get(v, 0), b.get(v, 0)]) for v in (*a, *(v for v in b if v not in a))})
    if op == "&":
        return Members({v: f.both([truth, b[v]]) for v, truth in a.items() if v in b})
    return Members({v: f.both([truth, f.negate(b.get(v, 0))]) for v, truth in a.items()})


def same_members(a: dict[int, f.Number], b: dict[int, f.Number]) -> f.Number:
    return f.both([f.compare("==", a.get(v, 0), b.get(v, 0)) for v in {*a, *b}])


def _in_set(p: Partial, e: ir.InSet, t: Temps) -> f.Number:
    member, among = p(e.member, t), p(e.set, t)
    if isinstance(member, int):
        return members_of(among).get(member, 0)
    if not isinstance(among, int):
        raise Unseen
    return f.apply(lambda v: among >> v & 1 if v >= 0 else 0, f.number(member))


def _subset(p: Partial, e: ir.Subset, t: Temps) -> f.Number:
    left, right = members_of(p(e.left, t)), members_of(p(e.right, t))
    return f.both([f.either([f.negate(truth), right.get(v, 0)]) for v, truth in left.items()])


def _in_list(p: Partial, e: ir.InList, t: Temps) -> f.Number:
    member, items = p.number(e.member, t), p(e.list, t)
    if type(items) in UNKNOWN:
        raise Unseen
    return f.apply(lambda v: int(v != 0 and v in items), member)


def _make_set(p: Partial, e: ir.MakeSet, t: Temps) -> Members:
    found: dict[int, f.Number] = {}
    for item in e.items:
        value = p.number(item, t)
        if isinstance(value, Sum) and value.item >= 0:
            values = [value.const + v for v in value.tables[value.item]]
            more = {v: f.by_item(value.item, [int(w == v) for w in values]) for v in set(values) if v}
        elif isinstance(value, int):
            more = {value: 1} if value else {}
        else:
            raise Unseen
        found = combined("|", found, more).truths
    return Members(found)


# ------------------------------------------------------------ functions


def _call_fn(p: Partial, e: ir.CallFn, t: Temps) -> Any:
    """The value of a function: of one item by a table, of several through its body."""
    args = [p(arg, t) for arg in e.args]
    fn = p.m.program.functions[e.fn]
    item = only_item(args)
    if item >= 0 and isinstance(fn.result, IntType | BoolType | MemberType):
        amounts = range(p.highs[item] + 1)
        call = ir.CallFn(e.fn, tuple([ir.Temp(n) for n in range(len(args))]))
        try:
            values = [p.m.value(call, [concrete(p.m, a, {item: n}.__getitem__) for a in args]) for n in amounts]
        except (RulesetError, DemandFailed):
            raise Unseen from None
        return f.by_item(item, values)
    if p.depth >= MOST_DEPTH:
        raise Unseen
    p.depth += 1
    try:
        return p(fn.body, args + [0] * (fn.temps - len(args)))
    finally:
        p.depth -= 1


def _let(p: Partial, e: ir.Let | ir.LazyLet, t: Temps) -> Any:
    t[e.slot] = p(e.value, t)
    return p(e.body, t)


def _by_place(p: Partial, e: ir.ByPlace, t: Temps) -> Any:
    return p(e.read, t)


SINGLE_VALUES: dict[type, Handler] = {
    ir.Temp: _temp, ir.Not: _not, ir.And: _and, ir.Or: _or, ir.If: _if, ir.Compare: _compare, ir.Arith: _arith,
    ir.Linear: _linear, ir.TableGet: _table_get, ir.RangeTable: _range_table, ir.InSet: _in_set, ir.Subset: _subset,
    ir.InList: _in_list, ir.MakeSet: _make_set, ir.CallFn: _call_fn, ir.Let: _let, ir.ByPlace: _by_place,
    ir.LazyLet: _let, ir.Force: _temp,
}  # fmt: skip
