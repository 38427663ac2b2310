"""Bots that think beside the loop of the server: nobody waits for them, and what nobody waits for is dropped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter import Option, State, legal, load, moments
from interpreter.bots.levels import RANDOM, levels
from tests.concepts.play import start
from tests.tools.table.asking import asked
from tests.tools.web.server import HOME, Served  # noqa: F401  (skips where the extra is missing)
from tools.web.running.games import Games
from tools.web.running.room import HERE, PERSON, Room
from tools.web.running.rooms import IDLE, Rooms, TableSetup
from tools.web.running.store import TableStore
from tools.web.running.thinking import MOST, NoThought, Processes, option_at, place_of
from tools.web.running.viewers import Viewer


class Slow:
    """Bots that take the last option, each when it is let go. `asked`: the states that they think about."""

    def __init__(self) -> None:
        self.asked: list[State] = []
        self.begun, self.free = asyncio.Event(), asyncio.Event()

    async def choose(self, bot: str, state: State, stands: Callable[[], bool]) -> Option | None:
        assert bot == "expert" and stands()
        self.asked.append(state)
        self.begun.set()
        await self.free.wait()
        return legal(state)[-1]

    def close(self) -> None: ...


async def opened(folder: Path, *tables: tuple[str, ...]) -> tuple[Rooms, Slow, list[Room]]:
    slow = Slow()
    rooms = Rooms(TableStore(folder / "tables.sqlite"), Games(), slow)
    found = [(await rooms.begin(TableSetup(game, {}, tuple(sitting)), ""))[0] for game, *sitting in tables]
    return rooms, slow, found


async def silent(_: str) -> None:
    return None


def answer(room: Room, seat: int, **told: int) -> bool | str:
    return room.act(Viewer(str(seat), "en", silent), {"v": room.version, **told})


async def bots_rest(room: Room) -> None:
    assert room.bots is not None
    await room.bots


def test_a_table_goes_on_while_the_bot_of_another_thinks(tmp_path: Path) -> None:
    async def played() -> None:
        species, crosses = ("dominant_species", "expert", PERSON), ("tic_tac_toe", PERSON, RANDOM)
        _, slow, (heavy, light) = await opened(tmp_path, species, crosses)
        heavy.wake_bots()
        await slow.begun.wait()
        for _ in range(2):
            assert answer(light, 1, do=0) is True
            light.wake_bots()
            await bots_rest(light)
        assert len(light.table.state.log) == 4 and heavy.table.state.log == [] and not heavy.fault
        told = heavy.drawn(Viewer("2", "en", silent)).parts["ask"]
        assert "Waiting for Player 1" in told  # and its own page is there
        slow.free.set()
        while heavy.table.person_to_ask() == 0:
            await asyncio.sleep(0)
        assert heavy.table.state.log and not heavy.fault

    asyncio.run(played())


def test_an_answer_that_comes_after_somebody_went_back_is_dropped(tmp_path: Path) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, "expert"))
        assert answer(room, 1, do=0) is True
        room.wake_bots()
        await slow.begun.wait()
        assert answer(room, 1, undo=1) is True
        slow.free.set()
        await bots_rest(room)
        assert room.table.state.log == [] and room.table.person_to_ask() == 1 and len(slow.asked) == 1

    asyncio.run(played())


def test_a_bot_is_asked_anew_where_another_answer_was_given_meanwhile(tmp_path: Path) -> None:
    async def played() -> None:
        _, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", PERSON, "expert"))
        assert answer(room, 1, do=0) is True
        room.wake_bots()
        await slow.begun.wait()
        assert answer(room, 1, undo=1) is True and answer(room, 1, do=4) is True
        room.wake_bots()
        slow.free.set()
        await bots_rest(room)
        assert [len(state.log) for state in slow.asked] == [1, 1] and slow.asked[0] is not slow.asked[1]
        first, second = (entry.code for entry in room.table.state.log)
        assert first == slow.asked[1].log[0].code != slow.asked[0].log[0].code and first != second

    asyncio.run(played())


def test_a_table_is_removed_while_its_bot_thinks(tmp_path: Path) -> None:
    async def played() -> None:
        rooms, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", "expert", PERSON))
        room.wake_bots()
        await slow.begun.wait()
        rooms.remove(room.id)
        slow.free.set()
        await bots_rest(room)
        assert rooms.store.find(room.id) is None and room.table.state.log == [] and not room.fault
        assert rooms.store.base.execute("select count(*) from line").fetchone() == (0,)

    asyncio.run(played())


def test_a_table_is_not_put_away_while_its_bot_thinks(tmp_path: Path) -> None:
    async def played() -> None:
        rooms, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", "expert", PERSON))
        room.wake_bots()
        await slow.begun.wait()
        room.used -= 2 * IDLE
        rooms.put_away()
        assert room.id in rooms.open
        slow.free.set()
        await bots_rest(room)
        rooms.put_away()
        assert room.id not in rooms.open and await rooms.find(room.id) is not room

    asyncio.run(played())


def test_a_bot_that_fails_ends_its_table_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def played() -> None:
        _, slow, (room, other) = await opened(tmp_path, *[("tic_tac_toe", "expert", PERSON)] * 2)

        async def fails(*_: object) -> Option:
            raise NoThought("its process was killed")

        room.thinkers = type("Failing", (Slow,), {"choose": fails})()
        slow.free.set()
        for one in (room, other):
            one.wake_bots()
            await bots_rest(one)
        assert room.fault == "NoThought" and not other.fault and len(other.table.state.log) == 1

    asyncio.run(played())
    assert "its process was killed" in capsys.readouterr().err


def test_a_server_that_ends_while_a_bot_thinks_leaves_no_fault(tmp_path: Path) -> None:
    async def played() -> None:
        rooms, slow, (room,) = await opened(tmp_path, ("tic_tac_toe", "expert", PERSON))

        async def killed(*_: object) -> Option:
            slow.begun.set()
            await slow.free.wait()
            raise NoThought("its process was killed")

        slow.choose = killed  # type: ignore[method-assign]
        room.wake_bots()
        await slow.begun.wait()
        rooms.close()
        slow.free.set()
        await bots_rest(room)
        kept = rooms.store.find(room.id)
        assert not room.fault and kept is not None and not kept.fault
        assert answer(room, 2, ask_end=1) is False  # nobody answers any more

    asyncio.run(played())


def test_processes_think_of_what_they_are_asked(tmp_path: Path) -> None:
    """And are ended in the middle of a thought, which is told to who waits."""

    async def thought() -> None:
        processes = Processes()
        try:
            state = load("tic_tac_toe").new()
            option = await processes.choose("search:20", state, lambda: True)
            assert option is not None and option in legal(state)
            (mind,) = processes.minds.values()
            first = mind.process
            assert await processes.choose("greedy", state, lambda: False) is None
            assert first is not None
            first.kill()  # it is replaced
            assert await processes.choose("club", state, lambda: True) in legal(state)
            assert mind.process is not first and processes.mind_of(state.game.program) is mind and mind.asked == 0
            long = asyncio.create_task(processes.choose("search:100000", load("hex").new(), lambda: True))
            await asyncio.sleep(0)
        finally:
            processes.close()
        with pytest.raises(NoThought):
            await long

    asyncio.run(thought())


def test_the_process_that_has_rested_longest_makes_room() -> None:
    processes = Processes()
    names = ("nim", "hex", "tic_tac_toe", "connect_four", "love_letter")
    programs = [load(name).program for name in names[: MOST + 1]]
    first = processes.mind_of(programs[0])
    first.asked = 1  # it is at work
    second, *_ = (processes.mind_of(program) for program in programs[1:])
    assert [one.program for one in processes.minds.values()] == [programs[0], *programs[2:]]
    assert second.closed and not first.closed
    processes.close()
    assert first.closed


MOMENT = """
kind Seat
    field coins: 0..99
action shout(p: Seat) at any moment
    set p.coins to p.coins + 1
phase game
    choose n in 1..2 by p1
    choose n in 1..2 by p2
"""


def test_an_option_has_one_place_in_both_processes() -> None:
    """Also an action at any moment."""
    state = start(MOMENT)
    options = [*legal(state), *moments(state, 1)]
    assert len(options) == 3
    assert [place_of(state, one) for one in options] == [0, 1, 2]
    assert [option_at(state, n) for n in range(3)] == options


def test_the_form_offers_the_levels_that_there_are(server: Served) -> None:
    judged, plain = load("dominant_species"), load("tic_tac_toe")
    assert levels(judged) == ("random", "novice", "greedy", "club", "expert", "search")
    for game, lang, words in (("dominant_species", "en", "an expert bot"), ("dominant_species", "ja", "上級ボット")):
        form = server.client.get(f"/new?game={game}&lang={lang}").text
        assert words in form and 'name="trials"' in form
    form = server.client.get("/new?game=tic_tac_toe").text
    assert ('value="greedy"' in form) is (plain.program.evaluate >= 0) and 'value="expert"' in form


def test_a_form_says_how_often_a_bot_looks_ahead(server: Served) -> None:
    server.open("tic_tac_toe", "here", "search", "nobody", trials="70")
    assert server.room.sitting == {1: HERE, 2: "search:70"}
    tables = len(server.rooms.open)
    for wrong in ("0", "5001", "²", "", "9" * 30):
        form = {"game": "tic_tac_toe", "seat1": "here", "seat2": "search", "trials": wrong}
        refused = server.client.post("/new", data=form, headers={"origin": HOME})
        assert refused.status_code == 400 and "from 1 to 5000" in refused.text, wrong
    for name in ("search:100000", "run:sh"):  # no names of bots but those that are offered
        form = {"game": "tic_tac_toe", "seat1": "here", "seat2": name}
        assert server.client.post("/new", data=form, headers={"origin": HOME}).status_code == 400, name
    assert len(server.rooms.open) == tables


def test_a_person_plays_a_searching_bot_by_the_form(server: Served) -> None:
    server.open("tic_tac_toe", "person", "club")
    with server.line(server.join("1")) as one:
        one.say(do=0)
        one.hear_turn()
        assert len(server.room.table.state.log) == 2 and asked(server.room.table).seat == 1
