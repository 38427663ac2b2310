"""The request to take back what nobody may take back alone, since something was learnt from it or others have answered.

One seat asks, the people at the table agree or refuse; bots agree. A request belongs to one position: whoever goes on
has answered it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Request:
    """`seat`: who asks; `agreed`: the seats that have, its own among them; `refused`: the seat that has not; 0: none
    has refused."""

    seat: int
    agreed: frozenset[int]
    refused: int = 0


class Requests:
    """Those about the present position. `open`: the last one."""

    def __init__(self) -> None:
        self.open: Request | None = None
        self.turned_down: set[int] = set()  # seats that do not ask again

    def clear(self) -> None:
        """There is another position now."""
        self.open = None
        self.turned_down.clear()

    def may_ask(self, seat: int) -> bool:
        return (self.open is None or bool(self.open.refused)) and seat not in self.turned_down

    def ask(self, seat: int) -> None:
        self.open = Request(seat, frozenset({seat}))

    def awaits(self, seat: int, people: Set[int]) -> bool:
        """Whether this seat is to agree or to refuse."""
        one = self.open
        return one is not None and not one.refused and seat in people and seat not in one.agreed

    def reply(self, seat: int, agrees: bool) -> None:
        """Take the reply of a seat that is awaited."""
        if self.open is None:
            return
        if agrees:
            self.open = replace(self.open, agreed=self.open.agreed | {seat})
        else:
            self.turned_down.add(self.open.seat)
            self.open = replace(self.open, refused=seat)

    def granted(self, people: Set[int]) -> bool:
        """Whether all people have agreed."""
        return self.open is not None and not self.open.refused and people <= self.open.agreed
