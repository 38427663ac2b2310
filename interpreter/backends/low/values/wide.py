"""Sets of more members than go into variables: they stay in memory as in the store, in words of 31 members.

Loops over several names in routines that suspend keep such a set of all their passes. It is made member by member, gone
through, and asked whether it is empty or has a member; other questions about it are not lowered.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds, width
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Lowering, NumberMaker
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, load, scale
from interpreter.backends.low.base.stored import MOST_STORED
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.numbers import place_of
from interpreter.backends.low.values.ranges import number_kind


def is_wide(t: object) -> bool:
    """True for the type of sets of so many members."""
    return isinstance(t, SetType) and width(t) > MOST_STORED


def wide_type(e: ir.Expr | None) -> SetType | None:
    """The type of a value that is such a set and lies in the store; None for other values."""
    match e:
        case ir.Cell(_, SetType() as t) | ir.FrameVar(_, SetType() as t) if is_wide(t):
            return t
        case ir.ByPlace():
            return wide_type(e.read)
    return None


def row_of(lo: Lowering, e: ir.Expr) -> Expr:
    """The address of the words of a set of `wide_type`."""
    match e:
        case ir.Cell():
            return lo.w.let(add(*place_of(lo, e.address)))
        case ir.FrameVar():
            return lo.w.let(add(lo.w.frame(), FRAME_LINK + e.slot))
        case ir.ByPlace():
            return row_of(lo, e.read)
    raise Unsupported(f"{type(e).__name__} where a set of very many members is needed")


def member_place(lo: Lowering, row: Expr, t: SetType, m: Expr) -> tuple[Expr, Expr]:
    """The address of the word in which a member of the type has its bit, and the number of that bit."""
    offset = lo.w.let(add(m, -bounds(t.elem)[0]))
    n = lo.w.let(Op("/u", offset, Num(WORD_BITS)))
    return lo.w.let(add(row, n)), lo.w.let(Op("-", offset, scale(n, WORD_BITS)))


def size_of(lo: Lowering, row: Expr, t: SetType) -> Expr:
    """The number of members."""
    total = lo.w.fresh("total")
    lo.w.set(total, ZERO)

    def one(n: Expr) -> None:
        lo.w.set(total, add(Local(total), low.Ones(low.Load(add(row, n)))))

    lo.w.upto(ZERO, Num(width(t)), one)
    return Local(total)


def is_some(lo: Lowering, row: Expr, t: SetType) -> Expr:
    """A test that there is a member."""
    found, n = lo.w.fresh("found"), lo.w.fresh("n")
    lo.w.set(found, ZERO)
    lo.w.set(n, ZERO)

    def one(label: str) -> None:
        lo.w.leave_if(Op(">=", Local(n), Num(width(t))), label)
        lo.w.emit(low.If(low.Load(add(row, Local(n))), (low.Set(found, ONE), low.Leave(label))))
        lo.w.set(n, add(Local(n), 1))

    lo.w.loop(one)
    return Local(found)


def next_word(lo: Lowering, row: Expr, t: SetType, n: str, current: str, done: str) -> None:
    """Go to the first word from this one on that has a member left: `n` numbers the words, `current` holds what is left
    of one. Leaves the loop `done` where there is none."""

    def one(found: str) -> None:
        lo.w.leave_if(Local(current), found)
        lo.w.set(n, add(Local(n), 1))
        lo.w.leave_if(Op(">=", Local(n), Num(width(t))), done)
        lo.w.set(current, low.Load(add(row, Local(n))))

    lo.w.loop(one)


# ------------------------------------------------------------ questions


def _size(lo: Lowering, e: ir.Size, t: SetType) -> Expr:
    return size_of(lo, row_of(lo, e.operand), t)


def _in_set(lo: Lowering, e: ir.InSet, t: SetType) -> Expr:
    own, (lowest, highest) = number_kind(lo, e.member), bounds(t.elem)
    m, row = lo.w.let(lo.number(e.member)), row_of(lo, e.set)
    inside: Expr = low.Not(Op(">u", add(m, -lowest), Num(highest - lowest)))
    if lowest <= own.low and own.high <= highest:
        inside = ONE
    at, number = member_place(lo, row, t, low.Choice(inside, m, Num(lowest)))
    return low.Both(inside, Op("&", Op(">>u", load(WordsAt(at)), number), ONE))


def _compare(lo: Lowering, e: ir.Compare, t: SetType) -> Expr:
    """A test that a set is empty, or that two such sets are equal, word by word; or the opposite."""
    sides = [side for side in (e.left, e.right) if side != ir.Const(0)]
    if len(sides) == 1:
        some = is_some(lo, row_of(lo, sides[0]), t)
        return some if e.op == "!=" else low.Not(some)
    if wide_type(sides[0]) != wide_type(sides[1]):
        raise Unsupported("a comparison of a set of very many members with another one")
    a, b, differ = row_of(lo, sides[0]), row_of(lo, sides[1]), lo.w.fresh("differ")
    lo.w.set(differ, ZERO)

    def one(n: Expr) -> None:
        lo.w.set(differ, Op("|", Local(differ), Op("^", low.Load(add(a, n)), low.Load(add(b, n)))))

    lo.w.upto(ZERO, Num(width(t)), one)
    return Op("!=" if e.op == "!=" else "==", Local(differ), ZERO)


def questions(plain: dict[type, NumberMaker]) -> dict[type, NumberMaker]:
    """The makers of answers to questions about sets, those of very many members included; `plain` answers the
    others."""

    def compare(lo: Lowering, e: ir.Compare) -> Expr:
        t = wide_type(e.left) or wide_type(e.right)
        return plain[ir.Compare](lo, e) if t is None or e.op not in ("==", "!=") else _compare(lo, e, t)

    def size(lo: Lowering, e: ir.Size) -> Expr:
        t = wide_type(e.operand)
        return plain[ir.Size](lo, e) if t is None else _size(lo, e, t)

    def in_set(lo: Lowering, e: ir.InSet) -> Expr:
        t = wide_type(e.set)
        return plain[ir.InSet](lo, e) if t is None else _in_set(lo, e, t)

    return {**plain, ir.Compare: compare, ir.Size: size, ir.InSet: in_set}


def member_kind(t: SetType) -> Number:
    """The kind of the members of such a set."""
    return Number(*bounds(t.elem))
