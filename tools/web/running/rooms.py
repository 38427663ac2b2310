"""All tables of a server: opened by a form, found again in the store, put away when nobody looks on."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass
from random import SystemRandom

from interpreter import State
from interpreter.rules.rules import Rules
from tools.table.table import Table
from tools.web.running.games import Games
from tools.web.running.kept import resume, state_of
from tools.web.running.room import GREEDY, HERE, PERSON, RANDOM, Room
from tools.web.running.secrets import HOST, HOT, WATCH, new_secret
from tools.web.running.store import Store

PER_ADDRESS, MOST = 20, 2000  # tables opened by one address, and kept in all
IDLE = 3600.0  # seconds after which a table that nobody looks at is put away
SEED_BITS = 128  # of a seed that decides nothing but stands in a save
SYSTEM = SystemRandom()  # who could guess the seed of a game would know its cards, so no table has one


class TooManyTables(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table is begun with: the name of the rules, options by their ids, who sits at each seat in order."""

    rules: str
    options: dict[str, str]
    sitting: tuple[str, ...]


class Rooms:
    def __init__(self, store: Store, games: Games) -> None:
        self.store, self.games = store, games
        self.open: dict[str, Room] = {}
        self.turn = asyncio.Lock()
        self.opened: dict[str, int] = {}  # address -> tables that it has opened since the start

    async def begin(self, setup: Setup, owner: str) -> tuple[Room, dict[str, str]]:
        """A new table, with the secret of each place. Raises TooManyTables, GameSetupError, and what loading raises."""
        if self.opened.get(owner, 0) >= PER_ADDRESS or self.store.count() >= MOST:
            raise TooManyTables
        game = await self.games.load(setup.rules)
        seed = secrets.randbits(SEED_BITS)
        state = game.new(seats=len(setup.sitting), options=setup.options, seed=seed, chance="ask")
        sitting = dict(enumerate(setup.sitting, 1))
        made = {place: new_secret() for place in places(sitting)}
        hashes = {place: hash_ for place, (_, hash_) in made.items()}
        room = self.room(secrets.token_urlsafe(6), setup.rules, state, sitting, hashes)
        self.opened[owner] = self.opened.get(owner, 0) + 1
        room.kept = self.store.add(room.id, room.rules, {"sitting": list(setup.sitting)}, room.table, hashes)
        return room, {place: secret for place, (secret, _) in made.items()}

    async def find(self, id_: str) -> Room | None:
        """The table with this id. Raises SaveError if it cannot be read back."""
        if id_ in self.open:
            return self.open[id_]
        kept = self.store.find(id_)
        if kept is None:
            return None
        game = await self.games.begun_with(str(kept.save["digest"]), kept.rules)
        if id_ in self.open:  # somebody else was faster while the game was loaded
            return self.open[id_]
        state = state_of(game, kept)
        sitting = dict(enumerate(kept.setup["sitting"], 1))
        room = self.room(id_, kept.rules, state, sitting, kept.hashes)
        room.version, room.fault, room.kept = kept.version, kept.fault, resume(room.table, kept)
        return room

    def room(self, id_: str, rules: str, state: State, sitting: dict[int, str], hashes: dict[str, str]) -> Room:
        self.put_away()
        people = frozenset(seat for seat, who in sitting.items() if who in (PERSON, HERE))
        together = all(sitting[seat] == HERE for seat in people)
        table = Table(state, people, bots(state.game, sitting), together, SYSTEM)
        self.open[id_] = Room(id_, rules, table, sitting, hashes, self.store, turn=self.turn)
        return self.open[id_]

    def put_away(self) -> None:
        """Forget tables that nobody looks at; the store has them."""
        now = time.monotonic()
        idle = [id_ for id_, one in self.open.items() if not one.viewers and now - one.used > IDLE]
        for id_ in idle:
            del self.open[id_]

    def remove(self, room: Room) -> None:
        """Remove a table for good."""
        self.store.remove(room.id)
        self.open.pop(room.id, None)


def bots(game: Rules, sitting: dict[int, str]) -> dict[int, str]:
    """Who plays the other seats; nobody plays for points where the rules do not say what is good."""
    names = {seat: who for seat, who in sitting.items() if who in (RANDOM, GREEDY)}
    return names if game.program.evaluate >= 0 else dict.fromkeys(names, RANDOM)


def places(sitting: dict[int, str]) -> list[str]:
    """The places of a table that have a link."""
    own = [str(seat) for seat, who in sitting.items() if who == PERSON]
    return [*own, *([HOT] if HERE in sitting.values() else []), WATCH, HOST]
