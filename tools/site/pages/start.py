"""The first page of a language: title, seats, the parts with their sizes, options, presets; and the choice of
languages above all of them."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.program import Program
from tools.site.content.model import Site
from tools.site.content.urls import is_rules
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, between, listed, table, tag
from tools.site.html.layout import STYLE_FILE, Page, document, game_title, parts_of
from tools.site.html.phrases import LANGUAGES


def start_pages(site: Site, lang: str) -> Iterator[Page]:
    here = Here(site, lang, "index.html")
    program = site.game.program
    low, high = program.seats
    seats = str(low) if low == high else f"{low}–{high}"
    laid = [*program.overlays, *((f"@{program.as_of}",) if program.as_of else ())]
    facts = [here.say("seats", seats=seats), here.say("version", version=program.version)]
    facts += [here.say("laid_over", names=", ".join(laid))] if laid else []
    cards = [tag("a", tag("b", here.say(part)), tag("span", size, class_="soft"), href=f"{part}.html", class_="card")
             for part, size in sizes(here).items()]  # fmt: skip
    body: list[Inside] = [tag("p", between(" · ", facts), class_="soft"), tag("div", cards, class_="gallery")]
    if program.options:
        body += [tag("h2", here.say("options")), options(here)]
    if program.presets:
        body += [tag("h2", here.say("presets")), presets(here)]
    yield Page(here, "start", game_title(here), Html("".join(tag("div", part) for part in body)))


def sizes(here: Here) -> dict[str, str]:
    site = here.site
    rulings = [ruling for several in site.rulings.values() for ruling in several if not ruling.position]
    counts = {
        "cards": len(site.cards),
        "clauses": len(site.clauses),
        "values": len(site.values),
        "rulings": len(rulings),
        "data": len(site.game.program.domains),
        "rules": len([file for file in site.declared if is_rules(file)]),
        "overlays": len(site.overlays),
    }
    return {part: here.say(f"n_{part}", n=counts.get(part, "")) for part in parts_of(site)}


def options(here: Here) -> Html:
    rows = []
    for option in here.site.game.program.options:
        choices = []
        for id_, value in members(here.site.game.program, option.domain):
            name = here.title(f"{option.name}.{id_}", f"{option.domain}.{id_}", f"{id_}") if option.domain else ""
            shown = here.say("yes" if value else "no") if is_bool(here, option.domain) else name
            mark = [" ", tag("span", here.say("default"), class_="mark")] if value == option.default else None
            choices.append([shown, " ", tag("code", id_, class_="soft"), mark])
        about = [here.title(option.name), tag("br"), here.rule(option.name)]
        cites = here.site.game.program.cites.get(option.name, ())
        rows.append((about, listed(choices, "cites"), listed([here.clause(c) for c in cites], "cites")))
    return table((here.say("option"), here.say("choices"), here.say("clauses")), rows)


def is_bool(here: Here, domain: str) -> bool:
    return domain not in here.site.game.program.domains


def members(program: Program, domain: str) -> list[tuple[str, int]]:
    info = program.domains.get(domain)
    return list(zip(info.ids, info.values, strict=True)) if info else [("false", 0), ("true", 1)]


def presets(here: Here) -> Html:
    rows = []
    for name, chosen in here.site.game.program.presets.items():
        set_ = [tag("code", f"{option}={member}") for option, member in chosen.items()]
        rows.append((tag("code", name), between(", ", set_) if set_ else here.say("as_standard")))
    return table((here.say("preset"), here.say("options")), rows)


def front_page(site: Site) -> str:
    """`index.html` above the languages: one link for each."""
    titles = site.game.program.title
    links = [
        tag("a", tag("b", titles.get(lang) or titles.get("en") or site.game.program.id),
            tag("span", LANGUAGES[lang], class_="soft"), href=f"{lang}/index.html", class_="card", lang=lang)
        for lang in site.languages
    ]  # fmt: skip
    title = titles.get("en") or site.game.program.id
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("link", rel="stylesheet", href=STYLE_FILE),
    ]
    body = tag("main", tag("h1", title), tag("div", links, class_="gallery"))
    return document(site.languages[0], head, body)
