"""Errata by their dates, and variants: what each changes, before and after, and the rulings that come with it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, separated, tag, unordered_list
from tools.site.content.model import Overlay, SiteContent
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage
from tools.site.pages.parts import change_parts, ruling_links


def overlay_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    if site.overlays:
        context = PageContext(site, lang, "overlays.html")
        body = joined([entry(context, overlay) for overlay in site.overlays])
        yield SitePage(context, "overlays", context.phrase("overlays"), body)


def entry(context: PageContext, overlay: Overlay) -> Html:
    marks = [context.phrase(f"{overlay.word}_word")]
    marks += [context.phrase("dated", day=overlay.dated)] if overlay.dated else []
    marks += [context.phrase("printing", name=overlay.printing)] if overlay.printing else []
    marks += [context.phrase("applied")] if overlay.applied else []
    shown = separated(" ", [tag("span", mark, class_="mark") for mark in marks])
    body: list[Content] = [tag("h2", tag("code", overlay.name), " ", shown)]
    body += [tag("p", overlay.because)] if overlay.because else []
    body += [
        unordered_list(map(context.clause_link, overlay.cites), "cites"),
        tag("p", context.place_link(overlay.span)),
    ]
    body += [change_parts(context, change, with_name=False) for change in overlay.changes]
    if overlay.rulings:
        body += [tag("h3", context.phrase("own_rulings")), ruling_links(context, overlay.rulings)]
    return tag("section", body, class_="item", id=overlay.name)
