"""End lists: the first item of a frame, or of the open `together`, is taken off and its procedure entered.

An item is a tag, a procedure, the words of its arguments, and where seats order what waits the words of its order. The
tag is the base of a frame, 0 for the open `together`, and the negative of the base of a frame that works its list off.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.base.types import SetType, Type, width
from dsl.program import DEFERRED, DEFERRED_LINK, FP, FRAME_LINK, ORDER
from interpreter.backends.low.base.context import PENDING, Held, Lowering
from interpreter.backends.low.base.kinds import MembersKind, Number, kind_of
from interpreter.backends.low.base.make import ZERO, WordsAt, add, both, either, scale, word
from interpreter.backends.low.base.status import stop
from interpreter.backends.low.base.stored import load_row, load_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.rules.calls import call_plain, push

NEXT = "next"  # the function that takes an item off: its procedure, or -1
ENTER = "enter_item"  # the function that enters it: the instruction that follows, 0 where all is done
CLAIM = "claim"  # the function by which the running frame takes over what waits for the end of a `together`
ANYTHING = Num(-1)  # in the name of whatever thing


def next_item(lo: Lowering, tag: Expr, pc: int, again: Callable[[], None], thing: Expr = ANYTHING) -> None:
    """Enter the next item with a tag, of those in the name of `thing` if one is given, if there is one; the instruction
    is carried out again afterwards, which `again` writes."""
    lo.known.add((NEXT, 0))
    w = lo.w
    if not lo.deferred:
        return
    item = w.let(low.Call(NEXT, (tag, thing) if lo.ordered else (tag,)), "item")

    def enter() -> None:
        entry = w.let(low.Call(ENTER, (item, Num(pc))), "entry")
        w.emit(low.If(entry, (low.Return(entry),)))
        if any(number in lo.trials.routines for number in lo.deferred):
            stop(lo)
        again()

    w.when(Op(">=", item, ZERO), enter)


def _entering(lo: Lowering, number: int) -> Callable[[], None]:
    proc = lo.program.procs[number]

    def suspending() -> None:
        words = sum(width(t) for _, t in proc.params)

        def fill(base: Expr) -> None:
            lo.w.emit(low.Copy(add(base, FRAME_LINK), Num(lo.memory.args), Num(words)))

        push(lo, number, Local("back"), fill)
        lo.w.give(Num(proc.entry))

    def plain() -> None:
        held, offset = [], lo.memory.args
        for _, t in proc.params:
            held.append(_argument(lo, offset, t))
            offset += width(t)
        call_plain(lo, number, held)

    return suspending if proc.suspends else plain


def _argument(lo: Lowering, at: int, t: Type) -> Held:
    """An argument of an item, in variables; a list stays where it lies."""
    kind = kind_of(t)
    if isinstance(t, SetType):
        assert isinstance(kind, MembersKind)
        return lo.hold_words(kind, load_set(lo, WordsAt(ZERO, at), t))
    name = lo.w.fresh("arg")
    lo.w.set(name, word(at) if isinstance(kind, Number) else load_row(lo, Num(at), t))
    return Held(kind, (name,))


def write_next(lo: Lowering) -> None:
    """Write the function that takes the first item with this tag off the lists, its arguments go to their region; and
    the one that enters it."""
    program, memory = lo.program, lo.memory
    size, first = item_size(lo), program.deferred_base
    with lo.function(NEXT, ("tag", "thing") if lo.ordered else ("tag",)) as w:
        count = w.let(word(DEFERRED))

        def look(n: Expr) -> None:
            at = w.let(add(scale(n, size), first))

            def take() -> None:
                found = w.let(low.Load(at, 1))
                w.emit(low.Copy(Num(memory.args), add(at, DEFERRED_LINK), Num(program.deferred_args)))
                rest = Op("*", Op("-", add(count, -1), n), Num(size))
                w.emit(low.Copy(at, add(at, size), rest))
                w.emit(low.Clear(add(scale(add(count, -1), size), first), Num(size)))
                w.put(DEFERRED, add(count, -1))
                w.give(found)

            fits: Expr = Op("==", low.Load(at), Local("tag"))
            if lo.ordered:
                named = Op("==", order_word(lo, at, "thing"), Local("thing"))
                fits = both(fits, either(Op("<", Local("thing"), ZERO), named))
            w.when(fits, take)

        w.upto(ZERO, count, look)
        w.give(Num(-1))
    with lo.function(ENTER, ("item", "back")) as w:
        if lo.deferred:
            w.cases(Local("item"), {number: _entering(lo, number) for number in lo.deferred})
        w.give(ZERO)


def item_size(lo: Lowering) -> int:
    return DEFERRED_LINK + lo.program.deferred_args


def order_word(lo: Lowering, at: Expr, what: str) -> Expr:
    """A word of the order of an item."""
    return low.Load(at, item_size(lo) - len(ORDER) + ORDER.index(what))


def write_claim(lo: Lowering) -> None:
    """Write the function that makes the items of a `together` those of the running frame."""
    size, first = item_size(lo), lo.program.deferred_base
    with lo.function(CLAIM, ()) as w:
        tag = w.let(Op("-", ZERO, word(FP)))

        def one(n: Expr) -> None:
            at = w.let(add(scale(n, size), first))
            w.emit(low.If(low.Not(low.Load(at)), (low.Store(at, 0, tag),)))

        w.upto(ZERO, word(DEFERRED), one)
        w.give(ZERO)


def write_pending(lo: Lowering) -> None:
    """Write the function that looks at the first item of the running frame that waits in the name of a thing."""
    size, first = item_size(lo), lo.program.deferred_base
    with lo.function(PENDING, ("thing", "seat")) as w:
        tag = w.let(Op("-", ZERO, word(FP)))

        def look(n: Expr) -> None:
            at = w.let(add(scale(n, size), first))
            found = low.Choice(Local("seat"), order_word(lo, at, "seat"), order_word(lo, at, "rank"))
            named = both(Op("==", low.Load(at), tag), Op("==", order_word(lo, at, "thing"), Local("thing")))
            w.emit(low.If(named, (low.Return(found),)))

        if lo.ordered:
            w.upto(ZERO, word(DEFERRED), look)
        w.give(ZERO)
