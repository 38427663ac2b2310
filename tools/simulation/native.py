"""Games by bots in native code: the same outcomes and usage as `playout` finds, many games at once.

What low code cannot play to its end is played by `playout`, from the same seed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from dsl.program import SEATS
from interpreter import Game, State, hand_over
from interpreter.backends.low.notes.book import FIRST, MOST_SEATS
from interpreter.backends.native.notes import Course
from interpreter.backends.native.walks import Chosen, Generators, NativeWalks, Played
from interpreter.bots.levels import RANDOM
from interpreter.core.words import Words
from interpreter.session.chance import ChanceEvent
from interpreter.session.setup import ASK, DRAW, blank_store
from tools.simulation.answer_usage import LOOKED_AT, AnswerUsage, look_at, looked_at, offers_of
from tools.simulation.bots import GreedyBot, RandomBot, make_bot
from tools.simulation.common_numbers import CommonNumbers
from tools.simulation.native_results import FiguresReader
from tools.simulation.playout import Batch, GameOutcome, GameSetup, Setups, play_out
from tools.simulation.walk import Walk


class NativePlay:
    """Plays games of one run: with these bots, options of the ruleset, and at most so many decisions a game."""

    def __init__(
        self,
        game: Game,
        target: str,
        bots: tuple[str, ...],
        options: Mapping[str, str],
        most: int,
        handing_on: bool = False,
        checked: bool = False,
        common: bool = False,
        looking: bool = True,
    ) -> None:
        """`checked`, `common`: as in `play_out`; `looking`: find out the use of cards and answers."""
        self.game, self.bots, self.options, self.most, self.handing_on = game, bots, options, most, handing_on
        self.checked, self.common = checked, common
        self.walks = NativeWalks(game.machine, target, self._draw, checked)
        self.drawing = set(bots) == {RANDOM} and not common
        self.looked_at = LOOKED_AT if looking else 0
        self.reader: FiguresReader | None = None

    @property
    def notice(self) -> str:
        """Why nothing is played in native code; empty if it is."""
        if len(self.bots) > MOST_SEATS:
            return f"more than {MOST_SEATS} bots"
        self.walks.made()
        return self.walks.notice

    def play(self, setups: Sequence[GameSetup]) -> Batch:
        """Play games, those with the same number of seats and the same facts together."""
        batch = Batch([])
        for alike in self._parts(setups):
            batch.outcomes += self._play(alike, batch)
        batch.outcomes.sort(key=lambda outcome: outcome.setup.number)
        batch.notice = self.walks.notice
        return batch

    def _parts(self, setups: Sequence[GameSetup]) -> list[Setups]:
        """Games that begin alike; one alone, if its offers are to be found out, or what it hands on."""
        most = self.looked_at
        if not isinstance(setups, Setups) or self.handing_on:
            return [Setups.of(setup) for setup in setups]
        first = [setup for setup in setups[:most] if setup.number < most]
        turns = len(setups.seats)
        others = [setups[at::turns] for at in range(len(first), min(len(first) + turns, len(setups)))]
        return [*map(Setups.of, first), *others]

    def _play(self, setups: Setups, batch: Batch) -> list[GameOutcome]:
        """Play games that begin alike."""
        begun = time.process_time()
        words = self._begin(setups[0])
        played = Played([], list(range(len(setups))), [])
        if words is not None:
            played = self.walks.play(words, course_of(setups), self.most, self.seated, self._choose)
        spent = (time.process_time() - begun) / len(setups)
        outcomes = [self._by_hand(setups[at]) for at in played.left]
        if words is None or not played.rows:
            return outcomes
        reader, last = self._reader(), self.walks.final()
        if setups[0].number < self.looked_at:
            offers = self._offers(setups, words)
            if offers is None:
                return [self._by_hand(setups[0])]
            batch.answer_usage.add(offers)
        if self.looked_at:
            reader.count(played.totals, batch.card_usage, batch.answer_usage)
        for row in played.rows:
            outcome = reader.outcome(setups[row[FIRST]], row)
            outcome.seconds = spent * outcome.games
            if self.handing_on and not outcome.unfinished:
                outcome.handed = hand_over(self._state(outcome.setup.seats, last))
            outcomes.append(outcome)
        return outcomes

    def _reader(self) -> FiguresReader:
        if self.reader is None:
            self.reader = FiguresReader(self.game, self.walks.book)
        return self.reader

    @property
    def seated(self) -> tuple[str, ...] | None:
        """The bots where each question has one; None where answers are drawn."""
        return None if self.drawing else self.bots

    @property
    def chance(self) -> str:
        """What is done at chance events."""
        return ASK if self.common else DRAW

    def _begin(self, setup: GameSetup) -> Words | None:
        """The store that games begin with; None where Python has to play them, as it does where one cannot begin."""
        if self.notice:
            return None
        try:
            words = blank_store(self.game, setup.seats, self.options, setup.seed, self.chance, setup.given)
            self.game.machine.checked = self.checked
            self.game.machine.start(words, self.game.program.entry)
        except Exception:  # how it fails is told when the reference plays it
            return None
        return words

    def _offers(self, setups: Setups, words: Words) -> AnswerUsage | None:
        """What was offered in the game that was played last; None if it fails when its options are listed."""
        walk, found = self._walk(setups[0]), AnswerUsage(games=1)
        try:
            stops = looked_at(walk)
            course, seated = course_of(setups), self.seated
            whole = self.walks.look_again(
                words, course, self.most, seated, self._choose, stops, lambda store: look_at(walk, found, store)
            )
            return found if whole else offers_of(walk)
        except Exception:  # as above
            return None

    def _by_hand(self, setup: GameSetup) -> GameOutcome:
        return play_out(
            self.game,
            setup,
            self.bots,
            self.checked,
            self.options,
            self.most,
            self.common,
            setup.number < self.looked_at,
            self.handing_on,
        )

    def _walk(self, setup: GameSetup) -> Walk:
        """The game that was played last, with its answers."""
        walk = Walk(self.game, setup.seats, self.options, setup.seed, self.checked, given=setup.given)
        for n, (site, moment, option) in enumerate(self.walks.trace()):
            walk.sites.append(site)
            walk.answers.append(option)
            if moment:
                walk.moments[n] = moment
        return walk

    def _state(self, seats: int, words: Words) -> State:
        return State(self.game, words, seats, dict(self.options), 0, checked=self.checked)

    def _choose(self, words: Words, generators: Generators, turn: int) -> Chosen:
        """What the bot of the seat that is asked chooses, with its generators as they stand."""
        machine = self.game.machine
        machine.checked = self.checked
        offers = machine.options(words)
        state = self._state(words[SEATS], words[:])
        state.replace_words(state.words, offers, machine.undecided)
        decision = state.decision
        assert decision is not None, "a question is pending"
        bot = make_bot(self.bots[(decision.seat - 1 + turn) % len(self.bots)], 0)
        assert isinstance(bot, RandomBot | GreedyBot)
        bot.random, bot.interrupt_chance = generators[int(isinstance(bot, GreedyBot))]
        option = bot.choose(state)
        if option.decision is decision:
            return Chosen(option.raw, 0, words)
        return Chosen(option.raw, option.decision.seat, option.decision.words)

    def _draw(self, words: Words, seed: int, times: dict[str, int]) -> int:
        """What the common numbers of a game give for the event that a store waits for."""
        numbers = CommonNumbers(seed)
        event = ChanceEvent(self.game, words[:])
        numbers.times[event.address, 0] = times[event.address]
        found = numbers.outcome(event)
        times[event.address] = numbers.times[event.address, 0]
        return found.code


def course_of(setups: Setups) -> Course:
    """Games that begin alike, for native code."""
    return Course(len(setups), setups.numbers.start, setups[0].seed, setups.numbers.step)
