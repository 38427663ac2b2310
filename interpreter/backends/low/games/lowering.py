"""The lowering of whole random games: a module for the games that begin with one store.

Options and seats of that store are constants in it. A game is one function: nothing is written to the store at a
question, frame variables are local variables, and what is known of them is worked out beforehand.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl import program as hdr
from dsl.base.types import SetType
from dsl.program import Program
from interpreter.backends.analysis.constants import ConstantFolder
from interpreter.backends.analysis.dataflow import facts
from interpreter.backends.analysis.fixed_seats import for_game
from interpreter.backends.analysis.playout_graph import GameGraph
from interpreter.backends.analysis.specialise import Specialiser, specialised
from interpreter.backends.analysis.structure import ProcedureIndex
from interpreter.backends.low.base.context import GENERATOR, Held, Lowering, LoweringTables
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ZERO, WordsAt, load
from interpreter.backends.low.base.stored import load_set
from interpreter.backends.low.games import driver, noted
from interpreter.backends.low.games.control import write_game
from interpreter.backends.low.games.foreknown import Foreknown
from interpreter.backends.low.games.game import GameFunction
from interpreter.backends.low.games.noted import GameNotes
from interpreter.backends.low.games.plain import Plain
from interpreter.backends.low.games.unrolled import Unrolled
from interpreter.backends.low.games.variables import (
    SETTING,
    VARIABLE_KINDS,
    VARIABLE_NUMBERS,
    VARIABLE_SETS,
    frame_variables,
    key,
)
from interpreter.backends.low.generators import store as chance
from interpreter.backends.low.generators import twister
from interpreter.backends.low.whole import moves, zones
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_wanted
from interpreter.core.words import Words

LARGEST = 1500  # instructions
LEAST_STEPS = 2500  # a lower limit of work could be passed where it is not tested
BUSY = (hdr.CHANCE, hdr.PLAN, hdr.TOGETHER, hdr.CHECKING, hdr.DEFERRED, hdr.TIMED, hdr.ASKING, hdr.DRAWN, hdr.OVER)


def game_tables(constants: ConstantFolder, plain: Plain) -> LoweringTables:
    """The function that stands for each class of nodes in the function of a whole game."""
    known, few = Foreknown(constants), Unrolled(plain)
    numbers = {**TABLES.numbers, **VARIABLE_NUMBERS}
    rows = dict(TABLES.rows)
    for node in (ir.ListOp, ir.ListItem, ir.MapItem, ir.Size):
        numbers[node] = known.number(numbers[node])
    rows[ir.MapItem] = known.row(rows[ir.MapItem])
    numbers[ir.Fold] = few.number(numbers[ir.Fold])
    sets = {**TABLES.sets, **VARIABLE_SETS}
    sets[ir.Fold] = few.members(sets[ir.Fold])
    return LoweringTables(
        {**TABLES.kinds, **VARIABLE_KINDS},
        numbers,
        sets,
        rows,
        {**TABLES.statements, **SETTING},
    )


def lower_games(program: Program, begun: Words, knowing: bool) -> Lowered:
    """The module for the games that begin with this store; `knowing`: whether it notes what each seat knows. Raises
    Unsupported where games are not played so."""
    return guarded(lambda: _lower(program, begun, knowing, noting=False))


def lower_noted_games(program: Program, begun: Words) -> Lowered:
    """The module that plays them at random with notes, as `lower_module` does. Raises Unsupported."""
    return guarded(lambda: _lower(program, begun, knowing=False, noting=True))


def _lower(original: Program, begun: Words, knowing: bool, noting: bool) -> Lowered:
    program = original
    if len(program.code) > LARGEST or program.limits.steps < LEAST_STEPS or any(begun[at] for at in BUSY):
        raise Unsupported("a game that is played from question to question")
    found = facts(program)
    if found.uses_plans or found.uses_timed or found.frames_from_plain or found.uses_running or found.uses_together:
        raise Unsupported("plans and timed lines in a whole game")
    if found.uses_deferred:
        raise Unsupported("end lists in a whole game")
    program = for_game(program, begun)
    if not knowing:
        program = replace(program, known_base=0)
    program = specialised(program)
    specialiser, constants = Specialiser(program), ConstantFolder(program, found)
    plain = Plain(specialiser)
    lo = Lowering(program, game_tables(constants, plain))
    if lo.trials.tries or lo.seldom:
        raise Unsupported("trials in a whole game")
    every = frozenset(range(len(program.code)))
    graph = GameGraph(program, ProcedureIndex(program), specialiser, every)
    unknown = graph.follow_from(begun)
    if unknown is None:
        raise Unsupported("a game of too many places")
    lo.whole = True
    notes = GameNotes(lo, original) if noting else None
    game = GameFunction(lo, graph, constants, plain, notes)

    def begin() -> None:
        for v in unknown:
            held = frame_variables({v.slot: v.type}, v.depth).get(key(v.slot))
            if not isinstance(held, Held):
                raise Unsupported("a list in a variable")
            place = WordsAt(ZERO, v.address)
            words = load_set(lo, place, v.type) if isinstance(v.type, SetType) else {0: load(place)}
            for name, w in zip(held.names, getattr(held.kind, "words", (0,)), strict=True):
                lo.w.set(name, words.get(w, ZERO))

    write_game(game, begin)
    table = zones.write_table(lo)
    if program.known_base:
        zones.write_seers(lo, table)
    if notes is None:
        twister.write(lo)
        driver.write(lo, len(begun))
    else:
        notes.write()
        driver.write_noted(lo, len(begun), notes)
    write_wanted(lo)
    chance.write(lo)
    moves.write(lo, table)
    return finished(lo, (GENERATOR, *noted.GLOBALS), notes.book) if notes else finished(lo, (GENERATOR,))
