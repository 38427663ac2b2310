"""A table without a server: bots that are woken while a page is being sent, the logs of several readers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from tests.tools.web.server import HOME  # noqa: F401  (skips where the extra is missing)
from tools.web.running.games import Games
from tools.web.running.room import HERE, PERSON, RANDOM, Room
from tools.web.running.rooms import Rooms, Setup
from tools.web.running.store import Store
from tools.web.running.viewers import Viewer


async def opened(folder: Path, game: str, *sitting: str) -> Room:
    rooms = Rooms(Store(folder / "tables.sqlite"), Games())
    room, _ = await rooms.begin(Setup(game, {}, sitting), "")
    return room


def test_a_bot_is_not_forgotten_when_somebody_answers_while_a_page_is_sent(tmp_path: Path) -> None:
    """The answer comes in while the bots' task sends its last page, and so cannot be woken anew."""

    async def played() -> None:
        room = await opened(tmp_path, "tic_tac_toe", PERSON, RANDOM)
        heard: list[int] = []

        async def send(text: str) -> None:
            told = json.loads(text)
            heard.append(told["lines"])
            if told["lines"] == 2 and told["mine"]:  # the page after the bot's first answer
                assert room.bots is not None and not room.bots.done()
                assert room.act(viewer, {"v": told["v"], "do": 0}) is True
                room.wake_bots()

        viewer = Viewer("1", "en", send)
        room.viewers.add(viewer)
        await room.show(viewer)
        assert room.act(viewer, {"v": 0, "do": 0}) is True
        room.wake_bots()
        for _ in range(200):
            await asyncio.sleep(0.01)
            if len(room.table.state.log) >= 4:
                break
        assert len(room.table.state.log) >= 4 and heard[-1] >= 4

    asyncio.run(played())


def test_each_reader_has_a_log_and_a_page_of_its_own(tmp_path: Path) -> None:
    async def looked() -> None:
        room = await opened(tmp_path, "love_letter", HERE, PERSON)

        async def send(_: str) -> None:
            return None

        readers = [Viewer(place, lang, send) for place in ("2", "watch") for lang in ("en", "ja")]
        pages = [room.drawn(one).parts for one in readers]
        assert len({page["head"] for page in pages}) == 4 and len(room.logs) == 4
        assert room.drawn(Viewer("2", "en", send)).parts is pages[0]  # drawn once for all who see the same

    asyncio.run(looked())
