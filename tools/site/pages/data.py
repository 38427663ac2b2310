"""The records of a game: a table for each kind with its constants, and the members of each enum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dsl import ir
from tools.html.elements import Content, Html, joined, separated, table, tag
from tools.site.content.model import SiteContent
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage
from tools.site.pages.parts import constants


def data_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    context = PageContext(site, lang, "data.html")
    domains = list(site.game.program.domains.values())
    rows = [
        (
            context.link(f"kind {domain.name}", context.kind_title(domain.name)),
            tag("code", f"{domain.sort} {domain.name}"),
            sample(context, domain),
        )
        for domain in domains
    ]
    head = (context.phrase("name"), context.phrase("kind"), context.phrase("members"))
    yield SitePage(context, "data", context.phrase("data"), table(head, rows))
    for domain in domains:
        context = PageContext(site, lang, f"data/{domain.name}.html")
        yield SitePage(context, "data", context.kind_title(domain.name), domain_body(context, domain))


def sample(context: PageContext, domain: ir.DomainInfo) -> Content:
    """The first members, and the number of all if there are more; the parts of a union."""
    if domain.sort == "union":
        return separated(
            ", ", [context.link(f"kind {part}", context.kind_title(part)) for part in parts(context, domain)]
        )
    ids = [id_ for id_, _ in members_with_copies(context, domain)]
    names = [member(context, domain.name, id_) for id_ in ids[:6]]
    more = f" … ({len(domain.ids)})" if len(ids) > len(names) else None
    return [separated(", ", names), more]


def parts(context: PageContext, domain: ir.DomainInfo) -> list[str]:
    kind = context.site.model.kinds.get(domain.name)
    return kind.parts if kind else []


def member(context: PageContext, domain: str, id_: str) -> Html:
    return context.link(f"member {domain} {id_}", context.member_title(domain, id_))


def domain_body(context: PageContext, domain: ir.DomainInfo) -> Html:
    body: list[Content] = [tag("p", tag("code", f"{domain.sort} {domain.name}"), class_="soft")]
    body += declarations(context, domain.name)
    if domain.sort == "union":
        return joined([*body, tag("p", f"{context.phrase('parts')}: ", sample(context, domain))])
    rows = [row(context, domain, id_, copies) for id_, copies in members_with_copies(context, domain)]
    names = [name for name, _ in constants(context, domain.name, domain.ids[0])] if domain.ids else []
    names = names if domain.sort == "kind" and domain.lattice is None else []
    head = [
        context.phrase("name"),
        context.phrase("id"),
        *(context.title(f"{domain.name}.{name}", name) for name in names),
    ]
    return joined([*body, anchored_table(head, rows)])


def members_with_copies(context: PageContext, domain: ir.DomainInfo) -> list[tuple[str, int]]:
    """The members with the number of their copies; copies of a card are counted with the card."""
    firsts = context.site.game.program.copies if domain.sort == "kind" else {}
    copies = Counter(firsts.get(value, value) for value in domain.values)
    return [(id_, copies[v]) for id_, v in zip(domain.ids, domain.values, strict=True) if v not in firsts]


def row(context: PageContext, domain: ir.DomainInfo, id_: str, copies: int) -> tuple[str, list[Content]]:
    name = (
        member(context, domain.name, id_)
        if f"card {id_}" in context.site.urls
        else context.member_title(domain.name, id_)
    )
    told = domain.sort == "kind" and domain.lattice is None  # the name of a cell says its coordinates
    cells = [text for _, text in constants(context, domain.name, id_)] if told else []
    aliases = [alias for alias, value in domain.aliases.items() if value == domain.values[domain.ids.index(id_)]]
    times = f" ({context.phrase('n_copies', n=copies)})" if copies > 1 else None
    return id_, [name, [tag("code", ", ".join((id_, *aliases))), times], *cells]


def anchored_table(head: list[str], rows: list[tuple[str, list[Content]]]) -> Html:
    """A table whose rows have anchors."""
    top = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [
        tag("tr", tag("th", first, scope="row"), [tag("td", cell) for cell in rest], id=id_)
        for id_, (first, *rest) in rows
    ]
    return tag("div", tag("table", tag("thead", top), tag("tbody", body)), class_="wide")


def declarations(context: PageContext, name: str) -> Iterator[Content]:
    """The places where a kind or enum is declared, with their texts."""
    for items in context.site.declared.values():
        for item in items:
            if item.top and item.address == name:
                yield [tag("p", context.place_link(item.span)), context.code(item.span)]
