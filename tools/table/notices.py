"""Notices of a table: what happens at it besides the game. A bot takes over the seat of somebody who has gone away, its
person comes back, all agree to end the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LEFT, RETURNED, ENDED = "left", "returned", "ended"


@dataclass(frozen=True, slots=True)
class Notice:
    """One of them. `at`: the length of the log then; `kind`: one of those above; `seat`: whose seat it is about; 0:
    nobody's."""

    at: int
    kind: str
    seat: int = 0

    def to_json(self) -> list[Any]:
        return [self.at, self.kind, self.seat]

    @classmethod
    def from_json(cls, row: Sequence[Any]) -> Notice:
        at, kind, seat = row
        return cls(int(at), str(kind), int(seat))


def away(notices: Sequence[Notice]) -> frozenset[int]:
    """The seats of people for whom bots play now."""
    last = {one.seat: one.kind for one in notices}
    return frozenset(seat for seat, kind in last.items() if kind == LEFT)


def is_ended(notices: Sequence[Notice]) -> bool:
    return any(one.kind == ENDED for one in notices)
