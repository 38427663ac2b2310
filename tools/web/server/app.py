"""The routes of the server, and what stands before all of them."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from tools.web.page.sheets import picture_sheet
from tools.web.running.rooms import Rooms
from tools.web.server.guard import App, RequestGuard
from tools.web.server.limits import Buckets
from tools.web.server.lines import SocketLines
from tools.web.server.lobby import Lobby
from tools.web.server.tables import OpenTables

STATIC = Path(__file__).parents[1] / "static"
FORMS, JOINS, ASKS = (0.5, 10.0), (2.0, 30.0), (20.0, 60.0)  # a second, and at once, from one address
LOOKS = (5.0, 60.0)  # at the lobby and its forms


def make_app(rooms: Rooms, hosts: frozenset[str]) -> App:
    """The server as an ASGI application. `hosts`: what it is known by."""
    lobby = Lobby(rooms, Buckets(*FORMS), Buckets(*LOOKS))
    tables = OpenTables(rooms, Buckets(*JOINS), Buckets(*ASKS))
    lines, here = SocketLines(tables), "/g/{id}/{place}"
    routes = [
        Route("/", lobby.lobby),
        Route("/new", lobby.form),
        Route("/new", lobby.new, methods=["POST"]),
        Route("/favicon.ico", nothing),
        Route("/colours/{id}.css", tables.colours),
        Route("/static/picture.css", pictures),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route(here + "/", tables.page),
        Route(here + "/join", tables.join, methods=["POST"]),
        Route(here + "/link", tables.seated(tables.renew), methods=["POST"]),
        Route(here + "/remove", tables.remove, methods=["POST"]),
        Route(here + "/again", tables.again, methods=["POST"]),
        Route(here + "/log", tables.seated(tables.log)),
        Route(here + "/past", tables.seated(tables.past)),
        Route(here + "/save", tables.seated(tables.save)),
        WebSocketRoute(here + "/ws", lines.line),
        Route(here + "/about/{what}", tables.seated(tables.info)),
    ]
    return RequestGuard(Starlette(routes=routes), hosts)


async def nothing(_: Request) -> Response:
    return Response(status_code=204)


async def pictures(_: Request) -> Response:
    return Response(picture_sheet(), media_type="text/css")
