"""The panels of `display.yaml` beside the map: lists, tables, tracks, things in groups; plain lists without it.

Takes a `Presenter` and the description of a panel; returns its lines, none where there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from dsl.base.types import MemberType
from tools.display.changes import known_contents
from tools.display.track import track_rows
from tools.display.values import Presenter, subject
from tools.drawing.lines import DIM, fit_table, join_nonempty, pad, wrap_items


def panel_title(presenter: Presenter, spec: dict[str, Any]) -> Text:
    """The title of a panel: that of the file, a text or the address of one, else the text `display.<id>`."""
    own = str(spec.get("title") or "")
    title = presenter.game.texts.find(presenter.lang, own) or own if own else ""
    return Text(title or presenter.title(f"display.{spec['id']}", str(spec["id"])), style="bold")


def panel(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    if spec.get("only") == "picture":
        rows: list[Text] = []
    elif "show" in spec:
        rows = list_rows(presenter, spec["show"], width)
    elif "rows" in spec:
        rows = block_rows(presenter, spec, width)
    elif "track" in spec and "at" not in spec:
        rows = track_rows(presenter, spec, width)
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
            about = labelled_rows(presenter, spec["rows"], thing, str(spec["per"]), width)
            rows += [Text("  ") + presenter.name_of(thing), *about] if about else []
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
    columns = [*([spec["at"]] if "at" in spec else []), *(spec.get("columns") or [])]  # a track of numbers: one column
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


def fields_and_zones(presenter: Presenter) -> tuple[list[str], dict[str, list[str]]]:
    """What is to be seen without a list of panels: the symbols of the whole game, and kind -> names of its own."""
    symbols: list[str] = []
    kinds: dict[str, list[str]] = {}
    for entry in presenter.program.layout:
        kind, dot, name = entry.symbol.rpartition(".")
        if entry.sort not in ("place", "seats", "option", "counter"):
            (kinds.setdefault(kind, []) if dot else symbols).append(name)
    return symbols, kinds


def default_panels(presenter: Presenter, width: int) -> list[list[Text]]:
    """Panels of all fields and zones: the global ones as a list, those of each kind as a table, without empty ones."""
    plain: list[Text] = []
    symbols, kinds = fields_and_zones(presenter)
    for symbol in symbols:
        content = presenter.show({"of": symbol})
        if content.plain:
            plain.append(Text("  ") + Text(presenter.title(symbol) + "  ", style=DIM) + content)
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
