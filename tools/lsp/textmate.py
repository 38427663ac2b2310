"""The colours of a text for editors that know TextMate grammars, made from the words of the language.

`python -m tools.lsp.textmate` writes the grammar of the extension in `tools/vscode`. Every pattern is one match within
a line; what a word means where is left to the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tools
from dsl.syntax.vocabulary import CLASSES, CLAUSES, FOLDS, TABLE, having
from tools.base.files import write_file

PLACE = Path(tools.__file__).resolve().parent / "vscode" / "syntaxes" / "rulewright.tmLanguage.json"
SCOPE = "rulewright"
HEADED = ("typed", "decl", "case")  # kinds of words behind which a name is declared
NAMELESS = ("change", "default", *having("attaches"))
PATCHING = ("replace", "insert before", "insert after", "drop", "alter")
OPERATORS = ("and", "or", "not", "is", "is not", "in", "not in", "in live", "if", "else", "for")
CONSTANTS = ("true", "false", "none", "you", "this", "owner", "cause", "amount", "so_far", "seats", "all")
TYPES = ("int", "bool", "set of", "list of", "count by")


def either(words: Iterable[str]) -> str:
    """The words as alternatives, the longest first; those of several words with any number of blanks between."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace(" ", " +") for word in ordered) + r")\b"


def grammar() -> dict[str, Any]:
    naming = [w for w, row in TABLE.items() if row.kind in HEADED and w not in (*NAMELESS, *PATCHING)]
    heads = [w for w in TABLE if w not in naming]
    inner = [w for w in CLASSES if w not in TABLE and w not in CLAUSES and w not in FOLDS and w not in TYPES]
    start = r"(?:^|(?<=: ))\s*"

    def pattern(name: str, match: str, *captures: str) -> dict[str, Any]:
        found: dict[str, Any] = {"match": match}
        if captures:
            found["captures"] = {str(n): {"name": f"{c}.{SCOPE}"} for n, c in enumerate(captures, 1)}
        else:
            found["name"] = f"{name}.{SCOPE}"
        return found

    patterns = [
        pattern("comment.line.number-sign", "#.*$"),
        pattern("string.quoted.double", r'"(?:[^"\\]|\\.)*"'),
        pattern("markup.underline.link", r"\[\s*[A-Z]{2,}-\d[\w.]*(?:\s*,\s*[A-Z]{2,}-\d[\w.]*)*\s*\]"),
        pattern("", f"{start}({either(naming)}) +([A-Za-z_]\\w*)", "storage.type", "entity.name.function"),
        pattern("storage.type", rf"\b{either(TYPES)}"),
        pattern("", rf"{start}({either(heads)})(?!\s*[=.,)\]\[])", "keyword.control"),
        pattern("support.function", rf"\b{either([*FOLDS, 'possible'])}(?=\s*\()"),
        pattern("keyword.other", rf"(?<![.\w]){either([*CLAUSES, 'highest', 'lowest', 'any'])}(?!\s*[:(\[])"),
        pattern("constant.language", rf"(?<![.\w]){either(CONSTANTS)}"),
        pattern("keyword.operator.word", rf"(?<![.\w]){either([*OPERATORS, *inner])}"),
        pattern("constant.numeric", r"(?<![\w.])\d+\b"),
        pattern("keyword.operator", r"->|\.\.|<=|>=|[-+*/=<>]"),
    ]
    return {
        "name": "Rulewright",
        "scopeName": f"source.{SCOPE}",
        "fileTypes": ["rules", "cards", "errata", "variant", "ruling"],
        "patterns": patterns,
    }


def text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    write_file(PLACE, text())
