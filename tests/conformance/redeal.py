"""Deals hidden things anew: states that differ from a given one only in what a seat cannot know.

It takes a state and a seat, and gives a copy in which the things that the seat does not know have changed places among
themselves, and hidden fields and counts hold something else. It is not a test itself.
"""

from __future__ import annotations

import random

import interpreter as rw
from dsl import ir
from dsl.base.types import BoolType, IntType, MemberType, bounds, width
from dsl.program import SEATS
from interpreter.core.placement import content, first_thing
from interpreter.core.words import load, put, save, to_mask
from interpreter.rules.layout import holder_width, holders
from interpreter.session.state import PlanStart
from interpreter.visibility.audiences import sees


def redealt(state: rw.State, seat: int | None, chooser: random.Random) -> rw.State:
    """Another state that looks the same to `seat` (None: to a spectator)."""
    twin = rw.copy(state)
    twin.replace_words(redealt_words(state.game, state.words, seat, chooser))
    if state.plan is not None:
        words = redealt_words(state.game, state.plan.words, seat, chooser)
        twin.plan = PlanStart(state.plan.seat, words, state.plan.entries)
    return twin


def redealt_words(game: rw.Game, words: list[int], seat: int | None, chooser: random.Random) -> list[int]:
    found = words[:]
    deal_things(game, words, found, unknown_things(game, words, seat), chooser)
    for entry in game.program.layout:
        if entry.sort in ("field", "pieces"):
            for thing, base in holders(entry):
                if not may_see(game, words, entry.audience, entry.owner_fn, thing, seat):
                    deal_cells(found, entry, base, chooser)
    return found


def may_see(game: rw.Game, words: list[int], audience: str, owner_fn: int, thing: int, seat: int | None) -> bool:
    """Whether a seat sees what this thing owns; `all`, `nobody` and seats as owners without the code under test."""
    if audience == "all":
        return True
    if audience == "nobody":
        return False
    if seat is None:  # what all of several seats see, a spectator sees
        return audience != "owner" and seats_of(words) != [1] and all(
            may_see(game, words, audience, owner_fn, thing, one) for one in seats_of(words)
        )  # fmt: skip
    if audience == "owner" and game.program.thing_kinds[thing] == game.program.seat_kind:
        return game.program.thing_ids[thing] == f"p{seat}"
    return sees(game, words, audience, owner_fn, thing, seat)


def unknown_things(game: rw.Game, words: list[int], seat: int | None) -> list[int]:
    """The things whose place the seat does not know: in a zone that it may not see, and not remembered."""
    program = game.program
    owners = {e.symbol: e.owner_fn for e in program.layout}
    found = []
    for thing, address in enumerate(program.placed):
        if not thing or not address or not words[address]:
            continue  # it never moves, or is in the open box
        zone = program.zones[words[address]]
        if zone.top == "all" and first_thing(words, zone) == thing:
            continue  # everybody sees it, spectators as well
        bits = words[program.known_base + thing] if program.known_base else 0
        seers = seats_of(words) if seat is None else [seat]
        known = [bits >> one & 1 or may_see(game, words, zone.audience, owners[zone.symbol], zone.holder, one)
                 for one in seers]  # fmt: skip
        if zone.audience != "all" and (not all(known) or seat is None and len(seers) == 1):
            found.append(thing)
    return found


def seats_of(words: list[int]) -> list[int]:
    return list(range(1, words[SEATS] + 1))


def deal_things(game: rw.Game, old: list[int], new: list[int], things: list[int], chooser: random.Random) -> None:
    """Things of one kind change places at random; whoever knew the old thing of a place knows the new one."""
    program = game.program
    becomes: dict[int, int] = {}
    for kind in sorted({program.thing_kinds[thing] for thing in things}):
        own = [thing for thing in things if program.thing_kinds[thing] == kind]
        becomes.update(zip(own, chooser.sample(own, len(own)), strict=True))
    for zone in program.zones[1:]:
        held = [becomes.get(thing, thing) for thing in content(old, zone)]
        if zone.kind == "slot":
            new[zone.base] = held[0] if held else 0
        elif zone.kind in ("set", "list"):
            save(new, zone.base, zone.type, to_mask(held) if zone.kind == "set" else tuple(held))
    for thing, other in becomes.items():
        new[program.placed[other]] = old[program.placed[thing]]
        if program.known_base:
            new[program.known_base + other] = old[program.known_base + thing]


def deal_cells(words: list[int], entry: ir.LayoutEntry, base: int, chooser: random.Random) -> None:
    """Other values for a hidden field; for hidden pieces, other counts of the same sum."""
    if entry.sort == "pieces":
        counts = words[base : base + holder_width(entry)]
        put(words, base, base + holder_width(entry), chooser.sample(counts.tolist(), len(counts)))
    elif isinstance(entry.type, (BoolType, IntType, MemberType)):
        low, high = bounds(entry.type)
        for at in range(base, base + holder_width(entry), width(entry.type)):
            save(words, at, entry.type, chooser.choice([load(words, at, entry.type), low, high]))
