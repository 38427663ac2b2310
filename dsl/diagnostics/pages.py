"""The reader of the pages of the codes, `RWnnnn.md` in `docs/diagnostics`, where everything about a code is written.

A page has a headline with the code and its title, the explanation, and two sections with one fenced example each:
rules text with the mistake (`## Refused`) and without it (`## Accepted`). `read_pages` takes the folder and gives
`Page` by code; a page of another form raises `PageError`, which names the file and the line. Pages are read by
`dsl.diagnostics.generate`, by tests and by tools that show examples; rendering a message needs none of them.
"""

from __future__ import annotations

import re
from pathlib import Path

import dsl
from dsl.base.record import dataclass

FOLDER = Path(dsl.__file__).parents[1] / "docs" / "diagnostics"
HEADLINE = re.compile(r"# (RW\d{4}): (\S.*)")
FENCE = re.compile(r"```(\w+)")
LANGUAGES = ("rules", "yaml")  # of an accepted example; a refused one is marked as `text`


class PageError(ValueError):
    """A page that does not have the form above; the text names its file and line."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a code. `text` is the explanation without the empty lines around it; both examples end with a line
    break. `language` is the language of the examples, `rules` or `yaml`."""

    code: str
    title: str
    text: str
    wrong: str
    right: str
    language: str

    def first_sentence(self) -> str:
        """The first sentence of the explanation, on one line: the help where the reporting pass gives none."""
        paragraph = " ".join(self.text.partition("\n\n")[0].split())
        return re.split(r"(?<=\.) (?=[A-Z`])", paragraph, maxsplit=1)[0]


def read_pages(folder: Path = FOLDER) -> dict[str, Page]:
    """Every page of the folder, in the order of the codes."""
    return {path.stem: read_page(path) for path in sorted(folder.glob("RW*.md"))}


def read_page(path: Path) -> Page:
    return parse_page(path.name, path.read_text(encoding="utf-8"))


def parse_page(name: str, text: str) -> Page:
    """The page in a text; `name` is the name of its file, which must agree with the code. Raises PageError."""
    lines = text.splitlines()
    head = HEADLINE.fullmatch(lines[0]) if lines else None
    if head is None:
        raise PageError(name, 1, "the first line is not `# RWnnnn: TITLE`")
    if name != f"{head[1]}.md":
        raise PageError(name, 1, f"the page of {head[1]} is called {head[1]}.md")
    refused, accepted = _section(name, lines, "## Refused"), _section(name, lines, "## Accepted")
    if accepted < refused:
        raise PageError(name, accepted + 1, "`## Accepted` stands before `## Refused`")
    explanation = "\n".join(lines[1:refused]).strip()
    if not explanation:
        raise PageError(name, 2, "the page has no explanation")
    _, wrong = _example(name, lines, refused, accepted, ("text",))
    language, right = _example(name, lines, accepted, len(lines), LANGUAGES)
    return Page(head[1], head[2].strip(), explanation, wrong, right, language)


def _section(name: str, lines: list[str], headline: str) -> int:
    """The index of the line where a section begins."""
    found = [at for at, line in enumerate(lines) if line == headline]
    if len(found) != 1:
        line = found[1] + 1 if found else len(lines)
        raise PageError(name, line, f"the page has {'two sections' if found else 'no section'} `{headline}`")
    return found[0]


def _example(name: str, lines: list[str], start: int, end: int, languages: tuple[str, ...]) -> tuple[str, str]:
    """The language and the text of the only fenced example of a section, which holds nothing else."""
    inside = [at for at in range(start + 1, end) if lines[at].strip()]
    fence = FENCE.fullmatch(lines[inside[0]]) if inside else None
    if fence is None or fence[1] not in languages:
        line = inside[0] if inside else start
        raise PageError(
            name, line + 1, f"`{lines[start]}` has no example between ```{' or ```'.join(languages)} and ```"
        )
    closing = next((at for at in inside[1:] if lines[at] == "```"), None)
    if closing is None:
        raise PageError(name, inside[0] + 1, "the example has no end")
    if closing != inside[-1]:
        raise PageError(name, inside[inside.index(closing) + 1] + 1, f"`{lines[start]}` has more than one example")
    if len(inside) == 2:
        raise PageError(name, inside[0] + 1, "the example is empty")
    return fence[1], "\n".join(lines[inside[0] + 1 : closing]) + "\n"
