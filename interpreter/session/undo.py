"""The point of no return: which steps a player may take back.

Undo itself is a snapshot that the tool stores. A step may be taken back as long as nobody has learned anything from it:
no chance was drawn, no hidden thing became known to a seat, and no other seat has been asked that sees hidden things of
its own.
"""

from __future__ import annotations

from interpreter.rules.rules import NOBODY
from interpreter.session.entry import CHANCE, CHOICE
from interpreter.session.state import State
from interpreter.visibility import audiences


def reveals(before: State, after: State) -> bool:
    """Whether something became known to somebody between two states of one game (`after` later than `before`)."""
    if has_new_information(before, after):
        return True
    new = after.log[len(before.log) :]
    seat = before.decision.seat if before.decision else 0
    asked = {entry.seat for entry in new if entry.kind == CHOICE}
    if after.decision is not None:
        asked.add(after.decision.seat)
    private = [e for e in audiences.private_entries(after.game) if e.audience != NOBODY]
    return bool(asked - {seat}) and bool(private)


def has_new_information(before: State, after: State) -> bool:
    """Whether chance was drawn between two states of one game, or a hidden thing became known to a seat."""
    return any(entry.kind == CHANCE for entry in after.log[len(before.log) :]) or _thing_became_known(before, after)


def _thing_became_known(before: State, after: State) -> bool:
    """Whether some seat knows the place of a thing in `after`, but not in `before`."""
    base = after.game.program.known_base
    if not base:
        return False
    things = range(base, base + len(after.game.program.thing_ids))
    return any(after.words[i] & ~before.words[i] for i in things)
