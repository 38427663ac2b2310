"""A drafting game with hidden hands in the adapters: all answer together where the interface has that, else in turn."""

from __future__ import annotations

import random
import warnings

import pytest

from tests.concepts.drafting import draft
from tests.spiel.extras import require

require("pettingzoo", "pettingzoo")
require("pyspiel", "spiel")

import numpy as np  # noqa: E402
import pyspiel  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test  # noqa: E402

from tools.adapters import openspiel  # noqa: E402
from tools.adapters import pettingzoo as zoo  # noqa: E402


def test_pettingzoo_accepts_the_draft_in_both_forms() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for said in (
            "Observation space for each agent prob",
            "Observation is not a NumPy",
            "Action mask numpy array is",
        ):
            warnings.filterwarnings("ignore", message=said)  # as in the tests of the adapters
        parallel_api_test(zoo.parallel_env(draft(), seats=3), num_cycles=50)
        api_test(zoo.env(draft(), seats=3), num_cycles=50)


def test_all_take_a_card_in_one_step_as_they_do_in_turn() -> None:
    together, in_turn, chance = zoo.parallel_env(draft(), seats=3), zoo.env(draft(), seats=3), random.Random(3)
    seen, _ = together.reset(seed=2)
    in_turn.reset(seed=2)
    for cards in (4, 3, 2):
        offered = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in together.agents}
        assert [len(one) for one in offered.values()] == [cards] * 3, "everybody is asked, from a hand of its own"
        actions = {agent: int(chance.choice(one)) for agent, one in offered.items()}
        for agent, action in actions.items():
            assert in_turn.agent_selection == agent
            in_turn.step(action)
        seen, paid, over, _, _ = together.step(actions)
        assert in_turn.current_state.digest() == together.current_state.digest()
    assert all(over.values()) and paid == in_turn.rewards


@pytest.mark.parametrize("place", range(3))
def test_openspiel_asks_in_turn_and_tells_nobody_what_was_taken_before_all_have(place: int) -> None:
    name = f"drafting_{place}"
    openspiel.register(draft(), name)
    state = pyspiel.load_game(name, {"players": 3}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    first, last = (state.clone() for _ in range(2))
    first.apply_action(first.legal_actions()[0])
    last.apply_action(last.legal_actions()[place + 1])
    for player in (1, 2):
        assert first.information_state_string(player) == last.information_state_string(player)
    assert first.information_state_string(0) != last.information_state_string(0)
