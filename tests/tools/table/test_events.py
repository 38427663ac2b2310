"""What happens is recorded once, as it happens, and each reader of a table is told of it from there."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from interpreter import Decision, IllegalAnswer, Option, answer, apply, copy, restore, save
from interpreter.machine.recorder import Recorder
from interpreter.session.entry import CHANCE
from interpreter.session.state import MOST_RECORDED
from tests.conformance.tables import load
from tests.tools.table.executions import counted
from tools.table.log import Log
from tools.table.rule_lines import record
from tools.table.table import Table

READERS = (None, 1, 2, 3)
ANSWERS = 60


def changes(table: Table, chooser: random.Random) -> Iterator[int]:
    """Answers, undos and redos of a game in which all seats are people; the number of each change."""
    for number in range(ANSWERS):
        decision = table.state.decision
        if decision is None:
            return
        undone = number % 7 in (5, 6) and table.undo(decision.seat)
        if not (undone or number % 7 == 0 and table.redo(decision.seat)):
            table.answer(decision.seat, chooser.choice(sensible(decision)))
        yield number


def sensible(decision: Decision) -> list[Option]:
    return [one for one in decision.options if "resign" not in one.text("en").lower()] or decision.options


def told(log: Log) -> list[tuple[int, tuple[str, ...], str, bool]]:
    return [(one.row.number, one.row.headings, one.row.text, one.undone) for one in log.told]


def table_of(ruleset: str) -> Table:
    return Table(load(f"rulesets/{ruleset}").new(seats=3, seed=8), frozenset({1, 2, 3}), together=False)


@pytest.mark.parametrize("ruleset", ["through_the_ages", "civilization", "dominant_species"])
def test_each_answer_is_carried_out_once_for_all_readers(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table, chooser = table_of(ruleset), random.Random(2)
    logs = [Log(table.state, "en", seat) for seat in READERS]
    for number in range(20):
        decision = table.state.decision
        assert decision is not None
        option, before = chooser.choice(sensible(decision)), len(table.state.log)
        with monkeypatch.context() as patch:
            taken = counted(patch)
            table.answer(decision.seat, option)
            for log in logs:
                log.follow(table)
        answers = [entry for entry in table.state.log[before:] if entry.kind != CHANCE]
        assert len(taken) == len(answers) > 0, (number, taken)
    assert all(len(log.rows) > 10 for log in logs)


def test_what_is_taken_back_and_given_again_is_not_carried_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table, chooser = table_of("through_the_ages"), random.Random(2)
    log = Log(table.state, "en", 1)
    log.follow(table)
    for _ in range(30):
        decision = table.state.decision
        assert decision is not None
        table.answer(decision.seat, chooser.choice(sensible(decision)))
        log.follow(table)
        rows = told(log)
        if not table.undo(decision.seat):
            continue
        log.follow(table)
        with monkeypatch.context() as patch:
            taken = counted(patch)
            assert table.redo(decision.seat)
            log.follow(table)
        assert not taken and told(log)[-1] == rows[-1]
        return
    pytest.fail("no answer could be taken back")


@pytest.mark.parametrize("ruleset", ["through_the_ages", "civilization"])
def test_a_reader_is_told_the_same_whoever_looks_besides(ruleset: str) -> None:
    alone, together = table_of(ruleset), table_of(ruleset)
    logs = {seat: Log(together.state, "en", seat) for seat in READERS}
    seldom, late = Log(alone.state, "en", 2), None
    for number in changes(alone, random.Random(2)):
        if number % 3 == 0:
            seldom.follow(alone)
    for number in changes(together, random.Random(2)):
        for seat, log in logs.items():
            if seat != 2 or number % 3 == 0:
                log.follow(together)
        if number == ANSWERS // 3:
            late = Log(together.state, "en", 2)
        if late is not None:
            late.follow(together)
    assert alone.state.words == together.state.words
    assert told(seldom) == told(logs[2])
    lines = {row.row.text for row in logs[1].told if row.row.style}
    assert late is not None and lines & {row.row.text for row in late.told if row.row.style}


@pytest.mark.parametrize(
    ("ruleset", "decisions"), [("dominant_species", 60), ("through_the_ages", 60), ("love_letter", 40)]
)
def test_a_recorded_game_is_word_for_word_the_same(ruleset: str, decisions: int) -> None:
    game = load(f"rulesets/{ruleset}")
    state, recorded, chance = game.new(seed=7), game.new(seed=7), random.Random(7)
    program = game.program
    causes = program.domains.get(program.causes)
    every_cause = frozenset(causes.values if causes else ())
    recorded.recorder = Recorder(program, game.runner, frozenset(range(len(program.procs))), every_cause)
    sorts = set()
    for _ in range(decisions):
        if state.decision is None:
            break
        code, before = chance.choice(state.decision.options).code, len(state.log)
        apply(state, code)
        apply(recorded, code)
        assert recorded.words == state.words and recorded.log == state.log
        sorts |= {event.sort for n in range(before, len(state.log)) for event in recorded.events.get(n, ())}
    assert sorts == {"taken", "begins", "ends", "before", "done"}


def test_events_are_kept_for_a_while() -> None:
    """A table that is played for hours keeps its log, and little beside it."""
    table, chooser = table_of("through_the_ages"), random.Random(2)
    logs = [Log(table.state, "en", seat) for seat in (None, 1)]
    for _ in range(40):
        before = len(table.state.log)
        assert (decision := table.state.decision) is not None
        table.answer(decision.seat, chooser.choice(sensible(decision)))
        assert min(table.state.events) >= before - MOST_RECORDED
        for log in logs:
            log.follow(table)
    assert table.state.events and len(table.state.log) > 2 * MOST_RECORDED
    for log in logs:
        lines = log.news.rule_lines
        assert lines is not None and len(log.rows) > 20
        assert max(map(len, (lines.headings, lines.lines_before, lines.lines_after))) < 5


def test_what_is_tried_or_refused_is_not_recorded() -> None:
    table = table_of("through_the_ages")
    state = table.state
    assert state.recorder is not None and copy(state).recorder is None
    assert state.decision is not None
    with pytest.raises(IllegalAnswer):
        table.answer_in_words(state.decision.seat, ["nonsense"])
    assert table.state is state and not state.events
    tried = copy(state)
    apply(tried, sensible(state.decision)[0].code)
    assert not tried.events


def test_whole_answers_in_words_are_recorded_and_saves_need_no_events() -> None:
    game = load("rulesets/through_the_ages")
    state = game.new(seats=3, seed=8)
    record(state)
    assert state.decision is not None
    number = len(state.log)
    answer(state, list(sensible(state.decision)[0].ids))
    assert [event.sort for event in state.events[number]][:1] == ["taken"]
    again = restore(game, save(state))
    assert again.words == state.words and not again.events and again.recorder is None
