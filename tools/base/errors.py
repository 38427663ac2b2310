"""Mistakes of the user, and messages that suggest the nearest known name.

`UserError` carries one sentence that says what to do; the command line prints it and ends with code 2. It is never
raised for faults of a ruleset (those are diagnostics) or of this program (those are internal errors).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dsl.base.spelling import nearest
from dsl.base.visible import visible_line
from dsl.base.writing import write_atomic

STOPPED = 130  # the exit code of a command that Ctrl-C has ended


class UserError(Exception):
    """A mistake in what was typed; its text is shown as it is."""


class CommandEnd(Exception):
    """Ends the command with this exit code; the text says why."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


def write_named(file: Path, text: str) -> None:
    """Write a file that the user has named. Raises UserError where that cannot be done."""
    try:
        write_atomic(file, text)
    except OSError as fault:
        raise UserError(f"'{file}' cannot be written: {fault.strerror or fault}.") from None


def unknown_message(what: str, name: str, known: Iterable[str], where: str = "") -> str:
    """`there is no option 'x' in some_game: did you mean 'y'?`, or the known names."""
    names = sorted(known)
    sentence = f"there is no {what} '{name}'" + (f" in {where}" if where else "")
    guess = nearest(name, names)
    if guess is not None:
        return f"{sentence}: did you mean '{guess}'?"
    if not names:
        return f"{sentence}: none is declared."
    shown = ", ".join(names[:12]) + (", .." if len(names) > 12 else "")
    return f"{sentence}: choose from {shown}."


def parse_whole_number(text: str, what: str, low: int, high: int) -> int:
    wanted = f"a number from {low} to {high}" if low < high else str(low)
    try:
        value = int(text.strip())
    except ValueError:
        raise UserError(f"{what} should be {wanted}, but '{shorten(text)}' was given.") from None
    if not low <= value <= high:
        raise UserError(f"{what} should be {wanted}, but {shorten(text.strip())} was given.")
    return value


def shorten(text: str, limit: int = 40) -> str:
    """A text that somebody gave, on one line and not too long."""
    text = visible_line(text)
    return text if len(text) <= limit else text[: limit - 2] + ".."
