"""Cells of a terminal: wide characters, overlaps, truncation."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from tools.drawing.canvas import Box, Canvas, truncate


def plain(canvas: Canvas) -> list[str]:
    return [line.plain for line in canvas.lines()]


def test_a_text_lies_where_it_is_put() -> None:
    canvas = Canvas()
    canvas.write(-2, 0, Text("ab"))
    canvas.write(1, 1, Text("c"))
    assert plain(canvas) == ["ab", "   c"]


def test_wide_signs_take_two_cells() -> None:
    canvas = Canvas()
    canvas.write(0, 0, Text("海x"))
    canvas.write(0, 1, Text("abx"))
    first, second = canvas.lines()
    assert cell_len(first.plain) == cell_len(second.plain) == 3


def test_half_a_wide_sign_is_not_left_over() -> None:
    canvas = Canvas()
    canvas.write(0, 0, Text("海"))
    canvas.put(1, 0, "x")
    assert plain(canvas) == [" x"]
    canvas = Canvas()
    canvas.write(0, 0, Text("海b"))
    canvas.put(0, 0, "x")
    assert plain(canvas) == ["x b"]


def test_styles_survive() -> None:
    canvas = Canvas()
    canvas.write(0, 0, Text("a") + Text("b", style="red"))
    (line,) = canvas.lines()
    assert [(span.start, str(span.style)) for span in line.spans] == [(1, "red")]


def test_a_text_is_cut_by_cells_not_by_letters() -> None:
    assert cell_len(truncate(Text("海海海"), 5).plain) <= 5
    assert truncate(Text("abc"), 3).plain == "abc"
    canvas = Canvas()
    canvas.centre(0, 0, Text("abcdef"), 3)
    assert plain(canvas) == ["ab…"], "with a sign that it goes on"


def test_a_box_grows_to_a_size_and_keeps_within_another() -> None:
    page = Box(0, 0, 99, 39)
    assert Box(40, 10, 49, 19).grown(30, 20, page) == Box(30, 5, 59, 24), "on all sides alike"
    assert Box(90, 0, 99, 9).grown(30, 20, page) == Box(70, 0, 99, 19), "what has no room on one side goes to the other"
    assert Box(2, 35, 5, 39).grown(200, 20, page) == Box(0, 20, 99, 39), "no larger than the page"
