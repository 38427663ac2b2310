"""The store before the first instruction: seats, options, seed, and the facts that are given.

Takes the seats and the options by their names; raises GameSetupError for what does not fit the ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dsl import ir
from dsl import program as hdr
from interpreter.core import rng
from interpreter.core.words import Words, new_store, put
from interpreter.rules.facts import FactError, cells_of
from interpreter.rules.names import hint
from interpreter.rules.rules import Rules

DRAW, ASK = "draw", "ask"  # what is done at a chance event

Member = str | bool | int  # of an option: its id; also True, False or a number


class GameSetupError(ValueError):
    """A setup with which no game can begin: wrong number of seats, unknown option, facts that do not fit."""


def blank_store(
    rules: Rules,
    seats: int,
    options: Mapping[str, Member],
    seed: int = 0,
    chance: str = DRAW,
    given: Mapping[str, Any] | None = None,
) -> Words:
    """The store before the first instruction. `given`: facts for the given fields, as another game has handed them
    on."""
    low, high = rules.program.seats
    if not low <= seats <= high:
        raise GameSetupError(f"{seats} seats, but this game is for {low} to {high}")
    words = new_store([0] * rules.program.state_words)
    for address, value in rules.program.init:
        words[address] = value
    if chance not in (DRAW, ASK):
        raise GameSetupError(f"chance cannot be `{chance}`{hint(chance, (DRAW, ASK))} (one of: {DRAW}, {ASK})")
    words[hdr.SEATS] = seats
    words[hdr.ASKING] = int(chance == ASK)
    for info in rules.program.options:
        words[info.address] = info.default
    for name, member in options.items():
        info = option_of(rules, name)
        words[info.address] = option_value(rules, info, member)
    if given:
        give(rules, words, given, seats)
    rng.seed(words, seed)
    return words


def give(rules: Rules, words: Words, facts: Mapping[str, Any], seats: int) -> None:
    """Write facts into the given fields."""
    try:
        cells, named = cells_of(rules, facts)
    except FactError as fault:
        raise GameSetupError(str(fault)) from None
    if named > seats:
        raise GameSetupError(f"the facts name `{rules.names.seat_id(named)}`, but this game has {seats} seats")
    for address, packed in cells:
        put(words, address, address + len(packed), packed)


def seats_for(rules: Rules, facts: Mapping[str, Any]) -> int:
    """The number of seats of a game that begins with these facts: up to the last seat that they name, and as many as
    the game needs."""
    try:
        return max(rules.program.seats[0], cells_of(rules, facts)[1])
    except FactError as fault:
        raise GameSetupError(str(fault)) from None


def option_of(rules: Rules, name: str) -> ir.OptionInfo:
    for info in rules.program.options:
        if info.name == name:
            return info
    known = [o.name for o in rules.program.options]
    raise GameSetupError(f"no option `{name}` in this game{hint(name, known)} (known: {', '.join(known) or 'none'})")


def option_value(rules: Rules, info: ir.OptionInfo, member: Member) -> int:
    """The number of a member in the store; True and 3 are good for `true` and `3`."""
    member = str(member).lower() if isinstance(member, bool) else str(member)
    domain = rules.program.domains.get(info.domain)
    ids = dict(zip(domain.ids, domain.values, strict=True)) if domain else {"false": 0, "true": 1}
    if member not in ids:
        raise GameSetupError(f"option `{info.name}` cannot be `{member}`{hint(member, ids)} (one of: {', '.join(ids)})")
    return ids[member]


def option_ids(rules: Rules, words: Words) -> dict[str, str]:
    """The options of a store, as ids."""
    found = {}
    for info in rules.program.options:
        value = words[info.address]
        domain = rules.program.domains.get(info.domain)
        ids = dict(zip(domain.values, domain.ids, strict=True)) if domain else {0: "false", 1: "true"}
        found[info.name] = ids[value]
    return found
