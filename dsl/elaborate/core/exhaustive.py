"""Chains of `if x is a ... else if x is b ...` that distinguish the members of an enum: matches written as sentences.

Takes the first `if` of a chain and the type of what it compares; gives the members that no branch covers. A chain
whose branches compare different expressions, or several at once, is not a match.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.base.types import MemberType, Type
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx


def matched_expression(node: sx.If) -> sx.Expr | None:
    """The expression that all branches of the chain compare with members; None where the chain is not a match."""
    tests = [branch.test for branch in branches(node)]
    first = tests[0].left if isinstance(tests[0], sx.Compare) else None
    for test in tests:
        if not isinstance(test, sx.Compare) or test.left != first:
            return None
        if not (test.op == "is" or test.op == "in" and isinstance(test.right, sx.SetLit)):
            return None
    return first


def branches(node: sx.If) -> Iterator[sx.If]:
    """The `if` and each `else if` of its chain, in order."""
    yield node
    while len(node.orelse) == 1 and isinstance(node.orelse[0], sx.If):
        node = node.orelse[0]
        yield node


def missing_members(m: Model, node: sx.If, t: Type) -> list[str] | None:
    """The members of the enum `t` that no branch of a match covers. None where there is an `else`, where `t` is not
    an enum, or where a branch compares with something that is known only in play."""
    *_, last = branches(node)
    if last.orelse or not isinstance(t, MemberType) or t.domain not in m.enums:
        return None
    covered: set[int] = set()
    for branch in branches(node):
        test = branch.test
        assert isinstance(test, sx.Compare), "a match compares"
        for item in test.right.items if isinstance(test.right, sx.SetLit) else (test.right,):
            if isinstance(item, sx.Name) and item.id == "none":
                covered.add(0)
            elif item.span in m.resolved_members:
                covered.add(m.resolved_members[item.span][1])
            else:
                return None
    info = m.domains[t.domain]
    names = dict(zip(info.values, info.ids, strict=True)) | ({0: "none"} if t.optional else {})
    return [name for value, name in names.items() if value not in covered]
