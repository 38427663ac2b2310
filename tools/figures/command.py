"""`lab figures`: what a rulebook says of a game's length and balance, from games by bots."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import phrase, phrases_of
from interpreter import Game
from interpreter.rules.rules import NATIVE
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.base.loading import choose_language, load_game
from tools.commands.simulate import check_play, make_setups, parse_seats
from tools.figures.course import GameCourse, play_course
from tools.figures.figures import figures_of
from tools.figures.measured import Measured, keep, rules_digest
from tools.figures.sentences import rows
from tools.simulation.bots import usual_bot
from tools.simulation.playout import GameSetup
from tools.simulation.report import bots_text
from tools.workers.processes import results
from tools.workers.progress import progress
from tools.workers.stopping import TimeIsUp, deadline_after, seconds_of, stoppable

MOST_GAMES = 100_000
MOST_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Orders:
    """What each worker process needs to know."""

    rules: RulesetReference
    bots: tuple[str, ...]
    max_decisions: int


def figures_command(
    ruleset: str,
    seats: str | None,
    bot: str | None,
    games: int,
    seconds: float,
    seed: int,
    jobs: int | None,
    max_decisions: int,
    as_json: bool,
    write: bool,
    lang: str | None = None,
    time_limit: str | None = None,
) -> int:
    """Play games with each number of seats and say what they show; 1 where one failed or somebody stopped them."""
    reference = read_reference(ruleset)
    limit = seconds_of(time_limit)
    if not 1 <= games <= MOST_GAMES:
        raise UserError(f"--games should be a number from 1 to {MOST_GAMES}, but {games} was given.")
    if not 0 < seconds <= MOST_SECONDS:
        raise UserError(
            f"--choice-time should be more than 0 and at most {MOST_SECONDS} seconds, but {seconds:g} was given."
        )
    if write and not reference.plain:
        raise UserError(f"--write is for a ruleset alone: {reference.label} has overlays.")
    game = load_game(reference, NATIVE)
    lang = choose_language(game, lang)
    bots = check_play(bot or usual_bot(game), jobs, max_decisions)
    numbers = parse_seats(seats, game)
    command = command_again(ruleset, numbers, bots, games, seconds, seed, max_decisions)
    orders = Orders(reference, bots, max_decisions)
    courses, stopped = played(game, orders, games, numbers, seed, jobs, lang, deadline_after(limit))
    found = [figures_of(n, [course for course in courses if course.setup.seats == n]) for n in numbers]
    measured = Measured(
        game.program.named,
        game.program.version,
        rules_digest(reference.path),
        bots,
        seconds,
        command,
        stopped is not None,
        tuple(figures for figures in found if figures.completion.of),
    )
    if as_json:
        print(measured.as_text())
    else:
        render(measured, courses, lang)
    if write and stopped is not None:
        print(phrase(lang, "figures", "not_kept"), file=sys.stderr)
    elif write:
        file = keep(measured, reference.path)
        print(phrase(lang, "errata", "written", file=file), file=sys.stderr)
    by_hand = stopped is not None and not isinstance(stopped, TimeIsUp)
    return 1 if by_hand or any(course.failure for course in courses) else 0


def played(
    game: Game,
    orders: Orders,
    games: int,
    seats: Sequence[int],
    seed: int,
    jobs: int | None,
    lang: str,
    deadline: float | None,
) -> tuple[list[GameCourse], KeyboardInterrupt | None]:
    """So many games with each number of seats, in the order of their numbers, and what stopped them before the last."""
    setups = [
        setup for by_seats in zip(*(make_setups(games, (n,), seed) for n in seats), strict=True) for setup in by_seats
    ]
    workers = min(jobs or os.cpu_count() or 1, len(setups))
    courses: list[GameCourse] = []
    if game.making is not None:
        game.making.wait()  # before workers ask for it, each for itself
    try:
        with stoppable(deadline), progress(len(setups), False, phrase(lang, "simulate", "games")) as advance:
            for course in results(begin, orders, setups, workers, player(game, orders)):
                courses.append(course)
                advance()
    except KeyboardInterrupt as stopped:
        return courses, stopped
    return courses, None


def player(game: Game, orders: Orders) -> Callable[[GameSetup], GameCourse]:
    return partial(play_course, game, bots=orders.bots, most=orders.max_decisions)


def begin(orders: Orders) -> Callable[[GameSetup], GameCourse]:
    """In a worker process: the game comes from the cache."""
    return player(load_game(orders.rules, NATIVE), orders)


def command_again(
    ruleset: str,
    seats: Sequence[int],
    bots: tuple[str, ...],
    games: int,
    seconds: float,
    seed: int,
    max_decisions: int,
) -> str:
    """The command that leads to the same figures."""
    numbers = ",".join(map(str, seats))
    words = ["rulewright", "lab", "figures", ruleset, "--seats", numbers, "--bot", ",".join(bots)]
    words += ["--games", str(games), "--choice-time", f"{seconds:g}", "--seed", str(seed)]
    return shlex.join([*words, "--max-decisions", str(max_decisions)])


def render(measured: Measured, courses: Sequence[GameCourse], lang: str) -> None:
    """Print the figures to standard output."""
    from rich.cells import cell_len
    from rich.text import Text

    from tools.base.console import stdout

    console, say = stdout(), phrases_of(lang, "figures")
    bots = bots_text(measured.bots, phrases_of(lang, "simulate"))
    title = say("title", game=f"{measured.ruleset} {measured.version}", bots=bots)
    console.print(Text(title, style="bold"), soft_wrap=True)
    if measured.interrupted:
        console.print(Text(say("stopped", n=len(courses)), style="yellow"))
    for figures in measured.figures:
        shown = list(rows(figures, measured.seconds, lang))
        width = max((cell_len(head) for head, _ in shown), default=0) + 2
        console.print()
        title = say("games", seats=figures.seats, n=figures.completion.of)
        console.print(Text(title, style="bold underline"), soft_wrap=True)
        for head, text in shown:
            console.print(head + " " * (width - cell_len(head)) + text, soft_wrap=True)
    for course in courses:
        if course.failure:
            setup = course.setup
            place = say("failed", n=setup.number, seats=setup.seats, seed=setup.seed)
            console.print(Text(f"\n{place}", "red") + Text(course.failure, ""), soft_wrap=True)
    console.print()
    console.print(say("people"), soft_wrap=True)
