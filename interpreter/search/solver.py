"""The solver: it says if the rest of an answer can still meet all its constraints, depth first, with an early end and
a memory.

A state is what the terms add up to after the first items, and which constraints are still open. What cannot be met any
more is given up at once, what is met whatever follows is dropped, and one completion is enough. States that differ in
nothing that an open constraint reads are decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from interpreter.core.words import members
from interpreter.search.limits import Amounts
from interpreter.search.terms import Table, Term

SEARCH_STEPS = 500_000  # for one list of options

Sums = tuple[int, ...]
State = tuple[Sums, int]  # what the terms add up to, and the set of open constraints
Check = Callable[[int, Sums], bool | None]  # after i items; None: the rest decides


class TooManyAnswers(Exception):
    """The search for a whole answer was given up."""


@dataclass(slots=True)
class Budget:
    """Steps that searches together may take."""

    left: int = SEARCH_STEPS

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooManyAnswers


@dataclass(slots=True)
class Constraint:
    """A constraint on terms. `check` reads the terms `reads`; `relation`: the operator and the number, if one term is
    related to a number."""

    check: Check
    reads: tuple[int, ...]
    relation: tuple[str, int] | None = None


@dataclass(slots=True)
class Problem:
    """Items with their least and greatest amounts, terms over them, and constraints on the terms. `budget`: that of
    all searches through it and its copies."""

    lows: Sequence[int]
    highs: Sequence[int]
    terms: list[Term] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    numbers: dict[tuple[tuple[int, Table], ...], int] = field(default_factory=dict)  # of the terms, by their tables
    related: set[tuple[int, str, int]] = field(default_factory=set)  # terms, operators and numbers
    budget: Budget = field(default_factory=Budget)

    def term(self, tables: dict[int, Table]) -> int:
        """The number of the term with these tables."""
        key = tuple(sorted(tables.items(), key=lambda item: item[0]))
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.terms)
            self.terms.append(Term(tables, self.lows, self.highs))
        return number

    def relate(self, tables: dict[int, Table], op: str, target: int) -> None:
        """The constraint that the sum of the tables stands in the relation `op` to the target."""
        number = self.term(tables)
        if (number, op, target) in self.related:
            return
        self.related.add((number, op, target))
        compare = self.terms[number].compare

        def check(i: int, sums: Sums) -> bool | None:
            return compare(op, target, i, sums[number])

        self.constraints.append(Constraint(check, (number,), (op, target)))

    def copy(self) -> Problem:
        return Problem(
            self.lows, self.highs, self.terms[:], self.constraints[:], self.numbers.copy(), self.related.copy()
        )


class Solver:
    """The search through the answers of one problem. `start`: the state of no items; None if there is no answer."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.budget = problem, problem.budget
        self.lows, self.highs = problem.lows, problem.highs
        self.count = len(problem.lows)
        self.checks = [c.check for c in problem.constraints]
        self.adds: list[list[tuple[int, Table]]] = [[] for _ in range(self.count)]
        for t, term in enumerate(problem.terms):
            for i, table in term.tables.items():
                self.adds[i].append((t, table))
        self.supports = [self._support(c) for c in problem.constraints]
        self.affected = [[c for c, s in enumerate(self.supports) if s >> i & 1] for i in range(self.count)]
        self.exact = sum(1 << c for c, constraint in enumerate(problem.constraints) if self._is_exact(constraint))
        self.open: dict[int, tuple[int, tuple[int, ...], bool]] = {}  # what a set of open constraints reads
        self.memory: dict[tuple[int, int, Sums], bool] = {}
        self.start = self._begin()

    def _support(self, c: Constraint) -> int:
        found = 0
        for t in c.reads:
            found |= self.problem.terms[t].support
        return found

    def _begin(self) -> State | None:
        sums, still_open = (0,) * len(self.problem.terms), 0
        for c, check in enumerate(self.checks):
            met = check(0, sums)
            if met is False:
                return None
            if met is None:
                still_open |= 1 << c
        return sums, still_open

    # ------------------------------------------------------------ steps

    def step(self, i: int, amount: int, state: State) -> State | None:
        """The state after item i has taken an amount; None if a constraint can then not be met."""
        self.budget.spend()
        sums, still_open = state
        if self.adds[i]:
            added = list(sums)
            for t, table in self.adds[i]:
                added[t] += table[amount]
            sums = tuple(added)
        if still_open:
            for c in self.affected[i]:
                if still_open >> c & 1:
                    met = self.checks[c](i + 1, sums)
                    if met is False:
                        return None
                    if met:
                        still_open ^= 1 << c
        return sums, still_open

    def after(self, amounts: Amounts) -> State | None:
        """The state after the amounts of the first items."""
        state = self.start
        for i, amount in enumerate(amounts):
            if state is None:
                break
            state = self.step(i, amount, state)
        return state

    def ends(self, state: State) -> bool:
        """True if the state after all items meets the constraints."""
        sums, still_open = state
        return all(check(self.count, sums) for c, check in enumerate(self.checks) if still_open >> c & 1)

    # ------------------------------------------------------------ completions

    def completes(self, i: int, state: State) -> bool:
        """True if the items from i on can take amounts so that all constraints are met. Each state is searched once,
        and remembered."""
        entry = self._entry(i, state)
        if isinstance(entry, bool):
            return entry
        path = [entry]
        found = False
        while path and not found:
            key, item, here, amounts = path[-1]
            for amount in amounts:
                after = self.step(item, amount, here)
                if after is None:
                    continue
                entry = self._entry(item + 1, after)
                if entry is True:
                    found = True
                    break
                if entry is not False:
                    path.append(entry)
                    break
            else:
                self.memory[key] = False
                path.pop()
        for key, *_ in path:
            self.memory[key] = True
        return found

    def _entry(self, i: int, state: State) -> bool | tuple[tuple[int, int, Sums], int, State, Iterator[int]]:
        """The answer for a state, if it is plain to see or known; else its key, the next item that an open constraint
        reads, the state, and the amounts to be tried."""
        sums, still_open = state
        if not still_open:
            return True
        known = self.open.get(still_open)
        if known is None:
            known = self.open[still_open] = self._describe(still_open)
        support, reads, related = known
        left = support >> i
        if not left:
            return self.ends(state)
        if related and self._apart(i, still_open):
            return True
        item = i + (left & -left).bit_length() - 1
        key = item, still_open, tuple([sums[t] for t in reads])
        found = self.memory.get(key)
        if found is not None:
            return found
        return key, item, state, iter(range(self.highs[item], self.lows[item] - 1, -1))

    def _describe(self, still_open: int) -> tuple[int, tuple[int, ...], bool]:
        """The items that open constraints read, their terms, and whether each of them, alone, could be met."""
        support, reads = 0, set[int]()
        for c in members(still_open):
            support |= self.supports[c]
            reads.update(self.problem.constraints[c].reads)
        return support, tuple(sorted(reads)), not still_open & ~self.exact

    def _is_exact(self, c: Constraint) -> bool:
        """True for a relation that can be met wherever its check leaves it open."""
        if c.relation is None:
            return False
        return c.relation[0] != "==" or self.problem.terms[c.reads[0]].reachable_known

    def _apart(self, i: int, still_open: int) -> bool:
        """True if no item from i on counts for two open constraints: then each alone decides."""
        seen = 0
        for c in members(still_open):
            rest = self.supports[c] >> i
            if rest & seen:
                return False
            seen |= rest
        return True

    def fitting(self, i: int, amounts: Sequence[int], state: State) -> list[int]:
        """The amounts of item i after which all constraints can still be met."""
        found = []
        for amount in amounts:
            after = self.step(i, amount, state)
            if after is not None and self.completes(i + 1, after):
                found.append(amount)
        return found

    def find(self) -> Amounts | None:
        """A whole answer, or None if there is none."""
        state = self.start
        if state is None or not self.completes(0, state):
            return None
        amounts: list[int] = []
        for i in range(self.count):
            for amount in range(self.highs[i], self.lows[i] - 1, -1):
                after = self.step(i, amount, state)
                if after is not None and self.completes(i + 1, after):
                    amounts.append(amount)
                    state = after
                    break
        return tuple(amounts)
