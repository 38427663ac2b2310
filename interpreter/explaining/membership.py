"""Why a value is not in the set that a choice offers: the filter behind the set, where it stands.

Goes from the set of a choice through named values, locals, unions and differences to the condition that keeps the
value out. The value must not be in the set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl import ir
from dsl.base.types import Type
from dsl.ir.walk import free, walk
from interpreter.explaining.nouns import noun, shown
from interpreter.explaining.parts import DEEPEST, Part, Unfold, as_parts, either, with_cites
from interpreter.explaining.scope import (
    Scope,
    binding,
    called,
    evaluate,
    inside,
    is_visible,
    member_type,
)
from interpreter.rules.messages import message


def keeps_out(scope: Scope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[Part]:
    """What keeps a value out of a set or list; empty where it cannot be said. `unfold` takes conditions apart."""
    if not is_visible(scope, e):
        return []
    found = _filters(scope, e, value, type_, unfold)
    if not found and (what := noun(scope, e)) is not None:
        found = as_parts(message("why_outside", value=shown(scope, value, type_), what=what))
    return found


def _filters(scope: Scope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[Part]:
    match e:
        case ir.CallFn(fn=fn):
            inner = called(scope, e) if scope.depth < DEEPEST else None
            if inner is None:
                return []
            function = scope.decision.game.program.functions[fn]
            return with_cites(keeps_out(inner, function.body, value, type_, unfold), function.cites)
        case ir.Fold(kind="set" | "list", body=ir.Temp(slot=slot)):
            return _by_fold(scope, e, slot, value, type_, unfold)
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
            made = local_value(scope, e)
            return keeps_out(scope, made, value, type_, unfold) if made is not None else []
    return []


def let_in(scope: Scope, e: ir.Expr, value: int, type_: Type, unfold: Unfold) -> list[Part]:
    """What puts a value into a set that it may not be in."""
    if (what := noun(scope, e)) is not None:
        return as_parts(message("why_within", value=shown(scope, value, type_), what=what))
    match e:
        case ir.Fold(kind="set", body=ir.Temp(slot=slot), binders=(_,), where=where) if where is not None:
            return unfold(binding(scope, slot, value, type_), where, False)
        case ir.MakeSet() | ir.Const():
            return as_parts(message("why_same", value=shown(scope, value, type_), wanted=shown(scope, value, type_)))
    return []


def holds(scope: Scope, e: ir.Expr, value: int) -> bool:
    """Whether a value is in a set or list."""
    content: Any = evaluate(scope, e)
    return bool(content >> value & 1) if isinstance(content, int) else value in content


def _by_fold(scope: Scope, e: ir.Fold, slot: int, value: int, type_: Type, unfold: Unfold) -> list[Part]:
    """`set(x in S where P)`: why the value is not in S, else the part of P that fails."""
    domain = dict(e.binders).get(slot)
    if len(e.binders) > 1 or domain is None or domain.kind == "range" or not is_visible(scope, domain.a):
        return []
    if not holds(scope, domain.a, value):
        return keeps_out(scope, domain.a, value, type_, unfold)
    known = member_type(scope, domain, slot, e) or type_
    return unfold(binding(scope, slot, value, known), e.where, True) if e.where is not None else []


# ------------------------------------------------------------ locals


def local_value(scope: Scope, e: ir.FrameVar) -> ir.Expr | None:
    """What a local was set to, if the routine sets it once and it would be the same now."""
    made = list(dict.fromkeys(_settings(scope, e)))
    if len(made) != 1 or free(made[0]) or not is_visible(scope, made[0]):
        return None
    return made[0] if evaluate(scope, made[0]) == evaluate(scope, e) else None


def _settings(scope: Scope, e: ir.FrameVar) -> Iterator[ir.Expr]:
    """What the routine that asks sets a local to."""
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
