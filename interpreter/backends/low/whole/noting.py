"""Notes of a game while it is played, and its figures when it is over."""

from __future__ import annotations

from dsl.program import SITE
from interpreter.backends.low.base.context import FRESH, GAMES, HEAP, PASSES, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, word
from interpreter.backends.low.bots.choices import MOMENT
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op, Reason
from interpreter.backends.low.notes.book import ACTORS, ANSWERED, DECIDED, ENDED, MOST_SEATS, TURNED, Book
from interpreter.backends.low.notes.places import CLEAR_PLACES, COUNT_PLACES, SEE_PLACES
from interpreter.backends.low.notes.results import MEET, MET, RESULT
from interpreter.backends.low.notes.rows import KEEP_ROW, row_to_fill
from interpreter.backends.low.notes.trace import COUNT_TRACE, TRACE, add_row
from interpreter.backends.low.notes.watched import BEHIND, POINTS, POSITIONS, READINGS, STRIDE, WATCH
from interpreter.core.question import AUTOMATIC_LIMIT

NOTE, FINISH = "note", "finish"
"""Functions: note an answer before it is taken, and whether it was a choice; write the figures of the game."""

FIRST_GAME, DECISIONS_OF, ANSWERS_OF, SINGLE = "first_game", "decisions_of", "answers_of", "single"
"""Globals: the number in the course of the first game of a call; of the game that is played, its decisions, its
answers, and those without a choice in a row."""


def begin_notes(lo: Lowering, book: Book) -> None:
    """Clear the notes of the game, for one that begins."""
    w = lo.w
    for name in (DECISIONS_OF, ANSWERS_OF, POSITIONS, READINGS, BEHIND, MET):
        w.emit(low.SetGlobal(name, ZERO))
    w.emit(low.SetGlobal(STRIDE, ONE))
    w.emit(low.SetGlobal(TRACE, Num(book.trace)))
    w.call(CLEAR_PLACES)


def write_note(lo: Lowering, book: Book) -> None:
    """Note an answer before it is taken."""
    with lo.function(NOTE, ("index", "choice")) as w:
        w.emit(low.SetGlobal(PASSES, Num(lo.program.limits.passes)))
        w.emit(low.SetGlobal(HEAP, lo.floor))
        add_row(lo, book, add(word(SITE), -1), Global(MOMENT), lo.option_row(Local("index")))
        w.emit(low.SetGlobal(ANSWERS_OF, add(Global(ANSWERS_OF), 1)))
        w.call(SEE_PLACES)

        def decision() -> None:
            w.emit(low.SetGlobal(DECISIONS_OF, add(Global(DECISIONS_OF), 1)))
            w.emit(low.SetGlobal(SINGLE, ZERO))
            w.call(WATCH, ZERO)

        def forced() -> None:
            w.emit(low.SetGlobal(SINGLE, add(Global(SINGLE), 1)))
            w.trap_if(Op(">", Global(SINGLE), Num(AUTOMATIC_LIMIT)), Reason.ENDLESS)

        w.when(Local("choice"), decision, forced)
        w.call(MEET)
        w.give(ZERO)


def write_finish(lo: Lowering, book: Book) -> None:
    """Write the figures of the game; `ended`: it has come to its end."""
    with lo.function(FINISH, ("ended",)) as w:
        w.call(FRESH)
        to = w.let(row_to_fill(book))
        w.emit(low.Clear(to, Num(book.result)))
        for at, value in (
            (ENDED, Local("ended")),
            (DECIDED, Global(DECISIONS_OF)),
            (ANSWERED, Global(ANSWERS_OF)),
            (ACTORS, Global(MET)),
            (TURNED, word(book.bots + MOST_SEATS + 1)),
        ):
            w.store(to, at, value)

        def result() -> None:
            w.call(SEE_PLACES)
            w.call(WATCH, ONE)
            w.call(RESULT, to)
            w.call(POINTS, add(to, book.points))
            w.call(COUNT_PLACES)

        w.when(Local("ended"), result)
        w.call(COUNT_TRACE, Local("ended"))
        w.call(KEEP_ROW, add(Global(FIRST_GAME), Global(GAMES)))
        w.emit(low.SetGlobal(GAMES, add(Global(GAMES), 1)))
        w.give(ZERO)
