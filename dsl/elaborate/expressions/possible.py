"""`possible`: whether an action could be taken now; what `without` waives and what `with v by n` changes for it.

Takes the node and its clauses, which `offer` and `perform` have too, and gives the trial, the set of causes and the
timed lines.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.spelling import with_article
from dsl.base.types import BOOL, IntType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.expressions import calls, names
from dsl.symbols.symbols import RuleLine
from dsl.syntax import nodes as sx


def possible(elab: Elaboration, node: sx.Fold, scope: Scope) -> Val:
    """`possible(action(...))`: a condition that tries the action."""
    m = elab.model
    body = node.body
    if not isinstance(body, sx.Call) or not isinstance(body.func, sx.Name) or body.func.id not in m.routines:
        span = body.span if body is not None else node.span
        m.error("RW0441", span, "`possible` asks about an action with its arguments", "write `possible(build(p, t))`")
        return BAD
    routine = m.routines[body.func.id]
    if routine.word != "action":
        what = with_article(routine.word)
        m.error("RW0442", body.span, f"`{routine.name}` is {what}; `possible` asks about an action")
        return BAD
    routine.used = True
    if len(body.args) != len(routine.params):
        count = f"{len(routine.params)} arguments, but got {len(body.args)}"
        m.error("RW0250", body.span, f"`{routine.name}` takes {count}")
        return BAD
    args = [calls.argument(elab, a.value, t, scope).e for a, (_, t) in zip(body.args, routine.params, strict=True)]
    return Val(
        ir.Possible(
            routine.proc,
            tuple(args),
            waived_causes(elab, node.clauses, scope),
            value_changes(elab, node.clauses, scope),
        ),
        BOOL,
    )


def waived_causes(elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope) -> int:
    """The causes after `without`, as a set of bits."""
    mask = 0
    cause = elab.model.enums.get("Cause")
    for c in clauses:
        if c.word != "without":
            continue
        for arg in c.args:
            if isinstance(arg, sx.Key):
                continue
            member = (
                names.find_member(elab, arg.id, cause.type, arg.span) if cause and isinstance(arg, sx.Name) else None
            )
            if member is None:
                elab.model.unknown(
                    "RW0208", arg.span, "cause", elab.model.text(arg.span), cause.members if cause else []
                )
            else:
                assert isinstance(member.e, ir.Const)
                mask |= 1 << member.e.value
    return mask


def value_changes(
    elab: Elaboration, clauses: tuple[sx.Clause, ...], scope: Scope
) -> tuple[tuple[int, tuple[ir.Expr, ...]], ...]:
    """`with v by n`: a timed line on every call of value v, in its last layer; gives (number of the line, its
    arguments)."""
    m = elab.model
    result: list[tuple[int, tuple[ir.Expr, ...]]] = []
    for c in clauses:
        if c.word != "with by":
            continue
        target, amount = c.args
        assert not isinstance(target, sx.Key) and not isinstance(amount, sx.Key)
        name = target.id if isinstance(target, sx.Name) else ""
        value = m.values.get(name)
        if value is None:
            m.unknown("RW0242", target.span, "value", name or m.text(target.span), list(m.values))
            continue
        args = tuple(sx.Arg(sx.Name(f"${i}")) for i in range(len(value.params)))
        decl = sx.Decl(
            "modify", name, sx.Call(sx.Name(name), args), clauses=(sx.Clause("by", (sx.Name("$by"),)),), span=c.span
        )
        rule = RuleLine(decl, 0, (), "", timed=len(elab.timed.lines), captured=(("$by", IntType()),))
        elab.timed.lines.append(rule)
        value.lines.append(rule)
        result.append((rule.timed, (elab.number(amount, scope).e,)))
    return tuple(result)
