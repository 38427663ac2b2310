"""Positions: stores that are built row by row instead of by play.

A position begins with the empty store of its seats and options, or with another position; its rows set cells, counts
and the content of zones; its steps then lead on to an open question. Counted pieces come out of their supply, and
things leave the place where they were, so a position can neither make nor lose any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import SetType, pack
from interpreter.core.placement import audience, content, show_tops
from interpreter.core.words import Words, put
from interpreter.records.position_checks import PositionError, check_position, counts_text, settle_supplies
from interpreter.records.steps import run_steps
from interpreter.rules.names import hint
from interpreter.rules.rules import Rules
from interpreter.session.setup import blank_store, option_ids, option_of
from interpreter.session.state import State, copy


def build(game: Rules, name: str, seen: tuple[str, ...] = ()) -> State:
    """The named position, run to the question that its steps lead to. Raises PositionError if it cannot be built or
    stands against the rules; one that another begins with (`seen`) is not tested by itself."""
    position = game.program.positions.get(name)
    if position is None:
        raise PositionError(f"no position `{name}`{hint(name, game.program.positions)}")
    if name in seen:
        raise PositionError(f"the position `{name}` begins with itself: {' from '.join((*seen, name))}")
    state = base_state(game, position.base, position.seats, position.options, (*seen, name))
    place_rows(game, state, position.given)
    run_steps(state, position.steps)
    if not seen:
        check_position(state)
    return state


def base_state(
    game: Rules, base: str, seats: int, options: Sequence[tuple[str, int]], seen: tuple[str, ...] = ()
) -> State:
    """The state that rows are applied to: the base position, or an empty store with these seats and options (seats 0:
    the fewest that may play, or those of the base)."""
    if base:
        kept = game.cached(_built)
        if base not in kept:
            kept[base] = build(game, base, seen or ("",))
        state = copy(kept[base])
        state.game = game  # the same rules, perhaps with a machine that traces
    else:
        words = blank_store(game, seats or game.program.seats[0], {})
        state = State(game, words, words[hdr.SEATS], {}, auto=False)
    with_setup(game, state, seats, options)
    return state


def with_setup(game: Rules, state: State, seats: int, options: Sequence[tuple[str, int]]) -> None:
    """Give a state this number of seats, if it is not 0, and these options."""
    words = state.words[:]
    if seats:
        words[hdr.SEATS] = state.seats = seats
    for name, value in options:
        words[option_of(game, name).address] = value
    state.options = option_ids(game, words)
    state.replace_words(words)


def _built(_: Rules) -> dict[str, State]:
    """The positions that others begin with, by name, each from when it was needed first."""
    return {}


def place_rows(game: Rules, state: State, rows: Sequence[Any]) -> None:
    """Apply the rows to the store, as if all of them were applied at once: what supplies hold, and who knows what
    lies where, is settled behind the last one."""
    words = state.words[:]
    left: list[int] = []  # zones that things have left
    for row in rows:
        if isinstance(row, ir.GivenCell):
            packed = pack(row.value, row.type)
            put(words, row.address, row.address + len(packed), packed)
        elif isinstance(row, ir.GivenPieces):
            _pieces(words, row)
        elif isinstance(row, ir.GivenThings):
            left += _things(game, words, row)
        elif not isinstance(row, ir.GivenSupply):
            raise TypeError(f"a row of kind {type(row).__name__} in a position")
    _check_supplies(words, rows)
    settle_supplies(words, rows)
    placed = [row for row in rows if isinstance(row, ir.GivenThings)]
    if game.program.known_base and placed:
        _settle_knowledge(game, words, placed, left)
    state.replace_words(words)


def _pieces(words: Words, row: ir.GivenPieces) -> None:
    """Set counts; missing pieces come from the supply, surplus ones go back to it. Until all rows are applied a supply
    may be short of them."""
    for supply, change in _changes(words, row).items():
        words[supply] += change
    for address, count, _, _ in row.cells:
        words[address] = count


def _changes(words: Words, row: ir.GivenPieces) -> dict[int, int]:
    """The pieces that a row gives to each supply, by its address, or takes from it (below 0)."""
    supplies = dict(row.supplies)
    changes: dict[int, int] = {}
    for address, count, supply, _ in row.cells:
        if row.slot:
            for code, change in ((words[address], 1), (count, -1)):
                if code in supplies and supplies[code] >= 0:
                    changes[supplies[code]] = changes.get(supplies[code], 0) + change
        elif supply >= 0:
            changes[supply] = changes.get(supply, 0) + words[address] - count
    return changes


def _check_supplies(words: Words, rows: Sequence[Any]) -> None:
    """Raise PositionError for the last row that takes from a supply more than is there."""
    for row in reversed(rows):
        for supply, needed in _taken(row).items() if isinstance(row, ir.GivenPieces) else ():
            if words[supply] < 0:
                held = row.symbol or "a zone"
                wanted = counts_text([(label, count) for _, count, _, label in row.cells])
                left = max(words[supply] + needed, 0)
                raise PositionError(f"{held} is to hold {wanted}, which needs {needed} from a supply of {left}")


def _taken(row: ir.GivenPieces) -> dict[int, int]:
    """The number of pieces that each supply has given for what a row places."""
    supplies = dict(row.supplies)
    taken: dict[int, int] = {}
    for _, count, supply, _ in row.cells:
        at, number = (supplies.get(count, -1), 1) if row.slot else (supply, count)
        if at >= 0 and number:
            taken[at] = taken.get(at, 0) + number
    return taken


def _things(game: Rules, words: Words, row: ir.GivenThings) -> list[int]:
    """Set the content of a zone; gives the zones that the things were in, 0 for none."""
    placed = game.program.placed
    zones = game.program.zones
    for thing in content(words, zones[row.zone]):
        words[placed[thing]] = 0
    _write_zone(game, words, row.zone, ())
    left = []
    for thing in row.things:
        old = words[placed[thing]]
        left.append(old)
        if old:
            _write_zone(game, words, old, tuple(t for t in content(words, zones[old]) if t != thing))
        words[placed[thing]] = row.zone
    _write_zone(game, words, row.zone, row.things)
    return left


def _settle_knowledge(game: Rules, words: Words, rows: Sequence[ir.GivenThings], left: Sequence[int]) -> None:
    """Let those know the things of each zone that see it, and what lies on top now."""
    game.machine.words = words
    for row in rows:
        seers = audience(game.machine, game.program.zones[row.zone])
        for thing in row.things:
            words[game.program.known_base + thing] = seers
    show_tops(game.machine, dict.fromkeys((*left, *(row.zone for row in rows))))


def _write_zone(game: Rules, words: Words, zone: int, things: tuple[int, ...]) -> None:
    if not zone:
        return
    z = game.program.zones[zone]
    if 0 < z.cap < len(things):
        raise PositionError(f"{game.names.place(zone)} has room for {z.cap}, not for {len(things)}")
    value: Any
    if isinstance(z.type, SetType):
        value = sum(1 << t for t in things)
    elif z.kind == "slot":
        value = things[0] if things else 0
    else:
        value = things
    packed = pack(value, z.type)
    put(words, z.base, z.base + len(packed), packed)
