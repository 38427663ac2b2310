"""`simulate`: many games by bots, in several processes, and a report of the results.

Game number i of seed S is played with seed S * 1000000 + i, whatever the number of processes. Each failure is
saved as a file for `replay`; Ctrl-C ends the run and reports the results so far.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dsl.base.writing import write_atomic
from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from interpreter import Game
from interpreter.rules.rules import PYTHON
from tools.base.errors import UserError, parse_whole_number
from tools.base.loading import check_backend, choose_language, load_game, parse_options
from tools.base.saves import name_for_command
from tools.simulation.answer_usage import LOOKED_AT
from tools.simulation.bots import make_bot
from tools.simulation.long_runs import progress, reporting_when_terminated, results
from tools.simulation.playout import MOST_DECISIONS, Outcome, Setup, play_out
from tools.simulation.report import Report, render

MAX_GAMES = 10_000_000
MAX_JOBS = 256
MAX_DECISIONS = 10_000_000


@dataclass(frozen=True, slots=True)
class Task:
    """What each worker process needs to know."""

    ruleset: str | RulesetReference
    bots: tuple[str, ...]
    checked: bool
    options: tuple[tuple[str, str], ...]
    backend: str = PYTHON
    max_decisions: int = MOST_DECISIONS  # of one game


def simulate_command(
    ruleset: str,
    games: int,
    seats: str | None,
    seed: int,
    jobs: int | None,
    checked: bool,
    as_json: bool,
    options: Sequence[str],
    bot: str,
    out: Path,
    backend: str = PYTHON,
    max_decisions: int = MOST_DECISIONS,
    verbose: bool = False,
    lang: str | None = None,
    preset: str | None = None,
) -> int:
    game = load_game(ruleset, check_backend(backend))
    lang = choose_language(game, lang)
    if not 1 <= games <= MAX_GAMES:
        raise UserError(f"--games should be a number from 1 to {MAX_GAMES}, but {games} was given.")
    bots = check_play(bot, jobs, max_decisions)
    task = Task(ruleset, bots, checked, tuple(parse_options(game, options, preset).items()), backend, max_decisions)
    setups = make_setups(games, parse_seats(seats, game), seed)
    report = run(game, task, setups, jobs or os.cpu_count() or 1, out, as_json, lang)
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        render(report, name_for_command(ruleset, game.program), verbose, lang)
    return 1 if report.failures or report.interrupted else 0


def parse_seats(text: str | None, game: Game) -> tuple[int, ...]:
    """The numbers of seats in `3`, `2,4`, `2..4` or a list of these; all that are possible for None."""
    low, high = game.program.seats
    if text is None:
        return tuple(range(low, high + 1))
    found: list[int] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        a = parse_whole_number(first, "--seats", low, high)
        b = parse_whole_number(last, "--seats", low, high) if dots else a
        if a > b:
            raise UserError(f"--seats should go from the smaller to the larger number: write {b}..{a}.")
        found += range(a, b + 1)
    return tuple(dict.fromkeys(found))


def make_setups(games: int, seats: Sequence[int], seed: int) -> list[Setup]:
    """The parameters of the games; the numbers of seats take turns."""
    return [Setup(i, seats[i % len(seats)], seed * 1_000_000 + i) for i in range(games)]


def check_play(bot: str, jobs: int | None, max_decisions: int) -> tuple[str, ...]:
    """The names of the bots, where these arguments of games by bots are good."""
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise UserError(f"--jobs should be a number from 1 to {MAX_JOBS}, but {jobs} was given.")
    if not 1 <= max_decisions <= MAX_DECISIONS:
        raise UserError(f"--max-decisions should be a number from 1 to {MAX_DECISIONS}, but {max_decisions} was given.")
    bots = tuple(bot.split(","))
    for name in bots:
        make_bot(name, 0)
    return bots


def run(
    game: Game, task: Task, setups: Sequence[Setup], jobs: int, out: Path, quiet: bool, lang: str = FALLBACK
) -> Report:
    program = game.program
    names = tuple(i.name for i in program.invariants) if task.checked else ()
    jobs = min(jobs, len(setups))
    report = Report(program, len(setups), task.checked, task.bots, jobs, names, task.max_decisions)
    begun = time.perf_counter()
    try:
        with reporting_when_terminated(), progress(len(setups), quiet, phrase(lang, "simulate", "games")) as advance:
            for outcome in results(begin_play, task, setups, report.jobs, partial(play_one_of, game, task)):
                report.add(outcome, save_failure(outcome, program.id, out))
                advance()
    except KeyboardInterrupt:
        report.interrupted = True
    report.seconds = time.perf_counter() - begun
    return report


def begin_play(task: Task) -> Callable[[Setup], Outcome]:
    """In a worker process: the game comes from the cache."""
    return partial(play_one_of, load_game(task.ruleset, task.backend), task)


def play_one_of(game: Game, task: Task, setup: Setup) -> Outcome:
    """Play a game; what is offered is found out in the first ones of a run."""
    options, looking = dict(task.options), setup.number < LOOKED_AT
    return play_out(game, setup, task.bots, task.checked, options, task.max_decisions, looking=looking)


def save_failure(outcome: Outcome, ruleset: str, out: Path) -> str | None:
    """Write the file that reproduces a failure; return its name, None without a failure or where it cannot be
    written, which is told: the games go on, since their figures count too."""
    if outcome.failure is None:
        return None
    file = out / f"{ruleset}-{outcome.setup.seats}seats-{outcome.setup.seed}.json"
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json.dumps(outcome.failure.save, ensure_ascii=False, indent=1))
    except OSError as fault:
        print(f"note: {file} cannot be written: {fault.strerror or fault}.", file=sys.stderr)
        return None
    return str(file)
