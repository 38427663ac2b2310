"""Frame variables in local variables: those of each frame are named by its depth, which is known at every place.

They are bound like temps, with numbers below 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dsl import ir
from dsl.base.types import Type
from interpreter.backends.low.base.context import Bound, Held, KindMaker, Lowering, NumberMaker, SetMaker, Words
from interpreter.backends.low.base.kinds import Kind, MembersKind, Number, Unsupported, kind_of
from interpreter.backends.low.form.nodes import Expr, Local
from interpreter.backends.low.rules.writes import number_bounds
from interpreter.backends.low.values.functions import fitted
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import number_kind
from interpreter.backends.low.values.sets import words_of


def key(slot: int) -> int:
    """The number under which a frame variable is bound."""
    return -1 - slot


def frame_variables(types: Mapping[int, Type], depth: int) -> dict[int, Bound]:
    """The variables of a frame: numbers and sets; lists have none."""
    found: dict[int, Bound] = {}
    for slot, t in types.items():
        kind = kind_of(t)
        if isinstance(kind, Number):
            found[key(slot)] = Held(kind, (f"f{depth}_{slot}",))
        elif isinstance(kind, MembersKind):
            found[key(slot)] = Held(kind, tuple(f"f{depth}_{slot}_{w}" for w in kind.words))
    return found


def variable(lo: Lowering, slot: int) -> Held:
    """A variable of the running frame."""
    found = lo.bound.get(key(slot))
    if not isinstance(found, Held):
        raise Unsupported("a list in a variable")
    return found


def set_number(lo: Lowering, slot: int, t: Type, value: Expr, kind: Number) -> None:
    """Set a variable that is a number, which must lie within the bounds of its type."""
    name = variable(lo, slot).names[0]
    lo.w.set(name, keep_within(lo, value, kind, number_bounds(t)))


def _kind(lo: Lowering, e: ir.FrameVar) -> Kind:
    return variable(lo, e.slot).kind


def _number(lo: Lowering, e: ir.FrameVar) -> Expr:
    return Local(variable(lo, e.slot).names[0])


def _members(lo: Lowering, e: ir.FrameVar) -> Words:
    return words_of(variable(lo, e.slot))


def _refuse(lo: Lowering, e: ir.Expr) -> Expr:
    raise Unsupported(f"{type(e).__name__} in a whole game")


def _set_frame(lo: Lowering, s: ir.SetFrame) -> None:
    if s.offset is not None:
        raise Unsupported("a variable that is set by its number")
    if key(s.slot) not in lo.bound and isinstance(s.value, ir.Const):
        return  # a list that is known wherever it is read
    held = variable(lo, s.slot)
    if isinstance(held.kind, Number):
        set_number(lo, s.slot, s.type, lo.number(s.value), number_kind(lo, s.value))
        return
    value = fitted(lo, s.value, held.kind)
    for name, new in zip(held.names, value.names, strict=True):
        lo.w.set(name, Local(new))


VARIABLE_KINDS: dict[type, KindMaker] = {ir.FrameVar: _kind}
VARIABLE_NUMBERS: dict[type, NumberMaker] = {
    ir.FrameVar: _number,
    ir.FrameItem: _refuse,
    ir.Running: _refuse,
    ir.Pending: _refuse,
}
VARIABLE_SETS: dict[type, SetMaker] = {ir.FrameVar: _members}
SETTING: dict[type, Callable[[Lowering, Any], None]] = {ir.SetFrame: _set_frame}
