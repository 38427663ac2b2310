"""What is refused: other origins and hosts, forged links, places of others, floods; and what every answer carries."""

from __future__ import annotations

import json

import pytest

from tests.tools.web.server import FROM_HERE, Served
from tools.web.running.rooms import PER_ADDRESS
from tools.web.server.guard import is_same_origin, known_hosts
from tools.web.server.limits import MOST_BYTES, Bucket, Buckets


@pytest.fixture
def two(server: Served) -> Served:
    server.open("love_letter", "person", "person")
    return server


def test_every_answer_forbids_what_is_not_from_here(two: Served) -> None:
    for path in ("/", "/static/table.js", "/new?game=nim", "/nowhere", two.join("1"), "/static/picture.css"):
        headers = two.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "same-origin"


def test_pages_have_no_script_and_no_style_of_their_own(two: Served) -> None:
    for path in ("/", "/new?game=dominant_species", two.join("1"), two.join("host")):
        text = two.client.get(path).text
        assert "<script>" not in text and " style=" not in text and "<style" not in text and "onclick" not in text
    with two.line(two.join("1")) as one:
        assert not any(" style=" in html or "<style" in html for html in one.parts.values())


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:8001", "", None])
def test_other_origins_change_nothing(two: Served, origin: str | None) -> None:
    headers = {} if origin is None else {"origin": origin}
    path, secret = two.links["1"]
    assert two.client.post(f"{path}join", content=secret, headers=headers).status_code == 403
    assert two.client.post("/new", data={"game": "nim", "seat1": "here"}, headers=headers).status_code == 403
    assert two.client.post(f"{two.links['host'][0]}link", data={"place": "1"}, headers=headers).status_code == 403
    assert is_refused(two, two.join("1"), headers)


def test_other_hosts_are_not_served(two: Served) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1:9", ""):
        assert two.client.get("/", headers={"host": host}).status_code == 421
    evil = {"host": "evil.example:8000", "origin": "http://evil.example:8000"}
    assert two.client.post("/new", data={"game": "nim"}, headers=evil).status_code == 421
    assert is_refused(two, two.join("1"), evil)


def test_known_hosts() -> None:
    assert known_hosts(8000, False) == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}
    assert "127.0.0.1" in known_hosts(80, False) and known_hosts(8000, True) > known_hosts(8000, False)
    assert is_same_origin({"host": "a:1", "origin": "http://a:1"})
    assert not is_same_origin({"origin": "http://"}) and not is_same_origin({"host": "a:1", "origin": "http://a:10"})


def test_forged_links_are_refused(two: Served) -> None:
    (path, secret), (other, other_secret) = two.links["1"], two.links["2"]
    for forged in ("", secret[:-1], secret + "A", other_secret, "é" * 20, "A" * 24, "\0", "A" * 5000):
        done = two.client.post(f"{path}join", content=forged.encode(), headers=FROM_HERE)
        assert done.status_code == 403 and "set-cookie" not in done.headers
    assert two.client.post("/g/nowhere/1/join", content=secret, headers=FROM_HERE).status_code == 403
    assert two.client.post(other.replace("/2/", "/3/") + "join", content=secret, headers=FROM_HERE).status_code == 403


def test_a_cookie_opens_one_place_alone(two: Served) -> None:
    path = two.join("1")
    other, host = two.links["2"][0], two.links["host"][0]
    cookie = {"cookie": f"seat={two.links['1'][1]}"}
    for asked in ("about/info?t=Seat.p1", "about/why?t=Seat.p1", "log", "past?n=0", "save"):
        assert two.client.get(other + asked).status_code == 403
        assert two.client.get(other + asked, headers=cookie).status_code == 403
    assert is_refused(two, other, FROM_HERE) and is_refused(two, other, {**FROM_HERE, **cookie})
    two.client.cookies.clear()
    assert two.client.post(f"{host}link", data={"place": "2"}, headers={**FROM_HERE, **cookie}).status_code == 403
    assert two.client.get(path).text.count("data-join") == 1  # nothing of the game before sitting down


def test_cookies_are_for_the_server_alone(two: Served) -> None:
    path, secret = two.links["1"]
    cookie = two.client.post(f"{path}join", content=secret, headers=FROM_HERE).headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and f"path={path}".lower() in cookie


def test_only_hashes_are_kept(two: Served) -> None:
    kept = [row for (row,) in two.store.base.execute("select hash from place")]
    assert len(kept) == 4 and not {secret for _, secret in two.links.values()} & set(kept)
    dumped = "\n".join(two.store.base.iterdump())
    assert not any(secret in dumped for _, secret in two.links.values())


def test_seeds_cannot_be_guessed(two: Served) -> None:
    state = two.room.table.state
    assert state.seed.bit_length() > 90
    first = [entry.ids for entry in state.log]
    two.open("love_letter", "person", "person")
    assert [entry.ids for entry in two.room.table.state.log] != first or two.room.table.state.words != state.words


def test_a_flood_is_slowed_down(two: Served) -> None:
    with two.line(two.join("1")) as one:
        for _ in range(100):
            one.socket.send_text('{"v":-1}')
        answers = [one.hear() for _ in range(100)]
        slow = sum("slow" in answer for answer in answers)
        assert 70 <= slow <= 80  # of a hundred at once, as many as a bucket does not hold


def test_long_and_broken_messages_end_a_line(two: Served) -> None:
    from starlette.websockets import WebSocketDisconnect

    path = two.join("1")
    for text in ("x" * (MOST_BYTES + 1), "{", "[" * 400, "7", '"do"', "null"):
        with two.line(path) as one:
            one.socket.send_text(text)
            with pytest.raises(WebSocketDisconnect):
                one.hear()
    assert two.room.viewers == set()


def test_a_frame_of_bytes_ends_a_line_as_one_that_is_not_read(two: Served) -> None:
    from starlette.websockets import WebSocketDisconnect

    path = two.join("1")
    for frame in (b"", b'{"v":0}', bytes(range(256))):
        with two.line(path) as one:
            one.socket.send_bytes(frame)
            with pytest.raises(WebSocketDisconnect) as closed:
                one.hear()
            assert closed.value.code == 1003
    assert two.room.viewers == set()


@pytest.mark.parametrize("number", ["²", "-1", "1.0", "x", "1" * 400, "%00", "Ⅷ", "१"])
def test_a_past_that_is_no_number_is_refused(two: Served, number: str) -> None:
    path = two.join("1")
    wanted = 200 if number == "१" else 400  # a one in another script is a number
    assert two.client.get(f"{path}past", params={"n": number}).status_code == wanted
    assert two.client.get(f"{path}past", params={"n": "0", "seat": number}).status_code == wanted


def test_numbers_that_are_none_are_read_as_none(two: Served) -> None:
    with two.line(two.join("1")) as one:
        for text in ('{"v":0,"do":1e999}', '{"v":0,"do":NaN}', '{"v":0,"do":0.0}', '{"v":0,"do":{"a":1}}'):
            one.socket.send_text(text)
            assert "stale" in one.hear()


def test_forms_are_small_and_tables_are_few(server: Served) -> None:
    assert server.client.post("/new", content=b"a" * 30_000, headers=FROM_HERE).status_code == 400
    server.rooms.opened["testclient"] = PER_ADDRESS
    assert server.client.post("/new", data={"game": "nim", "seat1": "here", "seat2": "here"},
                              headers=FROM_HERE).status_code == 429  # fmt: skip


def test_forms_name_rulesets_of_the_host_alone(server: Served) -> None:
    for game in ("/etc", "..", "nim+/etc/passwd", "nim+../nim", "nim@2020", "", "nim\0"):
        done = server.client.post("/new", data={"game": game, "seat1": "here", "seat2": "here"}, headers=FROM_HERE)
        assert done.status_code == 400, game
    done = server.client.post("/new", data={"game": "nim", "variant": "/tmp/x", "seat1": "here"}, headers=FROM_HERE)
    assert done.status_code == 400
    assert server.rooms.open == {}


def test_wrong_numbers_of_seats_and_options_are_told(server: Served) -> None:
    for fields in ({"seat1": "here"}, {"seat1": "here", "seat2": "here", "option.nothing": "1"},
                   {"seat1": "here", "seat2": "here", "preset": "none"}, {"seat1": "<b>"}):  # fmt: skip
        done = server.client.post("/new", data={"game": "nim", **fields}, headers=FROM_HERE)
        assert done.status_code == 400 and "<b>" not in done.text


def test_places_have_a_bounded_number_of_lines_each(two: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """So onlookers take no line of who plays."""
    monkeypatch.setattr("tools.web.server.lines.ONLOOKERS", 2)
    monkeypatch.setattr("tools.web.server.lines.PER_SEAT", 1)
    first, second, watch = two.join("1"), two.join("2"), two.join("watch")
    with two.line(watch), two.line(watch), two.line(first):
        assert is_refused(two, watch, FROM_HERE) and is_refused(two, first, FROM_HERE)
        with two.line(second) as other:
            assert other.parts
    with two.line(first), two.line(watch):
        assert len(two.room.viewers) == 2


def test_buckets_fill_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("tools.web.server.limits.time.monotonic", lambda: now[0])
    bucket = Bucket(10, 20, 20, 0.0)
    assert [bucket.take() for _ in range(22)] == [True] * 20 + [False] * 2
    now[0] = 0.55
    assert [bucket.take() for _ in range(7)] == [True] * 5 + [False] * 2
    many = Buckets(1, 2)
    assert [many.take("a"), many.take("a"), many.take("a"), many.take("b")] == [True, True, False, True]


def test_texts_of_a_ruleset_are_texts(server: Served) -> None:
    """A ruleset is the host's own; yet what it says is never taken for markup."""
    from tools.web.page.frame import plain_page

    assert "<script" not in plain_page("en", "<script>alert(1)</script>", "<img onerror=x>").replace(
        '<script src="/static/table.js" defer></script>', ""
    )


def is_refused(server: Served, path: str, headers: dict[str, str]) -> bool:
    from starlette.websockets import WebSocketDisconnect

    try:
        with server.client.websocket_connect(f"ws://127.0.0.1:8000{path}ws", headers=headers) as socket:
            json.loads(socket.receive_text())
    except WebSocketDisconnect:
        return True
    return False
