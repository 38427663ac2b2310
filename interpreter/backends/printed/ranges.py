"""Between which numbers a value of the low form lies, so that only what may leave the 64 bits is wrapped around.

A range is of the number that the printed text gives. Sums, products, shifts and bits may be worked out of operands that
were not wrapped around, since all that counts of them is the number modulo 2^64; the range then says how far they go.
"""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import MASK_64

Range: TypeAlias = tuple[int, int]
"""The least and the greatest number."""

FULL: Range = (-(1 << 63), (1 << 63) - 1)
WORD: Range = (-(1 << 31), (1 << 31) - 1)
BIT: Range = (0, 1)
BITS: Range = (0, 64)  # counts of them
SHIFT: Range = (0, 63)

LOOSE = frozenset({"+", "-", "*", "&", "|", "^"})  # operators whose operands need not be wrapped around
SHIFTED = frozenset({"<<", ">>u"})  # those of which the left one need not be
DIVISIONS = frozenset({"/", "/u", "%u"})  # those that give up at zero

STEP = 1 << 10  # a counter is changed by so much at most,
START = 1 << 61  # begins with so much at most,
COUNTED = 2 * START + STEP + 1  # and does not come to this number, since that takes years; no other range ends there

UP = (0, 1, WORD[1], 1 << 47, START, FULL[1])  # what a range that grows is widened to
DOWN = (0, WORD[0], -(1 << 47), -START, FULL[0])


def inside(inner: Range, outer: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def kept(found: Range) -> Range:
    """The range of a number of 64 bits that was made of one of this range."""
    return found if inside(found, FULL) else FULL


def joined(a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])


def widened(old: Range, new: Range) -> Range:
    """Both, with room to grow, so that no range grows often."""
    lowest, highest = old
    if new[0] < lowest:
        lowest = new[0] if new[0] == -COUNTED else next(n for n in DOWN if n <= new[0])
    if new[1] > highest:
        highest = new[1] if new[1] == COUNTED else next(n for n in UP if n >= new[1])
    return lowest, highest


def counts(bound: int) -> bool:
    """True if a counter may have this bound."""
    return abs(bound) <= START or abs(bound) == COUNTED


def shift(by: Range) -> Range:
    """The range of the bits that are shifted by."""
    return by if inside(by, SHIFT) else SHIFT


def of_operation(op: str, a: Range, b: Range) -> Range:
    """The range of what `Op` gives; operands are wrapped around but those of `LOOSE` and the left ones of `SHIFTED`."""
    match op:
        case "+":
            return a[0] + b[0], a[1] + b[1]
        case "-":
            return a[0] - b[1], a[1] - b[0]
        case "&" | "|" | "^":
            return _of_bits(op, a, b)
        case "*":
            return _corners([x * y for x, y in product(a, b)])
        case "<<":
            return _corners([x << y for x, y in product(a, shift(b))])
        case ">>":
            return _corners([x >> y for x, y in product(a, shift(b))])
        case ">>u" if a[0] >= 0 and a[1] <= MASK_64:
            return _corners([x >> y for x, y in product(a, shift(b))])
        case ">>u":
            return 0, MASK_64 >> shift(b)[0]
        case "/":
            most = max(-a[0], a[1])
            return (0 if a[0] >= 0 and b[0] >= 0 else -most, most)
        case "/u":
            return 0, (a[1] if a[0] >= 0 else MASK_64)
        case "%u":
            return 0, (max(b[1] - 1, 0) if b[0] >= 0 else MASK_64)
    return BIT


def _corners(found: list[int]) -> Range:
    return min(found), max(found)


def _of_bits(op: str, a: Range, b: Range) -> Range:
    if op == "&" and (a[0] >= 0 or b[0] >= 0):
        return 0, min(r[1] for r in (a, b) if r[0] >= 0)
    size = max((~bound if bound < 0 else bound).bit_length() for bound in (*a, *b))
    return (0 if a[0] >= 0 and b[0] >= 0 else -(1 << size)), (1 << size) - 1


def of_portion(count: Range) -> Range:
    """The range of a portion of a count: its fraction is less than 2^10; FULL if it may leave the 64 bits."""
    most = max(-count[0], count[1]) << 10
    return (-most, most) if most < START else FULL


def is_flag(e: low.Expr) -> bool:
    """True if Python gives `True` or `False` for it as a condition, and not only something that counts as these."""
    match e:
        case low.Both(left, right) | low.Either(left, right):
            return is_flag(left) and is_flag(right)
        case low.Op(op, left, right):
            return op in low.COMPARISONS or op in ("&", "|", "^") and is_flag(left) and is_flag(right)
    return isinstance(e, low.Not)


def is_calm(e: low.Expr) -> bool:
    """True if nobody sees that it is not worked out: it cannot give up, and changes nothing."""
    match e:
        case low.Num() | low.Local() | low.Global():
            return True
        case low.Op(op, left, right):
            divides = op in DIVISIONS and (not isinstance(right, low.Num) or right.value == 0)
            return not divides and is_calm(left) and is_calm(right)
    return False
