"""The values of a game: the base of each, its modifiers layer by layer, and the rules that read it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, separated, tag, unordered_list
from tools.site.content.model import Modifier, SiteContent, ValuePage
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage, filter_field
from tools.site.pages.parts import change_parts


def value_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    if site.values:
        context = PageContext(site, lang, "values.html")
        body = [filter_field(context), *(entry(context, value) for value in site.values)]
        yield SitePage(context, "values", context.phrase("values"), joined(body))


def entry(context: PageContext, value: ValuePage) -> Html:
    mark = [" ", tag("span", context.phrase("bots"), class_="mark")] if value.bots else None
    title = context.title(value.name)
    shown = title if title != value.name.replace("_", " ") else None
    head = [tag("code", value.name), " ", tag("span", shown, class_="soft") if shown else None, mark]
    body: list[Content] = [tag("h2", head), tag("p", context.place_link(value.span)), context.code(value.span)]
    body += [unordered_list(map(context.clause_link, value.cites), "cites")]
    if any(layer.lines for layer in value.layers):
        body.append(tag("h3", context.phrase("modifiers")))
    for layer in value.layers:
        if layer.lines:
            body += [tag("p", context.phrase("layer", name=layer.name), class_="soft")] if layer.name else []
            body += [modifier(context, line) for line in layer.lines]
    if value.changes:
        body += [tag("h3", context.phrase("changed_by"))]
        body += [change_parts(context, change, with_name=True) for change in value.changes]
    users = separated(", ", [reader_link(context, name) for name in value.users])
    reader_text = [f"{context.phrase('used_by')}: ", users] if users else context.phrase("no_users")
    body.append(tag("p", reader_text, class_="soft"))
    return tag("section", body, class_="item", id=value.name, data_find=True)


def modifier(context: PageContext, line: Modifier) -> Html:
    about: list[Content] = [reader_link(context, line.where)] if line.where else []
    about += [" ", context.place_link(line.span)]
    about += [" ", tag("span", context.phrase("timed"), class_="mark")] if line.timed else []
    conditions = [
        [" · ", context.phrase("while"), " ", tag("code", context.site.model.text(c))] for c in line.conditions
    ]
    return tag("div", tag("p", about, conditions, class_="soft"), context.code(line.span))


def reader_link(context: PageContext, address: str) -> Html:
    """A link to a rule that reads or modifies a value: a card, another value, or any other declaration."""
    for sort in ("card", "value", "rule"):
        if f"{sort} {address}" in context.site.urls:
            return context.link(f"{sort} {address}", tag("code", address))
    return tag("code", address)
