"""Moves of things between zones, and what they reveal, for generated code: a faster `interpreter.core.placement`.

Takes a run, makes tables of its zones once, and gives functions of the store. Whatever is not the plain case (a full
zone, a move inside a zone, an audience that rules compute) is left to the reference.
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
ALL, NOBODY, UNKNOWN = -1, 0, -2  # audiences; other numbers are sets of seats

Zone = tuple[int, int, int, int, int]  # kind, first word, cap, audience, lowest member


def plain_zone(m: Run, number: int) -> Zone:
    """All that moves need to know of a zone."""
    kind, base, cap, low = zone_shape(m.program, number)
    return kind, base, cap, fixed_audience(m, m.program.zones[number]), low


def zone_shape(program: hdr.Program, number: int) -> tuple[int, int, int, int]:
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


def fixed_audience(m: Run, zone: ir.ZoneInstance) -> int:
    """The audience of a zone as a set of seats, or ALL; UNKNOWN where it may change, or where others see the top."""
    if zone.top:
        return UNKNOWN
    if zone.audience == "all":
        return ALL
    if zone.audience == "nobody":
        return NOBODY
    if zone.audience == "owner" and zone.holder in m.seat_numbers:
        return 1 << m.seat_numbers[zone.holder]
    return UNKNOWN


def make_move(m: Run) -> Callable[[list[int], int, int, Any, ir.MoveThing], None]:
    program = m.program
    placed, known = program.placed, program.known_base
    zones = [plain_zone(m, n) for n in range(len(program.zones))]
    narrow = {n for n, zone in enumerate(program.zones) if zones[n][0] == SET and width(zone.type) == 1}
    by_reference = placement.move

    def move(words: list[int], thing: int, number: int, at: Any, s: ir.MoveThing) -> None:
        place = placed[thing] if thing < len(placed) else 0
        old = words[place]
        kind, base, _, viewers, low = zones[old]
        to_kind, to, cap, goal_viewers, to_low = zones[number]
        if (
            not place
            or (old == number and kind != LIST)
            or kind == OTHER
            or to_kind == OTHER
            or (known and UNKNOWN in (viewers, goal_viewers))
        ):
            by_reference(m, thing, number, at, s)
            return
        if to_kind == LIST:
            count = words[to] - (old == number)
            if count >= cap > 0:
                by_reference(m, thing, number, at, s)
                return
        elif to_kind == SLOT:
            if words[to]:
                by_reference(m, thing, number, at, s)
                return
        elif cap:
            by_reference(m, thing, number, at, s)
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
            else:  # those behind it move back
                first = to + 1 + (0 if at == "top" else min(at, count))
                words[first : to + count + 2] = [thing, *words[first : to + count + 1]]
        elif to_kind == SET:
            bit = thing - to_low
            words[to + bit // WORD_BITS] |= 1 << bit % WORD_BITS
        elif to_kind == SLOT:
            words[to] = thing
        words[place] = number
        if known:
            learn(words, thing, old, viewers, goal_viewers)

    def learn(words: list[int], thing: int, old: int, viewers: int, goal_viewers: int) -> None:
        everybody = (1 << words[hdr.SEATS] + 1) - 2
        before = words[known + thing]
        viewers &= everybody
        after = before | viewers | (goal_viewers & everybody)
        words[known + thing] = after
        knowing = after | viewers
        if knowing != everybody:
            kind, base, _, _, low = zones[old]
            if kind == LIST:
                rest: Sequence[int] = words[base + 1 : base + 1 + words[base]]
            elif old in narrow:
                rest = members(words[base] << low)
            else:
                rest = placement.content(words, program.zones[old])
            for other in rest:
                words[known + other] &= knowing
        fresh = after & ~(before | viewers)
        if fresh and words[hdr.PLAN]:
            placement.commit_plan_of(m, fresh)

    return move


def make_mix(m: Run) -> Callable[[list[int], Any], None]:
    """A function that makes seats forget where the things drawn from are, unless they see their zone."""
    program = m.program
    placed, known = program.placed, program.known_base
    audiences = [fixed_audience(m, zone) for zone in program.zones]

    def mix(words: list[int], among: Any) -> None:
        if len(among) < 2:
            return
        for thing in among:
            place = placed[thing]
            zone = words[place] if place else 0
            if zone and audiences[zone] != ALL:
                if audiences[zone] == UNKNOWN:
                    placement.forget_drawn(m, among)
                    return
                words[known + thing] &= audiences[zone]

    return mix


def make_show(m: Run) -> Callable[[list[int], int, int], None]:
    """A function that shows the things of a set to the seats of a set."""
    known, numbers = m.program.known_base, m.seat_numbers

    def show(words: list[int], shown: int, seats: int) -> None:
        viewers = 0
        for seat in members(seats):
            if seat in numbers:
                viewers |= 1 << numbers[seat]
        fresh = 0
        for thing in members(shown) if known else ():
            fresh |= viewers & ~words[known + thing]
            words[known + thing] |= viewers
        if fresh and words[hdr.PLAN]:
            placement.commit_plan_of(m, fresh)

    return show


def make_shuffle(m: Run) -> Callable[[list[int], int], bool]:
    """A function that shuffles a zone by the generator; False where the reference has to do it."""
    program = m.program
    known = program.known_base
    zones = [plain_zone(m, n) for n in range(len(program.zones))]

    def shuffle(words: list[int], number: int) -> bool:
        kind, base, _, viewers, _ = zones[number]
        if kind != LIST or viewers < ALL or words[hdr.DRAWN]:
            return False
        order = words[base + 1 : base + 1 + words[base]]
        rng.shuffle(words, order)
        words[base + 1 : base + 1 + len(order)] = order
        if known and len(order) > 1:
            viewers &= (1 << words[hdr.SEATS] + 1) - 2
            for thing in order:
                words[known + thing] = viewers
        return True

    return shuffle
