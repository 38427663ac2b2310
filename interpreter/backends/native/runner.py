"""The runner of sessions in native code: a store goes in, and comes out at the next question.

The store that was handed in stays as it is until a call of low code has succeeded. Where low code gives up, the
reference carries out the same call, with the message of a fault if there is one; so it is while the module is made
behind the game (`making`), where there is none, and where chance follows a script.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from dsl.program import OVER, SITE
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.native.draws import DrawsNoted
from interpreter.backends.native.making import Making, T
from interpreter.backends.native.module import NativeModule
from interpreter.backends.native.targets import TARGETS, best_target, target_called
from interpreter.choices.generator import Generator
from interpreter.core.question import GreedyChoice, RawOption
from interpreter.core.run import ChanceOutcome
from interpreter.core.words import Words
from interpreter.machine.invariants import checking
from interpreter.machine.machine import Machine


class NativeRunner:
    """Runs games for a machine, the reference, with the same results: the store, and in `offers`, `undecided`, `draws`
    and `plan_start` what stands in the machine's attributes of these names. `calls`, `given_up`: how often it ran, and
    how often low code gave up. Not for several threads at once."""

    def __init__(self, machine: Machine, backend: str) -> None:
        """`backend`: the target of this name, made at once; or the best one that can be had, made behind the game."""
        self.machine, self.eager = machine, backend in TARGETS
        self.target = target_called(backend) if self.eager else best_target()
        self.checked = False
        self.draws: list[ChanceOutcome] = []
        self.plan_start: Words = array("i")
        self.undecided: tuple[RawOption, ...] = ()
        self.calls = self.given_up = 0
        self._offers: list[RawOption] | None = []  # None: as `_rows` say
        self._rows = b""
        self._makings: dict[bool, Making] = {}
        self._modules: dict[bool, NativeModule] = {}
        self._noted = DrawsNoted(machine.program)

    # ------------------------------------------------------------ the module

    @property
    def making(self) -> Making:
        """The module of the mode that it runs in."""
        found = self._makings.get(self.checked)
        if found is None:
            found = self._makings[self.checked] = Making(self.machine.program, self.target, self.checked, self.eager)
        return found

    def _module(self, words: Words, script: Sequence[Any] = ()) -> NativeModule | None:
        """The module, if it is there and can run this store."""
        found = self._modules.get(self.checked)
        if found is None:
            instance = self.making.instance()
            if instance is None:
                return None
            found = self._modules[self.checked] = NativeModule(*instance)
        return found if not script and len(words) <= found.top else None

    # ------------------------------------------------------------ options

    @property
    def offers(self) -> list[RawOption]:
        """The options of the question at which the last run stopped; made when they are first read."""
        if self._offers is None:
            self._offers = self._modules[self.checked].rows.options(self._rows)
        return self._offers

    def options(self, words: Words) -> list[RawOption]:
        """The options of the pending question; none if there is no question."""
        return self._listed(words, False)

    def all_options(self, words: Words) -> list[RawOption]:
        """The options of the pending question, including those besides a default."""
        return self._listed(words, True)

    def _listed(self, words: Words, all_ways: bool) -> list[RawOption]:
        self.undecided = ()
        if not words[SITE]:
            return []
        module, machine = self._module(words), self.machine
        if module is not None:
            try:
                return module.rows.options(module.list(words, all_ways))
            except Trapped:
                self.given_up += 1
        found = self._by_reference(lambda: (machine.all_options if all_ways else machine.options)(words))
        self.undecided = machine.undecided
        return found

    # ------------------------------------------------------------ running

    def run(self, words: Words, script: Sequence[Any] = ()) -> None:
        """Run to the next question, or to the end. `script`: the prepared chance outcomes of the whole game."""
        if words[SITE] or words[OVER]:
            self._offers, self.undecided = [], ()
            return
        self._run(words, script, lambda module: module.start(words), lambda: self.machine.run(words, script))

    def take(self, words: Words, option: RawOption, script: Sequence[Any] = ()) -> None:
        """Take an option that is offered, and run on."""
        self._run(
            words, script, lambda module: module.take(words, option), lambda: self.machine.take(words, option, script)
        )

    def draw(self, words: Words, value: int, script: Sequence[Any] = ()) -> None:
        """Take a possible outcome of chance that is asked, and run on."""
        self._run(
            words, script, lambda module: module.draw(words, value), lambda: self.machine.draw(words, value, script)
        )

    def interrupt(self, words: Words, proc: int, args: Sequence[Any]) -> None:
        """Start a suspending procedure on top of the pending question, which is asked again when it has ended."""
        self._run(words, (), None, lambda: self.machine.interrupt(words, proc, args))

    def _run(
        self,
        words: Words,
        script: Sequence[Any],
        natively: Callable[[NativeModule], bytes] | None,
        by_reference: Callable[[], None],
    ) -> None:
        self.calls += 1
        module = self._module(words, script) if natively is not None else None
        if module is not None and natively is not None:
            try:
                rows = natively(module)
            except Trapped:
                self.given_up += 1
            else:
                self._offers, self._rows, self.undecided = None, rows, ()
                self._note(module)
                return
        machine = self.machine
        machine.draws.clear()
        machine.plan_start = array("i")
        self._by_reference(by_reference)
        self._offers, self.undecided = machine.offers, machine.undecided
        self.draws += machine.draws
        if machine.plan_start:
            self.plan_start = machine.plan_start

    def _by_reference(self, work: Callable[[], T]) -> T:
        """Let the reference do some work in the mode that this runs in, and give what it gives."""
        with checking(self.machine, self.checked):
            return self.making.spend(work)

    def best(
        self, words: Words, options: Sequence[RawOption], seat: int, chance: Generator, declining: bool
    ) -> GreedyChoice | None:
        """The greedy bot's choice among the options of the pending question; None where that is left to the reference.
        `chance` goes on."""
        module, state = self._module(words), chance.state
        if module is None or self.checked or len(options) > MOST_ROWS:
            return None
        try:
            return module.best(words, options, seat, chance, declining)
        except Trapped:
            self.given_up += 1
            chance.state = state
            return None

    def searched(
        self,
        words: Words,
        options: Sequence[RawOption],
        seat: int,
        chance: Generator,
        bounds: tuple[int, ...],
    ) -> int:
        """The place of the option of the pending question that a search finds; -1 where it is left to the reference.
        `bounds`: iterations, scale, cut and exploring. `chance` goes on."""
        module, state = self._module(words), chance.state
        if module is None or self.checked or len(options) > MOST_ROWS:
            return -1
        try:
            return module.searched(words, options, seat, chance, bounds)
        except Trapped:
            self.given_up += 1
            chance.state = state
            return -1

    def _note(self, module: NativeModule) -> None:
        """Note what low code has noted: the draws, and the store with which a plan began."""
        noted = module.regions.noted
        if module.memory[noted]:
            self.draws += self._noted.read(module.memory, noted)
        planned = module.planned()
        if planned is not None:
            self.plan_start = planned
