"""A table whose compiled rules are no longer kept: its log is played again under the rules of today.

Where that leads to the same game, the table goes on with it. Where it does not, the table stops: its people are told
why, each reads the log as far as it was theirs to read, and whoever opened the table may go on from where the two games
part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter import Game, LogEntry, ReplayError, RulesetError, SaveError, State, migrate
from interpreter.core.words import new_store
from interpreter.records.save import log_entries
from interpreter.session.entry import CHANCE
from interpreter.session.log import PARTS, narrate
from interpreter.session.state import PlanStart
from tools.table.table import Table
from tools.table.undone import EVERYBODY, TakenBack, cut_off, entries_from
from tools.web.running.kept import KeptTable, read_taken_back


@dataclass(frozen=True, slots=True)
class Stopped:
    """A table that does not go on. `game`: the rules of today, None where they cannot be loaded; `why`: what differs,
    or what is wrong with them, as everybody may know it; `state`: the position up to there under the rules of today,
    None where there is none."""

    kept: KeptTable
    game: Game | None
    why: str
    state: State | None = None

    @property
    def id(self) -> str:
        return self.kept.id

    @property
    def hashes(self) -> dict[str, str]:
        return self.kept.hashes


def moved(game: Game, kept: KeptTable) -> State | Stopped:
    """The position of a table under other rules than it was begun with."""
    try:
        found = migrate(game, kept.save)
    except ReplayError as fault:
        return Stopped(kept, game, fault.told)
    except RulesetError as fault:
        return Stopped(kept, game, fault.where)
    except SaveError as fault:  # of the form of its log, or of what it was begun with
        return Stopped(kept, game, str(fault))
    if found.difference or found.kept < found.lines:
        return Stopped(kept, game, found.told, found.state)
    return found.state


def strike(table: Table, kept: KeptTable) -> None:
    """Strike out at a table that has moved what was struck out before, and the lines of the old log behind its own."""
    log = log_entries(kept.save)
    again = [LogEntry.from_json(row) for row in kept.again]
    back = read_taken_back(kept.undone, [*log, *again])
    table.taken_back = cut_off(back, log, plan_of(kept), len(table.state.log))


def plan_of(kept: KeptTable) -> PlanStart | None:
    """Whose plan was open, and from which line on."""
    plan = kept.save["plan"]
    return PlanStart(int(plan["seat"]), new_store(), int(plan["entries"])) if plan else None


def why_of(stopped: Stopped, seat: int | None, lang: str) -> str:
    """Why a table has stopped, as this reader may know it: which line differs, as far as it may read that line."""
    if stopped.state is None:
        return stopped.why
    number = len(stopped.state.log)
    log = list(entries_from(log_entries(stopped.kept.save), plan_of(stopped.kept), 0))
    if number >= len(log):
        return stopped.why
    if log[number].seat not in (EVERYBODY, seat):
        return ""  # of a plan of somebody else
    line = line_of(stopped.game, log[number], seat, lang)
    return f"line {number + 1}{f' ({line})' if line else ''}: {stopped.why}"


def lines_of(stopped: Stopped, seat: int | None, lang: str) -> list[str]:
    """The log of a table that has stopped, as far as this reader may know it."""
    try:
        entries = list(entries_from(log_entries(stopped.kept.save), plan_of(stopped.kept), 0))
    except SaveError as damage:
        return [str(damage)]
    own = (one for one in entries if one.seat in (EVERYBODY, seat))
    told = (line_of(stopped.game, one, seat, lang) for one in own)
    return [line for line in told if line]


def line_of(game: Game | None, one: TakenBack, seat: int | None, lang: str) -> str:
    """A line in the words of the rules of today, else in those of the log itself."""
    try:
        if game is not None:
            return narrate(game, one.entry, seat, lang)
    except Exception:  # a line of other rules may name what texts of these ask for in any way
        pass
    return bare_line(one.entry, seat)


def bare_line(entry: LogEntry, seat: int | None) -> str:
    """A line without its rules: who, and what, if all of it may be read."""
    readable = entry.seen_by(seat) and all(seat in seats for _, seats in entry.secret) and not entry.unnamed_to(seat)
    if not entry.seen_by(seat) and entry.form in PARTS:
        return ""  # said once, when the answer is complete
    if entry.kind == CHANCE:
        return words_of(entry.ids) if readable else ""
    return f"{entry.actor}: {words_of(entry.ids) if readable else '…'}"


def words_of(ids: Sequence[str]) -> str:
    return " ".join(ids).replace("_", " ")
