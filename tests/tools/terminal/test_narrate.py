"""Narrating a game: headings, only new lines, scores that changed, the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interpreter import Game, Option, RulesetError, State, answer, apply, load, log_for, save
from interpreter.session.entry import CHANCE
from tests.tools.simulation.test_bots import with_values
from tests.tools.table.executions import counted
from tools.base.console import stdout
from tools.base.errors import CommandEnd
from tools.commands.play import narrate_bots
from tools.commands.replay import replay_command
from tools.simulation.bots import RandomBot
from tools.table.rule_lines import record
from tools.terminal.narrate import Narrator, print_result
from tools.terminal.session import Session


def test_lines_are_told_once_under_their_heading(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    state, bot = game.new(seats=2, seed=3), RandomBot(1)
    narrator = Narrator(stdout(), "en")
    narrator.report(state)
    while not state.over:
        apply(state, bot.choose(state))
        narrator.report(state)
    out = capsys.readouterr().out.splitlines()
    assert out.count("== turn ==") == 1
    assert [row[2:] for row in out if row.startswith("  ")] == log_for(state, None)
    assert narrator.report(state) == 0


def test_secrets_are_not_told(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    narrate_bots(game.new(seats=2, seed=3), "en", "random")
    out = capsys.readouterr().out
    assert "Anna chose in secret" in out
    assert "notes" not in out


def test_scores_that_change_are_told_and_the_end_has_all(capsys: pytest.CaptureFixture[str]) -> None:
    narrate_bots(with_values().new(seats=2, seed=3), "en", "greedy")
    out = capsys.readouterr().out
    assert "now Anna 5 (+3)" in out
    assert "== Final scores ==" in out


@pytest.mark.parametrize(
    ("squares", "last"),
    [("b2 a3 a1 c3 b3 b1 a2 c2", "Draw: Cross, Nought"), ("a1 a2 b1 b2 c1", "Winner: Cross")],
)
def test_a_game_that_all_have_won_is_a_draw(squares: str, last: str, capsys: pytest.CaptureFixture[str]) -> None:
    state = load("tic_tac_toe").new(seats=2, seed=1)
    for square in squares.split():
        answer(state, square)
    assert state.over
    print_result(stdout(), state, "en")
    assert capsys.readouterr().out.splitlines()[-1] == last


def test_a_game_without_scores_ends_without_them(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    print_result(stdout(), game.new(seats=2, seed=1), "en")
    assert capsys.readouterr().out == ""


def test_a_long_continued_game_tells_its_last_entries_only(game: Game) -> None:
    state, bot = game.new(seats=2, seed=3), RandomBot(1)
    while not state.over:
        apply(state, bot.choose(state))
    narrator = Narrator(stdout(), "en")
    narrator.news.skip(state, last=2)
    assert narrator.news.reported == len(state.log) - 2


def test_japanese_words_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    narrate_bots(with_values().new(seats=2, seed=3), "ja", "random")
    out = capsys.readouterr().out
    assert "最終得点" in out and "アンナ" in out


def test_a_fault_of_the_ruleset_ends_the_game_with_a_save(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: State, option: Option) -> State:
        raise RulesetError("a dead end at turn.move")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tools.commands.play.apply", broken)
    with pytest.raises(
        CommandEnd, match="the game stops because of a fault in its ruleset: a dead end at turn.move"
    ) as stop:
        narrate_bots(game.new(seats=2, seed=3), "en", "random")
    assert stop.value.code == 1
    (file,) = tmp_path.iterdir()
    assert file.name in str(stop.value)


@pytest.mark.parametrize("ruleset", ["through_the_ages", "dominant_species"])
def test_each_answer_at_the_terminal_is_carried_out_once(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = Session(load(ruleset).new(seats=2, seed=3), frozenset({1, 2}), "en", "random")
    asked: list[str] = []

    def typed(prompt: str) -> str:
        if len(asked) == 6:
            raise EOFError
        options = session.decision.options
        asked.append(str(len(options)) if len(asked) % 2 else " ".join(options[-1].ids))  # by number, in words
        return asked[-1]

    monkeypatch.setattr("builtins.input", typed)
    before = len(session.state.log)
    taken = counted(monkeypatch)
    session.run()
    answers = [entry for entry in session.state.log[before:] if entry.kind != CHANCE]
    assert len(taken) == len(answers) >= len(asked), (asked, taken)


def test_a_replay_tells_what_was_told_as_it_was_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state, bot = load("through_the_ages").new(seats=2, seed=3), RandomBot(1)
    narrator = Narrator(stdout(), "en")
    narrator.report(state)
    for _ in range(12):
        record(state)
        apply(state, bot.choose(state))
        narrator.report(state)
    told = capsys.readouterr().out
    file = tmp_path / "game.json"
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    replay_command(file, None, False, "en")
    assert told in capsys.readouterr().out
    assert any(row.style for row in narrator.rows)
