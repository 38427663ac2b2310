"""Ratings by the model of Bradley and Terry, and as Elo: one rated a beats one rated b in a / (a + b) of the games.

Takes numbers of wins, gives plain numbers; knows nothing about games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

CLOSE = 1e-9
ROUNDS = 10_000
ELO = 400 / math.log(10)

Wins = Sequence[Sequence[float]]  # wins[a][b]: how often a has beaten b


def ratings(wins: Wins) -> list[float]:
    """The most likely ratings, their geometric mean being 1, by the algorithm of minorisation. All are compared with
    each other, if only through others, and each has won something and lost something."""
    places = range(len(wins))
    won = [sum(row) for row in wins]
    found = [1.0] * len(wins)
    for _ in range(ROUNDS):
        before = found[:]
        for a in places:
            games = ((wins[a][b] + wins[b][a], found[b]) for b in places if b != a)
            found[a] = won[a] / sum(n / (found[a] + other) for n, other in games if n)
        mean = math.exp(math.fsum(map(math.log, found)) / len(found))
        found = [value / mean for value in found]
        if all(abs(math.log(new / old)) < CLOSE for new, old in zip(found, before, strict=True)):
            break
    return found


def elo(wins: Wins) -> list[float]:
    """How far each is above the first one, 400 being ten games won for each one lost."""
    found = ratings(wins)
    return [ELO * math.log(value / found[0]) for value in found]
