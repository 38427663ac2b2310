"""Narrating a game: log lines under the headings of the phases that were running, and the final scores.

Takes a state and the reader's seat; prints what is new since the last call. A heading is printed when it differs from
the last one. Lines about running rules (`told` in `display.yaml`) follow the line of the answer that caused them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter import State, log_for, result
from interpreter.play.listener import GameFollower
from interpreter.play.result import Actors, actors_of, scores
from interpreter.rules.rules import Rules
from interpreter.session.log import narrate
from interpreter.visibility.static import openness
from tools.base.seats import seat_name
from tools.display.changes import ChangeTracker
from tools.display.headings import headings
from tools.display.messages import message
from tools.drawing.lines import wrap_items
from tools.terminal.listener import DisplayListener, Line, needs_listener

if TYPE_CHECKING:
    from rich.console import Console

LAST_ENTRIES = 12  # entries of a continued game that are repeated
CHANGE_STYLE, POINTS_STYLE = "magenta", "green"  # styles


class NoLines:
    """The lines of a game without a listener."""

    lines_after: dict[int, list[Line]] = {}
    lines_before: dict[int, list[Line]] = {}
    headings: dict[int, tuple[str, ...]] = {}


NO_LINES = NoLines()


class Narrator:
    """`seat` is the reader; None reads what everybody may see."""

    def __init__(self, console: Console, lang: str, seat: int | None = None) -> None:
        self.console, self.lang, self.seat = console, lang, seat
        self.reported = 0
        self.first = 0  # entries before this one were skipped
        self.lines: list[tuple[int, str]] = []  # printed lines, with the number of the answer
        self.printed_headings: list[str] = []  # headings above the last line
        self.next_headings: list[str] = []  # headings of the open question
        self.actors: Actors = {}
        self.actors_read = 0  # entries from which the actors have been read
        self.points: dict[int, int] = {}
        self.changes = ChangeTracker(lang, seat)
        self.listener: DisplayListener | None = None
        self.listening: GameFollower | None = None

    def skip(self, state: State, last: int = LAST_ENTRIES) -> None:
        """Skip all but the last entries of a continued game."""
        self.reported = self.first = max(0, len(state.log) - last) if len(state.log) > 3 * last else 0

    def note_headings(self, state: State) -> None:
        """Remember the phases that run before a decision is taken."""
        self.next_headings = headings(state, self.seat, self.lang)

    def take_back(self, state: State) -> None:
        """Go back to this state after an undo, without reporting the changes."""
        self.reported = min(self.reported, len(state.log))
        self.lines = [(number, line) for number, line in self.lines if number < self.reported]
        self.changes.report(state)
        self.points_line(state)
        if self.listening is not None:
            self.listening.begin(state)
        self.note_headings(state)

    def report(self, state: State) -> int:
        """Print the lines and changes since the last call, under the headings noted before; return their number."""
        self.listen(state)
        waiting = (n for n in range(self.reported, len(state.log)) if state.log[n].is_waiting())
        until = next(waiting, len(state.log))  # simultaneous answers are reported when all have answered
        hidden = state.plan is not None and self.seat != state.plan.seat
        if state.plan is not None and hidden:
            until = min(until, state.plan.entries)
        listener, count = self.listener or NO_LINES, 0
        for number in range(self.reported, until):
            above_line = listener.headings.get(number, self.next_headings)
            count += self.print_stored(number, listener.lines_before)
            if line := narrate(state.game, state.log[number], self.seat, self.lang):
                self.print_line(number, above_line, line)
                count += 1
            count += self.print_stored(number, listener.lines_after)
        if self.listener is None or not hidden:
            count += self.print_stored(until, listener.lines_before)
            count += self.print_changes(state, until - 1)
        self.reported = max(self.reported, until)
        self.note_headings(state)
        return count

    def print_stored(self, number: int, lines: dict[int, list[Line]]) -> int:
        """Print the stored lines before or after an answer."""
        found = lines.pop(number, [])
        for line in found:
            self.print_line(number, line.headings, line.text, line.style)
        return len(found)

    def print_changes(self, state: State, number: int) -> int:
        """Print the differences between the last position and this one."""
        changes = self.changes.report(state)
        above_line = headings(state, self.seat, self.lang) if self.listener is not None else self.next_headings
        for line in changes:
            self.print_line(number, above_line, line, CHANGE_STYLE)
        if points := self.points_line(state):
            self.print_line(number, self.printed_headings, points, POINTS_STYLE)
        return len(changes)

    def listen(self, state: State) -> None:
        """Follow the rules as they ran, if `display.yaml` reports anything about them."""
        if self.listening is not None:
            self.listening.follow(state)
        elif needs_listener(state.game.program):
            self.listener = DisplayListener(state.game.program, self.lang, self.seat, self.take_changes)
            self.listening = GameFollower(state, self.listener)

    def take_changes(self, state: State) -> list[tuple[str, str]]:
        """Changes and points at a moment while rules run."""
        found = [(line, CHANGE_STYLE) for line in self.changes.report(state)]
        points = self.points_line(state)
        return [*found, (points, POINTS_STYLE)] if points else found

    def print_line(self, number: int, wanted: Sequence[str], line: str, style: str = "") -> None:
        """Print a line, after those of its headings that are not printed already."""
        if list(wanted) != self.printed_headings[: len(wanted)]:
            self.print_headings(wanted)
        if style != POINTS_STYLE:
            self.lines.append((number, line))
        indent = 4 if style == POINTS_STYLE else 2
        if not self.console.is_terminal:  # the reader breaks lines as needed
            self.console.print(Text(" " * indent + line))
            return
        for part in wrap_items(Text(" " * indent), [Text(line)], self.console.width, indent + 2):
            self.console.print(part, style=style)

    def points_line(self, state: State) -> str:
        """A line with the scores that have changed, if scores are public; else empty."""
        if not public_scores(state.game):
            return ""
        actors_of(state, self.actors_read, self.actors)
        self.actors_read = len(state.log)
        points = scores(state, self.actors).scores
        changed = [seat for seat, n in points.items() if n != self.points.get(seat, n)]
        parts = (
            f"{seat_name(state, s, self.actors, self.lang)} {points[s]} ({points[s] - self.points[s]:+})"
            for s in changed
        )
        line = message(self.lang, "points", scores=", ".join(parts)) if changed else ""
        self.points = points
        return line

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
        return [*log_for(state, self.seat, self.lang, 0, self.first), *(line for _, line in self.lines)]


def public_scores(game: Rules) -> bool:
    number = game.program.result.get("score", -1)
    return number >= 0 and openness(game).is_open_function(number)


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
