"""The panels of `display.yaml` as data: facts, tables, groups, tracks; plain lists without it.

Takes a `Reader` and the description of a panel; gives None where there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from dsl.shows.panels import (
    FactList,
    FactRows,
    LaneTrack,
    MemberGroups,
    MemberTable,
    PanelContent,
    PanelMembers,
    ShowPanel,
    SpaceTrack,
)
from dsl.shows.spec import ID, ShowSpec
from tools.picture.model.data import FactBlock, FactTable, Groups, Panel, PrintedFact, PrintedFacts, TableRow
from tools.picture.model.faces import shared_face
from tools.picture.model.reader import Reader
from tools.picture.model.tracks import spaces, track
from tools.shows.labels import label_of, panel_title
from tools.shows.parts import FACE, NAME, Part, Parts
from tools.shows.words import bare_text, show_text
from tools.shows.zones import fields_and_zones

MOST_ROWS = 40  # of a table of everything; longer ones leave out what is empty


def panels_of(reader: Reader) -> tuple[Panel, ...]:
    """The panels that have something to show."""
    panels, other = reader.presenter.shows.panels, "picture" if reader.letters else "terminal"
    if panels is None:
        return tuple(reader.part("panels", default_panels))
    wanted = [one for one in panels if one.only != other]
    found = (reader.part(("panel", n), partial(panel, spec=spec)) for n, spec in enumerate(wanted))
    return tuple(one for one in found if one is not None)


def panel(reader: Reader, spec: ShowPanel) -> Panel | None:
    found = content_of(reader, spec.id, panel_title(reader.presenter, spec), spec.content)
    return replace(found, side=spec.side) if found is not None else None


def content_of(reader: Reader, id_: str, title: str, content: PanelContent) -> Panel | None:
    match content:
        case FactList(shows):
            return listed(reader, id_, title, shows)
        case FactRows():
            blocks = tuple(blocks_of(reader, content))
            return PrintedFacts(id_, title, blocks) if blocks else None
        case LaneTrack(per):
            return track(reader, id_, title, content, members(reader, per))
        case SpaceTrack(per) if not reader.letters:
            return spaces(reader, id_, title, content, members(reader, per))
        case SpaceTrack(per, at, columns=columns):  # with letters alone a track of numbers is one of the columns
            return table(reader, id_, title, per.kind, members(reader, per), (at, *columns))
        case MemberTable(per, columns, as_cards):
            if as_cards and per.kind in reader.presenter.program.thing_kinds and not reader.letters:
                return cards(reader, id_, title, members(reader, per), columns)
            return table(reader, id_, title, per.kind, members(reader, per), columns)
        case MemberGroups():
            return groups(reader, id_, title, content)


def members(reader: Reader, per: PanelMembers) -> list[int]:
    """The members of a kind or enum that a panel is about."""
    presenter, kind = reader.presenter, per.kind
    domain = presenter.program.domains.get(kind)
    enum = kind if domain is not None and domain.sort == "enum" else ""
    values = domain.values if domain is not None and enum else presenter.things(kind)
    return [v for v in values if per.where is None or presenter.has_content(per.where.of, v, enum)]


def listed(reader: Reader, id_: str, title: str, specs: Sequence[ShowSpec]) -> PrintedFacts:
    """A list of facts, one a row; what is empty is shown as such."""
    rows = []
    for spec in specs:
        rows.append((PrintedFact(label_of(reader.presenter, spec), reader.parts(spec) or nothing(reader)),))
    return PrintedFacts(id_, title, (FactBlock((), tuple(rows)),))


def nothing(reader: Reader) -> Parts:
    """The sign that nothing is where something could be."""
    return (Part("-" if reader.letters else "–", dim=True),)


def blocks_of(reader: Reader, content: FactRows) -> Iterator[FactBlock]:
    if content.per is None:
        if rows := tuple(fact_rows(reader, content.rows, 0, "")):
            yield FactBlock((), rows)
        return
    for thing in members(reader, content.per):
        if rows := tuple(fact_rows(reader, content.rows, thing, content.per.kind)):
            yield FactBlock((reader.name(thing),), rows)


def fact_rows(
    reader: Reader, rows: Sequence[Sequence[ShowSpec]], thing: int, kind: str
) -> Iterator[tuple[PrintedFact, ...]]:
    """Rows of facts; a SHOW that is empty or fails its `where` is left out."""
    for number, row in enumerate(rows):
        name = "facts", id(rows), number, thing  # the show-program is there as long as the game
        if facts := reader.part(name, partial(fact_row, specs=row, thing=thing, kind=kind)):
            yield facts


def fact_row(reader: Reader, specs: Sequence[ShowSpec], thing: int, kind: str) -> tuple[PrintedFact, ...]:
    presenter, facts = reader.presenter, []
    for spec in specs:
        if presenter.has_content(spec.where or ID.of, thing) and (shown := reader.parts(spec, thing)):
            label = label_of(presenter, spec, "display", *([kind] if kind else []))
            facts.append(PrintedFact(label, shown))
    return tuple(facts)


def table(
    reader: Reader, id_: str, title: str, kind: str, values: Sequence[int], columns: Sequence[ShowSpec]
) -> FactTable | None:
    domain = reader.presenter.program.domains.get(kind)
    if domain is None or not values:
        return None
    enum = kind if domain.sort == "enum" else ""
    heads = tuple(label_of(reader.presenter, c, "display", kind) for c in columns)
    rows = []
    for value in values:
        name = reader.member(value, NAME, enum)
        rows.append(TableRow((name,), tuple(cells(reader, id_, columns, value, enum))))
    return FactTable(id_, title, heads, tuple(rows))


def cells(reader: Reader, id_: str, columns: Sequence[ShowSpec], value: int, enum: str) -> Iterator[Parts]:
    """The cells of one row."""
    for number, column in enumerate(columns):

        def read(inner: Reader, spec: ShowSpec = column) -> Parts:
            return inner.parts(spec, value, enum)

        yield reader.part(("cell", id_, number, value), read)


def cards(
    reader: Reader, id_: str, title: str, values: Sequence[int], columns: Sequence[ShowSpec]
) -> PrintedFacts | None:
    """Things as cards beside one another, on each of them what else the columns tell about it."""
    if not values:
        return None
    parts = []
    for thing in values:
        parts.append(reader.member(thing, FACE))
        reader.card_facts[parts[-1].thing] = columns
    return PrintedFacts(id_, title, (FactBlock((), ((PrintedFact("", tuple(parts)),),)),))


def groups(reader: Reader, id_: str, title: str, content: MemberGroups) -> Groups | None:
    """One row for each group: its name, then its things with their cells; groups named by numbers are sorted."""
    presenter = reader.presenter
    found: dict[str, tuple[Parts, list[Parts]]] = {}
    for thing in presenter.things(content.kind):
        name = reader.part(("group", id_, thing), partial(group_name, by=content.by, thing=thing))
        cells = cell_parts(reader, content.cells, thing)
        if cells or not content.in_line:
            found.setdefault(name, (reader.show(content.by, thing), []))[1].append(cells or nothing(reader))
    names = sorted(found, key=int) if all(name.isdecimal() for name in found) else list(found)
    rows = tuple(TableRow(found[name][0], tuple(found[name][1])) for name in names)
    return Groups(id_, title, rows, flow="line" if content.in_line else "") if rows else None


def group_name(reader: Reader, by: ShowSpec, thing: int) -> str:
    return show_text(reader.presenter, by, thing).plain


def cell_parts(reader: Reader, specs: Sequence[ShowSpec], thing: int) -> Parts:
    """The parts of a thing of a group; what stands in the corner of a card beside it is not shown twice."""
    if reader.letters:
        return tuple(part for spec in specs for part in reader.show(spec, thing))
    shown = [
        reader.part(("beside", id(specs), number, thing), partial(cell_beside, spec=spec, thing=thing))
        for number, spec in enumerate(specs)
    ]
    cards = [part.thing for _, parts in shown for part in parts if part.form == FACE]
    corners = {shared_face(reader, key, reader.cards[key]).corner for key in cards}
    return tuple(part for text, parts in shown if text not in corners for part in parts)


def cell_beside(reader: Reader, spec: ShowSpec, thing: int) -> tuple[str, Parts]:
    """The parts of a thing of a group under one SHOW, also as a text without its label."""
    return bare_text(reader.presenter, spec, thing).plain, reader.show(spec, thing)


def default_panels(reader: Reader) -> list[Panel]:
    return [one for one in plain_panels(reader) if one is not None]


def plain_panels(reader: Reader) -> Iterator[Panel | None]:
    """Panels of all fields and zones: the global ones as a list, those of each kind as a table, without empty ones."""
    presenter = reader.presenter
    symbols, kinds = fields_and_zones(presenter)
    plain = [(PrintedFact(presenter.title(s), parts),) for s in symbols if (parts := reader.show(ShowSpec(s)))]
    if plain:
        yield PrintedFacts("game", presenter.title("display.game", "game"), (FactBlock((), tuple(plain)),))
    for kind, names in kinds.items():
        things = presenter.things(kind)
        used = [n for n in names if any(presenter.has_content(n, t) for t in things)]
        if len(things) > MOST_ROWS:
            things = [t for t in things if any(presenter.has_content(n, t) for n in used)]
        if used:
            yield table(reader, kind, presenter.title(f"kind.{kind}", kind), kind, things, tuple(map(ShowSpec, used)))
