"""How fast the games of `kinds` are played natively, beside OpenSpiel's from Python: `python -m tests.spiel.speed`.

Random games from the start, each decision uniform, in turns, by processor time. It prints one line a game, and for
chess how many positions a second `perft` counts, beside the package `chess` where that is installed. It is no test.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any, NamedTuple

import interpreter as rw
from tests.spiel.kinds import KINDS
from tests.spiel.pairs import Pair, place_of, spiel_game
from tests.spiel.test_chess import KNOWN, facts

PERFT = {"start": 4, "kiwipete": 3, "end_game": 5}


class Rate(NamedTuple):
    """Random games and decisions a second."""

    games: float
    decisions: float


def seconds(work: Callable[[], Any]) -> float:
    """The processor time of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def play_there(pair: Pair, games: int, seed: int) -> int:
    """Random games of OpenSpiel; gives their decisions."""
    chance, decisions, game = random.Random(seed), 0, spiel_game(pair.theirs)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(actions, weights)[0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))
                decisions += 1
    return decisions


def rate(play: Callable[[int, int], int], least: float) -> Rate:
    """Play more and more games until they take so many seconds."""
    games = 1
    while True:
        begun = time.process_time()
        decisions = play(games, games)
        taken = time.process_time() - begun
        if taken >= least:
            return Rate(games / taken, decisions / taken)
        games *= 2


def compare(pair: Pair, least: float, backend: str) -> tuple[Rate, Rate, int]:
    """The rate of ours, that of OpenSpiel, and how many decisions native code gave up."""
    game = rw.load(place_of(pair.ruleset), backend=backend)
    engine = game.engine
    words = engine.new(pair.seats, pair.options)
    engine.playouts(words, 1, 0)
    ours = rate(lambda games, seed: engine.playouts(words, games, seed).decisions, least)
    theirs = rate(lambda games, seed: play_there(pair, games, seed), least)
    return ours, theirs, game.native.given_up if game.native else 0


def perft_there(board: Any, depth: int) -> int:
    """The same count by the package `chess`."""
    if depth == 1:
        return int(board.legal_moves.count())
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += perft_there(board, depth - 1)
        board.pop()
    return found


def count_chess(backend: str) -> None:
    game = rw.load(place_of("chess"), backend=backend)
    for name, depth in PERFT.items():
        fen, known, _ = KNOWN[name]
        words = game.new(given=facts(fen), options={"draws": "off"}, auto=False).words
        ours = known[depth - 1] / seconds(partial(game.engine.perft, words, depth))
        line = f"perft {name:10} {ours:12,.0f} positions/s"
        if find_spec("chess") is not None:
            import chess

            board = chess.Board(f"{fen} 0 1")
            theirs = known[depth - 1] / seconds(partial(perft_there, board, depth))
            line += f"   the package `chess` {theirs:12,.0f}   {ours / theirs:.2f}"
        print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description="Native games a second, beside OpenSpiel's by a Python loop.")
    parser.add_argument("names", nargs="*", help="rulesets; without any: all of them")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each measurement takes, or more")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--backend", default="wasm")
    given = parser.parse_args()
    for pair in KINDS:
        if given.names and pair.ruleset not in given.names:
            continue
        rounds = [compare(pair, given.seconds, given.backend) for _ in range(given.rounds)]
        ours, theirs = (median(row[k].games for row in rounds) for k in (0, 1))
        ratios = sorted(row[0].games / row[1].games for row in rounds)
        print(
            f"{pair.name:20} {ours:10,.1f} games/s {median(row[0].decisions for row in rounds):12,.0f} decisions/s"
            f"   OpenSpiel {theirs:10,.1f} games/s   {median(ratios):8.3f} ({ratios[0]:.3f}-{ratios[-1]:.3f})"
            f"   given up {max(row[2] for row in rounds)}"
        )
    if not given.names or "chess" in given.names:
        count_chess(given.backend)


if __name__ == "__main__":
    main()
