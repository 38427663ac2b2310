"""The panels of `display.yaml` as data: facts, tables, groups, tracks; plain lists without it.

Takes a `Reader` and the description of a panel; gives None where there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tools.picture.model.data import FactBlock, FactTable, Groups, Panel, PrintedFact, PrintedFacts, TableRow
from tools.picture.model.faces import shared_face
from tools.picture.model.reader import Reader
from tools.picture.model.tracks import spaces, track
from tools.shows.labels import column_heading, label_of, panel_title, without_label
from tools.shows.parts import FACE, NAME, Part, Parts
from tools.shows.words import show_text
from tools.shows.zones import fields_and_zones

MOST_ROWS = 40  # of a table of everything; longer ones leave out what is empty


def panels_of(reader: Reader) -> tuple[Panel, ...]:
    """The panels that have something to show."""
    display = reader.presenter.program.display
    other = "picture" if reader.letters else "terminal"
    specs = [spec for spec in display.get("panels") or [] if spec.get("only") != other]
    if not display:
        return tuple(reader.part("panels", default_panels))
    found = (reader.part(("panel", n), partial(panel, spec=spec)) for n, spec in enumerate(specs))
    return tuple(one for one in found if one is not None)


def panel(reader: Reader, spec: dict[str, Any]) -> Panel | None:
    found = content_of(reader, spec)
    return replace(found, side=str(spec.get("side", ""))) if found is not None else None


def content_of(reader: Reader, spec: dict[str, Any]) -> Panel | None:
    title = panel_title(reader.presenter, spec)
    id_ = str(spec["id"])
    if "show" in spec:
        return listed(reader, id_, title, spec["show"])
    if "rows" in spec:
        blocks = tuple(blocks_of(reader, spec))
        return PrintedFacts(id_, title, blocks) if blocks else None
    if "at" in spec and not reader.letters:
        return spaces(reader, id_, title, spec, members(reader, spec))
    if "track" in spec and "at" not in spec:
        return track(reader, id_, title, spec, members(reader, spec))
    if "per" in spec:
        kind, columns = str(spec["per"]), spec.get("columns") or []
        if spec.get("as") == FACE and kind in reader.presenter.program.thing_kinds and not reader.letters:
            return cards(reader, id_, title, members(reader, spec), columns)
        numbers = [spec["at"]] if "at" in spec else []  # with letters alone a track of numbers is one of the columns
        return table(reader, id_, title, kind, members(reader, spec), [*numbers, *columns])
    return groups(reader, id_, title, spec) if "group" in spec else None


def members(reader: Reader, spec: dict[str, Any]) -> list[int]:
    """The members of a kind or enum that a panel is about."""
    presenter, kind = reader.presenter, str(spec["per"])
    domain = presenter.program.domains.get(kind)
    enum = kind if domain is not None and domain.sort == "enum" else ""
    values = domain.values if domain is not None and enum else presenter.things(kind)
    return [v for v in values if "where" not in spec or presenter.has_content(spec["where"], v, enum)]


def listed(reader: Reader, id_: str, title: str, specs: Sequence[Any]) -> PrintedFacts:
    """A list of facts, one a row; what is empty is shown as such."""
    rows = []
    for spec in specs:
        rows.append(
            (PrintedFact(label_of(reader.presenter, spec), reader.show(without_label(spec)) or nothing(reader)),)
        )
    return PrintedFacts(id_, title, (FactBlock((), tuple(rows)),))


def nothing(reader: Reader) -> Parts:
    """The sign that nothing is where something could be."""
    return (Part("-" if reader.letters else "–", dim=True),)


def blocks_of(reader: Reader, spec: dict[str, Any]) -> Iterator[FactBlock]:
    if "per" not in spec:
        if rows := tuple(fact_rows(reader, spec["rows"], 0, "")):
            yield FactBlock((), rows)
        return
    for thing in members(reader, spec):
        if rows := tuple(fact_rows(reader, spec["rows"], thing, str(spec["per"]))):
            yield FactBlock((reader.name(thing),), rows)


def fact_rows(reader: Reader, specs: Sequence[Any], thing: int, kind: str) -> Iterator[tuple[PrintedFact, ...]]:
    """Rows of facts; a SHOW that is empty or fails its `where` is left out."""
    for number, parts in enumerate(specs):
        row = parts if isinstance(parts, list) else [parts]
        name = "facts", id(specs), number, thing  # the display and its lists are there as long as the game
        if facts := reader.part(name, partial(fact_row, specs=row, thing=thing, kind=kind)):
            yield facts


def fact_row(reader: Reader, specs: Sequence[Any], thing: int, kind: str) -> tuple[PrintedFact, ...]:
    presenter, facts = reader.presenter, []
    for spec in specs:
        wanted = spec.get("where", "id") if isinstance(spec, dict) else "id"
        if presenter.has_content(wanted, thing) and (shown := reader.show(without_label(spec), thing)):
            label = presenter.label(spec) or label_of(presenter, spec, "display", *([kind] if kind else []))
            facts.append(PrintedFact(label, shown))
    return tuple(facts)


def table(
    reader: Reader, id_: str, title: str, kind: str, values: Sequence[int], columns: Sequence[Any]
) -> FactTable | None:
    domain = reader.presenter.program.domains.get(kind)
    if domain is None or not values:
        return None
    enum = kind if domain.sort == "enum" else ""
    heads = tuple(column_heading(reader.presenter, kind, c) for c in columns)
    rows = []
    for value in values:
        name = reader.member(value, NAME, enum)
        rows.append(TableRow((name,), tuple(cells(reader, id_, columns, value, enum))))
    return FactTable(id_, title, heads, tuple(rows))


def cells(reader: Reader, id_: str, columns: Sequence[Any], value: int, enum: str) -> Iterator[Parts]:
    """The cells of one row."""
    for number, column in enumerate(columns):

        def read(inner: Reader, spec: Any = column) -> Parts:
            return inner.show(without_label(spec), value, enum)

        yield reader.part(("cell", id_, number, value), read)


def cards(reader: Reader, id_: str, title: str, values: Sequence[int], columns: Sequence[Any]) -> PrintedFacts | None:
    """Things as cards beside one another, on each of them what else the columns tell about it."""
    if not values:
        return None
    parts = []
    for thing in values:
        parts.append(reader.member(thing, FACE))
        reader.card_facts[parts[-1].thing] = columns
    return PrintedFacts(id_, title, (FactBlock((), ((PrintedFact("", tuple(parts)),),)),))


def groups(reader: Reader, id_: str, title: str, spec: dict[str, Any]) -> Groups | None:
    """One row for each group: its name, then its things with their cells; groups named by numbers are sorted."""
    presenter = reader.presenter
    found: dict[str, tuple[Parts, list[Parts]]] = {}
    by = spec.get("by")
    for thing in presenter.things(str(spec["group"])):
        shown = {"of": by, "as": "text"} if isinstance(by, str) else by
        name = reader.part(("group", id_, thing), partial(group_name, shown=shown, thing=thing))
        cells = cell_parts(reader, spec.get("cells") or [], thing)
        if cells or "flow" not in spec:
            found.setdefault(name, (reader.show(shown, thing), []))[1].append(cells or nothing(reader))
    names = sorted(found, key=int) if all(name.isdecimal() for name in found) else list(found)
    rows = tuple(TableRow(found[name][0], tuple(found[name][1])) for name in names)
    return Groups(id_, title, rows, flow=str(spec.get("flow", ""))) if rows else None


def group_name(reader: Reader, shown: Any, thing: int) -> str:
    return show_text(reader.presenter, shown, thing).plain


def cell_parts(reader: Reader, specs: Sequence[Any], thing: int) -> Parts:
    """What a thing of a group shows; what stands in the corner of a card beside it is not shown twice."""
    if reader.letters:
        return tuple(part for spec in specs for part in reader.show(spec, thing))
    shown = [
        reader.part(("beside", id(specs), number, thing), partial(cell_beside, spec=spec, thing=thing))
        for number, spec in enumerate(specs)
    ]
    cards = [part.thing for _, parts in shown for part in parts if part.form == FACE]
    corners = {shared_face(reader, key, reader.cards[key]).corner for key in cards}
    return tuple(part for text, parts in shown if text not in corners for part in parts)


def cell_beside(reader: Reader, spec: Any, thing: int) -> tuple[str, Parts]:
    """What a thing of a group shows under one SHOW, also as a text without its label."""
    return show_text(reader.presenter, without_label(spec), thing).plain, reader.show(spec, thing)


def default_panels(reader: Reader) -> list[Panel]:
    return [one for one in plain_panels(reader) if one is not None]


def plain_panels(reader: Reader) -> Iterator[Panel | None]:
    """Panels of all fields and zones: the global ones as a list, those of each kind as a table, without empty ones."""
    presenter = reader.presenter
    symbols, kinds = fields_and_zones(presenter)
    plain = [(PrintedFact(presenter.title(s), parts),) for s in symbols if (parts := reader.show({"of": s}))]
    if plain:
        yield PrintedFacts("game", presenter.title("display.game", "game"), (FactBlock((), tuple(plain)),))
    for kind, names in kinds.items():
        things = presenter.things(kind)
        used = [n for n in names if any(presenter.has_content(n, t) for t in things)]
        if len(things) > MOST_ROWS:
            things = [t for t in things if any(presenter.has_content(n, t) for n in used)]
        if used:
            yield table(reader, kind, presenter.title(f"kind.{kind}", kind), kind, things, used)
