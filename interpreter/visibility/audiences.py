"""Audiences: who sees a zone or a cell, and who knows where a hidden thing is.

Reads the layout of the program and the store; changes nothing. A seat is a number from 1, or None for a spectator, who
sees only what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, SetType, Type
from dsl.program import ALL, NOBODY, OWNER, PREDICATE
from interpreter.core.placement import content, first_thing
from interpreter.core.words import Words
from interpreter.rules.layout import holders
from interpreter.rules.names import members
from interpreter.rules.rules import Rules


def sees(rules: Rules, words: Words, audience: str, owner_fn: int, thing: int, seat: int | None) -> bool:
    """True if `seat` is in the audience of a cell or zone that belongs to `thing` (0: to nobody)."""
    if audience == ALL:
        return True
    if audience == NOBODY:
        return False
    if seat is None:  # what all seats see, an onlooker sees
        seats = range(1, words[hdr.SEATS] + 1)
        return len(seats) > 1 and all(sees(rules, words, audience, owner_fn, thing, one) for one in seats)
    if audience == OWNER:
        return owner_seat(rules, words, owner_fn, thing) == seat
    number = int(audience.removeprefix(PREDICATE))
    args = [thing, rules.names.seat_thing(seat)]
    wanted = len(rules.program.functions[number].params)
    return bool(rules.machine.eval_fn(words, number, args[len(args) - wanted :]))


def owner_seat(rules: Rules, words: Words, owner_fn: int, thing: int) -> int:
    """The seat that a thing belongs to: itself, if it is one; 0 for nobody."""
    if own := rules.names.seat_number(thing):
        return own
    if owner_fn < 0 or not thing:
        return 0
    return rules.names.seat_number(rules.machine.eval_fn(words, owner_fn, [thing]))


def sees_zone(rules: Rules, words: Words, zone: int, seat: int | None) -> bool:
    """True if `seat` sees what the zone instance `zone` holds."""
    if not zone:
        return True
    z = rules.program.zones[zone]
    return sees(rules, words, z.audience, rules.owner_fns.get(z.symbol, -1), z.holder, seat)


def top_seen(rules: Rules, words: Words, zone: int, seat: int | None) -> int:
    """The thing on top of a zone, if `seat` sees the tops of such zones; else 0."""
    z = rules.program.zones[zone]
    if not z.top or not sees(rules, words, z.top, rules.owner_fns.get(z.symbol, -1), z.holder, seat):
        return 0
    return first_thing(words, z)


def place_of(rules: Rules, words: Words, thing: int) -> int:
    """The zone instance that a thing is in; 0: the unnamed box, or it never moves."""
    address = rules.program.placed[thing] if thing < len(rules.program.placed) else 0
    return words[address] if address else 0


def knows(rules: Rules, words: Words, thing: int, seat: int | None) -> bool:
    """True if `seat` knows where `thing` is: it sees the zone or its top, or the store remembers that it was shown.
    What all seats of several know, an onlooker knows."""
    place = place_of(rules, words, thing)
    if sees_zone(rules, words, place, seat) or thing == top_seen(rules, words, place, seat):
        return True
    if seat is None:
        seats = range(1, words[hdr.SEATS] + 1)
        return len(seats) > 1 and all(knows(rules, words, thing, one) for one in seats)
    return was_shown(rules, words, thing, seat)


def was_shown(rules: Rules, words: Words, thing: int, seat: int) -> bool:
    """True if the store remembers that `seat` was shown where `thing` is."""
    base = rules.program.known_base
    return bool(base and words[base + thing] >> seat & 1)


def gets_to_know(rules: Rules, before: Words, after: Words, seat: int) -> bool:
    """True if `seat` knows in `after` where a thing is that it did not know in `before` (it was shown, or came to lie
    where it is seen), or sees more than it did."""
    if before == after or not rules.has_secrets:
        return False
    things = range(len(rules.program.thing_ids) if rules.program.known_base else 0)
    moved = any(knows(rules, after, n, seat) and not knows(rules, before, n, seat) for n in things)
    return moved or sees_more(rules, before, after, seat)


def sees_more(rules: Rules, before: Words, after: Words, seat: int) -> bool:
    """True if `seat` sees a cell in `after` that it did not see in `before`, or a zone with something in it that it did
    not know: whom a predicate lets see, or whose a thing is, has changed."""
    for entry in rules.cached(changing_entries):
        for thing, _ in holders(entry):
            now, then = (sees(rules, w, entry.audience, entry.owner_fn, thing, seat) for w in (after, before))
            if then or not now:
                continue
            inside = things_in(rules, after, entry.symbol, thing)
            if entry.sort != "zone" or any(not knows(rules, before, n, seat) for n in inside):
                return True
    return False


def changing_entries(rules: Rules) -> list[ir.LayoutEntry]:
    """The state whose audience may change while a game runs."""
    private = private_entries(rules)
    return [e for e in private if e.audience.startswith(PREDICATE) or e.audience == OWNER and e.owner_fn >= 0]


def things_in(rules: Rules, words: Words, symbol: str, holder: int) -> tuple[int, ...]:
    zones = (z for z in rules.program.zones if z.symbol == symbol and z.holder == holder)
    return tuple(n for z in zones for n in content(words, z))


def seats_that_know(rules: Rules, words: Words, thing: int) -> tuple[int, ...] | None:
    """The seats that know where a thing is; None: everybody."""
    if knows(rules, words, thing, None):
        return None
    return tuple(s for s in range(1, words[hdr.SEATS] + 1) if knows(rules, words, thing, s))


def knowers(rules: Rules, things: Iterable[int], *stores: Words) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The names of those of these things that not everybody knows in one of the stores, each with the seats that do."""
    if not rules.program.known_base:
        return ()
    found = []
    for thing in sorted(set(things)):
        known = [seats_that_know(rules, words, thing) for words in stores]
        seats = [one for one in known if one is not None]
        if len(seats) == len(known):
            found.append((thing_name(rules, thing), tuple(sorted(set().union(*seats)))))
    return tuple(found)


def learnt(
    rules: Rules, known: tuple[tuple[str, tuple[int, ...]], ...], words: Words
) -> tuple[tuple[str, tuple[int, ...]], ...]:  # fmt: skip
    """Things with the seats that know them, to which those are added that do in this store."""
    found = dict(known)
    things = rules.cached(things_by_name)
    now = dict(knowers(rules, (things[name] for name in found), words))
    return tuple((name, tuple(sorted({*seats, *now[name]}))) for name, seats in known if name in now)


def things_of(rules: Rules, value: int, type_: Type) -> tuple[int, ...]:
    """The things in a value."""
    of = type_.elem if isinstance(type_, SetType) else type_
    if not isinstance(of, MemberType) or rules.program.domains[of.domain].sort == "enum":
        return ()
    return tuple(members(value)) if isinstance(type_, SetType) else (value,) if value else ()


def thing_name(rules: Rules, thing: int) -> str:
    """The kind of a thing and its id, `Town.york`: things of two kinds may have one id."""
    return f"{rules.program.thing_kinds[thing]}.{rules.program.thing_ids[thing]}"


def things_by_name(rules: Rules) -> dict[str, int]:
    """Every thing, by its kind and id."""
    return {thing_name(rules, thing): thing for thing in range(1, len(rules.program.thing_ids))}


def told_to(words: Words, seats: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The seats that are told something; None, which is everybody, where all of several are."""
    everybody = words[hdr.SEATS]
    return None if seats is not None and 1 < everybody <= len(set(seats)) else seats


def is_thing(rules: Rules, id_: str) -> bool:
    return id_ in rules.things


def private_entries(rules: Rules) -> list[ir.LayoutEntry]:
    """The declared state that not everybody may see."""
    return [e for e in rules.program.layout if e.audience != ALL]
