"""The module that plays games by bots and notes what reports need: the whole program, its bots, and the notes."""

from __future__ import annotations

from dsl import ir
from dsl.ir.walk import walk
from dsl.program import Program
from interpreter.backends.low.base.context import EPOCH, LOOKING, Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.bots import choices, foresight, imagine, looking, moments, stores
from interpreter.backends.low.generators import bot_numbers
from interpreter.backends.low.notes import book, lawful, places, results, rows, trace, watched
from interpreter.backends.low.rules import keyed
from interpreter.backends.low.values.functions import may_remember
from interpreter.backends.low.whole import driver, walks
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_procedures, write_rules

BOT_GLOBALS = (
    LOOKING,
    EPOCH,
    foresight.SEAT,
    foresight.STORES,
    choices.NOW,
    choices.BEST,
    choices.MOMENT,
    stores.STASH,
)


def lower_walks(program: Program) -> Lowered:
    """The module; what cannot be lowered gives up. Raises Unsupported where games by bots cannot be played so."""
    return guarded(lambda: _lower(program, False))


def lower_checked(program: Program) -> Lowered:
    """The same for games in which invariants and places are tested; where one does not hold, it gives up."""
    return guarded(lambda: _lower(program, True))


def _lower(program: Program, checked: bool) -> Lowered:
    if any(site.sighted for site in program.sites):
        raise Unsupported("questions that want sight")
    if program.seats[1] > book.MOST_SEATS:
        raise Unsupported(f"more than {book.MOST_SEATS} seats")
    lo = Lowering(program, TABLES)
    lo.gaps, lo.checked = [], checked
    lo.keyed = keyed.make_places(lo)
    where = prepare_bots(lo)
    states = lo.memory.room(bot_numbers.STATE * stores.STATES)
    others = bool(results.other_actors(program))
    own = book.book(program, lo.memory, results.winner_words(program), others, where.states, states, lo.keyed)
    table = write_procedures(lo)
    write_bots(lo, where)
    keyed.write(lo, lo.keyed)
    trace.write(lo, own)
    places.write(lo, own)
    if checked:
        lawful.write(lo)
    watched.write(lo)
    results.write(lo, own)
    rows.write(lo, own)
    write_rules(lo, table)
    driver.write_steps(lo)
    bot_numbers.write_fraction(lo, choices.generators(where, choices.RANDOM)[0])
    walks.write(lo, own, where, states)
    return finished(lo, (*walks.GLOBALS, *BOT_GLOBALS), own)


def prepare_bots(lo: Lowering) -> stores.Places:
    """Make room for bots, before anything is written: procedures stop elsewhere where bots look ahead."""
    lo.looks = True
    lo.remembered = remembered(lo)
    return stores.places(lo)


def write_bots(lo: Lowering, where: stores.Places) -> None:
    """Write the bots of any module that has the procedures and steps of the driver, and `BOT_GLOBALS`. Its host seeds
    the generators at `where.states`, two for each sort of bot, and calls `choose_random` or `choose_greedy` where
    options are listed: they give an index, and the global `moment`."""
    stores.write(lo, where)
    bot_numbers.write(lo)
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
