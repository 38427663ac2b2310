"""Who sees what: audiences of zones and cells, and who knows where a hidden thing is.

Everything is read from the layout of the program and from the store; nothing here changes it. A seat is a number
from 1, or None for a spectator, who sees only what everybody sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr

if TYPE_CHECKING:
    from interpreter.session.game import Game

ALL, OWNER, NOBODY = "all", "owner", "nobody"


def sees(game: Game, words: list[int], audience: str, owner_fn: int, thing: int, seat: int | None) -> bool:
    """Whether `seat` is in the audience of a cell or zone that belongs to `thing` (0: to nobody)."""
    if audience == ALL:
        return True
    if audience == NOBODY or seat is None:
        return False
    if audience == OWNER:
        return owner_seat(game, words, owner_fn, thing) == seat
    number = int(audience.removeprefix("fn:"))
    args = [thing, game.names.seat_thing(seat)]
    wanted = len(game.program.functions[number].params)
    return bool(game.machine.eval_fn(words, number, args[len(args) - wanted :]))


def owner_seat(game: Game, words: list[int], owner_fn: int, thing: int) -> int:
    """The seat that a thing belongs to: itself, if it is one; 0 for nobody."""
    if own := game.names.seat_number(thing):
        return own
    if owner_fn < 0 or not thing:
        return 0
    return game.names.seat_number(game.machine.eval_fn(words, owner_fn, [thing]))


def sees_zone(game: Game, words: list[int], zone: int, seat: int | None) -> bool:
    """Whether `seat` sees what lies in zone instance `zone`."""
    if not zone:
        return True
    z = game.program.zones[zone]
    return sees(game, words, z.audience, game.owner_fns.get(z.symbol, -1), z.holder, seat)


def place_of(game: Game, words: list[int], thing: int) -> int:
    """The zone instance that a thing is in; 0: the unnamed box, or it never moves."""
    address = game.program.placed[thing] if thing < len(game.program.placed) else 0
    return words[address] if address else 0


def knows(game: Game, words: list[int], thing: int, seat: int | None) -> bool:
    """Whether `seat` knows where `thing` is: it sees the zone, or the store remembers that it was shown."""
    if sees_zone(game, words, place_of(game, words, thing), seat):
        return True
    if seat is None or not game.program.known_base:
        return False
    return bool(words[game.program.known_base + thing] >> seat & 1)


def seers(game: Game, words: list[int], thing: int) -> tuple[int, ...] | None:
    """The seats that know where a thing is; None: everybody."""
    if sees_zone(game, words, place_of(game, words, thing), None):
        return None
    return tuple(s for s in range(1, words[hdr.SEATS] + 1) if knows(game, words, thing, s))


def is_thing(game: Game, id_: str) -> bool:
    return id_ in game.things


def private_entries(game: Game) -> list[ir.LayoutEntry]:
    """The declared state that not everybody may see."""
    return [e for e in game.program.layout if e.audience != ALL]
