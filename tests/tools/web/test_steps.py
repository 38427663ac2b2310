"""What can be taken back, done again and is struck out, after a server has been started anew: as before, whatever has
been answered, taken back and done again."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from interpreter import Game, State
from tests.concepts.play import start
from tests.conformance.tables import load
from tests.tools.table.asking import asked
from tests.tools.web.server import HOME  # noqa: F401  (skips where the extra is missing)
from tools.table.log import Log
from tools.table.table import Table
from tools.web.running.kept import resume, state_of
from tools.web.running.steps import Written
from tools.web.running.store import TableStore

PLAN = """
enum Good: apple, bread, cake
kind Seat
    field coins: 0..99
action order(p: Seat) of orders
    set p.coins to p.coins + 1
    choose g in Good
    choose h in Good where h is not g
    set p.coins to p.coins + 1
phase game
    round robin p in seats while p1.coins + p2.coins < 40: offer orders by p
"""
AT_ONCE = """
kind Seat
    field sum: 0..99
phase game
    repeat while p1.sum + p2.sum < 90
        for every p in seats at once
            choose n in 1..5 by p
            set p.sum to p.sum + n
"""


def told(state: State) -> Any:
    plan = state.plan
    lines = [json.dumps(entry.to_json()) for entry in state.log]
    return state.digest(), state.early.to_json(), lines, (plan.seat, plan.words, plan.entries) if plan else None


def all_of(table: Table) -> Any:
    """Everything that undo and redo depend on."""
    history = table.history
    back = [(one.number, one.at, one.seat, json.dumps(one.entry.to_json())) for one in table.taken_back]
    behind = [(step.seat, told(step.before)) for step in history.steps]
    ahead = [(step.seat, told(state), told(step.before)) for state, step in history.undone]
    return told(table.state), behind, ahead, back, [table.why_no_undo(seat) for seat in (1, 2)]


def rows(table: Table, seat: int | None) -> list[tuple[str, bool]]:
    log = Log(table.state, "en", seat)
    log.follow(table)
    return [(one.row.text, one.undone) for one in log.told]


def opened(state: State, together: bool) -> Table:
    return Table(state, frozenset(range(1, state.seats + 1)), together=together, chance=random.Random(3))


def read_back(store: TableStore, game: Game, together: bool) -> tuple[Table, Written]:
    kept = store.find("one")
    assert kept is not None
    table = opened(state_of(game, kept), together)
    return table, resume(table, kept)


def play(store: TableStore, table: Table, game: Game, together: bool, changes: int, seed: int) -> dict[str, int]:
    """Play with undo, redo and requests; after each change the table that is read back is like this one, and now and
    then the game goes on with that. Gives how often what was done."""
    chooser, written, done = random.Random(seed), store.add("one", "rules", {}, table, {}), dict.fromkeys("arub", 0)
    for number in range(changes):
        if table.state.decision is None:
            break
        seat = chooser.choice(table.state.decision.open_seats)
        act = chooser.choice("aaaauuurrb")
        last = next((s for s in range(1, table.state.seats + 1) if table.may_redo(s)), 0)
        mine = table.history.steps[-1].seat if table.history.steps else 0
        if act == "u" and mine and table.undo(mine) or act == "r" and last and table.redo(last):
            done[act] += 1
        elif act == "b" and number % 3 == 0 and table.ask_back(seat):
            for other in table.people:
                table.reply(other, True)
            done[act] += 1
        else:
            table.answer(seat, chooser.choice(asked(table, seat).options))
            done["a"] += 1
        written = store.keep("one", {}, table, number, "", written)
        again, written_again = read_back(store, game, together)
        assert all_of(again) == all_of(table), (number, act)
        for reader in (None, 1):
            assert rows(again, reader) == rows(table, reader), (number, act, reader)
        if number % 5 == 4:
            table, written = again, written_again
    return done


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("rules", [PLAN, AT_ONCE], ids=["plan", "at once"])
def test_small_games_are_read_back_with_all_their_steps(tmp_path: Path, rules: str, together: bool) -> None:
    state = start(rules, seats=(2, 2))
    sums = dict.fromkeys("arub", 0)
    for seed in range(2):
        store = TableStore(tmp_path / f"{seed}.sqlite")
        done = play(store, opened(state, together), state.game, together, 50, seed)
        store.close()
        sums = {key: sums[key] + number for key, number in done.items()}
    assert sums["a"] > 20 and sums["u"] and sums["r"] and (sums["b"] or together), sums


@pytest.mark.parametrize("ruleset", ["love_letter", "goofspiel"])
def test_games_are_read_back_with_all_their_steps(tmp_path: Path, ruleset: str) -> None:
    game = load(f"rulesets/{ruleset}")
    store = TableStore(tmp_path / "tables.sqlite")
    state = game.new(seats=2, seed=8, chance="ask")
    assert play(store, opened(state, False), game, False, 40, 1)["a"] > 5
    store.close()


def test_steps_that_are_damaged_leave_the_game_and_its_log(tmp_path: Path) -> None:
    state = start(PLAN, seats=(2, 2))
    for damage in (
        "words = x'00'",
        "was = 'x'",
        "lines = 99",
        "seat = 7",
        "plan = '[1]'",
        """plan = replace(plan, '"seat": ', '"seat": 7')""",
        "words = substr(words, 1, 9)",
    ):
        store = TableStore(tmp_path / f"{len(damage)}{damage[0]}.sqlite")
        table = opened(state, True)
        written = store.add("one", "rules", {}, table, {})
        for number in range(3):
            table.answer(table.state.decision.seat, asked(table).options[0])
            written = store.keep("one", {}, table, number, "", written)
        store.base.execute(f"update step set {damage} where n = 1")
        again, written = read_back(store, state.game, True)
        assert told(again.state) == told(table.state) and again.history.steps == []
        again.answer(again.state.decision.seat, asked(again).options[0])
        store.keep("one", {}, again, 9, "", written)
        assert len(read_back(store, state.game, True)[0].history.steps) == 1, damage
        store.close()


def of_an_older_form(tmp_path: Path, changes: str) -> tuple[Table, Table]:
    """A table of three answers, and what is read of its file once the file has been made one of an older form."""
    state = start(PLAN, seats=(2, 2))
    store = TableStore(tmp_path / "tables.sqlite")
    table = opened(state, True)
    written = store.add("one", "rules", {}, table, {})
    for number in range(3):
        table.answer(table.state.decision.seat, asked(table).options[0])
        written = store.keep("one", {}, table, number, "", written)
    store.base.executescript(changes)
    store.close()
    store = TableStore(tmp_path / "tables.sqlite")
    again, _ = read_back(store, state.game, True)
    store.close()
    assert told(again.state) == told(table.state)
    return table, again


def test_a_file_of_the_first_form_is_read(tmp_path: Path) -> None:
    _, again = of_an_older_form(
        tmp_path,
        "drop table step; alter table game drop column lines; "
        "alter table game drop column sealed; alter table game drop column early; pragma user_version = 1;",
    )
    assert again.history.steps == []


def test_a_file_of_the_second_form_is_read(tmp_path: Path) -> None:
    table, again = of_an_older_form(
        tmp_path, "alter table step drop column early; alter table game drop column early; pragma user_version = 2;"
    )
    assert len(again.history.steps) == len(table.history.steps) > 0
