"""The rulings: an index, and a page for each file with what is given, done and expected, and the transcripts."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, tag, unordered_list
from tools.site.content.highlight import CLAUSE
from tools.site.content.model import RulingPage, SiteContent
from tools.site.content.pictures import picture_path
from tools.site.pages.context import PageContext, code_rows
from tools.site.pages.layout import SitePage, filter_field, group


def ruling_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    if not site.rulings:
        return
    context = PageContext(site, lang, "rulings.html")
    every = [ruling for in_file in site.rulings.values() for ruling in in_file if not ruling.position]
    passed = sum(ruling.passed for ruling in every)
    groups = [
        group(
            context.file_link(f"rulings {file}"),
            tag("ul", [row(context, ruling) for ruling in in_file], class_="cites"),
        )
        for file, in_file in site.rulings.items()
    ]
    count = tag("p", context.phrase("n_passed", n=passed, all=len(every)), class_="soft")
    yield SitePage(context, "rulings", context.phrase("rulings"), joined([count, filter_field(context), *groups]))
    for file, in_file in site.rulings.items():
        context = PageContext(site, lang, site.urls[f"rulings {file}"])
        yield SitePage(
            context, "rulings", file.rpartition("/")[2], joined([entry(context, ruling) for ruling in in_file])
        )


def row(context: PageContext, ruling: RulingPage) -> Html:
    link = context.link(f"ruling {ruling.name}", ruling.name, "id")
    return tag(
        "li",
        link,
        " ",
        ruling.title,
        " ",
        state_mark(context, ruling),
        " ",
        context.clause_links(ruling.cites),
        data_find=True,
    )


def state_mark(context: PageContext, ruling: RulingPage) -> Content:
    """A mark: whether a ruling holds, or that it is a position or was not run; none for a table, but for its rows."""
    if ruling.table:
        return ""
    if ruling.position:
        return tag("span", context.phrase("position"), class_="mark")
    if not ruling.transcripts:
        return tag("span", context.phrase("not_run"), class_="mark")
    return tag(
        "span",
        context.phrase("holds" if ruling.passed else "fails"),
        class_="mark " + ("good" if ruling.passed else "bad"),
    )


def entry(context: PageContext, ruling: RulingPage) -> Html:
    head = [tag("span", ruling.name, class_="id"), " ", ruling.title, " ", state_mark(context, ruling)]
    body: list[Content] = [
        tag("h2", head),
        unordered_list(map(context.clause_link, ruling.cites), "cites"),
        context.code(ruling.row or ruling.span),
    ]
    body += [tag("p", failure, class_="bad") for failure in ruling.failures]
    lines = ruling.transcripts.get(context.lang)
    if lines:
        transcript = tag("pre", tag("code", code_rows(transcript_line(context, line) for line in lines)))
        body.append(tag("details", tag("summary", context.phrase("transcript")), transcript))
    if context.lang in ruling.pictures:
        shown = context.picture(picture_path(ruling.name), f"{ruling.name}: {ruling.title}")
        body.append(tag("details", tag("summary", context.phrase("picture")), shown))
    return tag("section", body, class_="item", id=ruling.name)


def transcript_line(context: PageContext, line: str) -> Html:
    """A line of a transcript, with links to its clauses."""
    found: list[Content] = []
    at = 0
    for clause in CLAUSE.finditer(line):
        found += [line[at : clause.start()], context.link(f"clause {clause.group()}", clause.group())]
        at = clause.end()
    return joined([*found, line[at:]])
