"""The trajectory of watched values through a game: those that the manifest names under `watch`, from start to end.

Takes the store at each decision and at the end; returns each value at eleven points of the game, tenth by tenth. A
value of a seat is averaged over the seats.
"""

from __future__ import annotations

from interpreter import Game
from interpreter.core.words import Words

POINTS = 11
MAX_READINGS = 128  # readings of one game; beyond that every second one is dropped, and only every second is taken


class Trajectory:
    def __init__(self, game: Game) -> None:
        self.game, self.watch = game, game.program.watch
        self.readings: list[tuple[float, ...]] = []
        self.positions = 0
        self.stride = 1
        self.last: tuple[float, ...] = ()

    def record(self, words: Words, seats: int, last: bool = False) -> None:
        """Read the values of a store, at every `stride`th position and at the last one."""
        turn = self.positions % self.stride == 0
        self.positions += 1
        if not self.watch or not (turn or last):
            return
        self.last = tuple(read_value(self.game, words, seats, number) for _, number in self.watch)
        if turn:
            self.readings.append(self.last)
        if len(self.readings) > MAX_READINGS:
            self.readings = self.readings[::2]
            self.stride *= 2

    def points(self) -> dict[str, tuple[float, ...]]:
        """Each watched value at the start, after each tenth of the decisions, and at the end."""
        if not self.readings:
            return {}
        rows = self.readings if self.readings[-1] is self.last else [*self.readings, self.last]
        picked = [rows[round(i * (len(rows) - 1) / (POINTS - 1))] for i in range(POINTS)]
        return {name: tuple(row[k] for row in picked) for k, (name, _) in enumerate(self.watch)}


def read_value(game: Game, words: Words, seats: int, number: int) -> float:
    machine, names = game.machine, game.names
    if not game.program.functions[number].params:
        return float(machine.eval_fn(words, number, []))
    things = [names.seat_thing(seat) for seat in range(1, seats + 1)]
    return float(sum(machine.eval_fn(words, number, [thing]) for thing in things)) / seats
