"""The rulings: an index, and a page for each file with what is given, done and expected, and how it goes."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.highlight import CLAUSE
from tools.site.content.model import Ruling, Site
from tools.site.html.context import Here
from tools.site.html.context import rows as code_rows
from tools.site.html.elements import Html, Inside, joined, listed, tag
from tools.site.html.layout import Page, filter_field, group


def ruling_pages(site: Site, lang: str) -> Iterator[Page]:
    if not site.rulings:
        return
    here = Here(site, lang, "rulings.html")
    every = [ruling for several in site.rulings.values() for ruling in several if not ruling.position]
    passed = sum(ruling.passed for ruling in every)
    groups = [
        group(here.file(f"rulings {file}"), tag("ul", [row(here, ruling) for ruling in several], class_="cites"))
        for file, several in site.rulings.items()
    ]
    count = tag("p", here.say("n_passed", n=passed, all=len(every)), class_="soft")
    yield Page(here, "rulings", here.say("rulings"), joined([count, filter_field(here), *groups]))
    for file, several in site.rulings.items():
        here = Here(site, lang, site.places[f"rulings {file}"])
        yield Page(here, "rulings", file.rpartition("/")[2], joined([entry(here, ruling) for ruling in several]))


def row(here: Here, ruling: Ruling) -> Html:
    link = here.to(f"ruling {ruling.name}", ruling.name, "id")
    return tag("li", link, " ", ruling.title, " ", state(here, ruling), " ", here.clauses(ruling.cites), data_find=True)


def state(here: Here, ruling: Ruling) -> Html:
    """Whether a ruling holds; what a position is."""
    if ruling.position:
        return tag("span", here.say("position"), class_="mark")
    if not ruling.transcripts:
        return tag("span", here.say("not_run"), class_="mark")
    return tag(
        "span", here.say("holds" if ruling.passed else "fails"), class_="mark " + ("good" if ruling.passed else "bad")
    )


def entry(here: Here, ruling: Ruling) -> Html:
    head = [tag("span", ruling.name, class_="id"), " ", ruling.title, " ", state(here, ruling)]
    body: list[Inside] = [tag("h2", head), listed(map(here.clause, ruling.cites), "cites"), here.code(ruling.span)]
    body += [tag("p", failure, class_="bad") for failure in ruling.failures]
    lines = ruling.transcripts.get(here.lang)
    if lines:
        told = tag("pre", tag("code", code_rows(told_line(here, line) for line in lines)))
        body.append(tag("details", tag("summary", here.say("transcript")), told))
    return tag("section", body, class_="item", id=ruling.name)


def told_line(here: Here, line: str) -> Html:
    """A line of a transcript, with links to its clauses."""
    found: list[Inside] = []
    at = 0
    for clause in CLAUSE.finditer(line):
        found += [line[at : clause.start()], here.to(f"clause {clause.group()}", clause.group())]
        at = clause.end()
    return joined([*found, line[at:]])
