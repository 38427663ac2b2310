"""The adapters under the conformance tests of the two libraries themselves, one ruleset at a time."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import interpreter as rw
from tests.concepts.play import game
from tests.conformance.redeal import redealt
from tests.conformance.tables import ROOT, Table, folders, in_soak_if_large, load, random_states
from tests.spiel.extras import require

require("pyspiel", "spiel")
require("pettingzoo", "pettingzoo")

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402
from open_spiel.python.tests import games_sim_test  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from tools.adapters import openspiel  # noqa: E402
from tools.adapters import pettingzoo as zoo  # noqa: E402
from tools.adapters.actions import ActionSpace, TooManyOptions  # noqa: E402
from tools.adapters.observations import ObservationNumbers  # noqa: E402
from tools.adapters.rewards import win_rewards  # noqa: E402

MOST = 60  # decisions of a game that OpenSpiel plays: it copies, saves and describes every position
FEW = {"dominant_species": 10}

FOLDERS = [str(path.relative_to(ROOT)) for path in folders()]
each_ruleset = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: Path(folder).name)
full = [Table(folder, load(folder).program.seats[1]) for folder in FOLDERS]
each_full_table = pytest.mark.parametrize("table", full, ids=lambda table: table.name)
MASKS = "tests/conformance/rulesets/masks"


def registered(folder: str, rewards: str = "") -> str:
    """The name of a ruleset in OpenSpiel, where each name can be given once only."""
    name = f"tested_{Path(folder).name}_{rewards}"
    if name not in pyspiel.registered_names():
        openspiel.register(load(folder), name, rewards)
    return name


# ------------------------------------------------------------ what the libraries demand


@pytest.mark.parametrize("path", in_soak_if_large(folders()))
def test_openspiel_accepts_each_ruleset_as_a_game(path: Path) -> None:
    folder = str(path.relative_to(ROOT))
    game = pyspiel.load_game(registered(folder), {"max_game_length": FEW.get(Path(folder).name, MOST)})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    np.random.seed(1)
    games_sim_test.GamesSimTest("sim_game").sim_game(game)
    assert game.num_players() == load(folder).program.seats[0]


@each_ruleset
def test_pettingzoo_accepts_each_ruleset_as_an_environment(folder: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of an observation with an action mask it says this to all but its own games.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        # The mask of an agent that is not asked.
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        for seats in load(folder).program.seats:
            api_test(zoo.env(load(folder), seats=seats, render_mode="ansi"), num_cycles=100)
        seed_test(lambda: zoo.env(load(folder)), num_cycles=50)


# ------------------------------------------------------------ actions


@each_full_table
def test_an_answer_has_one_number_and_a_number_one_answer(table: Table) -> None:
    space = ActionSpace(table.game)
    numbers: dict[tuple[str, str, tuple[int, ...]], int] = {}
    answers: dict[int, tuple[str, str, tuple[int, ...]]] = {}
    for state in random_states(table, 3, table.share(150)):
        decision = state.decision
        if decision is None:
            continue
        numbered = space.by_number(decision)
        assert sorted(numbered) == list(numbered) and len(numbered) == len(decision.options)
        assert all(0 <= number < space.size for number in numbered)
        if not space.blocks[decision.number].ranges:
            continue  # numbered by their place in the list
        for number, option in numbered.items():
            answer = decision.address, option.kind, option.code
            if option.kind == "add":  # the same member of another list has another place, but the same values
                answer = decision.address, option.kind, option.raw.values
            assert numbers.setdefault(answer, number) == number
            assert answers.setdefault(number, answer) == answer
            assert space.address(number) == decision.address


def test_the_numbers_of_tic_tac_toe_are_its_squares() -> None:
    game = load("rulesets/tic_tac_toe")
    space, state = ActionSpace(game), game.new()
    assert space.size == 9
    before = {option.ids: number for number, option in space.by_number(state.decision).items()}
    assert before[("a3",)] == 0 and before[("b2",)] == 4 and before[("c1",)] == 8
    rw.answer(state, "b2")
    after = {option.ids: number for number, option in space.by_number(state.decision).items()}
    assert after == {ids: number for ids, number in before.items() if ids != ("b2",)}


def test_an_answer_without_a_number_is_refused_with_a_way_out() -> None:
    """Bids go up to what is in the purse, which has no bound: numbers for three of them are too few."""
    table = Table(MASKS, 2)
    space = ActionSpace(table.game, room=3)
    state = table.new(1)
    while state.decision.address != "auction.n":
        rw.apply(state, rw.legal(state)[0])
    assert len(state.decision.options) == 6, "five coins: a bid of 0 to 5"
    with pytest.raises(TooManyOptions, match="`3` is beyond the 3 numbers of the question `auction.n`.*`room`"):
        space.by_number(state.decision)


# ------------------------------------------------------------ what is seen


@each_full_table
def test_the_numbers_that_a_seat_sees_do_not_tell_what_it_can_not_know(table: Table) -> None:
    chooser, numbers, different = random.Random(4), ObservationNumbers(table.game.program), 0
    for count, state in enumerate(random_states(table, 5, table.share(120))):
        if count > 12 and count % 4:
            continue
        for seat in (None, *range(1, state.seats + 1)):
            seen = numbers.of(state, seat)
            assert len(seen) == numbers.size
            twin = redealt(state, seat, chooser)
            different += twin.words != state.words
            assert numbers.of(twin, seat) == seen
    assert different or not table.game.has_secrets


def test_positions_that_a_seat_can_tell_apart_have_different_numbers() -> None:
    table = Table(MASKS, 2)
    numbers = ObservationNumbers(table.game.program)
    known: dict[tuple[int, tuple[int, ...]], object] = {}
    for seed in range(30):
        for state in random_states(table, seed, 12):
            if state.early.answers:  # which no environment has: it asks in turn
                continue
            for seat in (1, 2):
                shown = rw.view(state, seat)
                asked = shown["decision"] or {}
                shown["decision"] = {key: asked.get(key) for key in ("seat", "address")}
                assert known.setdefault((seat, tuple(numbers.of(state, seat))), shown) == shown
    assert len(known) > 300


# ------------------------------------------------------------ rewards and ends


def test_winners_share_what_losers_pay() -> None:
    assert win_rewards(2, [2]) == [-1, 1]
    assert win_rewards(2, [1, 2]) == win_rewards(2, []) == [0, 0]
    assert win_rewards(4, [1, 3]) == [0.5, -0.5, 0.5, -0.5]
    assert win_rewards(3, [2]) == [-0.5, 1, -0.5]


def test_an_environment_gives_the_ruleset_s_scores_at_the_end_and_refuses_what_its_mask_does() -> None:
    env = zoo.env(load("rulesets/tic_tac_toe"))
    env.reset(seed=1)
    for action in (0, 3, 1, 4):
        assert env.observe(env.agent_selection)["action_mask"][action] == 1
        env.step(action)
    assert env.agent_selection == "player_1"
    assert list(env.observe("player_1")["action_mask"]) == [0, 0, 1, 0, 0, 1, 1, 1, 1]
    assert not env.observe("player_2")["action_mask"].any()
    with pytest.raises(ValueError, match=r"player_1 cannot take action 4; its mask allows \[2, 5, 6, 7, 8\]"):
        env.step(4)
    assert env.action_text(2) == "c3" and '"a3": "p1"' in env.observation_text("player_2")
    env.step(2)
    assert env.rewards == {"player_1": 1, "player_2": -1}
    assert env.terminations == {"player_1": True, "player_2": True} and not any(env.truncations.values())


def test_a_game_that_takes_too_long_is_cut() -> None:
    env = zoo.env(load(MASKS), max_decisions=3)
    env.reset(seed=1)
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert not any(env.rewards.values())
    state = pyspiel.load_game(registered(MASKS), {"max_game_length": 3}).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    decisions = [step for step in state.full_history() if step.player >= 0]
    assert len(decisions) == 3 and state.returns() == [0, 0]


# ------------------------------------------------------------ OpenSpiel


def test_chance_is_explicit_and_players_and_options_are_parameters() -> None:
    parameters = {"players": 3, "options": "rounds=short", "max_game_length": 500}
    state = pyspiel.load_game(registered(MASKS), parameters).new_initial_state()
    assert state.num_players() == 3 and state.position.state.options == {"rounds": "short"}
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == len(load(MASKS).program.domains["Mask"].ids), "a shuffle: any mask may come first"
    assert len({p for _, p in outcomes}) == 1 and sum(p for _, p in outcomes) == pytest.approx(1)
    assert state.action_to_string(-1, outcomes[0][0]) in load(MASKS).program.domains["Mask"].ids


def test_a_draw_without_known_bounds_is_numbered_by_place(tmp_path: Path) -> None:
    rules = "piece coin\nzone pot: coin\nfield luck: 0..9\n"
    rules += "phase game\n    gain 3 coin by p1 to pot\n    random number d in 7..pot + 7\n    choose n in 0..d by p1\n"
    manifest = "id: small\nversion: 1\ntitle: {en: Small, ja: Small}\nseats: 1\nload: [small.rules]\n"
    (tmp_path / "small.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(manifest, encoding="utf-8")
    for room, numbers in ((4, [0, 1, 2, 3]), (3, None)):
        game = pyspiel.load_game(openspiel.register(tmp_path, f"drawn_{room}", "wins", room=room))
        state = game.new_initial_state()
        if numbers:
            assert [number for number, _ in state.chance_outcomes()] == numbers
            assert [state.action_to_string(-1, number) for number in numbers] == ["7", "8", "9", "10"]
        else:
            with pytest.raises(TooManyOptions, match="`10` is beyond the 3 numbers for chance; .* `room`"):
                state.chance_outcomes()


def test_a_state_goes_through_pickle_and_plays_on() -> None:
    game = pyspiel.load_game(registered(MASKS))
    state, chooser = game.new_initial_state(), random.Random(1)
    for _ in range(20):
        state.apply_action(chooser.choice(state.legal_actions()))
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state) and again.position.state.digest() == state.position.state.digest()
    assert again.legal_actions() == state.legal_actions()
    again.apply_action(again.legal_actions()[0])
    assert again.position.state.digest() != state.position.state.digest()


def test_zero_sum_rewards_are_known_as_such() -> None:
    folder = "rulesets/tic_tac_toe"
    wins, scores = (pyspiel.load_game(registered(folder, rewards)) for rewards in ("wins", "score"))
    assert wins.utility_sum() == 0 and (wins.min_utility(), wins.max_utility()) == (-1, 1)
    assert wins.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert scores.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert wins.get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION


def test_bounds_of_a_score_are_told_and_kept() -> None:
    kuhn = load("rulesets/kuhn_poker")
    game = pyspiel.load_game(openspiel.register(kuhn, "bounded_kuhn_poker", bounds=(-2, 2)))
    assert (game.min_utility(), game.max_utility()) == (-2, 2)
    narrow = pyspiel.load_game(openspiel.register(kuhn, "narrow_kuhn_poker", bounds=(-1, 1)))
    state = narrow.new_initial_state()
    for action in (0, 0):  # the deal
        state.apply_action(state.legal_actions()[action])
    for word in ("bet", "call"):
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a) == word))
    with pytest.raises(ValueError, match=r"the scores \[-2.0, 2.0\] are not within the bounds -1..1"):
        state.returns()


def test_a_name_is_given_once_and_rewards_are_of_two_forms() -> None:
    name = registered("rulesets/tic_tac_toe")
    with pytest.raises(ValueError, match=f"OpenSpiel knows a game `{name}` already"):
        openspiel.register(load("rulesets/tic_tac_toe"), name)
    with pytest.raises(ValueError, match="rewards are `score` or `wins`, not `points`"):
        openspiel.register(load("rulesets/tic_tac_toe"), "never", "points")


def test_an_interpreter_that_registered_a_ruleset_ends_in_peace() -> None:
    """OpenSpiel lets go of what is registered only after Python has ended."""
    program = "from tools.adapters import openspiel; print(openspiel.register('rulesets/tic_tac_toe'))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "rulewright_tic_tac_toe\n", "")


BEASTS = """
kind Seat
kind Beast: 1 per Seat decided by owner
value best: set of Beast = set(b in Beast where b.owner is p2)
phase game
    for every b in Beast
        choose number n in 0..1 by b
"""


def test_winners_that_are_no_seats_win_for_the_seats_that_decide_for_them() -> None:
    """Who decided for whom stands in the log alone, which an environment makes at the end."""
    rules = game(BEASTS, seats=(2, 2), manifest="result: {winners: best}")
    env = zoo.env(rules)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env.rewards == {"player_1": -1, "player_2": 1}
    state = pyspiel.load_game(openspiel.register(rules, "beasts")).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [-1, 1]


def test_a_game_that_is_cut_waits_for_no_chance() -> None:
    game = pyspiel.load_game(f"{registered('rulesets/leduc_poker', 'score')}(max_game_length=2)")
    for seed in range(20):
        state, chooser = game.new_initial_state(), random.Random(seed)
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chooser.choice([action for action, _ in state.chance_outcomes()]))
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
                decisions += 1
        assert decisions <= 2 and (decisions < 2 or not state.is_chance_node())
