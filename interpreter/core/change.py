"""How an amount can be paid with pieces of several worths: what is spent of each source, and what comes back to it.

Pieces may be spent and others may come back for them as change, but worth never moves up: counted from the top, no
source and those above it together hold more worth than before. Takes and gives plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import add
from typing import NamedTuple

Counts = tuple[int, ...]
Spent = tuple[Counts, Counts]  # what is spent of each source, what comes back to it

REMEMBERED, LONGEST = 4096, 200  # prices that are remembered; the ways of one

_known: dict[tuple[object, ...], list[Spent]] = {}


class Place(NamedTuple):
    """A source: what its pieces are worth, how many may be spent, and whether change may come into it. `first`: it is
    used up before others; `refills`: what is spent from it can come back as change. Those of the same `group` (0: none)
    give together no more pieces than the greatest `limit` of them."""

    worth: int
    held: int
    first: bool
    open: bool
    refills: bool
    group: int = 0
    limit: int = 0


def payments(places: tuple[Place, ...], amount: int, over: int, stock: int, prefer: bool, most: int) -> list[Spent]:
    """All ways to pay `over` too much, no more than `most`: those without change first, then those that take most of
    the first places. `stock`: how many pieces can come back before anything is spent; `prefer`: places marked `first`
    give as much as they can without overpaying, and change goes to them only where there are no others."""
    asked = places, amount, over, stock, prefer, most
    found = _known.get(asked)
    if found is None:
        every = _payments(places, amount, over, stock, prefer)
        if any([p.group for p in places]):
            every = (way for way in every if _together(places, way[0]))
        found = sorted(islice(every, most), key=_moves)
        if len(found) <= LONGEST:
            if len(_known) >= REMEMBERED:
                _known.clear()
            _known[asked] = found
    return found


def _moves(way: Spent) -> tuple[int, list[int]]:
    return sum(way[1]), [-n for n in way[0]]


def _together(places: Sequence[Place], spent: Counts) -> bool:
    """Whether no group gives more than it may."""
    groups = {p.group for p, n in zip(places, spent, strict=True) if p.group and n}
    for group in groups:
        own = [(p.limit, n) for p, n in zip(places, spent, strict=True) if p.group == group]
        if sum([n for _, n in own]) > max([limit for limit, _ in own]):
            return False
    return True


def _payments(places: Sequence[Place], amount: int, over: int, stock: int, prefer: bool) -> Iterator[Spent]:
    before = [i for i, p in enumerate(places) if p.first and prefer]
    alone = not any(p.open and not p.first for p in places)
    others = [
        p._replace(held=0 if i in before else p.held, open=p.open and (alone or not p.first))
        for i, p in enumerate(places)
    ]
    for start in exactly(places, before, most_below(places, before, amount)):
        need = amount - sum([p.worth * n for p, n in zip(places, start, strict=True)])
        if not need:
            if not over:
                yield start, (0,) * len(places)
            continue
        back = sum([n for p, n in zip(places, start, strict=True) if p.refills])
        for spent, come in spreads(others, need + over, stock + back):
            if not over or over < min([p.worth for p, n in zip(places, spent, strict=True) if n]):
                yield tuple(map(add, start, spent)), come


def most_below(places: Sequence[Place], among: list[int], limit: int) -> int:
    """The greatest worth up to `limit` that these places can give."""
    sums = 1
    mask = (1 << limit + 1) - 1
    for i in among:
        for _ in range(min(places[i].held, limit // places[i].worth)):
            grown = (sums | sums << places[i].worth) & mask
            if grown == sums:
                break
            sums = grown
    return sums.bit_length() - 1


def exactly(places: Sequence[Place], among: list[int], total: int) -> Iterator[Counts]:
    """Numbers of pieces of these places that are worth exactly `total`."""

    def fill(k: int, left: int, counts: list[int]) -> Iterator[Counts]:
        if left == 0:
            yield tuple(counts)
            return
        if k == len(among):
            return
        i = among[k]
        for n in range(min(places[i].held, left // places[i].worth), -1, -1):
            counts[i] = n
            yield from fill(k + 1, left - n * places[i].worth, counts)
        counts[i] = 0

    return fill(0, total, [0] * len(places))


def spreads(places: Sequence[Place], need: int, stock: int) -> Iterator[Spent]:
    """All ways in which exactly `need` is gone afterwards, whatever is marked `first`."""
    order = sorted(range(len(places)), key=lambda i: -places[i].worth)
    last = len(order) - 1
    worth = [0] * (last + 2)  # what the places from here on can still give
    pieces = [0] * (last + 2)  # how many of it can come back as change
    level = [0] * (last + 2)  # what those of the same worth behind this one can give
    returns = [False] * (last + 2)  # whether change can come into one from here on
    for k in reversed(range(last + 1)):
        place = places[order[k]]
        worth[k] = worth[k + 1] + place.worth * place.held
        pieces[k] = pieces[k + 1] + place.held * place.refills
        returns[k] = returns[k + 1] or place.open
        if k < last and places[order[k + 1]].worth == place.worth:
            level[k] = level[k + 1] + place.worth * places[order[k + 1]].held
    moved = [0] * len(places)  # how many are spent; below zero, how many come

    def fill(k: int, gone: int, free: int) -> Iterator[Spent]:
        """`gone`: the worth that has left the places before this one; `free`: the pieces that can come back."""
        if gone + worth[k] < need or free + pieces[k] < 0:
            return
        if k > last:
            if gone == need:
                yield tuple([max(n, 0) for n in moved]), tuple([max(-n, 0) for n in moved])
            return
        i = order[k]
        place = places[i]
        fits, rest = divmod(need - gone, place.worth)
        most = place.held if returns[k + 1] else min(place.held, fits)
        least = -((gone + level[k]) // place.worth)  # below zero it would let worth move up
        least = least if place.open else max(0, least)
        if k == last:
            most, least = (most, max(least, fits)) if not rest and most == fits else (0, 1)
        for n in range(most, least - 1, -1):
            moved[i] = n
            yield from fill(k + 1, gone + n * place.worth, free + (n * place.refills if n > 0 else n))
        moved[i] = 0

    yield from fill(0, 0, stock)
