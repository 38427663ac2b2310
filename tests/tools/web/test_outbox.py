"""Pages that do not read hold up nobody: what they are sent waits in a short row, and a full one ends their line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from tests.tools.web.server import FROM_HERE, HOME, Served  # noqa: F401  (skips where the extra is missing)
from tests.tools.web.test_thinking import opened
from tools.web.running.games import title_in, titles
from tools.web.running.room import PERSON
from tools.web.running.secrets import WATCH, new_secret
from tools.web.running.store import TableStore
from tools.web.server.lines import SocketLines
from tools.web.server.outbox import MOST, SLOW_LINE, Outbox


class Line:
    """A line as a server has it: what comes in is put there by the test, and what goes out is heard, unless it is
    stuck."""

    def __init__(self, id_: str, place: str, secret: str, stuck: bool) -> None:
        self.path_params, self.cookies = {"id": id_, "place": place}, {"seat": secret}
        self.query_params, self.headers = {"lang": "en"}, dict[str, str]()
        self.stuck, self.heard, self.closed = stuck, list[dict[str, Any]](), list[int]()
        self.come: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        return await self.come.get()

    async def send_text(self, text: str) -> None:
        if self.stuck:
            await asyncio.Event().wait()
        self.heard.append(json.loads(text))

    async def close(self, code: int) -> None:
        self.closed.append(code)

    async def say(self, **told: Any) -> None:
        await self.come.put({"type": "websocket.receive", "text": json.dumps(told)})

    async def hears(self, version: int) -> bool:
        """Whether the page of this version comes in turns of the loop, however long they take."""
        for _ in range(1000):
            if any(told.get("v") == version for told in self.heard):
                return True
            await asyncio.sleep(0)
        return False


def test_an_onlooker_who_never_reads_holds_up_no_player(tmp_path: Path) -> None:
    async def played() -> None:
        rooms, _, (room,) = await opened(tmp_path, ("hex", PERSON, PERSON))
        secrets = {}
        for place in ("1", "2", WATCH):
            secrets[place], room.hashes[place] = new_secret()

        class Tables:
            async def found(self, line: Line) -> Any:
                return room, line.path_params["place"]

        lines = SocketLines(Tables())  # type: ignore[arg-type]
        people = {place: Line(room.id, place, secrets[place], stuck=False) for place in ("1", "2")}
        stuck = [Line(room.id, WATCH, secrets[WATCH], stuck=True) for _ in range(3)]
        tasks = {line: asyncio.create_task(lines.line(line)) for line in (*people.values(), *stuck)}  # type: ignore[arg-type]
        for line in people.values():
            assert await line.hears(0)
        assert len(room.viewers) == 5
        for version in range(4 * MOST):  # pages that come fast are left out
            seat = room.table.person_to_ask()
            await people[str(seat)].say(v=room.version, do=0)
            for line in people.values():
                assert await line.hears(version + 1)
        assert all(line.closed == [SLOW_LINE] for line in stuck) and len(room.viewers) == 2
        for line in people.values():
            await line.come.put({"type": "websocket.disconnect"})
        await asyncio.gather(*tasks.values())
        assert room.viewers == set() and all(line.closed == [] for line in people.values())

    asyncio.run(played())


def test_a_line_that_breaks_is_let_go_though_nothing_is_heard_of_it() -> None:
    async def sent() -> None:
        async def broken(_: str) -> None:
            raise OSError("gone")

        outbox = Outbox(broken)
        await outbox.put("page")
        await outbox.write()
        assert outbox.ended.is_set()

    asyncio.run(sent())


def test_a_new_link_ends_the_lines_of_the_old_one(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    path, host = server.join("2"), server.links["host"][0]
    server.join("host")
    with server.line(path) as two:
        assert server.client.post(f"{host}link", data={"place": "2"}, headers=FROM_HERE).status_code == 200
        with pytest.raises(WebSocketDisconnect):
            two.hear()
    assert server.room.viewers == set()


def test_the_lobby_reads_a_manifest_once_and_again_when_it_has_changed(tmp_path: Path) -> None:
    title_in.cache_clear()
    assert titles("en") and titles("ja")["tic_tac_toe"] != titles("en")["tic_tac_toe"]
    assert title_in.cache_info().misses == len(titles("en"))
    file = tmp_path / "ruleset.yaml"
    source = next(iter(Path("rulesets/tic_tac_toe").glob("ruleset.yaml"))).read_text(encoding="utf-8")
    file.write_text(source, encoding="utf-8")
    before = title_in(file, 1)
    file.write_text("title: Other", encoding="utf-8")
    assert title_in(file, 1) == before and title_in(file, 2) != before


def test_who_asks_for_the_lobby_without_end_is_slowed_down(server: Served) -> None:
    codes = [server.client.get(("/", "/new?game=nim")[n % 2]).status_code for n in range(100)]
    assert codes[:50] == [200] * 50 and 429 in codes


def test_nobody_else_of_the_machine_reads_the_tables(tmp_path: Path) -> None:
    """Whatever the folder lets others do, also for a file that was there before."""
    folder = tmp_path / "open"
    folder.mkdir(mode=0o755)
    file = folder / "tables.sqlite"
    for _ in range(2):
        store = TableStore(file)
        with store.transaction():
            store.base.execute("insert into place values('a', 'b', 'c') on conflict do nothing")
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
        store.close()
        file.chmod(0o644)
