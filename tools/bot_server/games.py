"""The games of a server by their numbers, the rulesets that they play, and who may sit at them.

All connections share one `ServedGames`. `changed` is its lock: it is held while a message is carried out, and wakes
those who wait for their turn.
"""

from __future__ import annotations

import hmac
import random
import secrets
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dsl.driver.reference import NoSuchRules, parse_reference
from interpreter import Game, State, log_for
from interpreter.rules.rules import Rules
from tools.adapters.actions import ActionSpace
from tools.base.errors import CommandEnd, UserError, shorten, unknown_message
from tools.base.home import rulesets
from tools.base.loading import load_game
from tools.base.saves import NAMES
from tools.wire.lines import WireError

MOST_GAMES = 1000
MOST_RULESETS = 32  # that are kept loaded
MOST_TOKENS = 1000


@dataclass(slots=True)
class ServedGame:
    """A game of the server. `chance` draws for `draw`; `told`: by seats and languages, how many entries of the log will
    not change, and their lines."""

    state: State
    chance: random.Random = field(default_factory=random.Random)
    told: dict[tuple[int | None, str], tuple[int, list[str]]] = field(default_factory=dict)

    def log(self, seat: int | None, lang: str, since: int) -> dict[str, Any]:
        """The lines of the log that a seat reads, from this one on. `next`: how many of all lines will not change: an
        answer that waits for others, or an open plan, reads differently later."""
        state, (known, lines) = self.state, self.told.get((seat, lang), (0, []))
        changing = [n for n, entry in enumerate(state.log) if entry.is_waiting()]
        if state.plan is not None:
            changing.append(max(0, state.plan.entries - 1))
        now = min([*changing, len(state.log)])
        lines += log_for(state, seat, lang, known, now)
        self.told[seat, lang] = now, lines
        return {"lines": [*lines, *log_for(state, seat, lang, now)][max(since, 0) :], "next": len(lines)}


class ServedGames:
    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.changed = threading.Condition()
        self.played: dict[int, ServedGame] = {}
        self.loaded: dict[str, Game] = {}
        self.seats: dict[str, tuple[int, int]] = {}  # token -> game, seat
        self.last = 0

    def rules(self, name: str) -> Game:
        """The ruleset of this id, with overlays by their names; never a path. Raises WireError."""
        game = self.loaded.pop(name, None) or self._load(name)
        self.loaded[name] = game
        if len(self.loaded) > MOST_RULESETS:
            del self.loaded[next(iter(self.loaded))]
        return game

    def _load(self, name: str) -> Game:
        known = rulesets()

        def find(id_: str) -> Path:
            if id_ not in known:
                raise UserError(unknown_message("ruleset", shorten(id_), known))
            return known[id_]

        try:
            if not NAMES.fullmatch(name):
                raise UserError("a ruleset is named by its id, with overlays by their names")
            reference = parse_reference(name, find, only_names=True)
        except (UserError, NoSuchRules, ValueError) as fault:
            raise WireError("unknown_ruleset", str(fault)) from None
        try:
            return load_game(reference, self.backend)
        except CommandEnd as fault:
            raise WireError("bad_ruleset", str(fault)) from None

    def add(self, state: State, chance: random.Random) -> int:
        """The number of a new game; raises WireError where there are too many."""
        self.require_room()
        self.last += 1
        self.played[self.last] = ServedGame(state, chance)
        return self.last

    def require_room(self) -> None:
        if len(self.played) >= MOST_GAMES:
            raise WireError("too_many", f"{MOST_GAMES} games at a time: `drop` some")

    def find(self, number: int) -> ServedGame:
        if number not in self.played:
            raise WireError("unknown_game", "there is no game with this number")
        return self.played[number]

    def drop(self, number: int) -> None:
        self.find(number)
        del self.played[number]
        self.seats = {token: place for token, place in self.seats.items() if place[0] != number}
        self.changed.notify_all()

    def replace(self, number: int, state: State) -> None:
        """Put the next position of a game in the place of the last, and wake those who wait."""
        self.played[number].state = state
        if self.seats:
            self.changed.notify_all()

    def invite(self, number: int, seat: int) -> str:
        """A new token for a seat of a game."""
        if len(self.seats) >= MOST_TOKENS:
            raise WireError("too_many", f"{MOST_TOKENS} tokens at a time: `drop` some games")
        token = secrets.token_urlsafe(24)
        self.seats[token] = (number, seat)
        return token

    def seat_of(self, token: str) -> tuple[int, int] | None:
        """The game and the seat that a token is for."""
        given = token.encode("utf-8", "replace")
        found = [place for known, place in self.seats.items() if hmac.compare_digest(known.encode(), given)]
        return found[0] if found else None


def actions_of(rules: Rules) -> ActionSpace:
    """The fixed numbers of all answers of a ruleset; to be kept with it (`Rules.cached`)."""
    return ActionSpace(rules)
