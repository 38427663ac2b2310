"""The commands `rulewright lab ladder` and `rulewright lab calibrate`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter import Game
from tools.base.errors import CommandEnd, UserError
from tools.base.loading import choose_backend, choose_language, load_game, parse_options
from tools.commands.simulate import check_play
from tools.matches.calibrate import calibrate
from tools.matches.ladder import Ladder, rungs_of, steps_of
from tools.matches.logistic import Reading
from tools.matches.plan import bouts_of, check_games, check_levels, check_seats
from tools.matches.play import MatchTask, play_bouts
from tools.matches.readings import play_readings
from tools.matches.tally import MatchResult, tally
from tools.matches.text import print_calibration, print_ladder
from tools.simulation.bots import MOST_ITERATIONS
from tools.workers.stopping import deadline_after, seconds_of

LEVELS = "random,greedy,search:50,search:100,search:200,search:400,search:800"
UNJUDGED = "random,search:50,search:100,search:200,search:400,search:800"  # where no `evaluate` makes a greedy bot


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """The arguments that both commands have: `games` of each match, and how they are played and told."""

    ruleset: str
    games: int
    seats: int | None
    seed: int
    jobs: int | None
    max_decisions: int
    options: Sequence[str]
    preset: str | None
    as_json: bool
    lang: str | None

    def begin(self) -> tuple[Game, MatchTask, int, int, str]:
        """The game, the task of its workers, the number of seats and of processes, and the language."""
        backend = choose_backend(None, self.games)
        game = load_game(self.ruleset, backend)
        check_games(self.games)
        check_play("random", self.jobs, self.max_decisions)
        options = tuple(parse_options(game, self.options, self.preset).items())
        task = MatchTask(self.ruleset, options, backend, self.max_decisions)
        jobs, lang = self.jobs or os.cpu_count() or 1, choose_language(game, self.lang)
        return game, task, check_seats(game, self.seats), jobs, lang


def ladder_command(asked: MatchRequest, levels: str | None, time_limit: str | None) -> int:
    seconds = seconds_of(time_limit)
    game, task, seats, jobs, lang = asked.begin()
    usual = LEVELS if game.program.evaluate >= 0 else UNJUDGED
    steps = steps_of(check_levels(usual if levels is None else levels, 2))
    bouts = list(bouts_of(steps, asked.games, seats, asked.seed))
    played, interrupted = play_bouts(game, task, bouts, jobs, False, lang, deadline_after(seconds))
    matches = tally(steps, played)
    if not all(match.pairs for match in matches):
        raise CommandEnd(1, "stopped before each match had a pair of games: nothing can be said yet.")
    program = game.program
    found = Ladder(
        program.named, program.digest, seats, asked.seed, asked.games, asked.max_decisions, matches,
        rungs_of(matches, asked.seed), interrupted,
    )  # fmt: skip
    if asked.as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    else:
        print_ladder(found, lang)
    return 1 if any(match.failures for match in matches) or (interrupted and seconds is None) else 0


def calibrate_command(asked: MatchRequest, iterations: int) -> int:
    if not 1 <= iterations <= MOST_ITERATIONS:
        raise UserError(f"--iterations should be a number from 1 to {MOST_ITERATIONS}, but {iterations} was given.")
    game, task, seats, jobs, lang = asked.begin()

    def play(matches: Sequence[tuple[str, str]], number: int) -> tuple[list[MatchResult], bool]:
        bouts = list(bouts_of(matches, asked.games, seats, asked.seed, (number + 1) * asked.games))
        played, interrupted = play_bouts(game, task, bouts, jobs, False, lang)
        return tally(matches, played), interrupted

    greedy: list[list[list[Reading]]] = []
    if game.program.evaluate >= 0:
        greedy = play_readings(game, task, asked.games, seats, asked.seed, jobs, lang)
    found = calibrate(game, greedy, play, iterations)
    if asked.as_json:
        head = {"ruleset": game.program.named, "digest": game.program.digest, "seats": seats, "seed": asked.seed}
        more = {"games": asked.games, "iterations": iterations, "max_decisions": asked.max_decisions}
        print(json.dumps({**head, **more, **found.to_json()}, ensure_ascii=False, indent=2))
    else:
        print_calibration(found, game.program.named, seats, asked.seed, iterations, asked.max_decisions, lang)
    return 1 if found.interrupted or any(trial.result.failures for trial in found.trials) else 0
