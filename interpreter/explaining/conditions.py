"""A condition that does not hold, taken apart: which part of it fails, in words with the values that are there.

`unfold` goes into named values, joined conditions, blocks and folds, as far as the reader may see what they read, and
gives what it finds in words; nothing where the form of a condition has none. The condition must not hold there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.types import MemberType, SetType, Type
from dsl.ir.walk import walk
from interpreter.core.errors import RulesetError
from interpreter.explaining.members import none_will_do
from interpreter.explaining.membership import keeps_out
from interpreter.explaining.nouns import is_worth, noun, shown
from interpreter.explaining.parts import DEEPEST, MOST_PARTS, ConditionPart, as_parts, either, with_cites
from interpreter.explaining.scope import (
    ReadingScope,
    binding,
    called,
    domains_of,
    evaluate,
    inside,
    is_visible,
    member_type,
    slot_cell,
    type_of,
    values_of,
)
from interpreter.rules.messages import Message, Named, TextLabel, message

MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
ORDERS = {">=": "at_least", "<=": "at_most", ">": "more_than", "<": "less_than"}


def unfold(scope: ReadingScope, e: ir.Expr, wanted: bool = True) -> list[ConditionPart]:
    """The parts of a condition for which it is not as it is `wanted`."""
    if not is_visible(scope, e) and not isinstance(e, (ir.Not, ir.And, ir.Or)):
        return []
    match e:
        case ir.Not(operand=operand):
            return unfold(scope, operand, not wanted)
        case ir.And(items=items) | ir.Or(items=items):
            if isinstance(e, ir.And) is wanted:
                return _failing(scope, items, wanted)
            return _alternatives(scope, items, wanted)
        case ir.Let(body=body) | ir.LazyLet(body=body):
            return unfold(inside(scope, e), body, wanted)
        case ir.If(test=test, then=then, orelse=orelse) if is_visible(scope, test):
            return unfold(scope, then if evaluate(scope, test) else orelse, wanted)
        case ir.ByPlace(meaning=meaning):
            return unfold(scope, meaning, wanted)
        case ir.CallFn():
            return _inside_value(scope, e, wanted)
        case ir.Fold(kind="any" | "every"):
            return _of_members(scope, e, wanted)
        case ir.Compare():
            return as_parts(_comparison(scope, e, wanted))
        case ir.InSet(member=member, set=whole) | ir.InList(member=member, list=whole):
            return _membership(scope, member, whole, wanted)
        case ir.Possible(proc=proc):
            name = scope.decision.game.program.procs[proc].name
            return as_parts(message("why_cannot", what=message("as_it_is", text=TextLabel((f"{name}.title", name)))))
    what = noun(scope, e)
    return as_parts(message("why_not_so" if wanted else "why_so", what=what) if what else None)


def in_words(scope: ReadingScope, test: ir.Expr) -> list[ConditionPart]:
    """The parts of a condition that does not hold; none where it has no words, or no value in parts."""
    try:
        return unfold(scope, test)
    except (RulesetError, NotVisible):
        return []


# ------------------------------------------------------------ joined conditions


def _failing(scope: ReadingScope, items: Sequence[ir.Expr], wanted: bool) -> list[ConditionPart]:
    """The parts of those conditions, all of which have to be `wanted`, that are not. One that reads what an earlier one
    found to be none has no meaning, and no value perhaps."""
    found: list[ConditionPart] = []
    missing: list[ir.Expr] = []
    for item in items:
        if any(node == e for e in missing for node in walk(item)) or not is_visible(scope, item):
            continue
        if bool(evaluate(scope, item)) == wanted:
            continue
        found += unfold(scope, item, wanted)
        missing += missing_in(item, wanted)
    return found


def missing_in(test: ir.Expr, wanted: bool = True) -> list[ir.Expr]:
    """The operand that a failed condition has found to be none, in a list; empty for other conditions."""
    while isinstance(test, ir.Not):
        test, wanted = test.operand, not wanted
    if isinstance(test, ir.Compare) and test.right == ir.Const(0) and test.op == ("!=" if wanted else "=="):
        return [test.left]
    return []


def _inside_value(scope: ReadingScope, e: ir.CallFn, wanted: bool) -> list[ConditionPart]:
    """The parts of a declared value; the value by its name where its parts cannot be told, or are too many."""
    function = scope.decision.game.program.functions[e.fn]
    inner = called(scope, e) if scope.depth < DEEPEST else None
    found = unfold(inner, function.body, wanted) if inner is not None else []
    if not 0 < len(found) <= MOST_PARTS:
        what = noun(scope, e)
        found = as_parts(message("why_not_so" if wanted else "why_so", what=what) if what else None)
    return with_cites(found, function.cites)


def _alternatives(scope: ReadingScope, items: Sequence[ir.Expr], wanted: bool) -> list[ConditionPart]:
    """Conditions, one of which has to be `wanted`, while none is. Values that one thing may have are told together."""
    told = [unfold(scope, item, wanted) for item in items]
    single = [parts[0].words[0] for parts in told if len(parts) == 1 and len(parts[0].words) == 1]
    what = [dict(sentence[1]) for sentence in single if sentence[0] == "why_is"]
    if len(what) == len(items) > 1 and all(w["what"] == what[0]["what"] for w in what):
        wanted_values = message("as_it_is", text=what[0]["wanted"])
        for w in what[1:]:
            wanted_values = message("why_or", a=wanted_values, b=w["wanted"])
        words = message("why_is", what=what[0]["what"], value=what[0]["value"], wanted=wanted_values)
        return [ConditionPart(words, tuple(dict.fromkeys(c for parts in told for p in parts for c in p.cites)))]
    return either(told)


# ------------------------------------------------------------ folds


def _of_members(scope: ReadingScope, e: ir.Fold, wanted: bool) -> list[ConditionPart]:
    """`any` and `every`: the member for which it is not as wanted, or that none will do."""
    if e.where is None and e.body is None:
        return []
    if (e.kind == "every") == wanted:
        return _first_wrong(scope, e, list(e.binders), wanted)
    if len(e.binders) != 1:
        return []
    slot, domain = e.binders[0]
    if not is_visible(scope, domain.a) or domain.b is not None and not is_visible(scope, domain.b):
        return []
    type_, values = member_type(scope, domain, slot, e), values_of(scope, domain)
    what = noun(scope, domain.a)
    if not values:
        return as_parts(message("why_no_member", what=what) if what else None)
    return _none_will_do(scope, e, slot, type_, values) if type_ is not None else []


def _none_will_do(
    scope: ReadingScope, e: ir.Fold, slot: int, type_: Type, values: Sequence[Any]
) -> list[ConditionPart]:
    """Parts that say of each member why it will not do."""
    members = [(message("as_it_is", text=Named(v, type_)), binding(scope, slot, v, type_)) for v in values]
    return none_will_do(members, _tests_of(e), e.kind == "any", unfold, noun(scope, e.binders[0][1].a))


def _tests_of(e: ir.Fold) -> list[ir.Expr]:
    """The conditions on a member, as far as they are joined by `and`."""
    test = _test_of(e)
    return list(test.items) if e.kind == "any" and isinstance(test, ir.And) else [test]


def _first_wrong(
    scope: ReadingScope, e: ir.Fold, binders: list[tuple[int, ir.Domain]], wanted: bool
) -> list[ConditionPart]:
    """The first member, or members of several binders, for which a test is not as wanted. The search ends where the
    reader may not see what decides."""
    if not binders:
        test = _test_of(e)
        if not is_visible(scope, test):
            raise NotVisible
        return unfold(scope, test, wanted) if bool(evaluate(scope, test)) != wanted else []
    (slot, domain), *rest = binders
    if not is_visible(scope, domain.a) or domain.b is not None and not is_visible(scope, domain.b):
        return []
    type_ = member_type(scope, domain, slot, e)
    for value in values_of(scope, domain):
        try:
            found = _first_wrong(binding(scope, slot, value, type_), e, rest, wanted)
        except NotVisible:
            if len(binders) < len(e.binders):
                raise
            return []
        if found:
            return found
    return []


class NotVisible(Exception):
    """Raised where a search would tell what the reader may not see."""


def _test_of(e: ir.Fold) -> ir.Expr:
    tests = [test for test in (e.where, e.body) if test is not None]
    if len(tests) == 1:
        return tests[0]
    if e.kind == "every":
        return ir.Or((ir.Not(tests[0]), tests[1]))
    return ir.And(tuple(item for test in tests for item in (test.items if isinstance(test, ir.And) else (test,))))


# ------------------------------------------------------------ comparisons and sets


def _comparison(scope: ReadingScope, e: ir.Compare, wanted: bool) -> Message | None:
    op, left, right = e.op if wanted else NEGATED[e.op], e.left, e.right
    type_ = type_of(scope, left) or type_of(scope, right)
    what, other = noun(scope, left), noun(scope, right)
    value, limit = evaluate(scope, left), evaluate(scope, right)
    if isinstance(type_, MemberType) and (right == ir.Const(0) or left == ir.Const(0)):
        return _about_none(scope, left if right == ir.Const(0) else right, what or other, value or limit, type_, op)
    if what is None and other is not None:
        what, other, value, limit, op = other, None, limit, value, MIRRORED.get(op, op)
    seen, bound = shown(scope, value, type_), shown(scope, limit, type_)
    if isinstance(type_, SetType) and not limit and op == "!=":
        return message("why_nothing", what=what) if what else message("why_nobody")
    if what is None:
        if op in ORDERS:
            return message(f"why_bare_{ORDERS[op]}", value=seen, wanted=bound)
        return message("why_differs" if op == "==" else "why_same", value=seen, wanted=bound)
    if other is not None and other != what:
        bound = message("why_named", value=bound, what=other)
    if op == "!=":
        return message("why_is_not", what=what, wanted=bound)
    if value == 0 and (op, limit) in ((">", 0), (">=", 1)) and other is None and not is_worth(scope, left):
        return message("why_nothing", what=what)
    if op == ">=" and is_worth(scope, left):
        return message("why_pay", what=what, value=seen, wanted=bound)
    return message(f"why_{ORDERS[op]}" if op in ORDERS else "why_is", what=what, value=seen, wanted=bound)


def _about_none(
    scope: ReadingScope, e: ir.Expr, what: Message | None, value: Any, type_: MemberType, op: str
) -> Message | None:
    """A place or field that has to be empty, or not."""
    if op != "==":
        return message("why_nothing", what=what) if what else message("why_nobody")
    if what is None:
        return message("why_differs", value=shown(scope, value, type_), wanted=message("none"))
    held = slot_cell(e) is not None or isinstance(e, ir.Cell) and is_zone(scope, e.symbol)
    if held:
        return message("why_taken", what=what, value=shown(scope, value, type_))
    return message("why_is", what=what, value=shown(scope, value, type_), wanted=message("none"))


def is_zone(scope: ReadingScope, symbol: str) -> bool:
    sorts = ("zone", "slot", "pieces")
    return any(entry.symbol == symbol and entry.sort in sorts for entry in scope.decision.game.layout)


def _membership(scope: ReadingScope, member: ir.Expr, whole: ir.Expr, wanted: bool) -> list[ConditionPart]:
    """A thing that has to be in a set, or not."""
    value = evaluate(scope, member)
    type_, of_set = type_of(scope, member), type_of(scope, whole)
    if type_ is None and isinstance(of_set, SetType):
        type_ = of_set.elem
    if not value and isinstance(type_, MemberType):
        what = noun(scope, member)
        return as_parts(message("why_nothing", what=what) if what else message("why_nobody"))
    fitting = domains_of(scope, evaluate(scope, whole)) if isinstance(whole, ir.Const) else []
    seen = shown(scope, value, type_)
    if fitting:
        kind = message("as_it_is", text=TextLabel((f"kind.{fitting[0].name}", fitting[0].name)))
        return as_parts(message("why_no_kind" if wanted else "why_a_kind", value=seen, set=kind))
    if wanted and type_ is not None and (found := keeps_out(scope, whole, value, type_, unfold)):
        return found if len(found) <= MOST_PARTS else found[:1]
    what, content = noun(scope, whole), evaluate(scope, whole)
    if what is None and isinstance(of_set, SetType) and isinstance(content, int):
        what = message("as_it_is", text=Named(content, of_set))
    return as_parts(message("why_outside" if wanted else "why_within", value=seen, what=what) if what else None)
