"""What stays the same in all passes of a fold or a search is worked out once for a run of it, where it is first read.

Takes a program and gives one that means the same: a `LazyLet` around the fold holds each costly part that reads none of
the names bound inside. It stays lazy, so nothing is worked out that was not before. Parts that the reference evaluates
in generated code (trials, payments, timed records) are left as they are. All generating back ends may use it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.constants import map_children
from interpreter.backends.analysis.dataflow import children, free

COSTLY = 60  # nodes evaluated, as estimated, from which on it pays to keep a value
MOST_HOISTED = 16  # values kept in one body
UNKNOWN_SIZE = 12  # members of a domain that is not constant
SEARCH = 200  # nodes that a search or a trial evaluates besides its parts
OPAQUE = (ir.Possible, ir.Payable, ir.Payments, ir.TimedFold, ir.TimedActive)


def with_hoisting(program: Program) -> Program:
    """The program in which no fold works out anew, for each member, what does not depend on it."""
    costs = Costs(program)
    activations: list[ir.Proc | ir.Site | ir.Function] = [*program.procs, *program.sites, *program.functions]
    most = max(a.temps for a in activations)
    functions = []
    for f in program.functions:
        hoisting = Hoisting(costs, f.temps)
        body = hoisting.applied(f.body)
        functions.append(f if body is f.body else replace(f, body=body, temps=hoisting.next))
    return replace(
        program,
        functions=tuple(functions),
        procs=tuple(Hoisting(costs, most).applied(p) for p in program.procs),
        sites=tuple(Hoisting(costs, most).applied(s) for s in program.sites),
        code=tuple(Hoisting(costs, most).applied(i) for i in program.code),
    )


class Costs:
    """Estimates of how many nodes are evaluated for an expression, calls included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[int, int] = {}

    def of(self, node: Any) -> int:
        match node:
            case ir.CallFn(fn, args):
                return self.of(args) + self.of_function(fn)
            case ir.Fold(binders=binders):
                passes, total = 1, 0
                for _, domain in binders:
                    total += passes * self.of((domain.a, domain.b))
                    passes *= members_of(domain)
                return total + passes * (1 + self.of((node.where, node.keys, node.body)))
            case ir.Reach() | ir.Possible() | ir.Payable() | ir.Payments():
                return SEARCH + sum(map(self.of, children(node)))
        return ir.is_node(node) + sum(map(self.of, children(node)))

    def of_function(self, number: int) -> int:
        """The cost of the body of a function; that of one inside itself does not count."""
        if number not in self.functions:
            self.functions[number] = 0
            self.functions[number] = self.of(self.program.functions[number].body)
        return self.functions[number]


def members_of(domain: ir.Domain) -> int:
    """How many members a domain has, or may have."""
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            return mask.bit_count()
        case ir.Domain("range", ir.Const(int() as low), ir.Const(int() as high)):
            return max(high - low + 1, 0)
    return UNKNOWN_SIZE


class Hoisting:
    """Hoists in one body, which has no temps from `first` on."""

    def __init__(self, costs: Costs, first: int) -> None:
        self.costs, self.next, self.most = costs, first, first + MOST_HOISTED

    def applied(self, node: Any) -> Any:
        """A tree in which every fold and search has its values kept; parts that do not change are the same."""
        if isinstance(node, OPAQUE):
            return node
        if not isinstance(node, ir.Fold | ir.Reach):
            return map_children(node, self.applied)
        kept: dict[ir.Expr, int] = {}
        changed: ir.Expr = node
        outside = free(node)

        def put(part: Any) -> Any:
            if isinstance(part, OPAQUE):
                return part
            if self.is_kept(part, outside) and (part in kept or self.next < self.most):
                if part not in kept:
                    kept[part] = self.next
                    self.next += 1
                return ir.Force(kept[part])
            if isinstance(part, ir.InSet) and is_filter_call(self.costs.program, part.set):
                return map_children(part, lambda inner: inner if inner is part.set else put(inner))
            return map_children(part, put)

        if isinstance(node, ir.Fold):
            (slot, domain), *rest = node.binders
            binders = ((slot, domain), *((s, put(d)) for s, d in rest))
            inner = put((node.where, node.keys, node.body))
            if kept:
                changed = replace(node, binders=binders, where=inner[0], keys=inner[1], body=inner[2])
        else:
            following, where, costs = put((node.next, node.where, tuple(cost for cost, _ in node.costs)))
            pairs = tuple((cost, budget) for cost, (_, budget) in zip(costs, node.costs, strict=True))
            if kept:
                changed = replace(node, next=following, where=where, costs=pairs)
        found: ir.Expr = map_children(changed, self.applied)
        for part, at in reversed(kept.items()):
            found = ir.LazyLet(at, self.applied(part), found)
        return found

    def is_kept(self, part: Any, outside: frozenset[int]) -> bool:
        """Whether a part has the same value in all passes and is costly."""
        return (
            ir.is_node(part)
            and not isinstance(part, ir.Domain)
            and self.costs.of(part) >= COSTLY
            and free(part) <= outside
        )


def is_filter_call(program: Program, e: ir.Expr) -> bool:
    """Whether an expression calls a function that filters a set: whether a member is in it can be tested alone."""
    if not isinstance(e, ir.CallFn):
        return False
    body = program.functions[e.fn].body
    return isinstance(body, ir.Fold) and body.kind == "set" and len(body.binders) == 1
