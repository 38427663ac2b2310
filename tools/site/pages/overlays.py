"""Errata by their dates and variants: what each changes, before and after, and the rulings that go with it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Overlay, Site
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, between, joined, listed, tag
from tools.site.html.layout import Page
from tools.site.pages.parts import change_parts, ruling_links


def overlay_pages(site: Site, lang: str) -> Iterator[Page]:
    if site.overlays:
        here = Here(site, lang, "overlays.html")
        body = joined([entry(here, overlay) for overlay in site.overlays])
        yield Page(here, "overlays", here.say("overlays"), body)


def entry(here: Here, overlay: Overlay) -> Html:
    marks = [here.say(f"{overlay.word}_word")]
    marks += [here.say("dated", day=overlay.dated)] if overlay.dated else []
    marks += [here.say("printing", name=overlay.printing)] if overlay.printing else []
    marks += [here.say("applied")] if overlay.applied else []
    shown = between(" ", [tag("span", mark, class_="mark") for mark in marks])
    body: list[Inside] = [tag("h2", tag("code", overlay.name), " ", shown)]
    body += [tag("p", overlay.because)] if overlay.because else []
    body += [listed(map(here.clause, overlay.cites), "cites"), tag("p", here.place(overlay.span))]
    body += [change_parts(here, change, with_name=False) for change in overlay.changes]
    if overlay.rulings:
        body += [tag("h3", here.say("own_rulings")), ruling_links(here, overlay.rulings)]
    return tag("section", body, class_="item", id=overlay.name)
