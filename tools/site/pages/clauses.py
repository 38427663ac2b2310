"""The clauses of the rulebook: an index, and a page for each chapter with the rules and rulings of each clause."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, tag
from tools.site.content.model import Citation, ClausePage, SiteContent
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage, filter_field, group
from tools.site.pages.parts import neighbours, ruling_links


def clause_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    if not site.clauses:
        return
    context = PageContext(site, lang, "clauses.html")
    chapters: dict[str, list[ClausePage]] = {}
    for clause in site.clauses:
        chapters.setdefault(clause.chapter, []).append(clause)
    groups = [
        group(
            context.link(f"chapter {chapter}", chapter), tag("ul", [row(context, c) for c in clauses], class_="cites")
        )
        for chapter, clauses in chapters.items()
    ]
    yield SitePage(context, "clauses", context.phrase("clauses"), joined([filter_field(context), *groups]))
    titles = [(f"chapter {chapter}", chapter) for chapter in chapters]
    for number, (chapter, clauses) in enumerate(chapters.items()):
        context = PageContext(site, lang, f"clauses/{chapter}.html")
        body = [*(entry(context, clause) for clause in clauses), neighbours(context, titles, number)]
        yield SitePage(context, "clauses", f"{context.phrase('clauses')} {chapter}", joined(body))


def row(context: PageContext, clause: ClausePage) -> Html:
    """One line of the index, with a mark on a clause without a rule."""
    mark = tag("span", context.phrase("prose"), class_="mark") if clause.prose and not clause.rules else None
    words, language = context.site.game.texts.source(context.lang, clause.id)
    source = [" · ", tag("span", words, class_="soft", lang=language or None)] if words else None
    return tag("li", context.clause_link(clause.id), source, " ", mark, data_find=True)


def entry(context: PageContext, clause: ClausePage) -> Html:
    title = [tag("span", clause.id, class_="id"), " ", context.clause_title(clause.id)]
    body: list[Content] = [tag("h2", title)]
    texts = context.site.game.texts
    words, language = texts.source(context.lang, clause.id)
    if words:
        of_language = f" ({texts.language_name(language)})" if language else ""
        source = tag("span", words, lang=language or None)
        body.append(tag("p", f"{context.phrase('source')}{of_language}: ", source, class_="soft"))
    if clause.prose:
        prose = texts.prose(context.lang, clause.id)
        body.append(tag("p", tag("span", context.phrase("prose"), class_="mark"), " ", prose))
    for cited in clause.rules:
        body += [tag("p", rule_place(context, cited), class_="soft"), context.code(cited.span)]
    if not clause.rules and not clause.prose:
        body.append(tag("p", context.phrase("no_rules"), class_="soft"))
    if clause.rulings:
        body += [tag("h3", context.phrase("rulings")), ruling_links(context, clause.rulings)]
    return tag("section", body, class_="item", id=clause.id)


def rule_place(context: PageContext, cited: Citation) -> Content:
    """The name of a rule that cites a clause, with links to the card or declaration that it is part of and to its
    place."""
    kind = "card" if f"card {cited.top}" in context.site.urls else "rule"
    return [
        context.link(f"{kind} {cited.top}", tag("code", cited.address or cited.top)),
        " · ",
        context.place_link(cited.span),
    ]
