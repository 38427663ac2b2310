"""Whole games by one function: the same stores and numbers of decisions as by the machine, word for word."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl.driver.load import compile_ruleset
from dsl.program import OVER, STEPS
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.playout.whole_games import WholeGames
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from interpreter.session.game import Game, load
from tests.concepts.play import game as game_of
from tests.interpreter.random_programs import random_game

ROOT = Path(__file__).resolve().parents[3]
CLASSICS = ["tic_tac_toe", "connect_four", "breakthrough", "othello", "hex", "nim", "kuhn_poker", "leduc_poker"]
CLASSICS += ["goofspiel", "liars_dice", "love_letter"]
SMALL = sorted(p for p in (ROOT / "tests" / "conformance" / "rulesets").glob("*") if (p / "ruleset.yaml").exists())
MOST = 100_000


def play_by_machine(
    m: Machine, begun: list[int], n: int, seed: int, most: int = MOST
) -> tuple[int, list[list[int]]] | str:
    """The same games by the machine, which goes from question to question."""
    chance, decisions, ends = random.Random(seed), 0, []
    for _ in range(n):
        words = begun[:]
        rng.set_state(words, chance.getrandbits(64))
        try:
            decisions += m.playout(words, chance.random, most)
        except RulesetError as fault:
            return fault.message
        ends.append(words)
    return decisions, ends


def play_by_function(
    games: WholeGames, begun: list[int], n: int, seed: int, most: int = MOST
) -> tuple[int, list[list[int]]] | str:
    ends: list[list[int]] = []
    try:
        return games.playouts(begun, n, random.Random(seed), most, ends), ends
    except RulesetError as fault:
        return fault.message


@pytest.mark.parametrize("ruleset", CLASSICS)
def test_classics_are_played_whole(ruleset: str) -> None:
    game = load(ruleset)
    assert isinstance(game.machine, PythonMachine)
    games = WholeGames(game.machine)
    for seats in sorted({*game.program.seats}):
        begun = game.engine.certain(game.engine.new(seats))
        assert play_by_function(games, begun, 8, seats) == play_by_machine(game.machine, begun, 8, seats)
    assert all(play is not None for play in games.functions.values())


@pytest.mark.parametrize("ruleset", CLASSICS)
def test_who_knows_what_is_left_out_where_nobody_looks(ruleset: str) -> None:
    game = load(ruleset)
    m, known, things = game.machine, game.program.known_base, len(game.program.placed)
    assert isinstance(m, PythonMachine)
    begun = game.engine.certain(game.engine.new())
    play = WholeGames(m).function(begun, False)
    assert play is not None
    for seed in range(5):
        one, other = begun[:], begun[:]
        m.words = one
        number, chance = random.Random(seed).getrandbits(64), random.Random(seed + 100)
        decisions = play(one, number, chance.random, MOST)
        rng.set_state(other, number)
        assert decisions == m.playout(other, random.Random(seed + 100).random, MOST)
        if known:
            one[known : known + things] = other[known : known + things]
        assert one == other and one[OVER]


@pytest.mark.parametrize("ruleset", ["love_letter", "leduc_poker", "goofspiel", "connect_four"])
def test_from_the_middle_of_a_game(ruleset: str) -> None:
    game = load(ruleset)
    assert isinstance(game.machine, PythonMachine)
    games = WholeGames(game.machine)
    for seed in range(4):
        begun = game.engine.new(seed=seed)
        game.machine.run(begun)
        for _ in range(seed + 1):
            options = game.machine.options(begun)
            if options:
                game.machine.take(begun, options[-1])
        if not begun[OVER]:
            assert play_by_function(games, begun, 4, seed) == play_by_machine(game.machine, begun, 4, seed)
    assert any(games.functions.values())


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.name)
def test_small_rulesets(path: Path) -> None:
    program = compile_ruleset(path)[0]
    assert program is not None
    game = Game(program)
    assert isinstance(game.machine, PythonMachine)
    begun = game.engine.certain(game.engine.new(seed=1))
    assert play_by_function(WholeGames(game.machine), begun, 3, 1, 300) == play_by_machine(
        game.machine, begun, 3, 1, 300
    )


# One function plays three in eight of the random programs: of 14 batches of a hundred at least 30, at most 46.
QUICK, BATCH, BATCHES = 20, 100, 5


def compare(seed: int) -> bool:
    """A random program by both, with the same games; whether one function played it."""
    machine, words = random_game(seed)
    games = WholeGames(machine)
    assert play_by_function(games, words, 3, seed, 25) == play_by_machine(Machine(machine.program), words, 3, seed, 25)
    return any(play is not None for play in games.functions.values())


def test_random_programs() -> None:
    assert sum(map(compare, range(QUICK))) >= QUICK // 5


def test_an_endless_loop_over_several_entries_ends() -> None:
    compare(965)  # asserts that the budget ends it in both


def compare_rules(rules: str) -> bool:
    """A text of rules by both, with the same games; whether one function played them."""
    played = game_of(rules, seats=(2, 2))
    assert isinstance(played.machine, PythonMachine)
    begun, games = played.engine.certain(played.engine.new(2)), WholeGames(played.machine)
    assert play_by_function(games, begun, 8, 1) == play_by_machine(played.machine, begun, 8, 1)
    return any(play is not None for play in games.functions.values())


def test_loops_apart_see_frame_variables() -> None:
    """A condition that is a function of its own reads variables of the routine that asks it."""
    assert compare_rules("""
        kind Stone: 40
            field weight: 0..9 = 3
            field taken: bool
        field score: 0..9999
        field left: 0..9 = 9

        phase game
            round robin p in seats while left > 0: do turn(p)

        phase turn(p: Seat)
            choose n in 1..6 by p
            choose s in Stone where not s.taken by p
            set s.taken to true
            set left to left - 1
            if score < 4 or any(t in Stone where t.weight < n and t is not s: not t.taken): set score to score + n
        """)


def test_the_members_of_a_difference_may_be_declined() -> None:
    assert compare_rules("""
        kind Stone: 40
        field left: 0..9 = 9
        field near: set of Stone
        field far: set of Stone

        phase game
            set near to set(s in Stone where s is not stone_1: s)
            round robin p in seats while left > 0: do turn(p)

        phase turn(p: Seat)
            choose s in near - far by p or decline
            set far to far + {s}
            set left to left - 1
        """)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(QUICK, QUICK + BATCH * BATCHES, BATCH))
def test_many_random_programs(first: int) -> None:
    assert sum(map(compare, range(first, first + BATCH))) >= BATCH // 4


def test_work_is_counted() -> None:
    game = load("nim")
    begun = game.engine.certain(game.engine.new())
    assert isinstance(game.machine, PythonMachine)
    ends: list[list[int]] = []
    WholeGames(game.machine).playouts(begun, 3, random.Random(1), MOST, ends)
    assert len({end[STEPS] for end in ends}) >= 1 and all(end[STEPS] < 50 for end in ends)
