"""Whole games as one function of low code: the same stores and decisions as by the machine, word for word."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dsl import ir
from dsl.base.types import INT
from dsl.driver.load import compile_ruleset
from dsl.program import OVER, STEPS
from interpreter.backends.analysis.specialise import Specialiser
from interpreter.backends.low.base.context import DECISIONS, Lowering
from interpreter.backends.low.base.exported import SP
from interpreter.backends.low.games.lowering import lower_games
from interpreter.backends.low.games.plain import Plain
from interpreter.backends.low.whole.driver import PLAYOUTS
from interpreter.backends.low.whole.lowering import TABLES
from interpreter.backends.native.beginnings import MOST_FAILED, WORTH
from interpreter.backends.native.games import NativeGames, put_state, take_state
from interpreter.core import rng
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from interpreter.session.game import Game, load
from tests.concepts.play import game as game_of
from tests.conformance.tables import SMALL, folders
from tests.interpreter.build import Build, C
from tests.interpreter.random_programs import random_program
from tests.native import needs_wasmtime
from tests.printed import printed

MOST = 100_000
PLAYED = ["tic_tac_toe", "connect_four", "breakthrough", "othello", "hex", "nim", "kuhn_poker", "leduc_poker"]
PLAYED += ["goofspiel", "liars_dice"]


def play_by_machine(m: Machine, begun: Words, n: int, seed: int, most: int = MOST) -> tuple[int, list[list[int]]] | str:
    """The games by the reference, which goes from question to question."""
    chance, decisions, ends = random.Random(seed), 0, []
    for _ in range(n):
        words = begun[:]
        rng.set_state(words, chance.getrandbits(64))
        try:
            decisions += m.playout(words, chance.random, most)
        except RulesetError as fault:
            return fault.message
        ends.append(words.tolist())
    return decisions, ends


def play_by_module(
    games: NativeGames, begun: Words, n: int, seed: int, most: int = MOST
) -> tuple[int, list[list[int]]] | str:
    ends: list[Words] = []
    try:
        return games.playouts(begun, n, random.Random(seed), most, ends), [words.tolist() for words in ends]
    except RulesetError as fault:
        return fault.message


def plays_whole(games: NativeGames) -> bool:
    """Whether games were played by one function, and none of them again."""
    return any(games.beginnings.modules.values()) and not games.notice


@needs_wasmtime
@pytest.mark.parametrize("ruleset", PLAYED)
def test_classics_are_played_whole(ruleset: str) -> None:
    game = load(ruleset)
    games = NativeGames(game.machine, worth=1)
    for seats in sorted({*game.program.seats}):
        begun = game.engine.certain(game.engine.new(seats))
        assert play_by_module(games, begun, 8, seats) == play_by_machine(game.machine, begun, 8, seats)
        ends: list[Words] = []
        chance, other = random.Random(3), random.Random(3)
        decisions = games.playouts(begun, 40, chance, MOST, None)  # in one call, without who knows what
        assert decisions == game.machine.playouts(begun, 40, other, MOST, ends)
        assert chance.getstate() == other.getstate()
    assert all(games.beginnings.modules.values()) and games.replayed == 0


@needs_wasmtime
@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("goofspiel", {"prizes": "ascending", "cards": 4}),
        ("goofspiel", {"prizes": "descending"}),
        ("connect_four", {}),
    ],
)
def test_options_are_constants(ruleset: str, options: dict[str, int | str]) -> None:
    game = load(ruleset)
    games = NativeGames(game.machine, worth=1)
    for chosen in (options, {}):
        begun = game.engine.certain(game.engine.new(None, chosen))
        assert play_by_module(games, begun, 8, 1) == play_by_machine(game.machine, begun, 8, 1)
    assert all(games.beginnings.modules.values()) and len(games.beginnings.modules) == 1 + bool(options)


@needs_wasmtime
@pytest.mark.parametrize("ruleset", ["leduc_poker", "goofspiel", "connect_four", "othello", "kuhn_poker"])
def test_from_the_middle_of_a_game(ruleset: str) -> None:
    game = load(ruleset)
    games = NativeGames(game.machine, worth=1)
    for seed in range(4):
        begun = game.engine.new(seed=seed)
        game.machine.run(begun)
        for _ in range(seed + 1):
            options = game.machine.options(begun)
            if options:
                game.machine.take(begun, options[-1])
        if not begun[OVER]:
            assert play_by_module(games, begun, 4, seed) == play_by_machine(game.machine, begun, 4, seed)
    assert plays_whole(games)


@pytest.mark.parametrize("ruleset", ["kuhn_poker", "tic_tac_toe"])
def test_by_the_meaning_of_the_low_form(ruleset: str) -> None:
    game = load(ruleset)
    begun = game.engine.certain(game.engine.new())
    lowered = lower_games(game.program, begun, True)
    runner, chance, ends = printed(lowered.module), random.Random(5), []
    regions, decisions = lowered.regions, 0
    runner.memory[regions.begun : regions.begun + 1 + len(begun)] = [len(begun), *begun]
    for _ in range(4):
        put_state(runner.memory, regions.mersenne, chance)
        runner.call(PLAYOUTS, 1, MOST)
        take_state(runner.memory, regions.mersenne, chance)
        decisions += runner.get(DECISIONS)
        ends.append(list(runner.memory[: runner.get(SP)]))
    assert (decisions, ends) == play_by_machine(game.machine, begun, 4, 5)


@needs_wasmtime
@pytest.mark.parametrize("path", folders(SMALL), ids=lambda p: p.name)
def test_small_rulesets(path: Path) -> None:
    program = compile_ruleset(path)[0]
    assert program is not None
    game = Game(program)
    begun = game.engine.certain(game.engine.new(seed=1))
    found = play_by_module(NativeGames(game.machine, worth=1), begun, 3, 1, 300)
    assert found == play_by_machine(game.machine, begun, 3, 1, 300)


# One function plays a tenth of the random programs at least, in each batch.
QUICK, BATCH, BATCHES = 20, 100, 5


def compare(seed: int) -> bool:
    """A random program by both, with the same games; whether one function played it."""
    program, words = random_program(seed)
    machine, games = Machine(program), NativeGames(Machine(program), worth=1)
    machine.start(words, program.entry)
    assert play_by_module(games, words, 3, seed, 25) == play_by_machine(machine, words, 3, seed, 25)
    return plays_whole(games)


@needs_wasmtime
def test_random_programs() -> None:
    assert sum(map(compare, range(QUICK))) >= QUICK // 10


@needs_wasmtime
def test_an_endless_loop_over_several_entries_ends() -> None:
    compare(965)  # asserts that the budget ends it in both


@needs_wasmtime
@pytest.mark.soak
@pytest.mark.parametrize("first", range(QUICK, QUICK + BATCH * BATCHES, BATCH))
def test_many_random_programs(first: int) -> None:
    assert sum(map(compare, range(first, first + BATCH))) >= BATCH // 10


def compare_rules(rules: str) -> bool:
    """A text of rules by both, with the same games; whether one function played all of them."""
    played = game_of(rules, seats=(2, 2))
    begun, games = played.engine.certain(played.engine.new(2)), NativeGames(played.machine, worth=1)
    assert play_by_module(games, begun, 12, 1) == play_by_machine(played.machine, begun, 12, 1)
    return plays_whole(games) and games.replayed == 0


QUESTIONS = {
    "declined": "choose s in Stone where s.left > 1 by p or decline",
    "two values": """choose one by p
        case a(s: Stone, t: Stone) where s.left > t.left: set s.left to 1
        case b(s: Stone) where s.left > 2: set s.left to 2""",
    "alternatives": """choose one by p
        case a(s: Stone) where s.left > 0: set s.left to s.left - 1
        case b where turns > 3
        case c(n: 1..3): set score to score + n""",
    "rows declined": """choose one by p or decline
        case a(s: Stone, t: Seat) where s.left > t.weight: set t.weight to max(s.left, 1)
        case b where turns > 3""",
    "number": """choose number n in 0..turns by p
    set score to score + n""",
    "at once": """for every q in seats at once
        choose s in Stone where s.left > q.weight by q
        set q.weight to min(q.weight + 1, 2)
        set s.left to max(s.left - 1, 0)""",
}


def rules_asking(question: str) -> str:
    """Rules of a game that asks it nine times."""
    return f"""
kind Seat
    field weight: 0..9
kind Stone: 70
    field left: 0..3 = 3
field score: 0..999
field turns: 0..9

phase game
    round robin p in seats while turns < 9: do turn(p)

phase turn(p: Seat)
    set turns to turns + 1
    do asked(p)

phase asked(p: Seat)
    {QUESTIONS[question]}
"""


@needs_wasmtime
@pytest.mark.parametrize("question", QUESTIONS)
def test_questions(question: str) -> None:
    assert compare_rules(rules_asking(question))


@needs_wasmtime
def test_the_only_tree_of_a_game_goes_on_at_its_own_beginning() -> None:
    """A loop inside a loop, both of which test the same thing, is the whole game."""
    assert compare_rules("""
        piece apple each 21 from tree
        zone tree: apple
        kind Seat
            zone basket: apple
            field last: bool
        field score: 0..99

        phase game
            repeat while tree > 0 and not (score is 50 and tree < 12)
                for every p in seats while tree > 0: do turn(p)

        phase turn(p: Seat)
            choose number n in 1..min(3, tree) by p
            move n apple from tree to p.basket
            for every q in seats: set q.last to q is p
            set score to max(score, p.basket)
        """)


@needs_wasmtime
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


@needs_wasmtime
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


def test_what_is_worked_out_without_branches_reads_inside_the_store() -> None:
    b = Build()
    x = b.field("x", INT, 5)
    b.proc("game", ir.Run(()))
    program = b.program()
    lo, plain = Lowering(program, TABLES), Plain(Specialiser(program))
    far = ir.Cell(ir.Linear(0, ((x, 1000),)), INT, "far")
    assert plain.truth(lo, ir.Compare("==", x, C(1))) is not None
    assert plain.truth(lo, ir.And((ir.Compare("==", x, C(1)), ir.Compare("==", far, C(1))))) is None


@needs_wasmtime
def test_few_games_are_played_by_the_module_of_the_program() -> None:
    game = load("nim")
    games, begun = NativeGames(game.machine), game.engine.certain(game.engine.new())
    games.playouts(begun, WORTH - 1, random.Random(1), MOST, None)
    assert not games.beginnings.modules and games.made() is not None
    games.playouts(begun, 1, random.Random(1), MOST, None)
    assert plays_whole(games)


@needs_wasmtime
def test_a_module_whose_games_are_played_again_is_left() -> None:
    """4830 rows of options are more than there is room for."""
    played = game_of(
        """
kind Stone: 70
    field left: 0..3 = 3
phase game
    for every round in 1..3
        choose one by p1
            case a(s: Stone, t: Stone) where s is not t: set s.left to 1
""",
        seats=(2, 2),
    )
    begun, games = played.engine.certain(played.engine.new(2)), NativeGames(played.machine, worth=1)
    assert play_by_module(games, begun, 6, 1) == play_by_machine(played.machine, begun, 6, 1)
    assert games.replayed >= MOST_FAILED and not any(games.beginnings.modules.values())


@needs_wasmtime
def test_the_work_since_the_last_answer_stays_in_the_store() -> None:
    game = load("nim")
    begun = game.engine.certain(game.engine.new())
    ends: list[Words] = []
    NativeGames(game.machine, worth=1).playouts(begun, 3, random.Random(1), MOST, ends)
    assert all(0 < end[STEPS] < 50 for end in ends)
