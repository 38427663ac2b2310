"""Questions in the function of a region: where it stops, and whether an answer could still be given."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, Type
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.inline import is_filter
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.regions.frames import RegionFn
from interpreter.backends.python.runtime.options import form_of
from interpreter.core.run import STOPPED

CERTAIN = (*ir.having("quiet"), ir.IfS)  # no fault by itself; the nodes inside are tested too
FAILING = ir.having("faulty")


def ask(fn: RegionFn, i: ir.Ask, pc: int) -> None:
    """Stop if there is an option; else the text goes on."""
    fn.storage.sync()
    lister = lister_name(fn.ctx, i.site)
    if lister is None or fn.ctx.facts.uses_plans:
        guarded = lister is not None
        if guarded:
            menu = " or m.looking" if len(fn.ctx.program.sites[i.site].alternatives) > 1 else ""  # see `options.ahead`
            fn.line(f"if S[{hdr.PLAN}] or m.probing{menu}:")
            fn.line.depth += 1
        work = fn.storage.work
        fn.storage.count_work()
        fn.line(f"r = step({pc}, ())")
        fn.line(f"if r == {STOPPED}: return {STOPPED}")
        if not guarded:
            return
        fn.line.depth -= 1
        fn.line("else:")
        fn.line.depth += 1
        fn.storage.work = work
        ask_in_text(fn, i, pc, str(lister))
        fn.storage.count_work()
        fn.line.depth -= 1
        return
    ask_in_text(fn, i, pc, lister)


def ask_in_text(fn: RegionFn, i: ir.Ask, pc: int, lister: str) -> None:
    site = fn.ctx.program.sites[i.site]
    fn.line(f"offers = {lister}(S)")
    certain = always_offers(site)
    if not certain:
        fn.line("if offers:")
        fn.line.depth += 1
    work = fn.storage.work
    fn.storage.count_work()
    fn.storage.work = work
    fn.line(f"S[{hdr.PC}] = {pc}")
    fn.line(f"S[{hdr.SITE}] = {i.site + 1}")
    fn.line(f"m.raw = ({i.site}, offers)")
    if fn.ctx.wide_results:
        fn.line(f"if not is_number(S[{hdr.RV}]): S[{hdr.RV}] = 0")
    fn.line(f"return {STOPPED}")
    if not certain:
        fn.line.depth -= 1
    if not (site.decline or site.if_any):
        fn.line(f"raise dead_end({i.site})")


def confirm_condition(fn: RegionFn, i: ir.Confirm) -> str:
    """The condition that the answer in the frame could be given now."""
    fn.storage.sync()
    site, lister = fn.ctx.program.sites[i.site], lister_name(fn.ctx, i.site)
    if lister is None or (site.filter and fn.ctx.facts.uses_plans):
        return f"confirmed({i.site})"
    if len(site.alternatives) > 1:
        return f"confirmed({i.site})"
    alternative = site.alternatives[0]
    values = [fn(ir.FrameVar(slot, t)) for slot, t in alternative.slots[: len(alternative.binders)]]
    if site.shape == "number" and site.answer is not None:
        values = [fn(ir.FrameVar(*site.answer))]
    if len(values) == len(alternative.binders) == 1:
        found = offered_condition(fn, alternative, values[0])
        if found:
            return found
    given = values[0] if len(alternative.binders) == 1 else f"({''.join(f'{v}, ' for v in values)})"
    return f"{given} in {lister}(S)"


def offered_condition(fn: Fn, alternative: ir.Alternative, value: str) -> str | None:
    """The condition that a member is still in its domain and passes the tests; None: it may fail, or the domain is not
    constant."""
    slot, domain = alternative.binders[0][1:3]
    tests = [g.test for g in alternative.guards]
    value = fn.hold(value)
    names = fn.names.copy()
    fn.names.temps[slot] = value
    while domain.kind == "set" and is_filter(domain.a):
        inner, domain_inside = domain.a.binders[0]
        fn.names.temps[inner] = value
        tests = [*([domain.a.where] if domain.a.where is not None else []), *tests]
        domain = domain_inside
    found = None
    if domain.kind == "set" and isinstance(domain.a, ir.Const) and not any(may_fail(t) for t in tests):
        mask = domain.a.value
        with fn.lazily():
            found = " and ".join([member_condition(value, mask, alternative.slots[0][1]), *(fn.test(t) for t in tests)])
    frame = fn.names.frame
    fn.names = names
    fn.names.frame = frame
    return found


def lister_name(ctx: ModuleContext, number: int) -> str | None:
    """The name of the function that lists the options of a question; None: they have no short form."""
    return ctx.function_name("lister", number) if form_of(ctx.program.sites[number]) else None


def always_offers(site: ir.Site) -> bool:
    """Whether a question surely has an option."""
    return any(not a.binders and not a.guards for a in site.alternatives)


def member_condition(value: str, mask: int, t: Type) -> str:
    """The condition that a variable of a type holds a member of a set."""
    if isinstance(t, MemberType) and not mask & 1 and all(mask >> v & 1 for v in range(max(t.low, 1), t.high + 1)):
        return value
    return f"{value} >= 0 and {mask} >> {value} & 1"


def may_fail(node: ir.Instr | ir.Expr | Sequence[ir.Stmt]) -> bool:
    """Whether statements or expressions may end with a fault of the rules."""
    return any(not isinstance(n, CERTAIN) for n in walk(node) if isinstance(n, ir.STATEMENTS)) or any(
        isinstance(n, FAILING) for n in walk(node)
    )
