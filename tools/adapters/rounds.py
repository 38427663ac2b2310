"""Rounds of a loop `at once` for who wants to hear the answers of all seats together, though rules ask one by one.

The members of such a loop answer before any answer is applied, so what one is offered does not depend on what another
answers. A round asks each seat for its next answer by playing the round on a copy: where a seat has not answered yet,
any answer stands in its place, and that copy is then forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.program import Program
from interpreter import Driver
from interpreter.rules.rounds import goes_on, is_in_round, is_last
from tools.adapters.driven import Driven


def has_rounds(program: Program) -> bool:
    """True if anything is answered `at once`."""
    return any(site.at_once is not None for site in program.sites)


def pending(driven: Driven, given: Mapping[int, Sequence[int]]) -> tuple[dict[int, Driven], Driven]:
    """The seats that have to answer now, each with the position in which it is asked, and how far the given answers
    lead: behind the round where nobody has to answer any more. `given`: by seats, what they have answered in this round
    so far, by places. Outside rounds the one seat that is asked has to answer."""
    found: dict[int, Driven] = {}
    taken = dict.fromkeys(given, 0)
    now, kept = driven, True
    while now.driver.seat:
        seat, asked, place = now.driver.seat, now.driver.words, 0
        mine, at = given.get(seat, ()), taken.get(seat, 0)
        if at < len(mine):
            place, taken[seat] = mine[at], at + 1
        else:
            kept = found.setdefault(seat, now) is now or kept
            if ends_round(now.driver):
                break
        if kept:
            now, kept = now.copy(), False
        now.answer(place)
        if not goes_on(now.driver.game, asked, now.driver.words):
            break
    return found, now


def ends_round(driver: Driver) -> bool:
    """True if nobody else is asked in the round of a question: it is that of the last member, or outside rounds."""
    site = driver.game.program.sites[driver.question]
    return not is_in_round(driver.game, driver.words) or is_last(driver.words, site)
