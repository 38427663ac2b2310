"""A server of tables in this process, and players who speak HTTP to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="tables in the browser need the extra `web`")
pytest.importorskip("httpx2", reason="the test client of starlette needs httpx2")

from starlette.testclient import TestClient  # noqa: E402

from tools.web.running.games import Games  # noqa: E402
from tools.web.running.rooms import Rooms  # noqa: E402
from tools.web.running.store import TableStore  # noqa: E402
from tools.web.server.app import make_app  # noqa: E402
from tools.web.server.guard import known_hosts  # noqa: E402

HOME = "http://127.0.0.1:8000"
FROM_HERE = {"origin": HOME}


class Served:
    """A server. `links`: place -> path and secret of the table that was opened last."""

    def __init__(self, file: Path) -> None:
        self.store = TableStore(file)
        self.rooms = Rooms(self.store, Games())
        self.client = TestClient(make_app(self.rooms, known_hosts(8000, False)), HOME, follow_redirects=False)
        self.links: dict[str, tuple[str, str]] = {}

    @property
    def room(self) -> Any:
        return next(reversed(self.rooms.open.values()))

    def open(self, game: str, *sitting: str, **fields: str) -> Any:
        """Open a table by the form, and note its links."""
        form = {"game": game, **{f"seat{n}": who for n, who in enumerate(sitting, 1)}, **fields}
        done = self.client.post("/new", data=form, headers=FROM_HERE)
        assert done.status_code in (200, 303), done.text
        found = re.findall(r'href="http://127\.0\.0\.1:8000(/g/[\w-]+/(\w+)/)#([\w-]+)"', done.text)
        self.links = {place: (path, secret) for path, place, secret in found}
        return done

    def join(self, place: str) -> str:
        """Sit down at a place by its link; gives its path."""
        path, secret = self.links[place]
        assert self.client.post(f"{path}join", content=secret, headers=FROM_HERE).status_code == 200
        return path

    def join_hot(self) -> str:
        """The path of the common screen of the table that was opened last, whose cookie has come with the form."""
        return f"/g/{self.room.id}/hot/"

    @contextmanager
    def line(self, path: str, lang: str = "en") -> Iterator[Player]:
        with self.client.websocket_connect(f"ws://127.0.0.1:8000{path}ws?lang={lang}", headers=FROM_HERE) as socket:
            yield Player(socket)


def edited(html: str, edits: list[list[Any]]) -> str:
    """What the script does with edits of a part."""
    pieces = re.split(r"(?=<[a-z])", html)[1:]  # a part begins with a tag
    for at, gone, come in reversed(edits):
        pieces[at : at + gone] = [come]
    return "".join(pieces)


class Player:
    """One open page, as its script keeps it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.parts: dict[str, str] = {}
        self.v, self.mine, self.last = -1, False, {}
        self.hear()

    def hear(self) -> dict[str, Any]:
        """The next message."""
        self.last = json.loads(self.socket.receive_text())
        if "parts" in self.last:
            for name in self.last["gone"]:
                del self.parts[name]
            self.last["parts"] |= {name: edited(self.parts[name], es) for name, es in self.last["edits"].items()}
            self.parts |= self.last["parts"]
            self.v, self.mine = self.last["v"], self.last["mine"]
        return self.last

    def hear_turn(self) -> None:
        """Messages until it is this player's turn."""
        while not self.mine:
            self.hear()

    def send(self, **told: Any) -> None:
        self.socket.send_text(json.dumps({"v": self.v, **told}))

    def say(self, **told: Any) -> dict[str, Any]:
        self.send(**told)
        return self.hear()

    @property
    def options(self) -> list[str]:
        return re.findall(r'data-do="(\d+)"', self.parts["ask"])


@contextmanager
def served(file: Path) -> Iterator[Served]:
    found = Served(file)
    with found.client:
        yield found
    found.rooms.close()
    found.store.close()
