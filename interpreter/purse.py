"""Purses: the ways to pay or gain an amount with pieces of several worths, and the default among them.

A way says how many pieces each source gives and how many come back as change. Sources marked `first` are used up
before others; no piece is given needlessly; change comes out of the purse's change zone, which then already holds
what was spent there, and goes to sources of the same piece that are worth less than all pieces spent, or else so that
worth never moves up (`exchange`). Nothing comes into a source that is `never back`. Without an exact way those with the
least overpayment that the purse allows remain.
Conditions of the purse read the store before the payment and `over`; keys read the store after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import add
from typing import TYPE_CHECKING

from dsl import ir
from dsl.record import dataclass
from dsl.types import INT_HIGH
from interpreter.exchange import Place, mixed
from interpreter.folds import domain_members, rank
from interpreter.pools import change_pool, pool_state
from interpreter.store import Temps

if TYPE_CHECKING:
    from interpreter.machine import Machine

MOST_WAYS = 2000  # ways that are compared; further ones, in the order of the sources, are left out

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class End:
    """A pool at a known address."""

    pool: ir.Pool
    at: int
    code: int
    count: int


@dataclass(frozen=True, slots=True)
class Unit:
    """One source, or one pass of a `for every` source."""

    source: End
    target: End | None
    worth: int
    first: bool
    counter: int
    never_back: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    spent: Counts
    back: Counts
    over: int


@dataclass(slots=True)
class Open:
    """A purse with its arguments, as it stands now."""

    purse: ir.Purse
    units: list[Unit]
    change: End | None
    temps: Temps


def open_purse(m: Machine, number: int, args: Temps) -> Open:
    purse = m.program.purses[number]
    t = args + [0] * (purse.temps - len(args))
    units: list[tuple[int, Unit]] = []
    for s in purse.sources:
        for v in domain_members(m, s.domain, t) if s.domain else (0,):
            if s.domain:
                t[s.slot] = v
            if s.where is not None and not m.value(s.where, t):
                continue
            worth = m.value(s.worth, t)
            if worth <= 0:
                raise m.fault(f"a piece in the purse `{purse.name}` is worth {worth}; a worth must be above 0")
            source = _end(m, s.pool, t)
            if s.most is not None:
                source = replace(source, count=max(0, min(source.count, m.value(s.most, t))))
            target = _end(m, s.target, t) if s.target else None
            order = m.value(s.rank, t) if s.rank is not None else -1
            units.append((order, Unit(source, target, worth, s.first, s.counter, s.never_back)))
    units.sort(key=lambda found: found[0])
    return Open(purse, [unit for _, unit in units], _end(m, purse.change, t) if purse.change else None, t)


def _end(m: Machine, pool: ir.Pool, t: Temps) -> End:
    return End(pool, *pool_state(m, pool, t))


# ------------------------------------------------------------ ways to pay


def ways(m: Machine, p: Open, amount: int) -> list[Way]:
    """The best legal ways to pay: exact ones, else those with the least overpayment; the default first."""
    return _by_keys(m, p, _legal(m, p, amount))


def _legal(m: Machine, p: Open, amount: int) -> list[Way]:
    found = list(islice(_ways(m, p, amount, True), MOST_WAYS)) or list(islice(_ways(m, p, amount, False), MOST_WAYS))
    for over in sorted({w.over for w in found}):
        p.temps[p.purse.over_slot] = over
        if all(m.value(r, p.temps) for r in p.purse.require):
            return [w for w in found if w.over == over]
    return []


def _ways(m: Machine, p: Open, amount: int, prefer: bool) -> Iterator[Way]:
    """All ways without needless pieces; `prefer`: sources marked `first` give as much as they can without
    overpaying."""
    first = [i for i, u in enumerate(p.units) if u.first and prefer]
    others = [i for i in range(len(p.units)) if i not in first]
    firsts = list(islice(_exactly(p.units, first, _most(p.units, first, amount)), MOST_WAYS))
    for start in firsts:
        need = amount - sum(u.worth * n for u, n in zip(p.units, start, strict=True))
        for spent in _enough(p.units, others, need, start):
            given = sum(u.worth * n for u, n in zip(p.units, spent, strict=True))
            used = [p.units[i].worth for i in others if spent[i]]
            excess = given - amount
            if used and excess >= min(used):
                continue
            for back, returned in _change(m, p, spent, excess, min(used, default=0)):
                yield Way(spent, back, excess - returned)
        if p.change is None or not _steps(p.units):
            continue
        lower = _lower(m, p, INT_HIGH)
        places = [
            Place(u.worth, u.source.count if i in others else 0, i in others and i in lower, _refills(p, u))
            for i, u in enumerate(p.units)
        ]
        stock = p.change.count + sum(n for u, n in zip(p.units, start, strict=True) if _refills(p, u))
        for more, back in mixed(places, need, stock):
            yield Way(tuple(map(add, start, more)), back, 0)


def _steps(units: Sequence[Unit]) -> bool:
    """Whether a source is worth more than the least and less than the best piece that is there."""
    held = [u.worth for u in units if u.source.count]
    return bool(held) and any(min(held) < u.worth < max(held) for u in units)


def _most(units: Sequence[Unit], among: list[int], limit: int) -> int:
    """The greatest worth up to `limit` that these sources can give."""
    sums = 1
    mask = (1 << limit + 1) - 1
    for i in among:
        for _ in range(min(units[i].source.count, limit // units[i].worth)):
            grown = (sums | sums << units[i].worth) & mask
            if grown == sums:
                break
            sums = grown
    return sums.bit_length() - 1


def _exactly(units: Sequence[Unit], among: list[int], total: int) -> Iterator[Counts]:
    """Numbers of pieces of these sources that are worth exactly `total`."""

    def fill(k: int, left: int, counts: list[int]) -> Iterator[Counts]:
        if left == 0:
            yield tuple(counts)
            return
        if k == len(among):
            return
        i = among[k]
        for n in range(min(units[i].source.count, left // units[i].worth), -1, -1):
            counts[i] = n
            yield from fill(k + 1, left - n * units[i].worth, counts)
        counts[i] = 0

    return fill(0, total, [0] * len(units))


def _enough(units: Sequence[Unit], among: list[int], need: int, start: Counts) -> Iterator[Counts]:
    """Numbers of pieces that are worth at least `need`; nothing is added once it is reached."""

    def fill(k: int, left: int, counts: list[int]) -> Iterator[Counts]:
        if left <= 0:
            yield tuple(counts)
            return
        if k == len(among) or left > sum(min(units[i].source.count, left) * units[i].worth for i in among[k:]):
            return
        i = among[k]
        for n in range(min(units[i].source.count, -(-left // units[i].worth)), -1, -1):
            counts[i] = n
            yield from fill(k + 1, left - n * units[i].worth, counts)
        counts[i] = start[i]

    return fill(0, need, list(start))


def _change(m: Machine, p: Open, spent: Counts, excess: int, below: int) -> Iterator[tuple[Counts, int]]:
    """What may be given back for an excess, the most first: numbers of pieces by source, and their worth."""
    nothing: Counts = (0,) * len(p.units)
    change = p.change
    if change is None or excess == 0:
        yield nothing, 0
        return
    lower = _lower(m, p, below)
    stock = change.count + sum(n for u, n in zip(p.units, spent, strict=True) if _refills(p, u))

    def fill(k: int, left: int, stock: int, counts: list[int]) -> Iterator[tuple[Counts, int]]:
        if k == len(lower):
            yield tuple(counts), excess - left
            return
        i = lower[k]
        for n in range(min(stock, left // p.units[i].worth), -1, -1):
            counts[i] = n
            yield from fill(k + 1, left - n * p.units[i].worth, stock - n, counts)

    yield from fill(0, excess, stock, list(nothing))


def _lower(m: Machine, p: Open, below: int) -> list[int]:
    """The sources worth less than `below` into which change may come."""
    piece = m.pieces.get(p.change.pool.symbol) if p.change else None
    back = [i for i, u in enumerate(p.units) if u.worth < below and not u.never_back]
    lower = [i for i in back if m.pieces.get(p.units[i].source.pool.symbol) == piece]
    return [i for i in lower if not p.units[i].first] or lower


def _refills(p: Open, unit: Unit) -> bool:
    """Whether what is spent from a source goes to where the change comes from."""
    return p.change is not None and unit.target is not None and unit.target.at == p.change.at


# ------------------------------------------------------------ ways to gain


def gains(p: Open, amount: int) -> list[Way]:
    """Ways to gain the amount, or the nearest below. What was spent comes back; `first` sources gain only if there
    are no others."""
    nothing: Counts = (0,) * len(p.units)
    back = [i for i, u in enumerate(p.units) if not u.never_back]
    among = [i for i in back if not p.units[i].first] or back
    stock = {u.target.at: u.target.count for u in p.units if u.target}
    best, found = 0, [nothing]

    def fill(k: int, left: int, counts: list[int]) -> None:
        nonlocal best, found
        total = amount - left
        if total > best:
            best, found = total, []
        if total == best and total and len(found) < MOST_WAYS and (left == 0 or k == len(among)):
            found.append(tuple(counts))
        if left == 0 or k == len(among) or len(found) >= MOST_WAYS:
            return
        i = among[k]
        target = p.units[i].target
        there = stock[target.at] if target else INT_HIGH
        for n in range(min(there, left // p.units[i].worth), -1, -1):
            counts[i] = n
            if target:
                stock[target.at] = there - n
            fill(k + 1, left - n * p.units[i].worth, counts)
        counts[i] = 0
        if target:
            stock[target.at] = there

    fill(0, amount, list(nothing))
    return [Way(nothing, counts, 0) for counts in found]


# ------------------------------------------------------------ nodes


def payable(m: Machine, e: ir.Payable, t: Temps) -> int:
    amount = m.value(e.amount, t)
    if amount <= 0:
        return 1
    p = open_purse(m, e.purse, [m.value(arg, t) for arg in e.args])
    if sum(min(u.source.count, amount) * u.worth for u in p.units) < amount:
        return 0
    return 1 if not p.purse.require or _legal(m, p, amount) else 0


def count(m: Machine, e: ir.Ways, t: Temps) -> int:
    amount = m.value(e.amount, t)
    return len(_legal(m, open_purse(m, e.purse, [m.value(arg, t) for arg in e.args]), amount)) if amount > 0 else 0


def pay(m: Machine, s: ir.Pay, t: Temps) -> None:
    """Take the default way of paying or gaining."""
    amount = m.value(s.amount, t)
    if amount < 0:
        raise m.fault(f"{amount} can not be {'gained' if s.gain else 'paid'}; an amount must not be negative", s.span)
    if amount == 0:
        return
    p = open_purse(m, s.purse, [m.value(arg, t) for arg in s.args])
    found = _by_keys(m, p, gains(p, amount)) if s.gain else ways(m, p, amount)
    if not found:
        worth = sum(u.source.count * u.worth for u in p.units)
        message = f"{amount} should be paid from `{p.purse.name}`, but its {worth} do not allow it"
        raise m.demand(message, s.span, ends=True)
    wanted = m.value(s.way, t) if s.way is not None else 0
    _apply(m, p, found[wanted - 1 if 0 < wanted <= len(found) else 0], s.gain)


def _by_keys(m: Machine, p: Open, found: list[Way]) -> list[Way]:
    """Ordered by the keys of the purse, read in the store as it is after paying, the best first."""
    gain = not any(any(w.spent) for w in found)
    if not p.purse.keys or len(found) < 2:
        return found
    touched = _cells(p)
    ranks = []
    for way in found:
        before = [(at, m.words[at]) for _, at in touched]
        _apply(m, p, way, gain)
        p.temps[p.purse.over_slot] = way.over
        ranks.append(rank(m, p.purse.keys, p.temps))
        for at, value in before:
            m.words[at] = value
    return [found[i] for i in sorted(range(len(found)), key=ranks.__getitem__)]


def _apply(m: Machine, p: Open, way: Way, gain: bool) -> None:
    for unit, spent, back in zip(p.units, way.spent, way.back, strict=True):
        _shift(m, unit.source, unit.target, spent)
        _shift(m, unit.source, unit.target if gain else p.change, -back)
        if unit.counter and spent > 0:
            m.words[unit.counter] += spent


def _shift(m: Machine, source: End, target: End | None, amount: int) -> None:
    """So many pieces out of a source (a negative amount: into it)."""
    if amount:
        change_pool(m, source.pool, source.at, source.code, -amount)
        if target is not None:
            change_pool(m, target.pool, target.at, target.code, amount)


def _cells(p: Open) -> list[tuple[str, int]]:
    ends = [u.source for u in p.units] + [u.target for u in p.units if u.target] + ([p.change] if p.change else [])
    counters = [("counter", u.counter) for u in p.units if u.counter]
    return list(dict.fromkeys([(end.pool.symbol, end.at) for end in ends if end.at] + counters))


def cells(m: Machine, s: ir.Pay, t: Temps) -> list[tuple[str, int]]:
    """The cells that a payment may change, with their symbols."""
    return _cells(open_purse(m, s.purse, [m.value(arg, t) for arg in s.args]))
