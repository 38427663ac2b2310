"""Settings are taken where a match is clear, and only there; the search goes by its name, then by the manifest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dsl.program import SearchSettings
from interpreter import Game
from interpreter.bots.scale import scale_of, style_of
from interpreter.bots.searching import SearchStyle
from tests.concepts.play import game as game_of
from tests.interpreter.bots.test_searching import RACE
from tools.base.errors import UserError
from tools.base.loading import load_game
from tools.matches.calibrate import PlayMatches, calibrate, candidates, round_figure
from tools.matches.logistic import Scale
from tools.matches.play import MatchTask
from tools.matches.readings import Stops, game_readings
from tools.matches.tally import MatchResult
from tools.simulation.bots import SearchBot, make_bot
from tools.simulation.playout import GameSetup

MANIFEST = "result: {score: ahead}\n"


@pytest.fixture(scope="module")
def race() -> Game:
    return game_of(RACE, seats=(2, 2), manifest=f"evaluate: ahead\n{MANIFEST}")


def test_a_name_comes_before_the_manifest_and_the_manifest_before_what_is_usual(race: Game) -> None:
    said = game_of(RACE, seats=(2, 2), manifest=f"evaluate: ahead\nsearch: {{scale: 7, cut: 3}}\n{MANIFEST}")
    assert said.program.search == SearchSettings(7, 3, None)
    assert style_of(race, 10, SearchSettings()) == SearchStyle(10, scale_of(race), 0, 5)
    assert style_of(said, 10, SearchSettings()) == SearchStyle(10, 7, 3, 5)
    assert style_of(said, 10, SearchSettings(scale=2, exploring=0)) == SearchStyle(10, 2, 3, 0)
    blind = game_of(RACE, seats=(2, 2), manifest=MANIFEST)
    assert style_of(blind, 10, SearchSettings()) == SearchStyle(10, 1, 1000, 70)


def test_a_name_says_settings() -> None:
    bot = make_bot("search:60:scale=40:exploring=0", 1)
    assert isinstance(bot, SearchBot)
    assert (bot.iterations, bot.settings) == (60, SearchSettings(40, None, 0))
    timed = make_bot("search:20ms:cut=2", 1)
    assert isinstance(timed, SearchBot)
    assert (timed.seconds, timed.settings) == (0.02, SearchSettings(cut=2))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("search:60:scael=4", "did you mean 'scale'"),
        ("search:60:scale=0", "`scale` is a number from 1 to"),
        ("search:60:cut=", "`cut` is a number from 0 to 1000"),
        ("search:60:cut=-1", "`cut` is a number from 0 to 1000"),
        ("search:60:", "choose from cut, exploring, scale"),
        ("search:99999999999999999999", "from 1 to 100000"),
    ],
)
def test_a_name_with_a_slip_is_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        make_bot(name, 1)


def played(
    wins: dict[str, int], asked: list[tuple[str, str]], games: int = 100, stopped: int | None = None
) -> PlayMatches:
    """Matches in which a bot that alone has one of these words in its name wins so many games, any other one half.
    `stopped`: the number of the round that is stopped."""

    def play(matches: Sequence[tuple[str, str]], number: int) -> tuple[list[MatchResult], bool]:
        found = []
        for first, second in matches:
            asked.append((first, second))
            share = next((n for word, n in wins.items() if word in second and word not in first), games // 2)
            second_wins = [2.0] * (share // 2) + [0.0] * (games // 2 - share // 2)
            found.append(MatchResult(first, second, [(2.0 - won, won) for won in second_wins]))
        return found, number == stopped

    return play


def test_the_best_of_the_clear_candidates_is_played_on_with(race: Game) -> None:
    """Of 100 games 70 are clear, and 60 would be if there were no other candidates: Wilson's 95% begins at 0.502."""
    asked: list[tuple[str, str]] = []
    scale = scale_of(race)
    play = played({"exploring=15": 70, "exploring=50": 78, "cut=4": 60}, asked)
    found = calibrate(race, [], play, 30)
    assert found.found == SearchSettings(exploring=50)
    assert found.manifest_line() == "search: {exploring: 50}"
    assert asked[-1] == (f"search:30:scale={scale}:cut=0:exploring=50", f"search:30:scale={scale}:cut=16:exploring=50")
    assert [t.setting for t in found.trials if t.clear] == ["exploring", "exploring"]


def test_what_was_played_before_a_stop_counts(race: Game) -> None:
    found = calibrate(race, [], played({"exploring=15": 80}, [], stopped=1), 30)
    assert (found.interrupted, found.found, found.candidates) == (True, SearchSettings(exploring=15), 5)
    assert [t.setting for t in found.trials] == ["scale", "exploring", "exploring"]
    nothing = calibrate(race, [], played({}, [], games=0, stopped=0), 30)
    assert (nothing.interrupted, nothing.trials, nothing.found) == (True, [], SearchSettings())


def test_without_a_clear_match_the_usual_settings_stay(race: Game) -> None:
    found = calibrate(race, [], played({}, []), 30)
    assert (found.found, found.manifest_line()) == (SearchSettings(), "")


def test_a_scale_near_the_usual_one_is_no_candidate() -> None:
    usual = SearchSettings(1000, 0, 5)
    assert candidates(usual, Scale(1240.0, 1.0, None))["scale"] == (3000,)
    assert candidates(usual, Scale(1260.0, 1.0, None))["scale"] == (1300, 3000)
    assert candidates(usual, None)["scale"] == (3000,)
    assert "scale" not in candidates(SearchSettings(None, 1000, 70), None)
    assert [round_figure(n) for n in (0.4, 8.4, 1649.0, 1e12)] == [1, 8, 1600, 10_000_000]


def test_a_greedy_game_is_read_in_three_thirds(race: Game) -> None:
    """Both walk each time: of eight decisions those number 1, 4 and 6 (from 0) are read, with 1:0, 2:2 and 3:3 steps;
    in the end both have won."""
    readings = game_readings(race, MatchTask("race"), GameSetup(0, 2, 1))
    assert readings == [[(1.0, 0.5), (-1.0, 0.5)], [(0.0, 0.5), (0.0, 0.5)], [(0.0, 0.5), (0.0, 0.5)]]


def test_stores_of_a_long_game_lie_at_equal_distances() -> None:
    stops = Stops([])
    for n in range(1000):
        stops.note([n])  # type: ignore[arg-type]
    firsts = [store[0] for store in stops.stores]
    assert firsts == list(range(0, 1000, stops.every))
    assert 60 <= len(firsts) <= 120


def test_a_game_that_does_not_end_is_not_read(race: Game) -> None:
    assert game_readings(race, MatchTask("race", max_decisions=3), GameSetup(0, 2, 1)) == []


def test_a_real_game_leans_to_who_leads() -> None:
    game = load_game("dominant_species", "wasm")
    thirds = game_readings(game, MatchTask("dominant_species"), GameSetup(0, 2, 1))
    assert [len(third) for third in thirds] == [2, 2, 2]
    assert all(first == (-margin, 1 - share) for (margin, share), first in thirds)
