"""Notes of a whole game whose answers are drawn: the same as `whole.noting` notes from question to question."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import Program
from interpreter.backends.low.base.context import HEAP, PASSES, Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ONE, ZERO
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Num, Op
from interpreter.backends.low.generators import bot_numbers
from interpreter.backends.low.generators.store import seed_store
from interpreter.backends.low.notes import book, places, results, rows, tally, watched
from interpreter.backends.low.notes.trace import TRACE
from interpreter.backends.low.rules import keyed
from interpreter.backends.low.rules.chance import events
from interpreter.backends.low.whole.noting import ANSWERS_OF, DECISIONS_OF, FIRST_GAME, begin_notes, write_finish

GLOBALS = (
    FIRST_GAME, DECISIONS_OF, ANSWERS_OF, TRACE, results.MET, rows.ROWS,
    watched.POSITIONS, watched.STRIDE, watched.READINGS, watched.BEHIND,
)  # fmt: skip


class GameNotes:
    """The notes that the function of a whole game takes. `book`: where they are; `generator`: where that of the answers
    stands."""

    def __init__(self, lo: Lowering, program: Program) -> None:
        """`program`: the one that games are compared with, question by question. Raises Unsupported."""
        if results.other_actors(program) or program.moment_proc >= 0:
            raise Unsupported("notes of a whole game in which not only seats answer, each in turn")
        self.lo = lo
        self.generator = Num(lo.memory.room(bot_numbers.STATE))
        winners, own = results.winner_words(program), keyed.make_places(lo)
        self.book = book.book(program, lo.memory, winners, False, self.generator.value, 0, own)

    def begin(self, seed: Expr) -> None:
        """A game begins: its generators and its notes."""
        if events(self.lo.program):
            seed_store(self.lo, seed)
        bot_numbers.start(self.lo, self.generator, seed)
        begin_notes(self.lo, self.book)

    def question(self, options: Expr) -> None:
        """Note what a position shows in which so many options can be taken."""
        lo, w = self.lo, self.lo.w
        choice = w.let(Op(">", options, ONE))
        w.emit(low.SetGlobal(DECISIONS_OF, Op("+", Global(DECISIONS_OF), choice)))
        if self.book.cards:
            w.call(places.SEE_PLACES)
        if lo.program.watch:
            w.emit(low.SetGlobal(PASSES, Num(lo.program.limits.passes)))
            w.emit(low.SetGlobal(HEAP, lo.floor))
            w.when(choice, lambda: w.call(watched.WATCH, ZERO))

    def answer(self, number: int, site: ir.Site, chosen: Expr, value: Callable[[int], Expr]) -> None:
        """Note an answer to the question with this number: which alternative is chosen, and its values."""
        tally.note_answer(self.lo, self.book, number, site, chosen, value)

    def write(self) -> None:
        """Write the functions of notes, and the generator of answers."""
        lo = self.lo
        bot_numbers.write(lo)
        bot_numbers.write_fraction(lo, self.generator)
        tally.write(lo, self.book)
        places.write(lo, self.book)
        watched.write(lo)
        results.write(lo, self.book)
        rows.write(lo, self.book)
        write_finish(lo, self.book)
