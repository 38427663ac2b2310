"""The text of generated code as such: literals, sums, removal of lines that are not needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

WORD = re.compile(r"[A-Za-z_]\w*")
UNUSED = re.compile(r" *([BbfaxkS]\d+) = (?!.*[MR]_)[^()/]*$")  # a variable that gets a value, which cannot fail


def prune(lines: Sequence[str], unused: re.Pattern[str] = UNUSED) -> list[str]:
    """The lines without assignments to variables that are never read; `unused` matches those that may go."""
    kept = list(lines)
    while True:
        words = Counter(word for line in kept for word in WORD.findall(line))
        left = [line for line in kept if not ((found := unused.match(line)) and words[found[1]] == 1)]
        if len(left) == len(kept):
            return kept
        kept = left


def literal_text(value: Any) -> str | None:
    """The literal of a number, a text or a tuple of them; None for other values."""
    if value is None or type(value) in (int, bool, str):
        return repr(value)
    if type(value) is tuple:
        parts = [literal_text(v) for v in value]
        if any(p is None for p in parts):
            return None
        return f"({''.join(f'{p}, ' for p in parts)})"
    return None


def sum_text(const: int, text: str) -> str:
    """The text of the sum of a number and a text; an empty text counts as 0."""
    if not text:
        return str(const)
    if text.isdigit():
        return str(int(text) + const)
    return f"{text} + {const}" if const > 0 else f"{text} - {-const}" if const else text
