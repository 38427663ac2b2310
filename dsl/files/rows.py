"""Rows that any card or record may have besides the constants of its kind.

Their names, and the number of copies of a card that one of them may give. No file is read here.
"""

from __future__ import annotations

from typing import Any, TypeGuard

COPIES_ROW = "copies"
MAX_COPIES = 99
RESERVED = ("source", "confidence", "note", "aliases", COPIES_ROW)  # allowed in any record, besides the constants


def is_count(value: Any) -> TypeGuard[int]:
    """True for a number of copies that a card may have, from 1 to MAX_COPIES."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_COPIES
