"""The shape of `display.yaml`: keys, forms, colours. It is described at the top of each such file, and on pages of the
manual."""

from __future__ import annotations

import re
from typing import Any

from dsl.files.schema import did_you_mean, quote, refusal

FORMS = ("glyph", "id", "text", "number", "counts", "row", "total", "face")
SHAPES = ("hex", "box", "tab", "point", "circle", "none")
DRAWN_SHAPES = ("hex", "pointed", "box", "tab", "point", "circle", "none")  # in a picture alone
ONLY = ("picture", "terminal")  # where a panel is, if not in both
SIDES = ("top", "wide", "left")  # where a panel of a picture stands
DRAWING = re.compile(r"pictures/[A-Za-z0-9_\-/]+\.svg")
ICONS = ("square", "disc", "diamond", "triangle", "hexagon", "star", "pawn", "cube")  # outlines of tokens in a picture
PATTERNS = ("plain", "dots", "ascending", "descending", "horizontal", "vertical", "grid", "rings")  # on places
SHOW_KEYS = ("of", "as", "by", "label", "where")
FARTHEST = 9_999  # of a place from the middle of a map, in units
MOST_SPACES = 1_000  # of a track
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def _show(value: Any) -> Any:
    """The name of a field, zone or value, or a block that says how to show it."""
    if isinstance(value, dict):
        for key in value:
            if key not in SHOW_KEYS:
                message = f"there is no `{key}` in what is shown"
                raise refusal("RW0310", message, did_you_mean(key, list(SHOW_KEYS)), (key, "[key]"))
        if "of" not in value:
            raise refusal("RW0311", "it does not say what is shown", "add `of: NAME`")
        if "as" in value and value["as"] not in FORMS:
            message = f"`{value['as']}` is not a form"
            raise refusal("RW0314", message, did_you_mean(str(value["as"]), list(FORMS)), ("as",))
    elif not isinstance(value, str):
        raise refusal("RW0312", f"read {quote(value)}, expected a name", "write the name of a field, zone or value")
    return value


def _shown_row(value: Any) -> Any:
    """One SHOW, or several in one row."""
    return [_show(part) for part in value] if isinstance(value, list) else _show(value)


def _positions(value: Any) -> Any:
    pairs = value.items() if isinstance(value, dict) else [(None, value)]
    for key, pair in pairs:
        wanted: Any = int if key is not None else str
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(part) is wanted for part in pair):
            at = () if key is None else (key,)
            help = "write `id: [x, y]` in whole numbers for each id, or the names of two fields"
            raise refusal("RW0312", f"read {quote(pair)}, expected a position", help, at)
        if key is not None and max(map(abs, pair)) > FARTHEST:
            message = f"[{pair[0]}, {pair[1]}] lies more than {FARTHEST} units away"
            raise refusal("RW0313", message, "let the places of a map begin near `[0, 0]`", (key,))
    return value


def _colour(value: str) -> str:
    if not COLOUR.fullmatch(value):
        raise refusal("RW0312", f"read `{value}`, expected a colour", 'write `"#rrggbb"` in quotes')
    return value


def _icon(value: str) -> str:
    return value if DRAWING.fullmatch(value) else _one_of(value, ICONS, "an icon")


def _drawing(value: str) -> str:
    if not DRAWING.fullmatch(value):
        raise refusal("RW0314", f"`{value}` is not a drawing", "write its path, as in `pictures/board.svg`")
    return value


def _track(value: Any) -> Any:
    """A SHOW of the marker's space, or the least and the most of the spaces, and after how many one is named."""
    if not isinstance(value, list):
        return _show(value)
    least_and_most = [part for part in value[:2] if type(part) in (int, str)]
    if len(value) not in (2, 3) or len(least_and_most) != 2 or type(value[-1]) is str and len(value) == 3:
        help = "write the least and the most, and perhaps after how many spaces one is named: `[0, 60, 10]`"
        raise refusal("RW0312", f"read {quote(value)} of {len(value)}, expected the spaces of a track", help)
    if len(value) == 3 and (type(value[2]) is not int or value[2] < 1):
        raise refusal("RW0313", f"`{value[2]}` is below 1", "name every tenth space with `10`", (2,))
    if type(value[0]) is type(value[1]) is int and value[0] >= value[1]:
        raise refusal("RW0313", f"a track from {value[0]} to {value[1]} has no spaces", "write the least first", (1,))
    if type(value[0]) is type(value[1]) is int and value[1] - value[0] >= MOST_SPACES:
        message = f"a track from {value[0]} to {value[1]} has more than {MOST_SPACES} spaces"
        raise refusal("RW0313", message, "write fewer spaces, or show the number in one of the `columns`", (1,))
    return value


def _one_of(value: str, known: tuple[str, ...], what: str) -> str:
    if value not in known:
        raise refusal("RW0314", f"`{value}` is not {what}", did_you_mean(value, list(known)))
    return value


def display_schema() -> Any:
    from typing import Annotated

    from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator

    def one_of(known: tuple[str, ...], what: str) -> AfterValidator:
        return AfterValidator(lambda value: _one_of(value, known, what))

    Shown = Annotated[Any, PlainValidator(_show)]
    Row = Annotated[Any, PlainValidator(_shown_row)]

    class Strict(BaseModel):
        model_config = ConfigDict(extra="forbid", strict=True)

    class Sign(Strict):
        glyph: str | int = ""
        colour: Annotated[str, AfterValidator(_colour)] = "#000000"
        paint: Annotated[str, AfterValidator(_colour)] = "#000000"
        icon: Annotated[str, AfterValidator(_icon)] = "square"
        pattern: Annotated[str, one_of(PATTERNS, "a pattern")] = "plain"

    class Card(Strict):
        colour: Annotated[str, AfterValidator(_colour)] = "#000000"
        band: Shown = None
        corner: Shown = None
        facts: list[Shown] = []

    AtLeastOne = Annotated[int, Field(ge=1)]

    class Drawn(Strict):
        shape: Annotated[str, one_of(DRAWN_SHAPES, "a shape")] = "point"
        skip: bool = False
        size: Annotated[list[AtLeastOne], Field(min_length=2, max_length=2)] = []
        shift: Annotated[list[int], Field(min_length=2, max_length=2)] = []
        ground: Annotated[str, AfterValidator(_colour)] = "#000000"
        colour: Shown = None
        blank: str = ""
        lines: list[list[Shown]] = []

    class Layer(Strict):
        kind: str
        at: Annotated[Any, PlainValidator(_positions)] = None
        on: str = ""
        shape: Annotated[str, one_of(SHAPES, "a shape")] = "point"
        size: list[AtLeastOne] = Field([], min_length=2, max_length=2)
        regions: dict[str, list[str]] = {}
        show_if: Shown = None
        blank: str = ""
        colour: Shown = None
        lines: list[list[Shown]] = []
        picture: Drawn = Drawn()

    class Map(Strict):
        scale: list[AtLeastOne] = [1, 1]
        unit: Annotated[list[AtLeastOne], Field(min_length=2, max_length=2)] = []
        image: Annotated[str, AfterValidator(_drawing)] = ""
        ground: Annotated[str, AfterValidator(_colour)] = "#000000"
        narrowest: AtLeastOne = 1
        layers: list[Layer] = []

    class Panel(Strict):
        id: str
        show: list[Shown] = []
        rows: list[Row] = []
        per: str = ""
        where: Shown = None
        columns: list[Shown] = []
        form: Annotated[str, one_of(("face",), "a form of a panel")] = Field("", alias="as")
        title: str = ""
        side: Annotated[str, one_of(SIDES, "a side")] = ""
        only: Annotated[str, one_of(ONLY, "a place for a panel")] = ""
        flow: Annotated[str, one_of(("line",), "a flow")] = ""
        track: Annotated[Any, PlainValidator(_track)] = None
        at: Shown = None
        borders: list[Shown] = []
        labels: Shown = None
        group: str = ""
        by: Shown = None
        cells: list[Shown] = []

    class Told(Strict):
        id: str
        per: str = ""
        come: list[str] = []
        change: Shown = None
        changes: list[Shown] = []
        during: list[str] = []
        causes: list[str] = Field([], alias="as")
        run: list[str] = []
        without: list[str] = []

    class Display(Strict):
        members: dict[str, dict[str, Sign]] = {}
        faces: dict[str, Card] = {}
        map: Map = Map()
        panels: list[Panel] = []
        preview: list[str] = []
        confirm: list[str] = []
        told: list[Told] = []

    return Display
