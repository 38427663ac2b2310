"""Mutation testing: whether the checker, a ruling or a played game notices a mutant.

A `MutantRunner` holds a sound ruleset and what each ruling covers and reads of it. It compiles the mutant (parsing only
the changed text), and runs the rulings that read what has changed, those first that cover the changed rule, until one
fails. No other ruling can notice the mutant (`tools.mutation.affected`).
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any

from dsl.driver.pipeline import compile_texts, run_all_passes
from dsl.driver.reference import RulesetReference
from dsl.files.ruleset import FileTexts, read_files
from dsl.overlay import ErrataChoice
from dsl.program import Program
from dsl.syntax.nodes import File
from dsl.syntax.parser import cache_parsed_texts, parse_file
from interpreter import Game
from interpreter.backends.native.targets import WASM
from interpreter.records.ruling import RulingResult, run_ruling
from interpreter.rules.rules import REFERENCE
from tools.base.errors import UserError
from tools.mutation.affected import Part, Recording, changed_parts, same
from tools.mutation.mutants import Mutant, mutants
from tools.simulation.bots import RANDOM
from tools.simulation.coverage import CoverageRecorder
from tools.simulation.players import Style, player_for
from tools.simulation.playout import MOST_DECISIONS, GameOutcome, Setups

# Seconds of the processor for each part of one mutant, and how many times the time without a change is added to them.
BASE_SECONDS, TIME_FACTOR = 10, 3
FAR = 5  # how many times longer than every game without a change an endless one is
LONG_SECONDS = 1  # of the games without a change in the reference, from which native code is tried
REPEAT_SECONDS = 0.25  # seconds of the processor until a limit that had no effect is raised again
REFUSED, RULING, PLAY, FAULT, SURVIVED = "refused", "ruling", "play", "fault", "survived"


@dataclass(frozen=True, slots=True)
class MutantResult:
    """The fate of a mutant. `outcome`: refused (by the checker), ruling, play, fault (the program itself failed),
    survived. `noticed_by`: the ruling, the kind of failure (`time` and `length`: it does not end) or the class of the
    exception."""

    mutant: Mutant
    outcome: str
    noticed_by: str = ""
    message: str = ""


def changed(texts: FileTexts, mutant: Mutant) -> FileTexts:
    """The texts with this mutant, in the ruleset or in an overlay."""
    return replace(
        texts,
        rules=[mutant.apply_to(source) for source in texts.rules],
        patches=[mutant.apply_to(source) for source in texts.patches],
        overlays=[changed(layer, mutant) for layer in texts.overlays],
    )


@dataclass(frozen=True, slots=True)
class KnownRuling:
    """Facts of a ruling: the rules that it covers, the parts of the program that it reads, and the seconds that it
    takes in the reference machine."""

    rules: frozenset[str]
    parts: frozenset[Part]
    seconds: float


def bases(program: Program, name: str) -> frozenset[Part]:
    """The position of this name, and those that it is put on."""
    found: set[Part] = set()
    while name and ("positions", name) not in found:
        found.add(("positions", name))
        name = program.positions[name].base
    return frozenset(found)


class TimeLimitExceeded(BaseException):
    """The time for one mutant is over; a BaseException, so that it is not taken for a fault of a game."""


@dataclass(slots=True)
class MutantRunner:
    """Everything needed to run the mutants of one ruleset with its overlays; it is sent to worker processes."""

    rules: RulesetReference
    games: int
    options: Mapping[str, str] = field(default_factory=dict)  # of the games
    max_decisions: int = MOST_DECISIONS  # after which a game is stopped
    texts: FileTexts = field(default_factory=FileTexts)
    known: dict[str, KnownRuling] = field(default_factory=dict)  # by the name of the ruling
    failing: list[str] = field(default_factory=list)  # rulings that fail without any change
    seconds: float = 0.0  # that compiling a mutant, a ruling besides its own, or the games may take
    longest: int = 0  # decisions of the longest game without a change
    backend: str | None = None  # who plays the games; if it is None, `prepare` tries what is faster
    program: Program | None = None  # without a change

    def prepare(self, advance: Callable[[], None] = lambda: None) -> list[Mutant]:
        """Read the ruleset, record what its rulings read, check that its games can be played; return all mutants.
        `advance` is told after each ruling."""
        self.texts, _ = read_files(self.rules.path, self.rules.layers)
        begun = time.process_time()
        program = self.program = self.compile(self.texts)
        assert program is not None, "only a sound ruleset is mutated"
        spent = time.process_time() - begun
        for name, ruling in program.rulings.items():
            begun = time.process_time()
            recording = Recording(program)
            with CoverageRecorder(recording.game) as coverage:
                passed = run_ruling(recording.game, ruling).passed
            rules = frozenset(a.partition(".")[0] for a in coverage.addresses)
            self.known[name] = KnownRuling(
                rules, recording.parts() | bases(program, ruling.base), time.process_time() - begun
            )
            if not passed:
                self.failing.append(name)
            advance()
        played = self._seconds_of_games(program, self.backend or REFERENCE)
        self.seconds = BASE_SECONDS + TIME_FACTOR * (spent + played)
        if self.backend is None:
            self.backend = self._faster(program, played)
        members = {name: info.ids for name, info in program.domains.items() if info.ids}
        return mutants(self._trees(), self.texts.all(), members, self._patches())

    def _seconds_of_games(self, program: Program, backend: str) -> float:
        """The seconds of the processor that the games without a change take by this back end, with all that has to be
        made for them; they must not fail."""
        begun = time.process_time()
        for outcome in self._played(Game(program, backend)):
            if outcome.failure is not None:
                raise UserError(f"a game of {program.id} fails without any change: {outcome.failure.message}.")
            self.longest = max(self.longest, outcome.decisions)
        return time.process_time() - begun

    def _faster(self, program: Program, played: float) -> str:
        """The back end that plays the games of a mutant sooner: native code has to be made for each of them. The
        reference takes so many seconds."""
        if played < LONG_SECONDS or find_spec("wasmtime") is None:
            return REFERENCE
        return WASM if self._seconds_of_games(program, WASM) < played else REFERENCE

    def _trees(self) -> Iterator[File]:
        """The rules as the overlays make them, without the values for bots."""
        bots = {source.file for layer in (self.texts, *self.texts.overlays) for source in layer.bots}
        done = run_all_passes(self.texts, self.rules.path.name, (2, 4), (), self._chosen())
        return (tree for tree in done.files if tree.path not in bots)

    def _patches(self) -> Iterator[File]:
        for layer in self.texts.overlays:
            yield from (parse_file(source.file, source.text)[0] for source in layer.patches)

    def _chosen(self) -> ErrataChoice:
        return self.rules.chosen

    def compile(self, texts: FileTexts) -> Program | None:
        cache_parsed_texts()
        program, _ = compile_texts(copy(texts), self.rules.path.name, "", chosen=self._chosen())
        return None if program is None or program.broken else program  # a ruling that breaks notices the mutant, too

    def run(self, mutant: Mutant) -> MutantResult:
        texts = changed(self.texts, mutant)
        try:
            with processor_time_limit(self.seconds):
                program = self.compile(texts)
            if program is None:
                return MutantResult(mutant, REFUSED)
            outcome, by, message = self._find_failure(program, self._affected_rulings(program, mutant))
        except TimeLimitExceeded:
            return MutantResult(mutant, PLAY, "time", "it takes several times as long as the ruleset without a change")
        except Exception as fault:  # a fault of the program, which a mutant has revealed
            return MutantResult(mutant, FAULT, type(fault).__name__, str(fault))
        return MutantResult(mutant, outcome, by, message)

    def _affected_rulings(self, program: Program, mutant: Mutant) -> list[str]:
        """The rulings that pass in the unchanged ruleset and read what the mutant changes; those first that cover its
        rule and cover little else."""
        assert self.program is not None, "prepared"
        parts = changed_parts(self.program, program)
        near = []
        for name, ruling in program.rulings.items():
            known = self.known.get(name)
            if known is None or name in self.failing:
                continue
            if parts is None or parts & known.parts or not same(ruling, self.program.rulings[name]):
                near.append((mutant.rule not in known.rules, len(known.rules), name))
        return [name for *_, name in sorted(near)]

    def _find_failure(self, program: Program, near: list[str]) -> tuple[str, str, str]:
        """Outcome, what noticed the mutant, and message. Rulings run in the reference, which needs no code."""
        failed = self._first_failing_ruling(Game(program, REFERENCE), near)
        game = Game(program, self.backend or REFERENCE)
        if failed is not None:
            failure = failed.failures[0]
            return RULING, failed.name, f"{failure.text}: expected {failure.expected}, seen {failure.seen}"
        with processor_time_limit(self.seconds):
            return self._failing_game(game)

    def _first_failing_ruling(self, game: Game, names: list[str]) -> RulingResult | None:
        for name in names:
            with processor_time_limit(self.seconds + TIME_FACTOR * self.known[name].seconds):
                result = run_ruling(game, game.program.rulings[name])
            if not result.passed:
                return result
        return None

    def _failing_game(self, game: Game) -> tuple[str, str, str]:
        """Outcome, what noticed the mutant, and message. A game that does not end counts where without a change none
        comes near the bound."""
        for outcome in self._played(game):
            if outcome.failure is not None:
                return PLAY, outcome.failure.kind, outcome.failure.message
            if outcome.unfinished and self.longest * FAR < self.max_decisions:
                return PLAY, "length", f"a game is not over after {self.max_decisions} decisions"
        return SURVIVED, "", ""

    def _played(self, game: Game) -> Iterator[GameOutcome]:
        """The games, which alternate between the least and the greatest number of seats; more and more at once, since
        one that fails is the last."""
        seats, options = game.program.seats, tuple(self.options.items())
        style = Style((RANDOM,), options, game.backend, self.max_decisions, checked=True, looking=False)
        play, notice = player_for(game, style)
        setups = Setups(range(self.games), seats, 1)
        at = 0
        while at < len(setups):
            part = setups[at : at + (max(at, 1) if notice == "" else 1)]
            yield from play(part).outcomes
            at += len(part)


@contextlib.contextmanager
def processor_time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` after so many seconds of the processor, where the system has such a timer.

    It is raised repeatedly until the block is left: Python prints and ignores what is raised in a callback of the
    garbage collector or in a `__del__`.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def over(number: int, frame: Any) -> None:
        raise TimeLimitExceeded

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, REPEAT_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
