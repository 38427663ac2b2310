"""Chance events: a member of a set, a number of a range, the order of a zone.

Outcomes come from the script as long as it has some, then from the generator in the store; each is noted in
`machine.draws`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, PLAN, SCRIPT, Program
from dsl.types import MemberType, Type, bounds
from interpreter import rng, things
from interpreter.errors import PlanSettled
from interpreter.store import Temps, members, save

if TYPE_CHECKING:
    from interpreter.machine import Machine


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """What one chance event brought; `values` has one number, or the whole order from the top."""

    address: str
    op: str
    values: tuple[int, ...]
    ids: tuple[str, ...]


def chance(m: Machine, i: ir.Chance, pc: int, t: Temps) -> int:
    """The instruction: draw, note, go on with the next instruction (or `empty` where there is nothing to draw from)."""
    if m.probing:
        raise PlanSettled
    if m.words[PLAN]:
        m.commit()
    if i.op == "shuffle":
        _shuffle(m, i, m.value(i.a, t))
        return pc + 1
    a = m.value(i.a, t)
    possible: Sequence[int]
    if i.op == "member":
        possible = members(a)
    elif i.op == "piece":
        possible = _pieces(a, i.type)
    else:
        possible = range(a, m.value(i.b, t) + 1) if i.b else ()
    if not possible:
        if i.empty >= 0:
            return i.empty
        raise m.demand("there is nothing to draw from", i.span)
    if (scripted := _next_of_script(m)) is not None:
        value = _scripted(m, i, scripted, possible)
    else:
        value = possible[rng.below(m.words, len(possible))]
    m.draws.append(ChanceOutcome(i.address, i.op, (value,), (name(m.program, value, i.type),)))
    if i.type is not None:
        save(m.words, m.words[FP] + FRAME_LINK + i.slot, i.type, value)
    return pc + 1


def _pieces(counts: Sequence[int], type_: Type | None) -> list[int]:
    """Every piece of a map of counts as its index."""
    low = bounds(type_)[0] if type_ is not None else 0
    return [low + k for k, n in enumerate(counts) for _ in range(n)]


def name(program: Program, value: int, type_: Type | None) -> str:
    """The id of a member, else the number as text."""
    if isinstance(type_, MemberType):
        domain = program.domains.get(type_.domain)
        if domain is not None and value in domain.values:
            return domain.ids[domain.values.index(value)]
    return str(value)


# ------------------------------------------------------------ scripts


def _next_of_script(m: Machine) -> Any:
    """The next outcome of the script, which counts as used; None: the script is used up."""
    used = m.words[SCRIPT]
    if used >= len(m.script):
        return None
    m.words[SCRIPT] = used + 1
    return m.script[used]


def _scripted(m: Machine, i: ir.Chance, outcome: Any, possible: Sequence[int]) -> int:
    by_text = {name(m.program, v, i.type): v for v in possible} | {str(v): v for v in possible}
    while isinstance(outcome, (list, tuple)) and len(outcome) == 1:
        outcome = outcome[0]
    value = by_text.get(str(outcome))
    if value is None:
        known = _list(name(m.program, v, i.type) for v in dict.fromkeys(possible))
        raise m.fault(f"the script says `{outcome}`, but possible is {known}", i.span)
    return value


def _list(names: Any) -> str:
    shown = list(names)
    return ", ".join(shown[:20]) + (f" and {len(shown) - 20} more" if len(shown) > 20 else "")


# ------------------------------------------------------------ shuffles


def _shuffle(m: Machine, i: ir.Chance, zone: int) -> None:
    """A new order of a zone. The script gives it as one list from the top, or as single ids for the first things."""
    ids = m.program.thing_ids
    rest = list(things.content(m.words, m.program.zones[zone]))
    by_id = {ids[thing]: thing for thing in rest}
    order: list[int] = []
    if m.words[SCRIPT] < len(m.script) and isinstance(m.script[m.words[SCRIPT]], (list, tuple)):
        for said in _next_of_script(m):
            if str(said) not in by_id:
                raise m.fault(f"the script puts `{said}` into the order, but there is only {_list(by_id)}", i.span)
            order.append(by_id.pop(str(said)))
    else:
        while m.words[SCRIPT] < len(m.script) and str(m.script[m.words[SCRIPT]]) in by_id:
            order.append(by_id.pop(str(_next_of_script(m))))
    rest = [thing for thing in rest if thing not in order]
    for last in range(len(rest) - 1, 0, -1):
        k = rng.below(m.words, last + 1)
        rest[last], rest[k] = rest[k], rest[last]
    order += rest
    things.reorder(m, zone, order)
    m.draws.append(ChanceOutcome(i.address, i.op, tuple(order), tuple(ids[thing] for thing in order)))
