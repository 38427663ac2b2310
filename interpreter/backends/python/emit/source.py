"""Text of generated code: values as Python text, and lines that are not needed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

WORD = re.compile(r"[A-Za-z_]\w*")
UNUSED = re.compile(r" *([BbfaxkS]\d+) = (?!.*[MR]_)[^()/]*$")  # a variable that gets a value, which cannot fail


def prune(lines: Sequence[str], unused: re.Pattern[str] = UNUSED) -> list[str]:
    """The lines without assignments to variables that are never read."""
    kept = list(lines)
    while True:
        words = Counter(word for line in kept for word in WORD.findall(line))
        left = [line for line in kept if not ((found := unused.match(line)) and words[found[1]] == 1)]
        if len(left) == len(kept):
            return kept
        kept = left


def plain(value: Any) -> str | None:
    """Numbers, texts and tuples of them as Python text."""
    if value is None or type(value) in (int, bool, str):
        return repr(value)
    if type(value) is tuple:
        parts = [plain(v) for v in value]
        if any(p is None for p in parts):
            return None
        return f"({''.join(f'{p}, ' for p in parts)})"
    return None
