"""A table without a server: bots that are woken while a page is being sent, the logs of several readers."""

from __future__ import annotations

import asyncio
import json
from itertools import permutations
from pathlib import Path
from random import Random

from interpreter.bots.levels import RANDOM
from tests.concepts.play import start
from tests.conformance.tables import load
from tests.tools.table.asking import asked
from tests.tools.web.server import HOME  # noqa: F401  (skips where the extra is missing)
from tools.table.log import Log
from tools.table.table import Table
from tools.web.page.drawn import Before, drawn_table, seen_lines
from tools.web.running.games import Games
from tools.web.running.past import EVERY, Past
from tools.web.running.room import HERE, PERSON, Room
from tools.web.running.rooms import Rooms, TableSetup
from tools.web.running.store import TableStore
from tools.web.running.viewers import Viewer


async def opened(folder: Path, game: str, *sitting: str) -> Room:
    rooms = Rooms(TableStore(folder / "tables.sqlite"), Games())
    room, _ = await rooms.begin(TableSetup(game, {}, sitting), "")
    return room


def test_a_bot_is_not_forgotten_when_somebody_answers_while_a_page_is_sent(tmp_path: Path) -> None:
    """The answer comes in while the bots' task sends its last page, and so cannot be woken anew."""

    async def played() -> None:
        room = await opened(tmp_path, "tic_tac_toe", PERSON, RANDOM)
        heard: list[int] = []

        async def send(text: str) -> None:
            told = json.loads(text)
            heard.append(told["lines"])
            if told["lines"] == 2 and told["mine"]:  # the page after the bot's first answer
                assert room.bots is not None and not room.bots.done()
                assert room.act(viewer, {"v": told["v"], "do": 0}) is True
                room.wake_bots()

        viewer = Viewer("1", "en", send)
        room.viewers.add(viewer)
        await room.show(viewer)
        assert room.act(viewer, {"v": 0, "do": 0}) is True
        room.wake_bots()
        for _ in range(200):
            await asyncio.sleep(0.01)
            if heard and heard[-1] >= 4:  # the page comes after the answer that it shows
                break
        assert len(room.table.state.log) >= 4 and heard[-1] >= 4

    asyncio.run(played())


def test_each_reader_has_a_log_and_a_page_of_its_own(tmp_path: Path) -> None:
    async def looked() -> None:
        room = await opened(tmp_path, "love_letter", HERE, PERSON)

        async def send(_: str) -> None:
            return None

        readers = [Viewer(place, lang, send) for place in ("2", "watch") for lang in ("en", "ja")]
        pages = [room.drawn(one).parts for one in readers]
        assert len({page["head"] for page in pages}) == 4 and len(room.logs) == 4
        assert room.drawn(Viewer("2", "en", send)).parts is pages[0]  # drawn once for all who see the same

    asyncio.run(looked())


def test_what_is_asked_at_once_is_open_on_all_pages_and_an_early_answer_shows_nothing(tmp_path: Path) -> None:
    """Of three, the last answers first: the pages of the others, and of who looks on, do not depend on what it was."""

    async def played() -> None:
        shown = []
        for number in range(3):
            rooms = Rooms(TableStore(tmp_path / f"{number}.sqlite"), Games())
            room, _ = await rooms.begin(TableSetup("goofspiel", {"prizes": "ascending"}, (PERSON,) * 3), "")

            def page(place: str, room: Room = room) -> dict[str, str]:
                return dict(room.drawn(Viewer(place, "en", silent)).parts)

            assert all(f'data-do="{n}"' in page(place)["ask"] for place in "123" for n in range(3))
            assert room.act(Viewer("3", "en", silent), {"v": 0, "do": number}) is True
            assert "data-do" not in page("3")["ask"] and all("data-do" in page(place)["ask"] for place in "12")
            shown.append([page(place) for place in ("1", "2", "watch")])
            assert room.act(Viewer("3", "en", silent), {"v": 1, "do": number}) is False
            assert room.act(Viewer("1", "en", silent), {"v": 1, "do": 0}) is True
            shown[-1] += [page(place) for place in ("2", "watch")]
        for pages in zip(*shown, strict=True):
            assert pages[0] == pages[1] == pages[2]

    asyncio.run(played())


async def silent(_: str) -> None:
    return None


def test_who_clicks_is_served_before_those_who_look_on_at_all_tables(tmp_path: Path) -> None:
    """And those have only the newest page, of which one is drawn in a turn of the loop."""

    async def played() -> None:
        rooms = Rooms(TableStore(tmp_path / "tables.sqlite"), Games())
        tables = [(await rooms.begin(TableSetup("tic_tac_toe", {}, (PERSON, PERSON)), ""))[0] for _ in range(3)]
        heard: list[tuple[int, str, int]] = []  # table, place, version
        turns, drawn = 0, []

        def viewer(number: int, place: str) -> Viewer:
            async def send(text: str) -> None:
                heard.append((number, place, json.loads(text)["v"]))
                drawn.append(turns)

            tables[number].viewers.add(found := Viewer(place, "en", send))
            return found

        people = [{place: viewer(number, place) for place in ("1", "2")} for number in range(3)]
        for number in range(3):
            for _ in range(3):
                viewer(number, "watch")

        def click(number: int) -> asyncio.Task[None]:
            room = tables[number]
            seat = asked(room.table).seat
            own = people[number][str(seat)]
            assert room.act(own, {"v": room.version, "do": 0}) is True
            return asyncio.create_task(room.push(own))

        tasks = [click(0), click(1)]
        await asyncio.sleep(0)
        tasks += [click(2), click(0)]  # while those who look on are still waiting
        while not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            turns += 1
        clicked = [(0, "1", 1), (1, "1", 1), (2, "1", 1), (0, "2", 2)]
        assert sum(one in clicked for one in heard[:5]) == 4  # one who looks on had begun
        looked = [(n, "watch", v) for n, v in ((0, 2), (1, 1), (2, 1)) for _ in range(3)]
        assert sorted(heard) == sorted([*clicked, (0, "1", 2), (1, "2", 1), (2, "2", 1), *looked])
        assert len(set(drawn[5:])) == len(heard) - 5

    asyncio.run(played())


def test_the_past_is_every_position_that_there_was() -> None:
    game = load("rulesets/love_letter")
    table = Table(game.new(seed=4, chance="ask"), frozenset(), "random", chance=Random(4))
    past = Past(table.state)
    seen = {len(table.state.log): table.state.digest()}
    for _ in range(90):
        table.bot_turn()
        seen[len(table.state.log)] = table.state.digest()
    assert len(table.state.log) > 2 * EVERY
    numbers = list(seen)
    Random(1).shuffle(numbers)
    for number in numbers:
        assert past.at(table.state, number, None).digest() == seen[number]
    assert past.at(table.state, 10**9, None).digest() == table.state.digest()
    assert past.at(table.state, -5, None).digest() == past.at(table.state, 0, None).digest()


def test_the_past_follows_what_was_taken_back() -> None:
    game = load("rulesets/tic_tac_toe")
    table = Table(game.new(), frozenset({1, 2}))
    past = Past(table.state)
    for number in (0, 1, 2):
        seat = table.state.decision.seat if table.state.decision else 0
        table.answer(seat, asked(table, seat).options[number])
    first = past.at(table.state, 3, 1).digest()
    table.undo(1)
    table.answer(1, asked(table, 1).options[0])
    assert past.at(table.state, 3, 1).digest() == table.state.digest() != first


PLAN = """
enum Good: apple, bread, cake
kind Seat
    field coins: 0..9
action order(p: Seat) of orders
    set p.coins to p.coins + 1
    choose g in Good
    choose h in Good where h is not g
    set p.coins to p.coins + 1
phase game
    offer orders by p1
    offer orders by p2
"""


def test_of_a_plan_of_others_nobody_sees_how_far_it_is() -> None:
    """Its lines are not counted, and the slider does not go behind its beginning."""
    table = Table(start(PLAN), frozenset({1, 2}))
    table.answer(1, asked(table, 1).options[0])
    state = table.state
    assert state.plan is not None and len(state.log) > state.plan.entries
    assert seen_lines(state, 1) == len(state.log)
    assert seen_lines(state, 2) == seen_lines(state, None) == state.plan.entries
    assert len(Past(state).at(state, 99, 2).log) == state.plan.entries
    pages = [drawn_table(table, seat, "en", Log(state, "en", seat)) for seat in (1, 2)]
    assert [page.lines for page in pages] == [len(state.log), state.plan.entries]


def test_in_a_plan_nothing_is_shared_with_the_one_whose_plan_it_is() -> None:
    table = Table(start(PLAN), frozenset({1, 2}))
    table.answer(1, asked(table, 1).options[0])
    state, readers = table.state, (1, 2, None)
    alone = {seat: drawn_table(table, seat, "en", Log(state, "en", seat)).parts for seat in readers}
    assert "panel-Seat" in alone[1] and alone[2].keys() == alone[None].keys() == alone[1].keys() - {"panel-Seat"}
    for order in permutations(readers):
        before = Before()
        for seat in order:
            assert drawn_table(table, seat, "en", Log(state, "en", seat), kept=before).parts == alone[seat], order


def test_rows_that_were_taken_back_stand_where_they_were() -> None:
    """A new reader sees the same rows in the same order as one who was there all the time."""
    game = load("rulesets/tic_tac_toe")
    table = Table(game.new(), frozenset({1, 2}))
    there, away = Log(table.state, "en", 1), Log(table.state, "en", 1)
    for number, act in enumerate("a a a u u a a u a u u a u r a u u r a a u u u r r r".split()):
        seat = asked(table).seat
        if act == "a":
            table.answer(seat, asked(table, seat).options[len(table.changes) % 3])
        else:
            count = len(table.taken_back)
            assert table.undo(seat) if act == "u" else table.redo(seat)
            assert len(table.taken_back) == count + (1 if act == "u" else -1)  # what is given again is not taken back
        new = Log(table.state, "en", 1)
        for log in (there, new, *([] if number % 4 else [away])):
            log.follow(table)
        assert shown(new) == shown(there), (number, act)
        assert number % 4 or shown(away) == shown(there), (number, act)
    assert there.told[-1].undone is False and sum(told.undone for told in there.told) == len(table.taken_back)


def shown(log: Log) -> list[tuple[str, bool]]:
    return [(told.row.text, told.undone) for told in log.told]


def test_of_what_was_taken_back_in_a_plan_others_hear_nothing() -> None:
    table = Table(start(PLAN), frozenset({1, 2}))
    last = table.state
    table.answer(1, asked(table, 1).options[0])
    before = table.state
    assert table.undo(1) and before.plan is not None
    assert [one.seat for one in table.taken_back] == [1] and last.log == table.state.log
    for seat, count in ((1, 1), (2, 0), (None, 0)):
        log = Log(table.state, "en", seat)
        log.follow(table)
        assert sum(told.undone for told in log.told) == count
