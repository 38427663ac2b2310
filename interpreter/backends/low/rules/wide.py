"""Writing sets of very many members: each is made in scratch memory, in the words of the store, and copied there."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds, width
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.folds import Binding, bindings, body_number
from interpreter.backends.low.values.loops import each
from interpreter.backends.low.values.ranges import number_kind
from interpreter.backends.low.values.wide import member_place, row_of, wide_type


def write_wide(lo: Lowering, place: WordsAt, t: SetType, value: ir.Expr) -> None:
    """Write a set into the store; gives up if it has members outside of its type."""
    source = _row(lo, t, value)
    lo.w.emit(low.Copy(lo.w.let(add(place.base, place.offset)), source, Num(width(t))))


def _row(lo: Lowering, t: SetType, e: ir.Expr) -> Expr:
    """The address of the words of a set, which must not be changed: in the store, if it lies there."""
    if wide_type(e) == t:
        return row_of(lo, e)
    match e:
        case ir.If(test, then, orelse):
            at = lo.w.fresh("at")
            lo.w.when(
                lo.number(test),
                lambda: lo.w.set(at, _row(lo, t, then)),
                lambda: lo.w.set(at, _row(lo, t, orelse)),
            )
            return Local(at)
        case ir.Const(int(mask)):
            return Num(lo.memory.words(_words_of(mask, t)))
    return _made(lo, t, e)


def _words_of(mask: int, t: SetType) -> list[int]:
    """A constant set in the words of the store."""
    lowest, highest = bounds(t.elem)
    if mask >> lowest << lowest != mask or mask >> highest + 1:
        raise Unsupported("a constant set that is written as another type")
    return [mask >> lowest + WORD_BITS * k & (1 << WORD_BITS) - 1 for k in range(width(t))]


def _made(lo: Lowering, t: SetType, e: ir.Expr) -> Expr:
    """The address of the words of a set in scratch memory, which may be changed."""
    if isinstance(e, ir.Arith):
        return _joined(lo, t, e)
    row = lo.take(width(t))
    lo.w.emit(low.Clear(row, Num(width(t))))
    if isinstance(e, ir.MakeSet):
        for item in e.items:
            _put(lo, row, t, lo.number(item), number_kind(lo, item), True)
    elif isinstance(e, ir.Fold) and e.kind == "set":
        _put_fold(lo, row, t, e)
    else:
        each(
            lo, ir.Domain("set", e), lambda p: _put(lo, row, t, Local(p.member.names[0]), _number(p.member.kind), False)
        )
    return row


def _put_fold(lo: Lowering, row: Expr, t: SetType, e: ir.Fold) -> None:
    own = e.body is None or e.body == ir.Temp(e.binders[-1][0])

    def one(b: Binding) -> None:
        kind = _number(b.member.kind) if own or e.body is None else number_kind(lo, e.body)
        _put(lo, row, t, Local(b.member.names[0]) if own else body_number(lo, e, b), kind, not own)

    bindings(lo, e.binders, e.where, one)


def _number(kind: object) -> Number:
    if not isinstance(kind, Number):
        raise Unsupported("a set of what is no number")
    return kind


def _put(lo: Lowering, row: Expr, t: SetType, m: Expr, kind: Number, nothing: bool) -> None:
    """Add a member; gives up if it is none of the type. `nothing`: 0 adds nothing."""
    m = lo.w.let(m)
    lowest, highest = bounds(t.elem)

    def put() -> None:
        if not (lowest <= kind.low and kind.high <= highest):
            lo.w.trap_if(Op(">u", add(m, -lowest), Num(highest - lowest)), Reason.RANGE)
        at, number = member_place(lo, row, t, m)
        lo.w.store(at, 0, Op("|", low.Load(at), Op("<<", ONE, number)))

    lo.w.when(m if nothing and kind.low <= 0 <= kind.high else ONE, put)


def _drop(lo: Lowering, row: Expr, t: SetType, m: Expr) -> None:
    """Take a member out, if it is one."""
    m = lo.w.let(m)
    lowest, highest = bounds(t.elem)

    def drop() -> None:
        at, number = member_place(lo, row, t, m)
        lo.w.store(at, 0, Op("&", low.Load(at), Op("^", Op("<<", ONE, number), Num(-1))))

    lo.w.when(low.Not(Op(">u", add(m, -lowest), Num(highest - lowest))), drop)


def _joined(lo: Lowering, t: SetType, e: ir.Arith) -> Expr:
    """A set with members of another one added or taken out, or without what that one has not."""
    row, left = lo.take(width(t)), _row(lo, t, e.left)
    items = e.right.items if isinstance(e.right, ir.MakeSet) else None
    held = [lo.w.let(lo.number(item)) for item in items or ()]
    right = None if items is not None and e.op != "&" else _row(lo, t, e.right)
    lo.w.emit(low.Copy(row, left, Num(width(t))))
    if right is None:
        for item, m in zip(items or (), held, strict=True):
            if e.op == "|":
                _put(lo, row, t, m, number_kind(lo, item), True)
            else:
                _drop(lo, row, t, m)
        return row
    other = right

    def one(n: Expr) -> None:
        at = lo.w.let(add(row, n))
        theirs: Expr = low.Load(add(other, n))
        if e.op == "&~":
            theirs = Op("^", theirs, Num(-1))
        lo.w.store(at, 0, Op("|" if e.op == "|" else "&", low.Load(at), theirs))

    lo.w.upto(ZERO, Num(width(t)), one)
    return row
