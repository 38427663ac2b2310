"""The line of one open page: a WebSocket that takes small messages and is sent parts of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from tools.web.running.room import Room
from tools.web.running.secrets import HOST, WATCH
from tools.web.running.viewers import Viewer
from tools.web.server.asking import chosen_language, may_sit
from tools.web.server.guard import REFUSED
from tools.web.server.limits import MOST_BYTES, ONLOOKERS, PER_SEAT, Bucket
from tools.web.server.outbox import SLOW_LINE, Outbox
from tools.web.server.tables import OpenTables

SLOW = '{"slow":1}'
CLOSING = 2.0  # seconds that a line may take to close


@dataclass(frozen=True, slots=True)
class SocketLines:
    tables: OpenTables

    async def line(self, socket: WebSocket) -> None:
        """Follow one viewer until the line is gone."""
        room, place = await self.tables.found(socket)
        if room is None or place == HOST or not may_sit(room, place, socket.cookies):
            await socket.close(REFUSED)
            return
        if sum(one.place == place for one in room.viewers) >= (ONLOOKERS if place == WATCH else PER_SEAT):
            await socket.close(SLOW_LINE)
            return
        await socket.accept()
        lang = chosen_language(socket, room.table.state.game.texts.languages())
        outbox = Outbox(socket.send_text)
        viewer = Viewer(place, lang, outbox.put, leave=outbox.leave)
        room.viewers.add(viewer)
        writing = asyncio.create_task(outbox.write())
        listening = asyncio.create_task(heard(self.listen(socket, room, viewer, outbox)))
        ended = asyncio.create_task(outbox.ended.wait())
        try:
            await asyncio.wait({listening, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            room.viewers.discard(viewer)
            for task in (writing, listening, ended):
                task.cancel()
            room.look_around()
            room.wake_bots()  # which sends the others what it was at
        if outbox.ended.is_set():
            with suppress(Exception):
                await asyncio.wait_for(socket.close(outbox.code), CLOSING)
        else:
            listening.result()

    async def listen(self, socket: WebSocket, room: Room, viewer: Viewer, outbox: Outbox) -> None:
        bucket = Bucket()
        room.look_around()
        await room.show(viewer)
        room.wake_bots()
        while True:
            await outbox.settle()
            text = await received(socket)
            if text is None:
                await socket.close(1003)
                return
            if len(text) > MOST_BYTES:
                await socket.close(1009)
                return
            if not bucket.take():
                await viewer.send(SLOW)
                continue
            told = read_message(text)
            if told is None:
                await socket.close(1003)
                return
            await answer(room, viewer, told)


async def heard(listening: Awaitable[None]) -> None:
    """Listen until the line is gone."""
    with suppress(WebSocketDisconnect, RuntimeError):  # RuntimeError: closed from here
        await listening


async def received(socket: WebSocket) -> str | None:
    """The next frame that is text; None for one of bytes."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text: str | None = message.get("text")
    return text


async def answer(room: Room, viewer: Viewer, told: dict[str, Any]) -> None:
    """Do what was sent, and show what came of it: the one who sent it first."""
    try:
        done = room.act(viewer, told)
    except Exception as fault:  # a fault of the engine ends this table and no other
        room.stop(fault)
        done = True
    if isinstance(done, str):
        await viewer.send(json.dumps({"told": done}, ensure_ascii=False))
    elif done:
        await room.push(viewer)
        room.wake_bots()
    else:
        await viewer.send(json.dumps({"stale": room.version}))


def read_message(text: str) -> dict[str, Any] | None:
    """A message; None for what is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
