"""Requests at a table: what nobody may do alone, one seat asks of all others. The people agree or refuse; bots agree.

A request belongs to one position: whoever goes on has answered it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

BACK, BOT, END = "back", "bot", "end"
"""Wishes: to go back before one's last answer; that a bot goes on for somebody who has gone away; to end the game."""


@dataclass(frozen=True, slots=True)
class Request:
    """One of them. `seat`: who asks; `wish`: one of those above; `about`: whose seat it is about, who is not asked; 0:
    nobody's; `agreed`: the seats that have, its own among them; `refused`: the seat that has not; 0: none has
    refused."""

    seat: int
    agreed: frozenset[int]
    wish: str = BACK
    about: int = 0
    refused: int = 0


class Requests:
    """The requests about the present position. `open`: the last one."""

    def __init__(self) -> None:
        self.open: Request | None = None
        self.turned_down: set[tuple[int, str]] = set()  # seats with wishes for which they do not ask again

    def clear(self) -> None:
        """Forget them, since there is another position now."""
        self.open = None
        self.turned_down.clear()

    def may_ask(self, seat: int, wish: str) -> bool:
        return (self.open is None or bool(self.open.refused)) and (seat, wish) not in self.turned_down

    def ask(self, seat: int, wish: str, about: int = 0) -> None:
        self.open = Request(seat, frozenset({seat}), wish, about)

    def awaits(self, seat: int, people: Set[int]) -> bool:
        """True if this seat is to agree or to refuse."""
        one = self.open
        return one is not None and not one.refused and seat in people - {one.about} and seat not in one.agreed

    def reply(self, seat: int, agrees: bool) -> None:
        """Take the reply of a seat that is awaited."""
        if self.open is None:
            return
        if agrees:
            self.open = replace(self.open, agreed=self.open.agreed | {seat})
        else:
            self.turned_down.add((self.open.seat, self.open.wish))
            self.open = replace(self.open, refused=seat)

    def granted(self, people: Set[int]) -> bool:
        """True if all people who are asked have agreed."""
        one = self.open
        return one is not None and not one.refused and people - {one.about} <= one.agreed
