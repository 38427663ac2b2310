"""The log that one reader has been told at a table, with what was taken back: those rows stay, struck out, until the
answer is given again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from interpreter import LogEntry, State
from interpreter.session.log import narrate
from tools.table.news import News, NewsRow
from tools.table.table import Table
from tools.table.undone import EVERYBODY, TakenBack


@dataclass(frozen=True, slots=True)
class Told:
    """A row that was told; `undone`: it was taken back."""

    row: NewsRow
    undone: bool = False


class Log:
    """The log as one reader sees it. `seat` is the reader; None reads what everybody may see. The reader is told of the
    state with which it begins, and then of each change up to the next `follow`; one that begins later calls it at once,
    for what was taken back before."""

    def __init__(self, state: State, lang: str, seat: int | None) -> None:
        self.game, self.lang, self.seat = state.game, lang, seat
        self.news = News(lang, seat)
        self.rows = self.news.report(state)
        self.told = [Told(row) for row in self.rows]
        self.entries = state.log[:]
        self.struck: dict[
            int, list[NewsRow]
        ] = {}  # id of an entry that was taken back -> its rows, where they were told
        self.read = -1  # changes of the table that were told; -1: none, nor what was taken back before

    def follow(self, table: Table) -> None:
        """Tell what has changed since the last call."""
        if self.read == len(table.changes):
            return
        new, self.read = table.changes[max(0, self.read) :], len(table.changes)
        cut, pairs = min(new, default=len(self.entries)), zip(self.entries, table.state.log, strict=False)
        cut += sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], islice(pairs, cut, None)))  # given again since
        if cut < len(self.entries):
            self.strike(cut)
            self.news.take_back(table.state, cut)
        known = {id(one.entry) for one in table.taken_back}
        self.struck = {key: rows for key, rows in self.struck.items() if key in known}
        self.entries = table.state.log[:]
        self.rows += self.news.report(table.state)
        self.told = list(self.merged(table.taken_back))

    def strike(self, cut: int) -> None:
        """Put the rows about entries from this number on aside."""
        for row in self.rows:
            if row.number >= cut:
                entry = self.entries[min(row.number, len(self.entries) - 1)]
                self.struck.setdefault(id(entry), []).append(row)
        self.rows = [row for row in self.rows if row.number < cut]

    def merged(self, taken_back: list[TakenBack]) -> Iterator[Told]:
        """The rows with those that were taken back, where they stood."""
        above: tuple[str, ...] = ()
        waiting = taken_back[::-1]
        for row in self.rows:
            while waiting and waiting[-1].at <= row.number:
                yield from self.undone(waiting.pop(), above)
            yield Told(row)
            above = row.headings
        for one in waiting[::-1]:
            yield from self.undone(one, above)

    def undone(self, one: TakenBack, above: tuple[str, ...]) -> list[Told]:
        """The rows of an entry that was taken back: those that were told; for a reader who was not there, its line."""
        if one.seat not in (EVERYBODY, self.seat):
            return []
        rows = self.struck.get(id(one.entry)) or self.line(one.number, one.entry, above)
        return [Told(row, undone=True) for row in rows]

    def line(self, number: int, entry: LogEntry, above: tuple[str, ...]) -> list[NewsRow]:
        text = narrate(self.game, entry, self.seat, self.lang)
        return [NewsRow(number, above, text)] if text else []
