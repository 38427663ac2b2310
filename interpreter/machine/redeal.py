"""All that a seat cannot know, dealt again evenly: things, counted pieces and fields.

Kernel functions, run by `interpreter.visibility.imagine` and compiled for native code. What a seat sees is found out
before anything moves, since it may depend on the store.
"""

from __future__ import annotations

from typing import Protocol

from dsl.base.types import WORD_BITS
from dsl.program import ASKING, SCRIPT, SEATS
from interpreter.choices.generator import Generator
from interpreter.core.kernel import Row, kernel, room, sort
from interpreter.machine.hidden import (
    LIST,
    PIECES,
    SET,
    SLOT,
    HiddenDeal,
    HiddenField,
    HiddenParts,
    HiddenPieces,
    HiddenSort,
)

MOST_DEALS = 100  # until one keeps all invariants; the last is taken as it is


class Sight(Protocol):
    """The store that is dealt, as the redeal asks about it. A store that is kept has a number."""

    def sees(self, place: int, seat: int) -> bool: ...
    def sees_top(self, zone: int, seat: int) -> bool: ...
    def is_lawful(self) -> bool: ...
    def keep(self) -> int: ...
    def put_back(self, kept: int) -> None: ...
    def forget(self, kept: int) -> None: ...


@kernel
def redeal(parts: HiddenParts, sight: Sight, store: Row, seat: int, chance: Generator) -> None:
    """Make a store what the seat may imagine, but for answers that others have given in a round. Chance is new."""
    chance.reseed(store)
    store[ASKING] = store[SCRIPT] = 0
    kept, left = sight.keep(), MOST_DEALS
    deal(parts, sight, store, seat, chance)
    while left > 1 and not sight.is_lawful():
        sight.put_back(kept)
        deal(parts, sight, store, seat, chance)
        left -= 1
    sight.forget(kept)


@kernel
def deal(parts: HiddenParts, sight: Sight, store: Row, seat: int, chance: Generator) -> None:
    """Deal all again that the seat cannot know, whatever the invariants say."""
    hidden = room(len(parts.bases))
    for place in range(len(parts.bases)):
        if parts.groups[place] and parts.holders[place] <= store[SEATS] and not sight.sees(place, seat):
            hidden[place] = parts.groups[place]
    for alike in parts.sorts:
        deal_things(parts, sight, store, seat, chance, alike, hidden)
    for pieces in parts.pieces:
        if pieces.faces == 1:
            scatter_pieces(parts, store, chance, pieces, hidden)
        else:
            deal_pieces(parts, store, chance, pieces, hidden)
    for field in parts.fields:
        draw_fields(parts, store, chance, field, hidden)


# ------------------------------------------------------------ things


@kernel
def deal_things(
    parts: HiddenParts, sight: Sight, store: Row, seat: int, chance: Generator, alike: HiddenSort, hidden: Row
) -> None:
    """Let things of one sort that the seat does not know change places. Of each is noted in which zone it lay (0: it
    stays), who knew it, and whether it has no new place yet."""
    homes, knowers, waiting = room(len(parts.placed)), room(len(parts.placed)), room(len(parts.placed))
    for n in range(len(alike.things)):
        thing = alike.things[n]
        home, knowing = store[parts.placed[thing]], store[parts.known + thing]
        if hidden[home] == alike.number and not knowing >> seat & 1:
            homes[thing], knowers[thing], waiting[thing] = home, knowing, 1
    for n in range(len(alike.zones)):
        zone = alike.zones[n]
        base = parts.bases[zone]
        if parts.kinds[zone] == LIST and hidden[zone] and store[base] and sight.sees_top(zone, seat):
            homes[store[base + 1]] = waiting[store[base + 1]] = 0
    for one in alike.deals:
        deal_backs(parts, store, chance, one, homes, knowers, waiting)


@kernel
def deal_backs(
    parts: HiddenParts, store: Row, chance: Generator, own: HiddenDeal, homes: Row, knowers: Row, waiting: Row
) -> None:
    """Deal things of one back to some zones. Who else knows what lies at a place knows it there still; in a zone
    without an order nobody can say at which place."""
    most, found = len(own.alike), 0
    zones, places, knowing, things = room(most), room(most), room(most), room(most)
    for n in range(len(own.zones)):
        zone = own.zones[n]
        base, first = parts.bases[zone], found
        if parts.kinds[zone] == SET:
            for k in range(most):
                thing = own.alike[k]
                if homes[thing] == zone:
                    flip(store, base, thing - parts.lowest[zone])
                    zones[found], knowing[found] = zone, knowers[thing]
                    found += 1
            sort(knowing, first, found)
        else:
            is_list = parts.kinds[zone] == LIST
            for at in range(base + is_list, base + 1 + (store[base] if is_list else 0)):
                thing = store[at]
                if homes[thing] == zone and parts.backs[thing] == own.back:
                    zones[found], places[found], knowing[found] = zone, at, knowers[thing]
                    found += 1
    if not found:
        return
    count = gather(own.things, waiting, things, 0)
    chance.mix(things, count)
    if count < found:  # something lies here that an invariant keeps out
        count = gather(own.alike, waiting, things, count)
    for n in range(found):
        thing, zone = things[n], zones[n]
        if places[n]:
            store[places[n]] = thing
        else:
            flip(store, parts.bases[zone], thing - parts.lowest[zone])
        store[parts.placed[thing]], store[parts.known + thing] = zone, knowing[n]
    for n in range(found, count):
        waiting[things[n]] = 1


@kernel
def gather(some: tuple[int, ...], waiting: Row, things: Row, count: int) -> int:
    """Put those of some things that wait behind the first `count`; gives how many there are then."""
    for n in range(len(some)):
        thing = some[n]
        if waiting[thing]:
            things[count] = thing
            waiting[thing] = 0
            count += 1
    return count


@kernel
def flip(store: Row, base: int, bit: int) -> None:
    """Put something into a set, or take it out."""
    at = base + bit // WORD_BITS
    store[at] = store[at] ^ 1 << bit % WORD_BITS


# ------------------------------------------------------------ counted pieces and fields


@kernel
def scatter_pieces(parts: HiddenParts, store: Row, chance: Generator, pieces: HiddenPieces, hidden: Row) -> None:
    """Deal a piece of one sort: nobody sees how many lie where, so each may lie in any zone that holds several."""
    bases = room(len(pieces.zones))
    count = total = 0
    for place in range(pieces.first, pieces.first + len(pieces.zones)):
        if hidden[place] and parts.kinds[place] == PIECES:
            bases[count] = parts.bases[place]
            total += store[bases[count]]
            store[bases[count]] = 0
            count += 1
    for _ in range(total):
        at = bases[chance.below(count)]
        store[at] = store[at] + 1


@kernel
def deal_pieces(parts: HiddenParts, store: Row, chance: Generator, pieces: HiddenPieces, hidden: Row) -> None:
    """Let pieces of several sorts change places; of what there is no end each is drawn anew, by itself."""
    sizes, counts = room(len(pieces.zones)), room(pieces.faces)
    total = at = 0
    for n in range(len(pieces.zones)):
        base = parts.bases[pieces.first + n]
        if hidden[pieces.first + n] and parts.kinds[pieces.first + n] == SLOT:
            if store[base]:
                counts[store[base] - 1] = counts[store[base] - 1] + 1
                sizes[n] = 1
        elif hidden[pieces.first + n]:
            for face in range(pieces.faces):
                counts[face] = counts[face] + store[base + face]
                sizes[n] = sizes[n] + store[base + face]
                store[base + face] = 0
        total += sizes[n]
    dealt = room(total)
    for face in range(pieces.faces):
        for _ in range(counts[face]):
            dealt[at] = face
            at += 1
    if pieces.counted:
        chance.mix(dealt, total)
    at = 0
    for n in range(len(pieces.zones)):
        base = parts.bases[pieces.first + n]
        for _ in range(sizes[n]):
            drawn = dealt[at] if pieces.counted else chance.below(pieces.faces)
            if parts.kinds[pieces.first + n] == SLOT:
                store[base] = drawn + 1
            else:
                store[base + drawn] = store[base + drawn] + 1
            at += 1


@kernel
def draw_fields(parts: HiddenParts, store: Row, chance: Generator, field: HiddenField, hidden: Row) -> None:
    """Give a field of each holder one of the values that it may have, each as likely as any other."""
    for place in range(field.first, field.first + len(field.cells)):
        if hidden[place]:
            base = parts.bases[place]
            for n, mask in enumerate(field.masks):
                store[base + n] = chance.next32() & mask
            if field.cap >= 0:
                store[base] = chance.below(field.cap + 1)
                for n in range(field.cap):
                    store[base + 1 + n] = drawn_value(field, chance) if n < store[base] else 0
            elif len(field.masks) == 0:
                store[base] = drawn_value(field, chance)


@kernel
def drawn_value(field: HiddenField, chance: Generator) -> int:
    some = field.values
    return some[chance.below(len(some))] if len(some) else field.low + chance.below(field.count)
