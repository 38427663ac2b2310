"""Files generated from the pages of the codes: `python -m dsl.diagnostics.generate` writes them.

Takes the pages of `docs/diagnostics`; gives their list, `index.md` in the same folder, and `first_sentences.json`
next to this file, the table of code and first sentence that `dsl.diagnostics.render` reads. A test checks that both
files are up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from dsl.diagnostics.pages import FOLDER, Page, read_pages
from dsl.diagnostics.render import FIRST_SENTENCES

INDEX = FOLDER / "index.md"
HEAD = (
    "# All diagnostics\n\n"
    "Made from the pages in this folder by `python -m dsl.diagnostics.generate`. "
    "See also [Reading a diagnostic](../manual/diagnostics.md).\n"
)
FAMILIES = {
    "RW01": "The shape of the text",
    "RW02": "Names, declarations, rows of cards and tables",
    "RW03": "Data, manifest and texts",
    "RW04": "Types",
    "RW05": "Moving, gaining, turning, setting",
    "RW06": "Routines and their sentences",
    "RW07": "Choices, menus and plans",
    "RW08": "Values, rule lines, purses and strips",
    "RW09": "Positions and rulings",
    "RW10": "Errata and variants",
    "RW11": "The ruleset as a whole",
    "RW12": "Legal, but probably not intended",
    "RW13": "Games that follow one another",
}


def index(pages: Mapping[str, Page]) -> str:
    """The text of the list of all pages, by family."""
    rows: list[str] = []
    family = ""
    for code, page in sorted(pages.items()):
        if code[:4] != family:
            family = code[:4]
            rows += ["", f"## {FAMILIES[family]}", ""]
        rows.append(f"- [{code}]({code}.md) {page.title}")
    return HEAD + "\n".join(rows) + "\n"


def first_sentences(pages: Mapping[str, Page]) -> str:
    """The text of the table of first sentences, one code a line."""
    table = {code: page.first_sentence() for code, page in sorted(pages.items())}
    return json.dumps(table, indent=0, ensure_ascii=False) + "\n"


def main() -> None:
    pages = read_pages()
    for path, text in ((INDEX, index(pages)), (FIRST_SENTENCES, first_sentences(pages))):
        path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(pages)} codes: {INDEX} and {FIRST_SENTENCES} are written\n")


if __name__ == "__main__":
    main()
