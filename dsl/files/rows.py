"""Rows that any card or record may have beside what its kind declares.

The names of them, and how many copies of a card one of them may ask for. It reads nothing.
"""

from __future__ import annotations

from typing import Any, TypeGuard

COPIES_ROW = "copies"
MAX_COPIES = 99
RESERVED = ("source", "confidence", "note", "aliases", COPIES_ROW)  # may stand in any record, beside the constants


def is_count(value: Any) -> TypeGuard[int]:
    """Whether this many copies can be asked for."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MAX_COPIES
