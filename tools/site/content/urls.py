"""The page and anchor of everything on a site, by keys that stay the same as long as the address does.

Keys are `card ID`, `clause ID`, `chapter NAME`, `ruling NAME`, `overlay NAME`, `value NAME`, `rule ADDRESS`, `file
NAME`, `rulings FILE`, `kind NAME` and `member KIND ID`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dsl.symbols.symbols import Model
from interpreter import Game
from tools.site.content.model import CardPage, ClausePage, Declaration, Overlay, RulingPage

WITH_RULINGS = ("ruling", "position")


def urls_of(
    game: Game,
    model: Model,
    declared: Mapping[str, Sequence[Declaration]],
    cards: Iterable[CardPage],
    clauses: Iterable[ClausePage],
    rulings: Mapping[str, Sequence[RulingPage]],
    overlays: Iterable[Overlay],
) -> dict[str, str]:
    """Key -> page, followed by `#` and an anchor if the key has one."""
    found: dict[str, str] = {}
    for file, page in page_names(declared).items():
        for ruling in rulings.get(file, ()):
            found.setdefault(f"ruling {ruling.name}", f"rulings/{page}.html#{ruling.name}")
        if file in rulings:
            found[f"file {file}"] = found[f"rulings {file}"] = f"rulings/{page}.html"
        if has_rules_page(file):
            found[f"file {file}"] = f"rules/{page}.html"
            for item in declared[file]:
                if item.word not in WITH_RULINGS:
                    found.setdefault(f"rule {item.address}", f"rules/{page}.html#{anchor(item.address)}")
    for clause in clauses:
        found[f"chapter {clause.chapter}"] = f"clauses/{clause.chapter}.html"
        found[f"clause {clause.id}"] = f"clauses/{clause.chapter}.html#{clause.id}"
    for domain in game.program.domains.values():
        found[f"kind {domain.name}"] = f"data/{domain.name}.html"
        if domain.sort != "union":
            found |= {f"member {domain.name} {id_}": f"data/{domain.name}.html#{id_}" for id_ in domain.ids}
    things = game.program.thing_ids
    for card in cards:
        found[f"card {card.id}"] = found[f"member {card.kind} {card.id}"] = f"cards/{card.id}.html"
    for copy, first in game.program.copies.items():
        kind = game.program.thing_kinds[copy]
        found[f"member {kind} {things[copy]}"] = found[f"member {kind} {things[first]}"]
    found |= {f"value {name}": f"values.html#{name}" for name in model.values}
    found |= {f"overlay {overlay.name}": f"overlays.html#{overlay.name}" for overlay in overlays}
    return found


def has_rules_page(file: str) -> bool:
    """True if the text of a file has a page among the rules. The rulings of any file have pages of their own."""
    return not file.endswith(".ruling")


def anchor(address: str) -> str:
    """An address as an anchor, which has no spaces."""
    return address.replace(" ", "-")


def page_names(files: Iterable[str]) -> dict[str, str]:
    """File -> name of its page, made from its path in the folder of the ruleset; no two are the same."""
    found: dict[str, str] = {}
    for file in files:
        parts = file.split("/")
        inner = parts[2:] if parts[0] in ("rulesets", "cards") and len(parts) > 2 else parts[-1:]
        short = "-".join(part for part in inner if part not in ("rulings", "variants", "errata"))
        name, number = short, 1
        while name in found.values():
            number += 1
            name = f"{short}-{number}"
        found[file] = name
    return found
