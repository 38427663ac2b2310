"""What was answered at a table and can be taken back.

Undo is a matter between people: nobody takes back what they have learnt something from, nor what another person has
answered to. At one screen, people agree aloud; everywhere else the last answer must be one's own.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import State, reveals

MOST_STEPS = 100  # answers that are kept for undo
NOTHING, REVEALED, OTHERS = "undo_none", "undo_revealed", "undo_others"  # why not, as messages


@dataclass(frozen=True, slots=True)
class Step:
    """The position before an answer of a person, and the seat that gave it."""

    before: State
    seat: int


class History:
    """`together`: whether all people sit at one screen."""

    def __init__(self, together: bool) -> None:
        self.together = together
        self.steps: list[Step] = []
        self.undone: list[tuple[State, Step]] = []  # the position that was left, and the step that was taken back
        self.revealed = False  # whether earlier answers were dropped since they cannot be taken back any more

    def add(self, before: State, seat: int) -> None:
        """Note an answer that is given now; what was undone before cannot be done again."""
        self.steps.append(Step(before, seat))
        del self.steps[:-MOST_STEPS]
        self.undone.clear()

    def why_not(self, now: State, seat: int) -> str:
        """Why this seat cannot take back the last answer; empty if it can."""
        if not self.steps:
            return REVEALED if self.revealed else NOTHING
        if not self.together and self.steps[-1].seat != seat:
            return OTHERS
        if reveals(self.steps[-1].before, now):
            self.steps.clear()  # as little can those before it be taken back
            self.revealed = True
            return REVEALED
        return ""

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
        """Others go on from here: what was undone cannot be done again."""
        self.undone.clear()
