"""The players of random games in a bench: the default back end in three ways, the reference, WebAssembly in two, a
game written by hand, OpenSpiel.

A `Player` plays a number of whole games, each decision uniform over the legal options (a single one is taken and
counted as well), and returns the number of decisions. What a ruleset calls `seldom` is taken once in a while only. A
`Cell` is one measurement of such games.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

import dsl
from dsl.program import SITE
from interpreter import Game
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.playout.whole_games import WholeGames
from interpreter.choices.draw import SELDOM_ODDS, is_rare
from interpreter.core import rng
from interpreter.core.question import Option
from interpreter.rules.rules import WASM
from interpreter.session.playouts import MAX_DECISIONS
from tools.simulation.answer_usage import LOOKED_AT
from tools.simulation.bots import RANDOM
from tools.simulation.playout import MOST_DECISIONS, Setup, Setups, play_out
from tools.simulation.report import Report

if TYPE_CHECKING:
    from interpreter.backends.native.games import NativeGames
    from tools.simulation.native import NativePlay

ENGINE, DRIVEN, SIMULATE, REFERENCE = "engine", "driven", "simulate", "reference"
NATIVE, NATIVE_SIMULATE = "wasm", "simulate_wasm"
BY_HAND, OPEN_SPIEL = "by_hand", "open_spiel"
BASELINES = Path(dsl.__file__).resolve().parents[1] / "tests" / "bench"  # of the checkout that contains this package
BATCHES = 20  # in a cell, about: the clock is read after each


class Player(Protocol):
    def begin(self, seed: int) -> None:
        """Seed the random choices, which are then the same for both back ends."""

    def play(self, games: int) -> int:
        """Play so many games to the end; return the number of decisions."""


@dataclass(frozen=True, slots=True)
class Cell:
    games: int
    decisions: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds


def calibrate(player: Player, seconds: float) -> int:
    """The number of games in a batch; the games played to find it also warm up the player."""
    games = 1
    player.begin(0)
    player.play(games)  # writing and compiling code at first use is not play

    def is_long_enough() -> bool:
        begun = time.process_time()
        player.play(games)
        return time.process_time() - begun >= seconds / BATCHES

    while not (is_long_enough() and is_long_enough()):  # the first may have made code that pays only for many games
        games *= 2
    return games


def measure(player: Player, seconds: float, batch: int, seed: int) -> Cell:
    """Play batches of whole games for about so many seconds of processor time; at least one."""
    gc.collect()
    player.begin(seed)
    games = decisions = 0
    begun = time.process_time()
    while True:
        decisions += player.play(batch)
        games += batch
        spent = time.process_time() - begun
        if spent >= seconds:
            return Cell(games, decisions, spent)


class EnginePlayer:
    """This engine, playing on the bare store: in WebAssembly if that is given, else by functions for whole games where
    there are any."""

    def __init__(self, game: Game, seats: int, native: NativeGames | None = None) -> None:
        machine, self.engine = game.machine, game.engine
        self.start = self.engine.new(seats)
        self.seeds = Random()
        player = WholeGames(machine) if isinstance(machine, PythonMachine) else machine
        self.playouts = (native or player).playouts

    def begin(self, seed: int) -> None:
        self.seeds.seed(seed)

    def play(self, games: int) -> int:
        begun, chance = self.engine.certain(self.start), Random(self.seeds.getrandbits(32))
        return self.playouts(begun, games, chance, MAX_DECISIONS, None)


class DrivenPlayer:
    """This engine, driven from outside: it lists the options of each question, one is chosen here, and taken."""

    def __init__(self, game: Game, seats: int) -> None:
        self.machine, self.engine = game.machine, game.engine
        self.start = self.engine.new(seats)
        self.chance = Random()

    def begin(self, seed: int) -> None:
        self.chance.seed(seed)

    def play(self, games: int) -> int:
        begun = self.engine.certain(self.start)
        return sum(self.playout(begun[:]) for _ in range(games))

    def playout(self, words: list[int]) -> int:
        machine, decisions = self.machine, 0
        rng.set_state(words, self.chance.getrandbits(64))
        machine.run(words)
        options = machine.offers or machine.options(words)
        while words[SITE]:
            option = self.choose(options, machine.seldom.get(words[SITE] - 1, frozenset()))
            machine.draws.clear()
            machine.take(words, option)
            options = machine.offers
            decisions += 1
        return decisions

    def choose(self, options: list[Option], seldom: frozenset[int]) -> Option:
        random = self.chance.random
        option = options[int(random() * len(options))]
        if seldom and is_rare(option, seldom) and random() * SELDOM_ODDS >= 1:
            others = [other for other in options if not is_rare(other, seldom)]
            return others[int(random() * len(others))] if others else option
        return option


def simulated(games: int, seats: int, seeds: Random) -> Setups:
    """So many games of `simulate`, without its first ones, in which what is offered is found out, however many games
    there are."""
    return Setups(range(LOOKED_AT, LOOKED_AT + games), (seats,), seeds.getrandbits(32))


class SimulatePlayer:
    """A game of `simulate` in Python, with its figures: random bots, unchecked, in this process."""

    def __init__(self, game: Game, seats: int) -> None:
        self.game, self.seats = game, seats
        self.seeds = Random()

    def begin(self, seed: int) -> None:
        self.seeds.seed(seed)

    def play(self, games: int) -> int:
        return sum(self.playout(setup) for setup in simulated(games, self.seats, self.seeds))

    def playout(self, setup: Setup) -> int:
        return play_out(self.game, setup, RANDOM, False, {}).answers


class NativeSimulatePlayer:
    """Games of `simulate` in native code, many at once, with a report of them."""

    def __init__(self, game: Game, seats: int, native: NativePlay) -> None:
        self.game, self.seats, self.native = game, seats, native
        self.seeds = Random()

    def begin(self, seed: int) -> None:
        self.seeds.seed(seed)

    def play(self, games: int) -> int:
        report = Report(self.game.program, games, False, (RANDOM,), 1)
        batch = self.native.play(simulated(games, self.seats, self.seeds))
        report.add_usage(batch.card_usage, batch.answer_usage)
        for outcome in batch.outcomes:
            report.add(outcome, None)
        return sum(outcome.answers * outcome.games for outcome in batch.outcomes)


class HandPlayer:
    """A module with `playout(rng)`, which returns (decisions, returns)."""

    def __init__(self, module: ModuleType) -> None:
        self.playout: Callable[[Random], tuple[int, Any]] = module.playout
        self.rng = Random()

    def begin(self, seed: int) -> None:
        self.rng.seed(seed)

    def play(self, games: int) -> int:
        playout, rng = self.playout, self.rng
        return sum(playout(rng)[0] for _ in range(games))


class SpielPlayer:
    """OpenSpiel through its Python API."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.rng = Random()

    def begin(self, seed: int) -> None:
        self.rng.seed(seed)

    def play(self, games: int) -> int:
        return sum(self.playout() for _ in range(games))

    def playout(self) -> int:
        random, state, decisions = self.rng.random, self.game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self.rng.choices(outcomes, chances)[0])
                continue
            if state.is_simultaneous_node():
                legal = [state.legal_actions(player) for player in range(self.game.num_players())]
                state.apply_actions([actions[int(random() * len(actions))] for actions in legal])
                decisions += len(legal)
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
            decisions += 1
        return decisions


def baseline(ruleset: str) -> HandPlayer | None:
    """The hand-written game of the same name; None where there is none."""
    file = BASELINES / f"{ruleset}.py"
    spec = importlib.util.spec_from_file_location(f"baseline_{ruleset}", file) if file.is_file() else None
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return HandPlayer(module)


def open_spiel() -> Any:
    """The module `pyspiel`; None where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def spiel_game(ruleset: str) -> SpielPlayer | None:
    """OpenSpiel's game of the same name with its default parameters; None where there is none."""
    spiel = open_spiel()
    if spiel is None or ruleset not in spiel.registered_names():
        return None
    return SpielPlayer(spiel.load_game(ruleset))


def native_player(game: Game, seats: int) -> EnginePlayer | None:
    """Random games in WebAssembly; None where they cannot be had."""
    from interpreter.backends.native.games import NativeGames  # it takes long to load

    native = NativeGames(game.machine)
    return EnginePlayer(game, seats, native) if native.made() is not None else None


def native_simulate_player(game: Game, seats: int) -> NativeSimulatePlayer | None:
    """Games of `simulate` in WebAssembly; None where they cannot be had."""
    from tools.simulation.native import NativePlay

    native = NativePlay(game, WASM, (RANDOM,), {}, MOST_DECISIONS, False)
    return None if native.notice else NativeSimulatePlayer(game, seats, native)


def players(game: Game, seats: int, peers: bool) -> dict[str, Player]:
    """The players of this ruleset, by key; `peers`: include those by hand and of OpenSpiel (least number of seats)."""
    ruleset = game.program.id
    found: dict[str, Player | None] = {
        ENGINE: EnginePlayer(game, seats),
        DRIVEN: DrivenPlayer(game, seats),
        SIMULATE: SimulatePlayer(game, seats),
        REFERENCE: EnginePlayer(Game(game.program, backend="reference"), seats),
        NATIVE: native_player(game, seats),
        NATIVE_SIMULATE: native_simulate_player(game, seats),
    }
    if peers:
        found |= {BY_HAND: baseline(ruleset), OPEN_SPIEL: spiel_game(ruleset)}
    return {key: player for key, player in found.items() if player is not None}
