"""A game told in words: log lines under the headings of the phases that were running, and the final scores.

Takes a state and the reader's seat; prints what is new since the last call. A heading is printed when it says
something new. What `display.yaml` wants to be told of the rules while they run stands behind the line of the answer
that set them off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from interpreter import Game, State, log_for
from interpreter.play.listen import Hearing
from interpreter.session.log import narrate
from tools.base.scores import Actors, actors_of, result, scores, seat_name
from tools.display.changes import ChangeTracker
from tools.display.headings import headings
from tools.display.messages import message
from tools.display.panels import wrap_items
from tools.terminal.listener import Heard, Line, listens

if TYPE_CHECKING:
    from rich.console import Console

LAST = 12  # entries of a continued game that are told again
NEWS, POINTS = "magenta", "green"  # styles


class Nothing:
    """What was heard where nothing is listened to."""

    lines: dict[int, list[Line]] = {}
    held: dict[int, list[Line]] = {}
    headings: dict[int, tuple[str, ...]] = {}


NOTHING = Nothing()


class Narrator:
    """`seat` is the reader; None reads what everybody may see."""

    def __init__(self, console: Console, lang: str, seat: int | None = None) -> None:
        self.console, self.lang, self.seat = console, lang, seat
        self.told = 0
        self.first = 0  # entries before this one were not told
        self.past: list[tuple[int, str]] = []  # what was told, with the number of the answer
        self.printed: list[str] = []  # headings above the last line
        self.next: list[str] = []  # headings of the open question
        self.actors: Actors = {}
        self.known = 0  # entries that the actors were read from
        self.points: dict[int, int] = {}
        self.news = ChangeTracker(lang, seat)
        self.heard: Heard | None = None
        self.hearing: Hearing | None = None

    def skip(self, state: State, last: int = LAST) -> None:
        """Of a game that is continued tell only the last entries."""
        self.told = self.first = max(0, len(state.log) - last) if len(state.log) > 3 * last else 0

    def look(self, state: State) -> None:
        """Note which phases run before a decision is taken."""
        self.next = headings(state, self.seat, self.lang)

    def take_back(self, state: State) -> None:
        """The game was taken back to this state: what was undone is no news."""
        self.told = min(self.told, len(state.log))
        self.past = [(number, line) for number, line in self.past if number < self.told]
        self.news.report(state)
        self.points_line(state)
        if self.hearing is not None:
            self.hearing.begin(state)
        self.look(state)

    def report(self, state: State) -> int:
        """Print the lines and news since the last call, under the headings noted before; gives their number."""
        self.listen(state)
        waiting = (n for n in range(self.told, len(state.log)) if state.log[n].waiting())
        until = next(waiting, len(state.log))  # answers given at once are told when all have answered
        hidden = state.plan is not None and self.seat != state.plan.seat
        if state.plan is not None and hidden:
            until = min(until, state.plan.entries)
        heard, count = self.heard or NOTHING, 0
        for number in range(self.told, until):
            above = heard.headings.get(number, self.next)
            count += self.heard_lines(number, heard.held)
            if line := narrate(state.game, state.log[number], self.seat, self.lang):
                self.row(number, above, line)
                count += 1
            count += self.heard_lines(number, heard.lines)
        if self.heard is None or not hidden:
            count += self.heard_lines(until, heard.held)
            count += self.tell_changes(state, until - 1)
        self.told = max(self.told, until)
        self.look(state)
        return count

    def heard_lines(self, number: int, lines: dict[int, list[Line]]) -> int:
        """Print what was heard before or behind an answer."""
        found = lines.pop(number, [])
        for line in found:
            self.row(number, line.headings, line.text, line.style)
        return len(found)

    def tell_changes(self, state: State, number: int) -> int:
        """Print what the positions before and now tell."""
        news = self.news.report(state)
        above = headings(state, self.seat, self.lang) if self.heard is not None else self.next
        for line in news:
            self.row(number, above, line, NEWS)
        if points := self.points_line(state):
            self.row(number, self.printed, points, POINTS)
        return len(news)

    def listen(self, state: State) -> None:
        """Hear what the rules did, where the game tells anything of it."""
        if self.hearing is not None:
            self.hearing.follow(state)
        elif listens(state.game.program):
            self.heard = Heard(state.game.program, self.lang, self.seat, self.meanwhile)
            self.hearing = Hearing(state, self.heard)

    def meanwhile(self, state: State) -> list[tuple[str, str]]:
        """News and points in the middle of what the rules do."""
        found = [(line, NEWS) for line in self.news.report(state)]
        points = self.points_line(state)
        return [*found, (points, POINTS)] if points else found

    def row(self, number: int, above: Sequence[str], line: str, style: str = "") -> None:
        """Print a line, and what of its headings does not stand there already."""
        if list(above) != self.printed[: len(above)]:
            self.print_headings(above)
        if style != POINTS:
            self.past.append((number, line))
        indent = 4 if style == POINTS else 2
        if not self.console.is_terminal:  # whoever reads it breaks lines as he likes
            self.console.print(Text(" " * indent + line))
            return
        for part in wrap_items(Text(" " * indent), [Text(line)], self.console.width, indent + 2):
            self.console.print(part, style=style)

    def points_line(self, state: State) -> str:
        """The scores that have changed, where everybody may see them."""
        if not public_scores(state.game):
            return ""
        actors_of(state, self.known, self.actors)
        self.known = len(state.log)
        points = scores(state, self.actors).seats
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
        while same < min(len(wanted), len(self.printed)) and wanted[same] == self.printed[same]:
            same += 1
        for depth, heading in enumerate(wanted[same:], same):
            if depth == 0:
                self.console.print(Text(f"\n== {heading} ==", style="bold"))
            else:
                self.console.print(Text(f"\n{heading}" if depth == 1 else heading, style="bold cyan"))
        self.printed = list(wanted)

    def history(self, state: State) -> list[str]:
        """All that was told, from the beginning of the game on."""
        return [*log_for(state, self.seat, self.lang, 0, self.first), *(line for _, line in self.past)]


def public_scores(game: Game) -> bool:
    number = game.program.result.get("score", -1)
    return number >= 0 and game.openness.function(number)


def print_result(console: Console, state: State, lang: str) -> None:
    """The final scores and who won; all seats together: a draw."""
    found, actors = result(state), actors_of(state)
    if not found.seats and not found.winning_seats:
        return
    console.print(Text(f"\n== {message(lang, 'scores')} ==", style="bold"))
    for seat, score in sorted(found.seats.items(), key=lambda row: -row[1]):
        console.print(f"  {score:>5}  {seat_name(state, seat, actors, lang)}")
    if found.winning_seats:
        names = ", ".join(seat_name(state, seat, actors, lang) for seat in found.winning_seats)
        drawn = len(found.winning_seats) == state.seats > 1
        console.print(Text("\n" + message(lang, "draw" if drawn else "winner", names=names), style="bold green"))
