"""Many games of one ruleset side by side in native memory: the host of the module that `low.slots` writes.

The module's memory grows by arrays with a place for each game, and numpy looks at these; nothing is copied. Where low
code gives up in a slot, the reference plays that answer, and low code goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dsl.program import PLAN
from interpreter import Game, State, result
from interpreter.backends.low.base import exported
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.native.cache import instance_of_slots
from interpreter.backends.native.rows import option_of, row_of
from interpreter.backends.native.targets import WASM, target_called
from interpreter.core.rng import GOLDEN, MASK_64, mixed
from interpreter.core.words import Words, new_store
from interpreter.session.advance import settle, step
from interpreter.session.decision import Option
from interpreter.session.setup import option_ids
from interpreter.session.state import PlanStart
from tools.adapters.actions import ActionSpace, TooManyOptions
from tools.adapters.observations import ObservationNumbers

ALIGNED = 16  # words


class SteppedGames:
    """Games that are played side by side in one native module: `count` games with so many seats and these options, of
    at most `most` decisions each; `room` as for `ActionSpace`. `given_up`: the steps that the reference played. Raises
    Unsupported where there is no native code, MemoryError where there is no room for so many games."""

    def __init__(
        self, game: Game, count: int, seats: int, options: Mapping[str, str], most: int, room: int
    ) -> None:  # fmt: skip
        self.game, self.count, self.seats, self.options = game, count, seats, dict(options)
        self.space, self.observed = ActionSpace(game, room), ObservationNumbers(game.program)
        self.most, self.given_up = most, 0
        self.begun = first = game.engine.new(seats, options)
        certain = game.engine.certain(first)
        if not certain[PLAN]:  # who does not act sees the store with which a plan has begun
            self.begun = certain
        self.options_of_games = option_ids(game, self.begun)
        self.instance: Any
        self.instance, made = instance_of_slots(game.program, room, target_called(WASM))
        assert made.slots is not None, "a module of slots says where they are"
        self.places, self.stride = made.slots, made.regions.stride
        widths = (*self.places.widths, self.places.widths[exported.OBSERVATION])  # the last: for any seat
        bases, end = [], made.regions.words + -made.regions.words % ALIGNED
        for width in widths:
            bases.append(end)
            end += width * count + -(width * count) % ALIGNED
        self.instance.grow(end - made.regions.words)
        self.memory: Any = np.ctypeslib.as_array(self.instance.memory)
        self.arrays: list[Any] = [
            self.memory[base : base + width * count].reshape(count, width)
            for base, width in zip(bases, widths, strict=True)
        ]
        self.memory[self.places.bases : self.places.bases + len(self.places.widths)] = bases[:-1]
        self.memory[self.places.most] = most
        self.memory[made.regions.begun] = len(self.begun)
        self.instance.write(made.regions.begun + 1, self.begun)
        self.base = bases[-1]
        self._reset, self._step, self._observe = (
            self.instance.caller(name) for name in (exported.SLOTS_RESET, exported.SLOTS_STEP, exported.SLOTS_OBSERVE)
        )

    # ------------------------------------------------------------ what numpy sees

    def column(self, array: int) -> Any:
        """An array with one word for each game."""
        return self.arrays[array][:, 0]

    @property
    def actions(self) -> Any:
        """The number that each game is answered with."""
        return self.arrays[exported.ACTION].view(np.int64)[:, 0]

    @property
    def mask(self) -> Any | None:
        """The legal numbers as bytes; None where there are too many numbers for that."""
        if not self.places.masked:
            return None
        return self.arrays[exported.MASK].view(np.int8)[:, : self.places.actions]

    @property
    def streams(self) -> Any:
        """The streams from which the seeds of the next games come, one for each slot."""
        return self.arrays[exported.SEEDS].view(np.uint64)[:, 0]

    @property
    def seeds(self) -> Any:
        """The seeds of the games in play."""
        return self.arrays[exported.SEEDS].view(np.uint64)[:, 1]

    # ------------------------------------------------------------ what is done

    def reset(self) -> None:
        """Begin the games of all slots whose action is not 0."""
        self._through(self._reset, self._begin)

    def step(self) -> int:
        """Answer each game with its action; gives 0, or -1 less the first slot whose action is not legal: then nothing
        has been done."""
        return self._through(self._step, self._go_on)

    def observations(self, seat: int) -> Any:
        """The observation that a seat has of each game; the same array at each call."""
        self._through(lambda first, end: self._observe(first, end, seat, self.base), lambda slot: self._see(slot, seat))
        return self.arrays[-1]

    def state(self, slot: int) -> State:
        """A game as a state, without its log."""
        words = self._words(self.arrays[exported.STORE][slot], 1)
        state = State(self.game, words, self.seats, dict(self.options_of_games), int(self.seeds[slot]))
        plan = self.arrays[exported.OPEN][slot]
        if plan[0]:
            state.plan = PlanStart(int(plan[1]), self._words(plan, 2), 0)
        return state

    def _words(self, row: Any, first: int) -> Words:
        """A store with its length in front, as the reference takes it."""
        return new_store(row[first : first + int(row[0])].tolist())

    def _through(self, call: Callable[[int, int], int], by_reference: Callable[[int], None]) -> int:
        first = 0
        while True:
            try:
                return call(first, self.count)
            except Trapped:
                slot = int(self.memory[self.places.now])
            self.given_up += 1
            by_reference(slot)
            first = slot + 1

    # ------------------------------------------------------------ the reference, where low code gives up

    def _go_on(self, slot: int) -> None:
        """Play the step of a slot: its answer, or only the beginning of the game that follows."""
        if self.memory[self.places.phase] == exported.BEGINNING:
            self._begin(slot)
            return
        state, arrays = self.state(slot), self.arrays
        decision = state.decision
        assert decision is not None, "who answers is asked"
        acted, taken = int(self.column(exported.ASKED_SEAT)[slot]), int(self.column(exported.TAKEN)[slot]) + 1
        row = self.memory[self.places.row : self.places.row + self.stride].tolist()
        step(state, decision, Option(option_of(row), decision), automatic=False)
        settle(state)
        cut = exported.TRUNCATED if taken >= self.most else exported.IN_PLAY
        how = exported.TERMINATED if state.over else cut
        self.column(exported.ENDED)[slot] = how
        arrays[exported.SCORES][slot], self.column(exported.REWARD)[slot] = 0, 0
        if how == exported.IN_PLAY:
            self.show(slot, state)
            self.column(exported.TAKEN)[slot] = taken
            return
        arrays[exported.FINAL][slot] = self.observed.of(state, acted)
        if state.over:
            found = result(state)
            scores = [found.scores.get(seat, 0) for seat in range(1, self.seats + 1)]
            arrays[exported.SCORES][slot, : self.seats] = scores
            self.column(exported.REWARD)[slot] = found.scores.get(acted, 0)
            self.column(exported.WINNERS)[slot] = sum(1 << seat for seat in found.winners)
        self._begin(slot)

    def _begin(self, slot: int) -> None:
        stream = int(self.streams[slot])
        seed = mixed(stream)
        self.show(slot, self.game.new(self.seats, self.options, seed))
        self.streams[slot], self.seeds[slot] = stream + GOLDEN & MASK_64, seed
        self.column(exported.TAKEN)[slot] = 0

    def show(self, slot: int, state: State) -> None:
        """Write a state into a slot."""
        arrays, decision = self.arrays, state.decision
        legal = self.space.numbers(decision) if decision is not None else []
        if len(legal) > MOST_ROWS:
            raise TooManyOptions(f"{len(legal)} options of one question; there is room for {MOST_ROWS}")
        seat = decision.seat if decision is not None else 0
        arrays[exported.LEGAL][slot, : len(legal)] = legal
        if self.mask is not None:
            self.mask[slot] = 0
            self.mask[slot, legal] = 1
        for place, option in enumerate(decision.options if decision is not None else ()):
            row = row_of(option.raw)
            arrays[exported.ROWS][slot, place * self.stride : place * self.stride + len(row)] = row
        self.column(exported.COUNTS)[slot], self.column(exported.ASKED_SEAT)[slot] = len(legal), seat
        arrays[exported.OBSERVATION][slot] = self.observed.of(state, seat)
        for array, head in ((exported.STORE, (len(state.words),)), (exported.OPEN, (0, 0))):
            arrays[array][slot, : len(head)] = head
        arrays[exported.STORE][slot, 1 : 1 + len(state.words)] = state.words
        if (plan := state.plan) is not None:
            arrays[exported.OPEN][slot, :2] = len(plan.words), plan.seat
            arrays[exported.OPEN][slot, 2 : 2 + len(plan.words)] = plan.words

    def _see(self, slot: int, seat: int) -> None:
        self.arrays[-1][slot] = self.observed.of(self.state(slot), seat)
