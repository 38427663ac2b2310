"""The ways in which people drive and play a ruleset, each as a player of random games.

They use what a program outside would use, each decision uniform over what is offered, and nothing that only one version
of Rulewright has without asking for it: `against` runs this file over another checkout. What drives a game decision by
decision cuts it short after `LONGEST` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from importlib.util import find_spec
from random import Random
from typing import Any, TypeAlias

from interpreter import Game, apply, legal
from interpreter.choices.draw import SELDOM_ODDS
from tools.bench.cells import PlayedGames, Player
from tools.bench.courses import LONGEST, courses_to_follow, draw, rare_numbers

DRIVER, SESSION, PRINTED, REFERENCE = "driver", "session", "printed", "reference"
ADAPTER, PETTINGZOO, VECTOR = "openspiel_adapter", "pettingzoo", "vector"
BULK, SIMULATE = "bulk", "simulate"
ENVIRONMENTS = 64  # games of the vectorised environment
SEED_BITS = 32

Playout: TypeAlias = Callable[[Random], int]
"""Plays one game with choices from this generator; gives the number of decisions."""


class SteppingPlayer:
    """Plays one game after the other. `longest`: decisions after which a game is cut short; 0: it never is."""

    def __init__(self, playout: Playout, longest: int = LONGEST) -> None:
        self.playout, self.longest = playout, longest
        self.chance = Random()

    def begin(self, seed: int) -> None:
        self.chance.seed(seed)

    def play(self, games: int) -> PlayedGames:
        lengths = [self.playout(self.chance) for _ in range(games)]
        return PlayedGames(games, sum(lengths), lengths.count(self.longest))


# ------------------------------------------------------------ driven one by one


def driver_player(game: Game, seats: int, known: Game | None = None) -> Player | None:
    """`Game.driver`: options by their numbers. None where the version has no drivers. `known`: the same ruleset, to
    lay answers down with where that has to be."""
    if not hasattr(game, "driver"):
        return None
    laid_down = courses_to_follow(known or game, seats)

    def playout(chance: Random) -> int:
        random, decisions = chance.random, 0
        driver = game.driver(seats, seed=chance.getrandbits(SEED_BITS))
        while driver.count and decisions < LONGEST:
            driver.answer(int(random() * driver.count))
            decisions += 1
        return decisions

    def follow(chance: Random) -> int:
        course = chance.choice(laid_down)
        driver = game.driver(seats, seed=course.seed)
        for place in course.answers:
            driver.answer(place)
        return len(course.answers)

    return SteppingPlayer(follow if laid_down else playout)


def session_player(game: Game, seats: int, known: Game | None = None) -> Player:
    """`legal` and `apply` on a state with its log: the same games as by a driver."""
    prepare = getattr(game.machine, "prepare", None)
    if prepare is not None:
        prepare()  # an earlier version wrote its code bit by bit while it played
    laid_down = courses_to_follow(known or game, seats)

    def playout(chance: Random) -> int:
        random, decisions = chance.random, 0
        state = game.new(seats, seed=chance.getrandbits(SEED_BITS))
        while (options := legal(state)) and decisions < LONGEST:
            apply(state, options[int(random() * len(options))])
            decisions += 1
        return decisions

    def follow(chance: Random) -> int:
        course = chance.choice(laid_down)
        state = game.new(seats, seed=course.seed)
        for place in course.answers:
            apply(state, legal(state)[place])
        return len(course.answers)

    return SteppingPlayer(follow if laid_down else playout)


# ------------------------------------------------------------ bots and learners


def spiel_playout(game: Any, rare: Container[int] = ()) -> Playout:
    """A game of OpenSpiel, its own or one of ours, through its Python API. `rare`: actions that are taken seldom."""

    def playout(chance: Random) -> int:
        random, state, decisions = chance.random, game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            if state.is_simultaneous_node():
                actions = [state.legal_actions(player) for player in range(game.num_players())]
                state.apply_actions([offered[int(random() * len(offered))] for offered in actions])
                decisions += len(actions)
                continue
            state.apply_action(draw(random, state.legal_actions(), rare))
            decisions += 1
        return decisions

    return playout


def adapter_player(game: Game, seats: int) -> Player | None:
    """Our ruleset as a game of OpenSpiel. None without the package, or where there are no rewards for seats."""
    if find_spec("pyspiel") is None:
        return None
    import pyspiel

    from tools.adapters.openspiel import register

    try:
        name = register(game, f"rulewright_bench_{len(pyspiel.registered_names())}_{game.program.id}")
    except ValueError:
        return None
    ours = pyspiel.load_game(name, {"players": seats, "max_game_length": LONGEST})
    return SteppingPlayer(spiel_playout(ours, rare_numbers(game, seats)))


def pettingzoo_player(game: Game, seats: int) -> Player | None:
    """Our ruleset as an environment of PettingZoo, with observation and mask at each step. None without the package, or
    where there are no rewards for seats."""
    if find_spec("pettingzoo") is None:
        return None
    import numpy as np

    from tools.adapters.pettingzoo import env as make

    try:
        env = make(game, seats=seats, max_decisions=LONGEST)
    except ValueError:
        return None
    rare = rare_numbers(game, seats)

    def playout(chance: Random) -> int:
        random, decisions = chance.random, 0
        env.reset(seed=chance.getrandbits(SEED_BITS))
        while True:
            observed, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return decisions
            env.step(draw(random, np.flatnonzero(observed["action_mask"]).tolist(), rare))
            decisions += 1

    return SteppingPlayer(playout)


class VectorPlayer:
    """Many games at once in a vectorised environment; one that is over begins anew, so `play` counts a few more.
    `rare`: actions that are taken seldom."""

    def __init__(self, env: Any, rare: set[int]) -> None:
        import numpy as np

        self.env, self.numpy = env, np
        self.rare = np.array(sorted(rare), np.int64)
        self.slots = np.arange(env.num_envs)
        self.begin(0)

    def begin(self, seed: int) -> None:
        self.random = self.numpy.random.default_rng(seed).random
        self.infos = self.env.reset(seed=seed)[1]

    def play(self, games: int) -> PlayedGames:
        ended = cut = decisions = 0
        while ended < games:
            _, _, terminated, truncated, self.infos = self.env.step(self._choose())
            decisions += len(self.slots)
            cut += int(truncated.sum())
            ended += int((terminated | truncated).sum())
        return PlayedGames(ended, decisions, cut)

    def _choose(self) -> Any:
        offered, count, slots = self.infos["legal"], self.infos["count"], self.slots
        places = (self.random(len(slots)) * count).astype(self.numpy.int64)
        chosen = offered[slots, places]
        if len(self.rare):
            again = self.numpy.isin(chosen, self.rare) & (self.random(len(slots)) * SELDOM_ODDS >= 1)
            for slot in self.numpy.flatnonzero(again):
                common = self.numpy.setdiff1d(offered[slot, : count[slot]], self.rare)
                if len(common):
                    chosen[slot] = common[int(self.random() * len(common))]
        return chosen


def vector_player(game: Game, seats: int) -> VectorPlayer | None:
    """Our ruleset as a vectorised environment. None without the package, or where there can be none for it."""
    if find_spec("tools.adapters.vector") is None or find_spec("gymnasium") is None:
        return None
    from interpreter.backends.low.base.kinds import Unsupported
    from tools.adapters.vector import make

    try:
        env = make(game, ENVIRONMENTS, seats=seats, max_decisions=LONGEST)
    except (ValueError, MemoryError, Unsupported):
        return None
    return VectorPlayer(env, rare_numbers(game, seats))


# ------------------------------------------------------------ whole games in bulk


class BulkPlayer:
    """A player of many random games with one call of `Engine.playouts`."""

    def __init__(self, game: Game, seats: int) -> None:
        self.engine, self.seeds = game.engine, Random()
        self.start = self.engine.new(seats)

    def begin(self, seed: int) -> None:
        self.seeds.seed(seed)

    def play(self, games: int) -> PlayedGames:
        return PlayedGames(games, self.engine.playouts(self.start, games, self.seeds.getrandbits(SEED_BITS)).decisions)


class SimulatePlayer:
    """Games of `simulate` by random bots, unchecked, with their report."""

    def __init__(self, game: Game, seats: int) -> None:
        from tools.simulation.native import NativePlay
        from tools.simulation.playout import MOST_DECISIONS

        self.game, self.seats, self.seeds = game, seats, Random()
        target = "wasm" if find_spec("wasmtime") is not None else "printed"
        self.native = NativePlay(game, target, ("random",), {}, MOST_DECISIONS)

    def begin(self, seed: int) -> None:
        self.seeds.seed(seed)

    def play(self, games: int) -> PlayedGames:
        from tools.simulation.answer_usage import LOOKED_AT
        from tools.simulation.playout import Batch, Setups, play_out
        from tools.simulation.report import Report

        numbers = range(LOOKED_AT, LOOKED_AT + games)  # what is offered is found out in the first ones, however many
        setups = Setups(numbers, (self.seats,), self.seeds.getrandbits(SEED_BITS))
        if self.native.notice:
            batch = Batch([play_out(self.game, setup, "random", False, {}) for setup in setups])
        else:
            batch = self.native.play(setups)
        report = Report(self.game.program, games, False, ("random",), 1)
        report.add_usage(batch.card_usage, batch.answer_usage)
        for outcome in batch.outcomes:
            report.add(outcome, None)
        decisions = sum(outcome.answers * outcome.games for outcome in batch.outcomes)
        return PlayedGames(games, decisions, sum(outcome.games for outcome in batch.outcomes if outcome.unfinished))


WAYS: dict[str, Callable[[Game, int], Player | None]] = {
    DRIVER: driver_player,
    SESSION: session_player,
    PRINTED: lambda game, seats: driver_player(Game(game.program, backend=PRINTED), seats, game),
    REFERENCE: lambda game, seats: session_player(Game(game.program, backend=REFERENCE), seats, game),
    ADAPTER: adapter_player,
    PETTINGZOO: pettingzoo_player,
    VECTOR: vector_player,
    BULK: BulkPlayer,
    SIMULATE: SimulatePlayer,
}
"""The maker of the player of each way, for a game with so many seats; None where there is none."""


def make_native(game: Game) -> None:
    """Make the native module of a game now, since it would be made while games are played."""
    if hasattr(game, "driver"):
        game.driver()
