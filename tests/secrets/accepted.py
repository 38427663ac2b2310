"""Programs that the checker accepts: what it refuses or notes in a random text is taken out, line by line.

"Accepted" means: no error, and none of the notes that something is told (`TELLING`). A program that is noted says by
that note that others may learn of what is hidden, so it proves nothing and its line goes as well. It is not a test
itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.driver.load import compile_sources
from dsl.program import Program
from tests.secrets.head import PREVIEW
from tests.secrets.programs import Text

TELLING = frozenset({"RW1212", "RW1213"})  # notes: something hidden is told to the others
ROUNDS = 12
PLAIN = {"Hue": {"pale": "pale"}}  # texts that say nothing


def compiled(text: Text) -> tuple[Program | None, list[Diagnostic], list[int]]:
    """The program, its diagnostics, and the line of each in the rules (0: elsewhere). Without texts for players there
    is no list of what a preview shows either."""
    names = [name for name in PREVIEW if f" {name}: " in text.rules or f"value {name}(" in text.rules]
    files = {"locale/en.yaml": text.locale(), "display.yaml": f"preview: [{', '.join(names)}]\n"} if text.texts else {}
    program, found, sources = compile_sources({"small.rules": text.rules}, files, seats=(2, 3))
    lines = [sources[d.span.file].place(d.span.start)[0] if d.span.file == "small.rules" else 0 for d in found]
    return program, found, lines


def is_refused(d: Diagnostic, telling: Collection[str] = TELLING) -> bool:
    return d.severity is Severity.ERROR or d.code in telling


def accepted(text: Text, ignored: Collection[str] = ()) -> tuple[Text, Program] | None:
    """What is left of a text when all that the checker refuses is taken out, with its program; None if that is nothing.
    Notes whose code is in `ignored` do not count."""
    telling = TELLING.difference(ignored)
    rules = replace(text, texts={})
    for _ in range(ROUNDS):
        program, found, lines = compiled(rules)
        refused = {line for d, line in zip(found, lines, strict=True) if is_refused(d, telling)}
        if not refused:
            break
        rules = replace(rules, rules=without(rules.rules, refused))
        if "phase game" not in rules.rules:
            return None
    for texts in (text.texts, PLAIN):
        text = replace(rules, texts=texts)
        program, found, _ = compiled(text)
        if program is not None and not any(is_refused(d, telling) for d in found):
            return text, program
    return None


def without(rules: str, numbers: Collection[int]) -> str:
    """Rules without the lines of these numbers, what stands below each, and an `else` that belongs to one."""
    rows = rules.splitlines()
    gone = set[int]()
    for number in sorted(numbers):
        gone |= lines_of(rows, number - 1)
    return "".join(f"{row}\n" for at, row in enumerate(rows) if at not in gone)


def lines_of(rows: Sequence[str], at: int) -> set[int]:
    """The places of a line and of all that belongs to it."""
    depth, end = indent(rows[at]), at + 1
    follows = () if rows[at].strip() == "else" else ("else",)
    while end < len(rows) and (
        indent(rows[end]) > depth or (indent(rows[end]) == depth and rows[end].strip() in follows)
    ):
        end += 1
    return set(range(at, end))


def indent(row: str) -> int:
    return len(row) - len(row.lstrip())
