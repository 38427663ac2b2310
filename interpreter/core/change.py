"""The payments of an amount with pieces of several worths: what is spent of each source, and what comes back to it.

Pieces may be spent and others may come back for them as change, but worth never moves up: counted from the greatest
worth down, no source and those before it together hold more worth than they did. Takes and gives plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import add
from typing import NamedTuple

Counts = tuple[int, ...]
Payment = tuple[Counts, Counts]  # what is spent of each source, what comes back to it

CACHED_PRICES, LONGEST_CACHED = 4096, 200  # how many prices are cached, and the most payments of one

_cache: dict[tuple[object, ...], list[Payment]] = {}


class ChangeSource(NamedTuple):
    """A source: what its pieces are worth, how many may be spent, and whether change may come into it. `first`: it is
    used up before others; `refills`: what is spent from it can come back as change. Sources of the same `group` (0:
    none) together give no more pieces than the greatest `limit` among them."""

    worth: int
    held: int
    first: bool
    takes_change: bool
    refills: bool
    group: int = 0
    limit: int = 0


def payments(
    sources: tuple[ChangeSource, ...], amount: int, over: int, stock: int, prefer: bool, limit: int
) -> list[Payment]:
    """All payments that pay `over` too much, at most `limit` of them: those without change first, then those that take
    most from the first sources. `stock`: how many pieces can come back before anything is spent; `prefer`: sources
    marked `first` give as much as they can without overpaying, and change goes to them only if there are no others."""
    asked = sources, amount, over, stock, prefer, limit
    found = _cache.get(asked)
    if found is None:
        candidates = _all_payments(sources, amount, over, stock, prefer)
        if any([p.group for p in sources]):
            candidates = (payment for payment in candidates if _within_group_limits(sources, payment[0]))
        found = sorted(islice(candidates, limit), key=_preference)
        if len(found) <= LONGEST_CACHED:
            if len(_cache) >= CACHED_PRICES:
                _cache.clear()
            _cache[asked] = found
    return found


def _preference(payment: Payment) -> tuple[int, list[int]]:
    """The sort key of a payment: little change first, then much from the first sources."""
    spent, back = payment
    return sum(back), [-n for n in spent]


def _within_group_limits(sources: Sequence[ChangeSource], spent: Counts) -> bool:
    """True if no group gives more pieces than its limit."""
    groups = {p.group for p, n in zip(sources, spent, strict=True) if p.group and n}
    for group in groups:
        own = [(p.limit, n) for p, n in zip(sources, spent, strict=True) if p.group == group]
        if sum([n for _, n in own]) > max([limit for limit, _ in own]):
            return False
    return True


def _all_payments(
    sources: Sequence[ChangeSource], amount: int, over: int, stock: int, prefer: bool
) -> Iterator[Payment]:
    preferred = [i for i, p in enumerate(sources) if p.first and prefer]
    only_first = not any(p.takes_change and not p.first for p in sources)
    others = [
        p._replace(held=0 if i in preferred else p.held, takes_change=p.takes_change and (only_first or not p.first))
        for i, p in enumerate(sources)
    ]
    for start in exact_counts(sources, preferred, greatest_sum(sources, preferred, amount)):
        need = amount - sum([p.worth * n for p, n in zip(sources, start, strict=True)])
        if not need:
            if not over:
                yield start, (0,) * len(sources)
            continue
        refilled = sum([n for p, n in zip(sources, start, strict=True) if p.refills])
        for spent, back in payments_with_change(others, need + over, stock + refilled):
            if not over or over < min([p.worth for p, n in zip(sources, spent, strict=True) if n]):
                yield tuple(map(add, start, spent)), back


def greatest_sum(sources: Sequence[ChangeSource], among: list[int], limit: int) -> int:
    """The greatest worth up to `limit` that the sources with the indices `among` can give."""
    sums = 1
    mask = (1 << limit + 1) - 1
    for i in among:
        for _ in range(min(sources[i].held, limit // sources[i].worth)):
            grown = (sums | sums << sources[i].worth) & mask
            if grown == sums:
                break
            sums = grown
    return sums.bit_length() - 1


def exact_counts(sources: Sequence[ChangeSource], among: list[int], total: int) -> Iterator[Counts]:
    """The numbers of pieces of the sources with the indices `among` that are worth exactly `total`."""

    def fill(k: int, left: int, counts: list[int]) -> Iterator[Counts]:
        if left == 0:
            yield tuple(counts)
            return
        if k == len(among):
            return
        i = among[k]
        for n in range(min(sources[i].held, left // sources[i].worth), -1, -1):
            counts[i] = n
            yield from fill(k + 1, left - n * sources[i].worth, counts)
        counts[i] = 0

    return fill(0, total, [0] * len(sources))


def payments_with_change(sources: Sequence[ChangeSource], need: int, stock: int) -> Iterator[Payment]:
    """All payments after which the sources hold exactly `need` less, whatever is marked `first`."""
    order = sorted(range(len(sources)), key=lambda i: -sources[i].worth)
    last = len(order) - 1
    worth = [0] * (last + 2)  # what the sources from here on can still give
    pieces = [0] * (last + 2)  # how many of it can come back as change
    level = [0] * (last + 2)  # what the later ones of the same worth can give
    returns = [False] * (last + 2)  # whether change can come into one from here on
    for k in reversed(range(last + 1)):
        source = sources[order[k]]
        worth[k] = worth[k + 1] + source.worth * source.held
        pieces[k] = pieces[k + 1] + source.held * source.refills
        returns[k] = returns[k + 1] or source.takes_change
        if k < last and sources[order[k + 1]].worth == source.worth:
            level[k] = level[k + 1] + source.worth * sources[order[k + 1]].held
    moved = [0] * len(sources)  # how many are spent; below zero, how many come

    def fill(k: int, gone: int, free: int) -> Iterator[Payment]:
        """`gone`: the worth that has left the sources before this one; `free`: the pieces that can come back."""
        if gone + worth[k] < need or free + pieces[k] < 0:
            return
        if k > last:
            if gone == need:
                yield tuple([max(n, 0) for n in moved]), tuple([max(-n, 0) for n in moved])
            return
        i = order[k]
        source = sources[i]
        fits, rest = divmod(need - gone, source.worth)
        highest = source.held if returns[k + 1] else min(source.held, fits)
        lowest = -((gone + level[k]) // source.worth)  # below zero it would let worth move up
        lowest = lowest if source.takes_change else max(0, lowest)
        if k == last:
            highest, lowest = (highest, max(lowest, fits)) if not rest and highest == fits else (0, 1)
        for n in range(highest, lowest - 1, -1):
            moved[i] = n
            yield from fill(k + 1, gone + n * source.worth, free + (n * source.refills if n > 0 else n))
        moved[i] = 0

    yield from fill(0, 0, stock)
