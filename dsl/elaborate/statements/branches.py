"""Branches: `if` with its `else`, and `depending on`, whose cases name all members or leave the rest to an `else`."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, MemberType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import exhaustive
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope
from dsl.elaborate.expressions import operators
from dsl.elaborate.statements import flow
from dsl.syntax import nodes as sx
from dsl.syntax.form import old_spelling
from dsl.syntax.walk import branches, head_of


def branch(elab: Elaboration, node: sx.If, scope: Scope, ctx: EmitContext) -> None:
    """`if P ... else ...`."""
    test = elab.test(node.test, scope)
    yes, no = operators.proved_facts(elab, node.test)
    first, second = scope.knowing(flow.lasting_facts(yes)), scope.knowing(flow.lasting_facts(no))
    if not flow.must_be_flat(elab, node, ctx):
        then = flow.structured_block(elab, node.then, first, ctx)
        orelse = flow.structured_block(elab, node.orelse, second, ctx)
        ctx.em.emit(ir.IfS(test, then, orelse))
        return
    other, end = ctx.em.label(), ctx.em.label()
    ctx.em.instr(ir.Branch(test, other))
    flow.inner_block(elab, node.then, first, ctx)
    if node.orelse:
        ctx.em.instr(ir.Jump(end))
    ctx.em.place(other)
    if node.orelse:
        flow.inner_block(elab, node.orelse, second, ctx)
        ctx.em.place(end)


def if_chain(elab: Elaboration, node: sx.If, scope: Scope, ctx: EmitContext) -> None:
    """A chain of branches. One that tells the members of an enum apart is said by `depending on` today; where it leaves
    some out, it is only noted which, since the new sentence would have to say what happens for them."""
    m = elab.model
    first = node.span not in elab.routines.chained
    elab.routines.chained.update(each.span for each in branches(node))
    branch(elab, node, scope, ctx)
    head = exhaustive.matched_expression(node) if first else None
    if head is None or not exhaustive.is_ladder(m, node):
        return
    t = type_again(elab, head, scope)
    if not isinstance(t, MemberType) or t.domain not in m.enums or exhaustive.first_without_member(m, node) is not None:
        return
    said, left_out = m.text(head.span), exhaustive.left_out(m, node, t)
    if left_out:
        message = f"these branches over `{said}` say nothing about {left_out}"
        m.note("RW1215", node.test.span, message, f"write `depending on {said}` with a `case` for each, or an `else`")
    else:
        old = f"if {said} is ... else if {said} is ..."
        elab.routines.matched.add(node.span)
        m.diagnostics.append(old_spelling(node.test.span, old, f"depending on {said}", mend=False))


def match(elab: Elaboration, node: sx.Match, scope: Scope, ctx: EmitContext) -> None:
    """`depending on X`: the branch of the case that names the member which X is."""
    m = elab.model
    elab.routines.chained.update(each.span for each in branches(node))
    branch(elab, node, scope, ctx)
    head = head_of(node)
    t = type_again(elab, head, scope)
    stray = exhaustive.first_without_member(m, node)
    if t == ERROR or stray is head or stray is not None and type_again(elab, stray, scope) == ERROR:
        return
    if not isinstance(t, MemberType):
        message = f"`depending on` tells members apart, and `{m.text(head.span)}` is `{t}`"
        m.error("RW0619", head.span, message, "conditions of another sort stand behind `if` and `else if`")
    elif stray is not None:
        message = f"`{m.text(stray.span)}` is no name of a member of `{t}`"
        m.error("RW0619", stray.span, message, "a `case` names members, or `none`; for anything else write `if`")
    elif left_out := exhaustive.left_out(m, node, t):
        help = "add a `case` for it, which may have no block, or an `else` below"
        m.error("RW0620", head.span, f"no `case` says what happens for {left_out}", help)
    else:
        elab.routines.matched.add(node.span)


def type_again(elab: Elaboration, node: sx.Expr, scope: Scope) -> Type:
    """The type of an expression that has been read: its messages and uses are there already."""
    kept = len(elab.model.uses)
    with elab.model.quietly():
        t = elab.expr(node, scope).t
    del elab.model.uses[kept:]
    return t
