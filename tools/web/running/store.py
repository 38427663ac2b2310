"""The store of tables: one SQLite file, one transaction an answer.

The log of a game is kept line by line, what can be taken back position by position, the rest of it as it is now. A
table goes on under the compiled rules that it was begun with.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

from interpreter import LogEntry, SaveError, State, save
from interpreter.records.save import sealed
from interpreter.session.state import digest
from tools.table.table import Table
from tools.web.running.kept import KeptTable, told_back
from tools.web.running.steps import (
    AHEAD,
    BEHIND,
    StepRow,
    Written,
    ahead_rows,
    behind_row,
    early_text,
    longest_log,
    numbered,
    packed,
    plan_text,
    unpacked,
)

TABLES = """
create table if not exists game(
    id text primary key, rules text, setup text, head text, plan text, words blob, version int, fault text,
    undone text, lines int, sealed int, early text default '');
create table if not exists line(game text, n int, entry text, primary key(game, n)) without rowid;
create table if not exists step(
    game text, side int, n int, seat int, lines int, plan text, words blob, was text, early text default '',
    primary key(game, side, n)) without rowid;
create table if not exists place(game text, name text, hash text, primary key(game, name)) without rowid;
"""
OWN = 0o600  # rights of the file, which holds every card of every game, whatever the folder has
BESIDE = ("-wal", "-shm")  # files that stand beside it; new ones have its rights
FORM = 3  # of the file; a later one is not read
SECOND = """
alter table game add column lines int;
alter table game add column sealed int default 0;
update game set lines = (select count(*) from line where line.game = game.id);
"""  # what made the second form of the first, which had no steps
THIRD = "alter table game add column early text default '';"
STEPS_OF_THIRD = "alter table step add column early text default '';"
MORE = {1: SECOND + THIRD, 2: THIRD + STEPS_OF_THIRD}  # by the form of a file, what makes the third of it
CHANGING = ("log", "plan", "early", "words", "state", "seal", "hands_on")  # fields of a save that are kept elsewhere


class TableStore:
    """The file of all tables, which one server alone has open. Raises OSError or sqlite3.Error."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=OWN)
        for one in (file, *(file.with_name(file.name + end) for end in BESIDE)):
            if one.exists():
                one.chmod(OWN)
        self.base = sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False)
        self.base.execute("pragma locking_mode=exclusive")  # of two servers each would forget what the other does
        self.base.execute("pragma journal_mode=wal")
        self.base.execute("pragma synchronous=normal")
        (found,) = self.base.execute("pragma user_version").fetchone()
        if not 0 <= found <= FORM:
            raise sqlite3.DatabaseError("it was written by another version of rulewright")
        more = MORE.get(found, "")
        self.base.executescript(f"begin; {more} {TABLES} pragma user_version = {FORM}; commit;")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.base.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.base.execute("rollback")
            raise
        self.base.execute("commit")

    def add(self, id_: str, rules: str, setup: dict[str, Any], table: Table, hashes: dict[str, str]) -> Written:
        """Keep a new table; gives what was written."""
        with self.transaction():
            self.base.execute("insert into game values(?, ?, ?, ?, '', x'', 0, '', '[]', 0, 0, '')",
                              (id_, rules, json.dumps(setup), head_of(table.state)))  # fmt: skip
            self.base.executemany("insert into place values(?, ?, ?)", [(id_, *row) for row in hashes.items()])
            return self.write_position(id_, table, 0, "", Written())

    def keep(self, id_: str, setup: dict[str, Any], table: Table, version: int, fault: str, before: Written) -> Written:
        """Keep a table as it is now. `before`: what was written of it last; gives what is now."""
        with self.transaction():
            self.base.execute("update game set setup = ? where id = ?", (json.dumps(setup), id_))
            return self.write_position(id_, table, version, fault, before)

    def move(self, id_: str, setup: dict[str, Any], table: Table, version: int) -> Written:
        """Keep a table that goes on under other rules, in place of what was kept of it; gives what was written."""
        with self.transaction():
            self.base.execute("update game set head = ?, setup = ? where id = ?",
                              (head_of(table.state), json.dumps(setup), id_))  # fmt: skip
            self.base.execute("delete from line where game = ?", (id_,))
            return self.write_position(id_, table, version, "", Written())

    def write_position(self, id_: str, table: Table, version: int, fault: str, before: Written) -> Written:
        state, log = table.state, longest_log(table.state, table.history)
        same = common(before.log, log)
        if same < len(before.log):
            self.base.execute("delete from line where game = ? and n >= ?", (id_, same))
        rows = [(id_, n, json.dumps(log[n].to_json(), ensure_ascii=False)) for n in range(same, len(log))]
        self.base.executemany("insert into line values(?, ?, ?)", rows)
        now = self.write_steps(id_, table, log, before, same if same < len(before.log) else len(log))
        undone = json.dumps([told_back(one, log) for one in table.taken_back], ensure_ascii=False)
        place = plan_text(state.plan), packed(state.words), early_text(state)
        row = (*place, version, fault, undone, len(state.log), table.history.sealed)
        changed = "plan = ?, words = ?, early = ?, version = ?, fault = ?, undone = ?, lines = ?, sealed = ?"
        self.base.execute(f"update game set {changed} where id = ?", (*row, id_))
        return now

    def write_steps(self, id_: str, table: Table, log: list[LogEntry], before: Written, same: int) -> Written:
        """Write the steps that are new, or at which a line from `same` on was another one."""
        history = table.history
        if not before.steps and not before.ahead:  # none are kept, or none that could be read
            self.base.execute("delete from step where game = ?", (id_,))
        now = numbered(history, before.steps)
        gone = [(id_, BEHIND, n) for step, n in before.steps.items() if now.get(step) != n]
        self.base.executemany("delete from step where game = ? and side = ? and n = ?", gone)
        new = [behind_row(step, n, log) for step, n in now.items()
               if step not in before.steps or len(step.before.log) > same]  # fmt: skip
        self.write_rows(id_, new)
        ahead = [step for _, step in history.undone]
        if ahead != before.ahead:
            self.base.execute("delete from step where game = ? and side = ?", (id_, AHEAD))
            self.write_rows(id_, ahead_rows(history, log))
        return Written(log[:], now, ahead)

    def write_rows(self, id_: str, rows: Sequence[StepRow]) -> None:
        written = [(id_, r.side, r.n, r.seat, r.lines, r.plan, r.words, r.was, r.early) for r in rows]
        self.base.executemany("insert or replace into step values(?, ?, ?, ?, ?, ?, ?, ?, ?)", written)

    def renew(self, id_: str, place: str, hash_: str) -> None:
        """Keep another hash for a place."""
        with self.transaction():
            self.base.execute("insert or replace into place values(?, ?, ?)", (id_, place, hash_))

    def remove(self, id_: str) -> None:
        with self.transaction():
            for table, column in (("game", "id"), ("line", "game"), ("step", "game"), ("place", "game")):
                self.base.execute(f"delete from {table} where {column} = ?", (id_,))

    def find(self, id_: str) -> KeptTable | None:
        """The table with this id; None if none is kept. Raises SaveError for one that cannot be read."""
        columns = "rules, setup, head, plan, words, version, fault, undone, lines, sealed, early"
        row = self.base.execute(f"select {columns} from game where id = ?", (id_,)).fetchone()
        if row is None:
            return None
        rules, setup, head, plan, words, version, fault, undone, lines, first, early = row
        log = self.base.execute("select entry from line where game = ? order by n", (id_,)).fetchall()
        hashes = dict(self.base.execute("select name, hash from place where game = ?", (id_,)).fetchall())
        step = "select side, n, seat, lines, plan, words, was, early from step where game = ?"
        steps = [StepRow(*found) for found in self.base.execute(step, (id_,))]
        try:
            now, entries = unpacked(words), [json.loads(entry) for (entry,) in log]
            changing = {
                "log": entries[:lines],
                "plan": json.loads(plan) if plan else None,
                "words": now,
                "state": digest(now),
            } | ({"early": json.loads(early)} if early else {})
            found = sealed({**json.loads(head), **changing})
            back = json.loads(undone)
            return KeptTable(
                id_, rules, json.loads(setup), found, version, fault, hashes, entries[lines:], steps, first, back
            )
        except (zlib.error, ValueError, TypeError, KeyError) as damage:
            raise SaveError(f"table {id_} is damaged: {damage}") from None

    def count(self) -> int:
        """How many tables are kept."""
        number: int = self.base.execute("select count(*) from game").fetchone()[0]
        return number

    def close(self) -> None:
        self.base.close()


def common(first: Sequence[LogEntry], second: Sequence[LogEntry]) -> int:
    """How many entries two logs of one game begin with together."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(first, second, strict=False)))


def head_of(state: State) -> str:
    """What of a save does not change while the game goes on."""
    return json.dumps({key: value for key, value in save(state).items() if key not in CHANGING})
