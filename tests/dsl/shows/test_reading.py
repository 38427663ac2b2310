"""The show-program that is made of a display file: nothing of the file's form is left in it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dsl.shows.chart import LayerLook
from dsl.shows.panels import (
    FactList,
    FactRows,
    LaneTrack,
    MemberGroups,
    MemberTable,
    PanelContent,
    PanelMembers,
    SpaceTrack,
)
from dsl.shows.program import MemberSign, ShownFace, ShowProgram
from dsl.shows.reading import show_program
from dsl.shows.spec import ShowSpec


def read(text: str) -> ShowProgram:
    return show_program(yaml.safe_load(text))


def layer(text: str) -> Any:
    shown = read(f"map: {{layers: [{{kind: Field, {text}}}]}}").map
    assert shown is not None
    return shown.layers[0]


def test_without_a_file_there_are_no_panels_and_with_one_there_may_be_none() -> None:
    assert show_program({}).panels is None
    assert read("members: {Seat: {p1: {glyph: 1}}}").panels == ()
    assert read("members: {Seat: {p1: {glyph: 1}}}").members == {"Seat": {"p1": MemberSign("1")}}


CONTENTS: dict[str, PanelContent] = {
    "show: [a, {of: b, as: text, label: B}]": FactList((ShowSpec("a"), ShowSpec("b", "text", label="B"))),
    "rows: [a, [b, {of: c, where: d}]]": FactRows(
        ((ShowSpec("a"),), (ShowSpec("b"), ShowSpec("c", where="d"))),
    ),
    "per: Field, where: w, rows: [a]": FactRows(((ShowSpec("a"),),), PanelMembers("Field", ShowSpec("w"))),
    "per: Field, columns: [{of: a, by: b}]": MemberTable(PanelMembers("Field"), (ShowSpec("a", by="b"),)),
    "per: Field, as: face": MemberTable(PanelMembers("Field"), cards=True),
    "per: Field, track: a, borders: [b], labels: c": LaneTrack(
        PanelMembers("Field"), ShowSpec("a"), (ShowSpec("b"),), ShowSpec("c")
    ),
    "per: Field, track: [0, last, 10], at: a, columns: [b]": SpaceTrack(
        PanelMembers("Field"), ShowSpec("a"), 0, ShowSpec("last"), 10, (ShowSpec("b"),)
    ),
    "group: Field, by: a, cells: [b], flow: line": MemberGroups(
        "Field", ShowSpec("a", "text"), (ShowSpec("b"),), in_line=True
    ),
    "group: Field, by: {of: a}": MemberGroups("Field", ShowSpec("a")),
}


@pytest.mark.parametrize("text", CONTENTS)
def test_each_sort_of_panel_has_a_record(text: str) -> None:
    panels = read(f"panels: [{{id: x, side: top, only: picture, title: T, {text}}}, {{id: empty}}]").panels
    assert panels is not None and [(one.id, one.title, one.side, one.only) for one in panels] == [
        ("x", "T", "top", "picture")
    ]
    assert panels[0].content == CONTENTS[text]


def test_a_picture_has_what_a_layer_says_for_all_but_for_its_own() -> None:
    found = layer("shape: box, size: [2, 1], colour: hue, lines: [[a]], picture: {shape: hex, colour: none, blank: x}")
    assert found.written == LayerLook("box", (2, 1), colour=ShowSpec("hue"), lines=((ShowSpec("a"),),))
    assert found.drawn == LayerLook("hex", (2, 1), blank="x", lines=((ShowSpec("a"),),))


def test_places_are_those_of_ids_or_of_two_fields() -> None:
    assert layer("at: {a: [1, 2]}").places == {"a": (1, 2)} and not layer("at: {a: [1, 2]}").coordinates
    assert layer("at: [x, y]").coordinates == (ShowSpec("x"), ShowSpec("y")) and not layer("at: [x, y]").places
    assert layer("'on': cell").on == ShowSpec("cell")


def test_a_circle_is_a_point_in_a_terminal() -> None:
    shapes = ("point", "circle", "none", "hex", "box", "tab")
    assert [LayerLook(shape).is_point for shape in shapes] == [True, True, True, False, False, False]


def test_a_card_without_facts_is_not_one_with_none() -> None:
    assert read("faces: {Card: {corner: c}}").faces == {"Card": ShownFace(corner=ShowSpec("c"))}
    assert read("faces: {Card: {facts: []}}").faces["Card"].facts == ()


def test_what_is_told_compares_positions_or_listens() -> None:
    first, second = read("told: [{id: a, per: Seat, come: [hand]}, {id: b, change: n, as: [won]}]").told
    assert first.compares_positions and first.come == (ShowSpec("hand"),)
    assert not second.compares_positions and second.causes == ("won",) and second.change == ShowSpec("n")
