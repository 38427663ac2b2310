"""The bare loop for bots, searches and learners: a position, its options by number, and nothing else.

A `Driver` has no log, no texts and no reasons; `state()` makes a `State` of its position for those. It runs in native
code where that can be had, with the same stores as everywhere, and by the reference else. Drivers of one game share one
memory, so a copy costs its store, and the one that was driven last goes on quickest.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dsl import ir
from dsl.program import CHANCE, OVER, PLAN, SEATS, SITE
from interpreter.backends.low.base.exported import LENGTH_AT, SEAT_AT
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.native.rows import row_of
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.question import AUTOMATIC_LIMIT, RawOption
from interpreter.core.words import Words
from interpreter.rules.numbering import Numbering
from interpreter.rules.rules import Rules
from interpreter.session.advance import endless_answers, require_sight
from interpreter.session.decision import Decision
from interpreter.session.setup import option_ids
from interpreter.session.state import State

if TYPE_CHECKING:
    from interpreter.backends.native.drive import Drive

MOST_KNOWN = 20_000  # lists of options of one question whose numbers are kept
COUNT_BITS, SEAT_BITS = (1 << SEAT_AT) - 1, 0xFF


class Driver:
    """A position of a game. `seat`: who is asked, by number from 1; 0: nobody, since the game is over or waits for
    chance. `count`: the number of options, which `answer` takes by their places from 0; forced answers are taken
    without asking, as in `apply`. Not for several threads at once."""

    __slots__ = (
        "game",
        "auto",
        "seat",
        "count",
        "_drive",
        "_words",
        "_size",
        "_rows",
        "_options",
        "_outcomes",
        "_sighted",
    )

    def __init__(self, game: Rules, words: Words, auto: bool = True) -> None:
        """`words`: a store that has been begun, run on to the next question here. It stays as it is. `auto`: whether
        forced answers are taken without asking."""
        self.game, self.auto = game, auto
        self.seat = self.count = 0
        self._drive: Drive | None = drive_of(game, auto)
        self._sighted = game.cached(sighted_sites)
        self._words: Words | None = None  # the store; None: it lies in memory
        self._size = 0  # its length, where it lies in memory
        self._rows: bytes | None = None  # the rows of the options, as they lie in memory
        self._options: list[RawOption] | None = None
        self._outcomes: list[tuple[int, int]] | None = None
        self.go_to(words)

    # ------------------------------------------------------------ the position

    @property
    def over(self) -> bool:
        """True once the game has ended."""
        return self._word(OVER) == 1

    @property
    def plans(self) -> bool:
        """True while a plan is open, which other seats do not see yet."""
        return self._word(PLAN) != 0

    @property
    def waits_for_chance(self) -> bool:
        """True while chance that is asked is awaited: `draw` takes one of the `outcomes`."""
        return not self.seat and self._word(CHANCE) != 0

    @property
    def words(self) -> Words:
        """The store: the whole position. A copy, unless the position has left the memory; it must not be changed."""
        if self._words is None:
            assert self._drive is not None, "a position without a store lies in memory"
            self._words = self._drive.words(self._size)
        return self._words

    def go_to(self, words: Words) -> None:
        """Go to another position of the game: to an earlier one, which undoes what has been done since."""
        drive = self._drive
        if drive is not None and len(words) <= drive.top:
            if drive.holder is self:
                self._words, drive.holder = self.words, None
            drive.hold(None)
            try:
                return self._arrive(drive.begin(words))
            except (Trapped, RulesetError):
                drive.holder = None
        self._go_on_by_reference(words[:], None)

    def copy(self) -> Driver:
        """An independent driver at this position."""
        other = Driver.__new__(Driver)
        other.game, other.auto, other.seat, other.count = self.game, self.auto, self.seat, self.count
        other._size, other._sighted = 0, self._sighted
        other._drive, other._words, other._options, other._outcomes = self._drive, self.words, self._options, None
        other._rows = self._kept_rows()
        return other

    def state(self) -> State:
        """The position as a `State` with an empty log, for views, texts, results and reasons."""
        words = self.words[:]
        return State(self.game, words, words[SEATS], option_ids(self.game, words))

    def leave(self) -> None:
        """Copy the position out of the memory; called by the memory, when another one comes in."""
        self._rows = self._kept_rows()
        self._words = self.words

    # ------------------------------------------------------------ answers

    @property
    def options(self) -> list[RawOption]:
        """The options of the question, in the canonical order."""
        if self._options is None:
            rows, drive = self._kept_rows(), self._drive
            if rows is None or drive is None:
                self._options = self.game.machine.options(self.words)
            else:
                self._options = drive.rows.options(rows)
        return self._options

    def answer(self, number: int) -> None:
        """Take the option at this place, and go on to the next question. IllegalAnswer, with nothing changed, if there
        is none; RulesetError for a fault of the rules, which leaves the position as it was."""
        if not 0 <= number < self.count:
            raise IllegalAnswer(f"there is no option {number}: {self._offered()}")
        drive = self._drive
        if drive is None:
            return self._go_on_by_reference(self.words[:], self.options[number])
        try:
            self._arrive(drive.answer(number) if drive.holder is self else self._answer_apart(drive, number))
        except (Trapped, RulesetError):
            if drive.holder is self and self._words is None:
                self._words, row = drive.kept()
                option = drive.rows.options(row)[0]
            else:
                option = self.options[number]
            drive.holder = None
            self._go_on_by_reference(self.words[:], option)

    def _answer_apart(self, drive: Drive, number: int) -> int:
        """Take an option where another position lies in memory."""
        words, row = self.words, self._row(number)
        drive.hold(self)
        return drive.answer_row(words, row)

    def _row(self, number: int) -> bytes:
        if self._rows is None:
            return row_of(self.options[number]).tobytes()
        assert self._drive is not None, "rows come from native code"
        size = self._drive.rows.size
        return self._rows[number * size : (number + 1) * size]

    def _offered(self) -> str:
        if self.count:
            return f"they are numbered from 0 to {self.count - 1}"
        return "an outcome of chance is awaited" if self.waits_for_chance else "the game is over"

    def numbers(self, numbering: Numbering | None = None) -> list[int]:
        """The fixed numbers of the options, in their order (`interpreter.choices.numbers`); `numbering`: with other
        room than usual. Raises TooManyOptions."""
        return self._numbered(numbering)[0]

    def sorted_numbers(self, numbering: Numbering | None = None) -> list[int]:
        """The fixed numbers of the options, the lowest first."""
        return self._numbered(numbering)[1]

    def _numbered(self, numbering: Numbering | None) -> tuple[list[int], list[int]]:
        numbering, site = numbering or self.game.cached(Numbering), self._word(SITE) - 1
        if site < 0:
            return [], []
        rows, known = self._kept_rows(), numbering.known[site]
        found = known.get(rows) if rows is not None else None
        if found is None:
            numbers = self._worked_out(numbering, site, rows)
            found = numbers, sorted(numbers)
            if rows is not None:
                if len(known) >= MOST_KNOWN:
                    known.clear()
                known[rows] = found
        return found

    def _worked_out(self, numbering: Numbering, site: int, rows: bytes | None) -> list[int]:
        drive, known = self._drive, numbering.rows[site]
        if rows is None or drive is None or not numbering.blocks[site].ranges:
            return [numbering.number(site, option, place) for place, option in enumerate(self.options)]
        found = []
        for place, (row,) in enumerate(drive.rows.each(rows)):
            number = known.get(row)
            if number is None:
                number = known[row] = numbering.number(site, drive.rows.options(row)[0], place)
            found.append(number)
        return found

    @property
    def question(self) -> int:
        """The number of the question, from 0; -1: nothing is asked."""
        return self._word(SITE) - 1

    @property
    def event(self) -> str:
        """The address of the chance event that is awaited; empty if none is."""
        i = self.game.program.code[self._word(CHANCE)]
        return i.address if isinstance(i, ir.Chance) else ""

    def index(self, option: RawOption) -> int:
        """The place of an option; IllegalAnswer if it is not offered."""
        try:
            return self.options.index(option)
        except ValueError:
            raise IllegalAnswer(f"no option with the code {list(option.code)} is offered: {self._offered()}") from None

    # ------------------------------------------------------------ chance

    @property
    def outcomes(self) -> list[tuple[int, int]]:
        """The possible outcomes of the chance event that is awaited, each with its weight; empty if none is."""
        if self._outcomes is None:
            self._outcomes = self._list_outcomes() if self.waits_for_chance else []
        return self._outcomes

    def draw(self, value: int) -> None:
        """Take this outcome of chance, and go on to the next question. IllegalAnswer if it cannot come."""
        if all(value != possible for possible, _ in self.outcomes):
            raise IllegalAnswer(f"the outcome {value} cannot come now")
        drive = self._come_in()
        if drive is not None:
            self.leave()
            try:
                return self._arrive(drive.draw_outcome(value))
            except (Trapped, RulesetError):
                drive.holder = None
        self._go_on_by_reference(self.words[:], None, value)

    def _list_outcomes(self) -> list[tuple[int, int]]:
        drive = self._come_in()
        if drive is not None:
            self.leave()
            try:
                return drive.outcomes()
            except Trapped:
                drive.holder = None
        return list(self.game.machine.outcomes(self.words).items())

    # ------------------------------------------------------------ where it is

    def _come_in(self) -> Drive | None:
        """The memory with this position in it; None where only the reference can go on."""
        drive = self._drive
        if drive is not None and drive.holder is not self and len(self.words) <= drive.top:
            self.go_to(self.words)
        return drive if drive is not None and drive.holder is self else None

    def _word(self, at: int) -> int:
        drive = self._drive
        if self._words is None and drive is not None:
            found: int = drive.memory[at]
            return found
        return self.words[at]

    def _arrive(self, given: int) -> None:
        """Stand at the next question, which lies in memory. RulesetError, still standing where this was before, if its
        options would be a peek."""
        drive = self._drive
        assert drive is not None, "a position in memory"
        if self._sighted and drive.memory[SITE] - 1 in self._sighted:
            require_sight(self.game, drive.words(given >> LENGTH_AT))
        drive.holder = self
        self._size, self.count = given >> LENGTH_AT, given & COUNT_BITS
        self.seat = given >> SEAT_AT & SEAT_BITS
        self._words = self._rows = self._options = self._outcomes = None

    def _kept_rows(self) -> bytes | None:
        """The rows of the options, where they come from native code."""
        if self._rows is None and self._options is None and self._drive is not None and self._drive.holder is self:
            self._rows = self._drive.row_bytes(self.count) if self.count else b""
        return self._rows

    def _go_on_by_reference(self, words: Words, option: RawOption | None, outcome: int | None = None) -> None:
        """Run a copy of the store on by the reference, and stand there."""
        machine = self.game.machine
        machine.checked = False
        machine.draws.clear()
        if outcome is not None:
            machine.draw(words, outcome)
        elif option is not None:
            machine.take(words, option)
        else:
            machine.run(words)
        offers = machine.offers if option is not None or not words[SITE] or machine.offers else None
        seat = count = 0
        for _ in range(AUTOMATIC_LIMIT + 1):
            require_sight(self.game, words)
            if not words[SITE]:
                offers = []
                break
            decision = Decision(self.game, words, offers)
            forced = decision.forced if self.auto else None
            if forced is None:
                offers, seat, count = decision.offers, decision.seat, len(decision.offers)
                break
            machine.take(words, forced.raw)
            offers = machine.offers
        else:
            raise endless_answers(self.game, words)
        self.seat, self.count = seat, count
        self._words, self._options, self._rows, self._outcomes = words, offers, None, None


def sighted_sites(game: Rules) -> frozenset[int]:
    """The numbers of the questions that only who sees what they read may be asked."""
    return frozenset(n for n, answers in enumerate(game.answers) if answers.site.sighted)


def drive_of(game: Rules, auto: bool = True) -> Drive | None:
    """The memory that the drivers of a game share; None where there is no native code for it."""
    return game.cached(_SETTLING if auto else _ASKING)


def _drive(game: Rules, settles: bool) -> Drive | None:
    from interpreter.backends.native.drive import Drive  # it is loaded where something is driven

    making = game.making
    if making is None:
        return None
    making.wait()
    instance = making.instance()
    return Drive(*instance, settles) if instance is not None else None


_SETTLING, _ASKING = partial(_drive, settles=True), partial(_drive, settles=False)
