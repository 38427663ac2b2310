"""Answers that are sets or amounts, as a sequence of small decisions: the next member in the order of its domain,
or `ready`.

A member is offered only if the rest of the answer can still meet the bounds (`interpreter.core.bounds`); conditions and
keys on the whole answer are decided by enumerating its completions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import gt
from typing import Any

from dsl import ir
from dsl.base.types import SparseType, bounds, width
from dsl.program import FP, FRAME_LINK, STEPS
from interpreter.core.bounds import Bound, Limits, Solver, TooManyAnswers, Total
from interpreter.core.question import READY, Form, Option, Question
from interpreter.core.run import Run
from interpreter.core.words import Temps, Words, load, save
from interpreter.semantics.folds import rank

ZERO, ONE = ir.Const(0), ir.Const(1)
WHOLE_ANSWERS = 1 << 16  # completions tested for one list of options

Amounts = tuple[int, ...]
new_option = tuple.__new__  # many options are made; this skips the handling of their field names


_FORMS: dict[int, Form] = {}  # by the id of a site, which the form keeps alive


def form_of(site: ir.Site) -> Form:
    form = _FORMS.get(id(site))
    if form is None:
        assert site.answer is not None, "a set or map is always answered into a variable"
        slot, type_ = site.answer
        keys = type_.keys if isinstance(type_, SparseType) else ()
        strides = tuple((low, high - low + 1) for low, high in map(bounds, keys))
        kind = "amount" if site.shape == "amounts" else "add"
        whole = bool(site.such_that or site.keys)
        limits = not whole and all(limit.op == "at most" for limit in site.bounds)
        form = _FORMS[id(site)] = Form(site, slot, type_, width(type_), bool(keys), kind, strides, whole, limits)
    return form


def cursor(m: Run, site: ir.Site) -> int:
    return m.words[m.words[FP] + FRAME_LINK + site.cursor]


# ------------------------------------------------------------ listing


def offers(m: Run, site: ir.Site, t: Temps) -> list[Option]:
    """Members that may come next, then `ready`."""
    try:
        q = _question(m, site, t)
        given = _given_amounts(m, q)
        if isinstance(q.bounds, Limits):
            return _options_within_limits(q, q.bounds, given)
        wanted = _whole_answers(m, q, q.bounds, given, t) if q.form.whole else None
        return _options_by_solver(q, q.bounds, given, wanted)
    except TooManyAnswers:
        raise m.fault(
            f"the answers at `{site.address}` are too many to be gone through; a condition or key on the whole "
            "answer, or bounds that overlap, need fewer members",
            site.span,
            site.cites,
        ) from None


def _options_within_limits(q: Question, limits: Limits, given: Amounts) -> list[Option]:
    """The options after the amounts `given` for the first members, if each bound alone decides what fits."""
    found: list[Option] = []
    remaining, site = limits.remaining(given), q.form.site
    if remaining is None:
        return found
    if _has_room(q, given):
        kind, highs, items = q.form.kind, q.highs, q.items
        for j in range(len(given), len(items)):
            highest = limits.greatest(remaining, j, highs[j])
            if highest > 0:
                item = items[j]
                if kind == "add":
                    found.append(new_option(Option, (kind, (j + 1, *item), 0, item)))
                    continue
                for a in range(1, highest + 1):
                    values = (*item, a)
                    found.append(new_option(Option, (kind, (j + 1, *values), 0, values)))
    if q.items or not (site.if_any or site.decline):
        found.append(READY)
    return found


def _has_room(q: Question, given: Amounts) -> bool:
    """Whether the variable of the answer has room for another amount."""
    return not q.form.sparse or sum(1 for a in given if a) < q.form.type.cap


def _options_by_solver(q: Question, solver: Solver, given: Amounts, wanted: set[Amounts] | None) -> list[Option]:
    """The options after the amounts `given` for the first members; `wanted`: the whole answers that are allowed, or
    None if the bounds alone decide."""
    found: list[Option] = []
    site, first = q.form.site, len(given)
    sums = solver.sums(given)
    starts = None if wanted is None else {w[:k] for w in wanted for k in range(len(w) + 1)}
    kind = q.form.kind
    if _has_room(q, given):
        for j in range(first, len(q.items)):
            amounts = range(max(q.lows[j], 1), q.highs[j] + 1)
            if starts is None:
                fitting = solver.fitting(j, amounts, sums)
            else:
                before = given + (0,) * (j - first)
                fitting = [a for a in amounts if (*before, a) in starts]
            if fitting:
                item = q.items[j]
                for a in fitting:
                    values = (*item, a) if kind == "amount" else item
                    found.append(new_option(Option, (kind, (j + 1, *values), 0, values)))
            if q.lows[j] > 0:
                break
    end = given + (0,) * (len(q.items) - first)
    done = end in wanted if wanted is not None else not any(q.lows[first:]) and solver.satisfied(sums)
    if done and (q.items or not (site.if_any or site.decline)):
        found.append(READY)
    return found


def _question(m: Run, site: ir.Site, t: Temps) -> Question:
    """The members and bounds; those of the last call, if nothing but the answer has changed since."""
    form = form_of(site)
    store = m.words[:]
    base = store[FP] + FRAME_LINK
    at = base + form.slot
    store[at : at + form.words] = [0] * form.words
    store[base + site.cursor] = store[STEPS] = 0
    known = m.question
    if known is None or known.form is not form or known.store != store:
        known = m.question = _read_question(m, form, store, t)
    return known


def row_parts(site: ir.Site) -> tuple[ir.Expr, ...]:
    """The expressions that are evaluated for each binding: least and greatest amount, and for every bound its weight
    and target."""
    parts = [*site.each] if site.each else [ZERO, ONE]
    for limit in site.bounds:
        parts += [ONE if limit.weight is None else limit.weight, ZERO if limit.per is None else limit.amount]
    return tuple(parts)


def rows(m: Run, site: ir.Site, t: Temps) -> Iterator[tuple[Any, ...]]:
    parts = row_parts(site)
    for values in m.bound(site.alternatives[0], t):
        yield (values, *(m.value(part, t) for part in parts))


def _read_question(m: Run, form: Form, store: Words, t: Temps) -> Question:
    site, rows = form.site, list(m.rows(form.site, t))
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * (3 + 2 * len(site.bounds))
    items, lows, highs = columns[:3]
    if any(map(gt, lows, highs)):
        fits = [low <= high for low, high in zip(lows, highs, strict=True)]
        lows = [low if fit else 0 for low, fit in zip(lows, fits, strict=True)]
        highs = [high if fit else 0 for high, fit in zip(highs, fits, strict=True)]
    read: list[Bound] = []
    for k, limit in enumerate(site.bounds):
        weights, targets = columns[3 + 2 * k], columns[4 + 2 * k]
        if limit.per is None:
            read.append((weights, (0,) * len(items), [m.value(limit.amount, t)]))
            continue
        numbers: dict[int, int] = {}
        groups = [numbers.setdefault(values[limit.per], len(numbers)) for values in items]
        read.append((weights, groups, [targets[groups.index(g)] for g in range(len(numbers))]))
    if form.limits and not any(lows) and not any(min(weights, default=0) < 0 for weights, _, _ in read):
        return Question(form, store, items, lows, highs, Limits(read), [])
    totals = [
        Total(limit.op, target, [w if g == mine else 0 for w, g in zip(weights, groups, strict=True)])
        for limit, (weights, groups, targets) in zip(site.bounds, read, strict=True)
        for mine, target in enumerate(targets)
    ]
    return Question(form, store, items, lows, highs, Solver(list(lows), list(highs), totals), [])


def _given_amounts(m: Run, q: Question) -> Amounts:
    """The amounts of the members that were already passed."""
    words, form = m.words, q.form
    base = words[FP] + FRAME_LINK
    passed = words[base + form.site.cursor]
    if not passed:
        return ()
    at = base + form.slot
    if not form.sparse:
        value = load(words, at, form.type)
        return tuple([value >> values[-1] & 1 for values in q.items[:passed]])
    if not q.keys:
        q.keys.extend(key_number(form.site, values) for values in q.items)
    end = at + 1 + 2 * words[at]
    given = dict(zip(words[at + 1 : end : 2], words[at + 2 : end : 2], strict=False))
    return tuple([given.get(number, 0) for number in q.keys[:passed]])


def key_number(site: ir.Site, values: tuple[int, ...]) -> int:
    """The number of a slot among all keys of the site."""
    number = 0
    for v, (low, count) in zip(values, form_of(site).strides, strict=True):
        number = number * count + v - low
    return number


# ------------------------------------------------------------ whole answers


def _whole_answers(m: Run, q: Question, solver: Solver, given: Amounts, t: Temps) -> set[Amounts]:
    """All whole answers that begin with the given amounts, meet the bounds and conditions, and are best by the keys."""
    best: tuple[int, ...] | None = None
    found: set[Amounts] = set()
    site = q.form.site
    for amounts in _completions(q, solver, () if site.keys else given):
        if not _meets_conditions(m, q, amounts, t):
            continue
        here = rank(m, site.keys, t)
        if best is None or here < best:
            best, found = here, set()
        if here == best:
            found.add(amounts)
    return {w for w in found if w[: len(given)] == given}


def _completions(q: Question, solver: Solver, start: Amounts) -> Iterator[Amounts]:
    count = 0
    stack = [(start, solver.sums(start))]
    while stack:
        amounts, sums = stack.pop()
        i = len(amounts)
        if not solver.completes(i, sums):
            continue
        if i == len(q.items):
            count += 1
            if count > WHOLE_ANSWERS:
                raise TooManyAnswers
            yield amounts
            continue
        stack += [((*amounts, a), solver.plus(sums, i, a)) for a in range(q.lows[i], q.highs[i] + 1)]


def _meets_conditions(m: Run, q: Question, amounts: Amounts, t: Temps) -> bool:
    """Store the whole answer where the conditions read it, and test them."""
    site = q.form.site
    value: Any
    if q.form.sparse:
        value = tuple(sorted((key_number(site, item), a) for item, a in zip(q.items, amounts, strict=True) if a))
    else:
        value = sum(1 << item[-1] for item, a in zip(q.items, amounts, strict=True) if a)
    t[site.whole_slot] = value
    return all(m.value(guard.test, t) for guard in site.such_that)


# ------------------------------------------------------------ taking


def take(m: Run, site: ir.Site, option: Option) -> bool:
    """Store the member, or end the answer; gives whether the question goes on."""
    words, form = m.words, form_of(site)
    base = words[FP] + FRAME_LINK
    at = base + form.slot
    if not words[base + site.cursor]:  # the old value of the variable is not part of the answer
        words[at : at + form.words] = [0] * form.words
    if option.kind == "ready":
        words[base + site.cursor] = 0
        return False
    words[base + site.cursor] = option.code[0]
    if not form.sparse:
        save(words, at, form.type, load(words, at, form.type) | 1 << option.values[-1])
        return True
    number, n = key_number(site, option.values[:-1]), words[at]
    if n < form.type.cap and (not n or words[at + 2 * n - 1] < number):  # after the greatest key so far
        words[at] = n + 1
        words[at + 2 * n + 1], words[at + 2 * n + 2] = number, option.values[-1]
    else:
        save(words, at, form.type, tuple(sorted((*load(words, at, form.type), (number, option.values[-1])))))
    return True
