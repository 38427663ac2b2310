"""The intervals that a study rests on, against figures worked out by hand and against thousands of made-up pairs."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest

from tools.base.stats import mean_of
from tools.lab.effects import LESS, MORE, SAME, UNDECIDED, Ledger
from tools.lab.sequence import ERROR, Interval, factor, valid_interval
from tools.pairs.figures import LENGTH, SEAT_WINS, Figure
from tools.simulation.playout import GameOutcome, GameSetup

WINS, LENGTHS = Figure(SEAT_WINS, 2, 1), Figure(LENGTH)
Draw = Callable[[random.Random], float]


def changing(up: float, down: float) -> Draw:
    """Pairs of which so large a share is won under the new rules only, or lost."""

    def draw(chance: random.Random) -> float:
        at = chance.random()
        return 100.0 if at < up else -100.0 if at < up + down else 0.0

    return draw


def first_verdict(draw: Draw, seed: int, most: int = 2000, asked: int = 1, until: float = 2.0) -> str:
    """The verdict about wins at which a study stops that looks after every 50 pairs."""
    chance, total, squares = random.Random(seed), 0.0, 0.0
    for n in range(1, most + 1):
        value = draw(chance)
        total, squares = total + value, squares + value * value
        if n % 50 == 0:
            interval = valid_interval(n, total / n, squares, 100.0, ERROR / asked)
            if interval.excludes(0.0):
                return MORE if interval.low > 0 else LESS
            if interval.within(until):
                return SAME
    return UNDECIDED


def test_the_interval_is_that_worked_out_by_hand() -> None:
    """For an error of 5% -2 ln 0.05 is 5.9915, and ln 6.9915 is 1.9447: the sequence is tightest where `time` is
    7.9361, at the aim of 500 values. There the root of 2 · 8.9361 / (500 · 7.9361) · ln(2.9893 / 0.05) is
    the root of 0.0045041 · 4.0908, so 0.13574 deviations; for one look it would be 1.96 / √500, 0.0877.

    Of 500 pairs of which none differs, the variance is 2 · 10000 / 500 = 40, so the interval is ± 6.3246 · 0.13574."""
    assert factor(500, 0.05) == pytest.approx(0.13574, abs=1e-5)
    assert valid_interval(500, 0.0, 0.0, 100.0) == pytest.approx((-0.8585, 0.8585), abs=1e-4)
    assert valid_interval(500, 3.0, 500 * 9.0, 0.0) == (3.0, 3.0)
    assert valid_interval(0, 0.0, 0.0, 100.0) == (-math.inf, math.inf)


def test_more_looks_and_more_figures_widen_it() -> None:
    assert all(factor(n, 0.05) > 1.96 / math.sqrt(n) for n in range(1, 5000, 7))
    assert factor(300, 0.05 / 9) > factor(300, 0.05)
    assert Interval(-1.9, 1.9).within(2) and not Interval(-2.0, 1.0).within(2)


def test_the_plain_interval_covers_as_often_as_it_says() -> None:
    """Of 2,000 samples of 60 pairs, 93 to 97 per cent cover the mean."""
    chance, draw, covered = random.Random(11), changing(0.25, 0.15), 0
    for _ in range(2000):
        mean = mean_of([draw(chance) for _ in range(60)])
        assert mean.margin is not None
        covered += abs(mean.mean - 10.0) <= mean.margin
    assert 0.93 <= covered / 2000 <= 0.97


@pytest.mark.parametrize(
    "draw",
    [changing(0.1, 0.1), changing(0.01, 0.01), lambda chance: chance.gauss(0.0, 60.0), changing(0.0, 0.0)],
    ids=["many", "few", "normal", "none"],
)
def test_pairs_that_change_nothing_are_seldom_called_a_change(draw: Draw) -> None:
    """At most 5 per cent of 200 studies, though each may stop at any of 40 looks."""
    found = [first_verdict(draw, seed, until=0.0) for seed in range(200)]
    assert sum(verdict != UNDECIDED for verdict in found) <= 10


def test_one_look_after_another_at_the_plain_interval_would_lie() -> None:
    """The sequence is needed: who looks 40 times at the interval for one look finds a change in a fifth and more."""
    lies = 0
    for seed in range(200):
        chance, total, squares, lied = random.Random(seed), 0.0, 0.0, False
        for n in range(1, 2001):
            value = chance.gauss(0.0, 60.0)
            total, squares = total + value, squares + value * value
            lied = (
                lied or n % 50 == 0 and abs(total / n) > 1.96 * math.sqrt(squares / n - (total / n) ** 2) / math.sqrt(n)
            )
        lies += lied
    assert lies > 40


def test_a_change_is_found_with_its_sign() -> None:
    """Of 100 studies of a change of 8 wins in 100 games, at least 95."""
    for draw, sign in ((changing(0.16, 0.08), MORE), (changing(0.08, 0.16), LESS)):
        assert sum(first_verdict(draw, seed) == sign for seed in range(100)) >= 95


def test_what_differs_by_just_too_much_is_seldom_called_the_same() -> None:
    """Also where few pairs change at all: at most 5 per cent of 200."""
    for draw in (changing(0.02, 0.0), changing(0.06, 0.04)):
        assert sum(first_verdict(draw, seed) == SAME for seed in range(200)) <= 10


def test_what_does_not_change_is_called_the_same_in_the_end() -> None:
    assert first_verdict(changing(0.0, 0.0), 1) == SAME
    assert sum(first_verdict(changing(0.01, 0.01), seed) == SAME for seed in range(50)) >= 45


def outcome(winner: int, failed: bool = False) -> GameOutcome:
    found = GameOutcome(GameSetup(0, 2, 1), 10 if winner == 1 else 14)
    found.seat_wins, found.unfinished = {winner: 1.0}, failed
    return found


def test_a_ledger_counts_pairs_and_says_nothing_too_early() -> None:
    ledger = Ledger((WINS,), 0.02, 0.05)
    for n in range(1, 200):
        ledger.add(outcome(2), outcome(1))
        assert ledger.verdict(WINS) == (MORE if n >= 50 else UNDECIDED), n
    ledger.add(outcome(2), outcome(1, failed=True))
    assert (ledger.compared, ledger.alike, ledger.decided) == (199, 0, True)
    (effect,) = [effect for effect in ledger.findings() if effect.verdict]
    assert (effect.figure, effect.difference.mean, effect.difference.margin) == (WINS, 100.0, 0.0)
    assert effect.valid == pytest.approx((100 - (h := 100 * math.sqrt(2 / 199) * factor(199, 0.05)), 100 + h))


def test_a_length_that_never_differs_may_have_differed_by_a_standard_deviation() -> None:
    """Lengths of 10 and 14 in turn deviate by 2: of 100 pairs the variance is 2 · 4 / 100."""
    ledger = Ledger((LENGTHS,), 0.02, 0.05)
    for n in range(100):
        ledger.add(outcome(1 + n % 2), outcome(1 + n % 2))
    half = math.sqrt(0.08) * factor(100, 0.05)
    assert ledger.finding(LENGTHS).valid == pytest.approx((-half, half))
    assert ledger.verdict(LENGTHS) == SAME and half < 0.02 * 12


def test_what_counts_as_the_same_is_a_share_of_what_was_before() -> None:
    ledger = Ledger((WINS,), 0.02, 0.05)
    ledger.add(outcome(1), outcome(1))
    ledger.add(outcome(2), outcome(2))
    assert ledger.margin(WINS) == 2.0 and ledger.margin(LENGTHS) == pytest.approx(0.02 * 12)
    assert ledger.alike == 2


def test_a_game_alone_is_compared_with_an_even_share() -> None:
    ledger = Ledger((WINS,), 0.02, 0.05, alone=True)
    for _ in range(100):
        game = outcome(1)
        ledger.add(game, game)
    effect = ledger.finding(WINS)
    assert (effect.before.mean, effect.difference.mean, effect.verdict) == (50.0, 50.0, MORE)
