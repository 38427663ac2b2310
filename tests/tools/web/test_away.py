"""Somebody goes away: a bot goes on by vote of the others or after the time that the table was opened with, the person
comes back, and all may agree to end the game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from interpreter import legal, load
from interpreter.bots.levels import RANDOM
from tests.tools.web.server import FROM_HERE, HOME, Served, served  # noqa: F401  (skips where the extra is missing)
from tests.tools.web.test_thinking import Slow, answer, bots_rest, opened, silent
from tools.web.running import room as rooms
from tools.web.running.room import HERE, PERSON, QUIET, STAND_IN, Room
from tools.web.running.viewers import Viewer

ASK_BOT, TAKE, AGREE = 'data-send="ask_bot"', 'data-send="back"', 'data-send="agree"'


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The clock on the wall of tables; `clock.now` is what it shows."""

    class Clock:
        now = 1_000_000.0

        def time(self) -> float:
            return self.now

        def monotonic(self) -> float:
            return self.now

    found = Clock()
    monkeypatch.setattr(rooms, "time", found)
    return found


def sit(room: Room, place: str, lang: str = "en") -> Viewer:
    room.viewers.add(found := Viewer(place, lang, silent))
    room.look_around()
    return found


def leave(room: Room, viewer: Viewer) -> None:
    room.viewers.discard(viewer)
    room.look_around()


def ask(room: Room, viewer: Viewer) -> str:
    return room.drawn(viewer).parts["ask"]


def tell(room: Room, viewer: Viewer, **told: int) -> bool | str:
    return room.act(viewer, {"v": room.version, **told})


def stood_in(slow: Slow) -> None:
    """Let bots of the level that stands in answer at once."""

    async def choose(bot: str, state: Any, stands: Any) -> Any:
        assert bot == STAND_IN and stands()
        slow.asked.append(state)
        return legal(state)[-1]

    slow.choose = choose  # type: ignore[method-assign]


def test_the_others_let_a_bot_go_on_and_the_person_comes_back(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("goofspiel", PERSON, PERSON, PERSON))
        stood_in(slow)
        one, two, watch = sit(room, "1"), sit(room, "2"), sit(room, "watch")
        three = sit(room, "3")
        assert tell(room, one, do=0) is True and tell(room, two, do=0) is True
        assert ASK_BOT not in ask(room, one) and tell(room, one, ask_bot=3) is False  # the third one is there
        leave(room, three)
        assert all(f'{ASK_BOT} data-seat="3"' in ask(room, page) for page in (one, two))
        assert ASK_BOT not in ask(room, watch)
        for nonsense in (1, 2, 4, -1):
            assert tell(room, one, ask_bot=nonsense) is False
        assert tell(room, watch, ask_bot=3) is False
        assert tell(room, one, ask_bot=3) is True and not room.table.away
        words = "Player 1 asks to let a bot go on for Player 3"
        assert all(words in ask(room, page) for page in (one, two, watch))
        assert [AGREE in ask(room, page) for page in (one, two, watch)] == [False, True, False]
        assert tell(room, two, agree=1) is True and room.table.away == {3}
        before = len(room.table.state.log)
        room.wake_bots()
        await bots_rest(room)
        assert len(room.table.state.log) > before and len(slow.asked) == 1
        assert "A bot plays for Player 3 from here on." in room.drawn(one).parts["log"]
        three = sit(room, "3", "ja")
        page = room.drawn(three).parts
        assert TAKE in page["ask"] and "data-do" not in page["ask"] and "代わりにボットが遊びます" in page["log"]
        assert not room.drawn(three).mine and tell(room, three, do=0) is False and tell(room, three, undo=1) is False
        assert tell(room, one, back=3) is False and tell(room, watch, back=3) is False  # nobody but the person
        assert room.act(three, {"v": -7, "back": 3}) is True and room.table.away == frozenset()  # whatever has gone on
        assert "data-do" in ask(room, three) and "Player 3 plays again." in room.drawn(one).parts["log"]
        assert tell(room, three, do=0) is True

    asyncio.run(played())


def test_one_who_does_not_agree_keeps_the_seat_free(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, _, (room,) = await opened(tmp_path, ("goofspiel", PERSON, PERSON, PERSON))
        one, two = sit(room, "1"), sit(room, "2")
        assert tell(room, one, do=0) is True and tell(room, two, do=0) is True
        assert tell(room, one, ask_bot=3) is True and tell(room, two, refuse=1) is True
        assert not room.table.away and "Player 2 does not agree." in ask(room, one)
        assert ASK_BOT not in ask(room, one) and tell(room, one, ask_bot=3) is False  # not again at this position
        assert ASK_BOT in ask(room, two) and tell(room, two, ask_bot=3) is True
        three = sit(room, "3")
        assert AGREE not in ask(room, three)
        assert tell(room, three, do=0) is True and room.table.requests.open is None  # who answers has answered it

    asyncio.run(played())


def test_a_person_with_a_page_open_has_gone_away_when_nothing_comes_for_long(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, _, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, PERSON))
        one, two = sit(room, "1"), sit(room, "2")
        assert ASK_BOT not in ask(room, two)
        clock.now += QUIET
        assert room.keep_time() and two.seen == -1  # its page is old
        assert ASK_BOT in ask(room, two) and ASK_BOT not in ask(room, one)
        assert not room.keep_time()
        assert tell(room, one, do=0) is True and ASK_BOT not in ask(room, two)

    asyncio.run(played())


def test_a_bot_takes_over_after_the_time_that_the_table_was_opened_with(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        tables, slow, (room, patient) = await opened(tmp_path, *[("tic_tac_toe", PERSON, PERSON)] * 2)
        stood_in(slow)
        room.patience = 3600
        one, two = sit(room, "1"), sit(room, "2")
        assert all("If no answer comes for an hour" in ask(room, page) for page in (one, two))
        clock.now += 3599
        tables.look_at_clocks()
        assert not room.table.away and answer(room, 1, do=0) is True
        clock.now += 3599  # counted from the last answer
        tables.look_at_clocks()
        assert not room.table.away
        clock.now += 1
        tables.look_at_clocks()
        assert room.table.away == {2} and not patient.table.away
        await bots_rest(room)
        assert len(room.table.state.log) == 2 and room.drawn(one).mine
        clock.now += 10_000
        tables.look_at_clocks()  # the last person is waited for
        assert room.table.away == {2} and tell(room, two, back=2) is True
        assert answer(room, 1, do=0) is True and room.drawn(two).mine  # and has the whole time again
        clock.now += 3599
        tables.look_at_clocks()
        assert not room.table.away

    asyncio.run(played())


def test_the_clock_goes_on_while_the_server_stands_still(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        tables, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, PERSON))
        room.patience = 300
        assert answer(room, 1, do=0) is True
        room.table.take_over(1)
        room.note()
        tables.open.clear()
        clock.now += 200
        again = await tables.find(room.id)
        assert isinstance(again, Room) and again is not room
        assert again.table.away == {1} and again.patience == 300 and again.since == room.since
        assert "A bot plays for Cross from here on." in again.drawn(Viewer("2", "en", silent)).parts["log"]
        assert answer(again, 1, back=1) is True and again.table.notices[0] == room.table.notices[0]
        clock.now += 301
        assert again.keep_time() and again.table.away == {2}

    asyncio.run(played())


def test_a_bot_that_thinks_for_a_person_does_not_answer_for_who_is_back(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, PERSON))

        async def choose(bot: str, state: Any, stands: Any) -> Any:
            slow.begun.set()
            await slow.free.wait()
            return legal(state)[-1]

        slow.choose = choose  # type: ignore[method-assign]
        room.change(lambda: room.table.take_over(1))
        room.wake_bots()
        await slow.begun.wait()
        assert answer(room, 1, back=1) is True
        slow.free.set()
        await bots_rest(room)
        assert room.table.state.log == [] and room.table.person_to_ask() == 1

    asyncio.run(played())


def test_people_at_one_screen_take_their_seats_back_there(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("love_letter", HERE, HERE, PERSON))
        stood_in(slow)
        three = sit(room, "3")
        assert room.table.person_to_ask() == 1 and tell(room, three, ask_bot=1) is True
        hot = sit(room, "hot")
        assert room.table.away == frozenset() and AGREE not in ask(room, hot)
        assert tell(room, hot, up=1) is True
        room.change(lambda: room.table.take_over(1))
        assert room.here == [2] and TAKE in ask(room, hot) and TAKE not in ask(room, three)
        assert tell(room, hot, back=1) is True and room.here == [1, 2]

    asyncio.run(played())


def test_a_game_is_ended_where_all_agree(tmp_path: Path, clock: Any) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("goofspiel", PERSON, PERSON, RANDOM))
        one, two, watch = sit(room, "1"), sit(room, "2", "ja"), sit(room, "watch")
        assert 'data-send="ask_end"' in ask(room, one) and 'data-send="ask_end"' not in ask(room, watch)
        assert tell(room, watch, ask_end=1) is False and tell(room, one, ask_end=1) is True
        assert "終えることを求めています" in ask(room, two) and not room.table.over
        assert tell(room, two, refuse=1) is True and not room.table.over
        assert tell(room, two, ask_end=1) is True and tell(room, one, agree=1) is True
        assert room.table.over and not room.table.state.over and room.may_be_saved
        page = room.drawn(one).parts
        assert "The game was ended by agreement" in page["ask"] and "Scores as they stand" in page["ask"]
        assert "Winner" not in page["ask"] and "data-do" not in page["ask"] and "data-send" not in page["ask"]
        assert 'href="save"' in page["ask"] and "The game was ended by agreement." in page["log"]
        assert "合意によりゲームを終えました。" in room.drawn(two).parts["log"]
        for told in ({"do": 0}, {"undo": 1}, {"ask_back": 1}, {"ask_end": 1}, {"ask_bot": 2}, {"back": 1}):
            assert tell(room, one, **told) is False
        before = room.table.state
        room.wake_bots()
        await bots_rest(room)
        assert room.table.state is before

    asyncio.run(played())


def test_who_plays_alone_against_bots_ends_the_game_at_once(tmp_path: Path, clock: Any) -> None:
    """Without a winner where the scores are alike, and without a loser."""

    async def played() -> None:
        _, _, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, RANDOM))
        one = sit(room, "1")
        assert tell(room, one, ask_end=1) is True and room.table.over
        assert room.drawn(one).seats == {"1": "Cross", "2": "Nought"}  # anybody may look back as anybody
        text = ask(room, one)
        assert "ended by agreement" in text and text.count("<td>0</td>") == 2
        assert all(word not in text for word in ("Winner", "Draw", "Nobody wins"))

    asyncio.run(played())


def test_an_end_is_kept_and_the_whole_log_tells_of_it(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    with served(file) as first:
        first.open("goofspiel", "person", "person", patience="86400")
        assert first.room.patience == 86_400
        paths, links = [first.join(place) for place in "12"], first.links
        with first.line(paths[0]) as one, first.line(paths[1]) as two:
            assert all("for a day" in page.parts["ask"] for page in (one, two))
            one.say(ask_end=1)
            two.hear()
            two.say(agree=1)
            one.hear()
            assert one.last["seats"] and "ended by agreement" in one.parts["ask"]
        assert "ended by agreement" in first.client.get(f"{paths[0]}log").text
        assert first.client.get(f"{paths[0]}save").status_code == 200
    with served(file) as second:
        second.links = links
        with second.line(second.join("1")) as one:
            assert "ended by agreement" in one.parts["ask"] and second.room.table.over
            assert "stale" in one.say(do=0)


def test_a_form_offers_the_times_and_takes_no_others(server: Served) -> None:
    form = server.client.get("/new?game=tic_tac_toe&lang=ja").text
    assert 'name="patience"' in form and "1時間" in form
    for given, taken in (("3600", 3600), ("1", 0), ("", 0), ("x", 0)):
        server.open("tic_tac_toe", "person", "person", patience=given)
        assert server.room.patience == taken


def test_a_page_that_is_closed_is_told_to_the_others(server: Served) -> None:
    server.open("tic_tac_toe", "person", "person")
    first, second = server.join("1"), server.join("2")
    with server.line(second) as two:
        assert ASK_BOT in two.parts["ask"]
        with server.line(first):
            two.hear()
            assert ASK_BOT not in two.parts["ask"]
        two.hear()
        assert ASK_BOT in two.parts["ask"] and load("tic_tac_toe").program.seats == (2, 2)
        two.say(ask_bot=1)
        two.hear_turn()
        assert len(server.room.table.state.log) == 1
