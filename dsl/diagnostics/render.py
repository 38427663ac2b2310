"""Diagnostics as text for a terminal and as plain data for editors and scripts.

Both renderers take diagnostics and the sources they point into, and give them sorted by place. They print nothing and
leave the diagnostics unchanged.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dsl.base.span import Source, Span
from dsl.base.visible import visible_line
from dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity

TAB = "    "
LONGEST, AHEAD = 400, 100  # characters of a line that are shown, and of them before the marks in a longer one
CUT = "…"
FIRST_SENTENCES = Path(__file__).parent / "first_sentences.json"  # made from the pages of the codes
RESET, BOLD, BLUE = "\x1b[0m", "\x1b[1m", "\x1b[34m"
COLOURS = {Severity.ERROR: "\x1b[31m", Severity.WARNING: "\x1b[33m", Severity.NOTE: "\x1b[36m"}


def sort_by_place(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> list[Diagnostic]:
    """The diagnostics in the order of the files, then of the text."""
    order = {file: i for i, file in enumerate(sources)}
    return sorted(diagnostics, key=lambda d: (order.get(d.span.file, len(order)), d.span.start, d.code, d.message))


def render_text(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], colour: bool = False) -> str:
    """One paragraph for each diagnostic: the place, the message, the line with the words marked, labels and help."""
    return "\n".join(_paragraph(d, sources, colour) for d in sort_by_place(diagnostics, sources))


def render_json(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]) -> list[dict[str, Any]]:
    """One plain dict for each diagnostic; lines and columns from 1 in code points, the end is the first column after
    the marked words."""
    return [
        {
            "code": d.code,
            "severity": d.severity.value,
            **_place_fields(d.span, sources),
            "message": d.message,
            "help": help_text(d),
            "fix": _fix_fields(d.fix, sources),
            "labels": [{**_place_fields(label.span, sources), "text": label.text} for label in d.labels],
        }
        for d in sort_by_place(diagnostics, sources)
    ]


def help_text(diagnostic: Diagnostic) -> str | None:
    """The help of a diagnostic; where its pass gave none, the first sentence of the page of its code."""
    return diagnostic.help or first_sentences().get(diagnostic.code)


@cache
def first_sentences() -> dict[str, str]:
    """The first sentence of each page, by code. The table is read only when a message needs it."""
    import json

    table: dict[str, str] = json.loads(FIRST_SENTENCES.read_text(encoding="utf-8"))
    return table


def display_width(text: str) -> int:
    """The number of terminal cells that a text takes: wide characters take two, combining ones none."""
    return sum(_cell_width(sign) for sign in text)


def _cell_width(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def _printable(text: str) -> str:
    """The text on one line, without characters that could control a terminal."""
    return visible_line(text.replace("\t", TAB))


def _place_fields(span: Span, sources: Mapping[str, Source]) -> dict[str, Any]:
    source = sources.get(span.file)
    line, column = source.place(span.start) if source else (1, 1)
    end_line, end_column = source.place(span.end) if source else (1, 1)
    return {"file": span.file, "line": line, "column": column, "end_line": end_line, "end_column": end_column}


def _fix_fields(fix: Fix | None, sources: Mapping[str, Source]) -> dict[str, Any] | None:
    return {**_place_fields(fix.span, sources), "text": fix.text} if fix else None


def _paragraph(diagnostic: Diagnostic, sources: Mapping[str, Source], colour: bool) -> str:
    tint, bold, blue, off = (COLOURS[diagnostic.severity], BOLD, BLUE, RESET) if colour else ("", "", "", "")
    source = sources.get(diagnostic.span.file)
    where = ""
    if source:
        line, column = source.place(diagnostic.span.start)
        where = f"{_printable(diagnostic.span.file)}:{line}:{column}: "
    elif diagnostic.span.file:
        where = f"{_printable(diagnostic.span.file)}: "
    head = f"{diagnostic.severity.value}[{diagnostic.code}]"
    rows = [f"{bold}{where}{tint}{head}{off}{bold}: {_printable(diagnostic.message)}{off}"]
    labels = sorted(diagnostic.labels, key=lambda label: (label.span.file, label.span.start))
    shown = [Label(diagnostic.span, "")] if source else []
    spots = [(label, "^", tint) for label in shown] + [(label, "-", blue) for label in labels]
    width = max((len(str(_line_of(label.span, sources))) for label, _, _ in spots), default=1)
    before: tuple[str, int] | None = None
    for label, sign, paint in spots:
        if label.span.file not in sources:
            rows.append(f"{' ' * width} = {_printable(label.text)}")
            continue
        here = (label.span.file, _line_of(label.span, sources))
        rows += _snippet(label, sign, sources, width, here != before, before, (paint, off))
        before = here
    help = help_text(diagnostic)
    if help:
        first, *more = help.split("\n")
        rows.append(f"{' ' * width} {bold}= help:{off} {_printable(first)}")
        rows += [f"{' ' * width}   {_printable(line)}" for line in more]
    return "\n".join(rows) + "\n"


def _line_of(span: Span, sources: Mapping[str, Source]) -> int:
    source = sources.get(span.file)
    return source.place(span.start)[0] if source else 1


def _part_shown(text: str, at: int) -> tuple[int, int]:
    """The start and the end of the part of a line that is shown: all of it, or, if it is very long, what is around a
    place."""
    if len(text) <= LONGEST:
        return 0, len(text)
    first = max(0, at - AHEAD)
    return first, first + LONGEST


def _snippet(
    label: Label,
    sign: str,
    sources: Mapping[str, Source],
    width: int,
    fresh: bool,
    before: tuple[str, int] | None,
    paint: tuple[str, str],
) -> list[str]:
    """The line of a span, unless it was just shown (then not `fresh`), and the marks under it."""
    source = sources[label.span.file]
    number, column = source.place(label.span.start)
    end_number, end_column = source.place(label.span.end)
    text = source.line(number)
    end = end_column - 1 if end_number == number else len(text)
    first, last = _part_shown(text, column - 1)
    before_it, behind_it = CUT if first else "", CUT if last < len(text) else ""
    rows = []
    if fresh or first or behind_it:  # another part of a long line may have been shown
        if before is not None and before[0] != label.span.file:
            rows.append(f"{' ' * width} : {_printable(label.span.file)}:{number}:{column}")
        rows.append(f"{number:>{width}} | {before_it}{_printable(text[first:last])}{behind_it}")
    gap = " " * display_width(before_it + _printable(text[first : column - 1]))
    marks = sign * max(1, display_width(_printable(text[column - 1 : min(end, last)])))
    word = f" {_printable(label.text)}" if label.text else ""
    rows.append(f"{' ' * width} | {gap}{paint[0]}{marks}{word}{paint[1]}")
    return rows
