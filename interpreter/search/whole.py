"""The bounds, conditions and keys on a whole answer, read once for all its small decisions."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from interpreter.core.run import Run
from interpreter.core.words import Temps
from interpreter.search import formulas as f
from interpreter.search.best import Best
from interpreter.search.constraints import demand
from interpreter.search.folds import HANDLERS
from interpreter.search.limits import Bound
from interpreter.search.partial import Partial
from interpreter.search.question import AnswerForm
from interpreter.search.solver import Problem, Solver, TooManyAnswers
from interpreter.search.terms import Table, scaled

OPERATORS = {"exactly": "==", "at least": ">=", "at most": "<="}


def solver_of(
    m: Run,
    form: AnswerForm,
    items: Sequence[tuple[int, ...]],
    keys: Sequence[int],
    lows: Sequence[int],
    highs: Sequence[int],
    bounds: Sequence[Bound],
    t: Temps,
) -> Solver:
    """The search through the answers of a question. `keys`: the key numbers of the items, if the answer is a map."""
    site, problem = form.site, Problem([max(n, 0) for n in lows], [max(n, 0) for n in highs])
    for tables, target in _covered(site, problem, bounds):
        problem.relate(tables, "==", target)
    if form.whole:
        temps = t[:]
        temps[site.whole_slot] = _answer(form, problem, items, keys)
        partial = Partial(m, list(problem.highs), HANDLERS)
        for guard in site.such_that:
            demand(m, problem, partial.truth(guard.test, temps))
        # as numbers of which the least are the best
        ranks = [f.scale(partial.number(key, temps), -1 if highest else 1) for highest, key in site.keys]
        problem = Best(m, problem).narrowed(ranks)
    return Solver(problem)


def _answer(
    form: AnswerForm, problem: Problem, items: Sequence[tuple[int, ...]], keys: Sequence[int]
) -> f.Members | f.Amounts:
    """The answer as a value: every item adds itself in its own amount."""
    amounts: list[f.Number] = [f.Sum(0, {i: range(high + 1)}) if high else 0 for i, high in enumerate(problem.highs)]
    if form.sparse:
        return f.Amounts(dict(zip(keys, amounts, strict=True)))
    return f.Members({values[-1]: n for values, n in zip(items, amounts, strict=True)})


# ------------------------------------------------------------ bounds


def _covered(site: ir.Site, problem: Problem, bounds: Sequence[Bound]) -> list[tuple[dict[int, Table], int]]:
    """Relate all totals to their bounds; gives the totals that were to be covered, with what each then adds up to."""
    found: list[tuple[dict[int, Table], int]] = []
    for limit, (weights, groups, targets) in zip(site.bounds, bounds, strict=True):
        for group, target in enumerate(targets):
            tables: dict[int, Table] = {
                i: scaled(weight, problem.highs[i]) if isinstance(weight, int) else weight
                for i, (weight, mine) in enumerate(zip(weights, groups, strict=True))
                if mine == group and weight
            }
            if limit.op == "covering":
                found.append((tables, target))
            else:
                problem.relate(tables, OPERATORS[limit.op], target)
    exact: list[tuple[dict[int, Table], int]] = []
    for tables, target in found:
        sums = problem.terms[problem.term(tables)].reachable()
        if sums is None:
            raise TooManyAnswers
        for wanted in (*[s for s in sums if s >= target], *[s for s in reversed(sums) if s < target]):
            attempt = problem.copy()
            for covered, value in (*exact, (tables, wanted)):
                attempt.relate(covered, "==", value)
            solver = Solver(attempt)
            if solver.start is not None and solver.completes(0, solver.start):
                break
        exact.append((tables, wanted))
    return exact
