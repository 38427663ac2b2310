"""The text of the rules: an index of files with what they declare, and each file with numbered lines and anchors."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Site
from tools.site.content.urls import anchor, is_rules
from tools.site.html.context import Here, dedented
from tools.site.html.context import rows as code_rows
from tools.site.html.elements import Html, Inside, between, joined, table, tag
from tools.site.html.layout import Page

SORTS = (("rules_files", (".rules",)), ("cards_files", (".cards",)), ("overlay_files", (".errata", ".variant")))


def rule_pages(site: Site, lang: str) -> Iterator[Page]:
    here = Here(site, lang, "rules.html")
    files = [file for file in site.declared if is_rules(file)]
    body: list[Inside] = []
    for key, endings in SORTS:
        rows = [(here.to(f"file {file}", file), names(here, file)) for file in files if file.endswith(endings)]
        if rows:
            body += [tag("h2", here.say(key)), table((here.say("file"), here.say("holds_names")), rows)]
    yield Page(here, "rules", here.say("rules"), joined(body))
    for file in files:
        here = Here(site, lang, site.places[f"file {file}"])
        yield Page(here, "rules", file.rpartition("/")[2], text_of(here, file))


def names(here: Here, file: str) -> Html:
    found = [item for item in here.site.declared[file] if item.top]
    return between(", ", [here.rule(item.address) for item in found])


def text_of(here: Here, file: str) -> Html:
    """The whole file; a name that is declared here is an anchor, any other leads to where it is."""
    source = here.site.sources[file]
    ids = {
        item.at.start: anchor(item.address)
        for item in here.site.declared[file]
        if here.site.places.get(f"rule {item.address}") == f"{here.path}#{anchor(item.address)}"
    }
    inside = here.marked(source.text, here.site.marks.get(file, ()), 0, len(source.text), ids)
    code = tag("code", code_rows(dedented("", inside, 0), numbered=True))
    return joined([tag("p", file, class_="place"), tag("pre", code, class_="code file")])
