"""Many whole games in low code: the host writes the store with which they begin, and Python's generator."""

from __future__ import annotations

from interpreter.backends.low.base.context import DECISIONS, FRESH, GAMES, Lowering
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op
from interpreter.backends.low.games.game import GAME
from interpreter.backends.low.generators.twister import SEED, note_beginning
from interpreter.backends.low.whole.driver import PLAYOUTS, write_fresh


def write(lo: Lowering, length: int) -> None:
    """Write `playouts` for a store of so many words: it plays games, each with at most so many decisions; gives the
    number of all decisions. What has been done is in globals."""
    memory = lo.memory
    write_fresh(lo)
    with lo.function(PLAYOUTS, ("games", "most"), exported=True) as w:
        w.emit(low.SetGlobal(GAMES, ZERO))
        w.emit(low.SetGlobal(DECISIONS, ZERO))
        w.call(FRESH)

        def game(label: str) -> None:
            w.leave_if(Op(">=", Global(GAMES), Local("games")), label)
            note_beginning(lo)
            w.emit(low.Copy(ZERO, Num(memory.begun + 1), Num(length)))
            w.call(SEED, Num(memory.mersenne))
            w.emit(low.SetGlobal(DECISIONS, Op("+", Global(DECISIONS), low.Call(GAME, (Local("most"),)))))
            w.emit(low.SetGlobal(GAMES, add(Global(GAMES), 1)))

        w.loop(game)
        w.give(Global(DECISIONS))
