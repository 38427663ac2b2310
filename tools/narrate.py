"""A game told in words: log lines under the headings of the phases that were running, and the final scores.

Takes a state and the reader's seat; prints what is new since the last call. A heading is the text of a phase (its
`title`, else its name); it may name values, as in `Turn {turn_number}`, and is printed when it says something new.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from dsl import program as hdr
from interpreter import State, log_for
from tools.scores import scores
from tools.showing import Shower

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

    def skip(self, state: State, last: int = LAST) -> None:
        """Of a game that is continued tell only the last entries."""
        self.told = max(0, len(state.log) - last) if len(state.log) > 3 * last else 0

    def look(self, state: State) -> None:
        """Note which phases run before a decision is taken."""
        self.next = headings(state, self.seat, self.lang)

    def tell(self, state: State) -> int:
        """Print the lines since the last call, under the headings noted before; gives their number."""
        lines = log_for(state, self.seat, self.lang, self.told)
        if lines and self.next != self.printed:
            self.print_headings()
        for line in lines:
            self.console.print(Text("  " + line))
        hidden = state.plan is not None and self.seat != state.plan.seat
        self.told = state.plan.entries if hidden and state.plan is not None else len(state.log)
        self.look(state)
        return len(lines)

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
    """The final scores and who won."""
    game, found = state.game, scores(state)
    by_actor = found.actors and len(found.actors) >= len(found.seats)
    rows = found.actors if by_actor else {game.names.seat_id(s): v for s, v in found.seats.items()}
    if not rows and not found.winners:
        return
    console.print(Text(f"\n== {WORDS.get(lang, WORDS['en'])[0]} ==", style="bold"))
    for id_, score in sorted(rows.items(), key=lambda row: -row[1]):
        console.print(f"  {score:>5}  {name_of(state, id_, lang)}")
    if found.winners:
        names = ", ".join(name_of(state, w, lang) for w in found.winners)
        console.print(Text("\n" + WORDS.get(lang, WORDS["en"])[1].format(names), style="bold green"))


WORDS = {"en": ("Final scores", "Winner: {}"), "ja": ("最終得点", "勝者：{}")}


def name_of(state: State, id_: str, lang: str) -> str:
    """A seat or actor in the reader's language."""
    thing = state.game.things.get(id_, 0)
    return state.game.texts.id(lang, state.game.program.thing_kinds[thing] if thing else "", id_)
