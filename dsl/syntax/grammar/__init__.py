"""The tables of the one grammar: what each token does in each state, as plain data.

They are stored in `tables.json`, which `python -m dsl.syntax.grammar.generate` writes from `rules.lark`. A file made
from another text of the grammar is not used; the caller of `load` says how to make the tables then. Nothing here
parses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from dsl.base.record import dataclass

GRAMMAR = Path(__file__).parent / "rules.lark"
TABLES_FILE = Path(__file__).parent / "tables.json"


@dataclass(frozen=True, slots=True)
class ParserTables:
    """`rules`: name of the callback (empty for a unit rule), what the rule makes, number of parts.
    `rows`: for each state, by terminal or rule, the next state, or -1 minus the number of a rule that is complete.
    `starts`: the first and last state of each start."""

    rules: tuple[tuple[str, str, int], ...]
    rows: tuple[dict[str, int], ...]
    starts: dict[str, tuple[int, int]]


def digest() -> str:
    """The digest of the text of the grammar."""
    return hashlib.sha256(GRAMMAR.read_text(encoding="utf-8").encode()).hexdigest()


def load(make: Callable[[], ParserTables]) -> ParserTables:
    """The tables of the current grammar: from the file, or by `make` where the file is missing or out of date."""
    try:
        stored = json.loads(TABLES_FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stored = {}
    if stored.get("grammar") != digest():
        return make()
    return ParserTables(
        tuple((method, made, size) for method, made, size in stored["rules"]),
        tuple(stored["rows"]),
        {name: (first, last) for name, (first, last) in stored["starts"].items()},
    )
