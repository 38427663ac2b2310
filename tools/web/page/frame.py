"""Whole HTML pages: the frame of a table, which the parts are put into, and pages without one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from dsl.files.phrases import phrase
from tools.html.document import document
from tools.html.elements import Content, Html, tag
from tools.web.page.words import say

SHEETS = ("/static/picture.css", "/static/table.css")
TOLD = ("your_turn", "offline", "online", "slow", "bad_link")  # said by the script


def served_page(lang: str, title: str, body: Iterable[Content], sheets: Sequence[str] = (), /, **told: str) -> str:
    """A page of the server. `told`: what the script is told, as attributes of the body."""
    loaded = (*SHEETS, *sheets)
    return document(lang, title, body, sheets=loaded, scripts=["/static/table.js"], class_="rw", told=told)


def plain_page(lang: str, title: str, *inside: Content) -> str:
    """A page with a title and something below it."""
    return served_page(lang, title, [home_bar(), tag("main", tag("h1", title), inside, class_="plain")])


def home_bar(*more: Content) -> Html:
    """The bar of a page without a table."""
    return tag("header", tag("a", "Rulewright", href="/", class_="home"), more, class_="bar")


def told_to_script(lang: str) -> str:
    return json.dumps({key: say(lang, key) for key in TOLD}, ensure_ascii=False)


def joining_page(lang: str, title: str) -> str:
    """The page of who has no cookie yet: its script sends the secret of the link, and comes again."""
    inside = [tag("main", tag("h1", title), tag("p", say(lang, "joining"), id="joining"), class_="plain")]
    return served_page(lang, title, inside, join="1", words=told_to_script(lang))


def table_page(
    lang: str, title: str, languages: Iterable[str], may_save: bool, sheet: str, made_up: Sequence[str] = ()
) -> str:
    """The frame of a table. The parts of the picture go into `board`, question and log into the column beside it, and
    what is told of stand-ins (`made_up`) below them."""
    body = [
        tag("a", say(lang, "log"), href="#log", class_="hidden skip"),
        tag("header", header(lang, title, languages, may_save), class_="bar"),
        tag("div",
            tag("main", id="board"),
            tag("aside",
                tag("div", id="question"),
                telling(lang),
                tag("div", id="history"),
                stand_ins(lang, made_up),
                aria_label=say(lang, "table"),
                id="side"),
            id="table"),
    ]  # fmt: skip
    return served_page(lang, title, body, [sheet], lang=lang, words=told_to_script(lang), title=title)


def stand_ins(lang: str, made_up: Sequence[str]) -> Html | None:
    """What is not as printed, to be unfolded; nothing where all is."""
    if not made_up:
        return None
    head = tag("summary", phrase(lang, "info", "stand_ins"))
    return tag("details", head, tag("ul", [tag("li", one) for one in made_up]), class_="stand_ins")


def telling(lang: str) -> Html:
    """The place for what is told about a thing."""
    inside = tag("div", tag("p", say(lang, "about_none"), class_="soft"), id="about")
    close = tag("button", say(lang, "close"), type="button", id="close")
    return tag("section", close, tag("h2", say(lang, "about")), inside, id="telling", aria_live="polite", tabindex="0")


def header(lang: str, title: str, languages: Iterable[str], may_save: bool) -> Iterable[Html | None]:
    yield tag("a", "Rulewright", href="/", class_="home")
    yield tag("span", say(lang, "connecting"), id="net", role="status")
    yield tag("label", say(lang, "slider"), " ", tag("input", type="range", min="0", max="0", value="0", id="slider"),
              class_="slider")  # fmt: skip
    yield tag(
        "select", tag("option", say(lang, "slider_own"), value=""), id="as", hidden=True, aria_label=say(lang, "slider")
    )
    yield tag("output", id="slid")
    yield tag("button", say(lang, "slider_end"), type="button", id="now", hidden=True)
    yield tag("button", say(lang, "notify"), type="button", id="notify", hidden=True)
    if may_save:
        yield tag("a", say(lang, "save_file"), href="save", download=True)
    yield tag("nav", [language_link(lang, one) for one in languages], aria_label=say(lang, "language"))


def language_link(lang: str, other: str) -> Html:
    name = phrase(other, "engine", "language")
    return tag("a", name, href=f"?lang={other}", lang=other, hreflang=other,
               aria_current="true" if other == lang else None)  # fmt: skip
