"""What expressions say of purses: what one holds for a cause, and whether it can pay so much.

The purses themselves, and paying from them, are made in `dsl.elaborate.declarations.purses`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import MemberType
from dsl.elaborate.context import Base
from dsl.symbols.symbols import PurseSym
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


class Paying(Base):
    def cause_type(self) -> MemberType:
        return replace(self.m.enums["Cause"].type, optional=True)

    def by_cause(self, p: PurseSym) -> bool:
        """Whether what the purse offers depends on what is paid for."""
        if p.name not in self.caused:
            lines = (p.decl, *(rule.decl for rule in p.extra))
            named = any(isinstance(n, sx.Name) and n.id == "cause" for n in walk(lines))
            self.caused[p.name] = named and "Cause" in self.m.enums
        return self.caused[p.name]

    def purse_worth_of(self, p: PurseSym, who: ir.Expr, cause: ir.Expr) -> ir.Expr:
        """What all sources hold together that serve this cause."""
        return ir.CallFn(self.worth_base + p.number, self.purse_args(p, who, cause))

    def can_pay(self, p: PurseSym, who: ir.Expr, cause: ir.Expr, amount: ir.Expr) -> ir.Expr:
        """Whether so much can be paid. Where nothing forbids to pay too much, enough is enough."""
        code = self.purse_code[p.number]
        if code is not None and not code.require and all(plain(sharing(s, code.sources)) for s in code.sources):
            return ir.Compare(">=", self.purse_worth_of(p, who, cause), amount)
        return ir.Payable(p.number, self.purse_args(p, who, cause), amount)

    def purse_args(self, p: PurseSym, who: ir.Expr, cause: ir.Expr) -> tuple[ir.Expr, ...]:
        return (who, cause) if self.by_cause(p) else (who,)


def sharing(s: ir.PurseSource, sources: Sequence[ir.PurseSource]) -> list[ir.PurseSource]:
    """The lines that are counted together with this one."""
    return [other for other in sources if other is s or s.counter and other.counter == s.counter]


def plain(lines: Sequence[ir.PurseSource]) -> bool:
    """Whether it is easy to say how much lines that are counted together hold: their pieces are worth the same."""
    return len(lines) == 1 or all(line.worth == lines[0].worth and line.domain is None for line in lines)
