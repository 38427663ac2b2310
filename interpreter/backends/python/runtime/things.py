"""Moving things and shuffling zones for generated code: what `interpreter.core.placement` does, by tables made once.

Takes a run; gives functions of the store. Whatever is not the plain case (a full zone, a move inside a zone, an
audience that must be asked for) is left to the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import WORD_BITS, SetType, bounds, width
from interpreter.core import placement, rng
from interpreter.core.run import Run
from interpreter.core.words import members

BOX, SLOT, LIST, SET, OTHER = range(5)
ALL, NOBODY, ASKED = -1, 0, -2  # audiences; others are sets of seats

Zone = tuple[int, int, int, int, int]  # kind, first word, cap, audience, lowest member


def zone_of(m: Run, number: int) -> Zone:
    kind, base, cap, low = shape_of(m.program, number)
    return kind, base, cap, audience_of(m, m.program.zones[number]), low


def shape_of(program: hdr.Program, number: int) -> tuple[int, int, int, int]:
    """Kind, first word, cap and lowest member of a zone."""
    zone = program.zones[number]
    if not number:
        return BOX, 0, 0, 0
    if isinstance(zone.type, SetType) and zone.kind == "set":
        low, high = bounds(zone.type.elem)
        cap = zone.cap if zone.cap < high - low + 1 else 0  # one that all fit into is never full
        return SET, zone.base, cap, low
    if zone.kind == "list":
        plain = width(zone.type) == 1 + zone.cap
        return LIST if plain else OTHER, zone.base, zone.cap, 0
    return SLOT if zone.kind == "slot" else OTHER, zone.base, zone.cap, 0


def audience_of(m: Run, zone: ir.ZoneInstance) -> int:
    """The audience of a zone where it never changes."""
    if zone.audience == "all":
        return ALL
    if zone.audience == "nobody":
        return NOBODY
    if zone.audience == "owner" and zone.holder in m.seat_numbers:
        return 1 << m.seat_numbers[zone.holder]
    return ASKED


def make_move(m: Run) -> Callable[[list[int], int, int, Any, ir.MoveThing], None]:
    program = m.program
    placed, known = program.placed, program.known_base
    zones = [zone_of(m, n) for n in range(len(program.zones))]
    narrow = {n for n, zone in enumerate(program.zones) if zones[n][0] == SET and width(zone.type) == 1}
    slow = placement.move

    def move(words: list[int], thing: int, number: int, at: Any, s: ir.MoveThing) -> None:
        place = placed[thing] if thing < len(placed) else 0
        old = words[place]
        kind, base, _, seers, low = zones[old]
        to_kind, to, cap, others, to_low = zones[number]
        if (
            not place
            or (old == number and kind != LIST)
            or kind == OTHER
            or to_kind == OTHER
            or (known and ASKED in (seers, others))
        ):
            slow(m, thing, number, at, s)
            return
        if to_kind == LIST:
            count = words[to] - (old == number)
            if count >= cap > 0:
                slow(m, thing, number, at, s)
                return
        elif to_kind == SLOT:
            if words[to]:
                slow(m, thing, number, at, s)
                return
        elif cap:
            slow(m, thing, number, at, s)
            return
        if kind == LIST:
            last = base + words[base]
            i = words.index(thing, base + 1)
            if i < last:
                words[i:last] = words[i + 1 : last + 1]
            words[last] = 0
            words[base] -= 1
        elif kind == SET:
            bit = thing - low
            words[base + bit // WORD_BITS] ^= 1 << bit % WORD_BITS
        elif kind == SLOT:
            words[base] = 0
        if to_kind == LIST:
            words[to] = count + 1
            if at is None or at == "bottom" or not count:
                words[to + count + 1] = thing
            else:  # those behind it move up
                first = to + 1 + (0 if at == "top" else min(at, count))
                words[first : to + count + 2] = [thing, *words[first : to + count + 1]]
        elif to_kind == SET:
            bit = thing - to_low
            words[to + bit // WORD_BITS] |= 1 << bit % WORD_BITS
        elif to_kind == SLOT:
            words[to] = thing
        words[place] = number
        if known:
            learn(words, thing, old, seers, others)

    def learn(words: list[int], thing: int, old: int, seers: int, others: int) -> None:
        everybody = (1 << words[hdr.SEATS] + 1) - 2
        before = words[known + thing]
        seers &= everybody
        after = before | seers | (others & everybody)
        words[known + thing] = after
        kept = after | seers
        if kept != everybody:
            kind, base, _, _, low = zones[old]
            if kind == LIST:
                rest: Sequence[int] = words[base + 1 : base + 1 + words[base]]
            elif old in narrow:
                rest = members(words[base] << low)
            else:
                rest = placement.content(words, program.zones[old])
            for other in rest:
                words[known + other] &= kept
        news = after & ~(before | seers)
        if news and words[hdr.PLAN]:
            placement.commit_plan_of(m, news)

    return move


def make_mix(m: Run) -> Callable[[list[int], Any], None]:
    """A function that lets those forget what is drawn from who do not see it."""
    program = m.program
    placed, known = program.placed, program.known_base
    seen = [audience_of(m, zone) for zone in program.zones]

    def mix(words: list[int], among: Any) -> None:
        if len(among) < 2:
            return
        for thing in among:
            place = placed[thing]
            zone = words[place] if place else 0
            if zone and seen[zone] != ALL:
                if seen[zone] == ASKED:
                    placement.forget_drawn(m, among)
                    return
                words[known + thing] &= seen[zone]

    return mix


def make_show(m: Run) -> Callable[[list[int], int, int], None]:
    """A function that shows the things of a set to the seats of a set."""
    known, numbers = m.program.known_base, m.seat_numbers

    def show(words: list[int], shown: int, seats: int) -> None:
        told = 0
        for seat in members(seats):
            if seat in numbers:
                told |= 1 << numbers[seat]
        fresh = 0
        for thing in members(shown) if known else ():
            fresh |= told & ~words[known + thing]
            words[known + thing] |= told
        if fresh and words[hdr.PLAN]:
            placement.commit_plan_of(m, fresh)

    return show


def make_shuffle(m: Run) -> Callable[[list[int], int], bool]:
    """A function that shuffles a zone by the generator; False where the reference has to do it."""
    program = m.program
    known = program.known_base
    zones = [zone_of(m, n) for n in range(len(program.zones))]

    def shuffle(words: list[int], number: int) -> bool:
        kind, base, _, seers, _ = zones[number]
        if kind != LIST or seers < ALL or words[hdr.DRAWN]:
            return False
        order = words[base + 1 : base + 1 + words[base]]
        rng.shuffle(words, order)
        words[base + 1 : base + 1 + len(order)] = order
        if known and len(order) > 1:
            seers &= (1 << words[hdr.SEATS] + 1) - 2
            for thing in order:
                words[known + thing] = seers
        return True

    return shuffle
