"""Ladders and calibrations as lines and tables for a terminal, in words of a language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.files.phrases import Say, phrases_of
from tools.base.console import CommandConsole, stdout
from tools.matches.calibrate import Calibration, Trial
from tools.matches.ladder import Ladder
from tools.matches.logistic import Scale
from tools.matches.tally import MatchResult

FITS = ("first_third", "second_third", "last_third", "whole")  # keys of the rows of fitted scales


def print_ladder(found: Ladder, lang: str) -> None:
    say, console = phrases_of(lang, "matches"), stdout()
    title = say("ladder", game=found.ruleset, n=found.asked, seats=found.seats, seed=found.seed)
    console.print(title, style="bold", soft_wrap=True)
    if found.interrupted:
        console.print(say("stopped"), style="yellow")
    console.print()
    heads = [say(key) for key in ("higher", "lower", "games", "wins", "share", "not_over", "failed", "time")]
    console.print_rows(heads, [match_row(match, say) for match in found.matches], numbers=2)
    console.print()
    rungs = [(rung.level, f"{rung.elo:+.0f}", f"{rung.low:+.0f}", f"{rung.high:+.0f}") for rung in found.rungs]
    console.print_rows([say("level"), say("elo"), say("from"), say("to")], rungs, numbers=1)
    print_notes(console, found.matches, found.max_decisions, say)


def match_row(match: MatchResult, say: Say) -> tuple[str, ...]:
    wins, spent = match.wins[1], match.seconds(match.second)
    return (
        match.second,
        match.first,
        str(match.games),
        f"{wins:g}",
        share_text(wins, match.games, *match.interval, say),
        str(match.unfinished),
        str(len(match.failures)),
        "" if spent is None else f"{1000 * spent:.2f}",
    )


def share_text(wins: float, games: int, low: float, high: float, say: Say) -> str:
    share = wins / games if games else 0.0
    return say("interval", share=f"{share:.0%}", low=f"{low:.0%}", high=f"{high:.0%}")


def print_notes(console: CommandConsole, matches: Sequence[MatchResult], most: int, say: Say) -> None:
    """What the figures count, and each game that failed."""
    if unfinished := sum(match.unfinished for match in matches):
        console.print(say("unfinished", n=unfinished, most=most), style="yellow", soft_wrap=True)
    for match in matches:
        for failure in match.failures:
            line = say("failure", first=match.first, second=match.second, seed=failure["seed"])
            console.print(f"{line}: {failure['message']}", style="red", soft_wrap=True)


def print_calibration(
    found: Calibration, ruleset: str, seats: int, seed: int, iterations: int, most: int, lang: str
) -> None:
    say, console = phrases_of(lang, "matches"), stdout()
    console.print(
        say("calibration", game=ruleset, iterations=iterations, seats=seats, seed=seed), style="bold", soft_wrap=True
    )
    if found.interrupted:
        console.print(say("stopped"), style="yellow")
    if found.fits:
        console.print()
        console.print(say("readings", n=found.greedy_games, usual=found.usual.scale), soft_wrap=True)
        heads = [say("part"), say("scale"), say("from"), say("to")]
        rows = [(say(key), *scale_cells(fit, say)) for key, fit in zip(FITS, found.fits, strict=True)]
        console.print_rows(heads, rows, numbers=1)
    console.print()
    heads = [say(key) for key in ("candidate", "against", "games", "wins", "share", "not_over", "verdict")]
    console.print_rows(heads, [trial_row(trial, say) for trial in found.trials], numbers=2)
    console.print()
    for line in verdict(found, say):
        console.print(line, soft_wrap=True)
    print_notes(console, [trial.result for trial in found.trials], most, say)


def scale_cells(fit: Scale | None, say: Say) -> tuple[str, str, str]:
    if fit is None:
        return say("says_nothing"), "", ""
    return f"{fit.scale:.0f}", f"{fit.low:.0f}", say("no_end") if fit.high is None else f"{fit.high:.0f}"


def trial_row(trial: Trial, say: Say) -> tuple[str, ...]:
    match = trial.result
    return (
        f"{trial.setting}={trial.value}",
        f"{trial.setting}={trial.before}",
        str(match.games),
        f"{match.wins[1]:g}",
        share_text(match.wins[1], match.games, trial.low, trial.high, say),
        str(match.unfinished),
        say("better") if trial.clear else say("no_difference"),
    )


def verdict(found: Calibration, say: Say) -> Iterator[str]:
    """What to do with it."""
    yield say("together", n=found.candidates)
    line = found.manifest_line()
    yield say("stays") if not line else say("write")
    if line:
        yield f"    {line}"
