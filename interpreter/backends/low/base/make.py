"""Expressions of the low form with what is known of constants worked out at once."""

from __future__ import annotations

from typing import NamedTuple

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op, signed

ZERO, ONE = Num(0), Num(1)


class WordsAt(NamedTuple):
    """An address: a number that is worked out, and words behind it."""

    base: Expr
    offset: int = 0


def num(value: int) -> Num:
    return Num(signed(value))


def add(left: Expr, right: Expr | int) -> Expr:
    right = num(right) if isinstance(right, int) else right
    if isinstance(left, Num):
        left, right = right, left
    if isinstance(left, Num) and isinstance(right, Num):
        return num(left.value + right.value)
    if right == ZERO:
        return left
    if isinstance(right, Num) and isinstance(left, Op) and left.op == "+" and isinstance(left.right, Num):
        return add(left.left, left.right.value + right.value)
    return Op("+", left, right)


def subtract(left: Expr, right: Expr) -> Expr:
    if isinstance(right, Num):
        return add(left, -right.value)
    return Op("-", left, right)


def scale(e: Expr, by: int) -> Expr:
    """A multiple of a number."""
    if isinstance(e, Num):
        return num(e.value * by)
    return e if by == 1 else Op("*", e, num(by))


def load(place: WordsAt) -> Expr:
    if place.offset < 0:
        return low.Load(add(place.base, place.offset))
    return low.Load(place.base, place.offset)


def load_long(place: WordsAt) -> Expr:
    if place.offset < 0:
        return low.LoadLong(add(place.base, place.offset))
    return low.LoadLong(place.base, place.offset)


def word(at: int) -> Expr:
    """The word at a constant address."""
    return low.Load(Num(0), at)


def either(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Num):
        return ONE if left.value else right
    return left if right == ZERO else low.Either(left, right)


def both(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Num):
        return right if left.value else ZERO
    return left if isinstance(right, Num) and right.value else low.Both(left, right)


def union(left: Expr | None, right: Expr) -> Expr:
    """The members of both words of sets; None stands for none."""
    if left is None or left == ZERO:
        return right
    return left if right == ZERO else Op("|", left, right)


def shifted(e: Expr, by: int) -> Expr:
    """A word moved to the left; to the right, with zeros, if `by` is negative."""
    if not by:
        return e
    return Op("<<", e, Num(by)) if by > 0 else Op(">>u", e, Num(-by))


def bit(e: Expr, member: Expr) -> Expr:
    """The bit of this number in a word, counted modulo 64, as 0 or 1."""
    return Op("&", Op(">>u", e, member), ONE)


def inverted(e: Expr) -> Expr:
    return num(~e.value) if isinstance(e, Num) else Op("^", e, Num(-1))
