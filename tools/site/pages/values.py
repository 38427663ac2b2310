"""The values of a game: what each is at its base, what modifies it layer by layer, and which rules read it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Modifier, Site, Value
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, between, joined, listed, tag
from tools.site.html.layout import Page, filter_field
from tools.site.pages.parts import change_parts


def value_pages(site: Site, lang: str) -> Iterator[Page]:
    if site.values:
        here = Here(site, lang, "values.html")
        body = [filter_field(here), *(entry(here, value) for value in site.values)]
        yield Page(here, "values", here.say("values"), joined(body))


def entry(here: Here, value: Value) -> Html:
    mark = [" ", tag("span", here.say("bots"), class_="mark")] if value.bots else None
    title = here.title(value.name)
    shown = title if title != value.name.replace("_", " ") else None
    head = [tag("code", value.name), " ", tag("span", shown, class_="soft") if shown else None, mark]
    body: list[Inside] = [tag("h2", head), tag("p", here.place(value.span)), here.code(value.span)]
    body += [listed(map(here.clause, value.cites), "cites")]
    if any(layer.lines for layer in value.layers):
        body.append(tag("h3", here.say("modifiers")))
    for layer in value.layers:
        if layer.lines:
            body += [tag("p", here.say("layer", name=layer.name), class_="soft")] if layer.name else []
            body += [modifier(here, line) for line in layer.lines]
    if value.changes:
        body += [tag("h3", here.say("changed_by"))]
        body += [change_parts(here, change, with_name=True) for change in value.changes]
    users = between(", ", [user(here, name) for name in value.users])
    told = [f"{here.say('used_by')}: ", users] if users else here.say("no_users")
    body.append(tag("p", told, class_="soft"))
    return tag("section", body, class_="item", id=value.name, data_find=True)


def modifier(here: Here, line: Modifier) -> Html:
    about: list[Inside] = [user(here, line.where)] if line.where else []
    about += [" ", here.place(line.span)]
    about += [" ", tag("span", here.say("timed"), class_="mark")] if line.timed else []
    conditions = [[" · ", here.say("while"), " ", tag("code", here.site.model.text(c))] for c in line.conditions]
    return tag("div", tag("p", about, conditions, class_="soft"), here.code(line.span))


def user(here: Here, address: str) -> Html:
    """A rule that reads or modifies a value: a card, another value, or any other declaration."""
    for sort in ("card", "value", "rule"):
        if f"{sort} {address}" in here.site.places:
            return here.to(f"{sort} {address}", tag("code", address))
    return tag("code", address)
