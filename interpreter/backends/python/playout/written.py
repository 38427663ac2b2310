"""The generated module with the function that plays whole games from a given store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dsl import program as hdr
from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import with_words
from interpreter.backends.analysis.structure import ProcedureIndex
from interpreter.backends.python.compile.module import WRITERS
from interpreter.backends.python.emit.addresses import load as load_text
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.functions import module_context
from interpreter.backends.python.playout.analysis.playout_graph import GameGraph
from interpreter.backends.python.playout.analysis.specialise import Specialiser
from interpreter.backends.python.playout.analysis.substitute import Known
from interpreter.backends.python.playout.control import finished_lines, write_game
from interpreter.backends.python.playout.game import GameFn, Unplayable
from interpreter.backends.python.playout.statements import TABLES
from interpreter.backends.python.playout.variables import PythonVariables
from interpreter.backends.python.regions.region import written_instructions
from interpreter.backends.python.runtime.module import Module
from interpreter.core.stack import bases as frame_bases
from interpreter.core.words import Words, load

MOST_LINES = 20_000
NAME = "_game"


def written(program: Program, begun: Words, knowing: bool) -> Module | None:
    """The module for games that begin with the store `begun`; None: there is no such function. `knowing`: whether it
    notes what each seat knows."""
    known = {o.address: begun[o.address] for o in program.options} | {hdr.SEATS: begun[hdr.SEATS]}
    program = with_words(program, known)
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


def specialised(program: Program) -> Program:
    """A program specialised for the constants in it."""
    special = Specialiser(program)
    return replace(
        program,
        functions=tuple(replace(f, body=special.expr(f.body, {})) for f in program.functions),
        procs=tuple(replace(p, body=special.body(p.body, {})) for p in program.procs),
    )


def game_lines(ctx: ModuleContext, graph: GameGraph, begun: Words) -> list[str] | None:
    """The lines of the function; None: the graph of the game is too large."""
    pc = begun[hdr.PC]
    bases = list(frame_bases(begun))[::-1]
    stack = tuple(begun[base] for base in bases)
    places = (*stack[1:], pc)
    held: list[Known] = []
    loads: list[tuple[int, int, int, Any]] = []
    for depth, (base, place) in enumerate(zip(bases, places, strict=True)):
        number = begun[base + 2]
        types = graph.types[number if number >= 0 else ~number]
        found: Known = {}
        for slot in sorted(graph.live[place]):
            if slot not in types:
                continue
            loads.append((depth, slot, base + hdr.FRAME_LINK + slot, types[slot]))
            value = load(begun, base + hdr.FRAME_LINK + slot, types[slot])
            if isinstance(value, int | tuple):
                found[slot] = value
        held.append(found)
    if not graph.follow(pc, stack, tuple(tuple(sorted(found.items())) for found in held)):
        return None
    fn = GameFn(ctx, graph, PythonVariables, TABLES)
    start = [dict(frame) for frame in graph.start.known]
    for depth, slot, at, t in loads:
        if slot in start[depth]:
            continue
        fn.line(f"F{depth}_{slot} = {load_text(fn, str(at), t)}")
    write_game(fn)
    return finished_lines(fn)
