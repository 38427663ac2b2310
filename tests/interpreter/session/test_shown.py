"""How a state shows itself: a line, and a picture in a notebook, both to an onlooker."""

from __future__ import annotations

import random
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.session import state as state_module
from tests.conformance.redeal import redealt
from tests.conformance.tables import Table, load, random_states
from tools.picture.sheets.notebook import state_html

ROOT = Path(__file__).resolve().parents[3]
SECRET = [
    Table("rulesets/love_letter", 2),
    Table("rulesets/kuhn_poker", 2),
    Table("tests/conformance/rulesets/masks", 3),
]


def test_a_line_says_what_a_state_waits_for() -> None:
    state = load("rulesets/kuhn_poker").new(seed=1)
    assert state.decision is not None
    assert repr(state) == f"<State of kuhn_poker: 2 seats, seat 1 is asked at {state.decision.address}>"
    assert repr(load("rulesets/kuhn_poker").new(chance="ask")) == "<State of kuhn_poker: 2 seats, chance is asked>"
    while not state.over:
        rw.apply(state, rw.legal(state)[0])
    assert repr(state) == "<State of kuhn_poker: 2 seats, over>"


@pytest.mark.parametrize("table", SECRET, ids=lambda table: table.name)
def test_what_is_hidden_is_in_neither(table: Table) -> None:
    chooser = random.Random(2)
    different = 0
    for seed in range(3):
        for state in random_states(table, seed, most=12):
            twin = redealt(state, None, chooser)
            different += twin.words != state.words
            assert repr(twin) == repr(state) and state_html(twin) == state_html(state)
    assert different > 3


def test_a_notebook_finds_what_draws_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry point leads to the function, and to one only; without it a notebook shows the line."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    (target,) = declared[state_module.PAINTERS].values()
    module, _, name = target.partition(":")
    painter = getattr(import_module(module), name)
    state = load("rulesets/tic_tac_toe").new()
    monkeypatch.setattr(state_module, "state_painter", lambda: painter)
    shown = state._repr_html_()
    assert shown is not None and shown.startswith('<img src="data:image/svg+xml;base64,') and 'alt="' in shown
    monkeypatch.setattr(state_module, "state_painter", lambda: None)
    assert state._repr_html_() is None
