"""The log as HTML: the last rows under the headings of their phases, with those that were taken back struck out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.html.elements import Html, tag
from tools.table.log import Told
from tools.table.news import CHANGE_STYLE, POINTS_STYLE
from tools.web.page.words import say

MOST_ROWS = 60  # that are sent with each page; the others when somebody asks for them
CLASSES = {CHANGE_STYLE: "change", POINTS_STYLE: "points"}
NOTICE = "notice"  # the class of a row about what has happened besides the game


def log_part(told: Sequence[Told], lang: str, moved: int = 0, notices: Sequence[tuple[int, str]] = ()) -> Html:
    """`moved`: how many lines of the log were played under other rules first; `notices`: what has happened besides the
    game, each with the number of the entry that it stands before."""
    more = len(told) - MOST_ROWS
    earlier = tag("button", say(lang, "earlier", n=more), type="button", id="earlier") if more > 0 else None
    rows = tag(
        "ol",
        list(items(told[-MOST_ROWS:], notices if more <= 0 else later(notices, told[more - 1]))),
        id="rows",
        tabindex="0",
        aria_label=say(lang, "log"),
    )
    under = tag("p", say(lang, "moved", n=moved), class_="soft") if moved else None
    return tag("section", tag("h2", say(lang, "log")), under, earlier, rows, id="log")


def later(notices: Sequence[tuple[int, str]], last: Told) -> list[tuple[int, str]]:
    """The notices behind a row."""
    return [one for one in notices if one[0] > last.row.number]


def items(told: Sequence[Told], notices: Sequence[tuple[int, str]] = ()) -> Iterator[Html]:
    """The rows with the notices between them, and before rows the headings that have changed since the last one."""
    above: tuple[str, ...] = ()
    waiting = list(notices)
    for one in told:
        row = one.row
        while waiting and waiting[0][0] <= row.number:
            yield tag("li", waiting.pop(0)[1], class_=NOTICE)
        if row.headings != above and row.headings:
            yield tag("li", " › ".join(row.headings), class_="heading")
        above = row.headings
        yield tag("li", tag("del", row.text) if one.undone else row.text, class_=CLASSES.get(row.style))
    for _, text in waiting:
        yield tag("li", text, class_=NOTICE)
