"""Many random games, each played by one function, which is made for each store that games begin with.

`WholeGames` plays exactly the games that its machine would play. The machine itself plays programs with plans or timed
records, games whose chance is asked, and games of a function that failed before.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from random import Random
from typing import Any

from dsl import program as hdr
from interpreter.backends.analysis.fixed_seats import game_key
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.playout.written import NAME, written
from interpreter.backends.python.runtime.namespace import loader, saver, scope
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words

Play = Callable[[Words, int, Callable[[], float], int], int]  # store, generator, draw, most decisions -> decisions

LARGEST = 1500  # instructions
MOST_FUNCTIONS = 16  # functions of one machine
LEAST_STEPS = 2500  # a lower limit of work could be passed where it is not tested
BUSY = (hdr.CHANCE, hdr.PLAN, hdr.TOGETHER, hdr.CHECKING, hdr.DEFERRED, hdr.TIMED, hdr.ASKING, hdr.DRAWN, hdr.OVER)


class Unplayed(Exception):
    """The game is not plain: the machine plays it."""


IRREGULAR = (Unplayed, RulesetError, IndexError, ZeroDivisionError)


class WholeGames:
    """`functions`: those made so far, by the key of the store; None: the machine plays."""

    def __init__(self, m: PythonMachine) -> None:
        self.machine = m
        self.functions: dict[Any, Play | None] = {}

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """As `Machine.playouts`."""
        m = self.machine
        play = None if m.checked else self.function(begun, ends is not None)
        if play is not None:
            before = chance.getstate()
            try:
                return self.play(play, begun, n, chance, most, ends)
            except IRREGULAR:
                self.refuse(begun, ends is not None)
                chance.setstate(before)
                if ends is not None:
                    ends.clear()
        return m.playouts(begun, n, chance, most, ends)

    def play(self, play: Play, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """Play `n` games from this store by a function; gives the number of decisions."""
        m, draw, generator = self.machine, chance.random, chance.getrandbits

        def play_all() -> int:
            decisions = 0
            for _ in range(n):
                m.words = words = begun[:]
                decisions += play(words, generator(64), draw, most)
                if ends is not None:
                    ends.append(words)
            return decisions

        decisions: int = m.guarded(begun, play_all)
        return decisions

    def key(self, begun: Words, knowing: bool) -> Any:
        """What a function depends on: the place in the rules, and the words that never change in the game."""
        return knowing, game_key(self.machine.program, begun)

    def function(self, begun: Words, knowing: bool) -> Play | None:
        """The function for games that begin with this store; `knowing`: whether it notes what each seat knows."""
        key = self.key(begun, knowing)
        if key not in self.functions:
            if len(self.functions) >= MOST_FUNCTIONS:
                return None
            self.functions[key] = self.make(begun, knowing)
        return self.functions[key]

    def refuse(self, begun: Words, knowing: bool) -> None:
        """Note that the function failed: the machine plays from now on."""
        self.functions[self.key(begun, knowing)] = None

    def make(self, begun: Words, knowing: bool) -> Play | None:
        m, program = self.machine, self.machine.program
        if len(program.code) > LARGEST or program.limits.steps < LEAST_STEPS or m.seldom:
            return None
        if any(begun[at] for at in BUSY):
            return None
        module = written(program, begun, knowing)
        if module is None:
            return None
        names = scope(m, m.scratch)
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
