"""The colours of a text for editors that know TextMate grammars, made from the words of the language.

`python -m tools.lsp.textmate` writes the grammar of the extension in `tools/vscode`. Every pattern is one match within
a line; the meaning of a word in its place is left to the server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tools
from dsl.base.writing import write_atomic
from dsl.syntax.vocabulary import CLASSES, CLAUSES, FOLDS, RETIRED_VERBS, TABLE, words_with

PATH = Path(tools.__file__).resolve().parent / "vscode" / "syntaxes" / "rulewright.tmLanguage.json"
SCOPE = "rulewright"
DECLARING = ("typed", "decl", "case")  # kinds of words that are followed by the name they declare
NAMELESS = ("change", "default", "triggers ordered", *words_with("attaches"))
PATCHING = ("replace", "insert before", "insert after", "drop", "alter")
OPERATORS = ("and", "or", "not", "is", "is not", "in", "not in", "in live", "if", "else", "for")
EMPTY = ("no", "some")  # names, too, where no operand follows
CONSTANTS = ("true", "false", "none", "you", "this", "owner", "cause", "amount", "so_far", "seats", "all")
TYPES = ("int", "bool", "set of", "list of", "count by")


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; within a word of several parts, any number of blanks."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(word.replace(" ", " +") for word in ordered) + r")\b"


def grammar() -> dict[str, Any]:
    naming = [w for w, row in TABLE.items() if row.kind in DECLARING and w not in (*NAMELESS, *PATCHING)]
    heads = [w for w in TABLE if w not in naming]
    known = (*TABLE, *RETIRED_VERBS, *CLAUSES, *FOLDS, *TYPES, *EMPTY)
    inner = [w for w in CLASSES if w not in known]
    start = r"(?:^|(?<=: )|(?<== )(?=do )|(?<= else )(?=stop |give))\s*"
    clauses = alternatives([*CLAUSES, "highest", "lowest", "any"])

    def pattern(name: str, match: str, *captures: str) -> dict[str, Any]:
        found: dict[str, Any] = {"match": match}
        if captures:
            found["captures"] = {str(n): {"name": f"{c}.{SCOPE}"} for n, c in enumerate(captures, 1)}
        else:
            found["name"] = f"{name}.{SCOPE}"
        return found

    joined = alternatives(w for w in OPERATORS if w != "not")
    patterns = [
        pattern("comment.line.number-sign", "#.*$"),
        pattern("string.quoted.double", r'"(?:[^"\\]|\\.)*"'),
        pattern("markup.underline.link", r"\[\s*[A-Z]{2,}-\d[\w.]*(?:\s*,\s*[A-Z]{2,}-\d[\w.]*)*\s*\]"),
        pattern("", rf"^\s*({alternatives(naming)}) +([A-Za-z_]\w*)", "storage.type", "entity.name.function"),
        pattern("storage.type", rf"\b{alternatives(TYPES)}"),
        pattern("", rf"{start}({alternatives(heads)})(?!\s*[=,)\]]|[.\[])", "keyword.control"),
        pattern("support.function", rf"\b{alternatives([*FOLDS, 'possible'])}(?=\s*\()"),
        pattern("keyword.other", rf"(?<![.\w]){clauses}(?!\s*[:=]|[(\[.])"),
        pattern("keyword.operator.word", rf"(?<![.\w]){alternatives([*OPERATORS, *inner])}"),
        pattern("keyword.operator.word", rf"(?<![.\w]){alternatives(EMPTY)}(?= +[\w({{])(?! +{joined})"),
        pattern("constant.language", rf"(?<![.\w]){alternatives(CONSTANTS)}(?!\s*:)"),
        pattern("constant.numeric", r"(?<![\w.])\d+\b"),
        pattern("keyword.operator", r"->|\.\.|<=|>=|[-+*/=<>]"),
    ]
    return {
        "name": "Rulewright",
        "scopeName": f"source.{SCOPE}",
        "fileTypes": ["rules", "cards", "errata", "variant", "ruling"],
        "patterns": patterns,
    }


def grammar_text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    write_atomic(PATH, grammar_text())
