"""The driver in low code: it runs from question to question, takes options, and plays whole random games.

The host writes a store to address 0 and calls `begin` with its length. Budgets begin anew with each decision. Random
games are those of `Machine.playouts`: the host copies the state of Python's generator in, and out again at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.program import FP, OVER, PC, SITE
from interpreter.backends.low.base.context import (
    BULK,
    DECISIONS,
    DEPTH,
    DRAWING,
    DRAWN,
    EPOCH,
    FLOOR,
    FRAMES,
    FRESH,
    GAMES,
    GO,
    HEAP,
    LOOKING,
    PASSES,
    PLAIN,
    PROBING,
    STATUS,
    TAKEN,
    TWISTED,
    Lowering,
)
from interpreter.backends.low.base.exported import ALL_WAYS, BEGIN, COUNT, RELIST, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, word
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.base.status import LATE, Status
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.generators.twister import SEED, note_beginning
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.rules.flow import PROCEDURE, end, owners
from interpreter.backends.low.rules.questions import LIST
from interpreter.backends.low.scopes.frames import STOP
from interpreter.backends.low.trials.draw import FRACTION

PLAY = "play"
RUN, ANSWER, PLAYOUTS, RESUME = "run", "answer", "playouts", "resume"
"""Functions for the host, with BEGIN and RELIST: run to a question or the end; take an option and run on; play so many
games with at most so many decisions each; go on with that."""


def write(lo: Lowering) -> None:
    write_steps(lo)
    write_playouts(lo)


def write_steps(lo: Lowering) -> None:
    """Write the functions that go from question to question."""
    _write_begin(lo)
    write_fresh(lo)
    _write_go(lo)
    _write_run(lo)
    _write_relist(lo)
    _write_answer(lo)


def _write_begin(lo: Lowering) -> None:
    with lo.function(BEGIN, ("length",), exported=True) as w:
        w.emit(low.SetGlobal(SP, Local("length")))
        w.emit(low.SetGlobal(DRAWING, ZERO))
        w.emit(low.SetGlobal(BULK, ZERO))
        if lo.lists_ways:
            w.emit(low.SetGlobal(ALL_WAYS, ZERO))
        if lo.looks:
            w.emit(low.SetGlobal(LOOKING, ZERO))  # it stands where a look gave up
        w.set("base", word(FP))
        w.set("depth", ZERO)

        def up(label: str) -> None:
            w.leave_if(low.Not(Local("base")), label)
            w.set("base", low.Load(Local("base"), 1))
            w.set("depth", add(Local("depth"), 1))

        w.loop(up)
        w.emit(low.SetGlobal(FRAMES, Local("depth")))
        w.give(ZERO)


def write_fresh(lo: Lowering) -> None:
    """The budgets of a decision begin anew."""
    with lo.function(FRESH, ()) as w:
        w.emit(low.SetGlobal(PASSES, Num(lo.program.limits.passes)))
        w.emit(low.SetGlobal(HEAP, Num(lo.memory.scratch)))
        w.emit(low.SetGlobal(FLOOR, Num(lo.memory.scratch)))
        for name in (STATUS, PROBING, DRAWN):
            w.emit(low.SetGlobal(name, ZERO))
        w.emit(low.SetGlobal(DEPTH, ZERO))
        w.emit(low.SetGlobal(PLAIN, ZERO))
        if lo.remembered:
            w.emit(low.SetGlobal(EPOCH, ZERO))
        w.give(ZERO)


def _write_go(lo: Lowering) -> None:
    """Go on at an instruction up to a question or the end; gives the pending site plus 1."""
    owner = lo.memory.words(owners(lo.program))
    numbers = [n for n, proc in enumerate(lo.program.procs) if proc.suspends]
    with lo.function(GO, ("pc",)) as w:

        def end_action(label: str) -> None:
            w.leave_if(Op("!=", Global(STATUS), Num(Status.ENDED)), label)
            w.emit(low.SetGlobal(STATUS, ZERO))
            w.set("pc", low.Call(STOP, (low.Call(LATE),)))

        def one(label: str) -> None:
            w.emit(low.SetGlobal(HEAP, lo.floor))
            if lo.trials.tries:
                w.when(Global(STATUS), lambda: end_action(label))
            w.leave_if(Op("<=", Local("pc"), ZERO), label)
            w.trap_if(Op(">=", Local("pc"), Num(len(lo.program.code))), Reason.LOST)
            rows = {n: _call(lo, n) for n in numbers}
            w.cases(low.Load(Local("pc"), owner), rows)

        w.loop(one)
        w.when(Op("==", Local("pc"), ZERO), lambda: end(lo))
        w.give(word(SITE))


def _call(lo: Lowering, number: int) -> Callable[[], None]:
    return lambda: lo.w.set("pc", low.Call(f"{PROCEDURE}{number}", (Local("pc"),)))


def _write_run(lo: Lowering) -> None:
    with lo.function(RUN, (), exported=True) as w:
        w.call(FRESH)
        w.emit(low.If(low.Either(word(SITE), word(OVER)), (low.Return(word(SITE)),)))
        w.give(low.Call(GO, (word(PC),)))


def _write_relist(lo: Lowering) -> None:
    asked = sorted(number for sort, number in lo.known if sort == LIST)
    with lo.function(RELIST, (), exported=True) as w:
        w.call(FRESH)

        def listing(number: int) -> Callable[[], None]:
            return lambda: w.call(f"{LIST}{number}")

        if asked:
            w.when(word(SITE), lambda: w.cases(word(SITE), {n + 1: listing(n) for n in asked}))
        w.give(Global(COUNT))


def _write_answer(lo: Lowering) -> None:
    with lo.function(ANSWER, ("index",), exported=True) as w:
        w.trap_if(Op(">u", Local("index"), add(Global(COUNT), -1)), Reason.LOST)
        w.call(FRESH)
        w.give(low.Call(GO, (low.Call(TAKE, (Local("index"),)),)))


def write_playouts(lo: Lowering) -> None:
    """Play games from the store that is kept in memory; gives the number of decisions. What has been done is in
    globals, and Python's generator at the beginning of the game in memory, so that the host can play one again."""
    _write_play(lo)
    with lo.function(PLAYOUTS, ("games", "most"), exported=True) as w:
        w.emit(low.SetGlobal(GAMES, ZERO))
        w.emit(low.SetGlobal(DECISIONS, ZERO))
        w.give(low.Call(PLAY, (Local("games"), Local("most"), ZERO)))
    with lo.function(RESUME, ("games", "most"), exported=True) as w:
        w.give(low.Call(PLAY, (Local("games"), Local("most"), ONE)))


def _write_play(lo: Lowering) -> None:
    """Play on; `resumed`: a game has begun already."""
    memory = lo.memory
    with lo.function(PLAY, ("games", "most", "resumed")) as w:
        if lo.looks:
            w.emit(low.SetGlobal(TWISTED, ONE))

        def draw_in_bulk() -> None:
            w.emit(low.SetGlobal(DRAWING, ONE))
            w.emit(low.SetGlobal(BULK, ONE))

        def begin() -> None:
            note_beginning(lo)
            length = w.let(word(memory.begun))
            w.emit(low.Copy(ZERO, Num(memory.begun + 1), length))
            w.call(BEGIN, length)
            draw_in_bulk()
            w.call(SEED, Num(memory.mersenne))
            w.emit(low.SetGlobal(TAKEN, ZERO))
            keep(lo, Num(-1))
            w.emit(low.If(word(SITE), (low.Do(low.Call(RELIST)),), (low.Do(low.Call(RUN)),)))

        def decide(inner: str) -> None:
            w.leave_if(low.Not(word(SITE)), inner)
            w.trap_if(Op(">=", Global(TAKEN), Local("most")), Reason.ENDLESS)
            w.set("index", ZERO)
            draw = low.Set("index", low.Portion(low.Call(FRACTION), Global(COUNT)))
            w.emit(low.If(low.Not(Global(DRAWN)), (draw,)))
            keep(lo, Local("index"))
            w.emit(low.SetGlobal(TAKEN, add(Global(TAKEN), 1)))
            w.call(ANSWER, Local("index"))

        def game(label: str) -> None:
            w.leave_if(Op(">=", Global(GAMES), Local("games")), label)
            w.when(Local("resumed"), draw_in_bulk, begin)
            w.set("resumed", ZERO)
            w.loop(decide)
            w.emit(low.SetGlobal(DECISIONS, Op("+", Global(DECISIONS), Global(TAKEN))))
            w.emit(low.SetGlobal(GAMES, add(Global(GAMES), 1)))

        w.loop(game)
        w.give(Global(DECISIONS))


def keep(lo: Lowering, index: Expr) -> None:
    """Keep what the host needs to play a decision by Python: where it begins, and which option (-1: the beginning of a
    game). Only where low code gives up for other reasons than faults."""
    if not lo.keeps:
        return
    lo.w.emit(low.Copy(Num(lo.memory.kept), Num(lo.memory.mersenne), Num(MERSENNE)))
    keep_store(lo, lambda at: lo.w.put(at, index) if index == Num(-1) else keep_option(lo, at, index))


def keep_store(lo: Lowering, option: Callable[[int], None]) -> None:
    """Keep the store, and in front of it what `option` writes at an address: the option that is taken, or -1."""
    w, memory = lo.w, lo.memory
    length = memory.kept + MERSENNE
    w.put(length, Global(SP))
    option(length + 1)
    w.emit(low.Copy(Num(length + 1 + memory.stride), ZERO, Global(SP)))


def keep_option(lo: Lowering, at: int, index: Expr) -> None:
    lo.w.emit(low.Copy(Num(at), lo.option_row(index), Num(lo.memory.stride)))
