"""The words of places and zones of a program, for the test that they agree."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.base.types import width
from dsl.program import Program
from interpreter.core.words import Words


class PlaceIndex:
    """The words in which a program keeps places. `movable`: the things that can move, with the addresses of their place
    words; `zones`: those of things: number, and the range of words that are all zero exactly while the zone is empty;
    `spans`: the ranges of all words that the test reads; `sound`: these words where it last found no fault."""

    def __init__(self, program: Program) -> None:
        self.movable = [(thing, address) for thing, address in enumerate(program.placed) if address]
        self.zones = thing_zones(program)
        whole = [(z.base, z.base + width(z.type)) for z in (program.zones[number] for number, _, _ in self.zones)]
        self.spans = joined(whole + [(address, address + 1) for _, address in self.movable])
        self.sound: list[Words] | None = None


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same words in as few ranges as they have, in order."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def thing_zones(program: Program) -> tuple[tuple[int, int, int], ...]:
    """The zones of things: number, and the range of words that are all zero exactly while the zone is empty."""
    found = []
    for number, zone in enumerate(program.zones):
        if number and zone.kind in ("slot", "list", "set"):
            found.append((number, zone.base, zone.base + (width(zone.type) if zone.kind == "set" else 1)))
    return tuple(found)
