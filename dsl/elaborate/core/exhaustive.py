"""Branches that tell the members of an enum apart: `depending on x`, and the chains of `if` that it has replaced.

Takes the first branch and the type of what all compare; gives the members that no branch covers. Branches that compare
different expressions, or have other conditions too, tell no members apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.base.span import Span
from dsl.base.types import MemberType
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.walk import branches, compared


def matched_expression(node: sx.If) -> sx.Expr | None:
    """The expression that all branches compare with members; None where one has another condition."""
    tests = [test for branch in branches(node) for test in compared(branch.test)]
    first = tests[0].left if isinstance(tests[0], sx.Compare) else None
    for test in tests:
        if not isinstance(test, sx.Compare) or test.left != first:
            return None
        if not (test.op == "is" or test.op == "in" and isinstance(test.right, sx.SetLit)):
            return None
    return first


def is_ladder(m: Model, node: sx.If) -> bool:
    """Whether the branches are an `if` with one `else if` or more, and no `if` under an `else`."""
    further = list(branches(node))[1:]
    return bool(further) and all(
        m.text(Span(line.span.file, line.span.start - len("else "), line.span.start)) == "else" for line in further
    )


def items_of(node: sx.If) -> Iterator[sx.Expr]:
    """What the branches compare the expression with."""
    for branch in branches(node):
        for test in compared(branch.test):
            assert isinstance(test, sx.Compare), "each branch compares"
            yield from test.right.items if isinstance(test.right, sx.SetLit) else (test.right,)


def is_none(item: sx.Expr) -> bool:
    return isinstance(item, sx.Name) and item.id == "none"


def first_without_member(m: Model, node: sx.If) -> sx.Expr | None:
    """The first thing that the branches compare with, and that is no member by its name."""
    return next((e for e in items_of(node) if not is_none(e) and e.span not in m.resolved_members), None)


def left_out(m: Model, node: sx.If, t: MemberType) -> str:
    """The members of `t` that no branch covers, for a message; none where there is an `else`. Each branch names
    members."""
    *_, last = branches(node)
    covered = {0 if is_none(item) else m.resolved_members[item.span][1] for item in items_of(node)}
    info = m.domains[t.domain]
    names = dict(zip(info.values, info.ids, strict=True)) | ({0: "none"} if t.optional else {})
    missing = [f"`{name}`" for value, name in names.items() if value not in covered]
    return "" if last.orelse else ", ".join(missing)
