"""The asker and the language: cookies, addresses, tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from dsl.files.phrases import FALLBACK, languages, shorter_tags
from tools.web.running.secrets import fits

COOKIE = "seat"
DAYS = 90


class TablePlace(Protocol):
    """A table that somebody sits at, whether it goes on or not. `hashes`: place -> hash of its secret."""

    @property
    def id(self) -> str: ...

    @property
    def hashes(self) -> dict[str, str]: ...


def address_of(asked: Any) -> str:
    """The address that a request or a line comes from."""
    return asked.client.host if asked.client is not None else ""


def may_sit(room: TablePlace, place: str, cookies: Mapping[str, str]) -> bool:
    """Whether the cookie is that of this place. Its path is that of the place alone, so that one browser can hold
    several."""
    return place in room.hashes and fits(cookies.get(COOKIE, ""), room.hashes[place])


def path_of(room: TablePlace, place: str) -> str:
    return f"/g/{room.id}/{place}/"


def set_cookie(response: Any, room: TablePlace, place: str, secret: str, secure: bool) -> None:
    response.set_cookie(COOKIE, secret, httponly=True, samesite="strict", secure=secure, path=path_of(room, place),
                        max_age=DAYS * 86_400)  # fmt: skip


def chosen_language(asked: Any, known: Iterable[str]) -> str:
    """The language of `?lang=`, else the first that the browser names, of those that are known."""
    tags = list(known) or [FALLBACK]
    by_name = {tag.casefold(): tag for tag in tags}
    wanted = asked.query_params.get("lang", "")
    header = asked.headers.get("accept-language", "")
    for tag in [wanted, *(part.partition(";")[0].strip() for part in header.split(","))]:
        for shorter in shorter_tags(tag.replace("_", "-")[:40]):
            if shorter.casefold() in by_name:
                return by_name[shorter.casefold()]
    return tags[0]


def tool_language(asked: Any) -> str:
    """The language of a page that is about no game."""
    return chosen_language(asked, languages())
