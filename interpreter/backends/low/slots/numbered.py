"""The fixed numbers of options, as `interpreter.choices.numbers` lays them out.

Questions whose blocks are laid out alike share a function, which goes through the options that are listed; the first
number of each block is data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dsl.program import SITE
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import COUNT, KIND_NAMES, VALUES
from interpreter.backends.low.base.make import ZERO, add, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.choices.numbers import NumberBlock, Range, combinations

NUMBERS = "numbers"  # and the number of a layout: go through the options of a question, whose block begins at `first`

Layout = tuple[tuple[str, ...], tuple[tuple[Range, ...], ...], int]
"""The common part of blocks: the answers in front, the ranges of values, and how many answers there are."""


def write(
    lo: Lowering, blocks: Sequence[NumberBlock], params: tuple[str, ...], use: Callable[[Expr, Expr], None]
) -> None:
    """Write the functions; `use` writes what is done with an option, by its index and number, and reads `params`."""
    for k, layout in enumerate(_layouts(blocks)):
        with lo.function(f"{NUMBERS}{k}", ("first", *params)) as w:
            w.upto(ZERO, Global(COUNT), partial(_number, lo, layout, use))
            w.give(ZERO)


def _number(lo: Lowering, layout: Layout, use: Callable[[Expr, Expr], None], n: Expr) -> None:
    """Number an option."""
    w, (specials, ranges, answers) = lo.w, layout
    row = w.let(lo.option_row(n))

    def name(label: str) -> None:
        for at, special in enumerate(specials):
            named = Op("==", low.Load(row), Num(KIND_NAMES.index(special)))
            w.when(named, partial(_found, lo, label, Num(at)))
        if ranges:
            _by_values(lo, label, row, ranges, len(specials))
        else:
            w.trap_if(Op(">=", n, Num(answers)), Reason.ROOM)
            w.set("number", add(n, len(specials)))

    w.block(name)
    use(n, w.let(Op("+", Local("first"), Local("number"))))


def number_options(lo: Lowering, blocks: Sequence[NumberBlock], args: tuple[Expr, ...]) -> None:
    """Go through the options of the pending question, which are listed."""
    layouts = {layout: k for k, layout in enumerate(_layouts(blocks))}
    table = lo.memory.words([n for block in blocks for n in (layouts[_layout(block)], block.first)])
    row = lo.w.let(scale(add(word(SITE), -1), 2))
    args = (lo.w.let(low.Load(row, table + 1)), *args)
    rows = {k: partial(lo.w.call, f"{NUMBERS}{k}", *args) for k in layouts.values()}
    if len(rows) == 1:
        rows[0]()
    elif rows:
        lo.w.cases(low.Load(row, table), dict(rows))


def _layout(block: NumberBlock) -> Layout:
    return block.specials, block.ranges, block.answers


def _layouts(blocks: Sequence[NumberBlock]) -> list[Layout]:
    """The layouts that there are, each once."""
    return list(dict.fromkeys(map(_layout, blocks)))


def _found(lo: Lowering, label: str, number: Expr) -> None:
    lo.w.set("number", number)
    lo.w.leave(label)


def _by_values(
    lo: Lowering, label: str, row: Expr, ranges: tuple[tuple[Range, ...], ...], first: int
) -> None:  # fmt: skip
    """Set the number, within the block, of an answer by its values; a value without a number gives up."""
    w = lo.w

    def alternative(known: tuple[Range, ...], begin: int) -> None:
        found: Expr = ZERO
        for at, (lowest, size) in enumerate(known):
            value = w.let(add(low.Load(row, VALUES + at), -lowest))
            w.trap_if(Op(">u", value, Num(size - 1)), Reason.ROOM)
            found = add(scale(found, size), value) if found != ZERO else value
        _found(lo, label, add(found, begin))

    begins = [first + sum(map(combinations, ranges[:k])) for k in range(len(ranges))]
    for k, known in enumerate(ranges[:-1]):
        w.when(Op("==", low.Load(row, 1), Num(k + 1)), partial(alternative, known, begins[k]))
    alternative(ranges[-1], begins[-1])
