"""Pieces that several parts of a site show: changes before and after, links to rulings, the figures of a thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dsl.overlay.changes import Change
from tools.site.html.context import Here
from tools.site.html.elements import Html, Inside, between, listed, tag


def change_parts(here: Here, change: Change, with_name: bool) -> Html:
    """One change of an overlay: by whom, where, what stood there, what stands there now."""
    about: list[Inside] = [f"{word(here, change)} ", tag("code", change.address)]
    if with_name:
        head = [here.to(f"overlay {change.by}", change.by), f", {change.dated}" if change.dated else ""]
        about = [*head, f": {change.because}" if change.because else "", tag("br"), *about]
    cites = [" ", between(", ", map(here.clause, change.clauses))] if change.clauses else None
    shown: list[Inside] = [tag("p", about, cites)]
    if change.before:
        shown += [tag("h4", here.say("before")), here.loose(change.before, "code before")]
    if change.word == "drop" or not change.result:
        return tag("div", shown, class_="change")
    head_word = here.say("after") if change.before else None
    shown += [tag("h4", head_word) if head_word else None, here.loose(change.result, "code after")]
    return tag("div", shown, class_="change")


def word(here: Here, change: Change) -> str:
    return here.say(f"change_{change.word}") if change.word in ("add", "text") else change.word


def ruling_links(here: Here, names: Iterable[str]) -> Html:
    """Rulings by name and title."""
    titles = {ruling.name: ruling for several in here.site.rulings.values() for ruling in several}
    found = [(titles[name], here.to(f"ruling {name}", name, "id")) for name in names if name in titles]
    return listed([[link, " ", ruling.title, *failing(here, ruling.passed)] for ruling, link in found], "cites")


def failing(here: Here, passed: bool) -> tuple[Inside, ...]:
    return () if passed else (" ", tag("span", here.say("fails"), class_="bad"))


def figures(here: Here, kind: str, id_: str) -> list[tuple[str, str]]:
    """Title and value of each constant of a thing that has one."""
    return [(here.title(f"{kind}.{name}", name), text) for name, text in constants(here, kind, id_) if text]


def constants(here: Here, kind: str, id_: str) -> Iterator[tuple[str, str]]:
    """The constants of a thing in the order of the kind; one that holds nothing is an empty text."""
    game = here.site.game
    info = game.program.domains[kind]
    row = info.values[info.ids.index(id_)] - info.values[0]
    nothing = game.texts.engine(here.lang, "none")
    for key, (table, type_) in game.program.consts.items():
        holder, _, name = key.partition(".")
        if holder == kind:
            text = game.texts.value(here.lang, game.program.tables[table][row], type_)
            yield name, "" if text == nothing else text


def neighbours(here: Here, pages: Sequence[tuple[str, str]], at: int) -> Html:
    """Links from a page to the one before and the one after; `pages` are keys and titles in their order."""
    before = here.to(pages[at - 1][0], f"← {pages[at - 1][1]}") if at else Html()
    after = here.to(pages[at + 1][0], f"{pages[at + 1][1]} →") if at + 1 < len(pages) else Html()
    return tag("p", tag("span", before), tag("span", after), class_="neighbours")
