"""What is kept: every answer at once, read back by another process after this one was killed."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from interpreter import load, replay, save
from tests.tools.web.server import FROM_HERE, Served, served
from tools.web.running.kept import state_of
from tools.web.running.store import TableStore

ROOT = Path(__file__).resolve().parents[3]


def test_a_table_is_read_back_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        first.open("love_letter", "person", "person", "random")
        with first.line(first.join("1")) as one:
            one.hear_turn()
            for _ in range(3):
                if one.mine:
                    one.say(do=0)
        before, links = first.room, first.links
        shown = before.table.state
        first.store.base.execute("pragma wal_checkpoint")
    with served(file) as second:
        second.links = links
        path = second.join("2")
        room = second.room
        assert room is not before and room.version == before.version
        assert json.dumps(save(room.table.state)) == json.dumps(save(shown))
        assert [e.to_json() for e in room.table.state.log] == [e.to_json() for e in shown.log]
        with second.line(path) as two:
            two.hear_turn() if not two.mine and shown.decision and shown.decision.seat == 2 else None
            if two.mine:
                two.say(do=0)
                assert len(room.table.state.log) > len(shown.log)
        replay(room.table.state.game, save(room.table.state))  # the log alone leads there


def test_answers_that_were_taken_back_are_not_read_back(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        first.open("tic_tac_toe", "here", "here")
        path = first.join_hot()
        with first.line(path) as hot:
            for n in (0, 0, 0):
                hot.say(do=n)
            hot.say(undo=1)
            hot.say(undo=1)
            hot.say(do=5)
            log_shown = hot.parts["log"]
        id_, log = first.room.id, [e.ids for e in first.room.table.state.log]
    with served(file) as second:
        second.client.cookies = first.client.cookies
        with second.line(f"/g/{id_}/hot/") as hot:
            assert rows(hot.parts["log"]) == rows(log_shown) and log_shown.count("<del>") == 2
        assert [e.ids for e in second.rooms.open[id_].table.state.log] == log and len(log) == 2


def test_undo_and_redo_are_as_before_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        first.open("tic_tac_toe", "here", "here")
        with first.line(first.join_hot()) as hot:
            for n in (0, 1, 2, 3):
                hot.say(do=n)
            hot.say(undo=1)
            hot.say(do=0)
            answered = [e.ids for e in first.room.table.state.log]
            hot.say(undo=1)
            hot.say(undo=1)
            shown = hot.parts
        path = first.join_hot()
    with served(file) as second:
        second.client.cookies = first.client.cookies
        with second.line(path) as hot:
            assert hot.parts["ask"] == shown["ask"] and 'data-send="undo"' in shown["ask"]
            assert rows(hot.parts["log"]) == rows(shown["log"]) and shown["log"].count("<del>") == 3
            hot.say(redo=1)
            assert 'data-send="redo"' in hot.parts["ask"] and hot.parts["log"].count("<del>") == 2
            hot.say(redo=1)
            assert 'data-send="redo"' not in hot.parts["ask"] and hot.parts["log"].count("<del>") == 1
            assert [e.ids for e in second.room.table.state.log] == answered
            for _ in range(4):
                hot.say(undo=1)
            assert second.room.table.state.log == [] and 'data-send="undo"' not in hot.parts["ask"]
            assert hot.parts["log"].count("<del>") == 5
    with served(file) as third:
        third.client.cookies = first.client.cookies
        with third.line(path) as hot:
            assert hot.parts["log"].count("<del>") == 5
            for _ in range(4):
                hot.say(redo=1)
            assert len(third.room.table.state.log) == 4 and hot.parts["log"].count("<del>") == 1


def rows(log: str) -> list[str]:
    """The rows of a log, without the headings of phases, which are not kept."""
    return [row for row in re.findall("<li.*?</li>", log) if "heading" not in row]


def test_a_damaged_table_is_refused_and_the_others_are_served(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        for _ in range(2):
            first.open("tic_tac_toe", "here", "here")
        broken, whole = first.rooms.open
        first.store.base.execute("update game set words = x'00' where id = ?", (broken,))
    with served(file) as second:
        assert second.client.get(f"/g/{broken}/hot/").status_code == 404
        assert second.client.get(f"/g/{whole}/hot/").status_code == 200


def test_a_table_goes_on_under_the_rules_that_it_was_begun_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rulesets" / "tic_tac_toe"
    shutil.copytree(ROOT / "rulesets" / "tic_tac_toe", folder)
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        first.open("tic_tac_toe", "here", "here")
        with first.line(first.join_hot()) as hot:
            hot.say(do=0)
        id_, digest = first.room.id, first.room.table.state.game.program.digest
    rules = next(folder.glob("*.rules"))
    rules.write_text(rules.read_text(encoding="utf-8") + "\n# changed since\n", encoding="utf-8")
    with served(file) as second:
        second.open("tic_tac_toe", "here", "here")
        assert second.room.table.state.game.program.digest != digest
        assert second.client.get(f"/g/{id_}/watch/").status_code == 200
        assert second.rooms.open[id_].table.state.game.program.digest == digest
        assert len(second.rooms.open[id_].table.state.log) == 1


def test_a_removed_table_is_gone(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    room = server.room
    assert server.client.post(f"/g/{room.id}/host/remove", headers=FROM_HERE).status_code == 303
    assert server.store.find(room.id) is None and server.client.get(f"/g/{room.id}/hot/").status_code == 404
    assert server.store.base.execute("select count(*) from line").fetchone() == (0,)


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_a_killed_server_has_lost_nothing(tmp_path: Path) -> None:
    """A server of its own is killed in the middle of a game, and another one goes on with it."""
    from websockets.sync.client import connect

    port = 8437
    one = start(tmp_path, port, "tic_tac_toe")
    try:
        page, secret = one.link.split("#")
        address = page.replace("http", "ws") + "ws"
        asked: Any = {"origin": f"http://127.0.0.1:{port}", "additional_headers": {"Cookie": f"seat={secret}"}}
        with connect(address, **asked) as ws:
            v = json.loads(ws.recv())["v"]
            ws.send(json.dumps({"v": v, "do": 4}))
            shown = json.loads(ws.recv())
            while shown["lines"] < 2 or not shown["mine"]:  # the bot has answered
                shown = json.loads(ws.recv())
            assert 'data-send="undo"' in shown["parts"]["ask"]
        one.process.send_signal(signal.SIGKILL)
        one.process.wait()
        two = start(tmp_path, port, None)
        try:
            with connect(address, **asked) as ws:
                again = json.loads(ws.recv())
                assert (again["v"], again["lines"], again["mine"]) == (shown["v"], 2, True)
                ws.send(json.dumps({"v": again["v"], "undo": 1}))
                assert json.loads(ws.recv())["lines"] == 0
                ws.send(json.dumps({"v": again["v"] + 1, "redo": 1}))
                assert json.loads(ws.recv())["lines"] == 2
                ws.send(json.dumps({"v": again["v"] + 2, "do": 0}))
                assert json.loads(ws.recv())["lines"] >= 3
        finally:
            two.process.send_signal(signal.SIGINT)
            out, _ = two.process.communicate(timeout=20)
            assert two.process.returncode == 0 and "the games are kept" in out
    finally:
        one.process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_a_table_from_a_ruling_outlives_its_server(tmp_path: Path) -> None:
    """It is played from the ruling's position by whoever is asked there, and its save can be replayed."""
    from websockets.sync.client import connect

    port = 8439
    one = start(tmp_path, port, "tic_tac_toe", "--ruling", "TTT_002")
    try:
        page, secret = one.link.split("#")
        asked: Any = {"origin": f"http://127.0.0.1:{port}", "additional_headers": {"Cookie": f"seat={secret}"}}
        with connect(page.replace("http", "ws") + "ws", **asked) as ws:
            shown = json.loads(ws.recv())
            assert shown["mine"] and shown["lines"] == 0
            ws.send(json.dumps({"v": shown["v"], "do": 0}))
            assert json.loads(ws.recv())["lines"] == 1
    finally:
        one.process.send_signal(signal.SIGKILL)
        one.process.wait()
    store = TableStore(tmp_path / "tables.sqlite")
    kept = store.find(page.split("/")[-3])
    store.close()
    assert kept is not None and kept.setup["sitting"] == ["greedy", "here"]
    game = load("tic_tac_toe")
    state = state_of(game, kept)
    assert state.begun is not None and state.over and len(state.log) == 1 and state.log[0].actor == "p2"
    assert replay(game, kept.save).digest() == state.digest()


class Started:
    def __init__(self, process: subprocess.Popen[str], link: str) -> None:
        self.process, self.link = process, link


def start(folder: Path, port: int, ruleset: str | None, *more: str) -> Started:
    command = [sys.executable, "-m", "tools", "serve", *([ruleset] if ruleset else []), *more, "--port", str(port)]
    process = subprocess.Popen([*command, "--data", str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    link = process.stdout.readline().split(": ", 1)[-1].strip() if ruleset else ""
    while "Ctrl-C" not in (line := process.stdout.readline()):
        assert line, "the server ended"
    for _ in range(100):
        try:
            urlopen(f"http://127.0.0.1:{port}/favicon.ico").close()
            break
        except OSError:
            time.sleep(0.1)
    return Started(process, link)
