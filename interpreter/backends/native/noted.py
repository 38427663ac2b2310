"""Courses of random games, each one function with notes: what `NativeWalks` plays from question to question."""

from __future__ import annotations

from dsl.program import Program
from interpreter.backends.low.base.context import GAMES
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.games.driver import NOTED_GAMES
from interpreter.backends.low.notes.rows import ROWS
from interpreter.backends.native.beginnings import WORTH, Beginnings, CallPace
from interpreter.backends.native.cache import Made, instance_for_noted_games
from interpreter.backends.native.notes import Course, Row, add_totals, book_of, hand_in, take_rows
from interpreter.backends.native.targets import Instance, Target
from interpreter.core.words import Words


class NotedGames:
    """Random games with notes, each played by one native function. `beginnings`: the modules; `replayed`: the games
    that the caller had to play."""

    def __init__(self, program: Program, target: Target) -> None:
        self.program, self.target = program, target
        self.beginnings = Beginnings(program, self._made_for, WORTH)
        self.replayed = 0

    def _made_for(self, begun: Words, _: bool) -> tuple[Instance, Made]:
        return instance_for_noted_games(self.program, begun, self.target)

    def play(
        self, begun: Words, course: Course, first: int, most: int, rows: list[Row], totals: list[int]
    ) -> tuple[int, int]:
        """Play the games of a course from its game `first` on, each with at most so many answers; add to `rows` and
        `totals`. Gives from which game on the caller has to play, and how many."""
        made = self.beginnings.module_for(begun, False, course.games - first)
        if made is None or len(begun) > made[1].regions.top:
            return first, course.games - first
        hand_in(made, begun, course, None)
        instance, pace, whole = made[0], CallPace(course.games), True

        def some(games: int) -> bool:
            instance.set(GAMES, 0)
            try:
                instance.call(NOTED_GAMES, first, games, most)
            except Trapped:
                return False
            return True

        while whole and first < course.games:
            whole = pace.play(course.games - first, some)
            first += instance.get(GAMES)
            if instance.get(ROWS) >= book_of(made).most_results:
                take_rows(made, rows)
        take_rows(made, rows)
        add_totals(made, totals)
        if not whole:
            self.replayed += 1
            self.beginnings.failed(begun, False)
        return first, int(not whole)
