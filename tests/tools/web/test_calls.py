"""The work of drawing a page, as a number of calls: what grows here makes everybody at a table wait."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import tools
from interpreter import apply, load
from interpreter.bots.levels import RANDOM
from tools.simulation.bots import make_bot
from tools.table.log import Log
from tools.table.table import Table
from tools.web.page.drawn import Before, drawn_table

ROOT = Path(tools.__file__).parents[1]
PROJECT = tuple(f"{ROOT / package}/" for package in ("dsl", "interpreter", "tools"))
WHOLE, AGAIN, OTHERS = 43_000, 5_000, 2_000  # nothing is kept; the same reader once more; another one there


def calls_of(act: Callable[[], object]) -> int:
    """The calls of functions of the project, generators that go on among them."""
    found = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal found
        found += event == "call" and frame.f_code.co_filename.startswith(PROJECT)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return found


def test_a_heavy_page_takes_no_more_calls_than_it_did() -> None:
    state = load("dominant_species").new(seats=3, seed=1)
    bot = make_bot(RANDOM, 1)
    for _ in range(60):
        apply(state, bot.choose(state))
    table, seat = Table(state, frozenset({1, 2, 3})), state.decision.seat if state.decision is not None else 0
    logs = {reader: Log(state, "en", reader) for reader in (1, 2, 3)}

    def draw(reader: int, kept: Before | None = None) -> None:
        drawn_table(table, reader, "en", logs[reader], kept=kept)

    draw(seat)  # texts and looks are found once in a process
    assert calls_of(lambda: draw(seat)) < WHOLE
    kept = Before()
    draw(seat, kept)
    assert calls_of(lambda: draw(seat, kept)) < AGAIN
    assert calls_of(lambda: draw(seat % 3 + 1, kept)) < OTHERS
