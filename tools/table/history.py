"""The history of answers at a table that can be taken back, alone or by leave of all.

Undo is a matter between people: nobody takes back alone what they have learnt something from, nor what another person
has answered to. At one screen, people agree aloud; everywhere else the last answer must be one's own. For the rest one
seat asks, and the people at the table agree or refuse; bots agree. A request belongs to one position: whoever goes on
has answered it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from interpreter import State, reveals

MOST_STEPS = 100  # answers that are kept for undo
MOST_SEALED = 30  # of them, those that nobody can take back alone
NOTHING, REVEALED, OTHERS = "undo_none", "undo_revealed", "undo_others"  # why not, as messages


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The position before an answer of a person, and the seat that gave it."""

    before: State
    seat: int


class AnswerHistory:
    """The answers that can be taken back at a table. `together`: whether all people sit at one screen. `sealed`: how
    many steps, from the first on, something was learnt from: nobody takes them back alone."""

    def __init__(self, together: bool) -> None:
        self.together = together
        self.steps: list[Step] = []
        self.undone: list[tuple[State, Step]] = []  # the position that was left, and the step that was taken back
        self.sealed = 0

    def add(self, before: State, seat: int) -> None:
        """Note an answer that is given now; what was undone before cannot be done again."""
        self.steps.append(Step(before, seat))
        self.undone.clear()
        self._trim()

    def why_not(self, now: State, seat: int) -> str:
        """The reason why this seat alone cannot take back the last answer; empty if it can."""
        if not self.steps:
            return NOTHING
        if not self.together and self.steps[-1].seat != seat:
            return OTHERS
        if self.sealed < len(self.steps) and not reveals(self.steps[-1].before, now):
            return ""
        self.sealed = len(self.steps)  # as little can those before it be taken back
        self._trim()
        return REVEALED

    def undo(self, now: State) -> State:
        """The position before the last answer."""
        step = self.steps.pop()
        self.undone.append((now, step))
        return step.before

    def may_redo(self, seat: int) -> bool:
        return bool(self.undone) and (self.together or self.undone[-1][1].seat == seat)

    def redo(self) -> State:
        """The position that was left by the last undo."""
        state, step = self.undone.pop()
        self.steps.append(step)
        return state

    def settle(self) -> None:
        """Forget what was undone, since others go on from here: it cannot be done again."""
        self.undone.clear()

    # ------------------------------------------------------------ by leave of all

    def last_of(self, seat: int) -> int:
        """The number of the last step of this seat, at one screen of the last one; -1 where none is kept."""
        own = (n for n in reversed(range(len(self.steps))) if self.together or self.steps[n].seat == seat)
        return next(own, -1)

    def back_to(self, number: int) -> State:
        """The position before the step of this number; what came since is forgotten."""
        before = self.steps[number].before
        del self.steps[number:]
        self.undone.clear()
        self.sealed = min(self.sealed, number)
        return before

    def _trim(self) -> None:
        more = max(len(self.steps) - MOST_STEPS, self.sealed - MOST_SEALED, 0)
        del self.steps[:more]
        self.sealed = max(0, self.sealed - more)


@dataclass(frozen=True, slots=True)
class Request:
    """A request to take back answers. `seat`: who asks; `agreed`: the seats that have, its own among them; `refused`:
    the seat that has not; 0: none has refused."""

    seat: int
    agreed: frozenset[int]
    refused: int = 0


class Requests:
    """The requests of people to go back from the present position. `open`: the last one."""

    def __init__(self) -> None:
        self.open: Request | None = None
        self.turned_down: set[int] = set()  # seats that do not ask again

    def clear(self) -> None:
        """Forget the requests, since there is another position now."""
        self.open = None
        self.turned_down.clear()

    def may_ask(self, seat: int) -> bool:
        return (self.open is None or bool(self.open.refused)) and seat not in self.turned_down

    def ask(self, seat: int) -> None:
        self.open = Request(seat, frozenset({seat}))

    def awaits(self, seat: int, people: Set[int]) -> bool:
        """True if this seat is to agree or to refuse."""
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
        """True if all people have agreed."""
        return self.open is not None and not self.open.refused and people <= self.open.agreed
