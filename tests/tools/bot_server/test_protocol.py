"""Messages and their answers; what is wrong with a line is said by a code, and changes nothing."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

import interpreter as rw
from tests.conformance.tables import load
from tools.bot_server import games as games_module
from tools.bot_server.connection import serve
from tools.bot_server.driver import DriverConnection
from tools.bot_server.games import ServedGames
from tools.bot_server.seat import Seat
from tools.bot_server.speaker import Speaker


@pytest.fixture
def driver() -> DriverConnection:
    games = ServedGames("native")
    for name in ("connect_four", "kuhn_poker", "dominant_species", "love_letter"):
        games.loaded[name] = load(f"rulesets/{name}")
    return DriverConnection(games, inviting=True)


def said(speaker: Speaker, *lines: bytes) -> list[dict[str, Any]]:
    out: list[bytes] = []
    serve(speaker, io.BytesIO(b"\n".join(lines) + b"\n"), out.append)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in out)
    return [json.loads(line) for line in out]


def ask(speaker: Speaker, do: str, **fields: Any) -> dict[str, Any]:
    (reply,) = said(speaker, json.dumps({"do": do, **fields}).encode())
    return reply


def code(reply: dict[str, Any]) -> str:
    return "" if reply["ok"] else str(reply["error"]["code"])


def test_options_are_answered_by_number_by_words_and_by_fixed_number(driver: DriverConnection) -> None:
    ask(driver, "hello", actions=True)
    begun = ask(driver, "new", ruleset="connect_four", seed=3, id="x")
    assert begun["id"] == "x" and begun["seats"] == 2 and begun["seed"] == 3
    rows = begun["question"]["options"]
    assert [row["action"] for row in rows] == [row["number"] for row in rows] == list(range(7))
    for answer in ({"number": 2}, {"ids": rows[2]["ids"]}, {"action": 2}):
        copied = ask(driver, "copy", game=begun["game"])["game"]
        assert ask(driver, "answer", game=copied, **answer)["question"]["seat"] == 2
    states = [played.state.digest() for played in driver.games.played.values()]
    assert len(set(states[1:])) == 1 and states[0] != states[1]


def test_whole_answers_in_words(driver: DriverConnection) -> None:
    state = load("rulesets/dominant_species").new(seed=2)
    game = ask(driver, "new", ruleset="dominant_species", seed=2)["game"]
    for _ in range(6):
        ids = list(rw.legal(state)[0].ids)
        assert state.decision is not None
        rw.answer(state, ids, state.decision.seat)
        ask(driver, "answer", game=game, ids=ids)
    assert driver.games.find(game).state.digest() == state.digest()


def test_chance_is_asked_or_drawn(driver: DriverConnection) -> None:
    game = ask(driver, "new", ruleset="kuhn_poker", chance="ask")["game"]
    first = ask(driver, "question", game=game)
    assert first["question"] is None and first["chance"]["total"] == 3
    assert code(ask(driver, "answer", game=game, ids=["ace"])) == "not_offered"
    now = ask(driver, "answer", game=game, ids=["king"])
    assert [row["id"] for row in now["chance"]["outcomes"]] == ["jack", "queen"]
    now = ask(driver, "draw", game=game)
    assert now["drawn"] in ("jack", "queen") and now["question"]["seat"] == 1
    assert code(ask(driver, "draw", game=game)) == "not_asked"


def test_games_are_saved_and_loaded_copied_and_dropped(driver: DriverConnection) -> None:
    game = ask(driver, "new", ruleset="love_letter", seed=5)["game"]
    ask(driver, "answer", game=game, number=0)
    saved = ask(driver, "save", game=game)["save"]
    loaded = ask(driver, "load", save=saved)["game"]
    assert driver.games.find(loaded).state.digest() == driver.games.find(game).state.digest()
    assert code(ask(driver, "load", save={**saved, "seed": 1})) == "bad_save"
    assert code(ask(driver, "load", save={**saved, "rules": "../love_letter"})) == "unknown_ruleset"
    assert code(ask(driver, "load", save={})) == "bad_save"
    ask(driver, "drop", game=game)
    assert code(ask(driver, "view", game=game)) == "unknown_game"
    assert ask(driver, "new", ruleset="love_letter")["game"] == loaded + 1


def test_views_logs_and_results_are_those_of_python(driver: DriverConnection) -> None:
    state = load("rulesets/kuhn_poker").new(seed=4)
    game = ask(driver, "new", ruleset="kuhn_poker", seed=4)["game"]
    while not state.over:
        for seat in (None, 1, 2):
            assert ask(driver, "view", game=game, seat=seat)["view"] == rw.view(state, seat)
            assert ask(driver, "log", game=game, seat=seat)["lines"] == rw.log_for(state, seat)
        rw.apply(state, rw.legal(state)[-1])
        now = ask(
            driver, "answer", game=game, number=len(ask(driver, "question", game=game)["question"]["options"]) - 1
        )
    assert now == {"ok": True, "over": True, "question": None}
    assert ask(driver, "result", game=game)["winners"] == rw.result(state).winners
    assert code(ask(driver, "answer", game=game, number=0)) == "not_asked"


def test_a_log_that_is_read_on_tells_answers_that_have_been_revealed(driver: DriverConnection) -> None:
    driver.games.loaded["goofspiel"] = load("rulesets/goofspiel")
    game, since = ask(driver, "new", ruleset="goofspiel", seed=1)["game"], 0
    known: list[str] = []
    for number in range(6):
        ask(driver, "answer", game=game, number=0)
        told = ask(driver, "log", game=game, since=since)
        known[since:] = told["lines"]
        assert known == rw.log_for(driver.games.find(game).state, None)
        since = told["next"]
        assert len(known) - since == (number + 1) % 2, "one bid waits for the other"


DEEP = b'{"do":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
HOSTILE = [
    (b"\xff\xfe", "bad_utf8"),
    (b"hello", "bad_json"),
    (b'{"do": NaN}', "bad_json"),
    (b'{"do": 1' + b"0" * 5000 + b"}", "bad_json"),
    (DEEP, "bad_json"),
    (b"[1]", "bad_message"),
    (b"{}", "unknown_message"),
    (b'{"do": ["new"]}', "unknown_message"),
    (b'{"do": "handle"}', "unknown_message"),
    (b'{"do": "__init__"}', "unknown_message"),
    (b'{"do": "new"}', "bad_field"),
    (b'{"do": "new", "ruleset": 1}', "bad_field"),
    (b'{"do": "new", "ruleset": "connect_four", "self": 1}', "bad_field"),
    (b'{"do": "new", "ruleset": "connect_four", "seats": true}', "bad_field"),
    (b'{"do": "new", "ruleset": "connect_four", "seed": 1' + b"0" * 400 + b"}", "bad_field"),
    (b'{"do": "new", "ruleset": "connect_four", "seats": 9}', "bad_setup"),
    (b'{"do": "new", "ruleset": "connect_four", "options": {"x": "y"}}', "bad_setup"),
    (b'{"do": "new", "ruleset": "connect_four", "options": {"x": []}}', "bad_field"),
    (b'{"do": "new", "ruleset": "connect_four", "chance": "no"}', "bad_setup"),
    (b'{"do": "new", "ruleset": "/etc"}', "unknown_ruleset"),
    (b'{"do": "new", "ruleset": "connect_fuor"}', "unknown_ruleset"),
    (b'{"do": "new", "ruleset": "connect_four+../x"}', "unknown_ruleset"),
    (b'{"do": "new", "ruleset": "connect_four@2020-99-99"}', "unknown_ruleset"),
    (b'{"do": "view", "game": 99}', "unknown_game"),
    (b'{"do": "view", "game": 1, "seat": 0}', "bad_field"),
    (b'{"do": "question", "game": 1, "seat": 3}', "bad_field"),
    (b'{"do": "answer", "game": 1}', "bad_field"),
    (b'{"do": "answer", "game": 1, "number": -1}', "not_offered"),
    (b'{"do": "answer", "game": 1, "number": 7}', "not_offered"),
    (b'{"do": "answer", "game": 1, "action": 99}', "not_offered"),
    (b'{"do": "answer", "game": 1, "number": 0, "ids": ["a"]}', "bad_field"),
    (b'{"do": "answer", "game": 1, "number": 0, "action": 0}', "bad_field"),
    (b'{"do": "answer", "game": 1, "ids": []}', "not_offered"),
    (b'{"do": "answer", "game": 1, "ids": [[]]}', "bad_field"),
    (b'{"do": "answer", "game": 1, "ids": ["\\ud800", "\\u0000"]}', "not_offered"),
    (b'{"do": "answer", "game": 1, "number": 0, "seat": 2}', "not_offered"),
    (b'{"do": "view", "game": 1, "id": {}}', "bad_field"),
    (b'{"do": "hello", "version": 2}', "bad_version"),
    (b'{"do": "invite", "game": 1, "seat": 9}', "bad_field"),
    (b'{"do": "load", "save": {"ruleset": "connect_four"}}', "bad_save"),
]


def test_bad_lines_are_told_by_a_code_and_change_nothing(driver: DriverConnection) -> None:
    game = ask(driver, "new", ruleset="connect_four", seed=1)["game"]
    before = driver.games.find(game).state.digest()
    replies = said(driver, *(line for line, _ in HOSTILE))
    assert [code(reply) for reply in replies] == [wanted for _, wanted in HOSTILE]
    assert driver.games.find(game).state.digest() == before and len(driver.games.played) == 1
    assert all(len(json.dumps(reply)) < 2000 for reply in replies)


def test_a_long_line_is_passed_over(driver: DriverConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.bot_server.connection.MOST_BYTES", 1000)
    replies = said(driver, b'{"do": "' + b"x" * 300_000 + b'"}', b'{"do": "rulesets"}')
    assert [code(reply) for reply in replies] == ["too_long", ""]


def test_there_are_limits_of_games_and_tokens(driver: DriverConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_module, "MOST_GAMES", 2)
    monkeypatch.setattr(games_module, "MOST_TOKENS", 1)
    replies = [code(ask(driver, "new", ruleset="connect_four")) for _ in range(3)]
    assert replies == ["", "", "too_many"] and code(ask(driver, "copy", game=1)) == "too_many"
    assert [code(ask(driver, "invite", game=1, seat=1)) for _ in range(2)] == ["", "too_many"]


def test_a_fault_of_the_server_is_an_answer_too(driver: DriverConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DriverConnection, "do_rulesets", lambda self: 1 // 0)
    assert [code(r) for r in said(driver, b'{"do": "rulesets"}', b'{"do": "rules", "ruleset": "kuhn_poker"}')] == [
        "internal", "",
    ]  # fmt: skip


def test_over_stdio_there_is_nobody_to_invite(driver: DriverConnection) -> None:
    alone = DriverConnection(driver.games, inviting=False)
    game = ask(alone, "new", ruleset="connect_four")["game"]
    assert code(ask(alone, "invite", game=game, seat=1)) == "not_allowed"


def test_a_seat_has_its_own_game_and_no_other_messages(driver: DriverConnection) -> None:
    game = ask(driver, "new", ruleset="kuhn_poker", seed=1)["game"]
    one, two = (Seat(driver.games, game, seat) for seat in (1, 2))
    assert ask(one, "hello")["role"] == "seat" and ask(two, "hello")["seat"] == 2
    for name in ("new", "save", "copy", "draw", "drop", "invite", "load", "rulesets"):
        assert code(ask(one, name, game=game)) == "unknown_message"
    assert code(ask(one, "view", seat=2)) == "bad_field" and code(ask(one, "question", game=game)) == "bad_field"
    assert ask(one, "question")["asked"] and not ask(two, "wait", seconds=0)["asked"]
    assert code(ask(two, "answer", number=0)) == "not_offered" and code(ask(two, "answer", ids=["bet"])) == "not_asked"
    assert code(ask(one, "result")) == "not_allowed"
    assert not ask(one, "answer", number=0)["asked"] and ask(two, "wait")["asked"]
    ask(driver, "drop", game=game)
    assert code(ask(one, "wait")) == "unknown_game"
