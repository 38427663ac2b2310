"""The text of the rules: an index of files with what they declare, and each file with numbered lines and anchors."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, separated, table, tag
from tools.site.content.model import SiteContent
from tools.site.content.urls import anchor, has_rules_page
from tools.site.pages.context import PageContext, code_rows, dedented
from tools.site.pages.layout import SitePage

SORTS = (("rules_files", (".rules",)), ("cards_files", (".cards",)), ("overlay_files", (".errata", ".variant")))


def rule_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    context = PageContext(site, lang, "rules.html")
    files = [file for file in site.declared if has_rules_page(file)]
    body: list[Content] = []
    for key, endings in SORTS:
        rows = [(context.link(f"file {file}", file), names(context, file)) for file in files if file.endswith(endings)]
        if rows:
            body += [
                tag("h2", context.phrase(key)),
                table((context.phrase("file"), context.phrase("holds_names")), rows),
            ]
    yield SitePage(context, "rules", context.phrase("rules"), joined(body))
    for file in files:
        context = PageContext(site, lang, site.urls[f"file {file}"])
        yield SitePage(context, "rules", file.rpartition("/")[2], text_of(context, file))


def names(context: PageContext, file: str) -> Html:
    found = [item for item in context.site.declared[file] if item.top]
    return separated(", ", [context.rule_link(item.address) for item in found])


def text_of(context: PageContext, file: str) -> Html:
    """The whole file; the names that it declares are anchors, the others are links to their declarations."""
    source = context.site.sources[file]
    ids = {
        item.name_span.start: anchor(item.address)
        for item in context.site.declared[file]
        if context.site.urls.get(f"rule {item.address}") == f"{context.path}#{anchor(item.address)}"
    }
    inside = context.highlighted(source.text, context.site.marks.get(file, ()), 0, len(source.text), ids)
    code = tag("code", code_rows(dedented("", inside, 0), numbered=True))
    return joined([tag("p", file, class_="place"), tag("pre", code, class_="code file")])
