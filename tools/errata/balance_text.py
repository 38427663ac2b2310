"""The balance of games as lines and tables, for a terminal and for a page alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.base.stats import Mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.base.console import CommandConsole
    from tools.errata.balance import Balance, LeftOut

MAX_GAMES = 8  # games left out that are named of each sort
CLEAR = "*"
HEADS = ("", "pairs", "before", "after", "by (95%)", "")
QUARTILE_HEADS = ("", "before: 25%", "50%", "75%", "after: 25%", "50%", "75%")


def title(found: Balance) -> str:
    return f"balance: {found.games} pairs of games, {' and '.join(found.bots)} bots, seed {found.seed}"


def summary(found: Balance) -> list[str]:
    """What was played, and every game that does not count."""
    lines = [f"stopped after {found.played} of {found.games} pairs"] if found.interrupted else []
    lines.append(f"compared    {found.compared} pairs in which both games ended")
    lines.append(f"alike       {found.alike}, in which no figure differs")
    if found.unfinished:
        stopped = f"stopped after {found.max_decisions} decisions, --max-decisions"
        lines += [f"not over    {len(found.unfinished)} games ({stopped})", *game_lines(found.unfinished)]
    if found.failures:
        lines += [f"failed      {len(found.failures)} games", *game_lines(found.failures)]
    return lines


def game_lines(games: Sequence[LeftOut]) -> list[str]:
    lines = []
    for game in games[:MAX_GAMES]:
        failure = f": {game.failure}" if game.failure else ""
        saved = f"; rulewright replay {game.file}" if game.file else ""
        lines.append(f"  {game.side}: game {game.number}, {game.seats} seats, seed {game.seed}{failure}{saved}")
    return [*lines, f"  and {len(games) - MAX_GAMES} more"] if len(games) > MAX_GAMES else lines


def shown(mean: Mean) -> str:
    """A figure with its margin, with two digits where one would hide it."""
    if mean.margin is None or not 0 < mean.margin < 1:
        return str(mean)
    return f"{mean.mean:.2f} ± {mean.margin:.2f}"


def rows(found: Balance) -> list[tuple[str, ...]]:
    """Each figure before and after, with its paired difference; those of which the interval excludes 0 are marked."""
    return [
        (f.figure, str(f.difference.n), shown(f.before), shown(f.after), shown(f.difference), CLEAR if f.clear else "")
        for f in found.figures
    ]


def quartile_rows(found: Balance) -> list[tuple[str, ...]]:
    return [
        (f.figure, *(f"{value:g}" for side in f.quartiles for value in side))
        for f in found.figures
        if f.quartiles is not None
    ]


def print_balance(console: CommandConsole, found: Balance) -> None:
    for line in summary(found):
        console.print(line, soft_wrap=True)
    if found.figures:
        console.print()
        console.print_rows(HEADS, rows(found), numbers=1)
        console.print(f"by: after less before in the same game; {CLEAR} the interval excludes 0")
    if scores := quartile_rows(found):
        console.print()
        console.print_rows(QUARTILE_HEADS, scores, numbers=1)
