"""Unsound saves, the same for all rulesets: whatever is wrong with a save, it is refused with a sentence."""

from __future__ import annotations

import contextlib
import json
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interpreter as rw
from interpreter.records.save import read_save, sealed
from tests.conformance.forgeries import forgeries
from tests.conformance.tables import Table, each_ruleset, folders, random_states

FOREIGN: list[Any] = [None, 3, "save", [], [1, 2], {}, {"format": "other"}, {"words": [0]}, {"ruleset": "x", "log": []}]
WRONG: list[Any] = [None, -1, 2.5, 10**40, "x", "", [], ["x"], {}, {"x": [None]}, True]


@cache
def saved(table: Table) -> str:
    *_, state = random_states(table, 11, 25)
    return json.dumps(rw.save(state), ensure_ascii=False)


def refused(table: Table, data: Any) -> str:
    """The sentence with which a save is refused, even though its seal fits."""
    with pytest.raises(rw.SaveError) as refusal:
        rw.restore(table.game, data)
    message = str(refusal.value)
    assert len(message) > 10 and "Traceback" not in message
    return message


@each_ruleset
def test_what_is_no_save_is_refused(table: Table) -> None:
    for data in FOREIGN:
        refused(table, data)
        with pytest.raises(rw.SaveError):
            rw.replay(table.game, data)


@each_ruleset
def test_a_truncated_text_is_refused(table: Table) -> None:
    text = saved(table)
    for end in range(0, len(text), max(1, len(text) // 60)):
        with pytest.raises(rw.SaveError):
            rw.restore(table.game, read_save(text[:end]))
    assert rw.restore(table.game, read_save(text)).log


@each_ruleset
def test_a_save_of_another_build_is_refused_by_name(table: Table) -> None:
    data = json.loads(saved(table))
    message = refused(table, sealed({**data, "digest": "0" * 32}))
    assert table.game.program.id in message and "000000000000" in message and "`migrate`" in message
    assert rw.replay(table.game, sealed({**data, "digest": "0" * 32})).log, "the log still fits"


@each_ruleset
def test_a_save_of_another_ruleset_is_refused_by_name(table: Table) -> None:
    others = [p.name for p in folders() if p.name != table.game.program.id]
    data = json.loads(saved(table))
    for other in others:
        assert other in refused(table, sealed({**data, "ruleset": other}))


@each_ruleset
def test_values_of_a_wrong_type_are_refused(table: Table) -> None:
    data = json.loads(saved(table))
    for key in data:
        for wrong in WRONG:
            if wrong == data[key] or key == "plan" and wrong is None or key == "script" and isinstance(wrong, list):
                continue
            if key in ("seed", "version", "rules") and type(wrong) is type(data[key]):
                continue  # any number is a seed, any text a version or a name of rules
            if key in ("auto", "checked") and wrong is True or key == "log" and wrong == []:
                continue
            if key == "options" and wrong == {}:
                continue  # no options are the usual ones
            refused(table, {**data, key: wrong} if key == "seal" else sealed({**data, key: wrong}))


@each_ruleset
def test_a_store_that_does_not_fit_its_digest_is_refused(table: Table) -> None:
    data = json.loads(saved(table))
    chooser = random.Random(1)
    for _ in range(40):
        words = list(data["words"])
        words[chooser.randrange(len(words))] += 1
        refused(table, sealed({**data, "words": words}))


@each_ruleset
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_save_changed_anywhere_is_refused_or_read(table: Table, data: st.DataObject) -> None:
    """One value anywhere in the tree is replaced: SaveError, or a state that can be looked at."""
    tree = json.loads(saved(table))
    node: Any = tree
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], (dict, list)) or not node[key] or data.draw(st.booleans()):
            break
        node = node[key]
    node[key] = data.draw(st.sampled_from(WRONG) | st.integers() | st.text(max_size=6))
    try:
        state = rw.restore(table.game, sealed(tree))
    except rw.SaveError as refusal:
        assert str(refusal)
        return
    for seat in (None, *range(1, state.seats + 1)):
        json.dumps(rw.view(state, seat))
        rw.log_for(state, seat)


# ---------------------------------------------------------------- forgeries


def try_forgeries(table: Table, seed: int, number: int) -> tuple[int, int]:
    """Read forged saves as a program and as a person would; gives how many were restored, and how many of these the
    rules could not play on with. No other exception comes than those that tell what is wrong."""
    restored, faults, chooser = 0, 0, random.Random(seed)
    for sort, data in forgeries(saved(table), seed, number):
        for read in (rw.replay, rw.migrate):
            if sort in ("log", "head") and chooser.random() < 0.2:
                with contextlib.suppress(rw.SaveError, rw.ReplayError):
                    read(table.game, data)
        try:
            state = rw.restore(table.game, data)
        except rw.SaveError as refusal:
            assert str(refusal)
            continue
        restored += 1
        try:
            for seat in (None, *range(1, state.seats + 1)):
                json.dumps(rw.view(state, seat))
                rw.log_for(state, seat)
            for _ in range(3):
                if options := rw.legal(state):
                    rw.apply(state, options[0])
        except rw.RulesetError:  # a number among local variables may be any, and the rules say what is wrong with it
            faults += 1
    return restored, faults


@each_ruleset
def test_forged_saves_are_refused_or_played(table: Table) -> None:
    restored, faults = try_forgeries(table, 1, 25)
    assert 25 > restored > 1 and faults < 5


@pytest.mark.soak
@each_ruleset
def test_hundreds_of_forged_saves_are_refused_or_played(table: Table) -> None:
    restored, faults = try_forgeries(table, 2, table.share(600))
    assert faults < restored / 10
