"""The options of a question on the screen: numbered, in columns, grouped if there are many.

Takes a decision and a width; returns lines, and finds the option for a typed number. Options that are numbers are
labelled by their value.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from interpreter import Option
from tools.drawing.lines import wrap_items
from tools.shows.messages import message
from tools.table.listing import GROUPED_FROM, HEADED_FROM, Listing, by_first_word, group_by_action

LEAST_BESIDE = 30  # columns beside the titles of actions
MANY_LINES = 8  # of columns, which may be too many
MAX_COLUMN_WIDTH = 44  # with longer texts there is one option to a line


def option_lines(listing: Listing, width: int, room: int = 0) -> list[Text]:
    """The options as lines of this width; `room`: how many there is room for, if that is known."""
    if listing.decision.shape == "number":
        return number_lines(listing)
    if len(listing.rows) >= HEADED_FROM and (cases := group_by_action(listing)):
        return case_lines(listing, cases, width)
    if len(listing.rows) >= GROUPED_FROM:
        groups = by_first_word(listing)
        if 1 < len(groups) <= len(listing.rows) // 3:
            return group_lines(listing, groups, width)
    items = [option_item(label, option.text(listing.lang), listing) for label, option in listing.rows]
    return in_order(items, width, text_column(listing), room=room)


def in_order(items: Sequence[Text], width: int, indent: int, max_single: int = 6, room: int = 0) -> list[Text]:
    """Items in columns, or one after the other where long texts would make those twice as high, or higher than there is
    room for."""
    lines = in_columns(items, width, indent, max_single)
    flowing = wrap_items(Text("  "), items, width, 2) if len(lines) > MANY_LINES else lines
    return flowing if 2 * len(flowing) <= len(lines) or len(flowing) <= room < len(lines) else lines


def number_lines(listing: Listing) -> list[Text]:
    """Consecutive numbers as a range, unless they have texts of their own."""
    numbers = [(label, o) for label, o in listing.rows if o.kind == "number"]
    rows = [
        Text(f"  {label}  ", style="bold") + Text(o.text(listing.lang))
        for label, o in listing.rows
        if o.kind != "number"
    ]
    plain = all(o.text(listing.lang) == label for label, o in numbers)
    first, last = numbers[0][0], numbers[-1][0]
    if plain and int(last) - int(first) == len(numbers) - 1:
        return [Text("  " + message(listing.lang, "range", low=first, high=last), style="bold"), *rows]
    return (
        in_columns(
            [option_item(label, "" if plain else o.text(listing.lang), listing) for label, o in numbers],
            80,
            text_column(listing),
        )
        + rows
    )


def option_item(label: str, text: str, listing: Listing) -> Text:
    left = max(len(known) for known in listing.labels)
    return Text(label.rjust(left), style="bold") + Text(" " + text, style="")


def text_column(listing: Listing) -> int:
    """The column where the text of an option begins, on its first and on further lines."""
    return 3 + max(len(known) for known in listing.labels)


def in_columns(items: Sequence[Text], width: int, indent: int = 4, max_single: int = 6) -> list[Text]:
    """Items in columns, from top to bottom; one to a line if they are long, or not more than `max_single`."""
    if not items:
        return []
    widest = max(cell_len(i.plain) for i in items)
    fit = max(1, (width - 2) // (widest + 3)) if widest <= MAX_COLUMN_WIDTH and len(items) > max_single else 1
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


def case_lines(listing: Listing, cases: dict[str, list[tuple[str, Option]]], width: int) -> list[Text]:
    """The title of each action on the left, its options on its right; above them on a narrow screen."""
    texts = listing.decision.game.texts
    titles = {case: (texts.find(listing.lang, f"{case}.title") or "") if case else "" for case in cases}
    left = max(cell_len(title) for title in titles.values())
    if width - left - 2 < LEAST_BESIDE:
        return stacked_lines(listing, cases, titles, width)
    rows: list[Text] = []
    for case, members in cases.items():
        title = Text("  " + titles[case] + " " * (left - cell_len(titles[case])), style="cyan")
        items = [option_item(label, option.text(listing.lang), listing) for label, option in members]
        for line in in_order(items, width - left - 2, text_column(listing), max_single=3):
            rows.append(title + line)
            title = Text(" " * (left + 2))
    return rows


def stacked_lines(
    listing: Listing, cases: dict[str, list[tuple[str, Option]]], titles: dict[str, str], width: int
) -> list[Text]:
    """The title of each action above its options, on a narrow screen."""
    rows: list[Text] = []
    for case, members in cases.items():
        rows += [Text("  " + titles[case], style="cyan")] if titles[case] else []
        items = [option_item(label, option.text(listing.lang), listing) for label, option in members]
        rows += in_order(items, width, text_column(listing), max_single=3)
    return rows


def group_lines(listing: Listing, groups: dict[str, list[tuple[str, Option]]], width: int) -> list[Text]:
    texts = listing.decision.game.texts
    rows: list[Text] = []
    for key, members in groups.items():
        items = []
        for label, option in members:
            domains = listing.decision.domains(option.raw) or ("",) * len(option.ids)
            words = [texts.id(listing.lang, d, i) for d, i in zip(domains, option.ids, strict=False)]
            items.append(option_item(label, " ".join(words[1:]) if key else option.text(listing.lang), listing))
        if key:
            first = members[0][1]
            domains = listing.decision.domains(first.raw)
            name = texts.id(listing.lang, domains[0] if domains else "", key)
            rows.append(Text(f"  {name}", style="cyan"))
        rows += [Text("  ") + line for line in in_columns(items, width - 2, text_column(listing))]
    return rows
