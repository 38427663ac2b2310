"""Facts about trials: whether a program tries anything, and where a trial may end.

A trial ends with a demand that is not met, with the end of its plan, or at the limit of tries. Takes the IR of a
program and gives sets of numbers.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from dsl.ir.walk import walk
from dsl.program import Program


@dataclass(frozen=True, slots=True)
class TrialFacts:
    """Facts of the trials of actions in a program. `tries`: whether anything is ever tried; `functions`: those whose
    value may be a demand that is not met; `routines`: the procedures that do not suspend in which a trial may end;
    `asking` and `asking_routines`: the functions and these procedures that try an action themselves."""

    tries: bool
    functions: frozenset[int]
    routines: frozenset[int]
    asking: frozenset[int]
    asking_routines: frozenset[int]

    def may_fail(self, node: Any) -> bool:
        """True if the value of an expression, or of any in it, may be a demand that is not met."""
        return self.tries and any(_fails(n, self.functions) for n in walk(node))

    def asks(self, node: Any) -> bool:
        """True if an action may be tried while this is carried out."""
        return self.tries and any(
            isinstance(n, ir.Possible)
            or (isinstance(n, ir.CallFn) and n.fn in self.asking)
            or (isinstance(n, ir.CallS) and n.proc in self.asking_routines)
            for n in walk(node)
        )

    def may_end(self, s: ir.Stmt) -> bool:
        """True if a trial may have ended behind a statement. Of one that holds others only its own expressions count:
        those others are asked about one by one."""
        match s:
            case ir.IfS(test, _, _) | ir.While(test, _, _):
                return self.may_fail(test)
            case ir.For(_, domain, _):
                return self.may_fail(domain)
        return self.tries and any(_ends(n, self.functions) for n in walk(s))


def trial_facts(program: Program) -> TrialFacts:
    bodies = [list(walk(f.body)) for f in program.functions]
    plain = [list(walk(p.body)) for p in program.procs]
    calls = [{n.fn for n in body if isinstance(n, ir.CallFn)} for body in bodies]
    runs = [{n.proc for n in body if isinstance(n, ir.CallS)} for body in plain]
    functions = _closed({n for n, body in enumerate(bodies) if any(_fails(node, frozenset()) for node in body)}, calls)
    routines = _closed({n for n, body in enumerate(plain) if any(_ends(node, functions) for node in body)}, runs)
    asking = _closed({n for n, body in enumerate(bodies) if any(_asks(node, frozenset()) for node in body)}, calls)
    asking_routines = _closed({n for n, body in enumerate(plain) if any(_asks(node, asking) for node in body)}, runs)
    return TrialFacts(_tries(program), functions, routines, asking, asking_routines)


def _tries(program: Program) -> bool:
    if any(site.filter or any(a.probe is not None for a in site.alternatives) for site in program.sites):
        return True
    return any(
        isinstance(n, ir.Possible) for n in walk((program.code, program.procs, program.functions, program.sites))
    )


def _closed(own: set[int], calls: list[set[int]]) -> frozenset[int]:
    """The nodes of a graph of calls that are in `own`, or come to one that is."""
    while more := {n for n, called in enumerate(calls) if n not in own and called & own}:
        own |= more
    return frozenset(own)


def _asks(node: Any, functions: frozenset[int]) -> bool:
    return isinstance(node, ir.Possible) or (isinstance(node, ir.CallFn) and node.fn in functions)


def _fails(node: Any, functions: frozenset[int]) -> bool:
    match node:
        case ir.Possible():
            return True
        case ir.Fold(required=required):
            return bool(required)
        case ir.CallFn(fn=fn):
            return fn in functions
    return False


def _ends(node: Any, functions: frozenset[int]) -> bool:
    match node:
        case ir.Require() | ir.MoveThing() | ir.Show() | ir.Forget() | ir.Pay():
            return True
        case ir.Transfer(exact=exact):
            return bool(exact)
    return _fails(node, functions)
