"""Figures of matches, against values worked out by hand."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

from tools.matches.bradley_terry import elo, ratings
from tools.matches.ladder import rungs_of, wins_between
from tools.matches.logistic import fitted_scale
from tools.matches.plan import Bout
from tools.matches.tally import MatchResult, tally
from tools.simulation.playout import GameFailure, GameOutcome, GameSetup


def test_three_wins_of_four_are_three_times_the_rating() -> None:
    """Their geometric mean is 1: one over the root of 3, and the root of 3. As Elo 400 * log10(3) = 190.85."""
    wins = [[0.0, 1.0], [3.0, 0.0]]
    assert ratings(wins) == pytest.approx([3**-0.5, 3**0.5])
    assert elo(wins) == pytest.approx([0.0, 190.85], abs=0.01)


def test_ratings_of_one_two_and_four_are_found_from_the_wins_that_they_give() -> None:
    """Each pair has played 15 games: 1 beats 2 in 5 of them, 2 beats 4 in 5, and 1 beats 4 in 3."""
    wins = [[0.0, 5.0, 3.0], [10.0, 0.0, 5.0], [12.0, 10.0, 0.0]]
    assert ratings(wins) == pytest.approx([0.5, 1.0, 2.0])


def test_the_steps_of_a_ladder_add_up() -> None:
    """With half a win more for either side 2.5 to 0.5 and 9.5 to 1.5: 400 * log10(5) and 400 * log10(19 / 3) more."""
    found = elo(wins_between([(0.0, 2.0), (1.0, 9.0)]))
    assert found == pytest.approx([0.0, 279.59, 279.59 + 320.66], abs=0.01)


def test_a_ladder_in_which_every_pair_comes_out_alike_has_no_width() -> None:
    """Whatever pairs are drawn again, they have the same sums: 4 to 12, with the halves 4.5 to 12.5."""
    match = MatchResult("low", "high", [(0.5, 1.5)] * 8)
    first, second = rungs_of([match], 1)
    assert (first.level, first.elo, first.low, first.high) == ("low", 0.0, 0.0, 0.0)
    expected = 400 * math.log10(12.5 / 4.5)
    assert (second.elo, second.low, second.high) == pytest.approx((expected, expected, expected))


def test_the_interval_of_an_elo_covers_the_middle_of_what_is_drawn_again() -> None:
    """Of two pairs, 2:0 and 0:2, a sample has each one twice in a quarter of all cases: 4.5 to 0.5 either way."""
    rung = rungs_of([MatchResult("low", "high", [(2.0, 0.0), (0.0, 2.0)])], 1)[1]
    edge = 400 * math.log10(9)
    assert (rung.elo, rung.low, rung.high) == pytest.approx((0.0, -edge, edge))


def test_a_lead_of_ten_that_wins_three_games_of_four() -> None:
    """The chance is 3/4 where ten is ln 3 scales. The bend is 4 * 10² * 3/16 = 75; the games pull by 2.5 (three times)
    and -7.5, squares that add up to 75, so that the error of one through the scale is 1/root(75)."""
    found = fitted_scale([[(10.0, 1.0)], [(10.0, 1.0)], [(10.0, 1.0)], [(10.0, 0.0)]])
    assert found is not None
    rate = math.log(3) / 10
    error = NormalDist().inv_cdf(0.975) / math.sqrt(75)
    assert (found.scale, found.low) == pytest.approx((1 / rate, 1 / (rate + error)))
    assert found.high is None  # 0.110 less 0.226 is below 0


def test_games_that_come_again_count_as_games_and_readings_do_not() -> None:
    """With a hundred times the games the error is a tenth, so that there is an upper end; a game that was read a
    hundred times is as wide as one that was read once."""
    games = [[(10.0, 1.0)]] * 3 + [[(10.0, 0.0)]]
    once, often = fitted_scale(games), fitted_scale([game * 100 for game in games])
    many = fitted_scale(games * 100)
    assert once is not None and often is not None and many is not None and many.high is not None
    assert (often.scale, often.low, often.high) == pytest.approx((once.scale, once.low, None), abs=1e-6)
    rate, error = math.log(3) / 10, NormalDist().inv_cdf(0.975) / math.sqrt(7500)
    assert (many.low, many.high) == pytest.approx((1 / (rate + error), 1 / (rate - error)))


def test_a_lead_that_wins_half_of_the_games_has_no_scale() -> None:
    assert fitted_scale([[(5.0, 1.0)], [(5.0, 0.0)]]) is None
    assert fitted_scale([]) is None


def test_a_lead_that_always_wins_has_the_least_scale() -> None:
    found = fitted_scale([[(5.0, 1.0), (-5.0, 0.0)]])
    assert found is not None and found.scale == pytest.approx(1.0)


def outcome(number: int, wins: dict[int, float], **more: object) -> GameOutcome:
    found = GameOutcome(GameSetup(number, 2, 7), seat_wins=wins)
    for name, value in more.items():
        setattr(found, name, value)
    return found


def test_wins_go_to_the_bot_that_had_the_seat() -> None:
    """In even games the first bot has seat 1, in odd ones seat 2; what is not over or fails is lost for both."""
    bots = ("a", "b")
    broken = GameFailure("rule", "it fails", {})
    outcomes = [
        outcome(0, {1: 1.0}),  # a
        outcome(1, {1: 1.0}),  # b
        outcome(2, {1: 0.5, 2: 0.5}),  # a half each
        outcome(3, {2: 1.0}, unfinished=True),  # nobody
        outcome(4, {}, failure=broken),  # nobody
        outcome(5, {2: 1.0}),  # a
        outcome(6, {2: 1.0}),  # b, but the other game of its pair was not played
    ]
    (match,) = tally([bots], [(Bout(0, bots, o.setup), o) for o in outcomes])
    assert match.pairs == [(1.0, 1.0), (0.5, 0.5), (1.0, 0.0)]
    assert (match.games, match.wins, match.unfinished, len(match.failures)) == (6, (2.5, 1.5), 1, 1)


def test_the_interval_of_a_match_is_wilsons() -> None:
    """Of 8 games 6: (6/8 + 1.9208/8) / (1 + 3.8415/8) = 0.66890; the half width 0.25962."""
    low, high = MatchResult("a", "b", [(0.5, 1.5)] * 4).interval
    assert (low, high) == pytest.approx((0.4093, 0.9285), abs=0.0001)
