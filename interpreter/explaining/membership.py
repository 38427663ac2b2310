"""Reasons why a value is not in the set that a choice offers: the filter behind the set, where it stands.

Goes from the set of a choice through named values, locals, unions and differences to the condition that keeps the
value out. The value must not be in the set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from dsl import ir
from dsl.base.types import Type
from dsl.ir.walk import free, walk
from interpreter.explaining.members import MOST_MEMBERS, Member, none_will_do
from interpreter.explaining.nouns import noun, shown
from interpreter.explaining.parts import DEEPEST, ConditionPart, Unfold, as_parts, either, joined, with_cites
from interpreter.explaining.scope import (
    ReadingScope,
    binding,
    called,
    evaluate,
    inside,
    is_visible,
    member_type,
    values_of,
)
from interpreter.rules.messages import Message, Named, join_messages, message

MOST_BINDINGS = 2000  # of the names of a set; among more nothing is looked for


def keeps_out(scope: ReadingScope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[ConditionPart]:
    """The conditions that keep a value out of a set or list; empty where they cannot be said. `unfold` takes conditions
    apart."""
    if not is_visible(scope, e):
        return []
    found = _filters(scope, e, value, type_, unfold)
    if not found and (what := noun(scope, e)) is not None:
        found = as_parts(message("why_outside", value=shown(scope, value, type_), what=what))
    return found


def _filters(scope: ReadingScope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[ConditionPart]:
    match e:
        case ir.CallFn(fn=fn):
            inner = called(scope, e) if scope.depth < DEEPEST else None
            if inner is None:
                return []
            function = scope.decision.game.program.functions[fn]
            return with_cites(keeps_out(inner, function.body, value, type_, unfold), function.cites)
        case ir.Fold(kind="set" | "list", body=ir.Temp(slot=slot), binders=((only, _),)) if slot == only:
            return _by_fold(scope, e, slot, value, type_, unfold)
        case ir.Fold(kind="set" | "list", body=body) if body is not None:
            return _by_bindings(scope, e, body, value, type_, unfold)
        case ir.Arith(op="|", left=left, right=right):
            outside = [keeps_out(scope, part, value, type_, unfold) for part in (left, right)]
            return either(outside)
        case ir.Arith(op="&", left=left, right=right):
            kept = [part for part in (left, right) if is_visible(scope, part) and not holds(scope, part, value)]
            return [found for part in kept for found in keeps_out(scope, part, value, type_, unfold)]
        case ir.Arith(op="&~", left=left, right=right):
            if is_visible(scope, left) and not holds(scope, left, value):
                return keeps_out(scope, left, value, type_, unfold)
            return let_in(scope, right, value, type_, unfold) if is_visible(scope, right) else []
        case ir.If(test=test, then=then, orelse=orelse) if is_visible(scope, test):
            return keeps_out(scope, then if evaluate(scope, test) else orelse, value, type_, unfold)
        case ir.Let(body=body) | ir.LazyLet(body=body):
            return keeps_out(inside(scope, e), body, value, type_, unfold)
        case ir.Force(slot=slot):
            let = next((x for x in reversed(scope.lets) if x.slot == slot), None)
            return keeps_out(scope, let.value, value, type_, unfold) if let is not None else []
        case ir.Temp(slot=slot) if slot in scope.given:
            arg, outer = scope.given[slot]
            return keeps_out(outer, arg, value, type_, unfold)
        case ir.ListOp(op="to_set" | "to_list", args=args):
            return keeps_out(scope, args[0], value, type_, unfold)
        case ir.FrameVar(slot=slot):
            return _by_local(scope, e, value, type_, unfold)
    return []


def let_in(scope: ReadingScope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[ConditionPart]:
    """The conditions that put a value into a set that it may not be in; empty where they cannot be said."""
    if (what := noun(scope, e)) is not None:
        return as_parts(message("why_within", value=shown(scope, value, type_), what=what))
    match e:
        case ir.Fold(kind="set", body=ir.Temp(slot=slot), binders=(_,), where=where) if where is not None:
            return unfold(binding(scope, slot, value, type_), where, False)
        case ir.MakeSet() | ir.Const():
            return as_parts(message("why_same", value=shown(scope, value, type_), wanted=shown(scope, value, type_)))
    return []


def holds(scope: ReadingScope, e: ir.Expr, value: int) -> bool:
    """True if a value is in a set or list."""
    content: Any = evaluate(scope, e)
    return bool(content >> value & 1) if isinstance(content, int) else value in content


def _by_fold(
    scope: ReadingScope, e: ir.Fold, slot: int, value: int, type_: Type, unfold: Unfold
) -> list[ConditionPart]:
    """`set(x in S where P)`: why the value is not in S, else the part of P that fails."""
    domain = e.binders[0][1]
    if domain.kind == "range" or not is_visible(scope, domain.a):
        return []
    if not holds(scope, domain.a, value):
        return keeps_out(scope, domain.a, value, type_, unfold)
    known = member_type(scope, domain, slot, e) or type_
    return unfold(binding(scope, slot, value, known), e.where, True) if e.where is not None else []


# ------------------------------------------------------------ sets of several names


def _by_bindings(
    scope: ReadingScope, e: ir.Fold, body: ir.Expr, value: int, type_: Type, unfold: Unfold
) -> list[ConditionPart]:
    """`set(x in S, y in T where P: B)`: the part of P that fails for those members by which B is the value; where there
    are none and B is one of the names, why the value is not in its set."""
    own = body.slot if isinstance(body, ir.Temp) else None
    try:
        every = list(islice(_bound(scope, e, e.binders, (), own, value), MOST_BINDINGS))
        members = [(name, inner) for name, inner in every if evaluate_seen(inner, body) == value]
    except NotSeen:
        return []
    if len(every) == MOST_BINDINGS:
        return []
    if members:
        tests = list(e.where.items) if isinstance(e.where, ir.And) else [e.where] if e.where is not None else []
        if len(members) == 1:
            return unfold(members[0][1], e.where, True) if e.where is not None else []
        return none_will_do(members, tests, True, unfold, None)
    at = next((n for n, (slot, _) in enumerate(e.binders) if slot == own), None)
    return _in_no_set(scope, e, at, value, type_, unfold) if at is not None else []


def _in_no_set(
    scope: ReadingScope, e: ir.Fold, at: int, value: int, type_: Type, unfold: Unfold
) -> list[ConditionPart]:
    """Parts that say why a value is in none of the sets that the binder of this number goes through; empty if one of
    them cannot be explained, or if there are too many."""
    domain = e.binders[at][1]
    if domain.kind == "range":
        return []
    if not at:
        return keeps_out(scope, domain.a, value, type_, unfold)
    told: list[ConditionPart] = []
    for name, inner in islice(_bound(scope, e, e.binders[:at], (), None, value), MOST_MEMBERS + 1):
        parts = keeps_out(inner, domain.a, value, type_, unfold)
        if not parts:
            return []
        words = message("why_for", member=name, why=joined(parts))
        told.append(ConditionPart(words, tuple(dict.fromkeys(cite for part in parts for cite in part.cites))))
    return told if len(told) <= MOST_MEMBERS else []


def _bound(
    scope: ReadingScope,
    e: ir.Fold,
    binders: Sequence[tuple[int, ir.Domain]],
    names: tuple[Message, ...],
    own: int | None,
    value: int,
) -> Iterator[Member]:
    """The scopes with all names bound, by what these are called. The name `own`, which has to be the value, is bound to
    nothing else and not told. Raises NotSeen where the reader may not see the members."""
    if not binders:
        yield join_messages(list(names)), scope
        return
    (slot, domain), *rest = binders
    if not all(is_visible(scope, end) for end in (domain.a, domain.b) if end is not None):
        raise NotSeen
    type_ = member_type(scope, domain, slot, e)
    for member in values_of(scope, domain):
        if slot == own and member != value:
            continue
        told = () if slot == own else (message("as_it_is", text=Named(member, type_) if type_ else str(member)),)
        yield from _bound(binding(scope, slot, member, type_), e, rest, (*names, *told), own, value)


def evaluate_seen(scope: ReadingScope, e: ir.Expr) -> Any:
    """The value of an expression. Raises NotSeen where the reader may not see it."""
    if not is_visible(scope, e):
        raise NotSeen
    return evaluate(scope, e)


class NotSeen(Exception):
    """Raised where what decides may not be seen."""


# ------------------------------------------------------------ locals


def _by_local(scope: ReadingScope, e: ir.FrameVar, value: int, type_: Type, unfold: Unfold) -> list[ConditionPart]:
    """The conditions that keep a value out of a local, by what it was set to, if it would be the same now. Of a local
    from which things are taken out, by what was taken out last, or by what it was to begin with."""
    made = [v for v in dict.fromkeys(_settings(scope, e)) if not free(v) and is_visible(scope, v)]
    taken = [v.right for v in made if isinstance(v, ir.Arith) and v.op == "&~" and v.left == e]
    begun = [v for v in made if all(node != e for node in walk(v))]
    now = evaluate(scope, e)
    if same := [v for v in begun if evaluate(scope, v) == now]:
        return keeps_out(scope, same[-1], value, type_, unfold)
    if len(begun) != 1 or len(begun) + len(taken) != len(made):
        return []
    if out := next((v for v in taken if holds(scope, v, value)), None):
        return let_in(scope, out, value, type_, unfold)
    return [] if holds(scope, begun[0], value) else keeps_out(scope, begun[0], value, type_, unfold)


def _settings(scope: ReadingScope, e: ir.FrameVar) -> Iterator[ir.Expr]:
    """The values that the routine which asks sets a local to."""
    decision = scope.decision
    program = decision.game.program
    asks = next((n for n, i in enumerate(program.code) if isinstance(i, ir.Ask) and i.site == decision.number), -1)
    begins = sorted(p.entry for p in program.procs if p.suspends and p.entry <= asks)
    if asks < 0 or not begins:
        return
    ends = min((p.entry for p in program.procs if p.suspends and p.entry > asks), default=len(program.code))
    for node in walk(tuple(program.code[begins[-1] : ends])):
        if isinstance(node, ir.SetFrame) and node.slot == e.slot and node.offset is None:
            yield node.value
