"""Functions that play whole games, made when they are wanted: one for each store that many games begin with.

A `Playing` of a machine gives such a function, or None where there is none: in programs with plans or timed records,
where chance is asked, and where it failed before. What it plays is what the machine would play, to the last word.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dsl import program as hdr
from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import with_words
from interpreter.backends.analysis.playout_graph import Whole
from interpreter.backends.analysis.specialise import Special
from interpreter.backends.analysis.substitute import Known
from interpreter.backends.python.runtime.module import Module
from interpreter.backends.python.runtime.namespace import loader, saver, scope
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.core.run import Run
from interpreter.core.stack import bases as frame_bases
from interpreter.core.words import Temps, Words, load

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit

Play = Callable[[Words, int, Callable[[], float], int], int]  # store, generator, draw, most decisions -> decisions

LARGEST = 1500  # instructions
MOST_LINES = 20_000
MOST_KEPT = 16  # functions of one machine
LEAST_STEPS = 2500  # a lower limit of work could be passed where it is not looked at
BUSY = (hdr.CHANCE, hdr.PLAN, hdr.TOGETHER, hdr.CHECKING, hdr.DEFERRED, hdr.TIMED, hdr.ASKING, hdr.DRAWN, hdr.OVER)
NAME = "_game"


class Unplayed(Exception):
    """What is not plain; the game is played by the machine."""


IRREGULAR = (Unplayed, RulesetError, IndexError, ZeroDivisionError)


class Playing:
    def __init__(self, m: Run, room: Temps) -> None:
        self.machine, self.room = m, room
        self.made: dict[Any, Play | None] = {}

    def key(self, begun: Words, knowing: bool) -> Any:
        """What a function depends on: where the game stands, and what never changes in it."""
        program = self.machine.program
        head = begun[: hdr.RNG] + begun[hdr.SCRIPT + 1 : hdr.HEADER]
        head[hdr.RV] = 0
        options = [begun[o.address] for o in program.options]
        return (knowing, *head, *options, *begun[program.state_words :])

    def function(self, begun: Words, knowing: bool) -> Play | None:
        """The function for games that begin with this store; `knowing`: who knows of what is kept up to date."""
        key = self.key(begun, knowing)
        if key not in self.made:
            if len(self.made) >= MOST_KEPT:
                return None
            self.made[key] = self.make(begun, knowing)
        return self.made[key]

    def refuse(self, begun: Words, knowing: bool) -> None:
        """It failed: the machine plays from now on."""
        self.made[self.key(begun, knowing)] = None

    def make(self, begun: Words, knowing: bool) -> Play | None:
        m, program = self.machine, self.machine.program
        if len(program.code) > LARGEST or program.limits.steps < LEAST_STEPS or any(begun[at] for at in BUSY):
            return None
        module = written(program, begun, knowing)
        if module is None:
            return None
        names = scope(m, self.room)
        names |= {"K": module.objects, "unplayed": Unplayed(), "bail": bail, "kinds": kinds, "insort": insort}
        names |= {"accepted": rng.redraw, "shuffled": rng.shuffled}
        makers = {"load": loader, "save": saver}
        for name, how, t in module.needs:
            names[name] = makers[how](t)
        exec(compile(module.source, f"<games of {program.id}>", "exec"), names)  # noqa: S102 - our own names
        play: Play = names[NAME]
        return play


def bail() -> None:
    raise Unplayed


def kinds(counts: list[int], low: int) -> tuple[list[int], int]:
    """The kinds of which there are pieces, and how many pieces there are."""
    return [kind for kind, n in enumerate(counts, low) if n], sum(counts)


def written(program: Program, begun: Words, knowing: bool) -> Module | None:
    """The text of the function, and what it refers to."""
    from interpreter.backends.python.compile.module import Unit
    from interpreter.backends.python.playout.questions import Unplayable

    known = {o.address: begun[o.address] for o in program.options} | {hdr.SEATS: begun[hdr.SEATS]}
    program = with_words(program, known)
    if not knowing:
        program = replace(program, known_base=0)
    unit = Unit(made_special(program), False)
    facts = unit.facts
    if facts.plans or facts.timed or facts.plain_frames or facts.running:
        return None
    whole = Whole(unit.program, unit.outline, Special(unit.program), unit.written)
    try:
        lines = lines_of(unit, whole, begun)
    except Unplayable:
        return None
    if lines is None or len(lines) > MOST_LINES:
        return None
    unit.text += [f"def {NAME}(S, g, draw, most):", *lines]
    unit.finish()
    heads = [f"{name} = {text}" for text, name in unit.heads.items()]
    needs = [(name, how, t) for (how, t), name in unit.needs.items()]
    return Module("\n".join([*heads, *unit.text]) + "\n", unit.objects, needs)


def made_special(program: Program) -> Program:
    """A program in which what follows from known words is found."""
    special = Special(program)
    return replace(
        program,
        functions=tuple(replace(f, body=special.expr(f.body, {})) for f in program.functions),
        procs=tuple(replace(p, body=special.body(p.body, {})) for p in program.procs),
    )


def lines_of(unit: Unit, whole: Whole, begun: Words) -> list[str] | None:
    from interpreter.backends.python.playout.playout import Player

    pc = begun[hdr.PC]
    bases = list(frame_bases(begun))[::-1]
    stack = tuple(begun[base] for base in bases)
    places = (*stack[1:], pc)
    held: list[Known] = []
    loads: list[tuple[int, int, int, Any]] = []
    for depth, (base, place) in enumerate(zip(bases, places, strict=True)):
        number = begun[base + 2]
        types = whole.types[number if number >= 0 else ~number]
        found: Known = {}
        for slot in sorted(whole.live[place]):
            if slot not in types:
                continue
            loads.append((depth, slot, base + hdr.FRAME_LINK + slot, types[slot]))
            value = load(begun, base + hdr.FRAME_LINK + slot, types[slot])
            if isinstance(value, int | tuple):
                found[slot] = value
        held.append(found)
    if not whole.follow(pc, stack, tuple(tuple(sorted(found.items())) for found in held)):
        return None
    player = Player(unit, whole)
    start = [dict(frame) for frame in whole.start.known]
    for depth, slot, at, t in loads:
        if slot in start[depth]:
            continue
        player.line(f"F{depth}_{slot} = {player.load(str(at), t)}")
    player.write()
    return player.text()
