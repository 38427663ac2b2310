"""The log as HTML: the last rows, with those that were taken back struck out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.picture.render.elements import Html, tag
from tools.table import LogRow
from tools.web.page.words import say

MOST_ROWS = 60  # that are sent with each page; the others when somebody asks for them


def log_part(rows: Sequence[LogRow], lang: str) -> Html:
    more = len(rows) - MOST_ROWS
    earlier = tag("button", say(lang, "earlier", n=more), type="button", id="earlier") if more > 0 else None
    return tag("section", tag("h2", say(lang, "log")), earlier, tag("ol", list(items(rows[-MOST_ROWS:]))), id="log")


def items(rows: Sequence[LogRow]) -> Iterator[Html]:
    for row in rows:
        yield tag("li", tag("del", row.text) if row.undone else row.text)
