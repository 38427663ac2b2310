"""Placement of single things: their moves between zones, the order of a zone, and which seats know where a thing is.

Every thing that can move has one place word (the number of its zone instance); the zone stores its content as well.
While a game runs, both change here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dsl import ir
from dsl.program import ALL, NOBODY, OWNER, PLAN, PLAN_SEAT, PREDICATE, SEATS
from interpreter.core.run import Run, call
from interpreter.core.words import Words, load, members, save


def content(words: Words, zone: ir.ZoneInstance) -> tuple[int, ...]:
    """The things of a zone, in its order (unordered zones: by number)."""
    if zone.kind == "list":
        return tuple(words[zone.base + 1 : zone.base + 1 + words[zone.base]])
    if zone.kind == "slot":
        return (words[zone.base],) if words[zone.base] else ()
    return members(load(words, zone.base, zone.type)) if zone.kind == "set" else ()


def arrange(words: Words, zone: ir.ZoneInstance, things: Sequence[int]) -> None:
    """Replace the content of a zone; place words and knowledge stay as they are."""
    if zone.kind == "list":
        save(words, zone.base, zone.type, tuple(things))
    elif zone.kind == "slot":
        words[zone.base] = things[0] if things else 0
    elif zone.kind == "set":
        save(words, zone.base, zone.type, sum(1 << thing for thing in things))


def move(m: Run, thing: int, number: int, at: str | int | None, s: ir.MoveThing) -> None:
    """Move a thing from wherever it is to zone instance `number` (0: the unnamed box)."""
    words, program = m.words, m.program
    place = program.placed[thing] if thing < len(program.placed) else 0
    if not place:
        raise m.fault(f"`{program.thing_ids[thing]}` cannot be moved: no zone holds things of its kind", s.span)
    old = words[place]
    source, target = program.zones[old], program.zones[number]
    rest = [x for x in content(words, source) if x != thing]
    arrived = rest if old == number else list(content(words, target))
    if number and 0 < target.cap <= len(arrived):
        raise m.demand(f"`{target.symbol}` is full ({target.cap}); `{program.thing_ids[thing]}` does not fit", s.span)
    arrange(words, source, rest)
    if at == "top":
        arrived.insert(0, thing)
    elif isinstance(at, int):
        arrived.insert(at, thing)
    else:
        arrived.append(thing)
    arrange(words, target, arrived)
    words[place] = number
    if program.known_base:
        _update_knowledge(m, thing, source, target, rest)
        show_tops(m, (old, number))


def reorder(m: Run, number: int, order: Sequence[int]) -> None:
    """Give a zone a new order, known only to those who see the zone. A single thing stays known."""
    zone = m.program.zones[number]
    arrange(m.words, zone, order)
    base = m.program.known_base
    if base and len(order) > 1:
        seers = audience(m, zone)
        for thing in order:
            m.words[base + thing] = seers
        show_tops(m, (number,))


def forget_drawn(m: Run, things: Sequence[int]) -> None:
    """Update knowledge after a draw among these things: whoever does not see the zone of one no longer knows that it is
    there."""
    if m.program.known_base:
        _forget_places(m, {thing: zone for thing in things if (zone := _zone_of(m, thing))}, 0)


# ------------------------------------------------------------ who knows


def audience(m: Run, zone: ir.ZoneInstance) -> int:
    """The seats that see what a zone holds, as a set of seat numbers."""
    return _seers(m, zone, zone.audience)


def show_tops(m: Run, numbers: Iterable[int]) -> None:
    """Let those who see the tops of these zones know what lies there."""
    for number in numbers:
        zone = m.program.zones[number]
        top = first_thing(m.words, zone) if zone.top else 0
        if top:
            at = m.program.known_base + top
            fresh = _seers(m, zone, zone.top) & ~m.words[at]
            m.words[at] |= fresh
            commit_plan_of(m, fresh)


def first_thing(words: Words, zone: ir.ZoneInstance) -> int:
    """The thing on top of an ordered zone; 0: it is empty."""
    return words[zone.base + 1] if words[zone.base] else 0


def _seers(m: Run, zone: ir.ZoneInstance, who: str) -> int:
    """An audience of a zone as a set of seat numbers."""
    everybody = (1 << m.words[SEATS] + 1) - 2
    if who == ALL:
        return everybody
    if who == NOBODY:
        return 0
    if who == OWNER:
        return 1 << owner_seat(m, zone) & everybody
    number = int(who.removeprefix(PREDICATE))
    wanted = len(m.program.functions[number].params)
    found = 0
    for seat in members(everybody):
        args = [zone.holder, m.seat_things[seat - 1]]
        if call(m, number, args[len(args) - wanted :]):
            found |= 1 << seat
    return found


def owner_seat(m: Run, zone: ir.ZoneInstance) -> int:
    """The number of the seat that owns the holder of a zone; 0: nobody."""
    if zone.holder in m.seat_numbers:
        return m.seat_numbers[zone.holder]
    function = m.owner_functions.get(zone.symbol, -1)
    if function < 0 or not zone.holder:
        return 0
    return m.seat_numbers.get(call(m, function, [zone.holder]), 0)


def _update_knowledge(m: Run, thing: int, source: ir.ZoneInstance, target: ir.ZoneInstance, rest: list[int]) -> None:
    """Update knowledge after a move: whoever sees one of the two zones knows the thing; whoever cannot tell which thing
    left no longer knows what stayed."""
    words, base = m.words, m.program.known_base
    seers = audience(m, source)
    before = words[base + thing]
    after = before | seers | audience(m, target)
    words[base + thing] = after
    for other in rest:
        words[base + other] &= after | seers
    commit_plan_of(m, after & ~(before | seers))


def reveal(m: Run, things: int, seats: int) -> None:
    """Let the seats of a set of seat members know where these things are."""
    base = m.program.known_base
    seats_shown = _seat_numbers(m, seats)
    fresh = 0
    for thing in members(things) if base else ():
        fresh |= seats_shown & ~m.words[base + thing]
        m.words[base + thing] |= seats_shown
    commit_plan_of(m, fresh)


def forget(m: Run, among: int, named: int, seats: int) -> None:
    """Update knowledge after some things (`named`) of a set (`among`) were named in secret: whoever was not informed
    (`seats`, a set of seat members) and does not see the zone of one no longer knows that it is there. Nothing is lost
    if everything in these zones was named, since that can be counted."""
    if not m.program.known_base:
        return
    zones = {thing: zone for thing in members(among) if (zone := _zone_of(m, thing))}
    there = {thing for zone in set(zones.values()) for thing in content(m.words, m.program.zones[zone])}
    if among != named or not there <= zones.keys():
        _forget_places(m, zones, _seat_numbers(m, seats))


def _forget_places(m: Run, zones: Mapping[int, int], informed: int) -> None:
    """Let whoever is not informed, and does not see the zone of one of these things, forget that it is there."""
    for thing, zone in zones.items():
        m.words[m.program.known_base + thing] &= informed | audience(m, m.program.zones[zone])
    show_tops(m, dict.fromkeys(zones.values()))


def _zone_of(m: Run, thing: int) -> int:
    """The zone instance that holds a thing; 0: the unnamed box, or the thing never moves."""
    place = m.program.placed[thing] if thing < len(m.program.placed) else 0
    return m.words[place] if place else 0


def _seat_numbers(m: Run, seats: int) -> int:
    """The seat numbers of a set of seat members, as a set."""
    return sum(1 << m.seat_numbers[seat] for seat in members(seats) if seat in m.seat_numbers)


def commit_plan_of(m: Run, seats: int) -> None:
    """Commit the open plan if one of these seats owns it: they learned something hidden, so it cannot be taken back."""
    if seats and m.words[PLAN] and seats >> m.seat_numbers.get(m.words[PLAN_SEAT], 0) & 1:
        m.commit()
