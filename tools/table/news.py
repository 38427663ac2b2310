"""News of a game as it goes on, for one reader: rows under the headings of the phases that were running.

Takes a state and the reader's seat; gives the rows that are new since the last call. Rows about running rules (`told`
in `display.yaml`) follow the row of the answer that caused them, where the state has recorded what happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter import State
from interpreter.play.result import Actors, actors_of, scores
from interpreter.rules.rules import Rules
from interpreter.session.log import narrate
from interpreter.visibility.static import openness
from tools.base.seats import seat_name
from tools.shows.changes import ChangeTracker
from tools.shows.headings import headings
from tools.shows.messages import message
from tools.table.rule_lines import PrintedLine, RuleLines, specs_of_events

LAST_ENTRIES = 12  # entries of a continued game that are repeated
CHANGE_STYLE, POINTS_STYLE = "magenta", "green"  # styles


@dataclass(frozen=True, slots=True)
class NewsRow:
    """A line about the answer with this number, or about what it caused; `headings`: the phases that were running."""

    number: int
    headings: tuple[str, ...]
    text: str
    style: str = ""


class NoLines:
    """The lines of a game of which no events are told."""

    lines_after: dict[int, list[PrintedLine]] = {}
    lines_before: dict[int, list[PrintedLine]] = {}
    headings: dict[int, tuple[str, ...]] = {}


NO_LINES = NoLines()


class News:
    """The rows about what has happened, for one reader. `seat` is the reader; None reads what everybody may see."""

    def __init__(self, lang: str, seat: int | None = None) -> None:
        self.lang, self.seat = lang, seat
        self.reported = 0
        self.first = 0  # entries before this one were skipped
        self.next_headings: list[str] = []  # headings of the open question
        self.last_headings: tuple[str, ...] = ()  # headings above the last row
        self.actors: Actors = {}
        self.actors_read = 0  # entries from which the actors have been read
        self.points: dict[int, int] = {}
        self.changes = ChangeTracker(lang, seat)
        self.rule_lines: RuleLines | None = None

    def skip(self, state: State, last: int = LAST_ENTRIES) -> None:
        """Skip all but the last entries of a continued game."""
        self.reported = self.first = max(0, len(state.log) - last) if len(state.log) > 3 * last else 0

    def take_back(self, state: State, entries: int) -> None:
        """Go on with this state after an undo, without reporting the changes. `entries`: those that are as they were;
        those behind them are reported next."""
        self.reported = min(self.reported, entries)
        self.changes.report(state)
        self._points_row(state, 0)
        if self.rule_lines is not None:
            self.rule_lines.begin(state)
        self._note_headings(state)

    def report(self, state: State) -> list[NewsRow]:
        """The rows since the last call."""
        self._read_events(state)
        waiting = (n for n in range(self.reported, len(state.log)) if state.log[n].is_waiting())
        until = next(waiting, len(state.log))  # simultaneous answers are reported when all have answered
        hidden = state.plan is not None and self.seat != state.plan.seat
        if state.plan is not None and hidden:
            until = min(until, state.plan.entries)
        lines = self.rule_lines or NO_LINES
        rows: list[NewsRow] = []
        for number in range(self.reported, until):
            rows += self._stored(number, lines.lines_before)
            if line := narrate(state.game, state.log[number], self.seat, self.lang):
                rows.append(self._row(number, lines.headings.pop(number, self.next_headings), line))
            rows += self._stored(number, lines.lines_after)
        if self.rule_lines is None or not hidden:
            rows += self._stored(until, lines.lines_before)
            rows += self._changed(state, until - 1)
        self.reported = max(self.reported, until)
        self._note_headings(state)
        return rows

    def _note_headings(self, state: State) -> None:
        """Remember the phases that run before a decision is taken."""
        self.next_headings = headings(state, self.seat, self.lang)

    def _row(self, number: int, above: Sequence[str], text: str, style: str = "") -> NewsRow:
        self.last_headings = tuple(above)
        return NewsRow(number, self.last_headings, text, style)

    def _stored(self, number: int, lines: dict[int, list[PrintedLine]]) -> list[NewsRow]:
        """The stored lines before or after an answer."""
        return [self._row(number, line.headings, line.text, line.style) for line in lines.pop(number, [])]

    def _changed(self, state: State, number: int) -> list[NewsRow]:
        """The differences between the last position and this one."""
        changes = self.changes.report(state)
        above = headings(state, self.seat, self.lang) if self.rule_lines is not None else self.next_headings
        rows = [self._row(number, above, line, CHANGE_STYLE) for line in changes]
        return rows + self._points_row(state, number)

    def _points_row(self, state: State, number: int) -> list[NewsRow]:
        """A row with the scores that have changed, if scores are public."""
        text = self._points_text(state)
        return [self._row(number, self.last_headings, text, POINTS_STYLE)] if text else []

    def _points_text(self, state: State) -> str:
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

    def _read_events(self, state: State) -> None:
        """Read the events since the last call, if anything is told of them; at the first call begin with those that
        come."""
        if self.rule_lines is not None:
            self.rule_lines.read(state)
        elif specs_of_events(state.game.program):
            self.rule_lines = RuleLines(state, self.lang, self.seat, self._take_changes)

    def _take_changes(self, state: State) -> list[tuple[str, str]]:
        """Changes and points at a moment while rules run."""
        found = [(line, CHANGE_STYLE) for line in self.changes.report(state)]
        points = self._points_text(state)
        return [*found, (points, POINTS_STYLE)] if points else found


def public_scores(game: Rules) -> bool:
    number = game.program.result.get("score", -1)
    return number >= 0 and openness(game).is_open_function(number)
