"""A table whose compiled rules left the cache: it goes on under those of today where they lead to the same game, and
says plainly what has happened where they do not."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import LogEntry
from tests.tools.web.server import FROM_HERE, Served, served
from tools.table.undone import TakenBack, cut_off
from tools.web.running.moving import bare_line


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one small ruleset, and a cache of its own."""
    folder = tmp_path / "rulesets" / "market"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").write_text(
        "id: market\nversion: 1\ntitle: {en: Market}\nseats: 2\nload: [game.rules]\n", encoding="utf-8"
    )
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return folder


def write(home: Path, most: str = "9", cost: str = "1", more: str = "") -> None:
    (home / "game.rules").write_text(
        "kind Seat\n    field coins: 0..99\n    zone purse: coin\n"
        "piece coin each 50 from bank\nzone bank: coin\n"
        "phase game\n    repeat while p1.coins < 90\n        for every p in seats\n"
        f"            choose n in {cost}..{most} by p\n            set p.coins to p.coins + n\n{more}",
        encoding="utf-8",
    )


Play = Callable[[Served], None]


def begun(
    file: Path, tmp_path: Path, keep: bool = False
) -> tuple[str, dict[str, tuple[str, str]], list[tuple[str, ...]]]:
    """Play four answers and take one back; gives the id of the table, its links, and what was answered."""
    with served(file) as first:
        first.open("market", "person", "person")
        with first.line(first.join("1")) as one, first.line(first.join("2")) as two:
            for number, (page, other) in zip((4, 8, 2, 7), [(one, two), (two, one)] * 2, strict=True):
                page.hear_turn()
                page.say(do=number)
                other.hear()
            two.say(undo=1)
        found = first.room.id, first.links, [e.ids for e in first.room.table.state.log]
    if not keep:
        shutil.rmtree(tmp_path / "cache")
    return found


def test_rules_that_were_only_rewritten_lead_to_the_same_game(home: Path, tmp_path: Path) -> None:
    write(home)
    id_, links, answered = begun(tmp_path / "t.sqlite", tmp_path)
    write(home, more="# a comment\n")
    for _ in range(2):  # and again, as it was kept then
        with served(tmp_path / "t.sqlite") as server:
            server.links = links
            with server.line(server.join("2")) as two:
                assert [e.ids for e in server.rooms.open[id_].table.state.log] == answered and two.mine
                assert two.parts["log"].count("<del>") == 1
                assert "its first 3 lines were played again" in two.parts["log"]
    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        with server.line(server.join("2")) as two:
            two.say(do=0)
            assert len(server.rooms.open[id_].table.state.log) == 4 and "first 3 lines" in two.parts["log"]


def test_compiled_rules_that_cannot_be_used_any_more_are_as_good_as_gone(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home)
    id_, links, answered = begun(tmp_path / "t.sqlite", tmp_path, keep=True)
    write(home, more="# a comment\n")

    def broken(*_: object) -> None:
        raise AttributeError("a program of an older form")

    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        monkeypatch.setattr("tools.web.running.games.Game", broken)
        with server.line(server.join("2")) as two:
            assert two.mine and "first 3 lines were played again" in two.parts["log"]
        assert [e.ids for e in server.rooms.open[id_].table.state.log] == answered


def test_other_rules_stop_the_table_and_the_log_is_told(home: Path, tmp_path: Path) -> None:
    write(home)
    id_, links, answered = begun(tmp_path / "t.sqlite", tmp_path)
    write(home, most="6")  # the second answer was 9
    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        assert "Market" in server.client.get(f"/g/{id_}/1/").text and answered[1] == ("9",)
        assert "stopped" not in server.client.get(f"/g/{id_}/1/").text, "who has no cookie is told nothing"
        path = server.join("1")
        told = server.client.get(path)
        assert told.status_code == 409 and "This table has stopped" in told.text and "line 2" in told.text
        assert told.text.count("<li>") == 3 and "Go on after" not in told.text
        for what in ("log", "past", "about/info?t=Seat.p1", "save"):
            assert server.client.get(path + what).status_code == 403
        assert server.client.post(f"{path}again", headers=FROM_HERE).status_code == 403
        host = server.join("host")
        assert "Go on after line 1 under the rules of today, and strike out the 2 lines" in server.client.get(host).text
        assert server.store.base.execute("select count(*) from line").fetchone() == (4,), "nothing is lost"
        assert server.client.post(f"{host}again", headers=FROM_HERE).status_code == 303
        with server.line(server.join("2")) as two:
            assert two.mine and len(two.options) == 6 and two.parts["log"].count("<del>") == 3
            two.say(do=5)
        assert [e.ids for e in server.rooms.open[id_].table.state.log] == [answered[0], ("6",)]
    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        with server.line(server.join("2")) as two:
            assert two.parts["log"].count("<del>") == 3 and len(server.rooms.open[id_].table.state.log) == 2


SECRET = """
kind Card: 6
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    zone away: Card seen by owner
phase game
    for every c in Card: move c to box
    for every p in seats, i in 1..3
        random c in box
        move c to p.hand
    for every i in 1..2
        for every p in seats
            choose c in p.hand by p{more}
            move c to p.away
    choose n in 1..9 by p1
"""


@pytest.mark.parametrize(
    ("more", "then"),
    [
        ("", ("random c in box", "random c in Card where c in box and not (p is p1 and i is 1 and c in GONE)")),
        ("", ("choose c in p.hand by p", "choose c in p.hand where p is p2 or c not in GONE by p")),
        (" seen by p", ("choose c in p.hand by p seen by p", "choose c in p.hand where c not in GONE by p seen by p")),
        ("", ("            move c to p.away", "            require c not in GONE\n            move c to p.away")),
    ],
    ids=["a draw", "an answer", "a secret answer", "a fault"],
)
def test_why_a_table_has_stopped_names_nothing_to_those_who_may_not_know_it(
    home: Path, tmp_path: Path, more: str, then: tuple[str, str]
) -> None:
    rules = SECRET.replace("{more}", more)
    (home / "game.rules").write_text(rules, encoding="utf-8")
    with served(tmp_path / "t.sqlite") as first:
        first.open("market", "person", "person")
        with first.line(first.join("1")) as one, first.line(first.join("2")) as two:
            one.hear_turn()
            one.say(do=1)
            two.hear_turn()
            two.say(do=1)
        room, links, log = first.room, first.links, first.room.table.state.log
        gone = log[0].ids[0] if then[0].startswith("random") else next(e.ids[0] for e in log if e.kind == "choice")
    shutil.rmtree(tmp_path / "cache")
    named = "value gone(c: Card): bool = c is " + gone + "\n"
    other = rules.replace(then[0], then[1].replace("c not in GONE", "not gone(c)").replace("c in GONE", "gone(c)"))
    (home / "game.rules").write_text(other.replace("phase game", named + "phase game", 1), encoding="utf-8")
    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        for place in ("2", "watch"):
            told = server.client.get(server.join(place)).text
            assert "This table has stopped" in told and re.search("line [1-8]|cannot go on at", told), told
            assert gone not in told.replace(" ", "_"), told
        assert gone in server.client.get(server.join("1")).text.replace(" ", "_"), "p1 holds it"
        assert room.id in server.join("1")


def test_rules_that_are_gone_or_wrong_stop_the_table(home: Path, tmp_path: Path) -> None:
    write(home)
    id_, links, _ = begun(tmp_path / "t.sqlite", tmp_path)
    write(home, more="this is no rule\n")
    for gone in (False, True):
        if gone:
            home.rename(tmp_path / "elsewhere")
        with served(tmp_path / "t.sqlite") as server:
            server.links = links
            told = server.client.get(server.join("2"))
            assert told.status_code == 409 and "cannot be loaded" in told.text and told.text.count("<li>") == 3
            assert "<li>p1: 5</li>" in told.text
            host = server.join("host")
            assert "Go on after" not in server.client.get(host).text
            assert server.client.post(f"{host}again", headers=FROM_HERE).status_code == 303
    (tmp_path / "elsewhere").rename(home)
    write(home)
    with served(tmp_path / "t.sqlite") as server:  # the rules are back
        server.links = links
        with server.line(server.join("2")) as two:
            assert two.mine and len(server.rooms.open[id_].table.state.log) == 3
            two.say(redo=1)
            assert len(server.rooms.open[id_].table.state.log) == 4


def test_a_table_that_has_stopped_can_be_removed(home: Path, tmp_path: Path) -> None:
    write(home)
    id_, links, _ = begun(tmp_path / "t.sqlite", tmp_path)
    write(home, most="3")
    with served(tmp_path / "t.sqlite") as server:
        server.links = links
        seat, host = server.join("1"), server.join("host")
        assert server.client.post(f"{seat}remove", headers=FROM_HERE).status_code == 403
        assert "Go on after" not in server.client.get(host).text, "not even the first answer is possible"
        assert server.client.post(f"{host}remove", headers=FROM_HERE).status_code == 303
        assert server.store.find(id_) is None and server.client.get(seat).status_code == 404


def test_a_line_without_its_rules_tells_nothing_that_is_not_for_its_reader() -> None:
    open_ = LogEntry("choice", "game.x", "member", ("red_card",), seat=1, actor="p1")
    some = LogEntry("choice", "game.x", "member", ("red_card",), seat=1, actor="p1", audience=(1,))
    secret = LogEntry("choice", "game.x", "member", ("red_card",), seat=1, actor="p1", secret=(("c", (1, 2)),))
    drawn = LogEntry("chance", "game.y", "member", ("red_card",), audience=(1,))
    some_of_it = ["p1: red card", "p1: …", "p1: …", ""]
    own, of_two = ["p1: red card"] * 3 + ["red card"], ["p1: red card", "p1: …", "p1: red card", ""]
    for seat, told in ((1, own), (2, of_two), (3, some_of_it), (None, some_of_it)):
        assert [bare_line(entry, seat) for entry in (open_, some, secret, drawn)] == told, seat


def test_what_was_struck_out_before_stays_between_the_lines_that_are_struck_out_now() -> None:
    log = [LogEntry("choice", "1", "value", (str(number),)) for number in range(4)]
    before = [TakenBack(number, number, LogEntry("choice", "1", "value", (f"old{number}",))) for number in (1, 3)]
    found = cut_off(before, log, None, 2)
    assert [one.entry.ids[0] for one in found] == ["old1", "2", "old3", "3"]
    assert [one.at for one in found] == [1, 2, 2, 2]
