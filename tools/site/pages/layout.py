"""The layout of all pages: head, links to the other parts and languages, foot. Gives the text of a file."""

from __future__ import annotations

from dataclasses import dataclass

from tools.html.document import document
from tools.html.elements import Content, Html, joined, tag
from tools.site.content.model import SiteContent
from tools.site.pages.context import PageContext

STYLE_FILE, SCRIPT_FILE = "site.css", "site.js"
PARTS = ("cards", "clauses", "values", "rulings", "data", "rules", "overlays", "names")


@dataclass(frozen=True, slots=True)
class SitePage:
    """`part`: the entry of the navigation that it belongs to."""

    context: PageContext
    part: str
    title: str
    body: Html


def parts_of(site: SiteContent) -> tuple[str, ...]:
    """The parts that this game has."""
    empty = {
        "cards": not site.cards,
        "clauses": not site.clauses,
        "values": not site.values,
        "rulings": not site.rulings,
        "overlays": not site.overlays,
    }
    return tuple(part for part in PARTS if not empty.get(part))


def page_text(page: SitePage) -> str:
    context = page.context
    game = game_title(context)
    links: list[Content] = []
    for part in ("start", *parts_of(context.site)):
        target = "index.html" if part == "start" else f"{part}.html"
        current = "page" if target == context.path else "true" if part == page.part else None
        links.append(tag("a", context.phrase(part), href=context.root + target, aria_current=current))
    others = [
        tag(
            "a",
            context.site.game.texts.language_name(lang),
            href=f"../{context.root}{lang}/{context.path}",
            lang=lang,
            hreflang=lang,
        )
        for lang in context.site.languages
        if lang != context.lang
    ]
    top = tag("div", tag("a", game, href=f"{context.root}index.html", class_="game"), others, class_="top")
    title = game if page.title == game else f"{page.title} – {game}"
    body = [
        tag("header", top, tag("nav", links)),
        tag("main", tag("h1", page.title), page.body),
        tag("footer", context.phrase("about")),
    ]
    top_folder = f"../{context.root}"
    return document(context.lang, title, body, sheets=[top_folder + STYLE_FILE], scripts=[top_folder + SCRIPT_FILE])


def game_title(context: PageContext) -> str:
    return context.site.game.texts.title(context.lang)


def filter_field(context: PageContext) -> Html:
    """The field to filter a list by; hidden unless the script runs."""
    text = context.phrase("filter")
    return tag("input", type="search", placeholder=text, aria_label=text, data_filter=True, hidden=True)


def group(title: Content, inside: Content, id_: str | None = None) -> Html:
    """A part of a list, hidden when the filter leaves nothing of it."""
    return tag("section", tag("h2", title), joined(inside), id=id_, data_group=True)
