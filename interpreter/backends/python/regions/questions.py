"""Questions in a stretch that is being written: where it stops, and whether an answer could still be given."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, Type
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.inline_folds import is_choice
from interpreter.backends.python.regions.chance import Chances

CERTAIN = (*ir.having("quiet"), ir.IfS)  # no fault by itself; what stands in it is asked too
FAILING = ir.having("faulty")
STOPPED = -1


class Questions(Chances):
    def ask(self, i: ir.Ask, pc: int) -> None:
        """Stop if there is an option; else the text goes on."""
        self.settle()
        lister = self.unit.lister(i.site)
        if lister is None or self.unit.facts.plans:
            guarded = lister is not None
            if guarded:
                self.line(f"if S[{hdr.PLAN}] or m.probing:")
                self.line.depth += 1
            work = self.work
            self.flush()
            self.line(f"r = step({pc}, ())")
            self.line(f"if r == {STOPPED}: return {STOPPED}")
            if not guarded:
                return
            self.line.depth -= 1
            self.line("else:")
            self.line.depth += 1
            self.work = work
            self.fast_ask(i, pc, str(lister))
            self.flush()
            self.line.depth -= 1
            return
        self.fast_ask(i, pc, lister)

    def fast_ask(self, i: ir.Ask, pc: int, lister: str) -> None:
        site = self.program.sites[i.site]
        self.line(f"offers = {lister}(S)")
        certain = self.unit.always_offers(i.site)
        if not certain:
            self.line("if offers:")
            self.line.depth += 1
        work = self.work
        self.flush()
        self.work = work
        self.line(f"S[{hdr.PC}] = {pc}")
        self.line(f"S[{hdr.SITE}] = {i.site + 1}")
        self.line(f"m.raw = ({i.site}, offers)")
        if self.unit.wide_results:
            self.line(f"if not is_number(S[{hdr.RV}]): S[{hdr.RV}] = 0")
        self.line(f"return {STOPPED}")
        if not certain:
            self.line.depth -= 1
        if not (site.decline or site.if_any):
            self.line(f"raise dead_end({i.site})")

    def confirmed(self, i: ir.Confirm) -> str:
        """Whether the answer that stands in the frame could be given now."""
        self.settle()
        site, lister = self.program.sites[i.site], self.unit.lister(i.site)
        if lister is None or (site.filter and self.unit.facts.plans):
            return f"confirmed({i.site})"
        if len(site.alternatives) > 1:
            return f"confirmed({i.site})"
        alternative = site.alternatives[0]
        values = [self(ir.FrameVar(slot, t)) for slot, t in alternative.slots[: len(alternative.binders)]]
        if site.shape == "number" and site.answer is not None:
            values = [self(ir.FrameVar(*site.answer))]
        if len(values) == len(alternative.binders) == 1:
            found = self.still_offered(alternative, values[0])
            if found:
                return found
        given = values[0] if len(alternative.binders) == 1 else f"({''.join(f'{v}, ' for v in values)})"
        return f"{given} in {lister}(S)"

    def still_offered(self, alternative: ir.Alternative, value: str) -> str | None:
        """A value of a chosen set is still there, and passes the tests."""
        slot, domain = alternative.binders[0][1:3]
        tests = [g.test for g in alternative.guards]
        value = self.hold(value)
        names = self.names.copy()
        self.names.temps[slot] = value
        while domain.kind == "set" and is_choice(domain.a):
            inner, domain_inside = domain.a.binders[0]
            self.names.temps[inner] = value
            tests = [*([domain.a.where] if domain.a.where is not None else []), *tests]
            domain = domain_inside
        found = None
        if domain.kind == "set" and isinstance(domain.a, ir.Const) and not any(may_fail(t) for t in tests):
            mask = domain.a.value
            with self.lazily():
                found = " and ".join([inside(value, mask, alternative.slots[0][1]), *(self.test(t) for t in tests)])
        frame = self.names.frame
        self.names = names
        self.names.frame = frame
        return found


def inside(value: str, mask: int, t: Type) -> str:
    """The condition that a variable of a type holds a member of a set."""
    if isinstance(t, MemberType) and not mask & 1 and all(mask >> v & 1 for v in range(max(t.low, 1), t.high + 1)):
        return value
    return f"{value} >= 0 and {mask} >> {value} & 1"


def may_fail(node: ir.Instr | ir.Expr | Sequence[ir.Stmt]) -> bool:
    """Whether statements or expressions may end with a fault of the rules."""
    return any(not isinstance(n, CERTAIN) for n in walk(node) if isinstance(n, ir.STATEMENTS)) or any(
        isinstance(n, FAILING) for n in walk(node)
    )
