"""Purses: the ways to pay or gain an amount with pieces of several worths, and the default among them.

A `Payment` is one way: how many pieces each source gives and how many come back as change; one that gains spends
nothing. Sources marked `first` are used up before others. Change comes out of the purse's change zone, which then
already holds what was spent there, and goes to sources of the same piece, so that worth never moves up
(`interpreter.core.change`). Nothing comes into a source that is `never back`. If there is no exact payment, those with
the least overpayment that the purse allows remain; no piece is given needlessly. Conditions of the purse read the store
before the payment and `over`; keys read the store after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import INT_HIGH
from interpreter.core.change import ChangeSource, Counts, payments
from interpreter.core.pools import change_pool, pool_state
from interpreter.core.run import Run
from interpreter.core.words import Temps
from interpreter.semantics.folds import domain_members, rank

MAX_PAYMENTS = 2000  # payments that are compared; further ones, in the order of the sources, are left out


State = tuple[int, int, int]  # of a pool: address (0: endless), code of one piece (slots), pieces there
Row = tuple[int, int, int, int, State, State | None]
"""A source as it is read: its number in the purse, its rank, the worth of a piece, the most pieces of one payment
(-1: no limit), the pool, and where spent pieces go."""


@dataclass(slots=True)
class PoolAt:
    """A pool at a known address; never changed."""

    pool: ir.Pool
    at: int
    code: int
    count: int


class Unit(NamedTuple):
    """One source, or one pass of a `for every` source."""

    source: PoolAt
    target: PoolAt | None
    worth: int
    first: bool
    counter: int
    never_back: bool = False
    limit: int = 0  # the most pieces that one payment may take from it, if it has a counter


class Payment(NamedTuple):
    spent: Counts
    back: Counts
    over: int


@dataclass(slots=True)
class OpenPurse:
    """A purse with its arguments, read from the current store."""

    purse: ir.Purse
    units: list[Unit]
    change: PoolAt | None
    temps: Temps


def open_purse(m: Run, number: int, args: Temps) -> OpenPurse:
    purse = m.program.purses[number]
    t = args + [0] * (purse.temps - len(args))
    units, ranked = [], False
    ranks = []
    for at, order, worth, most, source, target in m.source_rows(number, t):
        if worth <= 0:
            raise m.fault(f"a piece in the purse `{purse.name}` is worth {worth}; a worth must be above 0")
        s = purse.sources[at]
        place, code, count = source
        limit = max(0, most)
        pool = PoolAt(s.pool, place, code, count if most < 0 else min(count, limit))
        to = None if target is None or s.target is None else PoolAt(s.target, *target)
        units.append(Unit(pool, to, worth, s.first, s.counter, s.never_back, limit))
        ranks.append(order)
        ranked = ranked or s.rank is not None
    if ranked:
        units = [units[n] for n in sorted(range(len(units)), key=ranks.__getitem__)]
    return OpenPurse(purse, units, PoolAt(purse.change, *pool_state(m, purse.change, t)) if purse.change else None, t)


def source_rows(m: Run, purse: ir.Purse, t: Temps) -> Iterator[Row]:
    """The sources of a purse that take part, in order."""
    for at, s in enumerate(purse.sources):
        for v in domain_members(m, s.domain, t) if s.domain else (0,):
            if s.domain:
                t[s.slot] = v
            if s.where is not None and not m.value(s.where, t):
                continue
            worth, source = m.value(s.worth, t), pool_state(m, s.pool, t)
            most = -1 if s.most is None else max(0, m.value(s.most, t))
            target = pool_state(m, s.target, t) if s.target else None
            yield at, -1 if s.rank is None else m.value(s.rank, t), worth, most, source, target


# ------------------------------------------------------------ ways to pay


def ranked_payments(m: Run, p: OpenPurse, amount: int) -> list[Payment]:
    """The legal payments: exact ones, else those with the least overpayment; the default first."""
    return _ranked(m, p, _legal_payments(m, p, amount))


def ranked_gains(m: Run, p: OpenPurse, amount: int) -> list[Payment]:
    """The ways to gain the amount, or the next lower one that is possible; the default first."""
    return _ranked(m, p, possible_gains(p, amount))


def _legal_payments(m: Run, p: OpenPurse, amount: int, limit: int = MAX_PAYMENTS) -> list[Payment]:
    """The payments with the least overpayment that is allowed; the search stops at `limit` of them."""
    if sum([u.worth * u.source.count for u in p.units]) < amount:
        return []
    sources, stock = _sources(m, p)
    for prefer in (True, False):
        some = False
        for over in range(max([u.worth for u in p.units if u.source.count])):
            found = payments(sources, amount, over, stock, prefer, limit)
            p.temps[p.purse.over_slot] = over
            if found and all(m.value(r, p.temps) for r in p.purse.require):
                return [Payment(spent, back, over) for spent, back in found]
            some = some or bool(found)
        if some:
            break
    return []


def _sources(m: Run, p: OpenPurse) -> tuple[tuple[ChangeSource, ...], int]:
    """The sources in plain numbers, and the number of pieces in the change zone."""
    shared = _shared_counter(p)
    if p.change is None:
        return tuple(
            [ChangeSource(u.worth, u.source.count, u.first, False, False, shared(u), u.limit) for u in p.units]
        ), 0
    at, piece = p.change.at, m.pieces.get(p.change.pool.symbol)
    sources = []
    for u in p.units:
        opens = not u.never_back and m.pieces.get(u.source.pool.symbol) == piece
        back = u.target is not None and u.target.at == at
        sources.append(ChangeSource(u.worth, u.source.count, u.first, opens, back, shared(u), u.limit))
    return tuple(sources), p.change.count


def _shared_counter(p: OpenPurse) -> Callable[[Unit], int]:
    """A function that gives the counter of a unit if several sources share it, else 0."""
    counters = [s.counter for s in p.purse.sources if s.counter]
    several = {c for c in counters if counters.count(c) > 1}
    return lambda unit: unit.counter if unit.counter in several else 0


# ------------------------------------------------------------ ways to gain


def possible_gains(p: OpenPurse, amount: int, limit: int = MAX_PAYMENTS) -> list[Payment]:
    """Ways to gain the amount, or the next lower one that is possible. What was spent comes back; `first` sources gain
    only if there are no others. The search stops at `limit` exact ones."""
    nothing: Counts = (0,) * len(p.units)
    back = [i for i, u in enumerate(p.units) if not u.never_back]
    among = [i for i in back if not p.units[i].first] or back
    among = [i for i in among if p.units[i].worth <= amount]
    stock = {u.target.at: u.target.count for u in p.units if u.target}
    best, found = 0, [nothing]

    def fill(k: int, left: int, counts: list[int]) -> None:
        nonlocal best, found
        total = amount - left
        if total > best:
            best, found = total, []
        if total == best and total and len(found) < MAX_PAYMENTS and (left == 0 or k == len(among)):
            found.append(tuple(counts))
        if left == 0 or k == len(among) or len(found) >= (limit if best == amount else MAX_PAYMENTS):
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
    return [Payment(nothing, counts, 0) for counts in found]


# ------------------------------------------------------------ nodes


def payable(m: Run, e: ir.Payable, t: Temps) -> int:
    amount = m.value(e.amount, t)
    return 1 if amount <= 0 else can_pay(m, e.purse, [m.value(arg, t) for arg in e.args], amount)


def can_pay(m: Run, purse: int, args: Temps, amount: int) -> int:
    """1 if an amount can be paid from a purse with these arguments, else 0."""
    if amount <= 0:
        return 1
    p = open_purse(m, purse, args)
    if sum([min(u.source.count, amount) * u.worth for u in p.units]) < amount:
        return 0
    if not (p.purse.require or any(map(_shared_counter(p), p.units))):
        return 1
    return 1 if _legal_payments(m, p, amount, 1) else 0


def count_payments(m: Run, e: ir.Payments, t: Temps) -> int:
    amount = m.value(e.amount, t)
    return 0 if amount <= 0 else count_ways(m, e.purse, [m.value(arg, t) for arg in e.args], amount, e.gain, e.most)


def count_ways(m: Run, purse: int, args: Temps, amount: int, gain: bool, most: int) -> int:
    """The number of ways to pay an amount, or to gain it. `most`: count no further than this (0: count all)."""
    if amount <= 0:
        return 0
    p, limit = open_purse(m, purse, args), most or MAX_PAYMENTS
    return len(possible_gains(p, amount, limit) if gain else _legal_payments(m, p, amount, limit))


def pay(m: Run, s: ir.Pay, t: Temps) -> None:
    """Pay or gain in the chosen way, else in the default way."""
    amount, args = m.value(s.amount, t), [m.value(arg, t) for arg in s.args]
    settle(m, s, args, amount, m.value(s.way, t) if s.way is not None else 0)


def settle(m: Run, s: ir.Pay, args: Temps, amount: int, way: int) -> None:
    """Pay or gain an amount in the way with this number (0: the default)."""
    if amount < 0:
        raise m.fault(f"{amount} cannot be {'gained' if s.gain else 'paid'}; an amount must not be negative", s.span)
    if amount == 0:
        return
    p = open_purse(m, s.purse, args)
    found = ranked_gains(m, p, amount) if s.gain else ranked_payments(m, p, amount)
    if not found:
        worth = sum(u.source.count * u.worth for u in p.units)
        message = f"{amount} cannot be paid from `{p.purse.name}`, which holds {worth}"
        raise m.demand(message, s.span, ends=True)
    _apply(m, p, found[way - 1 if 0 < way <= len(found) else 0], s.gain)


def _ranked(m: Run, p: OpenPurse, found: list[Payment]) -> list[Payment]:
    """The payments ordered by the keys of the purse, read in the store after paying, the best first."""
    gain = not any(any(w.spent) for w in found)
    if not p.purse.keys or len(found) < 2:
        return found
    cells = _affected_cells(p)
    ranks = []
    for payment in found:
        before = [(at, m.words[at]) for _, at in cells]
        _apply(m, p, payment, gain)
        p.temps[p.purse.over_slot] = payment.over
        ranks.append(rank(m, p.purse.keys, p.temps))
        for at, value in before:
            m.words[at] = value
    return [found[i] for i in sorted(range(len(found)), key=ranks.__getitem__)]


def _apply(m: Run, p: OpenPurse, payment: Payment, gain: bool) -> None:
    for unit, spent, back in zip(p.units, payment.spent, payment.back, strict=True):
        _move_pieces(m, unit.source, unit.target, spent)
        _move_pieces(m, unit.source, unit.target if gain else p.change, -back)
        if unit.counter and spent > 0:
            m.words[unit.counter] += spent


def _move_pieces(m: Run, source: PoolAt, target: PoolAt | None, amount: int) -> None:
    """Move pieces out of a source (a negative amount: into it)."""
    if amount:
        change_pool(m, source.pool, source.at, source.code, -amount)
        if target is not None:
            change_pool(m, target.pool, target.at, target.code, amount)


def _affected_cells(p: OpenPurse) -> list[tuple[str, int]]:
    ends = [u.source for u in p.units] + [u.target for u in p.units if u.target] + ([p.change] if p.change else [])
    counters = [("counter", u.counter) for u in p.units if u.counter]
    return list(dict.fromkeys([(end.pool.symbol, end.at) for end in ends if end.at] + counters))


def affected_cells(m: Run, s: ir.Pay, t: Temps) -> list[tuple[str, int]]:
    """The cells that a payment may change, with their symbols."""
    return _affected_cells(open_purse(m, s.purse, [m.value(arg, t) for arg in s.args]))
