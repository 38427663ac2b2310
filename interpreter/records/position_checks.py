"""Checks of a position that is written by hand: supplies hold what is left, the invariants hold, and only seats that
play are named.

Each test reads a store and raises PositionError with what is wrong; nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import ir
from dsl.base.types import MemberType, SetType, Type, key_count, unpack, width
from interpreter.core.words import Words
from interpreter.rules.layout import entry_at, holders
from interpreter.rules.rules import Rules
from interpreter.session.setup import blank_store
from interpreter.session.state import State


class PositionError(ValueError):
    """A position that cannot be built, or that no game could come to: more pieces than there are, say."""


def check_position(state: State) -> None:
    """Test what must hold for every store of a game."""
    check_seats(state)
    machine = state.game.machine
    machine.words, machine.checked = state.words, state.checked
    for invariant in state.game.program.invariants:
        if not machine.holds(invariant):
            clauses = f" [{', '.join(invariant.cites)}]" if invariant.cites else ""
            raise PositionError(f"the invariant `{invariant.name}` does not hold in this position{clauses}")


def settle_supplies(words: Words, rows: Iterable[Any]) -> None:
    """Test what rows say of supplies, after all rows have been applied; pieces that are said to be gone leave them."""
    for row in rows:
        if not isinstance(row, ir.GivenSupply):
            continue
        if any(words[at] < count if row.gone else words[at] != count for at, count, _ in row.cells):
            wanted, left = (
                counts_text([(label, number) for _, number, label in cells])
                for cells in (row.cells, [(at, words[at], label) for at, _, label in row.cells])
            )
            hint = "" if row.gone else "; to have less, end the row with `others gone`"
            raise PositionError(
                f"{row.symbol} is a supply: what the rows do not place stays there, so it holds {left}, "
                f"not {wanted}{hint}"
            )
        for at, count, _ in row.cells:
            words[at] = count


def counts_text(cells: Iterable[tuple[str, int]]) -> str:
    """Labels with their counts, without those that are 0."""
    return ", ".join(f"{label} {count}" for label, count in cells if count) or "none"


# ------------------------------------------------------------ seats


def check_seats(state: State) -> None:
    """Test that no cell of a seat that does not play differs from the beginning, and that none is named."""
    game, words = state.game, state.words
    things = game.machine.seat_things
    if state.seats >= len(things):
        return
    absent = things[state.seats :]
    blank = game.cached(_blank)
    plays = f"does not play: this position has {state.seats} seats"
    for thing in absent:
        for name, begin, end in game.cached(_cells_of_seats)[thing]:
            if words[begin:end] != blank[begin:end]:
                raise PositionError(f"`{game.program.thing_ids[thing]}`, whose `{name}` is set, {plays}")
    for at, type_ in game.cached(_naming_seats):
        if not words[at]:
            continue
        value = unpack(words, at, type_)
        named = [t for t in absent if (value >> t & 1 if isinstance(type_, SetType) else value == t)]
        if named:
            raise PositionError(f"`{game.program.thing_ids[named[0]]}`, named by `{_cell_name(game, at)}`, {plays}")


def _blank(game: Rules) -> Words:
    return blank_store(game, game.program.seats[0], {})


def _cells_of_seats(game: Rules) -> dict[int, list[tuple[str, int, int]]]:
    """The cells that each seat holds: the name of a field or zone, and its words from one address up to another."""
    found: dict[int, list[tuple[str, int, int]]] = {thing: [] for thing in game.machine.seat_things}
    prefix = f"{game.program.seat_kind}."
    for entry in game.program.layout:
        if entry.symbol.startswith(prefix) and entry.dims and entry.sort != "counter":
            size = key_count(entry.dims[1:]) * width(entry.type)
            for thing, at in holders(entry):
                if thing in found:
                    found[thing].append((entry.symbol.removeprefix(prefix), at, at + size))
    return found


def _naming_seats(game: Rules) -> list[tuple[int, Type]]:
    """The words of fields that name a seat, or a set of seats in one word."""
    found: list[tuple[int, Type]] = []
    for entry in game.program.layout:
        member = entry.type.elem if isinstance(entry.type, SetType) else entry.type
        if entry.sort != "field" or width(entry.type) != 1 or not isinstance(member, MemberType):
            continue
        if member.domain == game.program.seat_kind:
            found += [(entry.base + number, entry.type) for number in range(key_count(entry.dims))]
    return found


def _cell_name(game: Rules, address: int) -> str:
    cell = entry_at(game, address)
    assert cell is not None
    entry, number = cell
    keys = game.names.key(game.names.keys(entry.dims)[number], entry.dims) if entry.dims else ""
    return f"{keys}.{entry.symbol.rpartition('.')[2]}" if keys else entry.symbol
