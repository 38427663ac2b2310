"""The reference machine: runs a program on a flat store until a question, the end, or a fault of the ruleset.

It takes a `Program` and stores (lists of ints), and drives a `Run` through them: a new game, an answer, an outcome of
chance, a whole playout. What each node means is in `interpreter.machine.tables`; a subclass that overrides one of the
`on_...` methods gets handlers that call it, so a machine without hooks pays nothing for them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from dsl import ir
from dsl.program import CHANCE, DRIVEN, OVER, PC, SITE, STEPS, Program
from interpreter.core import frames, rng
from interpreter.core.errors import DemandFailed, IllegalAnswer
from interpreter.core.question import Option
from interpreter.core.run import Run, call
from interpreter.core.words import Temps, Words
from interpreter.machine import hooks, invariants
from interpreter.machine.tables import REFERENCE
from interpreter.semantics import chance

RECURSION = 20_000  # Python frames: trees inside 64 routines inside tries


class Machine(Run):
    """A run that can be driven. `on_...` methods that a subclass overrides are called while it runs."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, REFERENCE)
        hooks.install(self)

    @property
    def checked(self) -> bool:
        """Whether invariants and places are tested while running."""
        return self._checked

    @checked.setter
    def checked(self, wanted: bool) -> None:
        if wanted != self._checked:
            self._checked = wanted
            invariants.install(self, wanted)

    # ------------------------------------------------------------ for drivers

    def start(self, words: Words, proc: int, args: Sequence[Any] = (), driver: bool = False) -> None:
        """Call a procedure from outside; `run` then carries it out. `driver`: its end is not the end of the game."""
        self.words = words
        words[DRIVEN] = 1 if driver else 0
        words[SITE] = words[STEPS] = 0
        self.plain.clear()
        words[PC] = self._guarded(lambda: self.enter(proc, list(args), 0))

    def interrupt(self, words: Words, proc: int, args: Sequence[Any]) -> None:
        """Start a suspending procedure on top of the pending question, which is asked again when it has ended."""
        self.words = words
        if not words[SITE]:
            words[PC], words[DRIVEN] = 0, 1
        back = words[PC]
        words[SITE] = words[STEPS] = 0
        self._go(self._guarded(lambda: self.enter(proc, list(args), back)))

    def run(self, words: Words, script: Sequence[Any] = ()) -> None:
        """Run to the next question, or to the end. `script` are all chance outcomes since the start of the game
        that were laid down."""
        self.words = words
        self.script = script
        self.offers = []
        if not words[SITE] and not words[OVER]:
            self._go(words[PC])

    def options(self, words: Words) -> list[Option]:
        """The options of the pending question; none if there is no question."""
        if not words[SITE]:
            return []
        self.words = words
        return list(self._guarded(self.list_options))

    def all_options(self, words: Words) -> list[Option]:
        """The options of the pending question, also where the first is taken by default."""
        self.wished = True
        try:
            return self.options(words)
        finally:
            self.wished = False

    def has(self, words: Words, code: Sequence[int]) -> Option | None:
        """The option with this code, if it is offered."""
        wanted = tuple(code)
        return next((o for o in self.options(words) if o.code == wanted), None)

    def answer(self, words: Words, code: Sequence[int], script: Sequence[Any] = ()) -> None:
        """Take an option and run on. IllegalAnswer, with nothing changed, if it is not offered."""
        option = self.has(words, code)
        if option is None:
            site = self.program.sites[words[SITE] - 1] if words[SITE] else None
            asked = f"at `{site.address}`" if site else "now: there is no question"
            raise IllegalAnswer(f"no option with the code {list(code)} is offered {asked}")
        self.take(words, option, script)

    def take(self, words: Words, option: Option, script: Sequence[Any] = ()) -> None:
        """Take an option that is offered, and run on."""
        self.words = words
        self.script = script
        self._go(self.accept(option))

    def outcomes(self, words: Words) -> dict[int, int]:
        """The outcomes of the chance event that is awaited, each with its weight; none if none is."""
        if not words[CHANCE]:
            return {}
        self.words = words
        found: dict[int, int] = self._guarded(lambda: chance.possible(self))
        return found

    def draw(self, words: Words, value: int, script: Sequence[Any] = ()) -> None:
        """Let an outcome happen that is possible, and run on."""
        self.words = words
        self.script = script
        self._go(chance.take(self, value))

    def playout(self, words: Words, draw: Callable[[], float], most: int) -> list[int]:
        """Run on to the end, every option of a question equally likely by `draw` (0 to below 1); gives the indices of
        the options taken."""
        taken: list[int] = []
        self.run(words)
        options = self.offers or self.options(words)
        while words[SITE]:
            index = int(draw() * len(options))
            taken.append(index)
            if len(taken) > most:
                raise self.fault(f"the game is not over after {most} decisions")
            self.draws.clear()
            self.take(words, options[index])
            options = self.offers
        return taken

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """Play copies of this store to their ends, each with a generator of its own, drawn from `chance`; gives the
        number of decisions. `ends` takes the stores at the ends."""
        decisions = 0
        for _ in range(n):
            words = begun[:]
            rng.set_state(words, chance.getrandbits(64))
            decisions += len(self.playout(words, chance.random, most))
            if ends is not None:
                ends.append(words)
        return decisions

    def evaluate(self, words: Words, expr: ir.Expr, temps: Temps | None = None) -> Any:
        """The value of an expression in this store."""
        self.words = words
        return self._guarded(lambda: self.value(expr, [0] * self.temps if temps is None else temps))

    def eval_fn(self, words: Words, number: int, args: Sequence[Any]) -> Any:
        """The value of a pure function of the program in this store."""
        self.words = words
        return self._guarded(lambda: call(self, number, list(args)))

    # ------------------------------------------------------------ running

    def _go(self, pc: int) -> None:
        self.plain.clear()
        self.undecided = ()
        self._guarded(lambda: self._carry_on(pc))
        if self._checked:
            invariants.places(self)

    def _carry_on(self, pc: int) -> None:
        """Run; a `require` or `pay` that fails behind the commit point of its action ends the action there."""
        while True:
            try:
                return self.loop(pc)
            except DemandFailed:
                base = self.late_action()
                if not base:
                    raise
                pc = frames.stop(self, base)

    def _guarded(self, work: Any) -> Any:
        """Do some work in the present store; what is nobody's fault but the ruleset's becomes a RulesetError."""
        words, recursion = self.words, sys.getrecursionlimit()
        self.probing = False
        sys.setrecursionlimit(max(recursion, RECURSION))
        try:
            return work()
        except DemandFailed as failed:
            raise self.fault(failed.message, failed.span, failed.cites) from None
        except RecursionError:
            raise self.fault("rules are nested too deeply; is a recursion endless?") from None
        finally:
            self.words, self.probing = words, False
            sys.setrecursionlimit(recursion)
