"""The tables of the one grammar: what each token does in each state, as plain data.

They stand ready in `tables.json`, which `python -m dsl.syntax.grammar.generate` writes from `rules.lark`; a file that
belongs to another text of the grammar is not taken; who loads them says how to make them anew. Nothing here parses.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from dsl.base.record import dataclass

GRAMMAR = Path(__file__).parent / "rules.lark"
READY = Path(__file__).parent / "tables.json"


@dataclass(frozen=True, slots=True)
class Tables:
    """`rules`: name of the callback (empty where the one part stays what it is), what the rule makes, number of parts.
    `rows`: of each state by terminal or rule the next state, or -1 less the number of a rule that is complete.
    `starts`: of each start its first and last state."""

    rules: tuple[tuple[str, str, int], ...]
    rows: tuple[dict[str, int], ...]
    starts: dict[str, tuple[int, int]]


def digest() -> str:
    """Of the text of the grammar."""
    return hashlib.sha256(GRAMMAR.read_text(encoding="utf-8").encode()).hexdigest()


def load(make: Callable[[], Tables]) -> Tables:
    """The tables of this very grammar, made where no file has them ready."""
    try:
        kept = json.loads(READY.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        kept = {}
    if kept.get("grammar") != digest():
        return make()
    return Tables(
        tuple((method, made, size) for method, made, size in kept["rules"]),
        tuple(kept["rows"]),
        {name: (first, last) for name, (first, last) in kept["starts"].items()},
    )
