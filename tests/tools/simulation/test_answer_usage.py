"""What a simulation says was never asked, offered, taken or chosen, and that it says so of nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game
from tests.concepts.play import game
from tests.tools.conftest import lay_out
from tools.cli import run as run_command
from tools.commands.simulate import Task, make_setups, run
from tools.simulation.answer_usage import LOOKED_AT, LOOKS, AnswerUsage, known_answers
from tools.simulation.report import Report, unused_lines

# Nobody has coins, so `buy` is impossible; `wait` is worth less than `work` to a greedy bot; a flood never comes.
MARKET = """
kind Card
    const worth: 0..9
card apple "Apple": Card
    worth: 1
card pear "Pear": Card
    worth: 2
    copies: 2
card plum "Plum": Card
    worth: 3
card gold "Gold": Card
    worth: 9
zone stall: Card
zone chest: Card
field floods: 0..9
field rounds: 0..99
kind Seat
    field coins: 0..9
    field points: 0..99
value points_of(p: Seat): int = p.points
action buy(p: Seat, c: Card) of trade
    require c in stall and p.coins > 0
    move c to chest
action work(p: Seat) of trade
    set p.points to p.points + 2
action wait(p: Seat) of trade
    set p.points to p.points + 1
phase game
    for every c in {apple, pear, pear_2, plum}: move c to stall
    move gold to chest
    repeat while rounds < 3
        set rounds to rounds + 1
        for every p in seats: do turn(p)
    if floods > 0: do flood()
phase turn(p: Seat)
    offer trade by p
    choose c in stall where c.worth < 3 by p
    choose one by p
        case high where points_of(p) > 90: set p.points to 0
        case low
            choose number n in 0..1 by p
            set p.coins to 0
phase flood()
    choose c in stall by p1
    choose one by p1
        case left: move c to chest
        case right: set floods to 0
"""
MANIFEST = "result: {score: points_of}\nevaluate: points_of"


@pytest.fixture(scope="module")
def market() -> Game:
    return game(MARKET, seats=(2, 2), manifest=MANIFEST)


def report_of(rules: Game, bot: str, games: int = 6) -> Report:
    return run(rules, Task("market", (bot,), True, ()), make_setups(games, (2,), 1), 1, Path("none"), quiet=True)


def unused(report: Report) -> dict[str, Any]:
    found: dict[str, Any] = report.to_json()["unused"]
    return found


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_what_is_never_asked_and_never_offered(market: Game, bot: str) -> None:
    """Cases of a question that is never asked are not told beside it."""
    found = unused(report_of(market, bot))
    assert len(found["never_asked"]) == 2 and all(address.startswith("flood.") for address in found["never_asked"])
    assert found["never_offered"][0] == "buy" and len(found["never_offered"]) == 2
    assert found["never_offered"][1].endswith(": high")
    assert found["never_taken"] == ([] if bot == "random" else ["wait"])
    assert found["answers"] == 7 and found["looks"] > 0


def test_cards_that_are_never_offered_and_never_chosen(market: Game) -> None:
    """Copies are one card; one choice alone leaves all other cards that were offered."""
    report = report_of(market, "random", 1)
    report.card_usage.chosen.clear()
    report.card_usage.chosen["turn.c", "apple"] += 1
    lines = [line for line in unused_lines(report, None) if " of 4 Card: " in line]
    looked = report.answer_usage.looks
    assert lines == [
        f"never offered in the {looked} questions that were looked at (games: the first 1), 2 of 4 Card: plum, gold",
        "never chosen, 1 of 4 Card: pear",
    ]


def test_who_declines_has_taken_nothing() -> None:
    """A greedy bot loses nothing by its own will."""
    rules = """
kind Seat
    field points: 0..99 = 50
value points_of(p: Seat): int = p.points
action lose(p: Seat) of trade
    set p.points to p.points - 1
phase game
    for every p in seats, i in 1..3
        offer trade by p or decline
"""
    found = unused(report_of(game(rules, seats=(2, 2), manifest=MANIFEST), "greedy", 2))
    assert found["never_taken"] == ["lose"] and found["never_offered"] == []


def test_words_of_answers_are_no_cards_of_the_same_name() -> None:
    """Who declines, is ready or takes a case has named no card, though there are cards of these names."""
    rules = """
kind Card
card decline "No": Card
card ready "Yes": Card
card apple "Apple": Card
card pear "Pear": Card
zone stall: Card
kind Seat
    field points: 0..99
value points_of(p: Seat): int = p.points
phase game
    for every c in {apple, pear}: move c to stall
    for every p in seats, i in 1..4
        choose c in stall by p or decline
        choose some cs in stall at most 1 by p
        choose one by p
            case ready: set p.points to 1
            case named
                choose d in stall by p
"""
    report = report_of(game(rules, seats=(2, 2), manifest="result: {score: points_of}"), "random")
    assert {card for _, card in report.card_usage.chosen} == report.answer_usage.cards == {"apple", "pear"}
    assert unused(report)["never_taken"] == unused(report)["never_offered"] == []


def test_what_was_looked_at_is_the_beginning_of_a_run(market: Game) -> None:
    report = report_of(market, "random", LOOKED_AT + 2)
    assert unused(report)["looked_at"] == LOOKED_AT
    looked = f" in the {report.answer_usage.looks} questions that were looked at (games: the first {LOOKED_AT}), "
    assert any(line.startswith(f"never offered{looked}") for line in unused_lines(report, None))


def test_names_beyond_the_limit_are_counted(market: Game) -> None:
    report = report_of(market, "greedy", 2)
    assert "never asked, 2 of" in next(iter(unused_lines(report, None)))
    first = next(iter(unused_lines(report, 1)))
    assert first.endswith(" and 1 more (--verbose)") and first.count("flood.") == 1


def test_a_long_game_is_looked_at_here_and_there(market: Game) -> None:
    long = game(MARKET.replace("rounds < 3", "rounds < 60").replace("points: 0..99", "points: 0..999"), seats=(2, 2))
    report = report_of(long, "random", 1)
    assert report.decisions > LOOKS >= report.answer_usage.looks > LOOKS / 2
    assert "buy" in unused(report)["never_offered"]


def test_games_that_fail_or_are_stopped_count_for_what_they_asked(market: Game) -> None:
    task = Task("market", ("random",), False, (), max_decisions=1)
    stopped = run(market, task, make_setups(3, (2,), 1), 1, Path("none"), quiet=True)
    assert stopped.unfinished == 3 and "buy" in unused(stopped)["never_offered"]
    assert len(unused(stopped)["never_asked"]) > 2


AT_ANY_MOMENT = """
field rounds: 0..99
kind Seat
    field coins: 0..99
action beg(p: Seat) at any moment
    require p.coins < 90
    set p.coins to p.coins + 1
action sell(p: Seat) at any moment
    require p.coins > 95
    set p.coins to 0
phase game
    repeat while rounds < 8
        set rounds to rounds + 1
        for every p in seats
            choose number n in 0..3 by p
            set p.coins to min(p.coins + n, 80)
"""


def test_actions_at_any_moment_are_offered_too() -> None:
    found = unused(report_of(game(AT_ANY_MOMENT, seats=(2, 2)), "random", 2))
    assert found["never_offered"] == ["sell"]


def test_names_of_answers(market: Game) -> None:
    known = known_answers(market.program)
    assert known.routines == {"buy", "work", "wait"} and known.places["buy"] == {"turn.trade"}
    assert {name.rpartition(": ")[2] for name in known.places} == {
        "buy", "work", "wait", "high", "low", "left", "right",
    }  # fmt: skip


def test_usages_add_up() -> None:
    one = AnswerUsage({"a"}, offered={"x"}, cards={"plum"}, looks=2, games=1)
    one.taken["x"] += 2
    two = AnswerUsage({"b"}, offered={"y"}, looks=3, games=1)
    two.taken["x"] += 1
    one.add(two)
    assert (one.asked, one.taken["x"], one.offered, one.cards) == ({"a", "b"}, 3, {"x", "y"}, {"plum"})
    assert (one.looks, one.games) == (5, 2)


def test_the_command_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = f"id: market\nversion: 1\ntitle: {{en: Market}}\nseats: 2\nload: [game.rules]\n{MANIFEST}\n"
    lay_out({"rulesets/market/ruleset.yaml": manifest, "rulesets/market/game.rules": MARKET}, tmp_path, monkeypatch)
    words = ["simulate", "market", "--games", "4", "--jobs", "1", "--bot", "greedy"]
    assert run_command(words) == 0
    output = capsys.readouterr().out
    assert "never taken, 1 of 7 answers: wait\n" in output and "1 of 4 Card: gold" not in output.split("never asked")[0]
    assert run_command([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unused"]["never_taken"] == ["wait"]
