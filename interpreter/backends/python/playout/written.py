"""The generated module with the function that plays whole games from a given store."""

from __future__ import annotations

from dataclasses import replace

from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import for_game
from interpreter.backends.analysis.playout_graph import GameGraph
from interpreter.backends.analysis.specialise import Specialiser, specialised
from interpreter.backends.analysis.structure import ProcedureIndex
from interpreter.backends.python.compile.module import WRITERS
from interpreter.backends.python.emit.addresses import load as load_text
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.functions import module_context
from interpreter.backends.python.playout.control import finished_lines, write_game
from interpreter.backends.python.playout.game import GameFn, Unplayable
from interpreter.backends.python.playout.statements import TABLES
from interpreter.backends.python.playout.variables import PythonVariables
from interpreter.backends.python.regions.region import written_instructions
from interpreter.backends.python.runtime.module import Module
from interpreter.core.words import Words

MOST_LINES = 20_000
NAME = "_game"


def written(program: Program, begun: Words, knowing: bool) -> Module | None:
    """The module for games that begin with the store `begun`; None: there is no such function. `knowing`: whether it
    notes what each seat knows."""
    program = for_game(program, begun)
    if not knowing:
        program = replace(program, known_base=0)
    ctx = module_context(specialised(program), False)
    facts = ctx.facts
    if facts.uses_plans or facts.uses_timed or facts.frames_from_plain or facts.uses_running:
        return None
    program = ctx.program
    graph = GameGraph(program, ProcedureIndex(program), Specialiser(program), written_instructions(program))
    try:
        lines = game_lines(ctx, graph, begun)
    except Unplayable:
        return None
    if lines is None or len(lines) > MOST_LINES:
        return None
    ctx.text += [f"def {NAME}(S, g, draw, most):", *lines]
    return Module(ctx.finish(WRITERS), ctx.objects, ctx.type_functions())


def game_lines(ctx: ModuleContext, graph: GameGraph, begun: Words) -> list[str] | None:
    """The lines of the function; None: the graph of the game is too large."""
    loads = graph.follow_from(begun)
    if loads is None:
        return None
    fn = GameFn(ctx, graph, PythonVariables, TABLES)
    for v in loads:
        fn.line(f"F{v.depth}_{v.slot} = {load_text(fn, str(v.address), v.type)}")
    write_game(fn)
    return finished_lines(fn)
