"""Functions, reserved names, bounds and codes as tables, each from the place in the code that decides it."""

from __future__ import annotations

from dsl.base.types import INT_HIGH, INT_LOW, MOST_IN_SET, MOST_PIECES
from dsl.diagnostics.generate import FAMILIES
from dsl.diagnostics.pages import read_pages
from dsl.elaborate.expressions.calls import BUILTINS, WITH_NUMBER
from dsl.elaborate.expressions.folds import MOST_NUMBERS
from dsl.elaborate.histories.parts import MOST_RECORDED
from dsl.files.documents import MAX_SEATS, OF_OVERLAYS, OF_THE_BASE
from dsl.files.rows import MAX_COPIES
from dsl.program import CEILINGS, MOST_OPTIONS, Limits
from dsl.symbols.collect import MOST_THINGS
from dsl.symbols.layout import MOST_WORDS
from dsl.symbols.products import MOST_CELLS
from dsl.symbols.rule_lines import MOST_ROWS
from dsl.symbols.types import RESERVED
from dsl.syntax.indentation import MAX_LEVELS
from dsl.syntax.lexer import INDENT, MAX_DEPTH, MAX_NUMBER

BOUNDS = {
    "columns of one level of indentation": INDENT,
    "levels of blocks in one another": MAX_LEVELS,
    "brackets, operators and sentences behind colons in one another, in one line": MAX_DEPTH,
    "the greatest number that can be written": MAX_NUMBER,
    "the least number that is kept": INT_LOW,
    "the greatest number that is kept": INT_HIGH,
    "the greatest number in a set of numbers, which begins at 0 or above": MOST_IN_SET,
    "pieces of one sort in one zone": MOST_PIECES,
    "copies of a card": MAX_COPIES,
    "cells of a lattice": MOST_CELLS,
    "things of all kinds together": MOST_THINGS,
    "words of the state that is declared": MOST_WORDS,
    "numbers of a range that is gone through": MOST_NUMBERS,
    "options of one question": MOST_OPTIONS,
    "times that a history remembers": MOST_RECORDED,
    "rows of a fact that is handed on": MOST_ROWS,
    "seats": MAX_SEATS,
}


def functions() -> str:
    """Every built-in function with the number of its arguments."""
    rows = ["| Function | Arguments |", "| --- | --- |"]
    for name, count in BUILTINS.items():
        rows.append(f"| `{name}` | {count}{' or ' + str(count + 1) if name in WITH_NUMBER else ''} |")
    return "\n".join(rows) + "\n"


def reserved() -> str:
    """The names that no declaration may have."""
    return " ".join(f"`{name}`" for name in sorted(RESERVED)) + "\n"


def bounds() -> str:
    """The bounds of texts and values, which no ruleset can change."""
    return "| Bound | |\n| --- | ---: |\n" + "".join(f"| {what} | {most} |\n" for what, most in BOUNDS.items())


def limits() -> str:
    """The limits that a manifest may set."""
    usual = Limits()
    rows = ["| Limit | Usual | At most |", "| --- | ---: | ---: |"]
    rows += [f"| `{name}` | {getattr(usual, name)} | {most} |" for name, most in CEILINGS.items()]
    return "\n".join(rows) + "\n"


def manifest() -> str:
    """The keys of a manifest, and which of them an overlay may set."""
    rows = ["| Key | An overlay may set it |", "| --- | --- |"]
    rows += [f"| `{key}` | no |" for key in OF_THE_BASE]
    rows += [f"| `{key}` | yes |" for key in OF_OVERLAYS]
    return "\n".join(rows) + "\n"


def codes(*families: str) -> str:
    """The codes of these families with their titles, as a list with links from a page of the reference."""
    pages = read_pages()
    rows: list[str] = []
    for family in families:
        rows += [f"**{FAMILIES[family]}**", ""] if len(families) > 1 else []
        rows += [f"- [{c}](../diagnostics/{c}.md) {page.title}" for c, page in pages.items() if c[:4] == family]
        rows.append("")
    return "\n".join(rows)
