"""The panels of `display.yaml` beside the map: lists, tables of members, things in groups; plain lists without it.

Takes a `Presenter` and the description of a panel; returns its lines, none where there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from dsl.base.types import MemberType
from tools.display.changes import known_contents
from tools.display.values import Presenter, join_nonempty, subject

DIM = "dim"


def panel_title(presenter: Presenter, spec: dict[str, Any]) -> Text:
    return Text(presenter.title(f"display.{spec['id']}", str(spec["id"])), style="bold")


def panel(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    if "show" in spec:
        rows = list_rows(presenter, spec["show"], width)
    elif "rows" in spec:
        rows = block_rows(presenter, spec, width)
    elif "per" in spec:
        rows = table_rows(presenter, spec, width)
    elif "group" in spec:
        rows = group_rows(presenter, spec, width)
    else:
        rows = []
    return [panel_title(presenter, spec), *rows] if rows else []


def list_rows(presenter: Presenter, specs: Sequence[Any], width: int) -> list[Text]:
    names = [label_of(presenter, s) for s in specs]
    left = max((cell_len(n) for n in names), default=0)
    rows = []
    for name, spec in zip(names, specs, strict=True):
        content = presenter.show(without_label(spec))
        row = Text("  ") + Text(pad(name, left), style=DIM) + Text("  ")
        rows += wrap_items(row, [content if content.plain else Text("-", style=DIM)], width, left + 4)
    return rows


def label_of(presenter: Presenter, spec: Any, *owners: str) -> str:
    name = str(spec.get("of", "")) if isinstance(spec, dict) else str(spec)
    return presenter.label(spec) or presenter.title(*(f"{owner}.{name}" for owner in owners), name)


def block_rows(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    """Rows of several SHOWs with their labels: of the whole game, or of each member of a kind under its name."""
    if "per" not in spec:
        return labelled_rows(presenter, spec["rows"], 0, "", width)
    rows: list[Text] = []
    for thing in presenter.things(str(spec["per"])):
        if "where" not in spec or presenter.has_content(spec["where"], thing):
            rows.append(Text("  ") + presenter.name_of(thing))
            rows += labelled_rows(presenter, spec["rows"], thing, str(spec["per"]), width)
    return rows


def labelled_rows(presenter: Presenter, specs: Sequence[Any], thing: int, kind: str, width: int) -> list[Text]:
    """Rows of SHOWs with their labels; a SHOW that is empty or fails its `where` is left out."""
    rows: list[Text] = []
    for parts in specs:
        items = []
        for spec in parts if isinstance(parts, list) else [parts]:
            content = presenter.show(without_label(spec), thing)
            if content.plain and presenter.has_content(
                spec.get("where", "id") if isinstance(spec, dict) else "id", thing
            ):
                name = presenter.label(spec) or label_of(presenter, spec, "display", *([kind] if kind else [])) + " "
                items.append(Text(name, style=DIM) + content)
        if items:
            rows += wrap_items(Text(" " * (4 if thing else 2)), items, width, 6 if thing else 4)
    return rows


def table_rows(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    kind = str(spec["per"])
    domain = presenter.program.domains.get(kind)
    if domain is None:
        return []
    columns = spec.get("columns") or []
    enum = kind if domain.sort == "enum" else ""
    members = domain.values if enum else presenter.things(kind)
    members = [v for v in members if "where" not in spec or presenter.has_content(spec["where"], v, enum)]
    heads = [Text(""), *(Text(column_heading(presenter, kind, c), style=DIM) for c in columns)]
    table = [heads]
    for value in members:
        type_ = MemberType(kind, value, value)
        glyph = presenter.glyph(value, type_)
        name = presenter.format_member(value, type_, "text")
        first = (
            presenter.format_member(value, type_, "glyph") + Text(" ") + name if glyph and glyph != name.plain else name
        )
        table.append([first, *(presenter.show(without_label(c), value, enum) for c in columns)])
    return fit_table(table, width) if members else []


def without_label(spec: Any) -> Any:
    """A SHOW without its label, for a label that has its own column."""
    return {**spec, "label": ""} if isinstance(spec, dict) else spec


def column_heading(presenter: Presenter, kind: str, spec: Any) -> str:
    return label_of(presenter, spec, "display", kind)


def fit_table(table: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """The table in as many blocks, one below the other, as the width requires; each begins with the first column."""
    widths = [max(cell_len(row[i].plain) for row in table) for i in range(len(table[0]))]
    rows: list[Text] = []
    block, used = [0], 2 + widths[0]
    for i in range(1, len(widths) + 1):
        if len(block) > 1 and (i == len(widths) or used + 2 + widths[i] > width):
            rows += align_columns([[row[j] for j in block] for row in table], width)
            block, used = [0], 2 + widths[0]
        if i < len(widths):
            block.append(i)
            used += 2 + widths[i]
    return rows or align_columns(table, width)


def align_columns(table: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Rows in aligned columns; numbers are right-aligned, and a last cell that is too long is wrapped."""
    widths = [max(cell_len(row[i].plain) for row in table) for i in range(len(table[0]))]
    numbers = [all(not r[i].plain or r[i].plain.lstrip("-").isdigit() for r in table[1:]) for i in range(len(widths))]
    before = 2 + sum(n + 2 for n in widths[:-1])
    rows: list[Text] = []
    for *cells, last in table:
        row = Text("  ")
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - cell_len(cell.plain))
            row.append_text(Text(space) + cell if numbers[i] and i else cell + Text(space))
            row.append("  ")
        if numbers[-1] and cells:
            row.append(" " * (widths[-1] - cell_len(last.plain)))
        for line in wrap_items(row, [last], width, before):
            line.rstrip()
            rows.append(line)
    return rows


def group_rows(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    """One row for each group: its name, then its things with their cells; groups named by numbers are sorted."""
    groups: dict[str, list[Text]] = {}
    for thing in presenter.things(str(spec["group"])):
        key = presenter.show(
            {"of": spec["by"], "as": "text"} if isinstance(spec.get("by"), str) else spec.get("by"), thing
        )
        cells = [presenter.show(c, thing) for c in spec.get("cells") or []]
        text = join_nonempty(cells)
        groups.setdefault(key.plain, []).append(text if text.plain else Text("-", style=DIM))
    left = max((cell_len(name) for name in groups), default=0)
    if all(name.isdigit() for name in groups):
        groups = dict(sorted(groups.items(), key=lambda row: int(row[0])))
    rows = []
    for name, items in groups.items():
        rows += wrap_items(Text("  ") + Text(pad(name, left), style=DIM) + Text("  "), items, width, left + 4)
    return rows


def wrap_items(first: Text, items: Sequence[Text], width: int, indent: int) -> list[Text]:
    """Items after `first`, on as many lines as they need; an item longer than a line is broken at its spaces, a word
    longer than a line at the end of the line, and so is a word in wide letters, which has no spaces, in one that is
    broken anyway."""
    room = max(width - indent, 2)
    rows, row, empty = [], first, True
    for item in items:
        whole = len(items) > 1 and cell_len(item.plain) <= room
        for number, piece in enumerate([item] if whole else item.split(" ")):
            between = "  " if len(items) > 1 and not number else " "
            breaks = cell_len(piece.plain) > room or not whole and is_wide(piece.plain)
            needed = min(cell_len(piece.plain), room, LEAST_OF_WORD) if breaks else cell_len(piece.plain)
            if not empty and cell_len(row.plain) + len(between) + needed > width:
                rows.append(row)
                row, empty = Text(" " * indent), True
            if not empty:
                row.append(between)
            while breaks and cell_len(row.plain) + cell_len(piece.plain) > width:
                end = break_position(piece, width - cell_len(row.plain))
                rows.append(row + piece[:end])
                row, piece = Text(" " * indent), piece[end:]
            row.append_text(piece)
            empty = False
    return [*rows, row]


BREAK_AFTER = "、。，．；"
NEVER_FIRST = BREAK_AFTER + "：！？）」』】〉》ー・" + "ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
NEVER_LAST = "（「『【〈《"
LEAST_OF_WORD = 8  # cells of a broken word on its first line


def is_wide(text: str) -> bool:
    """Whether some of its letters take two cells, as those of Japanese, between which a line may end."""
    return cell_len(text) > len(text)


def splits_badly(text: str, end: int) -> bool:
    """Whether a line that ends here would begin the next one with a closing mark, or divide a number or Latin word."""
    before, after = text[end - 1], text[end]
    return after in NEVER_FIRST or before in NEVER_LAST or (before + after).isascii() and (before + after).isalnum()


def break_position(piece: Text, width: int) -> int:
    """How many characters of a piece go on a line of `width` cells: up to the last comma if that is more than half of
    them, else as many as can be without a bad break."""
    text, end, used = piece.plain, 0, 0
    while end < len(text) and used + cell_len(text[end]) <= width:
        used += cell_len(text[end])
        end += 1
    comma = max(text.rfind(mark, 0, end) for mark in BREAK_AFTER) + 1
    if end < len(text) and comma > end / 2:
        return comma
    good = end
    while 1 < good < len(text) and splits_badly(text, good):
        good -= 1
    return max(good if good > 1 else end, 1)


def things_shown(presenter: Presenter, spec: dict[str, Any]) -> list[int]:
    """The things that lie in the zones of a panel, as far as the reader knows them, in their order there; not those in
    zones of which it shows only how much they hold."""
    owners: Sequence[int] = (0,)
    if kind := spec.get("per") or spec.get("group"):
        members = presenter.things(str(kind))
        owners = [t for t in members if "where" not in spec or presenter.has_content(spec["where"], t)]
    rows = [row for key in ("show", "columns", "cells", "rows") for row in spec.get(key) or []]
    parts = [part for row in rows for part in (row if isinstance(row, list) else [row])]
    names = [subject(p) for p in parts if not (isinstance(p, dict) and p.get("as") in ("total", "number"))]
    found = [t for owner in owners for name in names for t in things_in_zone(presenter, name, owner)]
    return list(dict.fromkeys(found))


def things_in_zone(presenter: Presenter, name: str, owner: int) -> list[int]:
    """The things that the reader knows to be in a zone of `owner` (0: of the game); none where the name is no zone."""
    kind = presenter.program.thing_kinds[owner] if owner else ""
    entry = presenter.game.shapes.get(kind, {}).get(name) if owner else presenter.entries.get(name)
    return known_contents(presenter, name, owner) if entry is not None and entry.sort == "zone" else []


def pad(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def default_panels(presenter: Presenter, width: int) -> list[list[Text]]:
    """Panels of all fields and zones: the global ones as a list, those of each kind as a table, without empty ones."""
    plain: list[Text] = []
    kinds: dict[str, list[str]] = {}
    for entry in presenter.program.layout:
        kind, dot, name = entry.symbol.rpartition(".")
        if entry.sort in ("place", "seats", "option", "counter"):
            continue
        if dot:
            kinds.setdefault(kind, []).append(name)
            continue
        content = presenter.show({"of": entry.symbol})
        if content.plain:
            plain.append(Text("  ") + Text(presenter.title(entry.symbol) + "  ", style=DIM) + content)
    panels = [[Text(presenter.title("display.game", "game"), style="bold"), *plain]] if plain else []
    for kind, names in kinds.items():
        used = [n for n in names if any(presenter.has_content(n, t) for t in presenter.things(kind))]
        rows = table_rows(presenter, {"per": kind, "columns": used}, width) if used else []
        shown = [row for row in rows if not used or len(rows) < 40 or row is rows[0] or has_content(row)]
        if shown:
            panels.append([Text(presenter.title(f"kind.{kind}", kind), style="bold"), *shown])
    return panels


def has_content(row: Text) -> bool:
    return any(part not in ("0", "") for part in row.plain.split()[1:])
