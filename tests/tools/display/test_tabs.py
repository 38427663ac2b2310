"""Maps made of tabs: what stands in one, counts of things, regions, and how narrow a map may become."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from interpreter import State
from tests.concepts.play import start
from tools.display.board import BoardPainter, board_lines, find_part

RULES = """
enum Tribe: owls, hares
piece camp by Tribe each 30 from bag
zone bag: camp
kind Land from "data/lands.yaml"
    const limit: 0..9
    zone camps: camp
    zone boats: Boat
kind Cove from "data/lands.yaml"
    const deep: bool
    zone boats: Boat
kind Boat: 5
    field tribe: Tribe or none
kind Seat
phase game
    for every b in {boat_1, boat_2, boat_3}: set b.tribe to owls
    set boat_4.tribe to hares
    for every b in Boat where b is not boat_2: move b to Land.hill.boats
    move boat_2 to Cove.dale.boats
    move 12 camp[owls] from bag to Land.hill.camps
    move 3 camp[hares] from bag to Land.hill.camps
    choose a in Land by p1 or decline
"""
LANDS = """
Land: {hill: {limit: 4}, dale: {limit: 1}, long_shore: {limit: 2}}
Cove: {dale: {deep: true}}
"""
DISPLAY = """
members:
  Tribe: {owls: {glyph: O}, hares: {glyph: H}}
  Land: {hill: {glyph: Hil}, dale: {glyph: Dal}, long_shore: {glyph: Lon}}
map:
  scale: [4, 1]
  narrowest: 3
  layers:
    - kind: Land
      shape: tab
      size: [3, 3]
      lines:
        - [{of: id, as: text}, limit]
        - [{of: camps, as: counts}]
        - [{of: boats, as: counts, by: tribe, label: "^"}]
      at: {hill: [0, 0], dale: [3, 0], long_shore: [3, 3]}
      regions: {uplands: [hill], shore: [dale, long_shore]}
    - kind: Cove
      shape: point
      size: [3, 1]
      show_if: boats
      lines: [[{of: boats, as: counts, by: tribe, label: "^"}]]
      at: {dale: [6, 0]}
      regions: {shore: [dale]}
"""
LOCALE = """
Land: {hill: The hill, dale: The dale, long_shore: The long shore}
Land.camps: camps
Cove.boats: boats
Tribe: {owls: Owls, hares: Hares}
display: {region: {uplands: The uplands}}
"""


def state(display: str = DISPLAY, rules: str = RULES) -> State:
    return start(rules, {"display.yaml": display, "locale/en.yaml": LOCALE, "data/lands.yaml": LANDS})


def picture(width: int = 80, marks: dict[str, str] | None = None, display: str = DISPLAY) -> list[str]:
    s = state(display)
    lands = s.game.program.domains["Land"]
    things = {lands.values[lands.ids.index(id_)]: mark for id_, mark in (marks or {}).items()}
    return [line.plain for line in board_lines(s, 1, "en", width, things)]


def test_a_tab_has_its_first_line_on_a_rule_and_the_others_below_from_the_left() -> None:
    """The long name is replaced by its glyph. Boats are counted by tribe; the one of no tribe is told by its name."""
    assert picture() == [
        "The hill 4_ The dale 1_",
        "O12 H3                       ^O1",
        "^O2H,boat_5",
        "            Lon 2______",
        "  O Owls  H Hares  ^ boats",
    ]


def test_names_of_places_are_explained_by_the_whole_legend_only() -> None:
    assert "Lon" not in picture()[-1]
    legend = [line.plain for line in find_part(state(), 1, "en", 80, "legend")]
    assert legend[1:] == ["  O Owls  H Hares  Hil The hill  Dal The dale  Lon The long shore  ^ boats"]


@pytest.mark.parametrize(
    ("mark", "first", "last"),
    [
        ("7", "Dal 1____ 7", ""),
        ("12-34", "Dal 1 12-34", ""),
        ("12-345", "Dal1 12-345", ""),
        ("123-456", "Dal 123-456", ""),
        ("1234-5678", "The dale 1_", "  1234-5678"),
    ],
)
def test_the_number_of_an_option_leaves_as_much_of_the_first_line_as_it_can(mark: str, first: str, last: str) -> None:
    """A tab of twelve columns has room for eleven cells: the name and limit, or only the name, beside the number."""
    rows = picture(marks={"dale": mark})
    assert (rows[0][12:23], rows[2][12:23]) == (first, last)


def test_a_number_and_a_line_never_overwrite_each_other() -> None:
    assert picture(marks={"hill": "1234-5678"})[2] == "^…1234-5678"


def test_a_map_does_not_become_narrower_than_it_may() -> None:
    """The last cove is 80 columns away at four to a unit; at three the map is still wider than the screen."""
    wide = DISPLAY.replace("dale: [6, 0]", "dale: [20, 0]")
    assert picture(70, display=wide)[0] == "Hil 4___ Dal 1___"
    wider = wide.replace("[20, 0]", "[30, 0]")
    assert picture(70, display=wider)[1] == "The hill 4_", "three columns to a unit do not help: the regions are drawn"
    assert picture(70, display=wider.replace("  narrowest: 3\n", ""))[0].startswith("Hil 4 Dal 1")


def test_a_map_that_is_cut_is_as_narrow_as_it_may_be() -> None:
    """The two lands stand on 24 cells at four columns to a unit, on 18 at three; the far one is not seen."""
    far = DISPLAY.replace("long_shore: [3, 3]", "long_shore: [60, 30]")

    def cut(display: str) -> str:
        s = state(display)
        hill = s.game.program.domains["Land"].values[0]
        return BoardPainter(s, 1, "en", 40, {hill: "1"}).fit(6).lines[0].plain

    assert cut(far).startswith("Hil 4_ 1 Dal 1___")
    assert cut(far.replace("  narrowest: 3\n", "")).startswith("Hil 4____ 1 The dale 1_")


def test_a_region_is_drawn_under_its_title() -> None:
    s = state()
    for name in ("uplands", "The uplands", "the up"):
        lines = [line.plain for line in find_part(s, 1, "en", 80, name)]
        assert lines[:4] == ["The uplands", "The hill 4_", "O12 H3", "^O2H,boat_5"]
    shore = [line.plain for line in find_part(s, 1, "en", 80, "shore")]
    assert shore[:5] == ["shore", "The dale 1_", "                 ^O1", "", "Lon 2______"]
    assert find_part(s, 1, "en", 80, "nowhere") == []


def test_a_map_that_is_too_wide_is_drawn_by_its_regions() -> None:
    rows = [line.plain for line in find_part(state(), 1, "en", 20, "map")]
    assert [row for row in rows if row in ("The uplands", "shore")] == ["The uplands", "shore"]
    assert max(map(cell_len, rows)) <= 20
    bare = DISPLAY.replace("      regions: {uplands: [hill], shore: [dale, long_shore]}\n", "").replace(
        "      regions: {shore: [dale]}\n", ""
    )
    assert "shore" not in "".join(line.plain for line in find_part(state(bare), 1, "en", 20, "map"))


def test_a_box_may_have_another_size() -> None:
    box = DISPLAY.replace("shape: tab\n      size: [3, 3]", "shape: box\n      size: [3, 4]")
    rows = picture(display=box.replace("long_shore: [3, 3]", "long_shore: [3, 4]"))
    assert rows[0] == "+-----------+-----------+" and rows[4] == "+-----------+-----------+", "they share their edges"
    assert rows[1] == "|The hill 4 |The dale 1 |" and rows[2] == "|  O12 H3   |           |    ^O1"


def test_the_numbers_stand_at_the_thing_that_is_meant_where_two_have_one_id() -> None:
    """A cove is called like the land that it lies at; only the land is asked for."""
    from tools.table.listing import list_options
    from tools.terminal.pages import pages_of

    s = state()
    assert s.decision is not None
    lands, coves = s.game.program.domains["Land"].values, s.game.program.domains["Cove"].values
    (page,) = pages_of(list_options(s.decision, "en"), frozenset((*lands, *coves)))
    assert page.marks == {thing: str(n) for n, thing in enumerate(lands, 1)}


def test_a_part_of_the_map_keeps_its_numbers() -> None:
    s = state()
    lands = s.game.program.domains["Land"].values
    board = BoardPainter(s, 1, "en", 12, {lands[0]: "1", lands[2]: "3"}).fit(4)
    assert sorted(len(window) for window in board.windows) == [1, 1]


@pytest.mark.parametrize("shape", ["circle", "none"])
def test_a_shape_of_pictures_is_a_point_in_a_terminal(shape: str) -> None:
    """What a file says for pictures alone changes nothing here."""
    point = DISPLAY.replace("shape: tab", "shape: point")
    drawn = DISPLAY.replace("shape: tab", f"shape: {shape}\n      picture: {{shape: pointed, skip: true, lines: []}}")
    drawn += "panels:\n  - {id: race, per: Land, track: [0, 9], at: limit, only: picture}\n"
    assert point != drawn
    shown = [[line.plain for line in board_lines(state(display), 1, "en", 90)] for display in (point, drawn)]
    assert shown[0] == shown[1] != []
