"""Many whole games in low code: the host writes the store with which they begin, and what their numbers follow from."""

from __future__ import annotations

from interpreter.backends.low.base.context import DECISIONS, FRESH, GAMES, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.games.game import GAME
from interpreter.backends.low.games.noted import GameNotes
from interpreter.backends.low.generators.twister import SEED as SEED_STORE
from interpreter.backends.low.generators.twister import note_beginning
from interpreter.backends.low.notes.book import SEED
from interpreter.backends.low.notes.rows import ROWS
from interpreter.backends.low.whole.driver import PLAYOUTS, write_fresh
from interpreter.backends.low.whole.noting import ANSWERS_OF, FINISH, FIRST_GAME
from interpreter.backends.low.whole.walks import steps_of

NOTED_GAMES = "noted_games"
"""Function for the host: play games of the course in memory from the one with this number on, until there are so many
more, or no room for more rows of results; each with at most so many answers. The global `games` counts them. A trap
means that the next one leaves nothing behind, and has to be played from question to question."""


def write(lo: Lowering, length: int) -> None:
    """Write `playouts` for a store of so many words: it plays games, each with at most so many decisions; gives the
    number of all decisions. What has been done is in globals."""
    write_fresh(lo)
    with lo.function(PLAYOUTS, ("games", "most"), exported=True) as w:
        w.emit(low.SetGlobal(GAMES, ZERO))
        w.emit(low.SetGlobal(DECISIONS, ZERO))
        w.call(FRESH)

        def game(label: str) -> None:
            w.leave_if(Op(">=", Global(GAMES), Local("games")), label)
            note_beginning(lo)
            _put_store(lo, length)
            w.call(SEED_STORE, Num(lo.memory.mersenne))
            w.emit(low.SetGlobal(DECISIONS, Op("+", Global(DECISIONS), _play())))
            w.emit(low.SetGlobal(GAMES, add(Global(GAMES), 1)))

        w.loop(game)
        w.give(Global(DECISIONS))


def write_noted(lo: Lowering, length: int, notes: GameNotes) -> None:
    """The same for games with notes: write `noted_games`."""
    write_fresh(lo)
    with lo.function(NOTED_GAMES, ("first", "games", "most"), exported=True) as w:
        w.emit(low.SetGlobal(FIRST_GAME, Local("first")))
        w.emit(low.SetGlobal(GAMES, ZERO))
        w.call(FRESH)

        def game(label: str) -> None:
            full = Op(">=", Global(ROWS), Num(notes.book.most_results))
            w.leave_if(low.Either(Op(">=", Global(GAMES), Local("games")), full), label)
            _put_store(lo, length)
            notes.begin(w.let(add(low.LoadLong(Num(notes.book.course), SEED), steps_of(notes.book))))
            w.emit(low.SetGlobal(ANSWERS_OF, _play()))
            w.call(FINISH, ONE)

        w.loop(game)
        w.give(ZERO)


def _put_store(lo: Lowering, length: int) -> None:
    lo.w.emit(low.Copy(ZERO, Num(lo.memory.begun + 1), Num(length)))


def _play() -> Expr:
    return low.Call(GAME, (Local("most"),))
