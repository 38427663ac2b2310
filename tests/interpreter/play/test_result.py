"""Scores and winners in Python and at the end of `play`, and what a simulation makes of a lone seat."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import cell, game, start
from tools.base.console import stdout
from tools.simulation.playout import GameSetup, play_out
from tools.simulation.report import Report, render
from tools.terminal.narrate import print_result

RULES = """
piece point
kind Seat
    zone points: point
value points_of(p: Seat): int = p.points
value winners(): set of Seat = set(p in seats where p.points > 2)
phase game
    for every p in seats
        choose number n in 1..3 by p
        gain n point by p
"""


def test_without_winners_the_highest_scores_win() -> None:
    s = start(RULES, manifest="result: {score: points_of}")
    rw.answer(s, "3", "p1")
    assert rw.result(s).scores == {1: 3, 2: 0} and rw.result(s).winners == [1]
    rw.answer(s, "3", "p2")
    assert s.over and rw.result(s).winners == [1, 2]


def test_nobody_wins_where_the_rules_name_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    # `winners` gives nobody: all have lost, one seat or several.
    for seats, last in (((1, 1), ["2"]), ((2, 2), ["1", "2"])):
        s = start(RULES, seats=seats, manifest="result: {score: points_of, winners: winners}")
        for number, n in enumerate(last, 1):
            rw.answer(s, n, f"p{number}")
        assert s.over and rw.result(s).winners == [] and rw.result(s).has_winners and rw.result(s).lost
        print_result(stdout(), s, "en")
        assert capsys.readouterr().out.splitlines()[-1] == "Nobody wins: the game has beaten you."


def test_a_lone_seat_without_winners_plays_for_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    s = start(RULES, seats=(1, 1), manifest="result: {score: points_of}")
    rw.answer(s, "3")
    found = rw.result(s)
    assert found.scores == {1: 3} and found.winners == [] and not found.has_winners and not found.lost
    print_result(stdout(), s, "en")
    assert capsys.readouterr().out.split() == "== Final scores == 3 p1".split()


@pytest.mark.parametrize(("names", "share"), [("", None), (", winners: winners", 0.5)])
def test_a_simulation_tells_wins_only_where_the_rules_do(names: str, share: float | None) -> None:
    solo = game(RULES.replace("> 2", "> 1"), seats=(1, 1), manifest=f"result: {{score: points_of{names}}}")
    report = Report(solo.program, 40, False, ("random",), 1)
    for number in range(40):
        report.add(play_out(solo, GameSetup(number, 1, number), "random", False, {}), None)
    wins = report.to_json()["seats"][0]["wins"]
    assert wins is None if share is None else 0.4 < wins < 0.95


def test_a_simulation_counts_the_games_that_nobody_won(capsys: pytest.CaptureFixture[str]) -> None:
    solo = game(RULES, seats=(1, 1), manifest="result: {score: points_of, winners: winners}")
    report = Report(solo.program, 30, False, ("random",), 1)
    lost = 0
    for number in range(30):
        outcome = play_out(solo, GameSetup(number, 1, number), "random", False, {})
        lost += outcome.seat_scores[1] <= 2
        report.add(outcome, None)
    assert 0 < lost < 30 and report.to_json()["lost"] == lost
    assert report.to_json()["seats"][0]["wins"] == round((30 - lost) / 30, 4)
    render(report)
    assert f"finished    30  ({lost} lost to the game)" in capsys.readouterr().out


def test_another_member_of_open_to_has_options_of_its_own() -> None:
    s = start(
        RULES.split("phase game")[0]
        + """
action take(p: Seat, n: 1..3) of market
    require p is p1 or n < 3
    gain n point by p
phase game
    open to p in seats: offer market by p or decline
"""
    )
    assert [o.ids for o in rw.legal(s, "p2")] == [("take", "1"), ("take", "2"), ("decline",)]
    assert len(rw.legal(s)) == len(rw.legal(s, 1)) == 4 and rw.legal(s, "nobody") == []
    rw.apply(s, rw.legal(s, 2)[1])
    assert (cell(s, "p1.points"), cell(s, "p2.points")) == (0, 2)
