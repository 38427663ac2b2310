"""Texts and buttons about people who have gone away, and about an end before the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.html.elements import Content, Html, tag
from tools.picture.model.position import seat_text
from tools.shows.presenter import Presenter
from tools.table.notices import Notice
from tools.table.table import Table
from tools.web.page.words import say

PATIENCES = (300, 3600, 86_400, 259_200)  # seconds that a table may be opened with, after which a bot takes over
NEVER = 0


@dataclass(frozen=True, slots=True)
class Presence:
    """The presence of people, as a reader is told. `gone`: the seat that all wait for, if its person has gone away;
    `back`: the seats that the reader may take back from bots; `patience`: seconds after which a bot takes over; 0:
    never."""

    gone: int = 0
    back: tuple[int, ...] = ()
    patience: int = NEVER


def taken_seats(presenter: Presenter, back: tuple[int, ...]) -> Iterator[Html]:
    """The seats of this reader that bots play for, and how they are taken back."""
    lang = presenter.lang
    for seat in back:
        who = seat_text(presenter, seat)
        button = tag(
            "button", say(lang, "take_seat"), type="button", class_="tool", data_send="back", data_seat=str(seat)
        )
        yield tag("p", say(lang, "bot_plays", who=who), class_="request")
        yield tag("div", button, class_="tools")


def waited_told(presenter: Presenter, table: Table, presence: Presence) -> Iterator[Content]:
    """The time that a person is waited for, if another one waits."""
    if presence.patience and table.person_to_ask() and len(table.people) > 1:
        time = say(presenter.lang, f"patience_{presence.patience}")
        yield tag("p", say(presenter.lang, "patience_told", time=time), class_="soft")


def wishes(presenter: Presenter, table: Table, presence: Presence) -> Iterator[Html]:
    """Buttons for what is asked of all others: that a bot goes on for somebody, or that the game ends here."""
    seat, lang = presenter.seat or 0, presenter.lang
    if presence.gone and table.may_ask_bot(seat, presence.gone):
        who = seat_text(presenter, presence.gone)
        words, number = say(lang, "ask_bot", who=who), str(presence.gone)
        yield tag("button", words, type="button", class_="tool", data_send="ask_bot", data_seat=number)
    if table.may_ask_end(seat):
        words, sure = say(lang, "ask_end"), say(lang, "sure")
        yield tag("button", words, type="button", class_="tool", data_send="ask_end", data_sure=sure)


def notices_told(presenter: Presenter, table: Table) -> list[tuple[int, str]]:
    """The notices of a table in words, each with the number of the entry that it stands before."""
    return [(one.at, notice_text(presenter, one)) for one in table.notices]


def notice_text(presenter: Presenter, one: Notice) -> str:
    who = seat_text(presenter, one.seat) if one.seat else ""
    return say(presenter.lang, f"notice_{one.kind}", who=who)
