"""A picture as one page of HTML that needs nothing else: the map as SVG, panels as tables and lists that a screen
reader can read and a narrow window can wrap."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

from tools.html.document import document
from tools.html.elements import Content, Html, joined, tag
from tools.html.styles import PICTURE, page_style
from tools.picture.model.data import (
    Chart,
    Face,
    FactTable,
    Groups,
    Panel,
    Picture,
    PrintedFact,
    PrintedFacts,
    Thing,
    Track,
)
from tools.picture.model.piles import cards_in
from tools.picture.render.cards import BAND
from tools.picture.render.chart import Written, draw_chart
from tools.picture.render.flow import COMMA
from tools.picture.render.shapes import number
from tools.picture.render.style import STYLE, band_class, band_style, bands_in, pattern_defs
from tools.picture.render.tokens import token, token_width
from tools.picture.render.tracks import track as draw_track
from tools.shows.parts import CHIP, FACE, NAME, Part, Parts

THING = re.compile(r'data-thing="([^"]*)"')
TRACK = 1180.0  # the width of a track that all markers are on
TOKEN, DOT = 19.0, 16.0  # the height of a token in a line, and of one before a name

MOST_KEPT = 8  # drawings of one section, for readers of whom each sees something of his own


@dataclass(frozen=True)
class PageSection:
    """A section of a page; its html, and the keys of the things in it."""

    id: str
    html: Html

    @cached_property
    def things(self) -> frozenset[str]:
        return frozenset(THING.findall(self.html))


@dataclass(frozen=True)
class KeptSections:
    """The drawings of pictures of one game in one language. `sections`: by its id, how a section was drawn, with what
    it shows, the newest first; `places`: what was written on places of the map."""

    sections: dict[str, list[tuple[object, PageSection]]] = field(default_factory=dict)
    places: Written = field(default_factory=dict)


def page_of(picture: Picture) -> str:
    """The text of an HTML file."""
    return printed_page(picture, [tag("header", heading(picture)), tag("main", parts_of_page(picture))])


def printed_page(picture: Picture, inside: Content) -> str:
    """A file with the style of pictures, and the title and language of this one."""
    body = joined(inside)
    style = STYLE + page_style(PICTURE) + band_style(bands_in(body))
    return document(picture.lang, f"{picture.title} – {picture.reader}", body, style=style, class_="rw")


def heading(picture: Picture) -> Iterator[Html]:
    yield tag("h1", picture.title, " ", tag("small", picture.reader))
    if picture.headings:
        yield tag("p", " › ".join(picture.headings), class_="soft")
    if picture.asked:
        yield tag("p", tag("strong", picture.asked))


def parts_of_page(picture: Picture) -> Iterator[Html]:
    return (part.html for part in sections_of(picture))


def sections_of(picture: Picture, kept: KeptSections | None = None) -> Iterator[PageSection]:
    """The sections of a page. `kept`: those that were drawn before for pictures of the same game in
    the same language, which are used again where they show the same; it is brought up to date."""
    kept = KeptSections() if kept is None else kept

    def drawn(id_: str, shown: object, draw: Callable[[], Html]) -> PageSection:
        before = kept.sections.setdefault(id_, [])
        found = next((section for was, section in before if was == shown), None)
        if found is None:
            found = PageSection(id_, draw())
            kept.sections[id_] = [(shown, found), *before[: MOST_KEPT - 1]]
        return found

    if (chart := picture.chart) is not None:
        yield drawn(f"{picture.prefix}map", chart, lambda: map_section(picture, chart, kept.places))
    for panel in picture.panels:
        shown = panel, faces_on(picture, cards_in(panel))
        yield drawn(f"{picture.prefix}panel-{panel.id}", shown, partial(panel_section, picture, panel))
    if picture.legend or picture.signs:
        told = picture.legend_title, picture.legend, picture.signs
        yield drawn(f"{picture.prefix}legend", told, lambda: legend_section(picture))


def faces_on(picture: Picture, cards: Iterable[str]) -> dict[str, Face]:
    """The faces of cards, and of those that are named on them."""
    found: dict[str, Face] = {}
    left = list(cards)
    while left:
        key = left.pop()
        if key not in found and key in picture.faces:
            face = found[key] = picture.faces[key]
            left += [part.thing for fact in face.facts for part in fact.parts if part.form == FACE]
    return found


def map_section(picture: Picture, chart: Chart, before: Written | None = None) -> Html:
    drawn = draw_chart(picture, chart, before)
    box = {"viewBox": f"0 0 {number(drawn.width)} {number(drawn.height)}", "width": number(drawn.width)}
    svg = tag("svg", tag("title", chart.title), pattern_defs(), drawn.html, **box, role="img", class_="rw map")
    return section(f"{picture.prefix}map", chart.title, svg, hidden_title=True)


def panel_section(picture: Picture, panel: Panel) -> Html:
    return section(f"{picture.prefix}panel-{panel.id}", panel.title, panel_html(picture, panel), side=panel.side)


def legend_section(picture: Picture) -> Html:
    return section(f"{picture.prefix}legend", picture.legend_title, tag("p", legend(picture), class_="facts"))


def section(id_: str, title: str, inside: Content, hidden_title: bool = False, side: str = "") -> Html:
    """A part of the page under its title; `side`: that of a panel."""
    head = tag("h2", title, class_="hidden" if hidden_title else None)
    return tag("section", head, inside, id=id_, class_=f"side-{side}" if side else None)


def panel_html(picture: Picture, panel: Panel) -> Content:
    match panel:
        case PrintedFacts():
            return [block for one in panel.blocks for block in facts(picture, one.title, one.rows)]
        case FactTable():
            return table(picture, panel)
        case Groups():
            if panel.flow:
                return tag("div", groups_in_line(picture, panel), class_="line")
            rows = [tag("tr", tag("th", inline(picture, row.head), scope="row"),
                        tag("td", [tag("span", inline(picture, cell), class_="cell") for cell in row.cells]))
                    for row in panel.rows]  # fmt: skip
            return wide(tag("table", tag("tbody", rows)))
        case Track():
            return track(picture, panel)


def groups_in_line(picture: Picture, panel: Groups) -> Iterator[Html]:
    """The cells of all groups, each below the name of its group."""
    for row in panel.rows:
        for cell in row.cells:
            yield tag("span", tag("span", inline(picture, row.head), class_="soft"), tag("span", inline(picture, cell)))


def facts(picture: Picture, title: Parts, rows: Iterable[Iterable[PrintedFact]]) -> Iterator[Html]:
    if title:
        yield tag("h3", inline(picture, title))
    for row in rows:
        yield tag("p", [tag("span", label(fact), " ", inline(picture, fact.parts), class_="fact") for fact in row],
                  class_="facts")  # fmt: skip


def label(fact: PrintedFact) -> Html | None:
    return tag("span", fact.label, class_="soft") if fact.label else None


def table(picture: Picture, panel: FactTable) -> Html:
    """A table without the columns in which nothing stands."""
    used = [n for n in range(len(panel.heads)) if any(row.cells[n] for row in panel.rows)]
    head = tag("tr", tag("td"), [tag("th", panel.heads[n], scope="col") for n in used])
    rows = [tag("tr", tag("th", inline(picture, row.head), scope="row"),
                [tag("td", inline(picture, row.cells[n])) for n in used])
            for row in panel.rows]  # fmt: skip
    return wide(tag("table", tag("thead", head), tag("tbody", rows)))


def track(picture: Picture, panel: Track) -> Html:
    """Each lane a row, the marker in the column of its space; one lane for all as a drawing."""
    if panel.step:
        return drawn_track(picture, panel)
    spaces = range(panel.low, panel.high + 1)
    head = tag("tr", tag("td"), [tag("th", str(n), scope="col") for n in spaces])
    rows = []
    for lane in panel.lanes:
        labels, marker = dict(lane.labels), picture.things[lane.thing]
        cells = [tag("td", token_svg(picture, marker, TOKEN) if n == lane.at else None, labels.get(n),
                     class_="border" if n in lane.borders else None) for n in spaces]  # fmt: skip
        rows.append(tag("tr", tag("th", inline(picture, lane.head), scope="row"), cells))
    return wide(tag("table", tag("thead", head), tag("tbody", rows), class_="track"))


def drawn_track(picture: Picture, panel: Track) -> Html:
    drawn = draw_track(picture, panel, TRACK)
    told = ", ".join(f"{picture.things[lane.thing].name} {lane.at}" for lane in panel.lanes)
    box = {"viewBox": f"0 0 {number(drawn.width)} {number(drawn.height)}", "width": number(drawn.width)}
    svg = tag("svg", tag("title", f"{panel.title}: {told}"), drawn.html, **box, role="img", class_="rw map lane")
    return wide(svg)


def wide(table: Html) -> Html:
    """A table that scrolls by itself where the page is narrow."""
    return tag("div", table, class_="wide")


def inline(picture: Picture, parts: Parts) -> Html:
    """Parts in a line; cards beside one another."""
    found: list[Content] = []
    for part in parts:
        found += [" " if found else None, part_html(picture, part)]
        found += [COMMA.get(picture.lang, ",")] if part.more and part.form in ("", NAME) else []
    return joined(found)


def part_html(picture: Picture, part: Part) -> Html:
    thing = picture.things.get(part.thing)
    if thing is None:
        return tag("span", part.counted, class_="soft") if part.dim else joined(part.counted)
    if part.form == FACE and part.thing in picture.faces:
        return card(picture, part, thing)
    many = "" if part.count is None else str(part.count)
    told = "\n".join((thing.name, *thing.about))
    if part.form == CHIP:
        return tag("span", token_svg(picture, thing, TOKEN), many, class_="chip", title=told, data_thing=thing.key)
    dot = token_svg(picture, thing, DOT, named=False) if thing.colour else None
    return tag("span", dot, " " if dot else None, thing.name, f" {many}" if many else None, class_="name",
               title=told if thing.about else None, data_thing=thing.key)  # fmt: skip


def token_svg(picture: Picture, thing: Thing, size: float, named: bool = True) -> Html:
    """A token as a picture in a line; `named`: its name does not stand beside it."""
    width = token_width(thing, size)
    box = {"viewBox": f"-2 -2 {number(width + 4)} {number(size + 4)}"}
    box |= {"width": number(width + 4), "height": number(size + 4)}
    looks = {"role": "img", "aria_label": thing.name} if named else {"aria_hidden": "true"}
    return tag("svg", token(picture, thing, 0, size / 2, size), **box, **looks, class_="rw token")


def card(picture: Picture, part: Part, thing: Thing) -> Html:
    face = picture.faces[part.thing]
    band = face.band or BAND
    many = "" if part.count is None else f" ×{part.count}"
    head = tag("b", thing.name + many, tag("i", face.corner) if face.corner else None,
               class_=band_class(band))  # fmt: skip
    rows = [tag("span", tag("span", fact.label, class_="soft"), tag("span", inline(picture, fact.parts)), class_="row")
            for fact in face.facts]  # fmt: skip
    text = tag("span", face.text, class_="text") if face.text else None
    return tag("span", head, rows, text, class_="card mark" if face.changed else "card",
               title="\n".join(thing.about) or None, data_thing=thing.key,
               data_below=" ".join(part.below) or None)  # fmt: skip


def legend(picture: Picture) -> Iterator[Html]:
    for key in picture.legend:
        thing = picture.things[key]
        yield tag("span", token_svg(picture, thing, DOT, named=False), " ", thing.name, class_="fact")
    for sign, meaning in picture.signs:
        yield tag("span", tag("b", sign), " ", meaning, class_="fact")
