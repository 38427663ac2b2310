"""Answers that were taken back, as far as others know of them: they stay in the log, struck out, for readers who come
later and after a new start of the server.

A live `Log` keeps its own rows; here are the entries behind them, from which those of a new one are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from interpreter import LogEntry, State
from interpreter.session.log import narrate
from tools.table.log import Log, Told
from tools.table.news import Row
from tools.table.table import REDONE, UNDONE, Change

EVERYBODY = 0


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An entry that was number `number` of the log. `at`: the number of the entry that it stands before now; `seat`:
    who alone knows of it, if it is not everybody."""

    number: int
    at: int
    entry: LogEntry
    seat: int = EVERYBODY

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "at": self.at, "seat": self.seat, "entry": self.entry.to_json()}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> TakenBack:
        return cls(int(row["number"]), int(row["at"]), LogEntry.from_json(row["entry"]), int(row["seat"]))


def after(found: Sequence[TakenBack], before: State, now: State, change: Change) -> list[TakenBack]:
    """What is taken back, in the order in which it stands, once a change has led from one state to another."""
    if change.what == REDONE:
        return [one for one in found if not any(one.entry is entry for entry in now.log[change.entries :])]
    if change.what != UNDONE:
        return list(found)
    cut = common(before.log, now.log)
    behind = sorted([one for one in found if one.at > cut] + list(taken_back(before, cut)), key=lambda one: one.at)
    return [one for one in found if one.at <= cut] + [replace(one, at=cut) for one in behind]


def taken_back(before: State, cut: int) -> Iterator[TakenBack]:
    """The entries from a number on. Of an open plan its seat alone knew, of an answer that others do not see yet, the
    one who gave it."""
    plan = before.plan
    for number, entry in enumerate(before.log[cut:], cut):
        own = plan.seat if plan is not None and number >= plan.entries else EVERYBODY
        yield TakenBack(number, number, entry, entry.seat if entry.is_waiting() else own)


def common(first: Sequence[LogEntry], second: Sequence[LogEntry]) -> int:
    """How many entries two logs of one game begin with together."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(first, second, strict=False)))


def add_rows(log: Log, found: Sequence[TakenBack], state: State, seat: int | None, lang: str) -> None:
    """Put the rows of what was taken back into a log that has just been begun."""
    for one in found:
        if one.seat not in (EVERYBODY, seat) or not (text := narrate(state.game, one.entry, seat, lang)):
            continue
        numbers = [told.row.number for told in log.told]
        at = next((n for n, told in enumerate(log.told) if numbers[n] >= one.at and not told.undone), len(numbers))
        above = log.told[at - 1].row.headings if at else ()
        log.told.insert(at, Told(Row(one.number, above, text), undone=True))
