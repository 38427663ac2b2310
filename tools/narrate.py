"""A game told in words: log lines under the headings of the phases that were running, and the final scores.

Takes a state and the reader's seat; prints what is new since the last call. A heading is the text of a phase (its
`title`, else its name); it may name values, as in `Turn {turn_number}`, and is printed when it says something new.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from dsl import program as hdr
from interpreter import Game, State, log_for
from tools.news import News
from tools.panels import wrapped
from tools.scores import Actors, actors_of, result, scores, seat_name
from tools.showing import Shower, private_functions
from tools.ui import say

if TYPE_CHECKING:
    from rich.console import Console

LAST = 12  # entries of a continued game that are told again
_PLACEHOLDER = re.compile(r"\{(\w+)(?:\(\))?\}")


class Narrator:
    """`seat` is the reader; None reads what everybody may see."""

    def __init__(self, console: Console, lang: str, seat: int | None = None) -> None:
        self.console, self.lang, self.seat = console, lang, seat
        self.told = 0
        self.printed: list[str] = []  # headings above the last line
        self.next: list[str] = []  # headings of the open question
        self.actors: Actors = {}
        self.known = 0  # entries that the actors were read from
        self.points: dict[int, int] = {}
        self.news = News(lang, seat)

    def skip(self, state: State, last: int = LAST) -> None:
        """Of a game that is continued tell only the last entries."""
        self.told = max(0, len(state.log) - last) if len(state.log) > 3 * last else 0

    def look(self, state: State) -> None:
        """Note which phases run before a decision is taken."""
        self.next = headings(state, self.seat, self.lang)

    def tell(self, state: State) -> int:
        """Print the lines and news since the last call, under the headings noted before; gives their number."""
        waiting = (n for n in range(self.told, len(state.log)) if state.log[n].waiting())
        until = next(waiting, len(state.log))  # answers given at once are told when all have answered
        lines = log_for(state, self.seat, self.lang, self.told, until)
        news = self.news.tell(state)
        if (lines or news) and self.next != self.printed:
            self.print_headings()
        for line in lines:
            self.console.print(Text("  " + line))
        for line in news:
            for row in wrapped(Text("  "), [Text(line)], self.console.width, 4):
                self.console.print(row, style="magenta")
        self.tell_points(state)
        hidden = state.plan is not None and self.seat != state.plan.seat
        self.told = min(until, state.plan.entries) if hidden and state.plan is not None else until
        self.look(state)
        return len(lines) + len(news)

    def tell_points(self, state: State) -> None:
        """Print the scores that have changed, where everybody may see them."""
        if not public_scores(state.game):
            return
        actors_of(state, self.known, self.actors)
        self.known = len(state.log)
        points = scores(state, self.actors).seats
        changed = [seat for seat, n in points.items() if n != self.points.get(seat, n)]
        if changed:
            parts = (
                f"{seat_name(state, s, self.actors, self.lang)} {points[s]} ({points[s] - self.points[s]:+})"
                for s in changed
            )
            self.console.print(Text("    " + say(self.lang, "points", scores=", ".join(parts)), style="green"))
        self.points = points

    def print_headings(self) -> None:
        same = 0
        while same < min(len(self.next), len(self.printed)) and self.next[same] == self.printed[same]:
            same += 1
        for depth, heading in enumerate(self.next[same:], same):
            if depth == 0:
                self.console.print(Text(f"\n== {heading} ==", style="bold"))
            else:
                self.console.print(Text(f"\n{heading}" if depth == 1 else heading, style="bold cyan"))
        self.printed = self.next


def public_scores(game: Game) -> bool:
    number = game.program.result.get("score", -1)
    return number >= 0 and number not in private_functions(game)


def headings(state: State, seat: int | None, lang: str) -> list[str]:
    """The phases that run, the outermost first, without the game itself."""
    program, words = state.game.program, state.words
    base, found = words[hdr.FP], []
    while base:
        proc = program.procs[words[base + 2]]
        if proc.word == "phase" and words[base + 2] != program.entry:
            found.append(proc.name)
        base = words[base + 1]
    shower: Shower | None = None
    texts = []
    for name in reversed(found):
        text = state.game.texts.find(lang, f"{name}.title", name) or name.replace("_", " ")
        if "{" in text:
            shower = shower or Shower(state, seat, lang)
            text = fill(shower, text)
        texts.append(text)
    return texts


def fill(shower: Shower, text: str) -> str:
    """Global fields and values in braces; what is not known stays."""
    return _PLACEHOLDER.sub(lambda found: shower.show({"of": found[1]}).plain or found[0], text)


def print_result(console: Console, state: State, lang: str) -> None:
    """The final scores and who won; all seats together: a draw."""
    found, actors = result(state), actors_of(state)
    if not found.seats and not found.winning_seats:
        return
    console.print(Text(f"\n== {say(lang, 'scores')} ==", style="bold"))
    for seat, score in sorted(found.seats.items(), key=lambda row: -row[1]):
        console.print(f"  {score:>5}  {seat_name(state, seat, actors, lang)}")
    if found.winning_seats:
        names = ", ".join(seat_name(state, seat, actors, lang) for seat in found.winning_seats)
        drawn = len(found.winning_seats) == state.seats > 1
        console.print(Text("\n" + say(lang, "draw" if drawn else "winner", names=names), style="bold green"))
