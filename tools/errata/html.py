"""A comparison as one page of HTML that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from dsl.files.phrases import phrases_of
from tools.commands.card import text_note
from tools.errata import balance_text
from tools.errata.model import Diff, changed_lines
from tools.errata.pictures import CARDS, is_shown
from tools.html.document import document
from tools.html.elements import Content, Html, tag
from tools.html.styles import REPORT, page_style
from tools.picture.differ.zoom import zoomed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tools.errata.balance import Balance


def diff_page(found: Diff) -> str:
    """The page as text."""
    title = f"{found.before} → {found.after}"
    parts = [tag("h1", title), *rules_changed(found), *outcomes(found), *games_apart(found)]
    parts += balance_parts(found.balance, found.lang) if found.balance is not None else []
    return document(found.lang, title, Html("\n".join(parts)), style=page_style(REPORT))


def rules_changed(found: Diff) -> Iterator[Html]:
    if found.cut:
        yield tag("p", found.cut)
    yield heading(phrases_of(found.lang, "errata")("changed", n=len(found.changes)))
    for change in found.changes:
        about = ", ".join(filter(None, (change.by, change.dated, change.because)))
        head = tag("b", f"{change.word} {change.address}")
        yield placed(f"{change.file}:{change.line}", head, f"{cited(change.clauses)} ({about})")
        yield from before_and_after(*changed_lines(change))
    for card, kept in found.texts_kept.items():
        yield tag("p", begin_large(text_note(card, kept, found.lang)), ".")


def outcomes(found: Diff) -> Iterator[Html]:
    """The rulings that come out otherwise, and the names of those that come there in another way."""
    say = phrases_of(found.lang, "errata")
    others = [ruling for ruling in found.rulings if not ruling.outcome]
    told = [ruling for ruling in found.rulings if ruling.outcome]
    yield heading(say("outcomes", n=len(told), all=found.compared))
    for ruling in told:
        yield placed(ruling.place, tag("b", ruling.name), f" {ruling.title}{cited(ruling.clauses)}")
        yield from before_and_after(ruling.before, ruling.after)
        yield from picture_of_pair(found, ruling.name)
        if ruling.lines:
            yield tag("details", tag("summary", say("transcript")), tag("pre", "\n".join(ruling.lines)))
    yield from picture_of_pair(found, CARDS)
    if others:
        yield heading(say("other_ways", n=len(others)))
        yield tag("ul", [tag("li", f"{ruling.name} {ruling.title}") for ruling in others])


def games_apart(found: Diff) -> Iterator[Html]:
    """The games that do not go on alike, each with where it parts."""
    if not found.games:
        return
    say = phrases_of(found.lang, "errata")
    apart = [game for game in found.games if game.entry is not None]
    yield heading(say("diverge", n=len(apart), all=len(found.games)))
    items = []
    for game in apart:
        where = say("sign", side=say("at_entry", game=game.game, n=game.entry, all=game.entries))
        last = [tag("br"), tag("span", say("after_entry", text=game.last_decision), class_="place")]
        items.append(tag("li", tag("b", where), game.difference, last if game.last_decision else None))
    yield tag("ul", items)


def placed(place: str, *head: Content) -> Html:
    """What is told of something, with where it stands below it."""
    return tag("p", head, tag("br"), tag("span", place, class_="place"))


def cited(clauses: Sequence[str]) -> str:
    return f" [{', '.join(clauses)}]" if clauses else ""


def picture_of_pair(found: Diff, name: str) -> Iterator[Html]:
    """What a ruling ends in before and after, or the cards that are changed, as one picture within the page."""
    pair = next((one for one in found.pictures if one.name == name), None)
    if pair is not None and any(map(is_shown, zoomed(*pair.pictures))):
        data = b64encode(pair.text(".svg").encode()).decode()
        alt = f"{pair.title}: {' / '.join(pair.heads)}"
        yield tag("p", tag("img", src=f"data:image/svg+xml;base64,{data}", alt=alt))


def begin_large(text: str) -> str:
    return text[:1].upper() + text[1:]


def heading(text: str) -> Html:
    return tag("h2", begin_large(text))


def before_and_after(before: Iterable[str], after: Iterable[str]) -> Iterator[Html]:
    """Two blocks of lines, each left out where it is empty."""
    for name, texts in (("before", before), ("after", after)):
        if text := "\n".join(texts):
            yield tag("pre", text, class_=name)


def balance_parts(found: Balance, lang: str) -> Iterator[Html]:
    """Length, scores, wins and watched values of games by bots."""
    yield heading(balance_text.title(found, lang))
    yield tag("pre", "\n".join(balance_text.summary(found, lang)))
    yield report_table(balance_text.heads(lang), balance_text.rows(found))
    yield report_table(balance_text.quartile_heads(lang), balance_text.quartile_rows(found))


def report_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    """A table; a row that ends with a mark stands out."""
    top = tag("tr", [tag("th", head) for head in heads])
    marked = [(row, "clear" if row[-1] == balance_text.CLEAR else None) for row in rows]
    return tag("table", top, [tag("tr", [tag("td", cell) for cell in row], class_=style) for row, style in marked])
