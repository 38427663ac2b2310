"""The first page of a language: title, seats, the parts with their sizes, options, presets; and the page of the site
with the choice of languages."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.program import Program
from tools.html.document import document
from tools.html.elements import Content, Html, separated, table, tag, unordered_list
from tools.site.content.model import SiteContent
from tools.site.content.urls import has_rules_page
from tools.site.pages.context import PageContext
from tools.site.pages.figures import figure_parts
from tools.site.pages.layout import STYLE_FILE, SitePage, game_title, parts_of


def start_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    context = PageContext(site, lang, "index.html")
    program = site.game.program
    low, high = program.seats
    seats = str(low) if low == high else f"{low}–{high}"
    laid = [*program.overlays, *((f"@{program.as_of}",) if program.as_of else ())]
    facts = [context.phrase("seats", seats=seats), context.phrase("version", version=program.version)]
    facts += [context.phrase("laid_over", names=", ".join(laid))] if laid else []
    cards = [
        tag("a", tag("b", context.phrase(part)), tag("span", size, class_="soft"), href=f"{part}.html", class_="card")
        for part, size in sizes(context).items()
    ]
    body: list[Content] = [tag("p", separated(" · ", facts), class_="soft"), tag("div", cards, class_="gallery")]
    if program.options:
        body += [tag("h2", context.phrase("options")), options(context)]
    if program.presets:
        body += [tag("h2", context.phrase("presets")), presets(context)]
    if site.measured is not None:
        body += figure_parts(context, site.measured)
    yield SitePage(context, "start", game_title(context), Html("".join(tag("div", part) for part in body)))


def sizes(context: PageContext) -> dict[str, str]:
    site = context.site
    rulings = [ruling for in_file in site.rulings.values() for ruling in in_file if not ruling.position]
    counts = {
        "cards": len(site.cards),
        "clauses": len(site.clauses),
        "values": len(site.values),
        "rulings": len(rulings),
        "data": len(site.game.program.domains),
        "rules": len([file for file in site.declared if has_rules_page(file)]),
        "overlays": len(site.overlays),
    }
    return {part: context.phrase(f"n_{part}", n=counts.get(part, "")) for part in parts_of(site)}


def options(context: PageContext) -> Html:
    rows = []
    for option in context.site.game.program.options:
        choices = []
        for id_, value in members(context.site.game.program, option.domain):
            name = context.title(f"{option.name}.{id_}", f"{option.domain}.{id_}", f"{id_}") if option.domain else ""
            if is_bool(context, option.domain):
                own = context.site.game.texts.find(context.lang, f"{option.name}.{id_}")
                name = own or context.phrase("yes" if value else "no")
            mark = [" ", tag("span", context.phrase("default"), class_="mark")] if value == option.default else None
            choices.append([name, " ", tag("code", id_, class_="soft"), mark])
        about = [context.title(option.name), tag("br"), context.rule_link(option.name)]
        cites = context.site.game.program.cites.get(option.name, ())
        rows.append(
            (about, unordered_list(choices, "cites"), unordered_list([context.clause_link(c) for c in cites], "cites"))
        )
    return table((context.phrase("option"), context.phrase("choices"), context.phrase("clauses")), rows)


def is_bool(context: PageContext, domain: str) -> bool:
    return domain not in context.site.game.program.domains


def members(program: Program, domain: str) -> list[tuple[str, int]]:
    info = program.domains.get(domain)
    return list(zip(info.ids, info.values, strict=True)) if info else [("false", 0), ("true", 1)]


def presets(context: PageContext) -> Html:
    rows = []
    for name, chosen in context.site.game.program.presets.items():
        set_ = [tag("code", f"{option}={member}") for option, member in chosen.items()]
        title = context.site.game.texts.find(context.lang, f"preset.{name}")
        about = [title, tag("br"), tag("code", name)] if title else tag("code", name)
        rows.append((about, separated(", ", set_) if set_ else context.phrase("as_standard")))
    return table((context.phrase("preset"), context.phrase("options")), rows)


def front_page(site: SiteContent) -> str:
    """`index.html` of the whole site: one link for each language."""
    texts = site.game.texts
    links = [
        tag("a", tag("b", texts.title(lang)),
            tag("span", texts.language_name(lang), class_="soft"), href=f"{lang}/index.html", class_="card", lang=lang)
        for lang in site.languages
    ]  # fmt: skip
    title = texts.title(site.languages[0])
    body = tag("main", tag("h1", title), tag("div", links, class_="gallery"))
    return document(site.languages[0], title, body, sheets=[STYLE_FILE])
