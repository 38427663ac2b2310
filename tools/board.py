"""The picture of a position in a terminal: the map and panels that `display.yaml` describes, or plain lists without it.

Takes a state and a reader; gives lines of text. All words of the game come from the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from dsl.types import MemberType
from interpreter import State
from tools.canvas import Canvas
from tools.showing import Shower, Value

GAP = 3  # columns between the map and the panels beside it
DIM = "dim"


def board(state: State, seat: int | None, lang: str, width: int) -> list[Text]:
    """Everything that the reader may see, drawn for a terminal of this width."""
    shower = Shower(state, seat, lang)
    display = shower.program.display
    chart = draw_map(shower, display["map"]) if display.get("map") else []
    panels = [panel(shower, p, width) for p in display.get("panels") or []] if display else everything(shower)
    return beside(chart, [p for p in panels if p], width)


def beside(chart: list[Text], panels: list[list[Text]], width: int) -> list[Text]:
    """Panels to the right of the map as long as they fit in width and height, the rest below."""
    left = max((cell_len(line.plain) for line in chart), default=0)
    room = width - left - GAP
    column: list[Text] = []
    below: list[Text] = []
    for rows in panels:
        fits = max(cell_len(r.plain) for r in rows) <= room and len(column) + len(rows) + 1 <= len(chart)
        target = column if fits and chart else below
        if target:
            target.append(Text(""))
        target.extend(rows)
    lines = []
    for number, line in enumerate(chart):
        row = line.copy()
        if number < len(column) and column[number].plain:
            row.append(" " * (left + GAP - cell_len(line.plain)))
            row.append_text(column[number])
        lines.append(row)
    if lines and below:
        lines.append(Text(""))
    return lines + below


# ------------------------------------------------------------ the map


def draw_map(shower: Shower, chart: dict[str, Any]) -> list[Text]:
    columns, rows = chart.get("scale") or (4, 1)
    canvas = Canvas()
    layers = chart.get("layers") or []
    places = [(layer, shower.things(str(layer.get("kind", "")))) for layer in layers]
    for outlines in (True, False):  # all shapes first: a shape drawn later must not cut the words of its neighbour
        for layer, things in places:
            for thing in things:
                if (at := position(shower, layer.get("at"), thing)) is not None:
                    x, y = round(at[0] * columns), round(at[1] * rows)
                    draw_thing(shower, canvas, layer, thing, (x, y), (columns, rows), outlines)
    return canvas.lines()


def position(shower: Shower, at: Any, thing: int) -> tuple[float, float] | None:
    if isinstance(at, dict):
        found = at.get(shower.program.thing_ids[thing])
        return (found[0], found[1]) if found else None
    if isinstance(at, list) and len(at) == 2:
        values = [shower.read(str(name), thing) for name in at]
        if all(isinstance(v, Value) for v in values):
            return values[0].value, values[1].value  # type: ignore[union-attr]
    return None


def draw_thing(
    shower: Shower,
    canvas: Canvas,
    layer: dict[str, Any],
    thing: int,
    at: tuple[int, int],
    scale: tuple[float, float],
    outline: bool,
) -> None:
    x, y = at
    shape = layer.get("shape", "point")
    there = "show_if" not in layer or shower.holds(layer["show_if"], thing)
    colour = shower.colour_of(layer["colour"], thing) if "colour" in layer and there else ""
    if outline:
        if shape == "hex":
            draw_hex(canvas, x, y, scale, colour if there else DIM, there)
        elif shape == "box" and there:
            draw_box(canvas, x, y, scale, colour)
        return
    width = round(scale[0] * (3.5 if shape == "hex" else 4)) - 3 if shape != "point" else 2 * round(scale[0])
    if not there:
        blank = str(layer.get("blank") or "").replace("{id}", shower.program.thing_ids[thing])
        canvas.centre(x, y, Text(blank, style=DIM), width)
        return
    lines = layer.get("lines") or []
    top = y - (len(lines) - 1) // 2
    for number, specs in enumerate(lines):
        text = spaced([shower.show(s, thing) for s in specs])
        canvas.centre(x, top + number, text, width if top + number == y else width - 1)


def draw_hex(canvas: Canvas, x: int, y: int, scale: tuple[float, float], style: str, solid: bool) -> None:
    """A flat-top hex, four units wide and high; only its corners where nothing lies."""
    half, quarter, height = round(2 * scale[0]), round(scale[0]), round(2 * scale[1])
    if not solid:
        for dx, dy in (
            (half, 0),
            (-half, 0),
            (quarter, height),
            (-quarter, height),
            (quarter, -height),
            (-quarter, -height),
        ):
            if (x + dx, y + dy) not in canvas.cells:
                canvas.put(x + dx, y + dy, "·", DIM)
        return
    for row in (-height, height):
        for column in range(-quarter + 1, quarter):
            canvas.put(x + column, y + row, "-", style)
    for row in range(1, height):
        column = round(quarter + (half - quarter) * row / height)
        canvas.put(x - column, y - height + row, "/", style)
        canvas.put(x + column, y - height + row, "\\", style)
        canvas.put(x - column, y + height - row, "\\", style)
        canvas.put(x + column, y + height - row, "/", style)
    for dx, dy in (
        (half, 0),
        (-half, 0),
        (quarter, height),
        (-quarter, height),
        (quarter, -height),
        (-quarter, -height),
    ):
        canvas.put(x + dx, y + dy, "+", style)


def draw_box(canvas: Canvas, x: int, y: int, scale: tuple[float, float], style: str) -> None:
    half, height = round(2 * scale[0]), round(2 * scale[1])
    for column in range(-half + 1, half):
        canvas.put(x + column, y - height, "-", style)
        canvas.put(x + column, y + height, "-", style)
    for row in range(-height + 1, height):
        canvas.put(x - half, y + row, "|", style)
        canvas.put(x + half, y + row, "|", style)
    for dx, dy in ((half, height), (-half, height), (half, -height), (-half, -height)):
        canvas.put(x + dx, y + dy, "+", style)


def spaced(parts: Sequence[Text]) -> Text:
    return Text(" ").join(p for p in parts if p.plain)


# ------------------------------------------------------------ panels


def panel(shower: Shower, spec: dict[str, Any], width: int) -> list[Text]:
    title = Text(shower.title(f"display.{spec['id']}", str(spec["id"])), style="bold")
    if "show" in spec:
        rows = shown_rows(shower, spec["show"], width)
    elif "per" in spec:
        rows = table_rows(shower, spec)
    elif "group" in spec:
        rows = group_rows(shower, spec, width)
    else:
        rows = []
    return [title, *rows] if rows else []


def shown_rows(shower: Shower, specs: Sequence[Any], width: int) -> list[Text]:
    names = [label_of(shower, s) for s in specs]
    left = max((cell_len(n) for n in names), default=0)
    rows = []
    for name, spec in zip(names, specs, strict=True):
        content = shower.show(bare(spec))
        row = Text("  ") + Text(padded(name, left), style=DIM) + Text("  ")
        rows += wrapped(row, [content if content.plain else Text("-", style=DIM)], width, left + 4)
    return rows


def label_of(shower: Shower, spec: Any) -> str:
    if isinstance(spec, dict) and spec.get("label"):
        return str(spec["label"])
    name = str(spec.get("of", "")) if isinstance(spec, dict) else str(spec)
    return shower.title(name)


def table_rows(shower: Shower, spec: dict[str, Any]) -> list[Text]:
    kind = str(spec["per"])
    domain = shower.program.domains.get(kind)
    if domain is None:
        return []
    columns = spec.get("columns") or []
    members = [v for v in domain.values if "where" not in spec or shower.holds(spec["where"], v)]
    heads = [Text(""), *(Text(heading(shower, kind, c), style=DIM) for c in columns)]
    table = [heads]
    for value in members:
        type_ = MemberType(kind, value, value)
        sign = shower.glyph(value, type_)
        name = shower.member(value, type_, "text")
        first = shower.member(value, type_, "glyph") + Text(" ") + name if sign and sign != name.plain else name
        table.append([first, *(shower.show(bare(c), value) for c in columns)])
    return aligned(table) if members else []


def bare(spec: Any) -> Any:
    """A SHOW without its label, where the label stands in a column or row of its own."""
    return {**spec, "label": ""} if isinstance(spec, dict) else spec


def heading(shower: Shower, kind: str, spec: Any) -> str:
    if isinstance(spec, dict) and spec.get("label"):
        return str(spec["label"])
    name = str(spec.get("of", "")) if isinstance(spec, dict) else str(spec)
    return shower.title(f"display.{name}", f"{kind}.{name}", name)


def aligned(table: Sequence[Sequence[Text]]) -> list[Text]:
    """Columns of equal width; numbers stand to the right."""
    widths = [max(cell_len(row[i].plain) for row in table) for i in range(len(table[0]))]
    numbers = [all(not r[i].plain or r[i].plain.lstrip("-").isdigit() for r in table[1:]) for i in range(len(widths))]
    rows = []
    for cells in table:
        row = Text("  ")
        for i, cell in enumerate(cells):
            space = " " * (widths[i] - cell_len(cell.plain))
            row.append_text(Text(space) + cell if numbers[i] and i else cell + Text(space))
            row.append("  ")
        row.rstrip()
        rows.append(row)
    return rows


def group_rows(shower: Shower, spec: dict[str, Any], width: int) -> list[Text]:
    """One row a group: its name, then its things with their cells."""
    groups: dict[str, list[Text]] = {}
    for thing in shower.things(str(spec["group"])):
        key = shower.show(
            {"of": spec["by"], "as": "text"} if isinstance(spec.get("by"), str) else spec.get("by"), thing
        )
        cells = [shower.show(c, thing) for c in spec.get("cells") or []]
        text = spaced(cells)
        groups.setdefault(key.plain, []).append(text if text.plain else Text("-", style=DIM))
    left = max((cell_len(name) for name in groups), default=0)
    rows = []
    for name, items in groups.items():
        rows += wrapped(Text("  ") + Text(padded(name, left), style=DIM) + Text("  "), items, width, left + 4)
    return rows


def wrapped(first: Text, items: Sequence[Text], width: int, indent: int) -> list[Text]:
    """Items after `first`, on as many lines as they need; a single long item is broken at its spaces."""
    pieces = items if len(items) != 1 else items[0].split(" ")
    between = "  " if len(items) > 1 else " "
    rows, row, empty = [], first, True
    for piece in pieces:
        if not empty and cell_len(row.plain) + len(between) + cell_len(piece.plain) > width:
            rows.append(row)
            row, empty = Text(" " * indent), True
        if not empty:
            row.append(between)
        row.append_text(piece)
        empty = False
    return [*rows, row]


def padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


# ------------------------------------------------------------ without hints


def everything(shower: Shower) -> list[list[Text]]:
    """All fields and zones: the global ones as a list, those of each kind as a table. Empty ones are left out."""
    plain: list[Text] = []
    kinds: dict[str, list[str]] = {}
    for entry in shower.program.layout:
        kind, dot, name = entry.symbol.rpartition(".")
        if entry.sort in ("place", "seats", "option", "counter"):
            continue
        if dot:
            kinds.setdefault(kind, []).append(name)
            continue
        content = shower.show({"of": entry.symbol})
        if content.plain:
            plain.append(Text("  ") + Text(shower.title(entry.symbol) + "  ", style=DIM) + content)
    panels = [[Text(shower.title("display.game", "game"), style="bold"), *plain]] if plain else []
    for kind, names in kinds.items():
        used = [n for n in names if any(shower.holds(n, t) for t in shower.things(kind))]
        rows = table_rows(shower, {"per": kind, "columns": used}) if used else []
        shown = [row for row in rows if not used or len(rows) < 40 or row is rows[0] or has_content(row)]
        if shown:
            panels.append([Text(shower.title(f"kind.{kind}", kind), style="bold"), *shown])
    return panels


def has_content(row: Text) -> bool:
    return any(part not in ("0", "") for part in row.plain.split()[1:])
