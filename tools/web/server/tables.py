"""Routes of one table: its page, sitting down, what is told about things, the past, the links."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response

from interpreter import ReplayError, SaveError, save
from tools.shows.presenter import Presenter
from tools.shows.stand_ins import all_told
from tools.web.page.about import info_of, why_not
from tools.web.page.away import notices_told
from tools.web.page.drawn import picture_parts, seen_lines
from tools.web.page.frame import joining_page, table_page
from tools.web.page.log import items
from tools.web.page.sheets import colour_sheet
from tools.web.page.stopped import stopped_page
from tools.web.page.words import say
from tools.web.running.moving import Stopped, lines_of, why_of
from tools.web.running.room import Room
from tools.web.running.rooms import Rooms
from tools.web.running.secrets import HOST, HOT, LONGEST, fits, new_secret
from tools.web.running.viewers import Viewer
from tools.web.server.asking import address_of, chosen_language, may_sit, path_of, set_cookie, tool_language
from tools.web.server.limits import Buckets
from tools.web.server.lobby import first, link, read_form, refusal, told_links

Seated = Callable[[Request, Room, str], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class OpenTables:
    rooms: Rooms
    joins: Buckets
    asks: Buckets  # of those who sit

    async def at(self, asked: Any) -> tuple[Room | Stopped | None, str]:
        """The table and the place that an address names; None where there is no such table or place."""
        place = asked.path_params["place"]
        try:
            room = await self.rooms.find(asked.path_params["id"])
        except SaveError as fault:
            print(f"table {asked.path_params['id'][:20]}: {fault}", file=sys.stderr)
            return None, place
        return (room if room is not None and place in room.hashes else None), place

    async def found(self, asked: Any) -> tuple[Room | None, str]:
        """As `at`, but None where the table has stopped, too."""
        room, place = await self.at(asked)
        return (None if isinstance(room, Stopped) else room), place

    def seated(self, route: Seated) -> Callable[[Request], Awaitable[Response]]:
        """A route for those alone who have sat down at the place that the address names."""

        async def checked(asked: Request) -> Response:
            room, place = await self.found(asked)
            if room is None or not may_sit(room, place, asked.cookies):
                return PlainTextResponse("no", 403)
            if not self.asks.take(address_of(asked)):
                return PlainTextResponse("slow", 429)
            return await route(asked, room, place)

        return checked

    async def page(self, asked: Request) -> Response:
        room, place = await self.at(asked)
        if room is None:
            lang = tool_language(asked)
            return refusal(lang, say(lang, "no_table"), 404)
        if isinstance(room, Stopped):
            return HTMLResponse(stopped(asked, room, place), 409 if may_sit(room, place, asked.cookies) else 200)
        game = room.table.state.game
        lang = chosen_language(asked, game.texts.languages())
        title = game.texts.title(lang)
        if not may_sit(room, place, asked.cookies):
            return HTMLResponse(joining_page(lang, title))
        if place == HOST:
            return HTMLResponse(told_links(room, lang, {}, "save" if room.may_be_saved else ""))
        solo = room.is_solo and place.isdecimal() or place == HOT and room.may_be_saved
        sheet, made_up = f"/colours/{room.id}.css", all_told(game, lang)
        return HTMLResponse(table_page(lang, title, game.texts.languages(), solo, sheet, made_up))

    async def join(self, asked: Request) -> Response:
        """Take the secret of a link, and give the cookie of its place."""
        if not self.joins.take(address_of(asked)):
            return PlainTextResponse("slow", 429)
        body = b""
        async for part in asked.stream():
            body += part
            if len(body) > LONGEST:
                return PlainTextResponse("no", 403)
        room, place = await self.at(asked)
        secret = body.decode("ascii", errors="replace")
        if room is None or not fits(secret, room.hashes[place]):
            return PlainTextResponse("no", 403)
        response = PlainTextResponse("ok")
        set_cookie(response, room, place, secret, asked.url.scheme == "https")
        return response

    async def colours(self, asked: Request) -> Response:
        """The colours of the ruleset of a table: nothing of its position."""
        room = self.rooms.open.get(asked.path_params["id"])
        sheet = colour_sheet(room.table.state.game) if room is not None else ""
        return Response(sheet, media_type="text/css")

    # ------------------------------------------------------------ for those who sit

    async def info(self, asked: Request, room: Room, place: str) -> Response:
        """What is told about a thing: why it cannot be chosen, then what it is."""
        seat = self.reader(asked, room, place)
        state, lang = room.table.state, chosen_language(asked, room.table.state.game.texts.languages())
        key = asked.query_params.get("t", "")
        decision = room.table.asked(seat) if seat is not None and not room.fault else None
        if asked.path_params["what"] == "why":
            return HTMLResponse(why_not(state, decision, lang, key))
        return HTMLResponse(info_of(state, seat, lang, key))

    def reader(self, asked: Request, room: Room, place: str) -> int | None:
        """The seat that a place sees as. At a common screen it is the one who has taken it, and none before."""
        if place != HOT:
            return Viewer(place, "", silent).seat
        return next((one.seat for one in room.viewers if one.place == HOT), None)

    async def log(self, asked: Request, room: Room, place: str) -> Response:
        """All rows of the log."""
        lang = chosen_language(asked, room.table.state.game.texts.languages())
        viewer = Viewer(place, lang, silent, up=self.reader(asked, room, place) or 0)
        notices = notices_told(Presenter(room.table.state, viewer.seat, lang), room.table)
        return HTMLResponse("".join(items(room.log_of(viewer).told, notices)))

    async def past(self, asked: Request, room: Room, place: str) -> Response:
        """The picture of a position before: as its reader saw it; as any seat when the game is over."""
        lang = chosen_language(asked, room.table.state.game.texts.languages())
        number, other = (asked.query_params.get(name) or "0" for name in ("n", "seat"))
        if not (number.isdecimal() and other.isdecimal() and len(number) < 10 and len(other) < 5):
            return PlainTextResponse("no", 400)
        seat = self.reader(asked, room, place)
        if room.table.over and 1 <= int(other) <= room.table.state.seats:
            seat = int(other)
        try:
            state = room.past().at(room.table.state, int(number), seat)
        except (ReplayError, SaveError):
            return PlainTextResponse("no", 409)
        parts = {name: str(html) for name, html in picture_parts(Presenter(state, seat, lang))[0].items()}
        told = say(lang, "slider_at", n=len(state.log), of=seen_lines(room.table.state, seat))
        return JSONResponse({"parts": parts, "told": told})

    async def save(self, asked: Request, room: Room, place: str) -> Response:
        """The game as a file; only where it tells nobody what others hold."""
        if not room.may_be_saved or not (place in (HOST, HOT) or room.is_solo and place.isdecimal() or room.table.over):
            return PlainTextResponse("no", 403)
        state = room.table.state
        name = f"{state.game.program.id}-{room.id}.json"
        return Response(json.dumps(save(state), ensure_ascii=False), media_type="application/json",
                        headers={"content-disposition": f'attachment; filename="{name}"'})  # fmt: skip

    async def renew(self, asked: Request, room: Room, place: str) -> Response:
        """A new link for a place, which makes the last one useless."""
        form = await read_form(asked) or {}
        lang, wanted = chosen_language(asked, room.table.state.game.texts.languages()), first(form, "place")
        if place != HOST or wanted not in room.hashes:
            return PlainTextResponse("no", 403)
        secret, hash_ = new_secret()
        room.hashes[wanted] = hash_
        room.store.renew(room.id, wanted, hash_)
        for viewer in [one for one in room.viewers if one.place == wanted]:
            await viewer.leave()
        told = HTMLResponse(told_links(room, lang, {wanted: link(asked, room, wanted, secret)}))
        if wanted == HOST:
            set_cookie(told, room, HOST, secret, asked.url.scheme == "https")
        return told

    async def remove(self, asked: Request) -> Response:
        """Remove the table for good, also one that has stopped."""
        room, place = await self.at(asked)
        if room is None or place != HOST or not may_sit(room, place, asked.cookies):
            return PlainTextResponse("no", 403)
        for viewer in list(room.viewers) if isinstance(room, Room) else ():
            await viewer.leave()
        self.rooms.remove(room.id)
        return RedirectResponse("/", 303)

    async def again(self, asked: Request) -> Response:
        """Let a table that has stopped go on from where the rules of today lead to."""
        room, place = await self.at(asked)
        if room is None or place != HOST or not may_sit(room, place, asked.cookies):
            return PlainTextResponse("no", 403)
        if isinstance(room, Stopped) and room.state is not None:
            self.rooms.go_on(room.kept, room.state)
        return RedirectResponse(path_of(room, HOST), 303)


def stopped(asked: Request, room: Stopped, place: str) -> str:
    """The page of a table that has stopped: for who sits there why, and what they may know of its log."""
    lang, title, rest = tool_language(asked), room.kept.rules, None
    if room.game is not None:
        lang = chosen_language(asked, room.game.texts.languages())
        title = room.game.texts.title(lang)
        lines = len(room.state.log) if room.state is not None else 0
        rest = lines, len(room.kept.save["log"]) - lines
    if not may_sit(room, place, asked.cookies):
        return joining_page(lang, title)
    seat = Viewer(place, lang, silent).seat
    log = lines_of(room, seat, lang)
    return stopped_page(lang, title, why_of(room, seat, lang), log, rest, place == HOST)


async def silent(_: str) -> None:
    """A line that leads nowhere."""
