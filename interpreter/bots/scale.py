"""The style of a search: what is asked for, else what the manifest says, else what is usual.

The usual scale of `evaluate` is how far seats are apart in a few random games, by which a search judges a margin.
"""

from __future__ import annotations

from math import isqrt
from typing import TypeVar

from dsl.base.cache import load_cached, store_cached
from dsl.program import OVER, SEATS, SearchSettings
from interpreter.backends.native.cache import interpreter_digest, is_digested
from interpreter.bots.searching import SearchStyle
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.machine.invariants import checking
from interpreter.rules.rules import Rules
from interpreter.session.setup import blank_store

T = TypeVar("T")
NOTHING = SearchSettings()
GAMES, ANSWERS = 4, 400  # random games, and the most answers of each
EVERY, WIDE = 8, 3  # how often the margin is read, and how many deviations are far ahead
USUAL, ALONE = (0, 5), (1000, 70)  # cut and exploring: with `evaluate`, and where only the end says who has won


def style_of(rules: Rules, iterations: int, asked: SearchSettings = NOTHING) -> SearchStyle:
    """The style of a search with so many iterations."""
    said = rules.program.search
    cut, exploring = USUAL if rules.program.evaluate >= 0 else ALONE
    scale = first_of(asked.scale, said.scale)
    return SearchStyle(
        iterations,
        rules.cached(scale_of) if scale is None else scale,
        first_of(asked.cut, first_of(said.cut, cut)),
        first_of(asked.exploring, first_of(said.exploring, exploring)),
    )


def first_of(value: int | None, other: T) -> int | T:
    """The value, or the other one where there is none."""
    return other if value is None else value


def scale_of(rules: Rules) -> int:
    """Three times the root of the mean square of the margins of the first two seats; 1 without `evaluate`. The
    same for the same rules; it takes the reference up to half a minute, once for a ruleset, and is kept in the
    cache."""
    program = rules.program
    if program.evaluate < 0:
        return 1
    key = f"scale {program.digest} {interpreter_digest()}"
    found = load_cached(key) if is_digested(program) else None
    if not isinstance(found, int):
        found = measured(rules)
        if is_digested(program):
            store_cached(key, found)
    return found


def measured(rules: Rules) -> int:
    program, machine = rules.program, rules.machine
    margins: list[int] = []
    seats = max(2, program.seats[0]) if program.seats[1] > 1 else 1
    with checking(machine, False):
        for seed in range(GAMES):
            words, chance = blank_store(rules, seats, {}, seed), Generator(seed)
            machine.start(words, program.entry)
            try:
                machine.run(words)
                for n in range(ANSWERS):
                    option = machine.draw_option(words, chance.random) if not words[OVER] else None
                    if option is None:
                        break
                    machine.take(words, option)
                    if n % EVERY == 0:
                        margins.append(margin(rules, words))
            except RulesetError:
                continue
    return max(1, WIDE * isqrt(sum(m * m for m in margins) // max(1, len(margins))))


def margin(rules: Rules, words: Words) -> int:
    """How far the first seat is ahead of the second, or of nothing."""
    worth = [rules.machine.worth(words, rules.names.seat_thing(seat)) for seat in range(1, words[SEATS] + 1)][:2]
    return worth[0] - worth[1] if len(worth) == 2 else worth[0]
