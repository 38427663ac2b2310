"""Simulations: what is counted, that they repeat, and that a failure is saved."""

from __future__ import annotations

import json
import multiprocessing
import signal
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, RulesetError, apply, replay
from interpreter.session import advance
from tests.concepts.play import game as small
from tests.interpreter.programs import fair
from tools.base.errors import UserError
from tools.base.loading import load_game
from tools.commands.replay import repeat_failure
from tools.commands.simulate import Task, make_setups, parse_seats, run, simulate_command
from tools.simulation import playout
from tools.simulation.playout import GameOutcome, GameSetup, failure_kind, play_out
from tools.simulation.report import Report, render
from tools.workers.processes import leave_signals_to_parent

TASK = Task("fair", ("random",), True, ())


def simulate(game: Game, games: int, out: Path) -> Report:
    return run(game, TASK, make_setups(games, (2, 2), 7), 1, out, quiet=True)


def test_every_game_is_counted(game: Game, tmp_path: Path) -> None:
    report = simulate(game, 12, tmp_path)
    data = report.to_json()
    assert (data["finished"], data["failures"], data["dead_ends"]) == (12, 0, 0)
    assert data["decisions"] == sum(report.lengths.elements())
    assert sum(b["games"] for b in data["length"]["histogram"]) == 12
    json.dumps(data)


def test_the_same_seed_plays_the_same_games(game: Game, tmp_path: Path) -> None:
    assert simulate(game, 6, tmp_path).lengths == simulate(game, 6, tmp_path).lengths
    assert play_out(game, GameSetup(0, 2, 1), "random", True, {}).decisions > 0


def test_both_back_ends_play_the_same_games(tmp_path: Path) -> None:
    found = []
    for backend in ("wasm", "reference"):
        task = Task("tic_tac_toe", ("random",), False, (), backend)
        game = load_game("tic_tac_toe", backend)
        assert (game.making is None) == (backend == "reference")
        found.append(run(game, task, make_setups(8, (2, 2), 3), 1, tmp_path, quiet=True).lengths)
    assert found[0] == found[1] and found[0].total() == 8


def test_an_unknown_back_end_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="refrence.*did you mean"):
        simulate_command("tic_tac_toe", 1, None, 1, 1, False, True, [], "random", tmp_path, "refrence")


def test_numbers_of_seats_take_turns() -> None:
    setups = make_setups(7, (2, 3, 4), 3)
    assert [s.seats for s in setups] == [2, 3, 4, 2, 3, 4, 2]
    assert len({s.seed for s in setups}) == 7


TICKS = """
kind Seat
    field ticks: 0..999
field all_ticks: 0..999
value elapsed(): int = all_ticks
value late(): bool = all_ticks > LATE
value own(p: Seat): int = p.ticks
phase game
    repeat while all_ticks < TICKS
        choose number n in 1..2 by p1
        set p1.ticks to p1.ticks + 1
        set all_ticks to all_ticks + 1 + n - n
"""


@pytest.mark.parametrize("ticks, slack", [(20, 0), (7, 0.5), (900, 8)])
def test_watched_values_are_told_from_start_to_end(ticks: int, slack: float, tmp_path: Path) -> None:
    # One tick a decision: after each tenth of the game a tenth of the ticks; the other seat has none, so half of them
    # are the mean of the seats. Long games are read now and then, and always at the end.
    rules = TICKS.replace("LATE", str(ticks // 2)).replace("TICKS", str(ticks))
    watching = small(rules, seats=(2, 2), manifest="watch: [elapsed, late, own]")
    report = run(watching, TASK, make_setups(3, (2, 2), 7), 1, tmp_path, quiet=True)
    watched = report.to_json()["watched"]
    assert list(watched) == ["elapsed", "late", "own"]
    assert watched["elapsed"] == pytest.approx([ticks * k / 10 for k in range(11)], abs=slack)
    assert watched["own"] == [n / 2 for n in watched["elapsed"]]
    assert watched["late"] == [float(n > ticks // 2) for n in watched["elapsed"]]
    assert watched["elapsed"][0] == 0 and watched["elapsed"][-1] == ticks


def test_the_report_shows_watched_values(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    watching = small(TICKS.replace("LATE", "9").replace("TICKS", "20"), seats=(2, 2), manifest="watch: [elapsed]")
    render(run(watching, TASK, make_setups(2, (2, 2), 7), 1, tmp_path, quiet=True))
    line = next(row for row in capsys.readouterr().out.splitlines() if row.startswith("elapsed"))
    means = [word for word in line.split()[1:] if word != "±"][::2]
    assert means == ["0.0", "4.0", "8.0", "12.0", "16.0", "20.0"]


@pytest.mark.parametrize("text", ["1..2", "x", "2..", "3", "2..99999999999999999999"])
def test_seats_out_of_range_are_a_sentence(game: Game, text: str) -> None:
    with pytest.raises(UserError, match=r"--seats should be 2, but .* was given\."):
        parse_seats(text, game)


def test_numbers_of_seats_as_a_list(game: Game) -> None:
    game.program.seats = (2, 6)
    assert parse_seats("3", game) == (3,)
    assert parse_seats("2,4", game) == (2, 4)
    assert parse_seats("5..6,3,5", game) == (5, 6, 3)
    assert parse_seats(None, game) == (2, 3, 4, 5, 6)
    for wrong in ("2,", "2,,4", "2,7"):
        with pytest.raises(UserError, match="--seats should be a number from 2 to 6"):
            parse_seats(wrong, game)


def test_seats_the_wrong_way_round(game: Game) -> None:
    game.program.seats = (2, 6)
    with pytest.raises(UserError, match=r"write 2\.\.5"):
        parse_seats("5..2", game)


STUCK = """
kind Seat
    field n: 0..99
    field fate: 1..4
action go(p: Seat, k: 1..3) of moves
    set p.n to p.n + k
action wait(p: Seat) of moves
    set p.n to p.n + 1
phase game
    random number d in 1..4
    set p1.fate to d
    repeat while p1.n < 12
        for every p in seats
            offer moves by p
            choose number one in 7..7 by p
            choose some q in seats exactly 1 by p
    if p1.fate is 1: choose number k in 1..0 by p2
"""


@pytest.mark.parametrize("bot", ["random", "greedy", "random,greedy"])
def test_a_failure_is_saved_and_named(bot: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game in four comes to a question without an answer. The save is that of the game played with a log."""
    rules = small(STUCK, seats=(2, 2))
    task = Task("stuck", tuple(bot.split(",")), True, ())
    report = run(rules, task, make_setups(20, (2,), 7), 1, tmp_path / "failed", quiet=True)
    assert report.finished + len(report.failures) == 20 and report.dead_ends == len(report.failures) > 0
    for failure in report.failures:
        data = json.loads(Path(failure["file"]).read_text(encoding="utf-8"))
        assert data["ruleset"] == rules.program.id and data["seats"] == 2
        assert data["failure"]["message"] == failure["message"] and "dead end" in failure["message"]
        assert data["failure"]["code"] and len(data["log"]) > 12
        assert [e["kind"] for e in data["log"] if e["address"] in ("game.one", "game.d")].count("choice") == 0
        state = replay(rules, data)
        assert repeat_failure(state, data["failure"], tmp_path) == 0
        assert "it fails again" in capsys.readouterr().out


def test_failures_that_cannot_be_saved_leave_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    rules = small(STUCK, seats=(2, 2))
    report = run(rules, TASK, make_setups(20, (2,), 7), 1, tmp_path / "file", quiet=True)
    told = capsys.readouterr().err
    assert report.finished > 0 and {f["file"] for f in report.failures} == {None}
    assert told.startswith(f"note: {tmp_path / 'file'}/") and "cannot be written: " in told
    render(report)
    assert "saved as" not in capsys.readouterr().out


def test_a_failure_of_the_machine_keeps_the_game() -> None:
    rules = small(STUCK, seats=(2, 2))
    walk = playout.Walk(rules, 2, {}, 1, False)
    walk.begin()
    playout.play_at_random(walk, 1, 3)
    assert walk.unfinished and walk.decisions == 3
    failure = playout.failure_of(walk, KeyError("a fault of ours"))
    assert (failure.kind, failure.message) == ("internal", "KeyError: 'a fault of ours'")
    assert len([e for e in failure.save["log"] if e["kind"] == "choice"]) == 3 and "code" not in failure.save["failure"]


def test_no_log_is_written_of_games_that_nobody_looks_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def written(*_: Any) -> Any:
        raise AssertionError("a line of a log")

    monkeypatch.setattr(advance, "choice_entry", written)
    monkeypatch.setattr(advance, "chance_entry", written)
    rules = small(STUCK.replace("if p1.fate is 1: choose number k in 1..0 by p2", "set p1.n to 0"), seats=(2, 2))
    assert run(rules, TASK, make_setups(5, (2,), 7), 1, tmp_path, quiet=True).finished == 5


def test_the_log_of_a_walk_is_that_of_the_same_game_played_with_one() -> None:
    """What follows by itself is marked so, and is counted as no decision."""
    rules = small(STUCK, seats=(2, 2))
    walk = playout.Walk(rules, 2, {}, 4, False)
    walk.begin()
    playout.play_at_random(walk, 4, 9)
    state, _, fault = playout.retrace(walk)
    assert state is not None and fault is None and state.words == walk.words
    again = rules.new(2, seed=4)
    for entry in state.log:
        if entry.kind == "choice":
            apply(again, entry.code)
    assert again.log[: len(state.log)] == state.log
    assert sum(e.kind == "choice" for e in state.log) == walk.decisions == 9


def test_kinds_of_failures() -> None:
    assert failure_kind(RulesetError("the invariant `even` does not hold")) == "invariant"
    assert failure_kind(RulesetError("the step budget is used up")) == "budget"
    assert failure_kind(RulesetError("apples cannot be -1")) == "rule"


def test_ties_share_a_win_and_intervals_are_there() -> None:
    report = Report(fair(), 2, False, ("random",), 1)
    for number, winners in enumerate(({1: 1.0}, {1: 0.5, 2: 0.5})):
        outcome = GameOutcome(GameSetup(number, 2, number), decisions=10, seconds=0.1)
        outcome.seat_scores, outcome.seat_wins = {1: 20 + number, 2: 10}, winners
        report.add(outcome, None)
    report.seconds = 0.2
    first, second = report.to_json()["seats"]
    assert (first["wins"], second["wins"]) == (0.75, 0.25)
    assert first["score"] == 20.5
    assert first["score_95"][0] < 20.5 < first["score_95"][1]
    assert report.to_json()["decisions_per_second"] == 100.0


def test_the_text_report_has_the_figures(game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = simulate(game, 3, tmp_path)
    report.interrupted = True
    render(report)
    out = capsys.readouterr().out
    assert "3 games, random bots, every change checked (0 invariants)" in out
    assert "finished    3" in out
    assert "stopped after 3 of 3 games" in out


RIVALS = """
enum Colour: red, blue
field red_ones: 0..9
kind Seat
    field points: 0..9
kind Card
    const worth: 0..9
card low "Low": Card
    worth: 1
card high "High": Card
    worth: 8
    copies: 2
card hidden "Hidden": Card
    worth: 5
zone table: Card
zone box: Card seen by nobody
value points_of(p: Seat): int = p.points
value best: set of Seat = tied(p in seats with highest p.points)
phase game
    for every c in {low, high, high_2}: move c to table
    move hidden to box
    for every p in seats
        choose c in table where c.worth < 9 by p
        set p.points to c.worth
"""


def test_bots_share_the_seats_in_turn(tmp_path: Path) -> None:
    """The greedy bot takes a high card, the random one a low one in one game of three: it never wins alone."""
    rivals = small(RIVALS, seats=(2, 2), manifest="result: {score: points_of, winners: best}\nevaluate: points_of")
    task = Task("rivals", ("greedy", "random"), True, ())
    report = run(rivals, task, make_setups(60, (2, 2), 7), 1, tmp_path, quiet=True)
    data = report.to_json()
    assert data["bot"] == "greedy,random"
    assert [data["bots"][name]["games"] for name in ("greedy", "random")] == [60, 60]
    assert data["bots"]["greedy"]["score"] == 8.0
    assert 0.5 < data["bots"]["greedy"]["wins"] < 1.0
    assert [GameSetup(0, 3, 1).bot_of(seat, ("a", "b")) for seat in (1, 2, 3)] == ["a", "b", "a"]
    assert [GameSetup(1, 3, 1).bot_of(seat, ("a", "b")) for seat in (1, 2, 3)] == ["b", "a", "b"]


def test_the_report_tells_what_became_of_cards(tmp_path: Path) -> None:
    rivals = small(RIVALS, seats=(2, 2), manifest="result: {score: points_of, winners: best}")
    report = run(rivals, Task("rivals", ("random",), True, ()), make_setups(20, (2, 2), 7), 1, tmp_path, quiet=True)
    cards = report.to_json()["cards"]
    assert cards["zones"] == {
        "box: Card": {"cards": 1, "times": 20, "never": ["low", "high"]},
        "table: Card": {"cards": 2, "times": 40, "never": ["hidden"]},
    }
    assert [row["never"] for row in cards["answers"].values()] == [["hidden"]]
    assert report.card_usage.never_chosen(rivals.program) == {"Card": ["hidden"]}


ENDLESS = """
field n: 0..9
value outcome(p: Seat): int = n
phase game
    round robin p in seats while n < 9: do turn(p)
phase turn(p: Seat)
    choose number k in 1..2 by p
    if n < 9: set n to k
"""


def test_a_game_without_an_end_is_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It counts as not finished, neither as finished nor as a failure."""
    endless = small(ENDLESS)
    task = Task("endless", ("random",), False, (), max_decisions=30)
    report = run(endless, task, make_setups(3, (2, 2), 1), 1, tmp_path, quiet=True)
    data = report.to_json()
    assert (data["finished"], data["not_finished"], data["failures"], data["decisions"]) == (0, 3, 0, 90)
    assert data["max_decisions"] == 30 and not data["seats"] and not list(tmp_path.iterdir())
    render(report)
    assert "not over    3  (stopped after 30 decisions, --max-decisions)" in capsys.readouterr().out


def test_a_game_that_ends_with_its_last_decision_is_finished(game: Game, tmp_path: Path) -> None:
    needed = play_out(game, GameSetup(0, 2, 1), "random", True, {}).decisions
    assert not play_out(game, GameSetup(0, 2, 1), "random", True, {}, needed).unfinished
    stopped = play_out(game, GameSetup(0, 2, 1), "random", True, {}, needed - 1)
    assert stopped.unfinished and stopped.failure is None and not stopped.seat_scores


def test_unfinished_games_do_not_fail_the_process(tmp_path: Path) -> None:
    how = {"seats": "2", "seed": 1, "jobs": 1, "checked": False, "as_json": True, "options": (), "bot": "random"}
    assert simulate_command("tic_tac_toe", 2, **how, out=tmp_path, max_decisions=3) == 0
    with pytest.raises(UserError, match="--max-decisions should be a number from 1 to"):
        simulate_command("tic_tac_toe", 2, **how, out=tmp_path, max_decisions=0)


def test_a_fault_in_the_result_is_a_failure_of_that_game(tmp_path: Path) -> None:
    rules = ENDLESS.replace("int = n", "int = count(a in 1..2000, b in 1..2000 where a + b is n)").replace(
        "to k", "to 9"
    )
    manifest = "result: {score: outcome}\nlimits: {steps: 1000}"
    outcome = play_out(small(rules, manifest=manifest), GameSetup(0, 2, 1), "random", False, {})
    assert outcome.failure is not None and outcome.failure.kind == "budget" and outcome.decisions == 1


def test_signals_are_as_before_when_a_run_is_over(game: Game, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    simulate(game, 1, tmp_path)
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_worker_ends_when_it_is_terminated_whatever_its_parent_does_then() -> None:
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with multiprocessing.Pool(1, initializer=leave_signals_to_parent) as pool:
            assert pool.apply(signal.getsignal, (signal.SIGTERM,)) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
