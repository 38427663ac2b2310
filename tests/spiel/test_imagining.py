"""OpenSpiel's search for games of imperfect information on our rulesets: it deals what a player cannot know again."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")

import pyspiel  # noqa: E402
from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

from interpreter import view  # noqa: E402
from tests.spiel.pairs import ruleset  # noqa: E402
from tools.adapters import openspiel  # noqa: E402


def new_game(name: str) -> pyspiel.Game:
    own = f"imagined_{name}"
    if own not in pyspiel.registered_names():
        openspiel.register(ruleset(name), own)
    return pyspiel.load_game(own)


def random_states(game: pyspiel.Game, most: int) -> list[pyspiel.State]:
    r, found = random.Random(3), list[pyspiel.State]()
    while len(found) < most:
        state = game.new_initial_state()
        while not state.is_terminal() and len(found) < most:
            if not state.is_chance_node():
                found.append(state.clone())
            state.apply_action(r.choice(state.legal_actions()))
    return found


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "love_letter", "goofspiel"])
def test_a_player_cannot_tell_a_state_that_is_dealt_again_from_the_true_one(name: str) -> None:
    r = random.Random(4)
    differ = 0
    for state in random_states(new_game(name), 40):
        player = state.current_player()
        other = state.resample_from_infostate(player, r.random)
        assert other.current_player() == player and other.legal_actions() == state.legal_actions()
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.history() == state.history()
        differ += other.position.driven.driver.words != state.position.driven.driver.words
        while not other.is_terminal():  # chance goes on explicitly
            other.apply_action(r.choice(other.legal_actions()))
    assert differ


def search(game: pyspiel.Game, seed: int, simulations: int) -> ismcts.ISMCTSBot:
    chance = np.random.RandomState(seed)
    return ismcts.ISMCTSBot(
        game=game,
        uct_c=4.0,
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        max_simulations=simulations,
        max_world_samples=-1,
        random_state=chance,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=False,
        child_selection_policy=ismcts.ChildSelectionPolicy.UCT,
    )


def test_the_search_of_openspiel_plays_kuhn_poker_with_what_it_knows() -> None:
    """Whoever is asked to call a bet knows what the own card is worth: a king always calls, a jack always folds."""
    game = new_game("kuhn_poker")
    bot = search(game, 1, 60)
    seen = set[str]()
    for state in random_states(game, 150):
        names = [state.action_to_string(action) for action in state.legal_actions()]
        seat = state.current_player() + 1
        (card,) = view(state.position.driven.bare, seat)["state"]["Seat.hand"][f"p{seat}"]
        if "call" in names and card != "queen":
            seen.add(card)
            assert state.action_to_string(bot.step(state)) == ("call" if card == "king" else "fold")
    assert seen == {"king", "jack"}
