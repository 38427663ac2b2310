"""What all pages share: head, ways to the other parts and to the other language, foot. Gives the text of a file."""

from __future__ import annotations

from dataclasses import dataclass

from tools.site.content.model import Site
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, joined, tag
from tools.site.html.phrases import LANGUAGES

STYLE_FILE, SCRIPT_FILE = "site.css", "site.js"
PARTS = ("cards", "clauses", "values", "rulings", "data", "rules", "overlays", "names")


@dataclass(frozen=True, slots=True)
class Page:
    """`part`: the entry of the navigation that it belongs to."""

    here: Here
    part: str
    title: str
    body: Html


def parts_of(site: Site) -> tuple[str, ...]:
    """The parts that this game has."""
    empty = {
        "cards": not site.cards,
        "clauses": not site.clauses,
        "values": not site.values,
        "rulings": not site.rulings,
        "overlays": not site.overlays,
    }
    return tuple(part for part in PARTS if not empty.get(part))


def page_text(page: Page) -> str:
    here = page.here
    game = game_title(here)
    links: list[Inside] = []
    for part in ("start", *parts_of(here.site)):
        target = "index.html" if part == "start" else f"{part}.html"
        current = "page" if target == here.path else "true" if part == page.part else None
        links.append(tag("a", here.say(part), href=here.up + target, aria_current=current))
    others = [
        tag("a", LANGUAGES[lang], href=f"../{here.up}{lang}/{here.path}", lang=lang, hreflang=lang)
        for lang in here.site.languages
        if lang != here.lang
    ]
    top = tag("div", tag("a", game, href=f"{here.up}index.html", class_="game"), others, class_="top")
    title = game if page.title == game else f"{page.title} – {game}"
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("link", rel="stylesheet", href=f"../{here.up}{STYLE_FILE}"),
        tag("script", src=f"../{here.up}{SCRIPT_FILE}", defer=True),
    ]
    body = [
        tag("header", top, tag("nav", links)),
        tag("main", tag("h1", page.title), page.body),
        tag("footer", here.say("about")),
    ]
    return document(here.lang, head, body)


def document(lang: str, head: Inside, body: Inside) -> str:
    return f"<!doctype html>\n{tag('html', tag('head', head), tag('body', body), lang=lang)}\n"


def game_title(here: Here) -> str:
    titles = here.site.game.program.title
    return titles.get(here.lang) or titles.get("en") or here.site.game.program.id


def filter_field(here: Here) -> Html:
    """Shown when the script runs."""
    text = here.say("filter")
    return tag("input", type="search", placeholder=text, aria_label=text, data_filter=True, hidden=True)


def group(title: Inside, inside: Inside, id_: str | None = None) -> Html:
    """A part of a list that goes when the filter leaves nothing of it."""
    return tag("section", tag("h2", title), joined(inside), id=id_, data_group=True)
