"""Pure functions of the program: called with numbers, words of sets and addresses, or written out where they are small.

Results are proved or tested to lie within their types, and so are arguments. A set of several words gives its first
word as result and the others in globals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ir
from dsl.base.types import Type
from interpreter.backends.analysis.dataflow import SMALL_BODY
from interpreter.backends.low.base.context import DEPTH, EPOCH, Bound, Held, Later, Lowering, Words
from interpreter.backends.low.base.kinds import (
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Unsupported,
    join,
    kind_of,
    shape,
    within,
)
from interpreter.backends.low.base.make import ZERO, add, both, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.sets import words_of

MOST_REMEMBERED = 4096  # arguments for which a function knows what it gave
MOST_DEPTH = 200  # calls of functions that call themselves, inside each other
FUNCTION = "fn"


def result_name(w: int) -> str:
    """The global of a further word of a set that is a result."""
    return f"result{w}"


def fitted(lo: Lowering, e: ir.Expr, kind: Kind) -> Held:
    """A value in variables, certainly of this kind; gives up if it is not."""
    have = lo.kind(e)
    if isinstance(kind, Number):
        if not isinstance(have, Number):
            raise Unsupported("a set or list where a number is needed")
        name = lo.w.fresh("arg")
        lo.w.set(name, keep_within(lo, lo.number(e), have, (kind.low, kind.high)))
        return Held(kind, (name,))
    if isinstance(kind, MembersKind):
        return lo.hold_words(kind, lo.members(e))
    if shape(join(kind, have)) != shape(have):
        raise Unsupported("a list that lies in memory in another way than is needed")
    return lo.hold(kind, e)


def flat(held: Sequence[Held]) -> tuple[Expr, ...]:
    """Values as arguments of a low function."""
    return tuple(Local(name) for h in held for name in h.names)


def parameters(params: tuple[tuple[str, Type], ...]) -> tuple[tuple[str, ...], dict[int, Bound]]:
    """The parameters of a low function for those of a routine, and the temps that they are."""
    names: list[str] = []
    bound: dict[int, Bound] = {}
    for slot, (_, t) in enumerate(params):
        kind = kind_of(t)
        own = tuple(f"p{slot}_{w}" for w in kind.words) if isinstance(kind, MembersKind) else (f"p{slot}",)
        names += own
        bound[slot] = Held(kind, own)
    return tuple(names), bound


# ------------------------------------------------------------ calls


def is_written_out(lo: Lowering, number: int) -> bool:
    small = lo.facts.sizes[number] <= SMALL_BODY and not lo.program.functions[number].cost
    return small and number not in lo.facts.recursive_fns


def _inside(lo: Lowering, e: ir.CallFn) -> dict[int, Bound]:
    """The temps of a function that is written out where it is called."""
    fn = lo.program.functions[e.fn]
    return {slot: _given(lo, arg, kind_of(t)) for slot, (arg, (_, t)) in enumerate(zip(e.args, fn.params, strict=True))}


def _given(lo: Lowering, arg: ir.Expr, kind: Kind) -> Bound:
    """An argument of a function that is written out: what is known of it besides its type stays known."""
    have = lo.kind(arg)
    if not isinstance(kind, Number) or not isinstance(have, Number):
        return fitted(lo, arg, kind)
    if isinstance(arg, ir.Const) and within(have, kind.low, kind.high):
        return Later(arg, {})
    least, most = max(have.low, kind.low), min(have.high, kind.high)
    return Held(Number(least, most) if least <= most else kind, fitted(lo, arg, kind).names)


def _call(lo: Lowering, e: ir.CallFn) -> Expr:
    fn = lo.program.functions[e.fn]
    args = [fitted(lo, arg, kind_of(t)) for arg, (_, t) in zip(e.args, fn.params, strict=True)]
    return low.Call(lo.want(FUNCTION, e.fn), flat(args))


def number(lo: Lowering, e: ir.CallFn) -> Expr:
    fn = lo.program.functions[e.fn]
    kind = kind_of(fn.result)
    if not isinstance(kind, Number):
        raise Unsupported("a call that gives a set or list where a number is needed")
    if not is_written_out(lo, e.fn):
        return lo.w.let(_call(lo, e), "r")
    with lo.binding(_inside(lo, e)):
        have = lo.kind(fn.body)
        if not isinstance(have, Number):
            raise Unsupported("a function that gives another kind than its result")
        return lo.w.let(keep_within(lo, lo.number(fn.body), have, (kind.low, kind.high)))


def members(lo: Lowering, e: ir.CallFn) -> Words:
    fn = lo.program.functions[e.fn]
    kind = kind_of(fn.result)
    if not isinstance(kind, MembersKind):
        raise Unsupported("a call that gives no set where one is needed")
    if is_written_out(lo, e.fn):
        with lo.binding(_inside(lo, e)):
            return words_of(lo.hold_words(kind, lo.members(fn.body)))
    found = {}
    for k, w in enumerate(kind.words):
        found[w] = lo.w.let(Global(result_name(k)) if k else _call(lo, e), "r")
    return found


def row(lo: Lowering, e: ir.CallFn) -> Expr:
    fn = lo.program.functions[e.fn]
    kind = kind_of(fn.result)
    if isinstance(kind, Number | MembersKind):
        raise Unsupported("a call that gives no list where one is needed")
    if is_written_out(lo, e.fn):
        with lo.binding(_inside(lo, e)):
            return _listed(lo, fn.body, kind)
    lo.w.scratch += 1  # the function leaves what it made
    return lo.w.let(_call(lo, e), "r")


def _listed(lo: Lowering, body: ir.Expr, kind: Kind) -> Expr:
    own = lo.kind(body)
    if (
        isinstance(kind, Dense)
        and isinstance(own, ItemsKind)
        and own.most == kind.count
        and shape(own.item) == shape(kind.item)
    ):
        return lo.w.let(add(lo.row(body), 1))  # a constant map is a list, whose length comes first
    if shape(join(kind, own)) != shape(own):
        raise Unsupported("a list that lies in memory in another way than is needed")
    return lo.w.let(lo.row(body))


# ------------------------------------------------------------ what is written once


def write(lo: Lowering, number: int) -> None:
    """Write a function of the program."""
    fn = lo.program.functions[number]
    kind = kind_of(fn.result)
    names, bound = parameters(fn.params)
    with lo.function(f"{FUNCTION}{number}", names) as w:
        lo.bound = bound
        note = _remembering(lo, number, names)
        if fn.cost:
            lo.passes(Num(fn.cost))
        if number in lo.facts.recursive_fns:
            w.emit(low.SetGlobal(DEPTH, add(Global(DEPTH), 1)))
            w.trap_if(Op(">", Global(DEPTH), Num(MOST_DEPTH)), Reason.ROOM)
        result = value_to_give(lo, fn.body, kind)
        if number in lo.facts.recursive_fns:
            w.emit(low.SetGlobal(DEPTH, add(Global(DEPTH), -1)))
        w.give(note(result))


def may_remember(lo: Lowering, number: int) -> bool:
    """True for a function that can know what it gave before: it gives a number for one number of few."""
    fn = lo.program.functions[number]
    if fn.cost or len(fn.params) != 1 or is_written_out(lo, number) or not isinstance(kind_of(fn.result), Number):
        return False
    kind = kind_of(fn.params[0][1])
    return isinstance(kind, Number) and kind.high - kind.low < MOST_REMEMBERED


def _remembering(lo: Lowering, number: int, names: Sequence[str]) -> Callable[[Expr], Expr]:
    """Write what gives a result that is known already; gives what notes a result."""
    if number not in lo.remembered:
        return lambda result: result
    w, kind = lo.w, kind_of(lo.program.functions[number].params[0][1])
    assert isinstance(kind, Number)
    count = kind.high - kind.low + 1
    known = lo.memory.room(4 * count)
    at = w.let(add(scale(add(Local(names[0]), -kind.low), 4), known))
    same = both(Global(EPOCH), Op("==", low.LoadLong(at), Global(EPOCH)))
    w.emit(low.If(same, (low.Return(low.Load(at, 2)),)))

    def note(result: Expr) -> Expr:
        result = w.let(result)
        w.store(at, 2, result)
        w.emit(low.StoreLong(at, 0, Global(EPOCH)))
        return result

    return note


def value_to_give(lo: Lowering, body: ir.Expr, kind: Kind) -> Expr:
    """Work out the result of a function; gives its first word. A list stays in scratch memory."""
    give = _giver(lo, body, kind)
    if not isinstance(kind, Number | MembersKind):
        return give()
    with lo.cut_back():
        return give()


def _giver(lo: Lowering, body: ir.Expr, kind: Kind) -> Callable[[], Expr]:
    """A writer that works out the result of a function, and gives its first word."""

    def give_number() -> Expr:
        return Local(fitted(lo, body, kind).names[0])

    def give_set() -> Expr:
        held = lo.hold_words(kind, lo.members(body)) if isinstance(kind, MembersKind) else None
        assert held is not None
        for k, name in enumerate(held.names[1:], 1):
            lo.w.emit(low.SetGlobal(result_name(k), Local(name)))
        return Local(held.names[0]) if held.names else ZERO

    def give_row() -> Expr:
        return _listed(lo, body, kind)

    return give_number if isinstance(kind, Number) else give_set if isinstance(kind, MembersKind) else give_row
