"""Rounds of a loop `at once` for who wants to hear the answers of all seats together, though rules ask one by one.

The members of such a loop answer before any answer is applied, so what one is offered does not depend on what another
answers. A round asks each seat for its next answer by playing the round on a copy: where a seat has not answered yet,
any answer stands in its place, and that copy is then forgotten.
"""

from __future__ import annotations

from dsl.program import Program
from interpreter import Driver
from interpreter.rules.rounds import goes_on, is_in_round
from tools.adapters.driven import Driven


def has_rounds(program: Program) -> bool:
    """Whether anything is answered `at once`."""
    return any(site.at_once is not None for site in program.sites)


class Rounds:
    """Tells the questions of the rounds of games."""

    def is_in_one(self, driver: Driver) -> bool:
        """Whether a question is asked to all together."""
        return driver.seat > 0 and is_in_round(driver.game, driver.words)

    def pending(self, driven: Driven, given: dict[int, list[int]]) -> dict[int, Driven]:
        """The seats that have to answer now, each with the position in which it is asked; `given`: by seats, what they
        have answered in this round so far, by places. Outside rounds this is the seat that is asked."""
        if not self.is_in_one(driven.driver):
            return {driven.driver.seat: driven} if driven.driver.seat else {}
        found: dict[int, Driven] = {}
        taken = dict.fromkeys(given, 0)
        now: Driven | None = driven.copy()
        while now is not None:
            seat = now.driver.seat
            mine, at = given.get(seat, []), taken.get(seat, 0)
            if at < len(mine):
                place, taken[seat] = mine[at], at + 1
            else:
                found.setdefault(seat, now)
                place = 0
            now = self._behind(now, place)
        return found

    def _behind(self, now: Driven, place: int) -> Driven | None:
        """The next question of the same round; None: this was the last one."""
        then, asked = now.copy(), now.driver.words
        then.answer(place)
        return then if goes_on(then.driver.game, asked, then.driver.words) else None

    def play(self, driven: Driven, given: dict[int, list[int]]) -> None:
        """Take the answers of a round in which nobody has to answer any more, in the order of the rules."""
        left = {seat: list(places) for seat, places in given.items()}
        while any(left.values()):
            driven.answer(left[driven.driver.seat].pop(0))
