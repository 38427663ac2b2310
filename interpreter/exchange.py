"""Exact ways of paying in which change goes to a source worth more than another piece that is spent.

`mixed` takes plain numbers for each source and gives what is spent and what comes back. Worth never moves up: counted
from the top, no source and those above it together hold more worth than before. Nothing is exchanged needlessly: no
part of what is spent is worth as much as a part of what comes back. The simple ways, whose change is worth less than
every piece spent, are not among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A source: what its pieces are worth, how many may be spent, and whether change may come into it.
    `refills`: what is spent from it can come back as change."""

    worth: int
    held: int
    open: bool
    refills: bool


def mixed(places: Sequence[Place], need: int, stock: int) -> Iterator[tuple[Counts, Counts]]:
    """`need`: the price; `stock`: how many pieces can come back before anything is spent."""
    held = [p.worth for p in places if p.held]
    if not held or not any(p.open and min(held) < p.worth < max(held) for p in places):
        return
    order = sorted(range(len(places)), key=lambda i: -places[i].worth)
    rest = [0] * (len(order) + 1)  # what the sources from here on can still give
    for k in reversed(range(len(order))):
        rest[k] = rest[k + 1] + places[order[k]].worth * places[order[k]].held
    spent, back = [0] * len(places), [0] * len(places)

    def fill(k: int, net: int, free: int, gone: int, come: int) -> Iterator[tuple[Counts, Counts]]:
        """`gone`, `come`: the sums that parts of what is spent and of what comes back make, as bits."""
        if net + rest[k] < need:
            return
        if k == len(order):
            if net == need and free >= 0 and _mixes(places, spent, back):
                yield tuple(spent), tuple(back)
            return
        i = order[k]
        place = places[i]
        yield from fill(k + 1, net, free, gone, come)
        sums = gone
        for n in range(1, place.held + 1):
            sums |= sums << place.worth
            if sums & come & ~1:
                break
            spent[i] = n
            yield from fill(k + 1, net + n * place.worth, free + n * place.refills, sums, come)
        spent[i] = 0
        sums = come
        for n in range(1, net // place.worth + 1 if place.open else 1):
            sums |= sums << place.worth
            if sums & gone & ~1:
                break
            back[i] = n
            yield from fill(k + 1, net - n * place.worth, free - n, gone, sums)
        back[i] = 0

    yield from fill(0, 0, stock, 1, 1)


def _mixes(places: Sequence[Place], spent: Sequence[int], back: Sequence[int]) -> bool:
    """Whether something comes back that is worth more than a piece that is spent."""
    least = min((p.worth for p, n in zip(places, spent, strict=True) if n), default=0)
    return any(n and p.worth > least for p, n in zip(places, back, strict=True))
