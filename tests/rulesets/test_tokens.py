"""Through the Ages at every question of random games: tokens are neither made nor lost but by the rules that say so."""

from __future__ import annotations

import pytest

from interpreter import State, apply
from tests.concepts.play import cell, value
from tests.conformance.tables import load
from tools.simulation.bots import RandomBot


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_action_tokens_follow_the_cards_in_play(seats: int) -> None:
    """TTA-23.1, TTA-23.4: at each question as many white and red tokens as symbols, available and spent together."""
    game = load("rulesets/through_the_ages")
    state, bot, questions = game.new(seats=seats, seed=seats), RandomBot(seats), 0
    while not state.over:
        for p in value(state, "players"):
            whites = cell(state, f"{p}.whites") + cell(state, f"{p}.spent_whites")
            reds = cell(state, f"{p}.reds") + cell(state, f"{p}.spent_reds")
            assert (whites, reds) == (value(state, "civil_total", p), value(state, "military_total", p)), p
        apply(state, bot.choose(state))
        questions += 1
    assert questions > 50


def tokens(state: State, p: str) -> tuple[int, int]:
    """All blue and all yellow tokens of a player, wherever they lie."""
    table, building = cell(state, f"{p}.technologies"), cell(state, f"{p}.building")
    on_wonder = cell(state, f"{building}.tokens") if building not in (None, "none") else 0
    blue = cell(state, f"{p}.blue_bank") + on_wonder + sum(cell(state, f"{t}.tokens") for t in table)
    workers = sum(cell(state, f"{t}.workers") for t in table)
    return blue, cell(state, f"{p}.yellow_bank") + cell(state, f"{p}.pool") + workers


def test_what_is_paid_and_built_makes_no_tokens() -> None:
    """TTA-24.1, TTA-25.2: building, growing and destroying move tokens of both colours and make none."""
    game = load("rulesets/through_the_ages")
    state, bot, moved = game.new(seats=3, seed=5), RandomBot(5), 0
    while not state.over:
        assert state.decision is not None
        seat, option = state.decision.seat_id, bot.choose(state)
        before = tokens(state, seat)
        apply(state, option)
        if option.ids[0] in ("build", "build_unit", "grow", "destroy", "disband"):
            assert tokens(state, seat) == before
            moved += 1
    assert moved > 20
