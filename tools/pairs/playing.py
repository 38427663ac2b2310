"""Games in pairs: each seed is played under the rules before and after a change, with common random numbers.

Takes the two sets of rules and the parameters of the games; gives a pair of outcomes for each, in their order, whatever
the number of processes, a cluster or not, and whoever plays. Ctrl-C and a deadline end the run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from dsl.program import Program
from interpreter import Game
from interpreter.rules.rules import NATIVE
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.base.loading import load_game
from tools.commands.simulate import parse_seats
from tools.simulation.players import Play, Style, player_for
from tools.simulation.playout import GameOutcome, GameSetup
from tools.workers.cluster import Cluster
from tools.workers.processes import Pace, results
from tools.workers.progress import progress
from tools.workers.stopping import TimeIsUp, stoppable

PART = 25  # pairs that a process plays at a time: a study may stop soon


@dataclass(frozen=True, slots=True)
class Pair:
    """The outcomes of one seed under both sets of rules. `blind`: that of the rules after the change as well, played by
    bots that think by the rules before it."""

    before: GameOutcome
    after: GameOutcome
    blind: GameOutcome | None = None

    @property
    def setup(self) -> GameSetup:
        return self.before.setup


@dataclass(frozen=True, slots=True)
class PairTask:
    """All that a worker process needs to know: the rules before and after, and who plays, for how long, by which back
    end. `blind`: a third game of each seed is played so."""

    rules: tuple[RulesetReference, RulesetReference]
    bots: tuple[str, ...]
    max_decisions: int
    backend: str = NATIVE
    blind: bool = False

    @property
    def style(self) -> Style:
        return Style(self.bots, (), self.backend, self.max_decisions, common=True, looking=False)

    @property
    def alone(self) -> bool:
        """True where nothing is changed: each game is played once and is its own pair."""
        return self.rules[0] == self.rules[1]


@dataclass(frozen=True, slots=True)
class PairsRun:
    """The end of a run: whether it was interrupted, and that by its deadline, and why native code does not play; empty
    if it does, or is not asked for."""

    interrupted: bool = False
    time_is_up: bool = False
    notice: str = ""


Games = tuple[Game, Game]
Pairs = tuple[list[Pair], str]  # with why native code plays no longer, as in `Batch`
PlayPairs = Callable[[Sequence[GameSetup]], Pairs]


def compared_rules(ruleset: str, overlays: Sequence[str]) -> tuple[RulesetReference, RulesetReference]:
    """The rules without and with overlays; those named with the ruleset alone are compared with the ruleset alone."""
    base = read_reference(ruleset)
    overlaid = read_reference("+".join((ruleset, *overlays)) if "@" not in ruleset else ruleset)
    return base if overlays else RulesetReference(overlaid.path), overlaid


def common_seats(text: str | None, games: Games) -> list[int]:
    """The numbers of seats that are asked for, as far as they are possible both before and after."""
    seats, others = (parse_seats(text, game) for game in games)
    if not (common := [number for number in seats if number in others]):
        raise UserError("no number of seats is possible both before and after, so no games can be compared.")
    return common


def play_pairs(
    games: Games,
    task: PairTask,
    setups: Sequence[GameSetup],
    workers: int | Cluster,
    take: Callable[[Pair], bool],
    quiet: bool,
    lang: str = FALLBACK,
    deadline: float | None = None,
) -> PairsRun:
    """Hand each pair in its order to `take`, until it says that it has enough."""
    notice: str | None = None
    try:
        with stoppable(deadline), progress(len(setups), quiet, phrase(lang, "errata", "pairs")) as advance:
            play, notice = players_of(games, task)
            with closing(parts_of(games, task, setups, workers, play, notice)) as parts:
                for pairs, told in parts:
                    notice = notice or told
                    for pair in pairs:
                        advance()
                        if take(pair):
                            return PairsRun(notice=notice or "")
    except KeyboardInterrupt as stopped:
        return PairsRun(True, isinstance(stopped, TimeIsUp), notice or "")
    return PairsRun(notice=notice or "")


def parts_of(
    games: Games,
    task: PairTask,
    setups: Sequence[GameSetup],
    workers: int | Cluster,
    play: PlayPairs,
    notice: str | None,
) -> Generator[Pairs, None, None]:
    """The pairs in parts, by processes or a cluster."""
    if isinstance(workers, Cluster):
        return workers.results(begin_sent, ((games[0].program, games[1].program), task), setups)
    jobs = min(workers, len(setups))
    pace = Pace(play, jobs, len(setups), notice == "", PART)
    return results(begin_pairs, task, pace.parts(setups), jobs, pace.play)


def players_of(games: Games, task: PairTask) -> tuple[PlayPairs, str | None]:
    """The player of pairs of games; also as `player_for` says it."""
    before, after = games
    styles = [(before, task.style)]
    if not task.alone:
        styles.append((after, task.style))
    if task.blind:
        styles.append((after, replace(task.style, thinking=before)))
    found = [player_for(game, style) for game, style in styles]
    notices = [notice for _, notice in found]
    return partial(play_all_pairs, [play for play, _ in found]), next(filter(None, notices), notices[0])


def play_all_pairs(plays: Sequence[Play], setups: Sequence[GameSetup]) -> Pairs:
    """A game of each seed by each of these; by one alone it is both games of its pair."""
    batches = [play(setups) for play in plays]
    sides = [batch.outcomes for batch in batches]
    pairs = [Pair(*both) for both in zip(*(sides if len(sides) > 1 else sides * 2), strict=True)]
    return pairs, next((batch.notice for batch in batches if batch.notice), "")


def begin_pairs(task: PairTask) -> PlayPairs:
    """In a worker process: the games come from the cache."""
    before, after = task.rules
    return players_of((load_game(before, task.backend), load_game(after, task.backend)), task)[0]


def begin_sent(sent: tuple[tuple[Program, Program], PairTask]) -> PlayPairs:
    """On a machine of a cluster, which has no folder of the ruleset: the programs come with the task."""
    (before, after), task = sent
    return players_of((Game(before, task.backend), Game(after, task.backend)), task)[0]
