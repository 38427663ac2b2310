"""One follower for all readers of a table: each is told what it would be told with one of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from interpreter import Decision, Option
from interpreter.play.listener import GameFollower
from tests.conformance.tables import load
from tools.table.following import Following
from tools.table.log import Log
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


@pytest.mark.parametrize("ruleset", ["through_the_ages", "civilization"])
def test_each_reader_is_told_the_same_as_with_a_follower_of_its_own(ruleset: str) -> None:
    game = load(f"rulesets/{ruleset}")
    table = Table(game.new(seats=3, seed=8), frozenset({1, 2, 3}), together=False)
    following = Following()
    alone = {seat: Log(table.state, "en", seat) for seat in READERS}
    together = {seat: Log(table.state, "en", seat, following) for seat in READERS[:-1]}
    late, count = READERS[-1], 0
    for number in changes(table, random.Random(2)):
        for seat in READERS:
            if seat == 2 and number % 3:  # looks in now and then
                continue
            alone[seat].follow(table)
            if seat == late and number == ANSWERS // 3:
                alone[late] = Log(table.state, "en", late)
                together[late] = Log(table.state, "en", late, following)
                alone[late].follow(table)
                together[late].follow(table)
            elif seat in together:
                together[seat].follow(table)
        count += 1
        for seat in together:
            assert told(together[seat]) == told(alone[seat]), (seat, number)
    assert count == ANSWERS and len({str(told(log)) for log in together.values()}) > 2
    assert any(one.row.style for one in together[1].told), "nothing was told about running rules"


def test_answers_are_taken_once_more_for_all_readers_together(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("rulesets/through_the_ages")
    table = Table(game.new(seats=3, seed=8), frozenset({1, 2, 3}), together=False)
    following = Following()
    logs = [Log(table.state, "en", seat, following) for seat in READERS]
    taken, take = [], GameFollower.take
    monkeypatch.setattr(GameFollower, "take", lambda *args: taken.append(args) or take(*args))
    before = len(table.state.log)
    decision = table.state.decision
    assert decision is not None
    table.answer(decision.seat, decision.options[0])
    for log in logs:
        log.follow(table)
    assert len(taken) == len(table.state.log) - before


def test_of_what_was_told_nothing_is_kept_but_its_rows() -> None:
    """A table that is played for hours keeps its log, and nothing beside it for each answer."""
    game = load("rulesets/through_the_ages")
    table = Table(game.new(seats=3, seed=8), frozenset({1, 2, 3}), together=False)
    logs = [Log(table.state, "en", seat, Following()) for seat in (None, 1)]
    chooser = random.Random(2)
    for _ in range(30):
        assert (decision := table.state.decision) is not None
        table.answer(decision.seat, chooser.choice(sensible(decision)))
        for log in logs:
            log.follow(table)
    for log in logs:
        listener = log.news.listener
        assert listener is not None and len(log.rows) > 20
        assert max(map(len, (listener.headings, listener.lines_before, listener.lines_after))) < 5
