"""The index of names: everything that has a name in the game, in the order of the alphabet, to be filtered."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Site
from tools.site.content.rules import SKIPPED
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, joined, tag
from tools.site.html.layout import Page, filter_field, group


def name_pages(site: Site, lang: str) -> Iterator[Page]:
    here = Here(site, lang, "names.html")
    letters: dict[str, list[Html]] = {}
    for name, key, title in sorted(set(entries(here)), key=lambda entry: (entry[0].casefold(), entry)):
        letters.setdefault(name[:1].upper(), []).append(row(here, name, key, title))
    groups = [group(letter, tag("ul", rows, class_="columns")) for letter, rows in letters.items()]
    yield Page(here, "names", here.say("names"), joined([filter_field(here), *groups]))


def entries(here: Here) -> Iterator[tuple[str, str, str]]:
    """(name, key of its place, title) of all that is declared, and of the rulings."""
    site = here.site
    for card in site.cards:
        yield card.id, f"card {card.id}", here.member(card.kind, card.id)
    for clause in site.clauses:
        yield clause.id, f"clause {clause.id}", here.clause_title(clause.id)
    for value in site.values:
        yield value.name, f"value {value.name}", here.title(value.name)
    for overlay in site.overlays:
        yield overlay.name, f"overlay {overlay.name}", overlay.because
    for domain in site.game.program.domains.values():
        yield domain.name, f"kind {domain.name}", here.kind(domain.name)
    for several in site.rulings.values():
        for ruling in several:
            yield ruling.name, f"ruling {ruling.name}", ruling.title
    told = {*(card.id for card in site.cards), *site.model.values, *site.game.program.domains}
    for items in site.declared.values():
        for item in items:
            if item.top and item.address not in told and item.word not in SKIPPED:
                yield item.address, f"rule {item.address}", here.title(f"{item.address}.title", item.address)


def row(here: Here, name: str, key: str, title: str) -> Html:
    sort = key.partition(" ")[0]
    shown: list[Inside] = [here.to(key, tag("code", name))]
    if title and title != name.replace("_", " "):
        shown += [" ", title]
    return tag("li", shown, " ", tag("span", here.say(f"sort_{sort}"), class_="soft"), data_find=True)
