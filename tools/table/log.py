"""What one reader has been told at a table, with what was taken back: those rows stay, struck out, until the answer is
given again."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import State
from tools.table.following import Following
from tools.table.news import News, Row
from tools.table.table import REDONE, UNDONE, Table


@dataclass(slots=True)
class Told:
    """A row that was told; `undone`: it was taken back."""

    row: Row
    undone: bool = False


class Log:
    """`seat` is the reader; None reads what everybody may see. The reader is told of the state with which it begins,
    and then of each change: `follow` is called after every one. `following`: that of all readers of the same game."""

    def __init__(self, state: State, lang: str, seat: int | None, following: Following | None = None) -> None:
        self.news = News(lang, seat, following)
        self.read = 0  # changes of the table
        self.told = [Told(row) for row in self.news.report(state)]

    def follow(self, table: Table) -> None:
        """Tell what has changed since the last call."""
        new, self.read = table.changes[self.read :], len(table.changes)
        for change in new:
            if change.what == UNDONE:
                for told in self.told:
                    told.undone |= told.row.number >= change.entries
            elif change.what == REDONE:
                self.told = [told for told in self.told if not (told.undone and told.row.number >= change.entries)]
        if any(change.what == UNDONE for change in new):
            self.news.take_back(table.state)
        self.told += [Told(row) for row in self.news.report(table.state)]
