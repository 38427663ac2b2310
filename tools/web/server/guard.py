"""The guard: requests that are refused before a route sees them, and the headers of every answer.

A page of another site can send requests here with the cookies of a player: so whatever changes something demands an
`Origin` that is this server. A name that an attacker's DNS points here is no name of this server: so every request
demands a `Host` that is known.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",  # with `no-referrer` a form of our own would have no origin
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
REFUSED = 4403  # the code that a line is closed with


def known_hosts(port: int, lan: bool) -> frozenset[str]:
    """What a `Host` may be; in a local network also the names and addresses of this machine."""
    names = {"127.0.0.1", "localhost", "[::1]"}
    if lan:
        names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local", *own_addresses()}
    return frozenset({f"{name}:{port}" for name in names} | (names if port == 80 else set()))


def own_addresses() -> set[str]:
    """The addresses of this machine in its networks, as far as it knows them."""
    found: set[str] = set()
    try:
        found |= {str(row[4][0]) for row in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; tells which address it would be sent from
            found.add(str(probe.getsockname()[0]))
    except OSError:
        pass
    return found


def is_same_origin(headers: Mapping[str, str]) -> bool:
    """Whether a request comes from a page of this very server."""
    host = headers.get("host", "")
    return bool(host) and headers.get("origin") in (f"http://{host}", f"https://{host}")


class RequestGuard:
    """Refuses requests for unknown hosts, and those that change something from other pages."""

    def __init__(self, app: App, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if headers.get("host", "").lower() not in self.hosts:
            return await refuse(scope, send, 421, "unknown host")
        if changes and not is_same_origin(headers):
            return await refuse(scope, send, 403, "foreign origin")
        await self.app(scope, receive, with_headers(send))


async def refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": REFUSED})
        return
    await with_headers(send)(
        {"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]}
    )
    await send({"type": "http.response.body", "body": why.encode()})


def with_headers(send: Send) -> Send:
    """Sends what it is given, with the headers that every answer has."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = {name.decode("latin-1").lower() for name, _ in message.get("headers", [])}
            more = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n not in own]
            message = {**message, "headers": [*message.get("headers", []), *more]}
        await send(message)

    return sending
