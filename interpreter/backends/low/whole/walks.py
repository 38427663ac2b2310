"""The driver of games by bots in low code, with notes of them: what `tools.simulation` plays and reports.

Random games draw as `Machine.playout` does, and ask now and then for actions at any moment; other games are played by a
bot for each seat. The host hands in a course of games, and reads rows of figures. Where low code gives up, the global
`phase` says where, and what was kept lets the host go on.
"""

from __future__ import annotations

from enum import IntEnum

from dsl.program import ASKING, SITE
from interpreter.backends.low.base.context import BULK, CANDIDATES, DRAWING, DRAWN, FRESH, GAMES, GO, TWISTED, Lowering
from interpreter.backends.low.base.exported import BEGIN, COUNT, RELIST
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, inverted, scale, word
from interpreter.backends.low.bots.choices import (
    CHOOSE_GREEDY,
    CHOOSE_RANDOM,
    FORCED,
    GREEDY,
    MOMENT,
    RANDOM,
    generators,
)
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.moments import MOMENTS
from interpreter.backends.low.bots.stores import (
    BACK,
    KEEP,
    STASH,
    STATES,
    Places,
)
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.generators.bot_numbers import BELOW, STATE, start
from interpreter.backends.low.generators.store import seed_store
from interpreter.backends.low.notes.book import MOST_SEATS, NUMBER, SEED, STEP, Book
from interpreter.backends.low.notes.lawful import LAWFUL
from interpreter.backends.low.notes.results import MET
from interpreter.backends.low.notes.rows import ROWS
from interpreter.backends.low.notes.trace import TRACE
from interpreter.backends.low.notes.watched import BEHIND, POSITIONS, READINGS, STRIDE
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.rules.chance import events
from interpreter.backends.low.rules.keyed import CHOICE_NUMBER
from interpreter.backends.low.trials.draw import FRACTION, is_rare
from interpreter.backends.low.whole.driver import RUN, keep_option, keep_store
from interpreter.backends.low.whole.noting import (
    ANSWERS_OF,
    DECISIONS_OF,
    FINISH,
    FIRST_GAME,
    NOTE,
    SINGLE,
    begin_notes,
    write_finish,
    write_note,
)
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS
from interpreter.core.question import ASKED_ANY_MOMENT

WALKS, GO_ON, TAKEN_BY_HOST, CHOSEN_BY_HOST = "walks", "go_on", "taken_by_host", "chosen_by_host"
"""Functions for the host. `walks(first, games, most, drawing)`: play so many games of the course that is written
into memory, from its game `first` on; the global `games` counts those that are over. It gives 0 when `patience` is
spent, when there is no room for more rows of results (they are to be taken), or when so many answers of a game as
`stop_at` says have been taken; then `go_on()` goes on. So does `taken_by_host(length)`, where the
host has taken the answer and written the store and its options, and `chosen_by_host(length, moment)`, where the first
option in memory is what the host has chosen and not taken yet."""

PHASE, DECIDING, ASKED_BEFORE = "phase", "deciding", "asked_before"
"""Globals: where low code is, whether answers are drawn, and whether the question was put to actions at any moment."""

END_GAME, MOST, PATIENCE, STOP_AT = "end_game", "most", "patience", "stop_at"
"""Globals, see above: the games of a call, the most decisions of one, the answers until a pause."""

GLOBALS = (
    PHASE, DECIDING, ASKED_BEFORE, END_GAME, MOST, PATIENCE, STOP_AT, FIRST_GAME, DECISIONS_OF, ANSWERS_OF, SINGLE,
    TRACE, POSITIONS, STRIDE, READINGS, BEHIND, MET, ROWS,
)  # fmt: skip
WALK, BEGIN_GAME, DRAW, CHOOSE, TAKE_IT, KEEP_STORE, PERHAPS_ACT = (
    "walk", "begin_game", "draw_answer", "choose", "take_it", "keep_store", "perhaps_act",
)  # fmt: skip


class Phase(IntEnum):
    """The work in which low code gave up: in the notes of a game, which is played anew then; while an option was
    chosen, or while the answer that is kept was carried out."""

    NOTING = 0
    CHOOSING = 1
    RUNNING = 2


def write(lo: Lowering, book: Book, places: Places, states: int) -> None:
    """`states`: where the generators of bots are kept for the host."""
    write_note(lo, book)
    write_finish(lo, book)
    _write_begin(lo, book, places)
    _write_keep(lo, places, states)
    _write_take(lo)
    _write_act(lo, places)
    _write_draw(lo, places)
    _write_choose(lo, book, places)
    _write_walk(lo, book)
    _write_for_host(lo)


def phase(lo: Lowering, value: Phase) -> None:
    lo.w.emit(low.SetGlobal(PHASE, Num(value)))


# ------------------------------------------------------------ the beginning


def steps_of(book: Book) -> Expr:
    """The distance of the game that begins from the first one, in its number and in its seed."""
    return Op("*", add(Global(FIRST_GAME), Global(GAMES)), low.LoadLong(Num(book.course), STEP))


def _write_begin(lo: Lowering, book: Book, places: Places) -> None:
    """A game begins: its store, its generators, its notes."""
    memory, keyed = lo.memory, lo.keyed
    assert keyed is not None, "games by bots may have numbers with keys"
    with lo.function(BEGIN_GAME, ()) as w:
        phase(lo, Phase.NOTING)
        steps = w.let(steps_of(book))
        course = Num(book.course)
        length = w.let(word(memory.begun))
        w.emit(low.Copy(ZERO, Num(memory.begun + 1), length))
        w.call(BEGIN, length)
        w.emit(low.SetGlobal(BULK, ONE))
        seed = w.let(add(low.LoadLong(course, SEED), steps))
        if events(lo.program):
            seed_store(lo, seed)
        turn = Op("%u", add(low.LoadLong(course, NUMBER), steps), w.let(word(book.bots)))
        w.put(book.bots + MOST_SEATS + 1, low.Choice(Global(DECIDING), ZERO, turn))
        seed_bots(lo, places, seed)

        def by_keys() -> None:
            w.emit(low.StoreLong(Num(keyed.seed), 0, seed))
            w.emit(low.Clear(Num(keyed.times), Num(len(keyed.events))))
            w.emit(low.Clear(Num(keyed.choices), Num(keyed.size)))

        w.when(word(ASKING), by_keys)
        for name in (SINGLE, ASKED_BEFORE, MOMENT):
            w.emit(low.SetGlobal(name, ZERO))
        begin_notes(lo, book)
        w.emit(low.SetGlobal(DRAWING, Global(DECIDING)))
        w.call(KEEP_STORE, Num(-1))
        phase(lo, Phase.RUNNING)
        w.call(RUN)
        if lo.checked:
            w.call(LAWFUL)
        phase(lo, Phase.NOTING)
        w.give(ZERO)


def seed_bots(lo: Lowering, places: Places, seed: Expr) -> None:
    """Seed the generators of all bots."""
    for k, number in enumerate((seed, inverted(seed))):
        for sort in (RANDOM, GREEDY):
            start(lo, generators(places, sort)[k], number)


# ------------------------------------------------------------ one answer


def _write_keep(lo: Lowering, places: Places, states: int) -> None:
    """Keep what the host needs to go on by Python: generators, the option (index -1: there is none), the store, and how
    often chance events have come."""
    keyed = lo.keyed
    assert keyed is not None
    with lo.function(KEEP_STORE, ("index",)) as w:

        def option(at: int) -> None:
            w.when(
                Op(">=", Local("index"), ZERO),
                lambda: keep_option(lo, at, Local("index")),
                lambda: w.put(at, Num(-1)),
            )

        for k in range(0, STATE * STATES, 2):
            w.emit(low.StoreLong(Num(states), k, low.LoadLong(Num(places.states), k)))
        keep_store(lo, option)
        count = len(keyed.events)
        w.when(word(ASKING), lambda: w.emit(low.Copy(Num(keyed.kept), Num(keyed.times), Num(count))))
        w.give(ZERO)


def _write_take(lo: Lowering) -> None:
    """Note an answer, take it, and run on."""
    kept = lo.keeps
    with lo.function(TAKE_IT, ("index", "choice")) as w:
        phase(lo, Phase.NOTING)
        w.call(NOTE, Local("index"), Local("choice"))
        w.emit(low.SetGlobal(MOMENT, ZERO))

        def keep() -> None:
            w.call(KEEP_STORE, Local("index"))
            phase(lo, Phase.RUNNING)

        if kept:
            keep()
        else:
            w.when(low.Not(Global(DECIDING)), keep)
        w.call(FRESH)
        w.call(GO, low.Call(TAKE, (Local("index"),)))
        if lo.checked:
            w.call(LAWFUL)
        phase(lo, Phase.NOTING)
        w.give(ZERO)


def _write_draw(lo: Lowering, places: Places) -> None:
    """One answer of a random game; gives whether the game is stopped because it is too long."""
    interrupts = generators(places, RANDOM)[1]
    with lo.function(DRAW, ()) as w:
        w.set("index", ZERO)

        def draw() -> None:
            w.emit(low.SetGlobal(CANDIDATES, Global(COUNT)))
            w.set("index", low.Portion(low.Call(FRACTION), Global(COUNT)))

        w.when(low.Not(Global(DRAWN)), draw)
        choice = w.let(Op(">", Global(CANDIDATES), ONE))

        def look() -> None:
            too_long = Op(">=", Global(DECISIONS_OF), Global(MOST))
            w.emit(low.If(too_long, (low.Return(ONE),)))
            if lo.program.moment_proc >= 0:
                w.when(low.Not(Global(ASKED_BEFORE)), perhaps)
                w.emit(low.SetGlobal(ASKED_BEFORE, ZERO))

        def perhaps() -> None:
            w.when(low.Not(low.Call(BELOW, (interrupts, Num(INTERRUPT_ODDS)))), act)

        def act() -> None:
            w.emit(low.SetGlobal(ASKED_BEFORE, low.Not(low.Call(PERHAPS_ACT))))
            w.give(ZERO)

        w.when(choice, look)
        w.call(TAKE_IT, Local("index"), choice)
        w.give(ZERO)


def _write_act(lo: Lowering, places: Places) -> None:
    """Perhaps take an action at any moment, as likely as each option of the question; whether one was taken. Else the
    options are listed, or drawn, anew."""
    with lo.function(PERHAPS_ACT, ()) as w:
        if lo.program.moment_proc < 0:
            w.give(ZERO)
            return
        w.emit(low.SetGlobal(STASH, Num(places.stash)))
        w.emit(low.SetGlobal(DRAWING, ZERO))
        seat = w.let(low.Call(ASKED))
        base = w.let(low.Call(KEEP))
        w.call(RELIST)
        others = w.let(Global(COUNT))
        found = w.let(low.Call(MOMENTS, (seat,)))
        asked = next((n for n, s in enumerate(lo.program.sites) if s.address == ASKED_ANY_MOMENT), -1)
        seldom = lo.seldom.get(asked)

        def act() -> None:
            number = w.let(low.Portion(low.Call(FRACTION), add(found, others)))
            taken: Expr = Op("<", number, found)
            if seldom:
                rare = is_rare(w.let(lo.option_row(low.Choice(taken, number, ZERO))), seldom)
                passed = Op(">=", scale(low.Call(FRACTION), SELDOM_ODDS), Num(1 << 53))
                taken = both(taken, low.Not(both(rare, passed)))
            w.when(taken, lambda: take(number))

        def take(number: Expr) -> None:
            w.emit(low.SetGlobal(MOMENT, low.Call(ASKED)))
            w.emit(low.SetGlobal(DRAWING, ONE))
            w.call(TAKE_IT, number, ONE)
            w.give(ONE)

        w.when(found, act)
        w.call(BACK, base)
        w.emit(low.SetGlobal(DRAWING, ONE))
        w.call(RELIST)
        w.give(ZERO)


def _write_choose(lo: Lowering, book: Book, places: Places) -> None:
    """One answer of a game by bots; gives whether the game is stopped because it is too long."""
    with lo.function(CHOOSE, ()) as w:

        def forced() -> None:
            w.call(TAKE_IT, ZERO, ZERO)
            w.give(ZERO)

        w.when(low.Call(FORCED), forced)
        w.emit(low.If(Op(">=", Global(DECISIONS_OF), Global(MOST)), (low.Return(ONE),)))
        asked = w.let(low.Call(ASKED))
        own = low.Call(CHOICE_NUMBER, (asked,))
        w.when(word(ASKING), lambda: seed_bots(lo, places, w.let(own)))
        w.call(KEEP_STORE, Num(-1))
        phase(lo, Phase.CHOOSING)
        seat = add(asked, -1)
        bots = w.let(word(book.bots))
        turn = w.let(Op("%u", add(seat, word(book.bots + MOST_SEATS + 1)), bots))
        greedy = low.Load(turn, book.bots + 1)
        w.emit(
            low.If(
                greedy,
                (low.Set("index", low.Call(CHOOSE_GREEDY)),),
                (low.Set("index", low.Call(CHOOSE_RANDOM)),),
            )
        )
        w.call(TAKE_IT, Local("index"), ONE)
        w.give(ZERO)


# ------------------------------------------------------------ many games


def _write_walk(lo: Lowering, book: Book) -> None:
    """Play on until the games are over, or patience is; gives whether they are over."""
    with lo.function(WALK, ()) as w:

        def answer(label: str) -> None:
            w.leave_if(either(Op("<=", Global(PATIENCE), ZERO), Op("==", Global(ANSWERS_OF), Global(STOP_AT))), label)
            w.emit(low.SetGlobal(PATIENCE, add(Global(PATIENCE), -1)))
            over = low.Not(word(SITE))
            w.when(over, lambda: end(ONE, label))
            stopped = low.Choice(Global(DECIDING), low.Call(DRAW), low.Call(CHOOSE))
            w.when(stopped, lambda: end(ZERO, label))

        def end(ended: Expr, label: str) -> None:
            phase(lo, Phase.NOTING)
            w.call(FINISH, ended)
            w.emit(low.If(Op(">=", Global(GAMES), Global(END_GAME)), (low.Return(ONE),)))
            w.call(BEGIN_GAME)
            full = Op(">=", Global(ROWS), Num(book.most_results))
            w.emit(low.If(full, (low.SetGlobal(PATIENCE, ZERO),)))
            w.emit(low.Again(label))

        w.loop(answer)
        w.give(ZERO)


def _write_for_host(lo: Lowering) -> None:
    with lo.function(WALKS, ("first", "games", "most", "drawing"), exported=True) as w:
        w.emit(low.SetGlobal(FIRST_GAME, Local("first")))
        w.emit(low.SetGlobal(END_GAME, Local("games")))
        w.emit(low.SetGlobal(MOST, Local("most")))
        w.emit(low.SetGlobal(DECIDING, Local("drawing")))
        w.emit(low.SetGlobal(TWISTED, ZERO))
        w.emit(low.SetGlobal(GAMES, ZERO))
        w.call(BEGIN_GAME)
        w.give(low.Call(WALK))
    with lo.function(GO_ON, (), exported=True) as w:
        w.give(low.Call(WALK))
    with lo.function(TAKEN_BY_HOST, ("length",), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(BULK, ONE))
        w.emit(low.SetGlobal(DRAWING, Global(DECIDING)))
        phase(lo, Phase.NOTING)
        w.give(low.Call(WALK))
    with lo.function(CHOSEN_BY_HOST, ("length", "moment"), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(BULK, ONE))
        w.emit(low.SetGlobal(MOMENT, Local("moment")))
        w.call(TAKE_IT, ZERO, ONE)
        w.give(low.Call(WALK))
