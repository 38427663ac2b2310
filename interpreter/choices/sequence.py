"""Answers that are sets or amounts, as a sequence of small decisions: the next member in the order of its domain,
or `ready`.

A member is offered only if the rest of the answer can still meet the bounds, the conditions and the keys on the whole
answer; `interpreter.search` finds out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import gt
from typing import Any

from dsl import ir
from dsl.base.types import SparseType, bounds, width
from dsl.program import FP, FRAME_LINK, STEPS
from interpreter.core.question import READY, RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, Words, load, put, save
from interpreter.search.limits import Amounts, AnswerLimits, Bound
from interpreter.search.question import AnswerForm, Question
from interpreter.search.solver import SEARCH_STEPS, Solver, TooManyAnswers
from interpreter.search.whole import solver_of

ZERO, ONE = ir.Const(0), ir.Const(1)
KEPT = 8  # questions of one site that are kept

new_option = tuple.__new__  # many options are made; this skips the handling of their field names


_FORMS: dict[int, AnswerForm] = {}  # by the id of a site, which the form keeps alive


def form_of(site: ir.Site) -> AnswerForm:
    form = _FORMS.get(id(site))
    if form is None:
        assert site.answer is not None, "a set or map is always answered into a variable"
        slot, type_ = site.answer
        keys = type_.keys if isinstance(type_, SparseType) else ()
        strides = tuple((low, high - low + 1) for low, high in map(bounds, keys))
        kind = "amount" if site.shape == "amounts" else "add"
        whole = bool(site.such_that or site.keys)
        limits = not whole and all(limit.op == "at most" and limit.slot < 0 for limit in site.bounds)
        form = _FORMS[id(site)] = AnswerForm(site, slot, type_, width(type_), bool(keys), kind, strides, whole, limits)
    return form


def cursor(m: Run, site: ir.Site) -> int:
    return m.words[m.words[FP] + FRAME_LINK + site.cursor]


# ------------------------------------------------------------ listing


def offers(m: Run, site: ir.Site, t: Temps) -> list[RawOption]:
    """Members that may come next, then `ready`."""
    try:
        q = _question(m, site, t)
        given = _given_amounts(m, q)
        if isinstance(q.bounds, AnswerLimits):
            return _options_within_limits(q, q.bounds, given)
        return _options_by_search(q, q.bounds, given)
    except TooManyAnswers:
        raise m.fault(
            f"the search for the answers at `{site.address}` did not end within {SEARCH_STEPS} steps; conditions that "
            "add up, count or compare members one by one are decided quickly",
            site.span,
            site.cites,
        ) from None


def members(m: Run, site: ir.Site, t: Temps) -> list[RawOption]:
    """All members that may still come, at once or only after others; whether the rest then fits is not asked."""
    q = _question(m, site, t)
    first = len(_given_amounts(m, q))
    return [new_option(RawOption, ("add", (j + 1, *q.items[j]), 0, q.items[j])) for j in range(first, len(q.items))]


def may_end(m: Run, site: ir.Site, t: Temps) -> bool:
    """True if an answer that has been begun may certainly end here, as is told where each bound alone decides."""
    q = _question(m, site, t)
    return isinstance(q.bounds, AnswerLimits) and q.bounds.remaining(_given_amounts(m, q)) is not None


def _options_within_limits(q: Question, limits: AnswerLimits, given: Amounts) -> list[RawOption]:
    """The options after the amounts `given` for the first members, if each bound alone decides what fits."""
    found: list[RawOption] = []
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
                    found.append(new_option(RawOption, (kind, (j + 1, *item), 0, item)))
                    continue
                for a in range(1, highest + 1):
                    values = (*item, a)
                    found.append(new_option(RawOption, (kind, (j + 1, *values), 0, values)))
    if q.items or not (site.if_any or site.decline):
        found.append(READY)
    return found


def _has_room(q: Question, given: Amounts) -> bool:
    """True if the variable of the answer has room for another amount."""
    return not q.form.sparse or sum(1 for a in given if a) < q.form.type.cap


def _options_by_search(q: Question, solver: Solver, given: Amounts) -> list[RawOption]:
    """The options after the amounts `given` for the first members."""
    found: list[RawOption] = []
    solver.budget.left = SEARCH_STEPS
    site, kind, state = q.form.site, q.form.kind, solver.after(given)
    room = _has_room(q, given)
    for j in range(len(given), len(q.items)):
        if state is None:
            return found
        if room:
            fitting = solver.fitting(j, range(max(q.lows[j], 1), q.highs[j] + 1), state)
            if fitting:
                item = q.items[j]
                for a in fitting:
                    values = (*item, a) if kind == "amount" else item
                    found.append(new_option(RawOption, (kind, (j + 1, *values), 0, values)))
        state = None if q.lows[j] > 0 else solver.step(j, 0, state)
    if state is not None and solver.ends(state) and (q.items or not (site.if_any or site.decline)):
        found.append(READY)
    return found


def _question(m: Run, site: ir.Site, t: Temps) -> Question:
    """The members and bounds; those of an earlier call, if nothing but the answer is different."""
    form = form_of(site)
    store = m.words[:]
    base = store[FP] + FRAME_LINK
    at = base + form.slot
    put(store, at, at + form.words, [0] * form.words)
    store[base + site.cursor] = store[STEPS] = 0
    known: list[Question] = m.questions.setdefault(id(site), [])
    for n, question in enumerate(known):
        if question.form is form and question.store == store:
            if n:
                known.insert(0, known.pop(n))
            return question
    question = _read_question(m, form, store, t)
    known.insert(0, question)
    del known[KEPT:]
    return question


def row_parts(site: ir.Site) -> tuple[ir.Expr, ...]:
    """The expressions that are evaluated for each binding: least and greatest amount, and for every bound its weight,
    or what each amount adds, and its target."""
    parts = [*site.each] if site.each else [ZERO, ONE]
    for limit in site.bounds:
        weight: ir.Expr = ONE if limit.weight is None else limit.weight
        if limit.slot >= 0:
            amounts = ir.Domain("range", ZERO, ir.Arith("max", parts[1], ZERO))
            weight = ir.Fold("list", ((limit.slot, amounts),), None, (), weight)
        parts += [weight, ZERO if limit.per is None else limit.amount]
    return tuple(parts)


def rows(m: Run, site: ir.Site, t: Temps) -> Iterator[tuple[Any, ...]]:
    parts = row_parts(site)
    for values in m.bound(site.alternatives[0], t):
        yield (values, *(m.value(part, t) for part in parts))


def _read_question(m: Run, form: AnswerForm, store: Words, t: Temps) -> Question:
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
        return Question(form, store, items, lows, highs, AnswerLimits(read), [])
    keys = [key_number(site, values) for values in items] if form.sparse else []
    solver = solver_of(m, form, items, keys, lows, highs, read, t)
    return Question(form, store, items, lows, highs, solver, keys)


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


# ------------------------------------------------------------ taking


def take(m: Run, site: ir.Site, option: RawOption) -> bool:
    """Store the member, or end the answer; gives whether the question goes on."""
    words, form = m.words, form_of(site)
    base = words[FP] + FRAME_LINK
    at = base + form.slot
    if not words[base + site.cursor]:  # the old value of the variable is not part of the answer
        put(words, at, at + form.words, [0] * form.words)
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
