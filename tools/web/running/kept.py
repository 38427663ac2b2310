"""A table as it is kept, and a game made of it again.

What is read back is checked as a save from anybody is. Lines that can be given again, and those that were taken back,
are the same objects wherever they stand: so logs of readers and the table tell of the same answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter import Game, LogEntry, SaveError, State, restore
from tools.table.table import Table
from tools.table.undone import TakenBack
from tools.web.running.steps import StepRow, Written, read_steps


@dataclass(frozen=True, slots=True)
class KeptTable:
    """`rules`: what a ruleset is named by; `setup`: who sits where; `save`: the game as a save; `hashes`: by place;
    `again`: lines behind its log that can be given again; `steps`: what can be taken back, of which
    nobody takes back the first `sealed` alone; `undone`: what was taken back."""

    id: str
    rules: str
    setup: dict[str, Any]
    save: dict[str, Any]
    version: int
    fault: str
    hashes: dict[str, str]
    again: Sequence[Any] = ()
    steps: Sequence[StepRow] = ()
    sealed: int = 0
    undone: Sequence[dict[str, Any]] = ()


def state_of(game: Game, kept: KeptTable) -> State:
    """The state of a table that was kept. Raises SaveError."""
    return restore(game, kept.save)


def resume(table: Table, kept: KeptTable) -> Written:
    """Give a table that was begun with `state_of` what can be taken back, what can be given again, and what is struck
    out. Without the first two where they cannot be read: the game goes on. Raises SaveError."""
    try:
        log = [*table.state.log, *(LogEntry.from_json(row) for row in kept.again)]
        table.taken_back = read_taken_back(kept.undone, log)
    except (TypeError, ValueError, KeyError, IndexError) as damage:
        raise SaveError(f"table {kept.id} is damaged: {damage}") from None
    try:
        written = read_steps(table.history, table.state, kept.steps, log)
        table.history.sealed = min(kept.sealed, len(table.history.steps))
        return written
    except SaveError as damage:
        print(f"table {kept.id}: {damage}", file=sys.stderr)
        return Written(log)


def told_back(one: TakenBack, log: Sequence[LogEntry]) -> dict[str, Any]:
    """What was taken back, as it is kept: a line that can be given again is told by its number."""
    if one.number < len(log) and log[one.number] is one.entry:
        return {"number": one.number, "at": one.at, "seat": one.seat}
    return one.to_json()


def read_taken_back(rows: Iterable[dict[str, Any]], log: Sequence[LogEntry]) -> list[TakenBack]:
    """Raises TypeError, ValueError, KeyError or IndexError."""
    return [
        TakenBack.from_json(row)
        if "entry" in row
        else TakenBack(int(row["number"]), int(row["at"]), log[int(row["number"])], int(row["seat"]))
        for row in rows
    ]
