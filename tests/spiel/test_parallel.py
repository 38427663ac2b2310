"""The parallel environment of PettingZoo: all answer in one step what the rules ask `at once`."""

from __future__ import annotations

import random
import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.concepts.play import game
from tests.conformance.tables import load
from tests.spiel.extras import require

require("pettingzoo", "pettingzoo")

from pettingzoo.test import parallel_api_test, parallel_seed_test  # noqa: E402

from tools.adapters import pettingzoo as zoo  # noqa: E402
from tools.adapters.driven import Driven  # noqa: E402

ORDERS = """
enum Fruit: fig, pear, plum
field picked: set of Fruit
kind Seat
    field sum: 0..20
phase game
    choose number n in 1..2 by p1
    for every p in seats at once
        choose one by p
            case much(k: 1..3): set p.sum to k
            case little: set p.sum to 0
        choose f in Fruit where f not in picked by p
        set picked to picked + {f}
    choose number m in 0..p1.sum + 1 by p2
"""


def parallel(rules: Any, **how: Any) -> Any:
    return zoo.parallel_env(rules, **how)


@pytest.mark.parametrize("seats", [2, 5])
def test_pettingzoo_accepts_goofspiel_as_a_parallel_environment(seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel(load("rulesets/goofspiel"), seats=seats), num_cycles=100)
        parallel_seed_test(lambda: parallel(load("rulesets/goofspiel"), seats=seats), num_cycles=20)


def test_pettingzoo_accepts_rounds_of_several_questions() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel(game(ORDERS, seats=(2, 3)), seats=3, rewards="wins"), num_cycles=100)


def test_a_parallel_game_is_the_game_that_agents_play_in_turn() -> None:
    chance = random.Random(4)
    together, in_turn = parallel(load("rulesets/goofspiel"), seats=3), zoo.env(load("rulesets/goofspiel"), seats=3)
    seen, _ = together.reset(seed=5)
    in_turn.reset(seed=5)
    steps = 0
    while together.agents:
        actions = {a: int(chance.choice(np.flatnonzero(seen[a]["action_mask"]))) for a in together.agents}
        seen, paid, over, _, _ = together.step(actions)
        steps += 1
        for agent in together.agents or together.possible_agents:
            assert in_turn.agent_selection == agent and (in_turn.observe(agent)["action_mask"][actions[agent]])
            in_turn.step(actions[agent])
        assert in_turn.current_state.digest() == together.current_state.digest()
    assert steps == 12, "the last cards lie on the table without a question"
    assert all(over.values()) and paid == in_turn.rewards and sum(paid.values()) > 0


def test_nobody_sees_what_another_answers_before_all_have() -> None:
    """Whatever the others do, what an agent sees and may do is the same, step by step, until all have answered."""
    seen_by: dict[tuple[str, tuple[int, ...]], bytes] = {}
    rules = game(ORDERS, seats=(2, 2))
    for first, second in product(((0, 0), (1, 2), (2, 1), (3, 2)), repeat=2):  # places of answers
        env = parallel(rules, rewards="wins")
        seen, _ = env.reset(seed=1)
        assert [seen[a]["action_mask"].sum() for a in env.agents] == [2, 0], "one agent alone is asked"
        seen, *_ = env.step({"player_1": int(seen["player_1"]["action_mask"].argmax())})
        for step in range(2):
            for agent, own in (("player_1", first), ("player_2", second)):
                shown = b"".join(seen[agent][part].tobytes() for part in ("observation", "action_mask"))
                assert seen_by.setdefault((agent, own[:step]), shown) == shown
            offered = {a: np.flatnonzero(seen[a]["action_mask"]) for a in env.agents}
            assert [len(offered[a]) for a in env.agents] == [[4, 4], [3, 3]][step], "all are asked"
            answers = {"player_1": first[step], "player_2": second[step]}
            seen, *_ = env.step({a: int(offered[a][place]) for a, place in answers.items()})
        masks = [int(seen[a]["action_mask"].sum()) for a in env.agents]
        if first[1] == second[1]:  # this fruit is gone: `player_2` is asked once more, alone, and sees why
            assert masks == [0, 2]
        else:
            assert masks == [0, (1, 2, 3, 0)[first[0]] + 2]
    assert len(seen_by) == 2 * (1 + 4)


def test_a_step_with_a_wrong_answer_changes_nothing() -> None:
    env = parallel(load("rulesets/goofspiel"))
    seen, _ = env.reset(seed=1)
    good = {a: int(seen[a]["action_mask"].argmax()) for a in env.agents}
    before = env.current_state.digest()
    for wrong in ({"player_1": good["player_1"]}, good | {"player_2": 9999}):
        with pytest.raises(ValueError, match="player_2 cannot take action"):
            env.step(wrong)
        assert env.current_state.digest() == before and env.observe("player_1")["action_mask"].any()
    env.step(good)
    assert env.current_state.digest() != before


def test_a_round_is_not_played_more_often_than_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    env, taken, answer = parallel(load("rulesets/goofspiel")), [], Driven.answer
    monkeypatch.setattr(Driven, "answer", lambda driven, place: (taken.append(place), answer(driven, place)))
    seen, _ = env.reset(seed=1)
    while env.agents:
        seen, *_ = env.step({a: int(seen[a]["action_mask"].argmax()) for a in env.agents})
    assert len(taken) == 12 * (1 + 2), "to ask the second agent, and to take both answers"


def test_a_long_game_is_cut_and_a_game_without_rounds_is_refused() -> None:
    env = parallel(load("rulesets/goofspiel"), max_decisions=4)
    seen, _ = env.reset(seed=1)
    steps = 0
    while env.agents:
        seen, _, over, cut, _ = env.step({a: int(seen[a]["action_mask"].argmax()) for a in env.agents})
        steps += 1
    assert steps == 2 and all(cut.values()) and not any(over.values())
    with pytest.raises(ValueError, match="in `nim` nothing is answered `at once`.* take `pettingzoo.env`, the AECEnv"):
        parallel(load("rulesets/nim"))
