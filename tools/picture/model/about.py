"""The printed facts about a thing, whoever looks: its text, its constants, the clauses that it cites.

Takes a `Presenter` for the language; nothing here depends on the position.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rules.rules import Rules
from tools.shows.presenter import Presenter

MOST_CLAUSES = 4  # that are named about one thing


def printed_text(presenter: Presenter, domain: str, id_: str) -> str:
    """The text of a card or member; empty where the locale has none."""
    return presenter.game.texts.find(presenter.lang, f"{domain}.{id_}.text", f"{id_}.text") or ""


def cited_clauses(presenter: Presenter, address: str) -> list[tuple[str, str]]:
    """The clauses that are cited at this address and at addresses within it, each with its title."""
    known = presenter.game.cached(cites_by_beginning).get(address.partition(".")[0], ())
    cites = [c for a, found in known if a == address or a.startswith(f"{address}.") for c in found]
    return [(clause, presenter.game.texts.clause(presenter.lang, clause)) for clause in dict.fromkeys(cites)]


def cites_by_beginning(rules: Rules) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """The addresses that cite clauses, with these, by the first part of an address."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for address, cites in rules.program.cites.items():
        found.setdefault(address.partition(".")[0], []).append((address, cites))
    return found


def constants(presenter: Presenter, thing: int) -> Iterator[str]:
    """The names of the constants of a thing that are not empty, in the order of the rules."""
    kind = presenter.program.thing_kinds[thing]
    for address in presenter.program.consts:
        owner, _, name = address.partition(".")
        if owner == kind and presenter.has_content(name, thing):
            yield name


def lines_about(presenter: Presenter, domain: str, id_: str) -> tuple[str, ...]:
    """The printed text and the first clauses, line by line."""
    text = printed_text(presenter, domain, id_)
    cited = cited_clauses(presenter, id_)[:MOST_CLAUSES] if id_ in presenter.game.things else []
    return (*text.splitlines(), *(f"[{clause}] {title}".rstrip() for clause, title in cited))
