"""The gallery of cards, and a page for each: printed text, figures, rule, clauses, errata, rulings."""

from __future__ import annotations

from collections.abc import Iterator

from tools.html.elements import Content, Html, joined, tag, unordered_list
from tools.site.content.model import CardPage, SiteContent
from tools.site.content.pictures import picture_path
from tools.site.pages.context import PageContext
from tools.site.pages.layout import SitePage, filter_field, group
from tools.site.pages.parts import change_parts, figures, neighbours, ruling_links


def card_pages(site: SiteContent, lang: str) -> Iterator[SitePage]:
    if not site.cards:
        return
    context = PageContext(site, lang, "cards.html")
    kinds = dict.fromkeys(card.kind for card in site.cards)
    galleries = [
        group(
            context.kind_title(kind),
            tag("div", [gallery_card(context, c) for c in site.cards if c.kind == kind], class_="gallery"),
        )
        for kind in kinds
    ]
    yield SitePage(context, "cards", context.phrase("cards"), joined([filter_field(context), *galleries]))
    titles = [(f"card {card.id}", context.member_title(card.kind, card.id)) for card in site.cards]
    for number, card in enumerate(site.cards):
        context = PageContext(site, lang, f"cards/{card.id}.html")
        body = joined([card_body(context, card), neighbours(context, titles, number)])
        yield SitePage(context, "cards", titles[number][1], body)


def printed_text(context: PageContext, card: CardPage) -> str:
    return context.site.game.texts.find(context.lang, f"{card.kind}.{card.id}.text", f"{card.id}.text") or ""


def gallery_card(context: PageContext, card: CardPage) -> Html:
    """A card of the gallery, which links to its page."""
    marks = [tag("span", context.phrase(key), class_="mark") for key, there in (("errata", card.errata),) if there]
    marks += [tag("span", context.phrase("n_copies", n=card.copies), class_="mark")] if card.copies > 1 else []
    numbers = " · ".join(f"{title} {value}" for title, value in figures(context, card.kind, card.id))
    return tag(
        "a",
        tag("b", context.member_title(card.kind, card.id)),
        tag("span", numbers, class_="soft") if numbers else None,
        printed_text(context, card),
        tag("span", marks, class_="marks") if marks else None,
        tag("span", card.id, hidden=True),
        href=context.href(context.site.urls[f"card {card.id}"]),
        class_="card",
        data_find=True,
    )


def card_body(context: PageContext, card: CardPage) -> Html:
    text = printed_text(context, card)
    kind = context.link(f"kind {card.kind}", context.kind_title(card.kind))
    copies = f" · {context.phrase('n_copies', n=card.copies)}" if card.copies > 1 else None
    about: list[Content] = [kind, " · ", tag("code", card.id), copies, " · ", context.place_link(card.span)]
    body: list[Content] = [tag("p", about, class_="soft")]
    if context.lang in card.pictures:
        title = context.phrase("card_picture", title=context.member_title(card.kind, card.id))
        body.append(tag("p", context.picture(picture_path(f"card-{card.id}"), title)))
    body += [tag("p", text, class_="printed")] if text else []
    numbers = figures(context, card.kind, card.id)
    body += [tag("dl", [[tag("dt", name), tag("dd", value)] for name, value in numbers])] if numbers else []
    body += [tag("h2", context.phrase("rule_without" if card.errata else "rule")), context.code(card.span)]
    if card.clauses:
        body += [tag("h2", context.phrase("clauses")), unordered_list(map(context.clause_link, card.clauses), "cites")]
    body.append(tag("h2", context.phrase("errata")))
    if card.errata:
        body += [change_parts(context, change, with_name=True) for change in card.errata]
        body += [tag("h3", context.phrase("rule_now")), context.snippet(card.rule)]
    else:
        body.append(tag("p", context.phrase("no_errata"), class_="soft"))
    if card.variants:
        body.append(tag("h2", context.phrase("variants_of")))
        body += [change_parts(context, change, with_name=True) for change in card.variants]
    body.append(tag("h2", context.phrase("rulings_about")))
    body.append(ruling_links(context, card.rulings) or tag("p", context.phrase("no_rulings"), class_="soft"))
    if card.naming_rulings:
        body += [tag("h2", context.phrase("rulings_named")), ruling_links(context, card.naming_rulings)]
    return joined(body)
