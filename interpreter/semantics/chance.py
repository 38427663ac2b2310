"""Chance events: a member of a set, a number of a range, the order of a zone.

Outcomes come from the script as long as it has some, then from the generator in the store; each is noted in the draws
of the run. Where the store says that chance is asked (header word `ASKING`), the machine stops instead and waits for an
outcome: `possible_outcomes` lists them with their weights, `take` goes on with one. A shuffle is asked thing by thing
from the top; the things drawn so far are on top of the zone, and the header counts them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.types import INT_HIGH, MemberType, Type, bounds
from dsl.program import ASKING, CHANCE, DRAWN, FP, FRAME_LINK, MOST_OPTIONS, PC, PLAN, SCRIPT, STEPS, Program
from interpreter.core import placement, rng
from interpreter.core.errors import PlanSettled
from interpreter.core.run import STOPPED, ChanceOutcome, Run
from interpreter.core.words import Temps, members, save

MOST_LISTED = 20  # outcomes that a message names


def chance(m: Run, i: ir.Chance, pc: int, t: Temps) -> int:
    """Carry out the instruction: draw, log, and go on with the next instruction (or `empty` if there is nothing to draw
    from)."""
    if m.probing:
        raise PlanSettled
    if m.words[PLAN]:
        m.commit()
    if i.op == "shuffle":
        return _shuffle(m, i, pc, t)
    among, weights = _candidates(m, i, t)
    if not among:
        if i.empty >= 0:
            return i.empty
        raise m.demand("there is nothing to draw from", i.span)
    if (scripted := _next_of_script(m)) is not None:
        return _take_outcome(m, i, pc, t, among, _scripted(m, i, scripted, among))
    if m.words[ASKING]:
        return _wait(m, pc) if among[0] != among[-1] else _take_outcome(m, i, pc, t, among, among[0])
    return _take_outcome(m, i, pc, t, among, _drawn(m, among, weights))


def _drawn(m: Run, among: Sequence[int], weights: dict[int, int]) -> int:
    """A member that the generator draws, by weight if there are weights."""
    if not weights:
        return among[rng.randbelow(m.words, size_of(among))]
    left = rng.randbelow(m.words, sum(weights.values()))
    for v in among:
        left -= weights[v]
        if left < 0:
            return v
    raise AssertionError("the draw is below the sum of the weights")


def size_of(among: Sequence[int]) -> int:
    """The number of candidates, of which there may be more than a length of Python can tell."""
    return among.stop - among.start if isinstance(among, range) else len(among)


def _weights(m: Run, i: ir.Chance, t: Temps) -> dict[int, int]:
    """The weight of each member of the domain, or the number of pieces of each index. A fault where one weight is
    less than nothing, or all are nothing."""
    if i.op == "piece":
        low = bounds(i.type)[0] if i.type is not None else 0
        return {low + k: n for k, n in enumerate(m.value(i.a, t)) if n > 0}
    assert i.weights is not None and i.type is not None
    table, low = m.value(i.weights, t), bounds(i.type)[0]
    found = {v: table[v - low] for v in members(m.value(i.a, t))}
    for v, weight in found.items():
        if weight < 0:
            raise m.fault(
                f"the weight of `{outcome_id(m.program, v, i.type)}` is {weight}; it must not be negative", i.span
            )
    if found and not any(found.values()):
        raise m.fault(f"all {len(found)} members of which one is drawn have the weight 0", i.span)
    return found


def _candidates(m: Run, i: ir.Chance, t: Temps) -> tuple[Sequence[int], dict[int, int]]:
    """The candidates of the draw, and the weights that pieces have by their number, together a number like others;
    none where all are equally likely."""
    if i.weights is not None or i.op == "piece":
        found = {v: weight for v, weight in _weights(m, i, t).items() if weight}
        total = sum(found.values())
        if total > INT_HIGH:
            what = "pieces of which one is drawn are" if i.op == "piece" else "weights of a draw are together"
            raise m.fault(f"the {what} {total}, and numbers end at {INT_HIGH}", i.span)
        return tuple(found), found
    a = m.value(i.a, t)
    if i.op == "member":
        return members(a), {}
    return (range(a, m.value(i.b, t) + 1) if i.b else ()), {}


def _take_outcome(m: Run, i: ir.Chance, pc: int, t: Temps, among: Sequence[int], value: int) -> int:
    """Log an outcome, and go on. Whoever does not see a zone cannot tell what was drawn from it."""
    if i.op == "member" and len(among) > 1:
        placement.forget_drawn(m, among)
    audience = None if i.audience is None else tuple(m.seat_numbers[seat] for seat in members(m.value(i.audience, t)))
    m.draws.append(ChanceOutcome(i.address, i.op, (value,), (outcome_id(m.program, value, i.type),), audience))
    if i.type is not None:
        save(m.words, m.words[FP] + FRAME_LINK + i.slot, i.type, value)
    return pc + 1


def outcome_id(program: Program, value: int, type_: Type | None) -> str:
    """The id of a member, else the number as text."""
    if isinstance(type_, MemberType):
        domain = program.domains.get(type_.domain)
        if domain is not None and value in domain.values:
            return domain.ids[domain.values.index(value)]
    return str(value)


# ------------------------------------------------------------ scripts


def _next_of_script(m: Run) -> Any:
    """The next outcome of the script, which now counts as used; None if the script is used up."""
    used = m.words[SCRIPT]
    if used >= len(m.script):
        return None
    m.words[SCRIPT] = used + 1
    return m.script[used]


def _scripted(m: Run, i: ir.Chance, outcome: Any, possible: Sequence[int]) -> int:
    while isinstance(outcome, (list, tuple)) and len(outcome) == 1:
        outcome = outcome[0]
    if isinstance(possible, range):
        try:
            value = int(outcome) if int(outcome) in possible else None
        except (TypeError, ValueError):
            value = None
    else:
        by_text = {outcome_id(m.program, v, i.type): v for v in possible} | {str(v): v for v in possible}
        value = by_text.get(str(outcome))
    if value is None:
        first, last = possible[0], possible[-1]
        if isinstance(possible, range) and last - first >= MOST_LISTED:
            known = f"{first} to {last}"
        else:
            known = _listing(outcome_id(m.program, v, i.type) for v in dict.fromkeys(possible))
        are = "outcomes are" if first != last else "outcome is"
        raise m.fault(f"the script says `{outcome}`, but the possible {are} {known}", i.span)
    return value


def _listing(names: Any) -> str:
    shown = list(names)
    more = len(shown) - MOST_LISTED
    return ", ".join(shown[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


# ------------------------------------------------------------ chance that is asked


def _wait(m: Run, pc: int) -> int:
    m.words[PC] = m.words[CHANCE] = pc
    return STOPPED


def awaited_event(m: Run) -> ir.Chance:
    """The chance event that the machine waits for."""
    i = m.program.code[m.words[CHANCE]]
    assert isinstance(i, ir.Chance), "pending chance stands at a chance event"
    return i


def possible_outcomes(m: Run) -> dict[int, int]:
    """The outcomes of the chance event that the machine waits for, each with its weight."""
    i, t = awaited_event(m), [0] * m.temps
    if i.op == "shuffle":
        rest = placement.content(m.words, m.program.zones[m.value(i.a, t)])[m.words[DRAWN] :]
        return dict.fromkeys(rest, 1)
    among, weights = _candidates(m, i, t)
    if size_of(among) > MOST_OPTIONS:
        raise m.fault(f"chance is asked for one of {size_of(among)} numbers; at most {MOST_OPTIONS} are listed", i.span)
    return weights or dict.fromkeys(among, 1)


def take(m: Run, value: int) -> int:
    """Take a possible outcome; gives the instruction that follows."""
    words, pc, i = m.words, m.words[CHANCE], awaited_event(m)
    words[CHANCE] = words[STEPS] = 0
    t = [0] * m.temps
    if i.op != "shuffle":
        return _take_outcome(m, i, pc, t, _candidates(m, i, t)[0], value)
    zone = m.value(i.a, t)
    order, drawn = list(placement.content(words, m.program.zones[zone])), words[DRAWN]
    order.remove(value)
    order.insert(drawn, value)
    return _continue_shuffle(m, i, pc, zone, order, drawn + 1)


# ------------------------------------------------------------ shuffles


def _shuffle(m: Run, i: ir.Chance, pc: int, t: Temps) -> int:
    """Shuffle a zone. The script gives the order as one list from the top, or as single ids for the first things."""
    if m.words[DRAWN]:
        return _wait(m, pc)  # in the middle of it
    zone = m.value(i.a, t)
    ids = m.program.thing_ids
    rest = list(placement.content(m.words, m.program.zones[zone]))
    by_id = {ids[thing]: thing for thing in rest}
    order: list[int] = []
    if m.words[SCRIPT] < len(m.script) and isinstance(m.script[m.words[SCRIPT]], (list, tuple)):
        for id_ in _next_of_script(m):
            if str(id_) not in by_id:
                left = f"all that is left in the zone is {_listing(by_id)}" if by_id else "nothing is left in the zone"
                raise m.fault(f"the script names `{id_}`, but {left}", i.span)
            order.append(by_id.pop(str(id_)))
    else:
        while m.words[SCRIPT] < len(m.script) and str(m.script[m.words[SCRIPT]]) in by_id:
            order.append(by_id.pop(str(_next_of_script(m))))
    rest = [thing for thing in rest if thing not in order]
    if m.words[ASKING]:
        return _continue_shuffle(m, i, pc, zone, order + rest, len(order))
    rng.shuffle(m.words, rest)
    return _finish_shuffle(m, i, pc, zone, order + rest)


def _continue_shuffle(m: Run, i: ir.Chance, pc: int, zone: int, order: list[int], drawn: int) -> int:
    """Go on with a shuffle of which the first `drawn` things are certain."""
    m.words[DRAWN] = 0
    if drawn >= len(order) - 1:
        return _finish_shuffle(m, i, pc, zone, order)
    if drawn:
        m.words[DRAWN] = drawn
        placement.arrange(m.words, m.program.zones[zone], order)
        _note_order(m, i, order[:drawn])
    return _wait(m, pc)


def _finish_shuffle(m: Run, i: ir.Chance, pc: int, zone: int, order: Sequence[int]) -> int:
    placement.reorder(m, zone, order)
    _note_order(m, i, order)
    return pc + 1


def _note_order(m: Run, i: ir.Chance, order: Sequence[int]) -> None:
    ids = m.program.thing_ids
    m.draws.append(ChanceOutcome(i.address, i.op, tuple(order), tuple(ids[thing] for thing in order)))
