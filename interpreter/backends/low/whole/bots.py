"""Bots in a module, for games that are played whole, and for a host that asks for one answer."""

from __future__ import annotations

from dsl import ir
from dsl.ir.walk import walk
from interpreter.backends.low.base.context import EPOCH, LOOKING, Lowering
from interpreter.backends.low.bots import chances, choices, foresight, imagine, looking, moments, stores
from interpreter.backends.low.values.functions import may_remember

JUDGING = (LOOKING, EPOCH, foresight.SEAT, foresight.STORES, choices.NOW, choices.BEST)
GLOBALS = (*JUDGING, choices.MOMENT, stores.ARENA)


def prepare_bot(lo: Lowering) -> None:
    """Before any procedure is written: bots look ahead."""
    lo.looks = True
    lo.remembered = remembered(lo)


def write_bot(lo: Lowering, where: stores.Places) -> None:
    """Write the bots of any module that has the procedures and steps of the driver, and `GLOBALS`. Its host seeds the
    generators at `where.states` (`write_seeding`), two for each sort of bot, and calls `choose_random` or
    `choose_greedy` where options are listed: they give an index, and the global `moment`."""
    stores.write(lo, where)
    chances.write(lo)
    looking.write(lo)
    imagine.write(lo)
    foresight.write(lo)
    moments.write(lo)
    choices.write(lo, where)


def remembered(lo: Lowering) -> frozenset[int]:
    """The functions behind `evaluate` that know what they gave before while a store is judged, since it does not
    change."""
    program = lo.program
    found: set[int] = set()
    wanted = [program.evaluate] if program.evaluate >= 0 else []
    while wanted:
        number = wanted.pop()
        if number not in found:
            found.add(number)
            nodes = list(walk(program.functions[number].body))
            if any(isinstance(node, ir.Possible) for node in nodes):
                return frozenset()  # a trial changes the store
            wanted += [node.fn for node in nodes if isinstance(node, ir.CallFn)]
    return frozenset(number for number in found if may_remember(lo, number))
