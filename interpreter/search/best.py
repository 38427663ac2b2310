"""The best whole answers by keys: the best value of each key in turn, found by narrowing its bounds."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.core.run import Run
from interpreter.search import formulas as f
from interpreter.search.constraints import demand, spans_of
from interpreter.search.formulas import INFINITE, Number
from interpreter.search.known import concrete
from interpreter.search.solver import Problem, Solver


@dataclass(slots=True)
class Best:
    """The search for the best answers of a problem."""

    m: Run
    problem: Problem

    def narrowed(self, keys: list[Number]) -> Problem:
        """The problem whose answers are those with the least keys, the first key first."""
        for key in keys:
            if not isinstance(key, int):
                least = self._least(key)
                if least is None:
                    break  # there is no answer
                self.problem = self._with(f.compare("==", key, least))
        return self.problem

    def _with(self, truth: Number) -> Problem:
        problem = self.problem.copy()
        demand(self.m, problem, truth)
        return problem

    def _value(self, key: Number, problem: Problem) -> int | None:
        """The key of some answer; None if there is none."""
        found = Solver(problem).find()
        return None if found is None else int(concrete(self.m, key, found.__getitem__))

    def _least(self, key: Number) -> int | None:
        """The least key of all answers. An answer is sought just below the first that was found, as that one is often
        the best; then, where its bounds are known, within 1, 3, 7 and so on of the best that could be."""
        high = self._value(key, self.problem)
        if high is None:
            return None
        spans = spans_of(self.m, self.problem, key, set())
        low, width = spans(0, (0,) * len(self.problem.terms))[0], 0
        within = high - 1
        while low < high:
            found = self._value(key, self._with(f.compare("<=", key, within)))
            if found is not None:
                high = found
            else:
                low, width = within + 1, 2 * width + 1
            within = high - 1 if low <= -INFINITE else min(low + width, high - 1)
        return high
