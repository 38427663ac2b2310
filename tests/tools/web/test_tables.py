"""A table over HTTP: opened by the form, played by two, answers by version, undo, onlookers, bots, ends."""

from __future__ import annotations

import html
import json

import pytest

from interpreter import apply, copy, load
from interpreter.play.result import actors_of
from tests.tools.web.server import FROM_HERE, Served
from tools.table.table import Table
from tools.web.page.sitting import Sitting
from tools.web.running.room import Room


def test_the_lobby_lists_the_games_and_their_forms(server: Served) -> None:
    lobby = server.client.get("/?lang=ja")
    assert "/new?game=tic_tac_toe" in lobby.text and "新しい卓" in lobby.text
    form = server.client.get("/new?game=dominant_species&lang=en").text
    assert 'name="seat6"' in form and 'name="preset"' in form and 'name="option.multi_animal"' in form
    assert server.client.get("/new?game=tick_tack_toe").status_code == 404
    assert server.client.get("/new?game=../rulesets/nim").status_code == 404  # a form names ids, not paths


@pytest.mark.parametrize("game", ["dominant_species", "civilization", "goofspiel"])
def test_the_form_says_options_by_their_titles(server: Served, game: str) -> None:
    """Every option that has a title in this language is called so, and none by its id."""
    rules = load(game)
    for lang in ("en", "ja"):
        form = server.client.get(f"/new?game={game}&lang={lang}").text
        for option in rules.program.options:
            title = rules.texts.find(lang, option.name)
            assert title and f'{html.escape(title)} <select name="option.{option.name}"' in form, (lang, option.name)


def test_players_read_what_stands_in_before_and_at_the_table(server: Served) -> None:
    for lang, words in (("en", "How many creeples"), ("ja", "穴居、装甲、飛行の種のクリープル")):
        assert words in server.client.get(f"/new?game=bios_mesofauna&lang={lang}").text
        done = server.open("bios_mesofauna", "person", "person", lang=lang, variant="cocoon")
        assert words in done.text, "beside the links"
        page = server.client.get(f"{server.join('1')}?lang={lang}").text
        assert words in page and ("introductory levels" in page or "入門レベル" in page), "those of the variant too"
    assert 'class="stand_ins"' not in server.client.get("/new?game=tic_tac_toe").text


def test_two_play_by_their_links(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    assert set(server.links) == {"1", "2", "watch", "host"}
    first, second = server.join("1"), server.join("2")
    with server.line(first) as one, server.line(second, "ja") as two:
        assert one.mine and not two.mine
        assert len(one.options) == 9 and two.options == []
        one.say(do=4)
        assert one.last["parts"].keys() == {"map", "ask", "log", "legend"}  # and not what is as it was
        two.hear()
        assert two.mine and len(two.options) == 8 and not one.mine
        assert 'lang="ja"' not in two.parts["ask"] and "を待っています" not in two.parts["ask"]


def test_an_answer_to_another_version_changes_nothing(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    with server.line(server.join_hot()) as hot:
        before = hot.v
        hot.say(do=0)
        hot.socket.send_text(json.dumps({"v": before, "do": 1}))  # a double click
        assert hot.hear() == {"stale": before + 1}
        assert len(server.room.table.state.log) == 1


def test_messages_that_mean_nothing_change_nothing(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    with server.line(server.join_hot()) as hot:
        for told in ({"do": 99}, {"do": -1}, {"do": "0"}, {"do": True}, {"do": None}, {"pay": 77}, {"now": 0},
                     {"undo": 1}, {"redo": 1}, {"wait": 1}, {"up": 1}, {"try": 99}, {}, {"do": [1]}):  # fmt: skip
            assert "stale" in hot.say(**told), told
        assert server.room.table.state.log == []


def test_only_ones_own_last_answer_is_taken_back(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    with server.line(server.join("1")) as one, server.line(server.join("2")) as two:
        one.say(do=0)
        two.hear()
        assert 'data-send="undo"' in one.parts["ask"] and 'data-send="undo"' not in two.parts["ask"]
        assert "stale" in two.say(undo=1)
        one.say(undo=1)
        two.hear()
        assert one.mine and "<del>" in one.parts["log"] and "<del>" in two.parts["log"]
        assert 'data-send="redo"' in one.parts["ask"]
        one.say(do=0)
        two.hear()
        two.say(do=0)
        one.hear()
        assert "stale" in one.say(undo=1)  # the other one has answered to it


def test_an_onlooker_sees_and_can_do_nothing(server: Served) -> None:
    server.open("love_letter", "person", "person")
    with server.line(server.join("watch")) as onlooker, server.line(server.join("1")) as one:
        assert onlooker.options == [] and not onlooker.mine
        assert "reader.hand" not in " ".join(onlooker.parts) and onlooker.last["marks"] == {}
        for told in ({"do": 0}, {"undo": 1}, {"try": 0}, {"now": 0}, {"up": 1}):
            assert "stale" in onlooker.say(**told)
        one.say(do=0)
        onlooker.hear()
        assert onlooker.v == one.v


def test_seats_are_told_with_what_they_play(server: Served) -> None:
    server.open("dominant_species", "person", "person")
    room, paths = server.room, {seat: server.join(str(seat)) for seat in (1, 2)}
    with server.line(paths[1]) as one, server.line(paths[2]) as two, server.line(server.join("watch")) as onlooker:
        assert ">Waiting for Player 1<" in onlooker.parts["ask"]
        while len(actors_of(room.table.state)) < 2:
            asked, other = (one, two) if room.table.state.decision.seat == 1 else (two, one)
            asked.say(do=0)
            other.hear()
            onlooker.hear()
        texts, actors = room.table.state.game.texts, actors_of(room.table.state)
        played = {seat: texts.id("en", kind, id_) for id_, (kind, seat) in actors.items()}
        seat = room.table.state.decision.seat
        assert f"Waiting for {played[seat]} (Player {seat})" in onlooker.parts["ask"]
        for seat, page in ((1, one), (2, two)):
            assert f"as Player {seat} sees it – <b>{played[seat]}</b>" in page.parts["head"]
            assert played[3 - seat] not in page.parts["head"] and played[seat] not in onlooker.parts["head"]


def test_the_actors_are_those_of_the_position(server: Served) -> None:
    """Also of one before an undo."""
    server.open("dominant_species", "here", "here")
    state = server.room.table.state.game.new(seats=2, seed=1)
    sitting, before = Sitting(), [copy(state)]
    while len(sitting.at(state)) < 2:
        apply(state, state.decision.options[0])
        before.append(copy(state))
    last = dict(sitting.at(state))
    assert len(sitting.at(before[-2])) == 1 and sitting.at(before[0]) == {} and sitting.at(state) == last


def test_bots_answer_one_by_one_and_the_person_goes_on(server: Served) -> None:
    server.open("love_letter", "person", "greedy", "random")
    with server.line(server.join("1")) as one:
        for _ in range(40):
            one.hear_turn() if not server.room.table.over else None
            if server.room.table.over:
                break
            one.say(do=0)
            while not one.mine and not server.room.table.over:
                one.hear()
        assert len(server.room.table.state.log) > 20


def test_what_an_option_would_change_is_told_and_changes_nothing(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    with server.line(server.join_hot()) as hot:
        told = hot.say(**{"try": 0})["told"]
        assert "-&gt;" in told and server.room.table.state.log == []


def test_the_end_is_told_and_a_save_can_be_had(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    path, other = server.join("1"), server.join("2")
    with server.line(path) as one, server.line(other) as two:
        assert server.client.get(f"{path}save").status_code == 403
        for n in range(9):
            player, waits = (one, two) if n % 2 == 0 else (two, one)
            if not player.options:
                break
            player.say(do=0)
            waits.hear()
        assert "The game is over" in one.parts["ask"] and two.options == []
        assert 'href="save"' in one.parts["ask"]
    saved = server.client.get(f"{path}save")
    assert saved.status_code == 200 and saved.json()["ruleset"] == "tic_tac_toe"


def test_who_plays_alone_may_save_at_any_time(server: Served) -> None:
    server.open("love_letter", "here", "random")
    assert server.client.get(f"{server.join_hot()}save").status_code == 200


def test_a_fault_of_a_ruleset_ends_its_table_and_no_other(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    server.open("nim", "here", "here")
    other = server.room
    path = server.join_hot()
    server.open("tic_tac_toe", "here", "here")
    broken: Room = server.room
    from interpreter import RulesetError

    def fail(*_: object) -> None:
        raise RulesetError("p2 holds the queen", place="<b>game.rules</b>:7:1", rules=("turn",))

    monkeypatch.setattr(broken.table, "answer", fail)
    with server.line(server.join_hot()) as hot:
        hot.say(do=0)
        assert "&lt;b&gt;game.rules&lt;/b&gt;:7:1 (in turn)" in hot.parts["ask"] and hot.options == []
        assert "queen" not in json.dumps(hot.parts), "what a fault says may be what not all may know"
        assert "stale" in hot.say(do=0)
    with server.line(path) as hot:
        hot.say(do=0)
        assert hot.options and not other.fault


def test_reading_about_things(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    path = server.join_hot()
    with server.line(path) as hot:
        key = next(iter(hot.last["marks"]))
        assert server.client.get(f"{path}about/info", params={"t": key}).text
        assert server.client.get(f"{path}about/why", params={"t": key}).text == ""
        hot.say(do=0)
        why = server.client.get(f"{path}about/why", params={"t": key}).text
        assert "not offered" in why
        for nonsense in ("", "x", "Cell.", "Cell.nowhere", ".", "Seat.p9", "a" * 9000):
            assert server.client.get(f"{path}about/info", params={"t": nonsense}).text == ""
            assert server.client.get(f"{path}about/why", params={"t": nonsense}).text == ""


def test_looking_back(server: Served) -> None:
    server.open("tic_tac_toe", "here", "here")
    path = server.join_hot()
    with server.line(path) as hot:
        start = hot.parts["map"]
        for _ in range(3):
            hot.say(do=0)
        now = hot.parts["map"]
        assert server.client.get(f"{path}past?n=0").json()["parts"]["map"] == start
        assert server.client.get(f"{path}past?n=3").json()["parts"]["map"] == now
        hot.say(undo=1)
        hot.say(do=3)
        assert server.client.get(f"{path}past?n=3").json()["parts"]["map"] == hot.parts["map"] != now


def test_hands_of_the_past_are_shown_when_the_game_is_over(server: Served) -> None:
    server.open("love_letter", "person", "person")
    path, room = server.join("1"), server.room
    mine = server.client.get(f"{path}past?n=1&seat=2").json()["parts"]
    assert mine["head"] == server.client.get(f"{path}past?n=1").json()["parts"]["head"]  # not before it is over
    while not room.table.over:
        seat = room.table.state.decision.seat
        room.table.answer(seat, room.table.state.decision.options[0])
    room.note()
    other = server.client.get(f"{path}past?n=1&seat=2").json()["parts"]
    assert other["head"] != mine["head"] and other != mine
    for nonsense in ("0", "9"):
        assert server.client.get(f"{path}past?n=1&seat={nonsense}").json()["parts"]["head"] == mine["head"]
    for nonsense in ("-1", "x", "1e3", "²", "99999999"):
        assert server.client.get(f"{path}past?n=1&seat={nonsense}").status_code == 400


def test_who_sits_may_not_ask_without_end(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    path = server.join("1")
    codes = [server.client.get(f"{path}about/info?t=Seat.p1").status_code for _ in range(120)]
    assert 200 in codes and 429 in codes


def test_paying_is_asked_where_it_is_wished(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    server.open("tic_tac_toe", "here", "here")
    taken: list[bool] = []
    monkeypatch.setattr(server.room.table, "answer", lambda seat, option, paying: taken.append(paying))
    with server.line(server.join_hot()) as hot:
        hot.say(pay=0)
        hot.say(do=0)
    assert taken == [True, False]


def test_an_answer_of_several_members_has_a_way_back(server: Served) -> None:
    server.open("dominant_species", "here", "random")
    room = server.room
    bots = Table(room.table.state, frozenset(), "random", chance=room.table.random)
    while (asked := bots.state.decision) is not None:
        if asked.seat == 1 and asked.shape in ("some", "amounts") and len(asked.options) > 2 and not asked.cursor:
            then = apply(copy(bots.state), asked.options[1]).decision
            if then is not None and then.seat == 1 and then.address == asked.address and then.cursor:
                break
        bots.bot_turn()
    room.table.state = bots.state
    room.note()
    with server.line(server.join_hot()) as hot:
        before = hot.options
        hot.say(do=1)
        assert room.table.state.decision.cursor and hot.options != before
        assert 'data-send="undo"' in hot.parts["ask"]
        hot.say(undo=1)
        assert hot.options == before and not room.table.state.decision.cursor


def test_a_curtain_falls_between_people_with_secrets(server: Served) -> None:
    server.open("love_letter", "here", "here")
    with server.line(server.join_hot()) as hot:
        assert 'data-send="up"' in hot.parts["ask"] and hot.options == []
        assert "panel-reader.hand" not in hot.parts
        hot.say(up=1)
        assert hot.options and hot.mine
        hot.say(do=0)
        while hot.options:  # some cards ask for more
            hot.say(do=0)
        assert 'data-send="up"' in hot.parts["ask"] or server.room.table.over


def test_a_lost_link_is_made_anew(server: Served) -> None:
    server.open("love_letter", "person", "person")
    old = server.links["2"]
    path, host = server.join("2"), server.links["host"][0]
    assert server.client.post(f"{host}link", data={"place": "2"}, headers=FROM_HERE).status_code == 200
    assert server.client.get(f"{path}about/info?t=Seat.p1").status_code == 403  # its cookie is worth nothing now
    assert server.client.post(f"{path}join", content=old[1], headers=FROM_HERE).status_code == 403


def test_a_table_of_a_variant(server: Served) -> None:
    server.open("nim", "person", "person")
    plain = server.room.table.state.game.program.digest
    server.open("dominant_species", "person", "random", "random", variant="short_game")
    program = server.room.table.state.game.program
    assert program.named == "dominant_species+short_game" and program.digest != plain
    with server.line(server.join("1")) as one:
        assert one.mine and one.options
