"""`simulate`: many games by bots, in several processes, and a report of the results.

Game number i of seed S is played with seed S * 1000000 + i, whatever the number of processes. Each failure is
saved as a file for `replay`; Ctrl-C, a signal to end or the end of its time ends the run and reports the results so
far.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl.base.writing import write_atomic
from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from dsl.program import Program
from interpreter import Game
from interpreter.rules.rules import NATIVE
from interpreter.session.setup import seats_for
from tools.base.errors import UserError, parse_whole_number, shorten, unknown_message
from tools.base.handed import check_facts, read_facts
from tools.base.loading import choose_backend, choose_language, load_game, parse_options
from tools.base.saves import name_for_command
from tools.simulation.bots import make_player
from tools.simulation.players import Play, Style, player_for
from tools.simulation.playout import MOST_DECISIONS, GameOutcome, GameSetup, Setups
from tools.simulation.report import Report, render
from tools.workers.cluster import RAY, Cluster, connected
from tools.workers.processes import Pace, results
from tools.workers.progress import progress
from tools.workers.stopping import TimeIsUp, deadline_after, seconds_of, stoppable

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
    backend: str = NATIVE  # as it was chosen; where that is native code and cannot be had, Python plays
    max_decisions: int = MOST_DECISIONS  # of one game
    handing_on: bool = False  # whether other games begin from their ends

    @property
    def style(self) -> Style:
        return Style(
            self.bots,
            self.options,
            self.backend,
            self.max_decisions,
            self.checked,
            handing_on=self.handing_on,
        )


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
    backend: str | None = None,
    max_decisions: int = MOST_DECISIONS,
    verbose: bool = False,
    lang: str | None = None,
    preset: str | None = None,
    begin_from: Path | None = None,
    then: str | None = None,
    cluster: str | None = None,
    time_limit: str | None = None,
) -> int:
    seconds = seconds_of(time_limit)
    if cluster not in (None, RAY):
        raise UserError(unknown_message("cluster", shorten(str(cluster)), (RAY,)))
    chosen_backend = choose_backend(backend, games)
    game = load_game(ruleset, chosen_backend)
    following = game_that_follows(game, then, chosen_backend) if then is not None else None
    lang = choose_language(game, lang)
    if not 1 <= games <= MAX_GAMES:
        raise UserError(f"--games should be a number from 1 to {MAX_GAMES}, but {games} was given.")
    bots = check_play(bot, jobs, max_decisions)
    asked_for = {name: answer for name, answer, _ in following.program.options_before} if following is not None else {}
    chosen = tuple((asked_for | parse_options(game, options, preset)).items())
    task = Task(ruleset, bots, checked, chosen, chosen_backend, max_decisions, then is not None)
    given = read_facts(begin_from, game) if begin_from is not None else None
    setups = make_setups(games, parse_seats(seats, game, given), seed, given)
    deadline = deadline_after(seconds)
    with connected(jobs) if cluster else contextlib.nullcontext(jobs or os.cpu_count() or 1) as workers:
        reports = [run(game, task, setups, workers, out, False, lang, backend is not None, deadline)]
        if not as_json:
            render(reports[0], name_for_command(ruleset, game.program), verbose, lang)
        if following is not None and then is not None and not reports[0].interrupted:
            task = Task(then, bots, checked, (), chosen_backend, max_decisions)
            if begun := begin_followers(following, reports[0], seed):
                reports.append(run(following, task, begun, workers, out, False, lang, deadline=deadline))
                if not as_json:
                    print()
                    render(reports[1], name_for_command(then, following.program), verbose, lang)
    if as_json:
        found = [report.to_json() for report in reports]
        print(json.dumps(found[0] if then is None else found, ensure_ascii=False, indent=2))
    return 1 if any(report.failures or report.interrupted and not report.time_is_up for report in reports) else 0


def game_that_follows(game: Game, then: str, backend: str) -> Game:
    """The game of `--then`, whose manifest must name the one that comes before it."""
    found = load_game(then, backend)
    if game.program.id not in (name.partition("+")[0] for name, _ in found.program.follows):
        raise UserError(
            f"'{found.program.id}' does not follow '{game.program.id}': its manifest would say "
            f"`follows: [{game.program.id}]`."
        )
    return found


def begin_followers(game: Game, before: Report, seed: int) -> list[GameSetup]:
    """The games that begin from the ends of the games before, each with the number of the one before it."""
    found = []
    for number, facts in sorted(before.handed.items()):
        seats = check_facts(game, facts, f"the end of game {number}")
        found.append(GameSetup(number, seats, seed * 1_000_000 + number, facts))
    return found


def parse_seats(text: str | None, game: Game, given: Mapping[str, Any] | None = None) -> tuple[int, ...]:
    """The numbers of seats in `3`, `2,4`, `2..4` or a list of these; all that are possible for None, or with facts that
    are given the one that they are for."""
    low, high = game.program.seats
    if given:
        low = seats_for(game, given)
        text = str(low) if text is None else text
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


def make_setups(games: int, seats: Sequence[int], seed: int, given: Mapping[str, Any] | None = None) -> Setups:
    """The parameters of the games; the numbers of seats take turns. `given`: the facts with which all of them begin."""
    return Setups(range(games), seats, seed * 1_000_000, given)


def check_play(bot: str, jobs: int | None, max_decisions: int) -> tuple[str, ...]:
    """The names of the bots, where these arguments of games by bots are good."""
    if jobs is not None and not 1 <= jobs <= MAX_JOBS:
        raise UserError(f"--jobs should be a number from 1 to {MAX_JOBS}, but {jobs} was given.")
    if not 1 <= max_decisions <= MAX_DECISIONS:
        raise UserError(f"--max-decisions should be a number from 1 to {MAX_DECISIONS}, but {max_decisions} was given.")
    bots = tuple(bot.split(","))
    for name in bots:
        make_player(name, 0)
    return bots


def run(
    game: Game,
    task: Task,
    setups: Sequence[GameSetup],
    workers: int | Cluster,
    out: Path,
    quiet: bool,
    lang: str = FALLBACK,
    telling: bool = False,
    deadline: float | None = None,
) -> Report:
    """Play the games by so many processes or a cluster until the deadline, and gather their figures, which are the same
    but for the times. `telling`: say on standard error why native code does not play."""
    program = game.program
    names = tuple(i.name for i in program.invariants) if task.checked else ()
    jobs = min(workers if isinstance(workers, int) else workers.processors, len(setups))
    report = Report(program, len(setups), task.checked, task.bots, jobs, names, task.max_decisions)
    begun = time.perf_counter()
    notice = None
    try:
        with stoppable(deadline), progress(len(setups), quiet, phrase(lang, "simulate", "games")) as advance:
            play, notice = player_for(game, task.style)
            if isinstance(workers, Cluster):
                batches = workers.results(begin_sent, (program, task), setups)
            else:
                pace = Pace(play, jobs, len(setups), notice is not None)
                batches = results(begin_play, task, pace.parts(setups), jobs, pace.play)
            for batch in batches:
                report.add_usage(batch.card_usage, batch.answer_usage)
                notice = notice or batch.notice
                for outcome in batch.outcomes:
                    report.add(outcome, save_failure(outcome, program.id, out))
                    advance(outcome.games)
    except KeyboardInterrupt as stopped:
        report.interrupted, report.time_is_up = True, isinstance(stopped, TimeIsUp)
    report.seconds = time.perf_counter() - begun
    if notice and telling:
        print(f"note: {notice}; the reference plays.", file=sys.stderr)
    return report


def begin_sent(sent: tuple[Program, Task]) -> Play:
    """On a machine of a cluster, which has no folder of the ruleset: the program comes with the task."""
    program, task = sent
    return player_for(Game(program, task.backend), task.style)[0]


def begin_play(task: Task) -> Play:
    """In a worker process: the game comes from the cache."""
    return player_for(load_game(task.ruleset, task.backend), task.style)[0]


def save_failure(outcome: GameOutcome, ruleset: str, out: Path) -> str | None:
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
