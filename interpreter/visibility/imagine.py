"""A position as a seat may imagine it: what the seat knows stays, what it cannot know is dealt again, evenly.

Takes a store and gives a copy of it; the rules go on from there as in any game. Chance that is still to come is new.
Things that the seat does not know change places among all zones that are declared to hold the same, where each place
keeps what is seen of a back; so do counted pieces. Fields that it does not see may be whatever their types allow, and
answers that others have given in a round of a loop `at once` whatever they were offered. A deal that breaks an
invariant is dealt again.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds
from dsl.program import ASKING, FP, FRAME_LINK, PC, SCRIPT, SEATS, SITE
from interpreter.choices.generator import Generator
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.machine.hidden import HiddenField, HiddenParts, HiddenPieces, HiddenSort, hidden_of
from interpreter.rules.rounds import place_of
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import sees, sees_zone, top_seen, was_shown

MOST_DEALS = 100  # until one keeps all invariants; the last is taken as it is


def imagined(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """A copy of this store in which `seat` knows no more than it may; chance is drawn, also where it would be asked.

    For bots and searches, which are to choose alike wherever their seat cannot tell the difference. Costs some passes
    through what is hidden, and a deal more for each that breaks an invariant."""
    store = words[:]
    rng.set_state(store, chance.bits64())
    store[ASKING] = store[SCRIPT] = 0
    machine, invariants = rules.machine, rules.cached(invariants_of_secrets)
    for _ in range(MOST_DEALS):
        found = dealt(rules, store, seat, chance)
        machine.words = found
        if all(machine.holds(one) for one in invariants):
            break
    return answered_anew(rules, found, seat, chance)


def dealt(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """A copy of this store in which what `seat` cannot know is dealt again, whatever the invariants say."""
    store, hidden = words[:], rules.cached(secrets)
    for sort in hidden.sorts:
        _deal_things(rules, words, store, sort, seat, chance)
    for row in hidden.pieces:
        zones = [z for z in row.zones if is_hidden_cell(rules, words, z, seat)]
        _deal_pieces(store, row, zones, chance)
    for field in hidden.fields:
        if is_hidden_cell(rules, words, field.cell, seat):
            _draw_field(store, field, chance)
    return store


def secrets(rules: Rules) -> HiddenParts:
    return hidden_of(rules.program)


def invariants_of_secrets(rules: Rules) -> tuple[ir.Invariant, ...]:
    """The invariants that a deal may break."""
    symbols = rules.cached(secrets).symbols
    return tuple(one for one in rules.program.invariants if one.reads & symbols)


def is_hidden_cell(rules: Rules, words: Words, cell: ir.ZoneInstance, seat: int) -> bool:
    """Whether a cell belongs to nobody, or to somebody who plays, and the seat does not see it."""
    if rules.names.seat_number(cell.holder) > words[SEATS]:
        return False
    return not sees(rules, words, cell.audience, rules.owner_fns.get(cell.symbol, -1), cell.holder, seat)


def _deal_things(rules: Rules, words: Words, store: Words, sort: HiddenSort, seat: int, chance: Generator) -> None:
    """Let things that the seat does not know change places. Who else knows what lies at a place knows it there still;
    in a zone without an order nobody can say at which place."""
    program, known = rules.program, rules.program.known_base
    hidden = [number for number in sort.zones if not sees_zone(rules, words, number, seat)]
    tops = {top_seen(rules, words, number, seat) for number in hidden}
    home = {thing: words[program.placed[thing]] for deal in sort.deals for thing in deal.alike}
    unseen = {t for t, n in home.items() if n in hidden and t not in tops and not was_shown(rules, words, t, seat)}
    waiting = set(unseen)  # things that have no new place yet
    for deal in sort.deals:
        places: list[tuple[int, int]] = []  # zone and address
        knowers: list[int] = []
        alike = unseen.intersection(deal.alike)
        for number in (n for n in deal.zones if n in hidden):
            zone = program.zones[number]
            if zone.kind == "set":
                inside = [thing for thing in deal.alike if thing in alike and home[thing] == number]
                places += [(number, 0)] * len(inside)
                knowers += sorted(words[known + thing] for thing in inside)
                for thing in inside:
                    _flip(store, zone, thing)
                continue
            for at in range(zone.base + 1, zone.base + 1 + words[zone.base]) if zone.kind == "list" else (zone.base,):
                if words[at] in alike:
                    places.append((number, at))
                    knowers.append(words[known + words[at]])
        things = [thing for thing in deal.things if thing in waiting] if places else []
        chance.shuffle(things)
        if len(things) < len(places):  # something lies here that an invariant keeps out
            things += [thing for thing in deal.alike if thing in waiting and thing not in things]
        for (number, at), thing, who in zip(places, things, knowers, strict=False):
            if at:
                store[at] = thing
            else:
                _flip(store, program.zones[number], thing)
            store[program.placed[thing]] = number
            store[known + thing] = who
            waiting.remove(thing)


def _flip(store: Words, zone: ir.ZoneInstance, thing: int) -> None:
    """Put a thing into a zone without an order, or take it out."""
    assert isinstance(zone.type, SetType)
    bit = thing - bounds(zone.type.elem)[0]
    store[zone.base + bit // WORD_BITS] ^= 1 << bit % WORD_BITS


def _deal_pieces(store: Words, row: HiddenPieces, zones: list[ir.ZoneInstance], chance: Generator) -> None:
    """Let pieces change places among these zones; what there is no end of is drawn anew, each piece by itself. Of a
    piece of one sort nobody sees how many there are, so each may lie in any of the zones that hold several."""
    if row.faces == 1:
        zones = [zone for zone in zones if zone.kind == "pieces"]
        total = sum(store[zone.base] for zone in zones)
        for zone in zones:
            store[zone.base] = 0
        for _ in range(total):
            store[zones[chance.below(len(zones))].base] += 1
        return
    places: list[int] = []  # the first word of each piece's zone; one that holds a code as the number below 0
    pieces: list[int] = []
    for zone in zones:
        if zone.kind == "slot":
            inside = [store[zone.base] - 1] if store[zone.base] else []
            places += [-zone.base] * len(inside)
        else:
            inside = [face for face in range(row.faces) for _ in range(store[zone.base + face])]
            places += [zone.base] * len(inside)
            for face in range(row.faces):
                store[zone.base + face] = 0
        pieces += inside
    if row.counted:
        pieces.sort()
        chance.shuffle(pieces)
    else:
        pieces = [chance.below(row.faces) for _ in pieces]
    for at, face in zip(places, pieces, strict=True):
        if at < 0:
            store[-at] = face + 1
        else:
            store[at + face] += 1


def _draw_field(store: Words, field: HiddenField, chance: Generator) -> None:
    """Give a field one of the values that it may have, each as likely as any other."""
    at = field.cell.base
    for n, mask in enumerate(field.masks):
        store[at + n] = chance.next32() & mask
    if field.cap >= 0:
        size = store[at] = chance.below(field.cap + 1)
        for n in range(1, field.cap + 1):
            store[at + n] = _drawn_value(field, chance) if n <= size else 0
    elif not field.masks:
        store[at] = _drawn_value(field, chance)


def _drawn_value(field: HiddenField, chance: Generator) -> int:
    return field.values[chance.below(len(field.values))] if field.values else field.low + chance.below(field.count)


def answered_anew(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """The same position, with other answers of those who were asked before in the round that the pending question
    begins for its seat: each of the options that they have here, as likely as any other. As it is if there is no such
    round, and where the seat itself has answered in it before."""
    first = words[SITE] - 1
    asked, top = rules.cached(secrets).rounds.get(first, (-1, 0))
    if words[PC] != asked:
        return words
    site, machine = rules.program.sites[first], rules.machine
    assert site.at_once is not None, "a question of a loop `at once`"
    if site.cursor >= 0 and words[words[FP] + FRAME_LINK + site.cursor]:
        return words
    member, store = place_of(words, site), words[:]
    store[store[FP] + FRAME_LINK + site.at_once[1]] = 1
    store[SITE], store[PC] = 0, top
    try:
        machine.run(store)
        while (now := store[SITE] - 1) >= 0 and place_of(store, rules.program.sites[now]) < member:
            if rules.names.seat_number(rules.read(store, rules.program.sites[now].seat)) == seat:
                return words
            options = machine.options(store)
            machine.take(store, options[chance.below(len(options))])
    except RulesetError:
        return words
    return store if store[SITE] == words[SITE] else words
