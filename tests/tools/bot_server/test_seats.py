"""A seat's connection tells nothing that the seat may not know: the same bytes, whatever is hidden from it."""

from __future__ import annotations

import json
import random
import socket
from typing import Any

import pytest

import interpreter as rw
from tests.conformance.redeal import redealt
from tests.conformance.tables import Table, random_states
from tests.tools.bot_server.programs import listening
from tools.bot_server.connection import reply
from tools.bot_server.games import ServedGame, ServedGames
from tools.bot_server.seat import Seat

SECRET = [Table("rulesets/love_letter", 3), Table("rulesets/kuhn_poker", 2), Table("rulesets/liars_dice", 2)]
SECRET += [Table("tests/conformance/rulesets/masks", 3)]
POSITIONS = 60


def told(state: rw.State, seat: int, messages: list[dict[str, Any]]) -> list[bytes]:
    """What a seat is told at this position; what an accepted answer leads to may rest on what is hidden."""
    found = []
    for message in messages:
        games = ServedGames("native")
        games.played[1] = ServedGame(rw.copy(state))
        line = reply(Seat(games, 1, seat), json.dumps(message).encode())
        accepted = message["do"] == "answer" and line.startswith(b'{"ok":true')
        found.append(b"accepted" if accepted else line)
    return found


def messages_for(state: rw.State, chooser: random.Random) -> list[dict[str, Any]]:
    """All ways to look, and answers: of anybody's options, and what is offered to nobody."""
    names = ("hello", "question", "view", "log", *(() if state.over else ("result",)))  # the end lays scores open
    found: list[dict[str, Any]] = [{"do": name} for name in names]
    found += [{"do": "wait", "seconds": 0}, {"do": "save"}, {"do": "answer"}]
    found += [{"do": "answer", "number": number} for number in (0, 1, 5, -1)]
    ids = [list(option.ids) for option in rw.legal(state)]
    things = [id_ for id_ in state.game.program.thing_ids if id_]
    tried = [*chooser.sample(ids, min(3, len(ids))), *([id_] for id_ in chooser.sample(things, min(3, len(things))))]
    return found + [{"do": "answer", "ids": words} for words in (*tried, ["nonsense"])]


@pytest.mark.parametrize("table", SECRET, ids=lambda table: table.name)
def test_what_is_hidden_from_a_seat_changes_nothing_that_it_is_told(table: Table) -> None:
    chooser = random.Random(5)
    different = seen = 0
    for seed in range(20):
        for state in random_states(table, seed):
            seen += 1
            messages = messages_for(state, chooser)
            for seat in range(1, state.seats + 1):
                twin = redealt(state, seat, chooser)
                different += twin.words != state.words
                assert told(twin, seat, messages) == told(state, seat, messages)
        if seen >= POSITIONS:
            break
    assert different > 10


def test_a_card_that_another_seat_drew_is_not_told() -> None:
    """The same game, but for the card of the other seat: the log too."""
    found = []
    for other in ("queen", "king"):
        state = Table("rulesets/kuhn_poker", 2).new(1, chance="ask")
        for id_ in ("jack", other):
            assert state.chance is not None
            outcome = state.chance.outcome(id_)
            assert outcome is not None
            rw.apply(state, outcome)
        rw.apply(state, rw.legal(state)[0])
        seats = [told(state, seat, [{"do": "log"}, {"do": "view"}, {"do": "question"}]) for seat in (1, 2)]
        found.append(seats)
    assert found[0][0] == found[1][0] and found[0][1] != found[1][1]


class Connected:
    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.lines = self.socket.makefile("rb")

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.send(json.dumps({"do": do, **fields}).encode())
        return self.read()

    def send(self, line: bytes) -> None:
        self.socket.sendall(line + b"\n")

    def read(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.lines.readline())
        return found

    def is_closed(self) -> bool:
        return self.lines.readline() == b""


def test_seats_play_over_the_socket_and_wait_for_each_other() -> None:
    with listening() as server:
        driver = Connected(server["port"])
        assert driver.ask("hello", token=server["token"])["role"] == "driver"
        game = driver.ask("new", ruleset="connect_four", seed=1)["game"]
        seats = []
        for seat in (1, 2):
            token = driver.ask("invite", game=game, seat=seat)["token"]
            seats.append(Connected(server["port"]))
            assert seats[-1].ask("hello", token=token)["seat"] == seat
        for one in seats:
            one.send(b'{"do": "wait"}')
        turn, answers = 0, 0
        while (now := seats[turn].read())["asked"]:
            seats[turn].ask("answer", number=0)
            answers += 1
            seats[turn].send(b'{"do": "wait"}')
            turn = 1 - turn
        assert now["over"] and seats[1 - turn].read()["over"] and answers > 6
        assert seats[0].ask("result")["winners"] == driver.ask("result", game=game)["winners"] != []


def test_without_a_token_nobody_is_served() -> None:
    with listening() as server:
        for line in (
            b'{"do": "hello"}',
            b'{"do": "hello", "token": "guessed"}',
            b'{"do": "hello", "token": 1}',
            b'{"do": "rulesets", "token": "%s"}' % server["token"].encode(),
            b"POST / HTTP/1.1",
            b"x" * 10_000,
            b"\xff",
        ):
            other = Connected(server["port"])
            other.send(line)
            assert not other.read()["ok"] and other.is_closed()
        driver = Connected(server["port"])
        assert driver.ask("hello", token=server["token"])["ok"]
