"""The log as HTML: the last rows under the headings of their phases, with those that were taken back struck out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.html.elements import Html, tag
from tools.table.log import Told
from tools.table.news import CHANGE_STYLE, POINTS_STYLE
from tools.web.page.words import say

MOST_ROWS = 60  # that are sent with each page; the others when somebody asks for them
CLASSES = {CHANGE_STYLE: "change", POINTS_STYLE: "points"}


def log_part(told: Sequence[Told], lang: str, moved: int = 0) -> Html:
    """`moved`: how many lines of the log were played under other rules first."""
    more = len(told) - MOST_ROWS
    earlier = tag("button", say(lang, "earlier", n=more), type="button", id="earlier") if more > 0 else None
    rows = tag("ol", list(items(told[-MOST_ROWS:])), id="rows", tabindex="0", aria_label=say(lang, "log"))
    under = tag("p", say(lang, "moved", n=moved), class_="soft") if moved else None
    return tag("section", tag("h2", say(lang, "log")), under, earlier, rows, id="log")


def items(told: Sequence[Told]) -> Iterator[Html]:
    """The rows, and before them the headings that have changed since the last one."""
    above: tuple[str, ...] = ()
    for one in told:
        row = one.row
        if row.headings != above and row.headings:
            yield tag("li", " › ".join(row.headings), class_="heading")
        above = row.headings
        yield tag("li", tag("del", row.text) if one.undone else row.text, class_=CLASSES.get(row.style))
