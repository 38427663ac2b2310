"""The scale of `evaluate`: how far seats are apart in a few random games, by which a search judges a margin."""

from __future__ import annotations

from math import isqrt

from dsl.base.cache import load_cached, store_cached
from dsl.program import OVER, SEATS
from interpreter.backends.native.cache import interpreter_digest, is_digested
from interpreter.choices.generator import Generator
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.machine.invariants import checking
from interpreter.rules.rules import Rules
from interpreter.session.setup import blank_store

GAMES, ANSWERS = 4, 400  # random games, and the most answers of each
EVERY, WIDE = 8, 3  # how often the margin is read, and how many deviations are far ahead


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
