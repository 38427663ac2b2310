"""One game by the reference and in low code: at each question all words and all options must agree.

Where low code gives up, the reference must have a fault, or the game goes on from its store; `given_up` counts the
latter, which is allowed but slow, and `beyond` those of them in which a number on the way left its range (decision 74).
With gaps a question may be one that low code cannot list: then the reference goes on alone to the next one.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from dsl.program import SITE, Program
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.backends.low.whole.lowering import Lowered, guarded, lower_with
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine
from tests.interpreter.stepper import Runner, Stepper
from tests.printed import printed

WITH_A_GAP = """
kind Seat
    field total: 0..99
kind Tree: 5
    field grown: 0..4
phase game
    for every round in 1..9
        for every p in seats
            let order = list(t in Tree)
            choose amounts ts for t in order each 0..1 such that total(ts) is not 2 by p
            for every t in Tree: set t.grown to min(t.grown + ts[t], 4)
            choose number n in 0..3 by p
            set p.total to p.total + n
            choose number m in 0..2 by p
            set p.total to p.total + m
"""  # rules with a question that cannot be lowered yet


def nothing_more(lo: Lowering) -> None:
    """Write nothing besides what plays."""


def lower(program: Program, gaps: bool = False, more: Callable[[Lowering], None] = nothing_more) -> Lowered:
    """The module of a program. What cannot be lowered yet gives up, or raises Unsupported, with a few words about it,
    if there must be no `gaps`. `more` writes what else is wanted."""
    return guarded(lambda: lower_with(program, [] if gaps else None, nothing_more, more, ()))


def gaps_of(program: Program) -> tuple[str, ...]:
    """What has no native form in a program, functions that are never called included."""

    def all_functions(lo: Lowering) -> None:
        for number in range(len(program.functions)):
            lo.want(FUNCTION, number)

    return lower(program, True, all_functions).gaps


MakeRunner = Callable[[low.Module], Runner]


class LowPair:
    """Raises Unsupported for a program that cannot be lowered."""

    def __init__(self, program: Program, make: MakeRunner = printed, gaps: bool = False) -> None:
        self.program, self.machine = program, Machine(program)
        lowered = lower(program, gaps)
        self.stepper = Stepper(lowered.regions, make(lowered.module))
        self.words = new_store()
        self.given_up = self.beyond = self.faults = 0
        self.behind = False  # the pending question cannot be listed in low code

    def play(self, words: Words, choices: random.Random, decisions: int) -> int:
        """Begin a game in this store and play it at random; gives the number of decisions."""
        self.words, self.behind = new_store(words), False
        self.machine.start(self.words, self.program.entry)
        self.stepper.load(self.words)
        if not self.both(lambda: self.machine.run(self.words), self.stepper.run):
            return 0
        for done in range(decisions):
            if not self.words[SITE]:
                return done
            options = self.machine.options(self.words)
            index = choices.randrange(len(options))
            option = options[index]
            if not self.both(
                partial(self.machine.take, self.words, option),
                partial(self.stepper.answer, index),
            ):
                return done
        return decisions

    def catch_up(self) -> bool:
        """Go on in low code from the store of the reference; false if it gives up at the pending question."""
        self.stepper.load(self.words)
        try:
            self.stepper.run()
        except Trapped as trapped:
            assert trapped.reason != low.Reason.FAULT
            return False
        return True

    def both(self, by_reference: Callable[[], None], in_low_code: Callable[[], None]) -> bool:
        """Do the same in both; false after a fault of the rules."""
        try:
            by_reference()
        except RulesetError as fault:
            self.faults += 1
            try:
                in_low_code()
            except Trapped:
                return False
            raise AssertionError(f"low code did not notice: {fault.message}") from None
        try:
            if self.behind:
                raise Trapped(low.Reason.GAP)
            in_low_code()
        except Trapped as trapped:
            self.given_up += 1
            self.beyond += trapped.reason == low.Reason.RANGE
            self.behind = not self.catch_up()
        if self.behind:
            return True
        assert self.stepper.words == self.words
        assert self.stepper.options == self.machine.options(self.words)
        return True
