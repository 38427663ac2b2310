"""The module that plays games by bots and notes what reports need: the whole program, its bots, and the notes."""

from __future__ import annotations

from dsl.program import Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.bots import looking, stores
from interpreter.backends.low.notes import book, places, results, trace, watched
from interpreter.backends.low.whole import driver, generator, walks
from interpreter.backends.low.whole.bots import JUDGING, prepare_bot, write_bot
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_procedures, write_rules

GLOBALS = (*walks.GLOBALS, *JUDGING)


def lower_walks(program: Program) -> Lowered:
    """The module; what cannot be lowered gives up. Raises Unsupported where games by bots cannot be played so."""
    return guarded(lambda: _lower(program))


def _lower(program: Program) -> Lowered:
    if any(site.sighted for site in program.sites):
        raise Unsupported("questions that want sight")
    if program.seats[1] > book.MOST_SEATS:
        raise Unsupported(f"more than {book.MOST_SEATS} seats")
    lo = Lowering(program, TABLES)
    lo.gaps = []
    prepare_bot(lo)
    where = stores.places(lo)
    states = lo.memory.room(stores.STATE * stores.STATES)
    own = book.book(program, lo.memory, results.winner_words(program), where.states, states)
    table = write_procedures(lo)
    write_bot(lo, where)
    trace.write(lo, own)
    places.write(lo, own)
    watched.write(lo, own)
    results.write(lo, own, looking.guarded)
    write_rules(lo, table)
    driver.write_steps(lo)
    generator.write_seeding(lo)
    walks.write(lo, own, where, states)
    return finished(lo, GLOBALS, own)
