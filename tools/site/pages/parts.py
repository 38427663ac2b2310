"""Elements that several parts of a site share: changes before and after, links to rulings, the figures of a thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl.overlay.changes import Change
from tools.html.elements import Content, Html, separated, tag, unordered_list
from tools.site.pages.context import PageContext


def change_parts(context: PageContext, change: Change, with_name: bool) -> Html:
    """One change of an overlay: its overlay (`with_name`), address, clauses, and the text before and after."""
    about: list[Content] = [f"{change_word(context, change)} ", tag("code", change.address)]
    if with_name:
        head = [context.link(f"overlay {change.by}", change.by), f", {change.dated}" if change.dated else ""]
        about = [*head, f": {change.because}" if change.because else "", tag("br"), *about]
    cites = [" ", separated(", ", map(context.clause_link, change.clauses))] if change.clauses else None
    shown: list[Content] = [tag("p", about, cites)]
    if change.before:
        shown += [tag("h4", context.phrase("before")), context.snippet(change.before, "code before")]
    if change.word == "drop" or not change.result:
        return tag("div", shown, class_="change")
    head_word = context.phrase("after") if change.before else None
    shown += [tag("h4", head_word) if head_word else None, context.snippet(change.result, "code after")]
    return tag("div", shown, class_="change")


def change_word(context: PageContext, change: Change) -> str:
    return context.phrase(f"change_{change.word}") if change.word in ("add", "text") else change.word


def ruling_links(context: PageContext, names: Iterable[str]) -> Html:
    """Rulings by name and title."""
    titles = {ruling.name: ruling for in_file in context.site.rulings.values() for ruling in in_file}
    found = [(titles[name], context.link(f"ruling {name}", name, "id")) for name in names if name in titles]
    return unordered_list(
        [[link, " ", ruling.title, *failing_mark(context, ruling.passed)] for ruling, link in found], "cites"
    )


def failing_mark(context: PageContext, passed: bool) -> tuple[Content, ...]:
    return () if passed else (" ", tag("span", context.phrase("fails"), class_="bad"))


def figures(context: PageContext, kind: str, id_: str) -> list[tuple[str, str]]:
    """Title and value of each constant that is not empty."""
    return [(context.title(f"{kind}.{name}", name), text) for name, text in constants(context, kind, id_) if text]


def constants(context: PageContext, kind: str, id_: str) -> Iterator[tuple[str, str]]:
    """Name and value of the constants of a thing, in the order of the kind; none is an empty text."""
    game = context.site.game
    info = game.program.domains[kind]
    row = info.values[info.ids.index(id_)] - info.values[0]
    nothing = game.texts.engine(context.lang, "none")
    for key, (table, type_) in game.program.consts.items():
        holder, _, name = key.partition(".")
        if holder == kind:
            text = game.texts.value(context.lang, game.program.tables[table][row], type_)
            yield name, "" if text == nothing else text


def neighbours(context: PageContext, pages: Sequence[tuple[str, str]], at: int) -> Html:
    """Links from a page to the one before and the one after; `pages` are keys and titles in their order."""
    before = context.link(pages[at - 1][0], f"← {pages[at - 1][1]}") if at else Html()
    after = context.link(pages[at + 1][0], f"{pages[at + 1][1]} →") if at + 1 < len(pages) else Html()
    return tag("p", tag("span", before), tag("span", after), class_="neighbours")
