"""The records of a game: a table for each kind with its constants, and the members of each enum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dsl import ir
from tools.site.content.model import Site
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, between, joined, table, tag
from tools.site.html.layout import Page
from tools.site.pages.parts import constants


def data_pages(site: Site, lang: str) -> Iterator[Page]:
    here = Here(site, lang, "data.html")
    domains = list(site.game.program.domains.values())
    rows = [(here.to(f"kind {d.name}", here.kind(d.name)), tag("code", f"{d.sort} {d.name}"), sample(here, d))
            for d in domains]  # fmt: skip
    head = (here.say("name"), here.say("kind"), here.say("members"))
    yield Page(here, "data", here.say("data"), table(head, rows))
    for domain in domains:
        here = Here(site, lang, f"data/{domain.name}.html")
        yield Page(here, "data", here.kind(domain.name), whole(here, domain))


def sample(here: Here, domain: ir.DomainInfo) -> Inside:
    """The first members, and how many there are."""
    if domain.sort == "union":
        return between(", ", [here.to(f"kind {part}", here.kind(part)) for part in parts(here, domain)])
    ids = [id_ for id_, _ in printed(here, domain)]
    names = [member(here, domain.name, id_) for id_ in ids[:6]]
    more = f" … ({len(domain.ids)})" if len(ids) > len(names) else None
    return [between(", ", names), more]


def parts(here: Here, domain: ir.DomainInfo) -> list[str]:
    kind = here.site.model.kinds.get(domain.name)
    return kind.parts if kind else []


def member(here: Here, domain: str, id_: str) -> Html:
    return here.to(f"member {domain} {id_}", here.member(domain, id_))


def whole(here: Here, domain: ir.DomainInfo) -> Html:
    body: list[Inside] = [tag("p", tag("code", f"{domain.sort} {domain.name}"), class_="soft")]
    body += declarations(here, domain.name)
    if domain.sort == "union":
        return joined([*body, tag("p", f"{here.say('parts')}: ", sample(here, domain))])
    rows = [row(here, domain, id_, several) for id_, several in printed(here, domain)]
    names = [name for name, _ in constants(here, domain.name, domain.ids[0])] if domain.ids else []
    names = names if domain.sort == "kind" else []
    head = [here.say("name"), here.say("id"), *(here.title(f"{domain.name}.{name}", name) for name in names)]
    return joined([*body, records(head, rows)])


def printed(here: Here, domain: ir.DomainInfo) -> list[tuple[str, int]]:
    """The members with the number of their copies; a copy of a card stands with the card."""
    firsts = here.site.game.program.copies if domain.sort == "kind" else {}
    several = Counter(firsts.get(value, value) for value in domain.values)
    return [(id_, several[v]) for id_, v in zip(domain.ids, domain.values, strict=True) if v not in firsts]


def row(here: Here, domain: ir.DomainInfo, id_: str, several: int) -> tuple[str, list[Inside]]:
    name = member(here, domain.name, id_) if f"card {id_}" in here.site.places else here.member(domain.name, id_)
    cells = [text for _, text in constants(here, domain.name, id_)] if domain.sort == "kind" else []
    aliases = [alias for alias, value in domain.aliases.items() if value == domain.values[domain.ids.index(id_)]]
    times = f" ({here.say('n_copies', n=several)})" if several > 1 else None
    return id_, [name, [tag("code", ", ".join((id_, *aliases))), times], *cells]


def records(head: list[str], rows: list[tuple[str, list[Inside]]]) -> Html:
    """A table whose rows have anchors."""
    top = tag("tr", [tag("th", cell, scope="col") for cell in head])
    body = [
        tag("tr", tag("th", first, scope="row"), [tag("td", cell) for cell in rest], id=id_)
        for id_, (first, *rest) in rows
    ]
    return tag("div", tag("table", tag("thead", top), tag("tbody", body)), class_="wide")


def declarations(here: Here, name: str) -> Iterator[Inside]:
    """Where the kind or enum is declared, with the text there."""
    for items in here.site.declared.values():
        for item in items:
            if item.top and item.address == name:
                yield [tag("p", here.place(item.span)), here.code(item.span)]
