"""Parts of a program that are certain to read nothing hidden, whatever the store holds.

If that is not certain, `interpreter.visibility.cells` looks at what is read in the current position.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.program import ALL
from interpreter.backends.analysis.dataflow import children
from interpreter.rules.rules import Rules


class Openness:
    """The expressions and functions of one program that read nothing hidden; results are cached."""

    def __init__(self, rules: Rules) -> None:
        program = self.program = rules.program
        self.hidden = {e.symbol for e in program.layout if e.audience != ALL}
        self.symbols = {e.symbol for e in program.layout} - self.hidden
        self.expressions: dict[int, bool] = {}  # by the id of an expression that the program holds
        self.functions: dict[int, bool] = {}

    def is_open_expression(self, expr: ir.Expr) -> bool:
        """True if an expression of the program reads nothing hidden; found once for each."""
        known = self.expressions.get(id(expr))
        if known is None:
            known = self.expressions[id(expr)] = self._decide(expr)
        return known

    def is_open_function(self, number: int) -> bool:
        """True if a function of the program reads nothing hidden."""
        known = self.functions.get(number)
        return self._decide(ir.CallFn(number, ())) if known is None else known

    def _decide(self, expr: ir.Expr) -> bool:
        if not self.hidden:
            return True
        called: set[int] = set()
        found = self._is_open(expr, called)
        if found:
            self.functions |= dict.fromkeys(called, True)
        return found

    def _is_open(self, node: Any, called: set[int]) -> bool:
        """True if a node reads only declared cells that everybody sees. `called`: the functions that were entered so
        far, which count as open until one is found that is not."""
        match node:
            case ir.Possible() | ir.Payable() | ir.Payments():
                return False
            case ir.Cell(ir.Const(int() as at)) if at < hdr.HEADER:
                return True
            case ir.Cell(symbol=symbol) | ir.CellSum(symbol=symbol) if symbol not in self.symbols:
                return False
            case ir.ByPlace(meaning=meaning):
                return self._is_open(meaning, called)
            case ir.CallFn(fn, _) if fn not in called and not self._is_open_body(fn, called):
                return False
        return all(self._is_open(part, called) for part in children(node))

    def _is_open_body(self, fn: int, called: set[int]) -> bool:
        known = self.functions.get(fn)
        if known is None:
            called.add(fn)
            known = self._is_open(self.program.functions[fn].body, called)
            if not known:
                self.functions[fn] = False
        return known


def openness(rules: Rules) -> Openness:
    """The `Openness` of the program of these rules."""
    return rules.cached(Openness)
