"""The walk of one click through the files of the house, as `docs/engine.md` tells it."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.tools.web.test_room import opened
from tools.web.running.room import PERSON, Room
from tools.web.running.viewers import Viewer

ROOT = Path(__file__).parents[3]
MOST_FILES, MOST_ROOMS = 20, 13
CLICKS = 30  # the first ones load what is loaded once
HOSTS = tuple(f"interpreter/backends/{target}/" for target in ("wasm", "c", "printed"))  # the best one that can be had


def files_of_a_click(folder: Path) -> set[str]:
    """The files that one answer without chance is passed through, from the room up to the next position."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "tests"):
            found.add(path.relative_to(ROOT).as_posix())

    async def send(text: str) -> None:
        pass

    async def click() -> None:
        room = await opened(folder, "dominant_species", PERSON, PERSON)
        room.table.state.game.making.wait()
        for number in range(CLICKS):
            decision, before = room.table.state.decision, len(room.table.state.log)
            assert decision is not None
            viewer = Viewer(str(decision.seat), "en", send)
            len(decision.options)  # they were listed for the page
            found.clear()
            sys.setprofile(note)
            try:
                assert room.act(viewer, {"v": room.version, "do": 0}) is True
            finally:
                sys.setprofile(None)
            if number and len(room.table.state.log) == before + 1:
                return
        pytest.fail("each of these answers led to more than itself")

    asyncio.run(click())
    return {file for file in found if file.startswith(("interpreter/", "tools/")) and not file.startswith(HOSTS)}


def test_a_click_goes_through_the_files_that_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def note(room: Room) -> None:
        room.version += 1  # what is read, kept and drawn afterwards is no part of the walk

    monkeypatch.setattr(Room, "note", note)
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    section = text.split("## The walk of one click")[1].split("\n## ")[0]
    told = re.findall(r"^\| `(\S+\.py)` \|", section, re.MULTILINE)
    assert {file for file in told if not file.startswith(HOSTS)} == files_of_a_click(tmp_path)
    assert len(told) <= MOST_FILES and len({file.rpartition("/")[0] for file in told}) <= MOST_ROOMS
