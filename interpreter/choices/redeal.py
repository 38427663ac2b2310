"""The unknown made anew: the things that a seat cannot know lie in a random order, and chance to come is new.

A kernel function, run by `interpreter.visibility.imagine` and compiled for native code.
"""

from __future__ import annotations

from typing import Protocol

from dsl.program import ALL, ASKING, SCRIPT, Program
from interpreter.choices.generator import Generator
from interpreter.core.kernel import Row, kernel, room, sort


class Sight(Protocol):
    """What may be known of a store. `zones`: number and address of each ordered zone that not everybody sees; `backs`:
    for each thing a number, the same for things whose backs look alike."""

    @property
    def zones(self) -> tuple[int, ...]: ...
    @property
    def backs(self) -> tuple[int, ...]: ...
    def sees(self, zone: int, seat: int) -> bool: ...
    def sees_top(self, zone: int, seat: int) -> bool: ...
    def was_shown(self, thing: int, seat: int) -> bool: ...


@kernel
def redeal(sight: Sight, store: Row, seat: int, chance: Generator) -> None:
    """Make a store what the seat may imagine."""
    chance.reseed(store)
    store[ASKING] = store[SCRIPT] = 0
    for n in range(0, len(sight.zones), 2):
        zone, base = sight.zones[n], sight.zones[n + 1]
        if store[base] > 1 and not sight.sees(zone, seat):
            mix_unknown(sight, store, base, store[base + 1] if sight.sees_top(zone, seat) else 0, seat, chance)


@kernel
def mix_unknown(sight: Sight, store: Row, base: int, top: int, seat: int, chance: Generator) -> None:
    """Give the unknown things of a zone another order. Each place keeps what is seen of a back, and the order in which
    they lie makes no difference."""
    size, left = store[base], 0
    unknown, places, things = room(size), room(size), room(size)
    for place in range(base + 1, base + 1 + size):
        if store[place] != top and not sight.was_shown(store[place], seat):
            unknown[left] = place
            left += 1
    while left:
        back, alike, others = sight.backs[store[unknown[0]]], 0, 0
        for n in range(left):
            at = unknown[n]
            if sight.backs[store[at]] == back:
                places[alike], things[alike] = at, store[at]
                alike += 1
            else:
                unknown[others] = at
                others += 1
        sort(things, alike)
        chance.mix(things, alike)
        for n in range(alike):
            store[places[n]] = things[n]
        left = others


def hidden_zones(program: Program) -> tuple[int, ...]:
    """Number and address of each ordered zone that not everybody sees."""
    zones = enumerate(program.zones)
    return tuple(x for n, z in zones if z.kind == "list" and z.audience != ALL for x in (n, z.base))


def alike_backs(program: Program) -> tuple[int, ...]:
    """For each thing the number of what is seen of its back; things with the same number look alike."""
    seen: dict[tuple[object, ...], int] = {}
    found: dict[int, list[object]] = {}
    for symbol in sorted(program.backs):
        kind, _, name = symbol.rpartition(".")
        table, type_ = program.consts[symbol]
        for thing, value in zip(program.domains[kind].values, program.tables[table], strict=True):
            found.setdefault(thing, []).append((name, value, type_))
    keys = [tuple(found.get(thing, ())) for thing in range(len(program.thing_ids))]
    return tuple([seen.setdefault(key, len(seen)) for key in keys])
