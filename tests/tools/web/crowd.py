"""Many people at many tables: clients that think, answer, and note how long they wait for their own picture."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import connect

from tests.tools.web.server import edited

TABLES_OF_ONE = 5  # opened from one address


@dataclass
class Crowd:
    """`home`: the server; `think`: seconds on average before an answer. `waits`: seconds from an answer to its own
    picture; `faults`: what was refused."""

    home: str
    think: float
    seconds: float
    waits: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    characters: int = 0
    messages: int = 0
    until: float = 0.0

    async def play(self, game: str, tables: int, viewers: int) -> None:
        """Open the tables, two people and a bot at each, and let the rest look on; play for so many seconds."""
        seats, watching = [], []
        for number in range(tables):
            for place, line in (await self.open(game, f"127.0.0.{2 + number // TABLES_OF_ONE}")).items():
                (watching if place == "watch" else seats).append(line)
        onlookers = [watching[n % tables] for n in range(max(0, viewers - len(seats)))]
        self.until = time.monotonic() + self.seconds
        people = [self.sit(line, n) for n, line in enumerate(seats)]
        await asyncio.gather(*people, *(self.sit(line, -1) for line in onlookers))

    async def open(self, game: str, address: str) -> dict[str, tuple[str, str]]:
        """Place -> path and cookie at a new table."""
        form = {"game": game, "seat1": "person", "seat2": "person", "seat3": "random"}
        way = httpx2.AsyncHTTPTransport(local_address=address)
        found = {}
        async with httpx2.AsyncClient(transport=way, base_url=self.home, timeout=60) as client:
            page = await client.post("/new", data=form, headers={"origin": self.home})
            for path, place, secret in re.findall(r'href="[^"]*?(/g/[\w-]+/(\w+)/)#([\w-]+)"', page.text):
                if place != "host":
                    joined = await client.post(f"{path}join", content=secret, headers={"origin": self.home})
                    cookies = joined.headers.get_list("set-cookie")
                    found[place] = path, "; ".join(cookie.split(";")[0] for cookie in cookies)
        return found

    async def sit(self, line: tuple[str, str], seed: int) -> None:
        """One viewer; without a seed an onlooker."""
        path, cookie = line
        address = self.home.replace("http", "ws") + path + "ws?lang=en"
        headers = {"Origin": self.home, "Cookie": cookie}
        async with connect(address, additional_headers=headers, max_size=None) as socket:
            await Sitting(self, socket, random.Random(seed), seed >= 0).listen()


@dataclass
class Sitting:
    """One open page. `sent`: when it has answered, 0 if it is not waiting for its picture."""

    crowd: Crowd
    socket: Any
    chance: random.Random
    plays: bool
    parts: dict[str, str] = field(default_factory=dict)
    v: int = -1
    sent: float = 0.0
    thinking: asyncio.Task[None] | None = None

    async def listen(self) -> None:
        while (left := self.crowd.until - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                self.hear(await asyncio.wait_for(self.socket.recv(), left))
        if self.thinking is not None:
            self.thinking.cancel()

    def hear(self, text: str) -> None:
        told = json.loads(text)
        self.crowd.characters += len(text)
        self.crowd.messages += 1
        if "parts" not in told:
            self.crowd.faults.append(text[:200])
            return
        for name in told["gone"]:
            self.parts.pop(name, None)
        self.parts |= told["parts"] | {name: edited(self.parts[name], es) for name, es in told["edits"].items()}
        if self.sent and told["v"] != self.v:
            self.crowd.waits.append(time.perf_counter() - self.sent)
            self.sent = 0.0
        if told["mine"] and self.plays and told["v"] != self.v:
            if self.thinking is not None:
                self.thinking.cancel()
            self.thinking = asyncio.create_task(self.answer(told["v"]))
        self.v = told["v"]

    async def answer(self, version: int) -> None:
        await asyncio.sleep(self.chance.expovariate(1 / self.crowd.think))
        if options := re.findall(r'data-do="(\d+)"', self.parts.get("ask", "")):
            self.sent = time.perf_counter()
            await self.socket.send(json.dumps({"v": version, "do": int(self.chance.choice(options))}))
