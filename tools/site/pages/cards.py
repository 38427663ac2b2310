"""The gallery of cards, and a page for each: printed text, figures, rule, clauses, errata, rulings."""

from __future__ import annotations

from collections.abc import Iterator

from tools.site.content.model import Card, Site
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, joined, listed, tag
from tools.site.html.layout import Page, filter_field, group
from tools.site.pages.parts import change_parts, figures, neighbours, ruling_links


def card_pages(site: Site, lang: str) -> Iterator[Page]:
    if not site.cards:
        return
    here = Here(site, lang, "cards.html")
    kinds = dict.fromkeys(card.kind for card in site.cards)
    galleries = [
        group(here.kind(kind), tag("div", [face(here, c) for c in site.cards if c.kind == kind], class_="gallery"))
        for kind in kinds
    ]
    yield Page(here, "cards", here.say("cards"), joined([filter_field(here), *galleries]))
    titles = [(f"card {card.id}", here.member(card.kind, card.id)) for card in site.cards]
    for number, card in enumerate(site.cards):
        here = Here(site, lang, f"cards/{card.id}.html")
        body = joined([whole(here, card), neighbours(here, titles, number)])
        yield Page(here, "cards", titles[number][1], body)


def printed_text(here: Here, card: Card) -> str:
    return here.site.game.texts.find(here.lang, f"{card.kind}.{card.id}.text", f"{card.id}.text") or ""


def face(here: Here, card: Card) -> Html:
    """A card as it lies in the gallery."""
    marks = [tag("span", here.say(key), class_="mark") for key, there in (("errata", card.errata),) if there]
    marks += [tag("span", here.say("n_copies", n=card.copies), class_="mark")] if card.copies > 1 else []
    numbers = " · ".join(f"{title} {value}" for title, value in figures(here, card.kind, card.id))
    return tag(
        "a",
        tag("b", here.member(card.kind, card.id)),
        tag("span", numbers, class_="soft") if numbers else None,
        printed_text(here, card),
        tag("span", marks, class_="marks") if marks else None,
        tag("span", card.id, hidden=True),
        href=here.href(here.site.places[f"card {card.id}"]),
        class_="card",
        data_find=True,
    )


def whole(here: Here, card: Card) -> Html:
    text = printed_text(here, card)
    kind = here.to(f"kind {card.kind}", here.kind(card.kind))
    several = f" · {here.say('n_copies', n=card.copies)}" if card.copies > 1 else None
    about: list[Inside] = [kind, " · ", tag("code", card.id), several, " · ", here.place(card.span)]
    body: list[Inside] = [tag("p", about, class_="soft")]
    body += [tag("p", text, class_="printed")] if text else []
    numbers = figures(here, card.kind, card.id)
    body += [tag("dl", [[tag("dt", name), tag("dd", value)] for name, value in numbers])] if numbers else []
    body += [tag("h2", here.say("rule_without" if card.errata else "rule")), here.code(card.span)]
    if card.clauses:
        body += [tag("h2", here.say("clauses")), listed(map(here.clause, card.clauses), "cites")]
    body.append(tag("h2", here.say("errata")))
    if card.errata:
        body += [change_parts(here, change, with_name=True) for change in card.errata]
        body += [tag("h3", here.say("rule_now")), here.loose(card.rule)]
    else:
        body.append(tag("p", here.say("no_errata"), class_="soft"))
    if card.variants:
        body.append(tag("h2", here.say("variants_of")))
        body += [change_parts(here, change, with_name=True) for change in card.variants]
    body.append(tag("h2", here.say("rulings_about")))
    body.append(ruling_links(here, card.rulings) or tag("p", here.say("no_rulings"), class_="soft"))
    if card.named:
        body += [tag("h2", here.say("rulings_named")), ruling_links(here, card.named)]
    return joined(body)
