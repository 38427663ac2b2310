"""The picture of a position in a terminal: the map and panels that `display.yaml` describes, or plain lists without it.

Takes a state and the seat of the reader; returns lines of text. `board_lines` draws everything, a `BoardPainter`
what a screen holds, `find_part` one part by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.text import Text

from dsl.shows.panels import ShowPanel
from interpreter import State
from tools.display.legend import legend_lines
from tools.display.map import MapPicture, Window, draw_map, fit_map, regions
from tools.display.panels import all_panels, panel_lines
from tools.display.typed_answers import fold_case
from tools.drawing.layout import add_below, arrange, fit, lines_width
from tools.shows.labels import LEGEND, MAP, panel_title, part_title
from tools.shows.messages import message
from tools.shows.presenter import Presenter

NO_MARKS: Mapping[int, str] = {}
LEGEND_WIDTH = 40  # columns of a legend below a narrower map


@dataclass(frozen=True, slots=True)
class Board:
    """The contents of a screen. `left_out`: the titles of the parts that it has no room for; `windows`: for each
    picture that it takes to show everything marked on the map, the things with a mark in it."""

    lines: list[Text]
    left_out: Sequence[str] = ()
    windows: Sequence[frozenset[int]] = (frozenset(),)


NO_BOARD = Board([])


def board_lines(
    state: State, seat: int | None, lang: str, width: int, marks: Mapping[int, str] = NO_MARKS
) -> list[Text]:
    """Everything that the reader may see, for a terminal of this width; `marks` are shown at things on the map."""
    presenter = Presenter(state, seat, lang)
    chart = map_lines(presenter, marks, width)
    return arrange(chart, all_panels(presenter, width), width)


def map_lines(presenter: Presenter, marks: Mapping[int, str], width: int) -> list[Text]:
    """The whole map with its legend, in parts one below the other if it is too wide: its regions, if it has some;
    nothing if nothing is on it."""
    pictures = draw_pictures(presenter, marks, width)
    if not pictures:
        return []
    lines: list[Text] = []
    if pictures[-1].whole.width > width:
        for name in regions(presenter.program):
            add_below(lines, region_lines(presenter, pictures, name, width))
    lines = lines or [row for box in pictures[-1].whole.columns(width) for row in pictures[-1].lines(box)]
    return [*lines, *map_legend(presenter, pictures[-1], lines, width)]


def region_lines(presenter: Presenter, pictures: Sequence[MapPicture], name: str, width: int) -> list[Text]:
    """A region of the map under its title, as large as this width allows; nothing if nothing is to be seen in it."""
    things = regions(presenter.program)[name]
    found = [(picture, box) for picture in pictures if (box := picture.region(things)) is not None]
    if not found:
        return []
    picture, box = next((pair for pair in found if pair[1].width <= width), found[-1])
    return [region_title(presenter, name), *(row for part in box.columns(width) for row in picture.lines(part))]


def region_title(presenter: Presenter, name: str) -> Text:
    return Text(presenter.title(f"display.region.{name}", name), style="bold")


def map_legend(presenter: Presenter, picture: MapPicture, chart: list[Text], width: int) -> list[Text]:
    """The meanings of the signs on the map, in lines that are not much wider than the map."""
    return legend_lines(presenter, min(width, max(lines_width(chart), LEGEND_WIDTH)), picture.signs)


def draw_pictures(presenter: Presenter, marks: Mapping[int, str], width: int) -> list[MapPicture]:
    """The map, if there is one, from its own scale to the one at which it fits."""
    shown = presenter.shows.map
    return draw_map(presenter, shown, marks, width) if shown is not None else []


class BoardPainter:
    """Draws a position as large as a screen of this width has room for; `marks` are shown at things on the map."""

    def __init__(
        self, state: State, seat: int | None, lang: str, width: int, marks: Mapping[int, str] = NO_MARKS
    ) -> None:
        self.presenter = Presenter(state, seat, lang)
        self.width = width
        self.pictures = draw_pictures(self.presenter, marks, width)
        self.panels: dict[int, list[list[Text]]] = {}  # by the width that they are wrapped to

    @property
    def has_marks(self) -> bool:
        return any(picture.marked for picture in self.pictures)

    def fit(self, height: int, window: int = 0) -> Board:
        """The board that so many lines have room for. With marks on the map, the map comes first, of its windows the
        one with this number; without, it is shown if it leaves out no more panels than itself."""
        found = self.fit_map(height)
        missing = [part_title(self.presenter, MAP)] if self.pictures else []
        if found is None:
            return self.with_panels([], height, missing)
        legend = self.legend(*found, window)
        smaller = self.fit_map(height - len(legend))
        if smaller is not None and len(smaller[1]) == len(found[1]):
            found, legend = smaller, self.legend(*smaller, window)
        picture, windows = found
        chart = picture.lines(windows[window % len(windows)].box)
        if len(chart) + len(legend) <= height:
            with_map = self.with_panels([*chart, *legend], height, [])
        else:
            with_map = self.with_panels(chart, height, [part_title(self.presenter, LEGEND)])
        if picture.marked:
            return replace(with_map, windows=[shown.things for shown in windows])
        without = self.with_panels([], height, missing)
        return with_map if len(with_map.left_out) <= len(without.left_out) else without

    def fit_map(self, height: int) -> tuple[MapPicture, list[Window]] | None:
        """The map on so many lines; one that says how narrow it may be is cut as narrow as that, to show more of it."""
        narrow = self.presenter.shows.map is not None and self.presenter.shows.map.narrowest > 0
        return fit_map(self.pictures, self.width, height, narrow)

    def legend(self, picture: MapPicture, windows: list[Window], window: int) -> list[Text]:
        return map_legend(self.presenter, picture, picture.lines(windows[window % len(windows)].box), self.width)

    def with_panels(self, chart: list[Text], height: int, missing: list[str]) -> Board:
        """A map and the panels that fit beside and below it; `missing`: the titles of parts left out already."""
        lines, left = fit(chart, self.panels_at, self.width, height)
        return Board(lines, [*missing, *(self.panels_at(self.width)[number][0].plain for number in left)])

    def panels_at(self, columns: int) -> list[list[Text]]:
        if columns not in self.panels:
            self.panels[columns] = all_panels(self.presenter, columns)
        return self.panels[columns]


def is_part(presenter: Presenter, part: str, name: str) -> bool:
    """True if the map or the legend is meant: by its id, its title, or the word of the terminal for it."""
    titles = part_title(presenter, part), message(presenter.lang, f"{part}_title")
    return any(is_called(part, title, name) for title in titles)


def find_panel(presenter: Presenter, name: str, whole: bool = False) -> ShowPanel | None:
    """The panel with this id, or with a title that is this or, unless `whole`, begins so."""
    for panel in presenter.shows.panels or ():
        if panel.only != "picture" and is_called(panel.id, panel_title(presenter, panel), name, whole):
            return panel
    return None


def is_called(id_: str, title: str, name: str, whole: bool = False) -> bool:
    """True if a name means something with this id and title."""
    wanted, folded = fold_case(name), fold_case(title)
    return bool(wanted) and (wanted in (fold_case(id_), folded) or not whole and folded.startswith(wanted))


def find_part(
    state: State, seat: int | None, lang: str, width: int, name: str, marks: Mapping[int, str] = NO_MARKS
) -> list[Text]:
    """The lines of the map, the legend, or the panel or region of the map with this id, or with a title that begins so;
    empty if there is none, or nothing to show."""
    presenter = Presenter(state, seat, lang)
    if is_part(presenter, MAP, name) and (chart := map_lines(presenter, marks, width)):
        return chart
    if (spec := find_panel(presenter, name)) is not None:
        return panel_lines(presenter, spec, width)
    for region in regions(presenter.program):
        if is_called(region, region_title(presenter, region).plain, name):
            pictures = draw_pictures(presenter, marks, width)
            lines = region_lines(presenter, pictures, region, width)
            return [*lines, *map_legend(presenter, pictures[-1], lines, width)] if lines else []
    if is_part(presenter, LEGEND, name) and (items := legend_lines(presenter, width)):
        return [Text(part_title(presenter, LEGEND), style="bold"), *items]
    return []
