"""Answers that are sets or amounts, as a sequence of small decisions: the next member in the order of its domain,
or `ready`.

A member is offered only if the rest of the answer can still meet the bounds (`interpreter.bounds`); a condition or
a key on the whole answer is decided by going through its completions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, STEPS
from dsl.types import SparseType, bounds, width
from interpreter.binding import READY, Option
from interpreter.bounds import Solver, TooManyAnswers, Total
from interpreter.folds import rank
from interpreter.store import Temps, Words, load, members, save

if TYPE_CHECKING:
    from interpreter.machine import Machine

ZERO, ONE = ir.Const(0), ir.Const(1)
WHOLE_ANSWERS = 1 << 16  # completions tested for one list of options

Amounts = tuple[int, ...]
new_option = tuple.__new__  # many options are made: this skips the handling of their field names


@dataclass(frozen=True, slots=True)
class Question:
    """What does not change between the small decisions of one answer: the members (or slots) that may be chosen and
    their bounds. `store` is the store that it was read from, without the answer."""

    site: ir.Site
    store: Words
    items: list[tuple[int, ...]]
    lows: list[int]
    highs: list[int]
    solver: Solver


def cursor(m: Machine, site: ir.Site) -> int:
    return m.words[m.words[FP] + FRAME_LINK + site.cursor]


def _answer(site: ir.Site) -> tuple[int, Any]:
    assert site.answer is not None, "a set or map is always answered into a variable"
    return site.answer


# ------------------------------------------------------------ listing


def offers(m: Machine, site: ir.Site, t: Temps) -> list[Option]:
    """Members that may come next, then `ready`."""
    try:
        q = _question(m, site, t)
        said = _said(m, q)
        wanted = _whole_answers(m, q, said, t) if site.such_that or site.keys else None
        return _listed(q, said, wanted)
    except TooManyAnswers:
        raise m.fault(
            f"the answers at `{site.address}` are too many to be gone through; a condition or key on the whole "
            "answer, or bounds that overlap, need fewer members",
            site.span,
            site.cites,
        ) from None


def _listed(q: Question, said: Amounts, wanted: set[Amounts] | None) -> list[Option]:
    """The options after the amounts `said` for the first members."""
    found: list[Option] = []
    site, solver, first = q.site, q.solver, len(said)
    sums = solver.sums(said)
    starts = None if wanted is None else {w[:k] for w in wanted for k in range(len(w) + 1)}
    kind = "amount" if site.shape == "amounts" else "add"
    type_ = _answer(site)[1]
    if not isinstance(type_, SparseType) or sum(1 for a in said if a) < type_.cap:
        for j in range(first, len(q.items)):
            amounts = range(max(q.lows[j], 1), q.highs[j] + 1)
            if starts is None:
                fitting = solver.fitting(j, amounts, sums)
            else:
                before = said + (0,) * (j - first)
                fitting = [a for a in amounts if (*before, a) in starts]
            if fitting:
                item = q.items[j]
                for a in fitting:
                    values = (*item, a) if kind == "amount" else item
                    found.append(new_option(Option, (kind, (j + 1, *values), 0, values)))
            if q.lows[j] > 0:
                break
    end = said + (0,) * (len(q.items) - first)
    done = end in wanted if wanted is not None else not any(q.lows[first:]) and solver.satisfied(sums)
    if done and (q.items or not (site.if_any or site.decline)):
        found.append(READY)
    return found


def _question(m: Machine, site: ir.Site, t: Temps) -> Question:
    """The members and bounds; those of the last time, if nothing but the answer has changed since."""
    store = m.words[:]
    base = store[FP] + FRAME_LINK
    slot, type_ = _answer(site)
    store[base + slot : base + slot + width(type_)] = [0] * width(type_)
    store[base + site.cursor] = store[STEPS] = 0
    known = m.question
    if known is None or known.site is not site or known.store != store:
        known = m.question = _read(m, site, store, t)
    return known


def row_parts(site: ir.Site) -> tuple[ir.Expr, ...]:
    """What is asked of each binding: least and greatest amount, and for every bound its weight and target."""
    parts = [*site.each] if site.each else [ZERO, ONE]
    for limit in site.bounds:
        parts += [ONE if limit.weight is None else limit.weight, ZERO if limit.per is None else limit.amount]
    return tuple(parts)


def rows(m: Machine, site: ir.Site, t: Temps) -> Iterator[tuple[Any, ...]]:
    parts = row_parts(site)
    for values in m.bound(site.alternatives[0], t):
        yield (values, *(m.value(part, t) for part in parts))


def _read(m: Machine, site: ir.Site, store: Words, t: Temps) -> Question:
    rows = list(m.rows(site, t))
    items = [row[0] for row in rows]
    lows = [row[1] if row[1] <= row[2] else 0 for row in rows]
    highs = [row[2] if row[1] <= row[2] else 0 for row in rows]
    totals: list[Total] = []
    for k, limit in enumerate(site.bounds):
        weights = [row[3 + 2 * k] for row in rows]
        if limit.per is None:
            totals.append(Total(limit.op, m.value(limit.amount, t), weights))
            continue
        targets = [row[4 + 2 * k] for row in rows]
        for v in dict.fromkeys(values[limit.per] for values in items):
            of = [values[limit.per] == v for values in items]
            target = targets[of.index(True)]
            totals.append(Total(limit.op, target, [w if mine else 0 for w, mine in zip(weights, of, strict=True)]))
    return Question(site, store, items, lows, highs, Solver(lows, highs, totals))


def _said(m: Machine, q: Question) -> Amounts:
    """The amounts of the members that are already passed."""
    passed = q.items[: cursor(m, q.site)]
    given = _given(m, q.site) if passed else {}
    if q.site.shape == "amounts":
        return tuple(given.get(key(q.site, values), 0) for values in passed)
    return tuple(given.get(values[-1], 0) for values in passed)


def _given(m: Machine, site: ir.Site) -> dict[int, int]:
    """What the answer variable holds: amounts by key, or 1 for each member."""
    slot, type_ = _answer(site)
    value = load(m.words, m.words[FP] + FRAME_LINK + slot, type_)
    if isinstance(type_, SparseType):
        return dict(value)
    return {v: 1 for v in members(value)}


def key(site: ir.Site, values: tuple[int, ...]) -> int:
    """The key number of a slot."""
    number = 0
    for v, type_ in zip(values, _answer(site)[1].keys, strict=True):
        low, high = bounds(type_)
        number = number * (high - low + 1) + v - low
    return number


# ------------------------------------------------------------ whole answers


def _whole_answers(m: Machine, q: Question, said: Amounts, t: Temps) -> set[Amounts]:
    """All whole answers that keep what was said, meet the bounds and the conditions, and are the best by the keys."""
    best: tuple[int, ...] | None = None
    found: set[Amounts] = set()
    for amounts in _completions(q, () if q.site.keys else said):
        if not _holds(m, q, amounts, t):
            continue
        here = rank(m, q.site.keys, t)
        if best is None or here < best:
            best, found = here, set()
        if here == best:
            found.add(amounts)
    return {w for w in found if w[: len(said)] == said}


def _completions(q: Question, start: Amounts) -> Iterator[Amounts]:
    count = 0
    stack = [(start, q.solver.sums(start))]
    while stack:
        amounts, sums = stack.pop()
        i = len(amounts)
        if not q.solver.completes(i, sums):
            continue
        if i == len(q.items):
            count += 1
            if count > WHOLE_ANSWERS:
                raise TooManyAnswers
            yield amounts
            continue
        stack += [((*amounts, a), q.solver.plus(sums, i, a)) for a in range(q.lows[i], q.highs[i] + 1)]


def _holds(m: Machine, q: Question, amounts: Amounts, t: Temps) -> bool:
    """Put the whole answer where conditions read it, and test them."""
    site = q.site
    value: Any
    if site.shape == "amounts":
        value = tuple(sorted((key(site, item), a) for item, a in zip(q.items, amounts, strict=True) if a))
    else:
        value = sum(1 << item[-1] for item, a in zip(q.items, amounts, strict=True) if a)
    t[site.whole_slot] = value
    return all(m.value(guard.test, t) for guard in site.such_that)


# ------------------------------------------------------------ taking


def take(m: Machine, site: ir.Site, option: Option) -> bool:
    """Note the member, or end the answer; gives whether the question goes on."""
    words = m.words
    base = words[FP] + FRAME_LINK
    slot, type_ = _answer(site)
    at = words[base + site.cursor]
    sparse = isinstance(type_, SparseType)
    empty: Any = () if sparse else 0
    value = load(words, base + slot, type_) if at else empty
    if option.kind == "ready":
        words[base + site.cursor] = 0
        save(words, base + slot, type_, value)
        return False
    if sparse:
        value = tuple(sorted((*value, (key(site, option.values[:-1]), option.values[-1]))))
    else:
        value |= 1 << option.values[-1]
    save(words, base + slot, type_, value)
    words[base + site.cursor] = option.code[0]
    return True
