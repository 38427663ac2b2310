"""Makes a program that leaks small: lines go one after the other, as long as what is left is accepted and leaks.

It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from tests.secrets.accepted import PLAIN, accepted, lines_of
from tests.secrets.hunt import Finding, leak_of
from tests.secrets.programs import Text
from tests.secrets.twins import Counts

TRIES = 2  # seeds of twins for each smaller program


def shrunk(found: Finding, still: Callable[[Finding], bool] = lambda _: True, ignored: Collection[str] = ()) -> Finding:
    """The smallest program with a leak of which `still` is true that dropping lines gives."""
    smaller = True
    while smaller:
        smaller = False
        for text in without_some_lines(found.text):
            if (again := leaking(text, found.seed, ignored)) is not None and still(again):
                found, smaller = again, True
                break
    return found


def without_some_lines(text: Text) -> Iterator[Text]:
    """The text without its texts for players, then without each line and all that belongs to it, the last first."""
    if len(text.texts) > 1:
        yield replace(text, texts=PLAIN)
        for at in text.texts:
            yield replace(text, texts={k: v for k, v in text.texts.items() if k != at})
    rows = text.rules.splitlines()
    for at in reversed(range(len(rows))):
        gone = lines_of(rows, at)
        yield replace(text, rules="".join(f"{row}\n" for n, row in enumerate(rows) if n not in gone))


def leaking(text: Text, seed: int, ignored: Collection[str] = ()) -> Finding | None:
    """The leak of a text, or of what is left of it when the checker accepts it."""
    found = accepted(text, ignored)
    if found is None:
        return None
    text, program = found
    for n in range(TRIES):
        if leak := leak_of(program, seed + 1000 * n, Counts()):
            return Finding(seed, text, leak)
    return None
