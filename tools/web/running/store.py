"""What is kept of the tables: one SQLite file, one transaction an answer.

The log of a game is kept line by line, the rest of it as it is now. What is read back is checked as a save from
anybody is. A table goes on under the compiled rules that it was begun with.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from interpreter import Game, LogEntry, SaveError, State, restore, save
from interpreter.records.save import sealed
from interpreter.session.state import digest
from tools.table.undone import TakenBack

TABLES = """
create table if not exists game(
    id text primary key, rules text, setup text, head text, plan text, words blob, version int, fault text,
    undone text);
create table if not exists line(game text, n int, entry text, primary key(game, n)) without rowid;
create table if not exists place(game text, name text, hash text, primary key(game, name)) without rowid;
"""
FORM = 1  # of the file; another one is not read
CHANGING = ("log", "plan", "words", "state", "seal", "hands_on")  # fields of a save that are kept elsewhere


@dataclass(frozen=True, slots=True)
class Kept:
    """A table as it is kept. `rules`: what a ruleset is named by; `setup`: who sits where; `save`: the game as a save;
    `hashes`: by place."""

    id: str
    rules: str
    setup: dict[str, Any]
    save: dict[str, Any]
    version: int
    fault: str
    hashes: dict[str, str]
    undone: tuple[TakenBack, ...] = ()


class Store:
    """The file of all tables, which one server alone has open. Raises OSError or sqlite3.Error."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds every card of every game
        self.base = sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False)
        self.base.execute("pragma locking_mode=exclusive")  # of two servers each would forget what the other does
        self.base.execute("pragma journal_mode=wal")
        self.base.execute("pragma synchronous=normal")
        (found,) = self.base.execute("pragma user_version").fetchone()
        if found not in (0, FORM):
            raise sqlite3.DatabaseError("it was written by another version of rulewright")
        self.base.executescript(f"{TABLES} pragma user_version = {FORM};")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.base.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.base.execute("rollback")
            raise
        self.base.execute("commit")

    def add(self, id_: str, rules: str, setup: dict[str, Any], state: State, hashes: dict[str, str]) -> None:
        """Keep a new table."""
        head = {key: value for key, value in save(state).items() if key not in CHANGING}
        with self.transaction():
            self.base.execute("insert into game values(?, ?, ?, ?, '', x'', 0, '', '[]')",
                              (id_, rules, json.dumps(setup), json.dumps(head)))  # fmt: skip
            self.base.executemany("insert into place values(?, ?, ?)", [(id_, *row) for row in hashes.items()])
            self.write_position(id_, state, 0, [], "", [])

    def keep(
        self, id_: str, state: State, version: int, before: list[LogEntry], fault: str, undone: list[dict[str, Any]]
    ) -> None:
        """Keep a table as it is now. `before`: the log as it was kept last; `undone`: what was taken back."""
        with self.transaction():
            self.write_position(id_, state, version, before, fault, undone)

    def write_position(
        self, id_: str, state: State, version: int, before: list[LogEntry], fault: str, undone: list[dict[str, Any]]
    ) -> None:
        same = common(before, state.log)
        if same < len(before):
            self.base.execute("delete from line where game = ? and n >= ?", (id_, same))
        rows = [(id_, n, json.dumps(state.log[n].to_json(), ensure_ascii=False)) for n in range(same, len(state.log))]
        self.base.executemany("insert into line values(?, ?, ?)", rows)
        plan = state.plan
        shown = json.dumps({"seat": plan.seat, "words": list(plan.words), "entries": plan.entries}) if plan else ""
        words = zlib.compress(array("i", state.words).tobytes(), 1)
        self.base.execute("update game set plan = ?, words = ?, version = ?, fault = ?, undone = ? where id = ?",
                          (shown, words, version, fault, json.dumps(undone), id_))  # fmt: skip

    def renew(self, id_: str, place: str, hash_: str) -> None:
        """Keep another hash for a place."""
        with self.transaction():
            self.base.execute("insert or replace into place values(?, ?, ?)", (id_, place, hash_))

    def remove(self, id_: str) -> None:
        with self.transaction():
            for table, column in (("game", "id"), ("line", "game"), ("place", "game")):
                self.base.execute(f"delete from {table} where {column} = ?", (id_,))

    def find(self, id_: str) -> Kept | None:
        """The table with this id; None if none is kept. Raises SaveError for one that cannot be read."""
        asked = "select rules, setup, head, plan, words, version, fault, undone from game where id = ?"
        row = self.base.execute(asked, (id_,)).fetchone()
        if row is None:
            return None
        rules, setup, head, plan, packed, version, fault, undone = row
        lines = self.base.execute("select entry from line where game = ? order by n", (id_,)).fetchall()
        hashes = dict(self.base.execute("select name, hash from place where game = ?", (id_,)).fetchall())
        try:
            words = array("i", zlib.decompress(packed)).tolist()
            changing = {
                "log": [json.loads(entry) for (entry,) in lines],
                "plan": json.loads(plan) if plan else None,
                "words": words,
                "state": digest(words),
            }
            found = sealed({**json.loads(head), **changing})
            back = tuple(map(TakenBack.from_json, json.loads(undone)))
            return Kept(id_, rules, json.loads(setup), found, version, fault, hashes, back)
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


def state_of(game: Game, kept: Kept) -> State:
    """The state of a table that was kept. Raises SaveError."""
    return restore(game, kept.save)
