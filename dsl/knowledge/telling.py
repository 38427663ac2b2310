"""The variables that decide what an expression tells, for those expressions that tell nothing by themselves.

Most of a ruleset has to do with nothing hidden. What an expression of that sort tells is nothing as long as none of its
variables tells anything, so there is no need to look into it again for each way that leads to it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from dsl import ir
from dsl.base.record import dataclass
from dsl.elaborate.core.reads import CHILD_FIELDS
from dsl.knowledge.identity import Env, variable

Variables: TypeAlias = frozenset[Any]  # keys of an environment
NONE: Variables = frozenset()
RESULT: Variables = frozenset({"result"})


@dataclass(slots=True)
class Telling:
    """A finder of the variables that decide what expressions tell. `hidden`: symbols that not everybody sees; `trials`:
    actions whose legality tells something. What was found out is kept by the id of the expression, with the expression,
    so that no other one gets that id."""

    hidden: Container[str]
    functions: Sequence[ir.Function | None]
    trials: Container[int]
    found: dict[int, tuple[Any, Variables | None]] = field(default_factory=dict)
    silent: dict[int, bool] = field(default_factory=dict)

    def tells_nothing(self, e: Any, env: Env) -> bool:
        """True for an expression that has to do with nothing hidden, neither itself nor by a variable that it reads."""
        read = self.variables(e)
        if read is None:
            return False
        for key in read:
            found = env.get(key)
            if found is not None and (found.label or found.test is not None):
                return False
        return True

    def variables(self, e: Any) -> Variables | None:
        """The variables that an expression reads; None if it may tell something whatever these tell."""
        known = self.found.get(id(e))
        if known is None:
            known = self.found[id(e)] = e, self._variables(e)
        return known[1]

    def _variables(self, e: Any) -> Variables | None:
        own = NONE
        match e:
            case ir.Const():
                return NONE
            case ir.Temp() | ir.FrameVar() | ir.Force():
                return frozenset({variable(e)})
            case ir.LastResult():
                return RESULT
            case ir.FrameItem():
                own = frozenset({variable(e)})
            case ir.Cell(symbol=symbol) | ir.CellSum(symbol=symbol) if symbol in self.hidden:
                return None
            case ir.TimedFold() | ir.Payable() | ir.Payments():
                return None
            case ir.Possible(proc=proc) if proc in self.trials:
                return None
            case ir.CallFn(fn=fn) if not self._is_silent(fn):
                return None
        getter = CHILD_FIELDS[type(e)]
        return own if getter is None else self._together(getter(e), own)

    def _together(self, parts: tuple[Any, ...], own: Variables) -> Variables | None:
        for part in parts:
            cls = type(part)
            if cls is tuple:
                read = self._together(part, NONE)
            elif CHILD_FIELDS[cls] is not None:
                read = self.variables(part)
            else:
                continue
            if read is None:
                return None
            own = own | read if own else read
        return own

    def _is_silent(self, fn: int) -> bool:
        """True if a function tells no more than its arguments do; never for functions that call each other."""
        if fn not in self.silent:
            self.silent[fn] = False
            function = self.functions[fn]
            self.silent[fn] = function is None or self.variables(function.body) is not None
        return self.silent[fn]
