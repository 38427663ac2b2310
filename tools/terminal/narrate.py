"""Narrating a game: its rows printed under the headings of the phases that were running, and the final scores.

A heading is printed when it differs from the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter import State, log_for, result
from interpreter.play.result import actors_of
from tools.base.seats import seat_name
from tools.drawing.lines import wrap_items
from tools.shows.messages import message
from tools.table.news import POINTS_STYLE, News, NewsRow

if TYPE_CHECKING:
    from rich.console import Console


class Narrator:
    """A printer of the news of a game. `seat` is the reader; None reads what everybody may see."""

    def __init__(self, console: Console, lang: str, seat: int | None = None) -> None:
        self.console, self.lang, self.seat = console, lang, seat
        self.news = News(lang, seat)
        self.rows: list[NewsRow] = []  # printed, without points
        self.printed_headings: list[str] = []  # headings above the last line

    def skip(self, state: State) -> None:
        """Skip all but the last entries of a continued game."""
        self.news.skip(state)

    def take_back(self, state: State) -> None:
        """Go back to this state after an undo, without reporting the changes."""
        self.news.take_back(state, len(state.log))
        self.rows = [row for row in self.rows if row.number < self.news.reported]

    def report(self, state: State) -> int:
        """Print the rows since the last call, under the headings noted before; return their number, without points."""
        rows = self.news.report(state)
        for row in rows:
            self.print_row(row)
        told = [row for row in rows if row.style != POINTS_STYLE]
        self.rows += told
        return len(told)

    def print_row(self, row: NewsRow) -> None:
        """Print a row, after those of its headings that are not printed already."""
        if list(row.headings) != self.printed_headings[: len(row.headings)]:
            self.print_headings(row.headings)
        indent = 4 if row.style == POINTS_STYLE else 2
        if not self.console.is_terminal:  # the reader breaks lines as needed
            self.console.print(Text(" " * indent + row.text))
            return
        for part in wrap_items(Text(" " * indent), [Text(row.text)], self.console.width, indent + 2):
            self.console.print(part, style=row.style)

    def print_headings(self, wanted: Sequence[str]) -> None:
        same = 0
        while same < min(len(wanted), len(self.printed_headings)) and wanted[same] == self.printed_headings[same]:
            same += 1
        for depth, heading in enumerate(wanted[same:], same):
            if depth == 0:
                self.console.print(Text(f"\n== {heading} ==", style="bold"))
            else:
                self.console.print(Text(f"\n{heading}" if depth == 1 else heading, style="bold cyan"))
        self.printed_headings = list(wanted)

    def history(self, state: State) -> list[str]:
        """All lines from the beginning of the game."""
        return [*log_for(state, self.seat, self.lang, 0, self.news.first), *(row.text for row in self.rows)]


def print_result(console: Console, state: State, lang: str) -> None:
    """Print the final scores and the winners; a draw if all seats win, and that all have lost if nobody does."""
    found, actors = result(state), actors_of(state)
    if not found.scores and not found.winners and state.game.program.result.get("winners", -1) < 0:
        return
    console.print(Text(f"\n== {message(lang, 'scores')} ==", style="bold"))
    for seat, score in sorted(found.scores.items(), key=lambda row: -row[1]):
        console.print(f"  {score:>5}  {seat_name(state, seat, actors, lang)}")
    if found.winners:
        names = ", ".join(seat_name(state, seat, actors, lang) for seat in found.winners)
        drawn = len(found.winners) == state.seats > 1
        console.print(Text("\n" + message(lang, "draw" if drawn else "winner", names=names), style="bold green"))
    elif found.lost:
        console.print(Text("\n" + message(lang, "lost"), style="bold red"))
