"""`recorded(H)`: how often the state was recorded in a history as it is now; and the sums that tell states apart."""

from __future__ import annotations

from dsl import ir
from dsl.base.spelling import nearest
from dsl.base.types import IntType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ONE, conj, linear
from dsl.elaborate.core.scope import Body, Val
from dsl.elaborate.histories.sums import SUM, sum_function
from dsl.symbols.layout import History
from dsl.symbols.symbols import flat_id
from dsl.syntax import nodes as sx


def named(elab: Elaboration, e: sx.Expr) -> History | None:
    """The history that an expression names; None after a message."""
    m, name = elab.model, flat_id(e) or elab.model.text(e.span)
    found = elab.layout.histories.get(name)
    if found is None:
        known = list(elab.layout.histories)
        help = None if nearest(name, known) else "declare one: `history NAME of FIELD max N`"
        m.unknown("RW0725", e.span, "history", name, known, help)
    else:
        m.uses.append((e.span, found.span))
    return found if found is not None and found.base >= 0 else None


def symbol(h: History) -> str:
    return f"history.{h.name}"


def recorded(elab: Elaboration, node: sx.Expr) -> Val:
    """`recorded(H)`: a number."""
    h = named(elab, node)
    return BAD if h is None else Val(ir.CallFn(functions(elab, h)[1], ()), IntType(0, h.most))


def functions(elab: Elaboration, h: History) -> tuple[tuple[int, ...], int]:
    """The functions that give the sums of the state as it is now, and the one that counts; made on first use."""
    if h.name not in elab.memo.history_functions:
        sums = tuple(sum_function(elab, h, n) for n in range(h.sums))
        elab.memo.history_functions[h.name] = sums, count_function(elab, h, sums)
    return elab.memo.history_functions[h.name]


def count_function(elab: Elaboration, h: History, sums: tuple[int, ...]) -> int:
    """How many of the states that are remembered have the sums of the state as it is now."""
    body = Body(f"recorded.{h.name}")
    now, place = [body.temp() for _ in sums], body.temp()
    before = [
        ir.Cell(linear(h.base + 1 - h.sums + n, [(ir.Temp(place), h.sums)]), SUM, symbol(h)) for n in range(h.sums)
    ]
    same = conj([ir.Compare("==", kept, ir.Temp(slot)) for kept, slot in zip(before, now, strict=True)])
    remembered = ir.Arith("min", ir.Cell(ir.Const(h.base), SUM, symbol(h)), ir.Const(h.most))
    found: ir.Expr = ir.Fold("count", ((place, ir.Domain("range", ONE, remembered)),), same, (), None)
    for slot, fn in reversed(list(zip(now, sums, strict=True))):
        found = ir.Let(slot, ir.CallFn(fn, ()), found)
    return elab.add_function(body.name, [], body, IntType(0, h.most), found, h.span)
