"""The lines in the place of a question or above it: whose answer is awaited, the result of a game, a fault of its
rules, the curtain before the next person at one screen, what somebody asks of all."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import RulesetError, State, result
from interpreter.play.result import Actors, actors_of
from tools.base.seats import seat_name
from tools.html.elements import Html, tag
from tools.picture.model.position import seat_text
from tools.shows.messages import message
from tools.shows.presenter import Presenter
from tools.table.requests import Request
from tools.web.page.sitting import seat_told
from tools.web.page.words import say


def awaited(presenter: Presenter, actors: Actors) -> Iterator[Html]:
    """Whose answer is awaited; nothing of the question itself, which is for the one who answers it."""
    decision = presenter.state.decision
    if decision is not None:
        names = ", ".join(seat_told(presenter, actors, seat) for seat in decision.open_seats)
        yield tag("h2", say(presenter.lang, "awaits", who=names), class_="prompt soft", id="prompt", tabindex="-1")


def final_scores(state: State, lang: str) -> Iterator[Html]:
    """The scores and the winners, as the terminal tells them."""
    yield tag("h2", say(lang, "over"), class_="prompt", id="prompt", tabindex="-1")
    yield from scores_told(state, lang, message(lang, "scores"))
    found, actors = result(state), actors_of(state)
    if found.winners:
        names = ", ".join(seat_name(state, seat, actors, lang) for seat in found.winners)
        drawn = len(found.winners) == state.seats > 1
        yield tag("p", tag("strong", message(lang, "draw" if drawn else "winner", names=names)))
    elif found.lost:
        yield tag("p", tag("strong", message(lang, "lost")))


def agreed_end(state: State, lang: str) -> Iterator[Html]:
    """The end of a game by agreement: the scores as they stand, and nobody who wins."""
    yield tag("h2", say(lang, "ended"), class_="prompt", id="prompt", tabindex="-1")
    try:
        yield from scores_told(state, lang, say(lang, "scores_now"))
    except RulesetError:  # rules may count at the end alone
        return


def scores_told(state: State, lang: str, caption: str) -> Iterator[Html]:
    """The scores by seat, the best one first; nothing where the rules have none."""
    found, actors = result(state), actors_of(state)
    rows = [
        tag("tr", tag("th", seat_name(state, seat, actors, lang), scope="row"), tag("td", str(score)))
        for seat, score in sorted(found.scores.items(), key=lambda row: -row[1])
    ]
    if rows:
        yield tag("table", tag("caption", caption), tag("tbody", rows))


def fault_told(lang: str, fault: str) -> Iterator[Html]:
    yield tag("h2", say(lang, "fault"), class_="prompt", id="prompt", tabindex="-1")
    yield tag("p", fault)


def curtain(presenter: Presenter, seat: int) -> Iterator[Html]:
    """Before the next person sees their cards on a screen of several."""
    lang, who = presenter.lang, seat_text(presenter, seat)
    yield tag("h2", say(lang, "curtain", who=who), class_="prompt", id="prompt", tabindex="-1")
    yield tag("button", say(lang, "curtain_up", who=who), type="button", class_="option", data_send="up")


def request_told(presenter: Presenter, request: Request | None, awaited: bool) -> Iterator[Html]:
    """`awaited`: whether this reader is to reply. The same for all others: that somebody asks is said openly."""
    if request is None:
        return
    lang = presenter.lang
    key, seat = ("refused_by", request.refused) if request.refused else (f"{request.wish}_asked", request.seat)
    about = seat_text(presenter, request.about) if request.about else ""
    yield tag("p", say(lang, key, who=seat_text(presenter, seat), about=about), class_="request")
    if awaited:
        buttons = [tag("button", say(lang, name), type="button", class_="tool", data_send=name)
                   for name in ("agree", "refuse")]  # fmt: skip
        yield tag("div", buttons, class_="tools")
