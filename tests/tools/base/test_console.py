"""Tables on a terminal that is wide enough, on one that is not, and in a pipe."""

from __future__ import annotations

import io

from tools.base.console import CommandConsole

ROWS = [("apples", "12.0 ± 3.4", "120.0 ± 3.4"), ("pears", "1.0 ± 0.2", "7.0 ± 0.2")]


def printed(terminal: bool, width: int) -> list[str]:
    screen = CommandConsole(
        file=io.StringIO(), force_terminal=terminal, color_system=None, width=width, highlight=False
    )
    screen.print_rows(("watched", "start", "end"), ROWS, numbers=1)
    assert isinstance(screen.file, io.StringIO)
    return [line.rstrip() for line in screen.file.getvalue().splitlines()]


def test_a_table_that_fits_has_its_numbers_to_the_right() -> None:
    wide = ["watched       start          end", "apples   12.0 ± 3.4  120.0 ± 3.4", "pears     1.0 ± 0.2    7.0 ± 0.2"]
    assert printed(terminal=True, width=80) == wide
    assert printed(terminal=False, width=20) == wide  # a pipe has any width


def test_a_table_that_is_too_wide_becomes_a_list() -> None:
    assert printed(terminal=True, width=20) == [
        "apples",
        "  start: 12.0 ± 3.4",
        "  end: 120.0 ± 3.4",
        "pears",
        "  start: 1.0 ± 0.2",
        "  end: 7.0 ± 0.2",
    ]
