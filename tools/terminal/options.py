"""The options of a question on the screen: numbered, in columns, in groups when there are many.

Takes a decision and a width; gives lines, and finds the option that a typed number means. Options that are numbers
themselves go by their value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from interpreter import Decision, Option
from tools.display.messages import message
from tools.display.panels import wrap_items

HEADED_FROM = 8  # so many options of several actions stand under the names of their actions
GROUPED_FROM = 31
WIDEST = 44  # texts longer than this stand on a line of their own


@dataclass(frozen=True, slots=True)
class Listing:
    """`rows` are (label, option) in order."""

    decision: Decision
    rows: tuple[tuple[str, Option], ...]
    lang: str

    def find(self, label: str) -> Option | None:
        return next((o for known, o in self.rows if known == label), None)

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.rows]


def listing(decision: Decision, lang: str) -> Listing:
    rows = []
    for number, option in enumerate(decision.options, 1):
        by_value = decision.shape == "number"
        rows.append((option.ids[-1] if by_value else str(number), option))
    return Listing(decision, tuple(rows), lang)


def marks(found: Listing) -> dict[int, str]:
    """Things that can be chosen -> the label of their option, or a star where several options mean them."""
    things = found.decision.game.things
    labels: dict[int, list[str]] = {}
    for label, option in found.rows:
        for domain, id_ in zip(found.decision.domains(option.raw), option.ids, strict=False):
            if domain and id_ in things:
                labels.setdefault(things[id_], []).append(label)
    return {t: found[0] if len(found) == 1 else "*" for t, found in labels.items()}


def lines(found: Listing, width: int) -> list[Text]:
    """The options as lines of this width."""
    if found.decision.shape == "number":
        return number_lines(found)
    if len(found.rows) >= HEADED_FROM and (cases := by_case(found)):
        return case_lines(found, cases, width)
    if len(found.rows) >= GROUPED_FROM:
        groups = grouped(found)
        if groups:
            return group_lines(found, groups, width)
    return columns([item(label, option.text(found.lang), found) for label, option in found.rows], width, hang(found))


def number_lines(found: Listing) -> list[Text]:
    """Numbers that follow each other as a range, unless they have texts of their own."""
    numbers = [(label, o) for label, o in found.rows if o.kind == "number"]
    rows = [
        Text(f"  {label}  ", style="bold") + Text(o.text(found.lang)) for label, o in found.rows if o.kind != "number"
    ]
    plain = all(o.text(found.lang) == label for label, o in numbers)
    first, last = numbers[0][0], numbers[-1][0]
    if plain and int(last) - int(first) == len(numbers) - 1:
        return [Text("  " + message(found.lang, "range", low=first, high=last), style="bold"), *rows]
    return (
        columns([item(label, "" if plain else o.text(found.lang), found) for label, o in numbers], 80, hang(found))
        + rows
    )


def item(label: str, text: str, found: Listing) -> Text:
    left = max(len(known) for known in found.labels)
    return Text(label.rjust(left), style="bold") + Text(" " + text, style="")


def hang(found: Listing) -> int:
    """Where the text of an option begins, and goes on where it takes several lines."""
    return 3 + max(len(known) for known in found.labels)


def columns(items: Sequence[Text], width: int, indent: int = 4, few: int = 6) -> list[Text]:
    """Items from the top to the bottom, then from the left to the right; one a line where they are long or few."""
    if not items:
        return []
    widest = max(cell_len(i.plain) for i in items)
    fit = max(1, (width - 2) // (widest + 3)) if widest <= WIDEST and len(items) > few else 1
    if fit == 1:
        return [line for i in items for line in wrap_items(Text("  "), [i], width, indent)]
    rows = -(-len(items) // fit)
    found = []
    for row in range(rows):
        line = Text("  ")
        for number, cell in enumerate(items[row::rows]):
            if number:
                line.append("   ")
            line.append_text(cell)
            line.append(" " * (widest - cell_len(cell.plain)))
        line.rstrip()
        found.append(line)
    return found


def by_case(found: Listing) -> dict[str, list[tuple[str, Option]]]:
    """Options by the action that they take, where they take several and each action has a title; else nothing."""
    groups: dict[str, list[tuple[str, Option]]] = {}
    for label, option in found.rows:
        groups.setdefault(found.decision.case(option.raw), []).append((label, option))
    titled = all(found.decision.game.texts.find(found.lang, f"{case}.title") for case in groups if case)
    return groups if titled and len([case for case in groups if case]) > 1 else {}


def case_lines(found: Listing, cases: dict[str, list[tuple[str, Option]]], width: int) -> list[Text]:
    """The title of each action to the left, its options beside it."""
    texts = found.decision.game.texts
    titles = {case: (texts.find(found.lang, f"{case}.title") or "") if case else "" for case in cases}
    left = max(cell_len(title) for title in titles.values())
    rows: list[Text] = []
    for case, members in cases.items():
        title = Text("  " + titles[case] + " " * (left - cell_len(titles[case])), style="cyan")
        items = [item(label, option.text(found.lang), found) for label, option in members]
        for line in columns(items, width - left - 2, hang(found), few=3):
            rows.append(title + line)
            title = Text(" " * (left + 2))
    return rows


def grouped(found: Listing) -> dict[str, list[tuple[str, Option]]]:
    """Options by their first word, if that makes fewer and larger groups; else nothing."""
    groups: dict[str, list[tuple[str, Option]]] = {}
    for label, option in found.rows:
        groups.setdefault(option.ids[0] if len(option.ids) > 1 else "", []).append((label, option))
    return groups if 1 < len(groups) <= len(found.rows) // 3 else {}


def group_lines(found: Listing, groups: dict[str, list[tuple[str, Option]]], width: int) -> list[Text]:
    texts = found.decision.game.texts
    rows: list[Text] = []
    for key, members in groups.items():
        items = []
        for label, option in members:
            domains = found.decision.domains(option.raw) or ("",) * len(option.ids)
            words = [texts.id(found.lang, d, i) for d, i in zip(domains, option.ids, strict=False)]
            items.append(item(label, " ".join(words[1:]) if key else option.text(found.lang), found))
        if key:
            first = members[0][1]
            domains = found.decision.domains(first.raw)
            name = texts.id(found.lang, domains[0] if domains else "", key)
            rows.append(Text(f"  {name}", style="cyan"))
        rows += [Text("  ") + line for line in columns(items, width - 2, hang(found))]
    return rows
