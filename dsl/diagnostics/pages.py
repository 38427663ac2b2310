"""The page of every diagnostic code, made from the registry: `python -m dsl.diagnostics.pages` writes
`docs/diagnostics/`.

`pages` gives file name -> text; a test compares them with what lies in the folder, where nothing is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

import dsl
from dsl.diagnostics.codes import CODES, Code

FOLDER = Path(dsl.__file__).parents[1] / "docs" / "diagnostics"
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
    "RW12": "Legal, but hardly meant",
}
OTHER_YAML = ("RW0131", "RW1111", "RW1112", "RW1113")  # examples of texts, not of rules


def page(code: Code) -> str:
    language = "yaml" if code.code.startswith("RW03") or code.code in OTHER_YAML else "rules"
    return (
        f"# {code.code}: {code.title}\n\n{_paragraph(code.explanation)}\n\n"
        f"## Refused\n\n```text\n{code.example_bad.strip()}\n```\n\n"
        f"## Accepted\n\n```{language}\n{code.example_good.strip()}\n```\n"
    )


def index() -> str:
    rows = ["# All diagnostics", "", "Made from the registry in `dsl/diagnostics/codes`. "
            "See also [Reading a diagnostic](../manual/diagnostics.md)."]  # fmt: skip
    family = ""
    for name, code in sorted(CODES.items()):
        if name[:4] != family:
            family = name[:4]
            rows += ["", f"## {FAMILIES.get(family, family)}", ""]
        rows.append(f"- [{name}]({name}.md) {code.title}")
    return "\n".join(rows) + "\n"


def pages() -> dict[str, str]:
    return {"index.md": index()} | {f"{name}.md": page(code) for name, code in CODES.items()}


def write(folder: Path) -> int:
    """Write what changed, remove pages of codes that are gone, and give the number of files touched."""
    wanted = pages()
    folder.mkdir(parents=True, exist_ok=True)
    touched = 0
    for path in folder.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
            touched += 1
    for name, text in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            touched += 1
    return touched


def _paragraph(text: str, width: int = 118) -> str:
    rows, row = [], ""
    for word in text.split():
        if row and len(row) + 1 + len(word) > width:
            rows.append(row)
            row = word
        else:
            row = f"{row} {word}".strip()
    return "\n".join([*rows, row])


if __name__ == "__main__":
    sys.stdout.write(f"{write(FOLDER)} files written in {FOLDER}\n")
