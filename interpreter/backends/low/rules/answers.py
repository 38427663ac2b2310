"""Taking an option of the pending question: its row becomes the answer in the frame."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import FRAME_LINK, PC, SITE, STEPS
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import DECLINE, VALUES
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ZERO, add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.questions import LIST
from interpreter.backends.low.rules.writes import number_bounds

TAKE = "take"

LongTaker = Callable[[Lowering, ir.Site, Expr, Expr], None]


def write_take(lo: Lowering, take_long: LongTaker) -> None:
    """Write the function that takes the option with an index and gives the instruction that follows. `take_long` writes
    what becomes of an option of a long answer, from its row and the number of the instruction."""
    skips: dict[int, dict[int, int]] = {}  # of a site: where each of its questions goes on if it is declined
    for at, i in enumerate(lo.program.code):
        if isinstance(i, ir.Ask):
            skips.setdefault(i.site, {})[at] = i.skip
    with lo.function(TAKE, ("index",)) as w:
        row = w.let(lo.option_row(Local("index")), "row")
        site, pc = w.let(word(SITE)), w.let(word(PC))
        w.put(SITE, ZERO)
        w.put(STEPS, ZERO)
        asked = sorted(number for sort, number in lo.known if sort == LIST)
        rows = {n + 1: _taking(lo, n, row, pc, skips[n], take_long) for n in asked}
        if rows:
            w.cases(site, rows)
        w.trap(Reason.LOST)


def _taking(
    lo: Lowering, number: int, row: Expr, pc: Expr, skips: dict[int, int], take_long: LongTaker
) -> Callable[[], None]:
    site = lo.program.sites[number]
    skip: Expr = Num(next(iter(skips.values())))
    for at, target in skips.items():
        skip = skip if skip == Num(target) else low.Choice(Op("==", pc, Num(at)), Num(target), skip)

    def work() -> None:
        if site.decline or site.if_any:
            lo.w.emit(low.If(Op("==", low.Load(row), Num(DECLINE)), (low.Return(skip),)))
        if site.shape in ("some", "amounts"):
            take_long(lo, site, row, pc)
        else:
            _take_one(lo, site, row)
        lo.w.give(add(pc, 1))

    return work


def _take_one(lo: Lowering, site: ir.Site, row: Expr) -> None:
    w, frame = lo.w, lo.w.frame()
    for k, alternative in enumerate(site.alternatives):

        def put(alternative: ir.Alternative = alternative) -> None:
            for j, ((slot, t), _) in enumerate(zip(alternative.slots, alternative.binders, strict=False)):
                bounds = number_bounds(t)
                value = w.let(low.Load(row, VALUES + j))
                outside = low.Either(Op("<", value, Num(bounds[0])), Op(">", value, Num(bounds[1])))
                w.trap_if(outside, Reason.RANGE)
                w.store(frame, FRAME_LINK + slot, value)

        w.when(Op("==", low.Load(row, 1), Num(k + 1)), put)
    if site.answer is not None:
        slot, t = site.answer
        if site.shape == "number":
            value: Expr = low.Load(add(row, low.Load(row, 2)), VALUES - 1)
        else:
            value = low.Load(row, 1)
        if type(t).__name__ in ("SetType", "ListType", "MapType", "SparseType"):
            raise Unsupported(f"an answer of type {t}")
        w.store(frame, FRAME_LINK + slot, value)
