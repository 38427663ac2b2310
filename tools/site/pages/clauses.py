"""The clauses of the rulebook: an index, and a page for each chapter with the rules and rulings of each clause."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Cited, Clause, Site
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, joined, tag
from tools.site.html.layout import Page, filter_field, group
from tools.site.pages.parts import neighbours, ruling_links


def clause_pages(site: Site, lang: str) -> Iterator[Page]:
    if not site.clauses:
        return
    here = Here(site, lang, "clauses.html")
    chapters: dict[str, list[Clause]] = {}
    for clause in site.clauses:
        chapters.setdefault(clause.chapter, []).append(clause)
    groups = [
        group(here.to(f"chapter {chapter}", chapter), tag("ul", [row(here, c) for c in clauses], class_="cites"))
        for chapter, clauses in chapters.items()
    ]
    yield Page(here, "clauses", here.say("clauses"), joined([filter_field(here), *groups]))
    titles = [(f"chapter {chapter}", chapter) for chapter in chapters]
    for number, (chapter, clauses) in enumerate(chapters.items()):
        here = Here(site, lang, f"clauses/{chapter}.html")
        body = [*(entry(here, clause) for clause in clauses), neighbours(here, titles, number)]
        yield Page(here, "clauses", f"{here.say('clauses')} {chapter}", joined(body))


def row(here: Here, clause: Clause) -> Html:
    """One line of the index; a clause without a rule says so."""
    mark = tag("span", here.say("prose"), class_="mark") if clause.prose and not clause.rules else None
    source = [" · ", tag("span", clause.source, class_="soft")] if clause.source else None
    return tag("li", here.clause(clause.id), source, " ", mark, data_find=True)


def entry(here: Here, clause: Clause) -> Html:
    title = [tag("span", clause.id, class_="id"), " ", here.clause_title(clause.id)]
    body: list[Inside] = [tag("h2", title)]
    if clause.source:
        body.append(tag("p", f"{here.say('source')}: {clause.source}", class_="soft"))
    if clause.prose:
        body.append(tag("p", tag("span", here.say("prose"), class_="mark"), " ", clause.prose))
    for cited in clause.rules:
        body += [tag("p", whereabouts(here, cited), class_="soft"), here.code(cited.span)]
    if not clause.rules and not clause.prose:
        body.append(tag("p", here.say("no_rules"), class_="soft"))
    if clause.rulings:
        body += [tag("h3", here.say("rulings")), ruling_links(here, clause.rulings)]
    return tag("section", body, class_="item", id=clause.id)


def whereabouts(here: Here, cited: Cited) -> Inside:
    """The name of the rule, with a link to the card or declaration that it is part of."""
    kind = "card" if f"card {cited.top}" in here.site.places else "rule"
    return [here.to(f"{kind} {cited.top}", tag("code", cited.address or cited.top)), " · ", here.place(cited.span)]
