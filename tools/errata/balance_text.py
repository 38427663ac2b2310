"""The balance of games as lines and tables, for a terminal and for a page alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.files.phrases import Say, phrase, phrases_of
from tools.lab.sentences import shown
from tools.pairs.trouble import game_lines
from tools.simulation.report import bots_text

if TYPE_CHECKING:
    from tools.base.console import CommandConsole
    from tools.errata.balance import Balance

CLEAR = "*"
QUARTILES = ("25%", "50%", "75%")
SUMMARY = ("compared", "alike", "not_over", "failed")  # keys of the heads of the lines of the summary


def title(found: Balance, lang: str) -> str:
    bots = bots_text(found.bots, phrases_of(lang, "simulate"))
    return phrase(lang, "errata", "balance", n=found.games, bots=bots, seed=found.seed)


def heads(lang: str) -> tuple[str, ...]:
    return ("", *(phrase(lang, "errata", head) for head in ("pairs", "before", "after", "by")), "")


def quartile_heads(lang: str) -> tuple[str, ...]:
    say = phrases_of(lang, "errata")
    first, *others = QUARTILES
    return ("", say("sign", side=say("before")) + first, *others, say("sign", side=say("after")) + first, *others)


def summary(found: Balance, lang: str) -> list[str]:
    """What was played, and every game that does not count."""
    say = phrases_of(lang, "errata")
    lines = [say("stopped", n=found.played, all=found.games)] if found.interrupted else []
    lines.append(row("compared", say("compared_n", n=found.compared), say))
    lines.append(row("alike", say("alike_n", n=found.alike), say))
    if found.unfinished:
        stopped = say("not_over_n", n=len(found.unfinished), most=found.max_decisions)
        lines += [row("not_over", stopped, say), *game_lines(found.unfinished, say)]
    if found.failures:
        lines += [row("failed", say("failed_n", n=len(found.failures)), say), *game_lines(found.failures, say)]
    return lines


def row(head: str, text: str, say: Say) -> str:
    """A line with its head, all heads being equally wide."""
    from rich.cells import cell_len

    width = max(cell_len(say(key)) for key in SUMMARY) + 4
    return say(head) + " " * (width - cell_len(say(head))) + text


def rows(found: Balance) -> list[tuple[str, ...]]:
    """Each figure before and after, with its paired difference; those of which the interval excludes 0 are marked."""
    return [
        (f.shown, str(f.difference.n), shown(f.before), shown(f.after), shown(f.difference), CLEAR if f.clear else "")
        for f in found.figures
    ]


def quartile_rows(found: Balance) -> list[tuple[str, ...]]:
    return [
        (f.shown, *(f"{value:g}" for side in f.quartiles for value in side))
        for f in found.figures
        if f.quartiles is not None
    ]


def print_balance(console: CommandConsole, found: Balance, lang: str) -> None:
    for line in summary(found, lang):
        console.print(line, soft_wrap=True)
    if found.figures:
        console.print()
        console.print_rows(heads(lang), rows(found), numbers=1)
        console.print(phrase(lang, "errata", "legend", mark=CLEAR), soft_wrap=True)
    if scores := quartile_rows(found):
        console.print()
        console.print_rows(quartile_heads(lang), scores, numbers=1)
