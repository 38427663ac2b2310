"""The lowering of a whole program: everything that its first procedure can reach becomes one module."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.record import dataclass
from dsl.ir.walk import walk
from dsl.program import Program
from interpreter.backends.low.base.context import (
    BULK,
    CANDIDATES,
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
    STATUS,
    TAKEN,
    TRIES,
    TWISTED,
    Lowering,
    LoweringTables,
)
from interpreter.backends.low.base.exported import COUNT, SP
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.regions import Regions, Slots
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Reason
from interpreter.backends.low.form.verify import verify
from interpreter.backends.low.generators import store as chance
from interpreter.backends.low.generators import twister
from interpreter.backends.low.long import steps
from interpreter.backends.low.long.confirming import write_confirmed
from interpreter.backends.low.long.offers import offers
from interpreter.backends.low.long.taking import take
from interpreter.backends.low.notes.book import Book
from interpreter.backends.low.purses import paying
from interpreter.backends.low.rules.answers import write_take
from interpreter.backends.low.rules.calls import ROUTINE, write_plain
from interpreter.backends.low.rules.flow import instructions_of, write_procedure
from interpreter.backends.low.rules.invariants import TESTED, write_tested
from interpreter.backends.low.rules.items import CLAIM, NEXT, write_claim, write_next, write_pending
from interpreter.backends.low.rules.questions import ALLOWED, CONFIRMED, DRAW, LIST, SIFT, write_list
from interpreter.backends.low.rules.statements import STATEMENTS
from interpreter.backends.low.scopes import frames, possible, reading, records
from interpreter.backends.low.scopes.possible import POSSIBLE
from interpreter.backends.low.spans.shared import SHARED, site_of
from interpreter.backends.low.trials import search as trying
from interpreter.backends.low.trials import store
from interpreter.backends.low.trials.draw import write_draw
from interpreter.backends.low.trials.options import write_allowed, write_sift
from interpreter.backends.low.trials.possible import order_parameters, write_possible
from interpreter.backends.low.values import functions
from interpreter.backends.low.values.functions import FUNCTION, result_name
from interpreter.backends.low.whole import asked, driver, moves, zones
from interpreter.backends.low.whole.tables import KINDS, NUMBERS, ROWS, SETS

OTHERS = {
    TESTED: write_tested,
    POSSIBLE: write_possible,
    ALLOWED: write_allowed,
    SIFT: write_sift,
    DRAW: write_draw,
    CONFIRMED: write_confirmed,
    **steps.WRITERS,
    **asked.WRITERS,
}
TABLES = LoweringTables(
    {**KINDS, **reading.KINDS, **paying.KINDS},
    {**NUMBERS, **reading.NUMBERS, **possible.NUMBERS, **paying.NUMBERS},
    {**SETS, **reading.SETS},
    {**ROWS, **reading.ROWS},
    {**STATEMENTS, **paying.STATEMENTS},
)
GLOBALS = (
    low.REASON, SP, HEAP, COUNT, PASSES, DEPTH, FRAMES, PLAIN, GAMES, DECISIONS, STATUS, PROBING, TRIES, FLOOR, DRAWING,
    DRAWN, TAKEN, CANDIDATES, BULK, TWISTED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Lowered:
    """A program as a module, and where what the host needs lies in its memory. `gaps`: what is not lowered, and gives
    up in play; `book`: where the notes of games are; `walks`: why courses of games cannot be played, if that is so;
    `slots`: where many games side by side are."""

    module: low.Module
    regions: Regions
    gaps: tuple[str, ...] = ()
    book: Book | None = None
    walks: str = ""
    slots: Slots | None = None


def guarded(work: Callable[[], Lowered]) -> Lowered:
    try:
        return work()
    except RecursionError:
        raise Unsupported("expressions that are nested too deeply") from None


def lower_with(
    program: Program,
    gaps: list[str] | None,
    before: Callable[[Lowering], None],
    more: Callable[[Lowering], None],
    named: tuple[str, ...],
) -> Lowered:
    """The module of a program; `before` and `more` write what else is wanted of it, before all procedures and behind
    them; `named`: globals besides."""
    lo = Lowering(program, TABLES)
    lo.gaps = gaps
    before(lo)
    table = write_procedures(lo)
    more(lo)
    write_rules(lo, table)
    twister.write(lo)
    driver.write(lo)
    return finished(lo, named)


def write_procedures(lo: Lowering) -> int:
    """Write the procedures that suspend, and who sees zones; gives the address of the table of zones. What they call
    is wanted then."""
    for number, own in instructions_of(lo.program).items():
        write_procedure(lo, number, own)
    table = zones.write_table(lo)
    zones.write_seers(lo, table)
    if (NEXT, 0) in lo.known:
        write_next(lo)
    if (CLAIM, 0) in lo.known:
        write_claim(lo)
    if any(isinstance(n, ir.Pending) for n in walk(lo.program.code)):
        write_pending(lo)
    return table


def write_rules(lo: Lowering, table: int) -> None:
    """Write all that is wanted, and the runtime."""
    write_wanted(lo)
    write_take(lo, take)
    if lo.trials.tries or any(isinstance(i, ir.Stop) for i in lo.program.code):
        frames.write_stop(lo)
    if lo.facts.uses_timed:
        records.write(lo)
    if lo.trials.tries:
        frames.write_late(lo)
        store.write(lo)
        trying.write(lo)
    chance.write(lo)
    moves.write(lo, table)
    asked.write_runtime(lo, table)


def finished(lo: Lowering, more: tuple[str, ...] = (), notes: Book | None = None) -> Lowered:
    """The module with all functions that are written; `more`: globals besides."""
    if lo.reads_result and lo.gives_other:
        raise Unsupported("a result that is a set or list")
    results = tuple(result_name(k) for k in range(1, RESULTS))
    memory = lo.memory
    module = low.Module(tuple(lo.functions), (*GLOBALS, *more, *results), memory.at, tuple(memory.data))
    verify(module)
    return Lowered(module, memory.regions(lo.keeps), tuple(dict.fromkeys(lo.gaps or ())), notes)


def write_wanted(lo: Lowering) -> None:
    """Write the functions that are called until there are no more, and what purses need besides; one that cannot be
    written gives up."""
    while lo.wanted:
        sort, number = lo.wanted.pop()
        try:
            _write(lo, sort, number)
        except Unsupported as reason:
            lo.give_up(_name(lo, sort, number), reason)
            with lo.function(f"{sort}{number}", _parameters(lo, sort, number)) as w:
                w.trap(Reason.GAP)
    paying.write_runtime(lo)


def _write(lo: Lowering, sort: str, number: int) -> None:
    if sort == FUNCTION:
        functions.write(lo, number)
    elif sort == ROUTINE:
        write_plain(lo, number)
    elif sort == LIST:
        write_list(lo, number, offers)
    elif sort in paying.WRITERS:
        paying.WRITERS[sort](lo, number)
    elif sort in OTHERS:
        OTHERS[sort](lo, number)


def _name(lo: Lowering, sort: str, number: int) -> str:
    """The name of the rule, question or draw that a function stands for, as rules have it."""
    program = lo.program
    if sort == FUNCTION:
        return program.functions[number].name
    if sort == TESTED:
        return program.invariants[lo.tested[number][0]].name
    if sort in (ROUTINE, POSSIBLE):
        return program.procs[number if sort == ROUTINE else lo.orders[number].proc].name
    if sort in paying.WRITERS:
        return program.purses[number].name
    if sort in asked.WRITERS:
        return asked.address_of(program, number)
    if sort == SHARED:
        number = site_of(lo, number)
    return program.sites[number].address


def _parameters(lo: Lowering, sort: str, number: int) -> tuple[str, ...]:
    program = lo.program
    if sort == FUNCTION:
        return functions.parameters(program.functions[number].params)[0]
    if sort == ROUTINE:
        return functions.parameters(program.procs[number].params)[0]
    if sort == POSSIBLE:
        return order_parameters(lo, lo.orders[number])
    if sort in paying.WRITERS:
        return paying.parameters_of(lo, sort, number)
    named: dict[str, tuple[str, ...]] = {ALLOWED: ("row",), SIFT: ("unbegun",), **steps.PARAMETERS, **asked.PARAMETERS}
    return named.get(sort, ())
