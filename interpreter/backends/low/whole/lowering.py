"""The lowering of a whole program: everything that its first procedure can reach becomes one module."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.low.base.context import (
    COUNT,
    DECISIONS,
    DEPTH,
    DRAWING,
    DRAWN,
    FLOOR,
    FRAMES,
    GAMES,
    HEAP,
    PASSES,
    PLAIN,
    PROBING,
    RESULTS,
    SP,
    STATUS,
    TRIES,
    Lowering,
    Tables,
)
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.memory import Regions
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.verify import verify
from interpreter.backends.low.rules import long
from interpreter.backends.low.rules.answers import write_take
from interpreter.backends.low.rules.calls import ROUTINE, write_plain
from interpreter.backends.low.rules.flow import write_procedure
from interpreter.backends.low.rules.items import NEXT, write_next
from interpreter.backends.low.rules.questions import ALLOWED, DRAW, LIST, SIFT, write_list
from interpreter.backends.low.rules.statements import STATEMENTS
from interpreter.backends.low.scopes import frames, reading, records
from interpreter.backends.low.trials import search, store
from interpreter.backends.low.trials.draw import write_draw
from interpreter.backends.low.trials.options import write_allowed, write_sift
from interpreter.backends.low.trials.possible import write_possible
from interpreter.backends.low.values import functions
from interpreter.backends.low.values.functions import FUNCTION, result_name
from interpreter.backends.low.values.orders import POSSIBLE
from interpreter.backends.low.values.tables import KINDS, NUMBERS, ROWS, SETS
from interpreter.backends.low.whole import driver, generator, moves, zones

TRIALS = {POSSIBLE: write_possible, ALLOWED: write_allowed, SIFT: write_sift, DRAW: write_draw}
TABLES = Tables({**KINDS, **reading.KINDS}, {**NUMBERS, **reading.NUMBERS}, {**SETS, **reading.SETS}, ROWS, STATEMENTS)
GLOBALS = (
    low.REASON, SP, HEAP, COUNT, PASSES, DEPTH, FRAMES, PLAIN, GAMES, DECISIONS, STATUS, PROBING, TRIES, FLOOR, DRAWING,
    DRAWN,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program as a module, and where what the host needs lies in its memory."""

    module: low.Module
    regions: Regions


def lower(program: Program) -> Lowered:
    """The module of a program. Raises Unsupported, with a few words about it, for what cannot be lowered yet."""
    return guarded(lambda: _lower(program))


def guarded(work: Callable[[], Lowered]) -> Lowered:
    try:
        return work()
    except RecursionError:
        raise Unsupported("expressions that are nested too deeply") from None


def _lower(program: Program) -> Lowered:
    lo = Lowering(program, TABLES)
    for number, proc in enumerate(program.procs):
        if proc.suspends:
            with about(f"`{proc.name}`"):
                write_procedure(lo, number)
    table = zones.write_table(lo)
    zones.write_seers(lo, table)
    write_wanted(lo)
    write_take(lo, long.take)
    if lo.trials.tries or any(isinstance(i, ir.Stop) for i in program.code):
        frames.write_stop(lo)
    if lo.facts.uses_timed:
        records.write(lo)
    if lo.trials.tries:
        frames.write_late(lo)
        store.write(lo)
        search.write(lo)
    if (NEXT, 0) in lo.known:
        write_next(lo)
    generator.write(lo)
    moves.write(lo, table)
    driver.write(lo)
    return finished(lo)


def finished(lo: Lowering) -> Lowered:
    """The module with all functions that are written."""
    if lo.reads_result and lo.gives_other:
        raise Unsupported("a result that is a set or list")
    results = tuple(result_name(k) for k in range(1, RESULTS))
    memory = lo.memory
    module = low.Module(tuple(lo.functions), (*GLOBALS, *results), memory.at, tuple(memory.data))
    verify(module)
    return Lowered(module, memory.regions())


class about:
    """Says in what something unsupported was found, if that is not said yet."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Unsupported) and " in " not in str(error):
            raise Unsupported(f"{error} in {self.what}") from None


def write_wanted(lo: Lowering) -> None:
    """Write the functions that are called until there are no more."""
    program = lo.program
    while lo.wanted:
        sort, number = lo.wanted.pop()
        if sort == FUNCTION:
            with about(f"`{program.functions[number].name}`"):
                functions.write(lo, number)
        elif sort == ROUTINE:
            with about(f"`{program.procs[number].name}`"):
                write_plain(lo, number)
        elif sort == LIST:
            with about(f"`{program.sites[number].address}`"):
                write_list(lo, number, long.offers)
        elif sort in TRIALS:
            TRIALS[sort](lo, number)
