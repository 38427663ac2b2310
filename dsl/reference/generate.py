"""The generated parts in their pages: `python -m dsl.reference.generate` writes them between the markers.

A marker is a comment, `<!-- made: PART ARGUMENTS -->`, with arguments after commas; what follows it up to
`<!-- end -->` is written anew each time. A test checks that all pages are up to date.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import dsl
from dsl.reference import bounds, grammar, words

FOLDER = Path(dsl.__file__).parents[1] / "docs" / "reference"
PART = re.compile(r"<!-- made: (\w+) ?([^>]*?) -->\n.*?<!-- end -->", re.DOTALL)

PARTS: dict[str, Callable[..., str]] = {
    "grammar": lambda: f"```ebnf\n{grammar.grammar()}```\n",
    "classes": grammar.classes,
    "words": lambda *named: words.table(named),
    "clauses": words.clauses,
    "facts": words.facts,
    "folds": words.folds,
    "functions": bounds.functions,
    "reserved": bounds.reserved,
    "bounds": bounds.bounds,
    "limits": bounds.limits,
    "manifest": bounds.manifest,
    "codes": bounds.codes,
}


def filled(text: str) -> str:
    """A page with all its generated parts as they are now. Raises KeyError for a part or word that is none."""

    def made(found: re.Match[str]) -> str:
        arguments = [a.strip() for a in found[2].split(",")] if found[2] else []
        return (
            f"<!-- made: {found[1]}{' ' * bool(found[2])}{found[2]} -->\n\n{PARTS[found[1]](*arguments)}\n<!-- end -->"
        )

    return PART.sub(made, text)


def main() -> None:
    pages = sorted(FOLDER.glob("*.md"))
    for page in pages:
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{len(pages)} pages of {FOLDER} are written\n")


if __name__ == "__main__":
    main()
