"""Common random numbers in low code: the numbers and the games of Python."""

from __future__ import annotations

import math
import random

import pytest

from dsl.base.types import MemberType
from dsl.program import Program
from interpreter import Game
from interpreter.backends.low.base.context import Lowering, LoweringTables
from interpreter.backends.low.form.nodes import signed
from interpreter.backends.low.rules.keyed import THEN, WAITING_TIME
from interpreter.backends.low.whole import walking
from interpreter.backends.low.whole.walking import lower_module
from interpreter.backends.native import games as games_module
from interpreter.choices.keyed import key_of, number, outcome_key, then, waiting_time
from interpreter.core.rng import GOLDEN, MASK_64, mixed
from tests.concepts.everywhere import HERE
from tests.concepts.play import game as small
from tests.interpreter.low_pair import WITH_A_GAP
from tests.printed import printed
from tests.tools.simulation.test_native import FULL, MOMENTS, load, needs_compiler, needs_wasmtime
from tests.tools.simulation.test_simulate import STUCK
from tools.simulation.native import NativePlay
from tools.simulation.playout import GameOutcome, GameSetup, Setups, play_out

# ------------------------------------------------------------ the numbers


def test_numbers_are_mixed_as_by_splitmix64() -> None:
    """The first numbers from the key 1234567, as they are published for SplitMix64."""
    published = (
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    )  # fmt: skip
    for n, expected in enumerate(published):
        assert mixed(1234567 + n * GOLDEN) == expected == number(1234567 + n * GOLDEN)


def test_numbers_follow_from_keys_and_their_order() -> None:
    assert number(1, 2) == then(then(0, 1), 2) != number(2, 1)
    assert number(-1) == number(MASK_64)
    assert len({number(seed, key_of("game.one"), 0, times) for seed in range(20) for times in range(20)}) == 400
    bits = [number(7, n) for n in range(4000)]
    assert all(abs(sum(b >> k & 1 for b in bits) - 2000) < 200 for k in range(64))


def test_low_code_mixes_as_python_does() -> None:
    lowered = lower_module(load("nim").program)
    runner, draws = printed(lowered.module), random.Random(3)
    for value in (0, 1, MASK_64, *(draws.getrandbits(64) for _ in range(50))):
        key = draws.getrandbits(64)
        assert runner.call(THEN, 0, signed(value)) & MASK_64 == mixed(value)
        assert runner.call(THEN, signed(value), signed(key)) & MASK_64 == then(value, key)


def test_low_code_waits_as_python_does() -> None:
    lowered = lower_module(small(ALL_SORTS).program)
    runner, draws = printed(lowered.module), random.Random(3)
    for value in (0, 1, MASK_64, *(draws.getrandbits(64) for _ in range(20))):
        for weight in (1, 7, (1 << 31) - 1):
            assert runner.call(WAITING_TIME, signed(value), weight) == waiting_time(value, weight)
            part = (2 * (value >> 12) + 1) / 2**53
            assert waiting_time(value, weight) / 2**56 == pytest.approx(-math.log2(part) / weight, abs=2e-9)


def test_members_have_the_keys_of_their_ids_and_numbers_their_own() -> None:
    program = load("leduc_poker").program
    name, domain = next((n, d) for n, d in program.domains.items() if len(d.ids) > 1)
    type_ = MemberType(name, domain.values[0], domain.values[-1])
    assert outcome_key(program, domain.values[1], type_) == key_of(domain.ids[1])
    assert outcome_key(program, 7, None) == 7 and outcome_key(program, -1, None) == MASK_64


# ------------------------------------------------------------ games

ALL_SORTS = """
enum Colour: red, green, blue
piece bead by Colour each 4 from bag
zone bag: bead
kind Seat
    field got: 0..9999
    zone hand: Card
    zone string: bead
kind Card
    const worth: 0..9
card a "a": Card
    worth: 1
card b "b": Card
    worth: 2
card c "c": Card
    worth: 3
card d "d": Card
    worth: 4
kind Hut: 3
    field colour: Colour or none
zone deck: Card ordered
field few: 0..9
value points_of(p: Seat): int = p.got + sum(x in p.hand: x.worth) + 2 * p.string[red]
action knock(p: Seat) at any moment where p.got > 3
    set p.got to p.got - 2
phase game
    for every x in Card: move x to deck
    shuffle deck
    repeat while few < 4
        set few to few + 1
        for every p in seats
            random c in Colour
            random h in Hut where h.colour is not c
            set h.colour to c
            if total(bag) > 0
                random b in bag
                move 1 bead[b] from bag to p.string
            random number d in -2..few
            random w in Card by w.worth + few if any
            random number e in 0..few by e
            choose number n in 0..3 by p
            set p.got to p.got + max(0, n + d + e + w.worth)
            if n is 2: shuffle deck
            if n is 3: random number one in few..few
    for every p in seats
        move first(x in deck) to p.hand
"""  # rules with each sort of chance


def outcome_of(found: GameOutcome) -> tuple[object, ...]:
    """All that a comparison of games may read."""
    failure = found.failure and (found.failure.kind, found.failure.message, found.failure.save)
    scores = found.seat_scores, found.actor_scores, found.seat_wins, found.actor_wins, found.has_winners
    return found.decisions, found.answers, scores, found.trajectories, found.unfinished, failure


def compare(game: Game, bots: str, games: int, most: int = 50_000, target: str = "wasm") -> NativePlay:
    """Play games with common numbers by both; gives what played in native code."""
    low, high = game.program.seats
    setups = [GameSetup(n, low + n % (high - low + 1), 5_000_000 + n) for n in range(games)]
    names = tuple(bots.split(","))
    native = NativePlay(game, target, names, {}, most, common=True)
    assert native.notice == ""
    mine = native.play(setups).outcomes
    theirs = [play_out(game, setup, names, False, {}, most, common=True) for setup in setups]
    assert [outcome_of(found) for found in mine] == [outcome_of(found) for found in theirs]
    assert len({found.decisions for found in mine}) > 1 or len({str(found.seat_scores) for found in mine}) > 1
    return native


class Asking(Lowering):
    """A lowering that stops at asked chance for drivers, too."""

    made = 0

    def __init__(self, program: Program, tables: LoweringTables) -> None:
        super().__init__(program, tables)
        self.asks_chance = self.tells_undecided = True
        self.memory.note_chance()
        Asking.made += 1


@needs_wasmtime
def test_games_in_bulk_are_not_asked_by_a_module_that_asks_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "Lowering", Asking)
    for bots in ("random", "random,greedy"):
        native = compare(small(ALL_SORTS.replace(" where h.colour is not c", "")), bots, 8)
        assert native.walks.given_up == native.walks.replayed == 0
    assert Asking.made


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "random,greedy"])
@pytest.mark.parametrize("name", ["leduc_poker", "love_letter", "goofspiel", "liars_dice", "kettle", "masks"])
def test_games_are_those_of_python(name: str, bots: str) -> None:
    native = compare(load(name), bots, 8, 150)
    assert native.walks.given_up == native.walks.replayed == 0


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "random,greedy"])
def test_games_of_a_course_have_outcomes_of_their_own(bots: str) -> None:
    """Most of them have figures that others have as well; there are more games than rows are kept."""
    game, names = load("leduc_poker"), tuple(bots.split(","))
    native = NativePlay(game, "wasm", names, {}, 100, common=True, looking=False)
    assert native.notice == ""
    kept = native.walks.book.most_results
    setups = Setups(range(kept + 100), game.program.seats, 3_000_000)
    mine = native.play(setups).outcomes
    assert [found.setup for found in mine] == list(setups) and {found.games for found in mine} == {1}
    assert native.walks.given_up == native.walks.replayed == 0
    for found in [*mine[:20], *mine[kept - 10 :: 7]]:
        assert outcome_of(found) == outcome_of(play_out(game, found.setup, names, False, {}, 100, common=True))
    alike = {str(outcome_of(found)) for found in mine}
    assert 1 < len(alike) < len(mine) / 4


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_a_heavy_game_is_that_of_python(bots: str) -> None:
    assert compare(load("dominant_species"), bots, 2).walks.given_up == 0


@needs_compiler
def test_c_plays_the_same_games() -> None:
    compare(load("love_letter"), "random,greedy", 6, 100, "c")


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "random,greedy"])
def test_each_sort_of_chance_is_drawn_as_in_python(bots: str) -> None:
    game = small(ALL_SORTS, seats=(2, 3), manifest="result: {score: points_of}\nevaluate: points_of\nseldom: [knock]\n")
    compare(game, bots, 30)


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_games_without_chance_differ_by_their_bots(bots: str) -> None:
    compare(small(MOMENTS, manifest="evaluate: promise\nresult: {score: promise}\n"), bots, 20)
    compare(small(FULL, manifest="evaluate: promise\nresult: {score: promise}\n"), bots, 10)


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy", "greedy,random"])
def test_what_low_code_gives_up_at_is_drawn_in_python(bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A die before the question that is not lowered, and one behind it: its number goes on from there."""
    monkeypatch.setattr(games_module, "ENOUGH", 1 << 30)
    die = "            random number d in 0..3\n            set p.total to p.total + d\n            choose number"
    rules = WITH_A_GAP.replace("            choose number", die)
    value = "value promise(p: Seat): int = p.total * 2 + sum(t in Tree: t.grown)\n"
    game = small(rules + value, manifest="evaluate: promise\nresult: {score: promise}\n")
    native = compare(game, bots, 4)
    assert native.walks.given_up > 20 and native.walks.replayed == 0


@needs_wasmtime
@pytest.mark.parametrize("bots", ["random", "greedy"])
def test_failures_are_those_of_python(bots: str) -> None:
    native = compare(small(STUCK, seats=(2, 2)), bots, 20)
    assert native.walks.replayed > 0


LARGE = """
kind Seat
field told: 0..200000
phase game
    for every i in 1..9
        choose number n in 0..3 by p1
        random k in 1..(200000 if n is 3 else 3)
        set told to k
"""


@pytest.mark.parametrize("target", HERE)
def test_more_numbers_than_are_listed_fail_as_in_python(target: str) -> None:
    assert compare(small(LARGE, seats=(2, 2)), "random", 4, target=target).walks.replayed > 0
