"""The module of a program that steps many games side by side."""

from __future__ import annotations

from dataclasses import replace

from dsl.program import Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.bots import choices, looking
from interpreter.backends.low.generators import twister
from interpreter.backends.low.slots import observing, results, stepping
from interpreter.backends.low.whole import driver
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_procedures, write_rules
from interpreter.choices.numbers import ROOM, blocks


def lower_slots(program: Program, room: int = ROOM) -> Lowered:
    """The module of a program; what cannot be lowered gives up. `room`: the numbers of a question whose answers are
    numbered by place. Raises Unsupported where nothing is left."""
    return guarded(lambda: _lower(program, room))


def _lower(program: Program, room: int) -> Lowered:
    lo = Lowering(program, TABLES)
    lo.gaps = []
    lo.memory.keep_plans()
    table = write_procedures(lo)
    choices.write_forced(lo)
    looking.write_asked(lo)
    observation = observing.write(lo, table)
    results.write(lo)
    slots = stepping.write(lo, blocks(program, room), observation)
    write_rules(lo, table)
    twister.write(lo)
    driver.write_steps(lo)
    return replace(finished(lo), slots=slots)
