"""A question that is open to several: each sees what it may do now, in turn or not, and nothing of what others do."""

from __future__ import annotations

import re

import pytest

from tests.tools.web.server import FROM_HERE, Served
from tools.picture.model.position import picture_of
from tools.table.table import Table
from tools.web.running.room import Room


@pytest.fixture
def trade(server: Served) -> Served:
    """A game of Civilization in a trading session, with three people."""
    server.open("civilization", "person", "person", "person")
    room = server.room
    bots = Table(room.table.state, frozenset(), "random", chance=room.table.random)
    while bots.bot_turn():
        decision = bots.state.decision
        if decision is not None and len(decision.open_seats) > 1:
            break
    room.table.state = bots.state
    room.note()
    return server


def test_each_sees_what_it_may_do_now(trade: Served) -> None:
    state = trade.room.table.state
    open_, asked = state.decision.open_seats, state.decision.seat
    first, other = asked, next(seat for seat in open_ if seat != asked)
    with trade.line(trade.join(str(first))) as one, trade.line(trade.join(str(other))) as two:
        assert one.mine and two.mine and one.options and two.options
        assert one.parts["ask"] != two.parts["ask"]
        assert 'data-send="wait"' in two.parts["ask"] and 'data-send="wait"' not in one.parts["ask"]
        two.say(wait=1)
        one.hear()
        assert not two.mine and one.mine and 'data-send="wait"' not in two.parts["ask"]
        two.say(do=len(two.options) - 1)  # no more trade, out of turn
        one.hear()
        assert trade.room.table.state.log[-1].seat == other
    for seat in {1, 2, 3} - set(open_):
        with trade.line(trade.join(str(seat))) as third:
            assert third.options == [] and not third.mine


def test_what_is_offered_is_seen_by_those_alone_who_make_it(trade: Served) -> None:
    """The cards of an offer are chosen one by one; others see its beginning when the rules tell them."""
    room = trade.room
    seat = room.table.state.decision.seat
    paths = {other: trade.join(str(other)) for other in (1, 2, 3)}
    read = {}  # what the others had read before: goods that were handed in are in their logs
    for other in {1, 2, 3} - {seat}:
        with trade.line(paths[other]) as page:
            read[other] = " ".join(page.parts.values())
    with trade.line(paths[seat]) as one:
        names: set[str] = set()
        for _ in range(12):
            decision = room.table.asked(seat)
            if decision is None or decision.seat != seat:
                break
            offer = next((n for n, o in enumerate(decision.options) if o.ids[0] == "propose"), 0)
            chosen = decision.options[offer]
            if chosen.kind == "add":
                names.add(chosen.text("en"))
            one.say(do=offer)
            if not one.mine:
                break
            for other in {1, 2, 3} - {seat}:
                with trade.line(paths[other]) as page:
                    assert page.options == [] or room.table.asked(other) is not None
                    held = " ".join(page.parts.values())
                    hands = {room.table.state.game.texts.id("en", k, i) for k, i in mine(room, other)}
                    for name in names - hands:
                        named = re.compile(rf"\b{re.escape(name)}\b")
                        assert len(named.findall(held)) <= len(named.findall(read[other])), (other, name)
        assert names, "no card was offered: the test proves nothing"


def mine(room: Room, seat: int) -> list[tuple[str, str]]:
    """The things that a seat sees in its own zones."""
    keys = [key.partition(".") for key in picture_of(room.table.state, seat, "en").things]
    return [(kind, id_) for kind, _, id_ in keys]


def test_trading_over_http_needs_its_own_seat(trade: Served) -> None:
    seat = trade.room.table.state.decision.seat
    watch = trade.join("watch")
    with trade.line(watch) as onlooker:
        assert onlooker.options == [] and "stale" in onlooker.say(do=0) and "stale" in onlooker.say(wait=1)
    assert trade.client.post(f"{watch}link", data={"place": str(seat)}, headers=FROM_HERE).status_code == 403
