"""All tables of a server: opened by a form, found again in the store, put away when nobody looks on."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
from dataclasses import dataclass
from random import SystemRandom

from interpreter import State
from interpreter.bots.levels import RANDOM
from tools.base.errors import CommandEnd, UserError
from tools.commands.play import begin_at
from tools.table.notices import Notice
from tools.table.table import Table
from tools.web.page.away import NEVER
from tools.web.running.games import Games
from tools.web.running.kept import KeptTable, resume, state_of
from tools.web.running.moving import Stopped, moved, strike
from tools.web.running.room import HERE, PERSON, Room
from tools.web.running.secrets import HOST, HOT, WATCH, new_secret
from tools.web.running.store import TableStore
from tools.web.running.thinking import Processes, Thinkers

PER_ADDRESS, MOST = 20, 2000  # tables opened by one address, and kept in all
EVERY = 5.0  # seconds from one look at the clocks of tables to the next
IDLE = 3600.0  # seconds after which a table that nobody looks at is put away
SEED_BITS = 128  # of a seed that decides nothing but stands in a save
SYSTEM = SystemRandom()  # who could guess the seed of a game would know its cards, so no table has one


class TooManyTables(Exception):
    pass


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What a table is begun with: the name of the rules, options by their ids, who sits at each seat in order, the
    ruling or position that it begins from, if it does, and how long people are waited for."""

    rules: str
    options: dict[str, str]
    sitting: tuple[str, ...]
    ruling: str = ""
    patience: int = NEVER


class Rooms:
    """`thinkers`: who lets bots think; else processes do."""

    def __init__(self, store: TableStore, games: Games, thinkers: Thinkers | None = None) -> None:
        self.store, self.games, self.thinkers = store, games, thinkers or Processes()
        self.open: dict[str, Room] = {}
        self.stopped: dict[str, Stopped] = {}
        self.turn = asyncio.Lock()
        self.opened: dict[str, int] = {}  # address -> tables that it has opened since the start

    async def begin(self, setup: TableSetup, owner: str) -> tuple[Room, dict[str, str]]:
        """A new table, with the secret of each place. Raises TooManyTables, GameSetupError, and what loading raises."""
        if self.opened.get(owner, 0) >= PER_ADDRESS or self.store.count() >= MOST:
            raise TooManyTables
        game = await self.games.load(setup.rules)
        seed = secrets.randbits(SEED_BITS)
        if setup.ruling:
            state = begin_at(game, setup.ruling, seed, chance="ask")
        else:
            state = game.new(seats=len(setup.sitting), options=setup.options, seed=seed, chance="ask")
        sitting = dict(enumerate(setup.sitting, 1))
        made = {place: new_secret() for place in places(sitting)}
        hashes = {place: hash_ for place, (_, hash_) in made.items()}
        room = self.room(secrets.token_urlsafe(6), setup.rules, state, sitting, hashes)
        self.opened[owner] = self.opened.get(owner, 0) + 1
        room.patience = setup.patience
        room.kept = self.store.add(room.id, room.rules, room.setup(), room.table, hashes)
        return room, {place: secret for place, (secret, _) in made.items()}

    async def find(self, id_: str) -> Room | Stopped | None:
        """The table with this id, or why it does not go on. Raises SaveError if it cannot be read back."""
        if id_ in self.open:
            return self.open[id_]
        if id_ in self.stopped:
            return self.stopped[id_]
        kept = self.store.find(id_)
        if kept is None:
            return None
        try:
            game = await self.games.begun_with(str(kept.save["digest"]), kept.rules)
        except (UserError, CommandEnd) as fault:
            return self.stopped.setdefault(id_, Stopped(kept, None, str(fault)))
        if id_ in self.open:  # somebody else was faster while the game was loaded
            return self.open[id_]
        if game.program.digest != kept.save["digest"]:
            found = moved(game, kept)
            return self.go_on(kept, found) if isinstance(found, State) else self.stopped.setdefault(id_, found)
        room = self.seated(kept, state_of(game, kept))
        room.version, room.fault, room.kept = kept.version, kept.fault, resume(room.table, kept)
        return room

    def seated(self, kept: KeptTable, state: State) -> Room:
        """A table as it was kept, at this position."""
        sitting = dict(enumerate(kept.setup["sitting"], 1))
        room = self.room(kept.id, kept.rules, state, sitting, kept.hashes)
        room.moved, room.patience = (int(kept.setup.get(key, 0)) for key in ("moved", "patience"))
        room.since = float(kept.setup.get("since", room.since))
        room.table.take_notices([Notice.from_json(row) for row in kept.setup.get("notices", ())])
        return room

    def go_on(self, kept: KeptTable, state: State) -> Room:
        """Let a table go on under other rules than it was begun with, from this position: what its old log has besides
        is struck out."""
        self.stopped.pop(kept.id, None)
        room = self.seated(kept, state)
        strike(room.table, kept)
        room.moved, room.version = len(state.log), kept.version + 1
        room.kept = self.store.move(kept.id, room.setup(), room.table, room.version)
        return room

    def room(self, id_: str, rules: str, state: State, sitting: dict[int, str], hashes: dict[str, str]) -> Room:
        self.put_away()
        people = frozenset(seat for seat, who in sitting.items() if who in (PERSON, HERE))
        together = all(sitting[seat] == HERE for seat in people)
        table = Table(state, people, RANDOM, together, SYSTEM)
        self.open[id_] = Room(id_, rules, table, sitting, hashes, self.store, self.thinkers, turn=self.turn)
        return self.open[id_]

    def put_away(self) -> None:
        """Forget tables that nobody looks at; the store has them."""
        now = time.monotonic()
        idle = [id_ for id_, one in self.open.items() if one.at_rest and now - one.used > IDLE]
        for id_ in idle:
            del self.open[id_]

    def look_at_clocks(self) -> None:
        """Let bots take over where people keep others waiting for too long, and tell of those who have gone away."""
        for room in list(self.open.values()):
            try:
                if room.keep_time():
                    room.wake_bots()
            except Exception as fault:  # of one table, which must not stop the clocks of the others
                print(f"table {room.id}: {type(fault).__name__}: {fault}", file=sys.stderr)

    async def keep_time(self) -> None:
        """Look at the clocks now and then, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            self.look_at_clocks()

    def remove(self, id_: str) -> None:
        """Remove a table for good."""
        self.store.remove(id_)
        if (room := self.open.pop(id_, None)) is not None:
            room.closed = True
        self.stopped.pop(id_, None)

    def close(self) -> None:
        """Let no bot think any more, since the server ends; that is no fault of their tables."""
        for room in self.open.values():
            room.closed = True
        self.thinkers.close()


def places(sitting: dict[int, str]) -> list[str]:
    """The places of a table that have a link."""
    own = [str(seat) for seat, who in sitting.items() if who == PERSON]
    return [*own, *([HOT] if HERE in sitting.values() else []), WATCH, HOST]
