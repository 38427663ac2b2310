"""The host of a module in Python: its memory as a list of words, its calls and globals. It runs everywhere."""

from __future__ import annotations

import marshal
import struct
import sys
from array import array
from collections.abc import Callable
from typing import Any

from interpreter.backends.low.base.kinds import Unloadable, Unsupported
from interpreter.backends.low.form.nodes import Reason, Trapped, signed
from interpreter.backends.printed.runtime import names_for, word
from interpreter.backends.printed.text import DATA, EXPORTS, GLOBALS
from interpreter.core.words import Words

RECURSION = 20_000  # calls inside each other, as low code has them
REFUSED = (IndexError, ZeroDivisionError, OverflowError, RecursionError)  # addresses, divisors, depth


def available() -> bool:
    """True on every machine: Python runs these modules."""
    return True


def build() -> str:
    """The version of Python to which compiled code is bound."""
    return sys.implementation.cache_tag or sys.version


def compiled(source: bytes) -> bytes:
    """A module as code of this Python, to be kept where only its user can write. Raises Unsupported for one that is
    nested more deeply than Python allows."""
    try:
        return marshal.dumps(compile(source, "<low code>", "exec", dont_inherit=True, optimize=2))
    except (SyntaxError, MemoryError, RecursionError) as fault:
        raise Unsupported(f"the module is too large for Python: {fault}") from None


class PrintedInstance:
    """A module that runs: one that `compiled` gave. `memory`: its words, which stay one list of that length."""

    def __init__(self, native: bytes, words: int) -> None:
        """Raises Unloadable."""
        try:
            code = marshal.loads(native)  # what `compiled` made of the text of a module
        except (ValueError, EOFError, TypeError) as fault:
            raise Unloadable(f"it does not load: {fault}") from None
        self.memory: Any = [0] * words
        self.names: dict[str, Any] = dict(names_for(self.memory))
        exec(code, self.names)
        for at, row in self.names[DATA]:
            count = len(row) // 4
            self.memory[at : at + count] = struct.unpack(f"<{count}i", row)

    def call(self, name: str, *args: int) -> int:
        """The result of an exported function. Raises Trapped where it gives up."""
        return self.caller(name)(*args)

    def caller(self, name: str) -> Callable[..., int]:
        """An exported function, to be called often. It raises Trapped where it gives up."""
        work = self.names[self.names[EXPORTS][name]]

        def called(*args: int) -> int:
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(limit, RECURSION))
            try:
                found: int = work(*map(signed, args))
            except REFUSED:
                raise Trapped(Reason.NONE) from None
            finally:
                sys.setrecursionlimit(limit)
            return found

        return called

    def get(self, name: str) -> int:
        """The value of a global."""
        found: int = self.names[self.names[GLOBALS][name]]
        return found

    def set(self, name: str, value: int) -> None:
        """Set a global to a word. Raises ValueError for what is none: the text of the module counts on that."""
        if value != word(value):
            raise ValueError(f"{value} is more than the host may set a global to")
        self.names[self.names[GLOBALS][name]] = value

    def write(self, at: int, words: Words) -> None:
        """Copy words into memory."""
        self.memory[at : at + len(words)] = words.tolist()

    def read(self, at: int, count: int) -> bytes:
        """The words of memory from `at` on, `count` of them, as bytes."""
        return array("i", self.memory[at : at + count]).tobytes()
