"""Every parameter of every address, every part of an address, and every key of every message, with anything in it: all
have an answer below 500, the table goes on, and nothing that was sent comes back as markup."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tools.web.server import FROM_HERE, Served

ODD = (
    "", "0", "-1", "²", "1e9", "9" * 4_000, "x" * 4_000, "<script>alert(1)</script>", "'\"><img src=x>",
    "../../etc/passwd", "%00", "\x00", "\u202e", "\U0001f600", "Card.apple", "p1", "a=b&t=c", "{0}",
    "\r\nset-cookie: seat=1",
)  # fmt: skip
PARAMETERS = [
    ("", "lang"), ("log", "lang"), ("past", "lang"), ("past", "n"), ("past", "seat"), ("about/what", "t"),
    ("about/why", "t"), ("about/what", "lang"), ("save", "lang"), ("/", "lang"), ("/new", "game"), ("/new", "lang"),
]  # fmt: skip
VALUES: tuple[Any, ...] = (
    -1, 0, 10**9, 10**30, 1.5, True, False, None, "", "0", "x" * 50, [], [0], [[]], {}, {"a": {}}, "\u202e", "\x00"
)  # fmt: skip
KEYS = (
    "v", "do", "try", "now", "up", "pay", "undo", "redo", "wait", "ask_back", "agree", "refuse", "", "told",
)  # fmt: skip


@pytest.fixture
def two(server: Served) -> Served:
    server.open("love_letter", "person", "person")
    return server


@pytest.mark.parametrize(("path", "name"), PARAMETERS)
def test_a_parameter_may_be_anything(two: Served, path: str, name: str) -> None:
    address = path if path.startswith("/") else two.join("1") + path
    for value in ODD:
        done = two.client.get(address, params={name: value})
        assert done.status_code < 500, (value, done.text)
        assert "<script>alert" not in done.text and "<img" not in done.text and "set-cookie" not in done.headers
        both = two.client.get(f"{address}?{name}=1&{name}=2&other={'x' * 50}&&=&%")
        assert both.status_code < 500
    assert not two.room.fault


@pytest.mark.parametrize("odd", [value for value in ODD if value.isprintable()])
def test_a_part_of_an_address_may_be_anything(two: Served, odd: str) -> None:
    mine = two.join("1")
    table = mine.rsplit("/", 2)[0]
    parts = ("/g/{}/1/", f"{table}/{{}}/", f"{mine}{{}}", f"{mine}about/{{}}", "/colours/{}.css", "/static/{}", "/{}")
    for path in (part.replace("{}", odd) for part in parts):
        done = two.client.get(path)
        assert done.status_code < 500 and "<script>alert" not in done.text, path
    for post in ("join", "link", "remove", "again", "log"):
        assert two.client.post(f"{mine}{post}", content=odd.encode(), headers=FROM_HERE).status_code < 500


@pytest.mark.parametrize("key", KEYS)
def test_a_message_may_hold_anything(two: Served, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line is closed at the most, or the message is out of date; the table does not stop."""
    monkeypatch.setattr("tools.web.server.lines.Bucket.take", lambda bucket: True)
    before = len(two.room.table.state.log)
    with two.line(two.join("2")) as other:  # it is the first seat's turn
        for value in VALUES:
            message = {"v": other.v, key: value}
            other.socket.send_text(json.dumps(message))
            other.hear()
    assert not two.room.fault and len(two.room.table.state.log) == before
