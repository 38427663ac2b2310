"""Answers that were taken back, as far as others know of them: they stay in the logs of all readers, struck out, also
of those who come later.

`Table` keeps the entries; a `Log` makes rows of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter import LogEntry, State
from interpreter.session.state import PlanStart

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


def after_undo(found: Sequence[TakenBack], before: State, now: State) -> list[TakenBack]:
    """All that is taken back, in the order in which it stands, once an undo has led from one state to another."""
    return cut_off(found, before.log, before.plan, len(now.log))


def cut_off(found: Sequence[TakenBack], log: Sequence[LogEntry], plan: PlanStart | None, cut: int) -> list[TakenBack]:
    """All that is taken back, in the order in which it stands, once a log ends at a number. `plan`: the one that was
    open at the end of the whole log."""
    behind = [*(one for one in found if one.at > cut), *entries_from(log, plan, cut)]
    behind.sort(key=lambda one: one.at)
    return [one for one in found if one.at <= cut] + [replace(one, at=cut) for one in behind]


def after_redo(found: Sequence[TakenBack], before: State, now: State) -> list[TakenBack]:
    """All that is still taken back once a redo has led from one state to another: without what is given again; what
    stood behind that stands behind it still."""
    numbers = {id(entry): number for number, entry in enumerate(now.log[len(before.log) :], len(before.log))}
    at, left = 0, []
    for one in found:
        if id(one.entry) in numbers:
            at = numbers[id(one.entry)] + 1
        else:
            left.append(replace(one, at=max(one.at, at)))
    return left


def entries_from(log: Sequence[LogEntry], plan: PlanStart | None, cut: int) -> Iterator[TakenBack]:
    """The entries of a log from a number on. Of an open plan its seat alone knew, of an answer that others do not see
    yet, the one who gave it."""
    for number, entry in enumerate(log[cut:], cut):
        own = plan.seat if plan is not None and number >= plan.entries else EVERYBODY
        yield TakenBack(number, number, entry, entry.seat if entry.is_waiting() else own)
