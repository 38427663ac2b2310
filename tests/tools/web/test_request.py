"""What is asked of all at a table: to take back what nobody may take back alone."""

from __future__ import annotations

from tests.tools.web.server import Served


def test_all_agree_and_the_rows_are_struck_out(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    paths = server.join("1"), server.join("2"), server.join("watch")
    with server.line(paths[0]) as one, server.line(paths[1]) as two, server.line(paths[2]) as onlooker:
        assert 'data-send="ask_back"' not in one.parts["ask"] and "stale" in one.say(ask_back=1)
        one.say(do=0)
        assert 'data-send="ask_back"' not in one.parts["ask"], "it may take that back alone"
        two.hear()
        two.say(do=0)
        one.hear()
        assert 'data-send="ask_back"' in one.parts["ask"] and "stale" in one.say(agree=1)
        one.say(ask_back=1)
        two.hear()
        while onlooker.v < one.v:
            onlooker.hear()
        asks = "asks to take back their last answer"
        assert all(asks in page.parts["ask"] for page in (one, two, onlooker))
        assert two.mine and 'data-send="agree"' in two.parts["ask"]
        assert all('data-send="agree"' not in page.parts["ask"] for page in (one, onlooker))
        assert "stale" in onlooker.say(agree=1) and "stale" in one.say(agree=1)
        two.say(agree=1)
        one.hear()
        assert server.room.table.state.log == [] and one.mine and len(one.options) == 9 and not two.mine
        assert one.parts["log"].count("<del>") == two.parts["log"].count("<del>") == 2
        assert asks not in one.parts["ask"] and 'data-send="redo"' not in one.parts["ask"] + two.parts["ask"]


def test_one_refuses_and_nothing_is_taken_back(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person", lang="ja")
    with server.line(server.join("1")) as one, server.line(server.join("2"), "ja") as two:
        one.say(do=0)
        two.hear()
        two.say(do=0)
        one.hear()
        one.say(ask_back=1)
        two.hear()
        assert "取り消しを頼んでいます" in two.parts["ask"]
        two.say(refuse=1)
        one.hear()
        assert "does not agree" in one.parts["ask"] and 'data-send="ask_back"' not in one.parts["ask"]
        assert len(server.room.table.state.log) == 2 and "stale" in one.say(ask_back=1)
        one.say(do=0)
        assert "does not agree" not in one.parts["ask"]


def test_people_at_one_screen_agree_aloud(server: Served) -> None:
    server.open("love_letter", "here", "here")
    with server.line(server.join_hot()) as hot:
        while 'data-send="ask_back"' not in hot.parts["ask"]:
            hot.say(up=1) if 'data-send="up"' in hot.parts["ask"] else hot.say(do=0)
        before = len(server.room.table.state.log)
        hot.say(ask_back=1)
        assert len(server.room.table.state.log) < before and "<del>" in hot.parts["log"]


def test_who_plays_against_bots_takes_back_what_chance_has_brought(server: Served) -> None:
    server.open("love_letter", "person", "random")
    with server.line(server.join("1")) as one:
        one.hear_turn()
        one.say(do=0)
        while not one.mine or 'data-send="ask_back"' not in one.parts["ask"]:  # or the bots go on meanwhile
            one.say(do=0) if one.mine else one.hear()
        before = len(server.room.table.state.log)
        one.say(ask_back=1)
        assert len(server.room.table.state.log) < before and "<del>" in one.parts["log"]
