"""Functions whose values are worth remembering, and the words of the store that such a value depends on.

A question with many options asks for the same derived values again and again. A value is remembered together with the
words that it may have read; it is right for as long as these words are the same, whoever wrote in between and in
whichever store. So it is worked out once, unless that costs less than looking at the words. Takes a program and gives
ranges of words by function; all generating back ends may use it.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from dsl import ir
from dsl.base.types import width
from dsl.program import Program
from interpreter.backends.analysis.dataflow import Facts, free, parts
from interpreter.backends.analysis.footprint import Extent, Extents

# what a look at the words of a value costs, in nodes that could be evaluated instead: at all, by range and by word
LOOK, BY_RANGE, BY_WORD = 30, 6, 1
DEAR = 300  # nodes of what calls itself or goes as far as it can
SELECTIVE = 4  # of so many members one passes a test
NESTED = 5  # functions that are looked into inside each other
USUAL = 6  # members of a domain of unknown size


class Memo:
    """`extents`: for each function that is worth it, the words that its value depends on. `timely`: those of them that
    also depend on timed records."""

    def __init__(self, program: Program, facts: Facts) -> None:
        self.program, self.facts = program, facts
        self.reads = Extents(program)
        self.costs: dict[int, int] = {}
        # what a trial of an option asks is asked for one decision too, so with plans everything may be asked again
        asked = range(len(program.functions)) if facts.plans else self.asked_again()
        self.extents = {number: found for number, found in self.worthy().items() if number in asked}
        self.timely = self.reads.timely & set(self.extents)

    def worthy(self) -> dict[int, tuple[Extent, ...]]:
        """The functions that cost more than looking at the words that they depend on."""
        found = {}
        for number in range(len(self.program.functions)):
            if number in self.facts.recursive_fns:
                continue
            reads = self.reads.of(number)
            if not reads:
                continue
            look = LOOK + BY_RANGE * len(reads) + BY_WORD * sum(r.end - r.start for r in reads)
            if self.cost_of(number) >= look:
                found[number] = reads
        return found

    # ------------------------------------------------------------ what is asked more than once

    def asked_again(self) -> set[int]:
        """The functions that some question, or another function, needs more than once with the same arguments, as far
        as can be seen."""
        found: set[int] = set()
        for number, function in enumerate(self.program.functions):
            asked: Counter[Any] = Counter()
            self.count(function.body, frozenset(), asked, (number,))
            found |= {key[0] for key, times in asked.items() if times > 1}
        for site in self.program.sites:
            asked = Counter()
            for n, alternative in enumerate(site.alternatives):
                bound = frozenset(slot for _, slot, _, _ in alternative.binders)
                self.count([g.test for g in alternative.guards], bound, asked, (n,))
                self.count([domain for _, _, domain, _ in alternative.binders], frozenset(), asked, (n,))
            found |= {key[0] for key, times in asked.items() if times > 1}
        return found

    def count(self, node: Any, loops: frozenset[int], asked: Counter[Any], where: tuple[int, ...]) -> None:
        """Count the calls under a node, those whose arguments depend on no member of a loop together; one in a loop
        that it does not depend on counts twice. `where`: the alternative and the functions around the node."""
        match node:
            case ir.CallFn(fn, args) if self.cost_of(fn) >= LOOK:
                varying = free(args) & loops
                key = (fn, args, where) if varying else (fn,)
                asked[key] += 2 if loops - varying else 1
                if len(where) < NESTED and asked[key] < 4:
                    given = frozenset(slot for slot, arg in enumerate(args) if free(arg) & loops)
                    self.count(self.program.functions[fn].body, given, asked, (*where, fn))
            case ir.Fold():
                loops = loops | {slot for slot, _ in node.binders}
        for part in parts(node):
            self.count(part, loops, asked, where)

    # ------------------------------------------------------------ what a value costs and reads

    def cost_of(self, number: int) -> int:
        if number not in self.costs:
            self.costs[number] = self.cost(self.program.functions[number].body)
        return self.costs[number]

    def cost(self, node: Any) -> int:
        """About how many nodes are evaluated for a value."""
        match node:
            case ir.CallFn(fn, args):
                return 2 + (DEAR if fn in self.facts.recursive_fns else self.cost_of(fn)) + self.cost(args)
            case ir.Fold():
                passes = 1
                for _, domain in node.binders:
                    passes *= self.members(domain)
                taken = self.cost((node.keys, node.body)) // (1 if node.where is None else SELECTIVE)
                return self.cost(node.binders) + passes * (1 + self.cost(node.where) + taken)
            case ir.And(items) | ir.Or(items) if items:
                return self.cost(items[0]) + self.cost(items[1:]) // SELECTIVE
            case ir.If(test, then, orelse):
                return self.cost(test) + (self.cost(then) + self.cost(orelse)) // 2
            case ir.Reach():
                return DEAR + USUAL * self.cost((node.start, node.next, node.where, node.costs))
            case ir.Cell(address, t):
                return width(t) + self.cost(address)
            case ir.ByPlace(read):
                return 1 + self.cost(read)
        return ir.is_node(node) + sum(self.cost(part) for part in parts(node))

    def members(self, domain: ir.Domain) -> int:
        match domain:
            case ir.Domain("set", ir.Const(int() as mask)):
                return mask.bit_count()
            case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)):
                return max(b - a + 1, 0)
        return USUAL
