"""The index of names: everything that has a name in the game, in alphabetical order, with a filter."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, tag
from tools.site.content.model import SiteContent
from tools.site.content.rules import SKIPPED
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage, filter_field, group


def name_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    context = PageContext(site, lang, "names.html")
    letters: dict[str, list[Html]] = {}
    for name, key, title in sorted(set(entries(context)), key=lambda entry: (entry[0].casefold(), entry)):
        letters.setdefault(name[:1].upper(), []).append(row(context, name, key, title))
    groups = [group(letter, tag("ul", rows, class_="columns")) for letter, rows in letters.items()]
    yield SitePage(context, "names", context.phrase("names"), joined([filter_field(context), *groups]))


def entries(context: PageContext) -> Iterator[tuple[str, str, str]]:
    """(name, key of its URL, title) of all declarations and rulings."""
    site = context.site
    for card in site.cards:
        yield card.id, f"card {card.id}", context.member_title(card.kind, card.id)
    for clause in site.clauses:
        yield clause.id, f"clause {clause.id}", context.clause_title(clause.id)
    for value in site.values:
        yield value.name, f"value {value.name}", context.title(value.name)
    for overlay in site.overlays:
        yield overlay.name, f"overlay {overlay.name}", overlay.because
    for domain in site.game.program.domains.values():
        yield domain.name, f"kind {domain.name}", context.kind_title(domain.name)
    for in_file in site.rulings.values():
        for ruling in in_file:
            yield ruling.name, f"ruling {ruling.name}", ruling.title
    listed_names = {*(card.id for card in site.cards), *site.model.values, *site.game.program.domains}
    for items in site.declared.values():
        for item in items:
            if item.top and item.address not in listed_names and item.word not in SKIPPED:
                yield item.address, f"rule {item.address}", context.title(f"{item.address}.title", item.address)


def row(context: PageContext, name: str, key: str, title: str) -> Html:
    sort = key.partition(" ")[0]
    shown: list[Content] = [context.link(key, tag("code", name))]
    if title and title != name.replace("_", " "):
        shown += [" ", title]
    return tag("li", shown, " ", tag("span", context.phrase(f"sort_{sort}"), class_="soft"), data_find=True)
