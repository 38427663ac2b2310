"""The request to take back what nobody may take back alone: one line, and the buttons of who is to reply."""

from __future__ import annotations

from collections.abc import Iterator

from tools.picture.model.position import seat_text
from tools.picture.render.elements import Html, tag
from tools.shows.presenter import Presenter
from tools.table.request import Request
from tools.web.page.words import say


def request_told(presenter: Presenter, request: Request | None, awaited: bool) -> Iterator[Html]:
    """`awaited`: whether this reader is to reply. The same for all others: that somebody asks is said openly."""
    if request is None:
        return
    lang = presenter.lang
    key, seat = ("back_refused", request.refused) if request.refused else ("back_asked", request.seat)
    buttons = [tag("button", say(lang, name), type="button", class_="tool", data_send=name)
               for name in ("agree", "refuse")] if awaited else []  # fmt: skip
    yield tag("p", say(lang, key, who=seat_text(presenter, seat)), class_="request")
    if buttons:
        yield tag("div", buttons, class_="tools")
