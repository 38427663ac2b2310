"""Edits within a part of a page, so that a large one is not sent whole for a small change.

Both sides have the same text of the part, and break it into the same pieces: before each tag that opens. So a change is
told by numbers of pieces, and no element needs a name for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

PIECE = re.compile(r"<[a-z][^<]*(?:<[^a-z][^<]*)*")  # `table.js` splits where one begins
SMALL = 600  # characters of a part that is sent whole
Edit: TypeAlias = tuple[int, int, str]  # the number of a piece, how many go from there on, what comes in their place


def edits(old: str, new: str) -> list[Edit] | None:
    """The edits that make a new text of an old one, in order, with the numbers of the old; None where sending the whole
    of it costs as little."""
    if min(len(old), len(new)) < SMALL:
        return None
    found = differing(pieces(old), pieces(new))
    return found if sum(len(text) + 12 for _, _, text in found) < len(new) * 2 // 3 else None


def pieces(html: str) -> list[str]:
    """The pieces of a text that begins with a tag; joined they are the text again."""
    return PIECE.findall(html)


def differing(old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """In one pass: a new piece is the next old one, or one that stands further on and nowhere else, or has come."""
    places = {piece: n for n, piece in enumerate(old)}
    often = {piece for n, piece in enumerate(old) if places[piece] != n}
    found: list[Edit] = []
    at, come = 0, list[str]()  # the next old piece, and the new ones that stand before it
    for piece in new:
        if at < len(old) and old[at] == piece:
            next_ = at
        elif piece not in often and places.get(piece, -1) > at:
            next_ = places[piece]
        else:
            come.append(piece)
            continue
        if come or next_ > at:
            found.append((at, next_ - at, "".join(come)))
            come = []
        at = next_ + 1
    if come or at < len(old):
        found.append((at, len(old) - at, "".join(come)))
    return found
