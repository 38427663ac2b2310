"""Bots that are programs of their own, and do not do what they should."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conformance.tables import load
from tools.wire import bot
from tools.wire.bot import BotFailure, BotProcess, OutsideBot
from tools.wire.lines import WireError

TWO_ANSWERS = """
for answer in ('{"version": 1}', '{"number": 0}'):
    input()
    print(answer, flush=True)
"""


def test_a_bot_that_ends_in_a_game_is_not_replaced_before_the_next_one(tmp_path: Path) -> None:
    (tmp_path / "brief.py").write_text(TWO_ANSWERS, encoding="utf-8")
    name, state = f"run:{sys.executable} {tmp_path}/brief.py", load("rulesets/connect_four").new()
    for _ in range(2):
        player = OutsideBot(name)
        assert player.choose(state).ids == ("a",)
        player.seats[1][0].child.wait()
        with pytest.raises(BotFailure, match=r"\(ended\)"):
            player.choose(state)


def test_a_bot_that_does_not_read_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "SECONDS", 0.5)
    process = BotProcess([sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(WireError, match="no answer within"):
        process.ask({"do": "wait", "long": "x" * 500_000})
    process.end()
