"""Random games in WebAssembly: the same of a seed as by the reference, and what happens where they cannot be had."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dsl import ir
from dsl.base.types import INT, INT_HIGH
from dsl.program import Program
from interpreter.backends.low.generators.twister import SEED
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.native import games as games_module
from interpreter.backends.native.games import NativeGames, put_state
from interpreter.backends.native.targets import WASM
from interpreter.backends.wasm import host
from interpreter.backends.wasm.binary import encode
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine
from interpreter.rules.rules import REFERENCE
from interpreter.session.game import Game
from interpreter.session.playouts import MAX_DECISIONS, Engine
from interpreter.session.setup import blank_store
from tests.concepts.play import game
from tests.conformance.tables import ruleset
from tests.interpreter.build import Build, C, add, alternative, less, numbers, site
from tests.interpreter.low_pair import WITH_A_GAP, LowPair, lower
from tests.native import native_games, needs_wasmtime
from tests.printed import printed

# rulesets with the games of a test, and the decisions that are compared one by one
PLAYED = {
    "tic_tac_toe": (20, 40), "nim": (20, 40), "connect_four": (10, 60), "hex": (2, 40), "othello": (2, 10),
    "breakthrough": (3, 30), "kuhn_poker": (30, 40), "leduc_poker": (30, 40), "liars_dice": (20, 40),
    "love_letter": (10, 60), "goofspiel": (10, 60), "pentominoes": (1, 4), "dominant_species": (1, 300),
}  # fmt: skip


LONG = {"dominant_species"}  # of which the reference plays a whole game in half a minute


def by_soak(name: str) -> Any:
    return pytest.param(name, marks=[pytest.mark.soak] if name in LONG else [])


@needs_wasmtime
@pytest.mark.parametrize("name", PLAYED)
def test_rulesets_in_lock_step(name: str) -> None:
    program = ruleset(name)
    pair = LowPair(program, lambda module: host.WasmInstance(host.compiled(encode(module))))
    most, done, seed = PLAYED[name][1], 0, 0
    while done < most and seed < 20:
        words = blank_store(Game(program), program.seats[seed % 2], {}, seed)
        done += pair.play(words, random.Random(seed), most - done)
        seed += 1
    assert done > 3 and pair.given_up == 0


@needs_wasmtime
@pytest.mark.parametrize("name", [by_soak(name) for name in PLAYED])
def test_a_seed_gives_the_same_games_as_by_the_reference(name: str) -> None:
    games = Game(ruleset(name), WASM)
    native, engine = native_games(games), games.engine
    n, begun = PLAYED[name][0], engine.new(seed=3)
    mine = engine.playouts(begun, n, 7, keep=True)
    theirs = Engine(Game(games.program, REFERENCE)).playouts(begun, n, 7, keep=True)
    assert mine == theirs
    assert engine.playouts(begun, n, 7).decisions == mine.decisions  # in one call, without the stores
    assert (native.notice, native.replayed) == ("", 0)


def test_the_random_numbers_are_those_of_python() -> None:
    lowered = lower(ruleset("nim"))
    runner = printed(lowered.module)
    chance = random.Random(11)
    for _ in range(700):  # the state is made anew after 624 numbers
        chance.random()
    put_state(runner.memory, lowered.regions.mersenne, chance)
    for _ in range(400):
        assert runner.call(FRACTION) * 2.0**-53 == chance.random()
    runner.call(SEED, lowered.regions.mersenne)
    words = [0] * 24
    rng.set_state(words, chance.getrandbits(64))
    assert runner.memory[9:12] == words[9:12]


# ------------------------------------------------------------ where low code gives up


def risky() -> tuple[Program, Words]:
    """A number that grows with each answer, until it leaves its word in some games."""
    b = Build()
    x, rounds = b.field("x", INT, INT_HIGH - 6), b.field("rounds", INT)
    b.proc(
        "game",
        ir.Ask(b.site(site("one", alternative(numbers(0, 2), to=0))), 3),
        ir.Run((ir.Store(x.address, INT, add(x, ir.FrameVar(0, INT)), "x"),)),
        ir.Run((ir.Store(rounds.address, INT, add(rounds, C(1)), "rounds"),)),
        ir.Branch(less(rounds, C(4)), 5),
        ir.Jump(0),
        frame=3,
    )
    program = b.program()
    words = new_store(b.blank()[1])
    Machine(program).start(words, program.entry)
    return program, words


@needs_wasmtime
def test_a_fault_has_the_message_of_the_reference() -> None:
    program, words = risky()
    outcomes = []
    for player in (Machine(program), NativeGames(Machine(program))):
        ends: list[Words] = []
        chance = random.Random(1)
        with pytest.raises(RulesetError) as fault:
            player.playouts(words, 200, chance, MAX_DECISIONS, ends)
        outcomes.append((fault.value.message, ends, chance.getstate()))
    assert "must be in" in outcomes[0][0] and len(outcomes[0][1]) > 1
    assert outcomes[0] == outcomes[1]


@needs_wasmtime
def test_a_game_with_too_many_decisions_is_a_fault() -> None:
    program, words = risky()
    with pytest.raises(RulesetError, match="not over after 3 decisions"):
        NativeGames(Machine(program)).playouts(words, 5, random.Random(1), 3, None)


# ------------------------------------------------------------ where there is no module


def test_without_the_package_the_reference_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "wasmtime", None)
    games = Game(ruleset("nim"), WASM)
    begun = games.engine.new()
    assert games.engine.playouts(begun, 5, 1) == Engine(Game(games.program, REFERENCE)).playouts(begun, 5, 1)
    assert "extra `native`" in native_games(games).notice


@needs_wasmtime
def test_a_machine_plays_where_low_code_gives_up_too_often() -> None:
    games = Game(game(WITH_A_GAP).program, WASM)
    begun = games.engine.new()
    assert games.engine.playouts(begun, 40, 1) == Engine(Game(games.program, REFERENCE)).playouts(begun, 40, 1)
    native = native_games(games)
    assert native.given_up > 50
    gap = "conditions on whole amounts from a list (`game.ts`) in `game.ts`"
    assert native.notice == f"low code gives up too often in this ruleset: {gap}"
    assert games.engine.playouts(begun, 3, 2) == Engine(Game(games.program, REFERENCE)).playouts(begun, 3, 2)


@needs_wasmtime
def test_a_decision_at_a_gap_is_played_by_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "ENOUGH", 1 << 30)
    games = Game(game(WITH_A_GAP).program, WASM)
    begun = games.engine.new(seed=5)
    mine = games.engine.playouts(begun, 12, 1, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 12, 1, keep=True)
    native = native_games(games)
    assert native.notice == "" and native.replayed == 0
    assert 20 < native.given_up < mine.decisions  # the others are made in WebAssembly


HEAVY = {
    "civilization": 160,
    "bios_mesofauna": 40,
    "bios_origins": 60,
    "through_the_ages": 60,
}  # rulesets that try actions or search answers, and the decisions that are compared


@needs_wasmtime
@pytest.mark.parametrize("name", HEAVY)
def test_heavy_rulesets_in_lock_step(name: str) -> None:
    program = ruleset(name)
    pair = LowPair(program, lambda module: host.WasmInstance(host.compiled(encode(module))))
    words = blank_store(Game(program), program.seats[1], {}, 1)
    done = pair.play(words, random.Random(1), HEAVY[name])
    assert done > HEAVY[name] // 2 and pair.given_up == 0


@needs_wasmtime
@pytest.mark.parametrize("name", ["bios_mesofauna", pytest.param("through_the_ages", marks=pytest.mark.soak)])
def test_heavy_games_of_a_seed_are_those_of_the_reference(name: str) -> None:
    games = Game(ruleset(name), WASM)
    begun = games.engine.new(seed=3)
    mine = games.engine.playouts(begun, 3, 7, keep=True)
    assert mine == Engine(Game(games.program, REFERENCE)).playouts(begun, 3, 7, keep=True)
    assert (native_games(games).notice, native_games(games).given_up) == ("", 0)


@needs_wasmtime
def test_checked_games_are_played_by_the_machine() -> None:
    games = Game(ruleset("nim"), WASM)
    Engine(games, checked=True).playouts(games.engine.new(), 2, 1)
    assert native_games(games).made() is not None and native_games(games).decisions == 0
