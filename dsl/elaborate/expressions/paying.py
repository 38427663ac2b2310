"""Expressions about purses: how much one holds for a cause, and whether it can pay an amount.

The purses themselves are made in `dsl.elaborate.declarations.purses`, and paying from them in
`dsl.elaborate.statements.pay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import MemberType
from dsl.elaborate.context import Elaboration
from dsl.symbols.symbols import PurseSym
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


def cause_type(elab: Elaboration) -> MemberType:
    """The type of a cause, or none."""
    return replace(elab.model.enums["Cause"].type, optional=True)


def depends_on_cause(elab: Elaboration, p: PurseSym) -> bool:
    """Whether what the purse offers depends on what is paid for."""
    if p.name not in elab.memo.by_cause:
        lines = (p.decl, *(rule.decl for rule in p.extra))
        named = any(isinstance(n, sx.Name) and n.id == "cause" for n in walk(lines))
        elab.memo.by_cause[p.name] = named and "Cause" in elab.model.enums
    return elab.memo.by_cause[p.name]


def purse_worth(elab: Elaboration, p: PurseSym, who: ir.Expr, cause: ir.Expr) -> ir.Expr:
    """What all sources that serve this cause hold together."""
    return ir.CallFn(elab.out.worth_base + p.number, purse_args(elab, p, who, cause))


def can_pay(elab: Elaboration, p: PurseSym, who: ir.Expr, cause: ir.Expr, amount: ir.Expr) -> ir.Expr:
    """The test whether this amount can be paid. Where nothing forbids paying too much, it compares it with what is
    there."""
    code = elab.out.purses[p.number]
    if (
        code is not None
        and not code.require
        and all(have_equal_worth(sharing_counter(s, code.sources)) for s in code.sources)
    ):
        return ir.Compare(">=", purse_worth(elab, p, who, cause), amount)
    return ir.Payable(p.number, purse_args(elab, p, who, cause), amount)


def purse_args(elab: Elaboration, p: PurseSym, who: ir.Expr, cause: ir.Expr) -> tuple[ir.Expr, ...]:
    """The arguments of a purse: who pays and, where the purse depends on it, the cause."""
    return (who, cause) if depends_on_cause(elab, p) else (who,)


def sharing_counter(s: ir.PurseSource, sources: Sequence[ir.PurseSource]) -> list[ir.PurseSource]:
    """The sources that share the counter of this one, itself included."""
    return [other for other in sources if other is s or s.counter and other.counter == s.counter]


def have_equal_worth(lines: Sequence[ir.PurseSource]) -> bool:
    """Whether the pieces of sources that share a counter are worth the same, so that their total is a simple sum."""
    return len(lines) == 1 or all(line.worth == lines[0].worth and line.domain is None for line in lines)
