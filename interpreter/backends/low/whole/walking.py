"""The module of a program: what drives single games, plays random ones, judges positions, and plays courses of games by
bots with notes of what reports need."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.ir.walk import walk
from dsl.program import Program
from interpreter.backends.low.base.context import EPOCH, LOOKING, TWISTED, Lowering
from interpreter.backends.low.base.exported import ALL_WAYS, SETTLES
from interpreter.backends.low.bots import choices, foresight, imagine, looking, moments, searching, stores
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global
from interpreter.backends.low.generators import bot_numbers, twister
from interpreter.backends.low.notes import book, lawful, places, results, rows, trace, watched
from interpreter.backends.low.rules import keyed
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.low.values.functions import may_remember
from interpreter.backends.low.whole import asked, counting, driven, driver, walks
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_procedures, write_rules

TWISTER_FRACTION, BOT_FRACTION = "twister_fraction", "bot_fraction"
GLOBALS = (ALL_WAYS, SETTLES)
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


def lower_module(program: Program) -> Lowered:
    """The module of a program; what cannot be lowered gives up. Raises Unsupported where nothing is left."""
    return guarded(lambda: _lower(program, False))


def lower_checked(program: Program) -> Lowered:
    """The same for games in which invariants and places are tested; where one does not hold, it gives up."""
    return guarded(lambda: _lower(program, True))


def _lower(program: Program, checked: bool) -> Lowered:
    lo = Lowering(program, TABLES)
    lo.gaps, lo.checked = [], checked
    driven.prepare(lo)
    lo.keyed = keyed.make_places(lo)
    where = prepare_bots(lo)
    why = why_no_walks(program)
    states = lo.memory.room(bot_numbers.STATE * stores.STATES)
    others = bool(results.other_actors(program))
    own = None
    if not why:
        own = book.book(program, lo.memory, results.winner_words(program), others, where.states, states, lo.keyed)
    table = write_procedures(lo)
    write_bots(lo, where)
    choices.write_for_host(lo, where)
    searching.write_for_host(lo, where, choices.generators(where, choices.GREEDY)[0])
    keyed.write(lo, lo.keyed)
    if checked:
        lawful.write(lo)
    if own is not None:
        write_notes(lo, own)
    driven.write(lo)
    asked.write(lo)
    counting.write(lo, where)
    write_rules(lo, table)
    driver.write_steps(lo)
    driver.write_playouts(lo)
    write_fractions(lo, where)
    if own is not None:
        walks.write(lo, own, where, states)
    return replace(finished(lo, (*GLOBALS, *walks.GLOBALS, *BOT_GLOBALS, *searching.GLOBALS), own), walks=why)


def why_no_walks(program: Program) -> str:
    """The reason why courses of games by bots cannot be played; empty if they can."""
    if any(site.sighted for site in program.sites):
        return "questions that want sight"
    return f"more than {book.MOST_SEATS} seats" if program.seats[1] > book.MOST_SEATS else ""


def write_notes(lo: Lowering, own: book.Book) -> None:
    """Write what courses of games note."""
    trace.write(lo, own)
    places.write(lo, own)
    watched.write(lo)
    results.write(lo, own)
    rows.write(lo, own)


def write_fractions(lo: Lowering, where: stores.Places) -> None:
    """Write what draws answers: Python's generator for `playouts`, that of the random bot for courses of games."""
    twister.write(lo, TWISTER_FRACTION)
    bot_numbers.write_fraction(lo, choices.generators(where, choices.RANDOM)[0], BOT_FRACTION)
    with lo.function(FRACTION, ()) as w:
        w.emit(low.If(Global(TWISTED), (low.Return(low.Call(TWISTER_FRACTION)),)))
        w.give(low.Call(BOT_FRACTION))


def prepare_bots(lo: Lowering) -> stores.Places:
    """Make room for bots, before anything is written: procedures stop elsewhere where bots look ahead."""
    lo.looks = True
    lo.remembered = remembered(lo)
    imagine.prepare(lo)
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
