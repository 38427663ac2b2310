"""A module that drives single games: stores go into its memory and come out of it, options are read as rows."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache

from interpreter.backends.low.base.exported import (
    ALL_WAYS,
    BEGIN,
    BEST,
    BEST_WORTH,
    LENGTH_AT,
    NOW_WORTH,
    RELIST,
    SEARCH,
    SEARCH_ROOT,
    SEARCHED,
    SEAT_AT,
    SETTLED,
    START,
    TAKE_OUTCOME,
    TAKE_ROW,
)
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.native.cache import Made
from interpreter.backends.native.rows import OptionRows, put_generator, row_of, state_at
from interpreter.backends.native.targets import Instance
from interpreter.choices.generator import Generator
from interpreter.core.question import GreedyChoice, RawOption
from interpreter.core.words import Words

COUNT_BITS = (1 << SEAT_AT) - 1


class NativeModule:
    """An instance for one user. Where low code gives up, each call raises Trapped, and the store is as it was."""

    def __init__(self, instance: Instance, made: Made) -> None:
        self.instance, self.regions = instance, made.regions
        self.memory = instance.memory
        self.top = made.regions.top
        self.rows = OptionRows(made.regions.stride)
        self.caller = cache(instance.caller)

    def hand_in(self, words: Words) -> int:
        """Copy a store into memory; gives its length."""
        self.instance.write(0, words)
        return len(words)

    def take_out(self, words: Words, size: int) -> None:
        """Overwrite a store with the one in memory, which has so many words."""
        words[:] = array("i", self.instance.read(0, size))

    def start(self, words: Words) -> bytes:
        """Run on to the next question; gives the rows of its options."""
        return self._after(words, self.caller(START)(self.hand_in(words)))

    def take(self, words: Words, option: RawOption) -> bytes:
        """Take an option of the pending question and run on; gives the rows of the next one's."""
        size = self.hand_in(words)
        self.instance.write(self.regions.options, row_of(option))
        return self._after(words, self.caller(TAKE_ROW)(size))

    def draw(self, words: Words, value: int) -> bytes:
        """Take an outcome of chance that is asked and run on; gives the rows of the next question's options."""
        self.caller(START)(self.hand_in(words))
        self.caller(TAKE_OUTCOME)(value)
        return self._after(words, self.caller(SETTLED)())

    def list(self, words: Words, all_ways: bool) -> bytes:
        """The rows of the options of the pending question; `all_ways`: including those besides a default."""
        self.caller(BEGIN)(self.hand_in(words))
        if all_ways:
            self.instance.set(ALL_WAYS, 1)
        return self.row_bytes(self.caller(RELIST)())

    def best(
        self, words: Words, options: Sequence[RawOption], seat: int, chance: Generator, declining: bool
    ) -> GreedyChoice:
        """The greedy bot's choice for a seat among the options of the pending question, as `interpreter.bots.foresight`
        makes it; `chance` goes on."""
        length = self._hand_in_question(words, options, chance)
        place = self.caller(BEST)(length, len(options), seat, int(declining))
        chance.state = state_at(self.memory, self.regions.bots)
        return GreedyChoice(place, self.instance.get(BEST_WORTH), self.instance.get(NOW_WORTH))

    def searched(
        self,
        words: Words,
        options: Sequence[RawOption],
        seat: int,
        chance: Generator,
        bounds: tuple[int, ...],
    ) -> int:
        """The place of the option that the search of `interpreter.bots.searching` finds; `bounds`: its iterations,
        scale, cut and exploring. An iteration in which low code gives up counts for nothing. `chance` goes on."""
        iterations, scale, cut, exploring = bounds
        self._hand_in_question(words, options, chance)
        self.caller(SEARCH_ROOT)(len(words), len(options))
        while True:
            try:
                place = self.caller(SEARCH)(iterations, seat, scale, cut, exploring)
                break
            except Trapped:
                if self.instance.get(SEARCHED) > iterations or not self.instance.get(SEARCHED):
                    raise
        chance.state = state_at(self.memory, self.regions.bots)
        return place

    def _hand_in_question(self, words: Words, options: Sequence[RawOption], chance: Generator) -> int:
        """Copy a store, the options of its question and the generator of a bot into memory; gives its length."""
        length, at = self.hand_in(words), self.regions.options
        for option in options:
            self.instance.write(at, row_of(option))
            at += self.regions.stride
        put_generator(self.memory, self.regions.bots, chance)
        return length

    def _after(self, words: Words, given: int) -> bytes:
        self.take_out(words, given >> LENGTH_AT)
        return self.row_bytes(given & COUNT_BITS)

    def row_bytes(self, count: int) -> bytes:
        """The rows of so many options."""
        return self.instance.read(self.regions.options, self.regions.stride * count)

    def planned(self) -> Words | None:
        """The store with which a plan began in the last call; None if none did."""
        at = self.regions.planned
        size = self.memory[at]
        return array("i", self.instance.read(at + 1, size)) if size else None
