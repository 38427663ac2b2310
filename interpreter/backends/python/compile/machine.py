"""A machine whose rules are generated Python.

`PythonMachine` is the reference machine, except that regions of instructions, procedures, functions and the options of
questions are functions of the generated `Module`. The reference carries out the rest. Words of the store and options
are the same on both; tests run them in lock step.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from dsl import ir
from dsl.base.span import NOWHERE, Span
from dsl.program import MOST_OPTIONS, OVER, PC, PLAN, SITE, STEPS, Program
from interpreter.backends.analysis.hoisting import MOST_HOISTED
from interpreter.backends.python.compile.cache import CHECKED, PLAIN, cached_names_of, names_of
from interpreter.backends.python.compile.valuation import Valuation
from interpreter.backends.python.runtime.module import Module
from interpreter.backends.python.runtime.options import RawOptions
from interpreter.choices.binding import rebind
from interpreter.choices.draw import Rng, first_possible
from interpreter.choices.options import too_many
from interpreter.core import frames, rng
from interpreter.core.errors import DemandFailed, RulesetError
from interpreter.core.question import Option
from interpreter.core.run import STOPPED, call
from interpreter.core.words import Temps, Words
from interpreter.machine.machine import Look, Machine

Lister = Callable[[list[int]], list[tuple[int, ...]]]
RegionFunction = Callable[[list[int]], int]  # of the store; gives the instruction at which to go on, or STOPPED

new_option = tuple.__new__  # many options are made; this skips the handling of their field names


PATIENCE = 0.001
"""Seconds of the processor for each instruction of a program that has no code yet, in which the reference carries it
out: about half of what it takes to write the code. Who only asks a first question, as after each change of a rule, does
not wait for the whole of it."""


class Code:
    """The functions of one program, checked or not, by the numbers of what they stand for. `whole`: that there are all
    of them; without names and a module there are none, and the reference carries everything out."""

    def __init__(self, program: Program, names: dict[str, Any], module: Module) -> None:
        self.whole = bool(names)
        size = len(program.code)
        self.regions: list[RegionFunction | None] = [names.get(f"_r{pc}") for pc in range(size)]
        self.takers: list[Callable[[list[int], Any], int]] = [names.get(f"_k{pc}", untaken) for pc in range(size)]
        self.listers = {n: names[f"_l{n}"] for n in module.listers}
        self.bindings = {key: names[f"_v{key[0]}_{key[1]}"] for key in module.bindings}
        self.choices = {  # by the number of a question without a short form: what lists its alternatives
            n: [self.bindings[n, k] for k in range(len(site.alternatives))]
            for n, site in enumerate(program.sites)
            if (n, 0) in self.bindings
        }
        self.rows = {n: names[f"_w{n}"] for n in module.rows}
        self.purses = {n: names[f"_u{n}"] for n in module.purses}
        self.functions = [names.get(f"_f{n}") for n in range(len(program.functions))]
        self.procedures = {n: names[f"_p{n}"] for n in module.procedures}
        self.plans = module.plans
        self.plain = {f.__code__: n for n, f in self.procedures.items()}


class PythonMachine(Machine):
    """`raw`: the options of the question at which it stopped, in the short form of the site with this number (-1:
    options as the reference has them). `noting`: whether draws are noted."""

    def __init__(self, program: Program) -> None:
        self.raw: tuple[int, list[Any]] = (-1, [])
        super().__init__(program)
        self.scratch: Temps = [0] * (max([self.temps, *(f.temps for f in program.functions)]) + 1 + MOST_HOISTED)
        self.noting = True
        self.answered = 0  # in the random game that is played
        self.raw_options = [RawOptions(site) for site in program.sites]
        self.site_numbers = {id(site): n for n, site in enumerate(program.sites)}
        self.alternatives = {
            id(a): (n, k) for n, site in enumerate(program.sites) for k, a in enumerate(site.alternatives)
        }
        self.codes: dict[bool, Code] = {}
        self.due = 0.0  # the time of the processor from which on code that is missing is written; 0: not set
        self.valuation: Valuation | None = None  # once positions are judged
        self.ev[ir.CallFn] = _written

    @property
    def code(self) -> Code:
        found = self.codes.get(self._checked)
        if found is not None and (found.whole or time.process_time() < self.due):
            return found
        now = time.process_time()
        self.due = self.due or now + PATIENCE * len(self.program.code)
        return self.find_code(now < self.due)

    def find_code(self, only_cached: bool = False) -> Code:
        """The code of the program, from the cache or written now; none if it is not in the cache and only that is
        looked at."""
        mode = CHECKED if self._checked else PLAIN
        made = cached_names_of(self, mode) or ({}, Module("", [])) if only_cached else names_of(self, mode)
        found = self.codes[self._checked] = Code(self.program, *made)
        return found

    # ------------------------------------------------------------ options

    @property
    def offers(self) -> list[Option]:
        """The options of the question at which the machine stopped."""
        site, raw = self.raw
        if site < 0:
            return raw
        known = self.raw_options[site]
        return [o if isinstance(o, Option) else known[o] for o in raw]

    @offers.setter
    def offers(self, options: list[Option]) -> None:
        self.raw = (-1, options)

    def singles(self, site: ir.Site, t: Temps) -> list[Option]:
        number = self.site_numbers.get(id(site), -1)
        listed = self.code.listers.get(number)
        if listed is None and number in self.code.choices:
            return self._bound_options(site, self.code.choices[number])
        if listed is None:
            return super().singles(site, t)
        known = self.raw_options[number]
        return [known[o] for o in listed(self.words) if not isinstance(o, Option)]

    def _bound_options(self, site: ir.Site, alternatives: list[Lister]) -> list[Option]:
        """What some alternatives list, as options."""
        kind, words = "number" if site.shape == "number" else "pick", self.words
        found: list[Option] = []
        for k, listed in enumerate(alternatives):
            for values in listed(words):
                found.append(new_option(Option, (kind, (k + 1, *values), k, values)))
            if len(found) > MOST_OPTIONS:
                raise too_many(self, site)
        return found

    def bound(self, alternative: ir.Alternative, t: Temps) -> Iterable[tuple[int, ...]]:
        listed = self.code.bindings.get(self.alternatives.get(id(alternative), (-1, -1)))
        return super().bound(alternative, t) if listed is None else _rebinding(alternative, listed(self.words), t)

    def rows(self, site: ir.Site, t: Temps) -> Iterable[tuple[Any, ...]]:
        listed = self.code.rows.get(self.site_numbers.get(id(site), -1))
        return super().rows(site, t) if listed is None else listed(self.words)

    def source_rows(self, purse: int, t: Temps) -> Iterable[tuple[Any, ...]]:
        listed = self.code.purses.get(purse)
        return super().source_rows(purse, t) if listed is None else listed(self.words, t)

    # ------------------------------------------------------------ running

    def loop(self, pc: int) -> None:
        if self.probing and not self.code.plans:
            super().loop(pc)
            return
        words, regions, limit = self.words, self.code.regions, self.program.limits.steps
        while pc != STOPPED:
            if words[STEPS] > limit:
                raise self.endless()
            region = regions[pc]
            pc = region(words) if region is not None else self.step_by_reference(pc)

    def step_by_reference(self, pc: int) -> int:
        """Carry out one instruction by the reference; gives the next one."""
        words, i = self.words, self.program.code[pc]
        words[PC] = pc
        after = self.ins[type(i)](self, i, pc, self.scratch)
        if 0 <= after <= pc and type(i) in self.COUNTED:
            words[STEPS] += 1
        return after

    def playout(self, words: Words, rng: Rng, most: int, look: Look | None = None) -> int:
        return super().playout(words, rng, most, look) if self._checked else self._play_all([words], rng, most, look)

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        if self._checked:
            return super().playouts(begun, n, chance, most, ends)

        def games() -> Iterator[Words]:
            for _ in range(n):
                words = begun[:]
                rng.set_state(words, chance.getrandbits(64))
                yield words
                if ends is not None:
                    ends.append(words)

        return self._play_all(games(), chance.random, most, None)

    def prepare(self) -> None:
        """Write all code: whoever plays whole games plays many."""
        if not self.code.whole:
            self.find_code()

    def _play_all(self, games: Iterable[Words], rng: Rng, most: int, look: Look | None) -> int:
        """Play stores to their ends; gives the number of answers."""

        def play_all() -> int:
            answers = 0
            for words in games:
                self.words = words
                self._play(words, rng, most, look)
                answers += self.answered
            return answers

        self.prepare()
        self.noting, self.script, self.rng = False, (), rng
        try:
            answers: int = self._guarded(play_all)
        finally:
            self.noting, self.rng = True, None
        return answers

    def _play(self, words: Words, rng: Rng, most: int, look: Look | None) -> None:
        """Play to the end, or until `look` stops the game; `answered` counts the answers."""
        self.plain.clear()
        self.answered = 0
        pc = words[PC]
        if words[SITE]:
            number = words[SITE] - 1
            lister = None if words[PLAN] else self.code.listers.get(number)
            if lister is None:
                self.draw_options(rng)
            else:
                self.raw = (number, lister(words))
            pc = STOPPED
        elif words[OVER]:
            return
        while True:
            try:
                return self._decide(words, pc, rng, most, look)
            except DemandFailed:
                base = self.late_action()
                if not base:
                    raise
                pc = frames.stop(self, base)

    def _decide(self, words: Words, pc: int, rng: Rng, most: int, look: Look | None) -> None:
        """Run from `pc`, and take answers."""
        code, limit = self.code, self.program.limits.steps
        takers, regions, seldom = code.takers, code.regions, self.seldom
        passes, most_passes = self.passes, self.program.limits.passes
        answer: Any = None
        while True:
            while pc >= 0:
                region = regions[pc]
                if region is None or words[STEPS] > limit:
                    self.loop(pc)
                    break
                pc = region(words)
            if not words[SITE]:
                return
            if self.answered == most:
                raise self.fault(f"the game is not over after {most} decisions")
            site, raw = self.raw
            option = self.drawn() if site < 0 or site in seldom else None
            if option is None:
                self.candidates = len(raw)
                answer = raw[int(rng() * len(raw))]
            if look is not None:
                if look(self.raw_options[site][answer] if option is None else option):
                    return
                self.words = words
            self.answered += 1
            passes[0] = most_passes
            pc = takers[words[PC]](words, answer) if option is None else self.accept(option)

    def drawn(self) -> Option | None:
        site, raw = self.raw
        if site < 0 or not self.words[SITE] or self.rng is None:
            return super().drawn()
        return first_possible(self, self.program.sites[site], self.offers, self.scratch, self.rng)

    def run_plain(self, number: int, args: Temps) -> None:
        body = self.code.procedures.get(number)
        if body is None:
            super().run_plain(number, args)
        else:
            self.words[STEPS] -= 1  # counted by the call
            body(self.words, *args[: len(self.program.procs[number].params)])

    def guarded(self, words: Words, work: Callable[[], Any]) -> Any:
        """The result of work on this store; its faults are reported like those of a run of the machine."""
        self.words = words
        return self._guarded(work)

    def holds(self, invariant: ir.Invariant) -> bool:
        return bool(self.eval_now(invariant.fn, []))

    def eval_now(self, number: int, args: Sequence[Any]) -> Any:
        work = self.code.functions[number]
        return call(self, number, [*args]) if work is None else work(self.words, *args)

    def eval_fn(self, words: Words, number: int, args: Sequence[Any]) -> Any:
        self.words = words
        return self._guarded(lambda: self.eval_now(number, args))

    def worth(self, words: Words, base: Words, seat: int) -> int:
        if self.program.evaluate < 0:
            return 0
        if self.valuation is None:
            self.valuation = Valuation(self)
        valuation = self.valuation
        if valuation.words is not base:
            valuation.begin(base)
        self.words = words
        value: int = self._guarded(lambda: valuation.value(words, seat))
        return value

    def fault(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = ()) -> RulesetError:
        """A fault of the rules; which procedures run in generated code is read from Python's own stack."""
        plain = {code: n for made in self.codes.values() for code, n in made.plain.items()}
        running = []
        frame = sys._getframe()
        while frame is not None and frame.f_back is not None:
            if frame.f_code in plain:
                running.append(plain[frame.f_code])
            frame = frame.f_back
        before = self.plain
        if running:
            self.plain = [n for n in before if n not in running] + running[::-1]
        try:
            return super().fault(message, span, cites)
        finally:
            self.plain = before


def untaken(words: list[int], answer: Any) -> int:
    """In place of a function that takes answers in their short form, where a question has none."""
    raise AssertionError("an answer in short form to a question without one")


def _rebinding(alternative: ir.Alternative, rows: list[tuple[int, ...]], t: Temps) -> Iterator[tuple[int, ...]]:
    for values in rows:
        rebind(alternative, values, t)
        yield values


def _written(m: Any, e: ir.CallFn, t: Temps) -> Any:
    """The value of a function that the reference calls, by its generated code."""
    ev = m.ev
    work, args = m.code.functions[e.fn], [ev[type(arg)](m, arg, t) for arg in e.args]
    return call(m, e.fn, args) if work is None else work(m.words, *args)
