"""A bot that is a program of its own, in any language: `run:COMMAND` instead of the name of a bot.

It reads a message a line from its standard input and answers each with a line on its standard output
(docs/bots.md). Each seat has a process of its own, which sees what that seat may see and plays one game after the
other. A bot that ends, says nothing in time or answers what is not offered is a `BotFailure`.
"""

from __future__ import annotations

import atexit
import os
import queue
import shlex
import shutil
import subprocess
import threading
from typing import Any

from interpreter import Option, State, view
from tools.base.errors import CommandEnd, UserError, shorten
from tools.wire.lines import MOST_BYTES, WireError, line_of, parsed, read_line
from tools.wire.questions import chosen, options_for, question_of

PREFIX = "run:"
VERSION = 1
SECONDS = 60  # for an answer


class BotFailure(CommandEnd):
    """A bot of somebody else does not play; the text says why."""

    def __init__(self, text: str) -> None:
        super().__init__(1, text)


def is_outside(name: str) -> bool:
    return name.startswith(PREFIX)


class OutsideBot:
    """The bot of one game: a process for each seat that it plays, which is told that a game begins."""

    def __init__(self, name: str) -> None:
        """Raises UserError where there is no such program."""
        self.command = split(name.removeprefix(PREFIX))
        if not self.command or shutil.which(self.command[0]) is None:
            raise UserError(
                f"there is no program '{shorten(self.command[0] if self.command else '')}' to run as a bot."
            )
        self.seats: dict[int, tuple[BotProcess, dict[str, Any]]] = {}  # what plays, and what it has answered to `begin`

    def choose(self, state: State) -> Option:
        decision = state.decision
        assert decision is not None, "a question is pending"
        seat = decision.seat
        process, wishes = self.seats.get(seat) or (running(self.command, seat), {})
        try:
            if not wishes:
                wishes = process.ask(beginning(state, seat))
                if wishes.get("version") != VERSION:
                    raise WireError("bad_version", f"it should answer `begin` with `version` {VERSION}")
                self.seats[seat] = process, wishes
            options = options_for(state, decision, seat)
            lang = None if wishes.get("texts") is False else state.game.texts.languages()[0]
            asked = {"do": "decide", "question": question_of(decision, options, lang)}
            if wishes.get("view") is not False:
                asked["view"] = view(state, seat)
            option = chosen(options, process.ask(asked))
            if option is None:
                raise WireError("not_offered", "no option has these `ids`")
        except WireError as fault:
            process.end()
            raise BotFailure(
                f"the bot '{shorten(' '.join(self.command))}' failed ({fault.code}): {fault.text}"
            ) from None
        return option


def beginning(state: State, seat: int) -> dict[str, Any]:
    """The first message of a game. It tells no seed: who knows that knows every card."""
    program = state.game.program
    told = {"ruleset": program.id, "rules_version": program.version, "seats": state.seats, "seat": seat}
    return {"do": "begin", "version": VERSION, **told, "options": dict(state.options)}


def split(command: str) -> list[str]:
    try:
        return shlex.split(command, posix=os.name == "posix")
    except ValueError:
        raise UserError(f"'{shorten(command)}' is no command: a quotation mark is not closed.") from None


class BotProcess:
    """A running bot."""

    def __init__(self, command: list[str]) -> None:
        try:
            self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as fault:
            raise BotFailure(f"the bot '{shorten(command[0])}' cannot be run: {fault.strerror or fault}.") from None
        self.told: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.lines: queue.SimpleQueue[bytes | WireError | None] = queue.SimpleQueue()
        threading.Thread(target=self._exchange, daemon=True).start()

    def _exchange(self) -> None:
        """Write each message and read its answer; both may take long."""
        assert self.child.stdin is not None and self.child.stdout is not None
        while (message := self.told.get()) is not None:
            try:
                self.child.stdin.write(message)
                self.child.stdin.flush()
                line: bytes | WireError | None = read_line(self.child.stdout, MOST_BYTES)
            except WireError as fault:
                line = fault
            except (OSError, ValueError):
                line = None
            self.lines.put(line)

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer of the bot to a message; raises WireError."""
        self.told.put(line_of(message))
        try:
            line = self.lines.get(timeout=SECONDS)
        except queue.Empty:
            raise WireError("too_late", f"no answer within {SECONDS} seconds") from None
        if isinstance(line, WireError):
            raise line
        if line is None:
            raise WireError("ended", "it ended during a game")
        return parsed(line)

    def end(self) -> None:
        self.child.kill()
        self.child.wait()
        self.told.put(None)


_running: dict[tuple[int, tuple[str, ...], int], BotProcess] = {}  # of this process: one forked from it has its own


def running(command: list[str], seat: int) -> BotProcess:
    key = (os.getpid(), tuple(command), seat)
    found = _running.get(key)
    if found is None or found.child.poll() is not None:
        found = _running[key] = BotProcess(command)
    return found


@atexit.register
def end_all() -> None:
    for (owner, _, _), process in _running.items():
        if owner == os.getpid():
            process.end()
