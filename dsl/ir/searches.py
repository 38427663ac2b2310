"""Questions about what `reach` gives whose answer may be certain before its walk has come to an end."""

from __future__ import annotations

from typing import NamedTuple

from dsl.ir.expressions import Arith, Compare, Expr, InSet, MakeSet, Reach, Size, Subset

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
PASSED = ("<=", ">", "==", "!=")  # comparisons with a number that are certain above it; the others are so from it on


class Walked(NamedTuple):
    """The things that a walk meets and that are in each set of `inside` and in none of `outside`; these are worked out
    before it begins."""

    reach: Reach
    inside: tuple[Expr, ...] = ()
    outside: tuple[Expr, ...] = ()


class Some(NamedTuple):
    """A test that a walk meets anything, or (`none`) nothing: the first thing decides."""

    met: Walked
    none: bool = False


class All(NamedTuple):
    """A test that a walk meets all members of a set: the last of them decides."""

    met: Walked
    wanted: Expr


class Same(NamedTuple):
    """A test that a walk meets just the members of a set, or (`differs`) not: the first other thing decides."""

    met: Walked
    wanted: Expr
    differs: bool


class Many(NamedTuple):
    """A comparison of how many things a walk meets with a number."""

    met: Walked
    op: str
    wanted: Expr


Question = Some | All | Same | Many


def met(e: object) -> Walked | None:
    """A set as what one walk meets; None for sets of other forms."""
    match e:
        case Reach(gives="reach"):
            return Walked(e)
        case Arith("&~", left, right):
            found = met(left)
            return found and found._replace(outside=(*found.outside, right))
    return None


def question(e: object) -> Question | None:
    """A test as a question about what one walk meets; None for other tests. Of two walks the second is worked out
    whole, and then the first one is asked."""
    match e:
        case InSet(member, among) if (found := met(among)) is not None:
            return Some(found._replace(inside=(*found.inside, MakeSet((member,)))))
        case Subset(left, right):
            if (found := met(left)) is not None:
                return Some(found._replace(outside=(*found.outside, right)), none=True)
            found = met(right)
            return found and All(found, left)
        case Compare(op, left, right):
            return _compared(op, left, right) or _compared(FLIPPED[op], right, left)
    return None


def _compared(op: str, left: Expr, right: Expr) -> Question | None:
    if isinstance(left, Size) and left.kind == "set" and (found := met(left.operand)) is not None:
        return Many(found, op, right)
    found = met(left) if op in ("==", "!=") else None
    return found and Same(found, right, op == "!=")
