"""The nearest known name to a misspelt one, for "did you mean".

Takes a word and the words that would be right; gives one of them or None. Distance counts insertions, deletions,
replacements and swaps of neighbours; meanings play no part.
"""

from __future__ import annotations

from collections.abc import Iterable


def distance(a: str, b: str, limit: int) -> int:
    """Edits that turn `a` into `b`; `limit + 1` as soon as more than `limit` are needed."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, above, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return row[-1]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word with the fewest edits, if they are few for its length; the first one on a tie."""
    limit = 0 if len(word) < 2 else 1 if len(word) <= 4 else 2 if len(word) <= 8 else 3
    best: str | None = None
    least = limit + 1
    for candidate in known:
        if candidate == word:
            continue
        found = distance(word.lower(), candidate.lower(), min(limit, least - 1) if least else 0)
        if found < least:
            best, least = candidate, found
    return best


def with_article(word: str) -> str:
    """The word with its article."""
    return f"an {word}" if word[:1] in "aeiou" else f"a {word}"
