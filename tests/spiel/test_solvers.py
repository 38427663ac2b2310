"""Algorithms of OpenSpiel on our rulesets, through the adapter: they find what is known of these games."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")
require("pettingzoo", "pettingzoo")

import pyspiel  # noqa: E402
from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, minimax  # noqa: E402

from tests.spiel.pairs import ROOT, ruleset  # noqa: E402
from tools.adapters import openspiel  # noqa: E402


def test_minimax_draws_tic_tac_toe_once_both_have_marked_well() -> None:
    """After corner and centre the game is a draw; after corner and edge the corner wins."""
    game = pyspiel.load_game(openspiel.register(ruleset("tic_tac_toe"), "solved_tic_tac_toe", "wins"))
    for second, value in ((4, 0), (1, 1)):
        state = game.new_initial_state()
        state.apply_action(0)
        state.apply_action(second)
        assert minimax.alpha_beta_search(game, state)[0] == value


def test_counterfactual_regret_finds_the_value_of_kuhn_poker() -> None:
    """In equilibrium the first player loses a chip in eighteen games (Kuhn, 1950)."""
    game = pyspiel.load_game(openspiel.register(ruleset("kuhn_poker"), "solved_kuhn_poker"))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.nash_conv(game, found) < 0.02
    value = expected_game_score.policy_value(game.new_initial_state(), [found, found])
    assert value[0] == pytest.approx(-1 / 18, abs=0.005) and value[1] == pytest.approx(-value[0])


def test_exploitability_takes_kuhn_poker_by_its_score_as_zero_sum() -> None:
    """OpenSpiel refuses to tell how exploitable a policy is in a game that is not zero-sum. Of its own Kuhn poker it
    says 11/24 for random play."""
    ours = pyspiel.load_game(openspiel.register(ruleset("kuhn_poker"), "exploited_kuhn_poker"))
    found = [
        exploitability.exploitability(game, policy.UniformRandomPolicy(game))
        for game in (ours, pyspiel.load_game("kuhn_poker"))
    ]
    assert found[0] == pytest.approx(found[1]) == pytest.approx(11 / 24)


@pytest.mark.parametrize(
    ("name", "options", "rewards", "theirs"),
    [("kuhn_poker", "", "score", "kuhn_poker"), ("goofspiel", "cards=3", "wins", "goofspiel(num_cards=3)")],
)
def test_who_plays_at_random_can_be_exploited_as_much_here_as_there(
    name: str, options: str, rewards: str, theirs: str
) -> None:
    """What the best answers to random play win depends on all ends, on chance and on what each player knows."""
    ours = pyspiel.load_game(openspiel.register(ruleset(name), f"answered_{name}", rewards), {"options": options})
    other = pyspiel.load_game_as_turn_based(theirs)
    won = [exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) for game in (ours, other)]
    assert won[0] == pytest.approx(won[1]) and won[0] > 0.1


def test_the_examples_of_the_manual_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "adapters.md").read_text(encoding="utf-8")
    for example in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        names: dict[str, Any] = {}
        exec(compile(example, "docs/adapters.md", "exec"), names)
        env = names.get("env")
        if hasattr(env, "agents"):  # of PettingZoo; a vectorised environment begins games for ever
            assert not env.agents, "played to the end"
        elif env is not None:
            assert names["games"] > env.num_envs, "games came to their ends"
    first, second = json.loads(capsys.readouterr().out)
    assert first == -second and abs(first) in (1, 2), "a pot of Kuhn poker"
