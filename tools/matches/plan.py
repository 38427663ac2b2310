"""The games of a match: two bots share the seats, and each seed is played twice, with the seats exchanged.

A game of a match counts in the same way whatever the number of seats: the bots take the seats in turn, beginning with
one in the first game of a pair and with the other in the second, so that both have as many seats, and the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter import Game
from tools.base.errors import UserError
from tools.simulation.bots import make_player
from tools.simulation.playout import GameSetup

MOST_GAMES = 1_000_000  # of one match
PAIR = 2  # games of one seed


@dataclass(frozen=True, slots=True)
class Bout:
    """One game of a match of two bots. `match`: the number of the match."""

    match: int
    bots: tuple[str, str]
    setup: GameSetup


def bouts_of(matches: Sequence[tuple[str, str]], games: int, seats: int, seed: int, passed: int = 0) -> Iterator[Bout]:
    """The games of matches, all of which have the same seeds: a pair of each match, then the next pair of each, so that
    a run that is stopped has as many of all. `passed`: so many seeds have been played with already."""
    for pair in range(games // PAIR):
        for match, bots in enumerate(matches):
            for turn in range(PAIR):
                yield Bout(match, bots, GameSetup(PAIR * pair + turn, seats, seed * 1_000_000 + passed + pair))


def check_games(games: int) -> None:
    if not PAIR <= games <= MOST_GAMES or games % PAIR:
        raise UserError(
            f"--games should be an even number from {PAIR} to {MOST_GAMES}, since each seed is played with the seats "
            f"exchanged, but {games} was given."
        )


def check_seats(game: Game, seats: int | None) -> int:
    """The number of seats of a match; two, or the next number that the ruleset has, if none is asked for."""
    program = game.program
    low, high = max(PAIR, program.seats[0]), program.seats[1]
    if high < PAIR:
        raise UserError(f"'{program.id}' is for one seat: there is nobody to play a match against.")
    if not {"score", "winners"} & program.result.keys():
        raise UserError(f"the rules of '{program.id}' do not say who has won: its manifest has no `result`.")
    if seats is None:
        return low
    if not low <= seats <= high:
        wanted = f"a number from {low} to {high}" if low < high else str(low)
        raise UserError(f"--seats should be {wanted}, but {seats} was given.")
    return seats


def check_levels(text: str, least: int) -> tuple[str, ...]:
    """The names of bots, at least so many and all different; `make_player` says what is wrong with one."""
    levels = tuple(name.strip() for name in text.split(","))
    for name in levels:
        make_player(name, 0)
    if len(levels) < least or len(set(levels)) < len(levels):
        raise UserError("--levels should name two or more different bots, the weakest first, as random,greedy,search.")
    return levels
