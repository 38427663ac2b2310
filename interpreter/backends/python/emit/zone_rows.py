"""Rows of zones: those of one name stand one behind the other, so that their words and viewers follow from their
numbers."""

from __future__ import annotations

from dataclasses import dataclass

from dsl import program as hdr
from dsl.base.types import MemberType, width
from interpreter.backends.python.emit.source import sum_text
from interpreter.backends.python.runtime.moves import BOX, LIST, OTHER, SET, zone_shape


@dataclass(frozen=True, slots=True)
class Row:
    """Zones `first`..`last` of one name: zone n starts at word n * stride + base, and its owner, if nobody else sees
    it, is seat n - seat. `low`, `high`: the things that may be there; `cap`: 0 where all of them fit."""

    symbol: str
    first: int
    last: int
    kind: int
    base: int
    stride: int
    cap: int
    low: int
    high: int
    words: int
    audience: str
    seat: int

    def address(self, n: str) -> str:
        """The text of the address of zone `n`."""
        if self.first == self.last:
            return str(self.first * self.stride + self.base)
        return sum_text(self.base, n if self.stride == 1 else f"{n} * {self.stride}")

    def contains(self, n: str) -> str:
        """The condition that zone `n` is one of these."""
        if self.first == self.last:
            return f"{n} == {self.first}" if self.first else f"not {n}"
        return f"{self.first} <= {n} <= {self.last}"


def rows_of_zones(program: hdr.Program) -> list[Row]:
    """All rows of zones for things; those that are not plain are left out."""
    seats = {thing: n for n, thing in enumerate(program.domains[program.seat_kind].values, 1)}
    found: list[Row] = []
    n = 0
    while n < len(program.zones):
        end = n + 1
        while end < len(program.zones) and n and program.zones[end].symbol == program.zones[n].symbol:
            end += 1
        row = find_row(program, n, end, seats)
        if row is not None:
            found.append(row)
        n = end
    return found


def find_row(program: hdr.Program, first: int, end: int, seats: dict[int, int]) -> Row | None:
    zones = program.zones[first:end]
    z = zones[0]
    kind, base, cap, low = zone_shape(program, first)
    if kind == OTHER or z.top or (kind != BOX and z.kind == "pieces"):
        return None
    stride = zones[1].base - base if len(zones) > 1 else 0
    seat = 0
    if z.audience == "owner":
        if any(zone.holder not in seats for zone in zones):
            return None
        seat = first - seats[z.holder]
    elif z.audience not in ("all", "nobody"):
        return None
    for k, zone in enumerate(zones):
        alike = zone.base == base + k * stride and (zone.type, zone.audience) == (z.type, z.audience)
        if not alike or zone_shape(program, first + k)[2] != cap or (seat and seats[zone.holder] != first + k - seat):
            return None
    elem = getattr(z.type, "elem", z.type)
    if kind != BOX and not isinstance(elem, MemberType):
        return None
    lowest, highest = (elem.low, elem.high) if isinstance(elem, MemberType) else (0, len(program.placed))
    if kind == LIST and cap > highest - lowest:
        cap = 0
    return Row(
        z.symbol, first, end - 1, kind, base - first * stride, stride, cap, lowest or 1, highest,
        width(z.type) if kind == SET else 1, z.audience, seat,
    )  # fmt: skip
