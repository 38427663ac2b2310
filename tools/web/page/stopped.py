"""The page of a table that does not go on, since the rules that it was begun with are no longer kept."""

from __future__ import annotations

from collections.abc import Sequence

from tools.html.elements import tag
from tools.web.page.frame import plain_page
from tools.web.page.words import say


def stopped_page(lang: str, title: str, why: str, log: Sequence[str], rest: tuple[int, int] | None, host: bool) -> str:
    """`why`: what is wrong with the rules of today; `log`: what the reader may know of it; `rest`: how many lines of
    the log those rules lead to, and how many there are behind; None where they cannot be loaded; `host`: whether the
    reader may let the table go on from there, or remove it."""
    kind = "stopped_other" if rest is not None else "stopped_none"
    buttons = []
    if host and rest is not None and rest[0]:
        words = say(lang, "go_on", n=rest[0], more=rest[1])
        buttons.append(tag("form", tag("button", words), method="post", action="again"))
    if host:
        buttons.append(tag("form", tag("button", say(lang, "remove")), method="post", action="remove"))
    rows = tag("section", tag("h2", say(lang, "log")), tag("ol", [tag("li", line) for line in log]))
    inside = [
        tag("p", say(lang, kind)),
        tag("p", why, class_="why"),
        tag("p", say(lang, "stopped_kept")),
        *buttons,
        rows,
    ]
    return plain_page(lang, title, tag("h2", say(lang, "stopped")), *inside)
