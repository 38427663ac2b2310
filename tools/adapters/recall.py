"""All that one seat has been told in a game so far, as rows of numbers: an information state beyond a view.

A row is an answer, an outcome of chance, or a change of what the seat sees without either. Its five numbers are

    who       the seat that answered; 0: chance, or nobody
    question  the question or the chance event, from 1 on; 0: not told
    number    the fixed number of the answer or the outcome, plus 1; 0: not told, or it has none
    line      a check number of the line in the log of the seat; 0: there is none
    seen      a check number of what the seat sees behind it; 0: another row of the same step follows

so that two pasts that the seat can tell apart have different rows, but for a chance of one in 2^24 each. Rows are added
only; an answer of a loop `at once` has a second row when it is laid open. They say no more than log and view.
"""

from __future__ import annotations

from array import array
from zlib import crc32

from dsl import ir
from interpreter import State, copy
from interpreter.session.log import narrate
from tools.adapters.actions import ActionSpace
from tools.adapters.chances import ChanceNumbers
from tools.adapters.driven import Driven, Step, Trail, replay
from tools.adapters.observations import ObservationNumbers

COLUMNS = 5
ROWS = 256  # of a game, if nothing else is said
CHECK_BITS = 24  # so many a float of 32 bits holds exactly

Row = tuple[int, int, int, int, int]


class RowNumbers:
    """The numbers that rows are made of, for one ruleset."""

    def __init__(self, space: ActionSpace, chances: ChanceNumbers, observed: ObservationNumbers) -> None:
        self.space, self.chances, self.observed = space, chances, observed
        program = space.game.program
        addresses = [site.address for site in program.sites]
        addresses += [i.address for i in program.code if isinstance(i, ir.Chance)]
        self.questions = {address: n for n, address in enumerate(dict.fromkeys(addresses), 1)}

    def of_step(self, state: State, step: Step) -> int:
        """The number of a step that may be taken now, plus 1; 0: it is numbered by its place, which tells too much."""
        if isinstance(step, tuple):
            assert state.chance is not None, "a chance event is awaited"
            lowest = self.chances.lowest.get(state.chance.address)
            return 0 if lowest is None else step[0] - lowest + 1
        decision = state.decision
        assert decision is not None, "an answer is awaited"
        if not self.space.blocks[decision.number].ranges:
            return 0
        return self.space.number(decision.number, decision.options[step].raw, step) + 1


class Recall:
    """The rows of one seat (None: what everybody is told) up to one position; `at`: the trail that leads there."""

    def __init__(self, numbers: RowNumbers, seat: int | None, state: State, at: Trail = None) -> None:
        self.numbers, self.seat, self.state, self.at = numbers, seat, state, at
        self.rows: list[Row] = []
        self.told = 0  # entries of the log that have their row
        self.steps: dict[int, int] = {}  # the numbers of entries that are not told yet, or not to all
        self.waiting: list[int] = []  # entries that will be laid open
        self.seen = 0
        self._note()

    def at_position(self, driven: Driven) -> Recall:
        """The rows of a later position, or of this one."""
        if driven.trail is self.at:
            return self
        later = Recall.__new__(Recall)
        later.numbers, later.seat, later.told, later.seen = self.numbers, self.seat, self.told, self.seen
        later.rows, later.waiting, later.steps = self.rows[:], self.waiting[:], self.steps.copy()
        later.state, later.at = copy(self.state), driven.trail
        for step in driven.steps(self.at):
            later.steps[len(later.state.log)] = self.numbers.of_step(later.state, step)
            replay(later.state, step)
            later._note()
        return later

    def _note(self) -> None:
        """Add the rows of what has been told since the last time."""
        state, before = self.state, len(self.rows)
        hidden = state.plan is not None and state.plan.seat != self.seat
        end = state.plan.entries if hidden and state.plan is not None else len(state.log)
        open_now = [place for place in self.waiting if not state.log[place].is_waiting()]
        self.waiting = [place for place in self.waiting if state.log[place].is_waiting()]
        for place in (*open_now, *range(self.told, end)):
            self._add(place)
        self.told = max(self.told, end)
        self.steps = {place: n for place, n in self.steps.items() if place >= self.told or place in self.waiting}
        seen = check(array("q", self.numbers.observed.of(state, self.seat)).tobytes())
        if len(self.rows) > before:
            self.rows[-1] = (*self.rows[-1][:-1], seen)
        elif seen != self.seen:
            self.rows.append((0, 0, 0, 0, seen))
        self.seen = seen

    def _add(self, place: int) -> None:
        """Add the row of an entry of the log, if the seat notices it."""
        entry = self.state.log[place]
        if entry.is_waiting():
            self.waiting.append(place)
        line = narrate(self.state.game, entry, self.seat)
        seat = entry.decider()[2]
        own = bool(seat) and seat == self.seat
        if not line and not own:
            return
        shown = own or entry.seen_by(self.seat)
        question = self.numbers.questions.get(entry.address, 0) if shown else 0
        step = self.steps.get(place, 0) if shown and (own or not entry.unnamed_to(self.seat)) else 0
        self.rows.append((seat, question, step, check(line.encode()), 0))


def check(of: bytes) -> int:
    """A number from 1 to 2^24 - 1 that tells such bytes from others; 0 for none."""
    return crc32(of) % ((1 << CHECK_BITS) - 1) + 1 if of else 0
