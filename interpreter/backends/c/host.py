"""The host of a module in C: compiled by the C compiler of this machine, and loaded as a library.

Without a compiler there is no host, and `available` says so. `CC` names another compiler than `cc`. A library can be
kept and loaded again where the same compiler made it. It is as safe as its addresses, which it tests itself.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.backends.c.text import CALL, GLOBAL, GLOBALS, MEMORY, NEW, OLD
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form.nodes import REASON, Reason, Trapped
from interpreter.core.words import Words

FLAGS = ("-O2", "-shared", "-fPIC", "-fwrapv", "-w")
WORD = ctypes.sizeof(ctypes.c_int32)
MISSING = "there is no C compiler; the variable CC names one that is not called `cc`"


def compiler() -> tuple[str, ...]:
    """The command of the compiler; empty if there is none."""
    command = tuple(shlex.split(os.environ.get("CC") or "cc"))
    return command if command and shutil.which(command[0]) else ()


def available() -> bool:
    """Whether modules can be compiled here."""
    return bool(compiler())


@cache
def build() -> str:
    """What a compiled module is bound to."""
    done = subprocess.run([*compiler(), "--version"], capture_output=True, text=True, check=False)
    return f"{done.stdout.partition(chr(10))[0]} {' '.join(FLAGS)} {sys.platform} {platform.machine()}"


class CompilerFailed(Unsupported):
    """The compiler refused a module; the message is what it said first."""


def compiled(source: bytes) -> bytes:
    """A module compiled for this machine, to be kept where only its user can write. Raises CompilerFailed."""
    with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
        text, library = Path(folder, "module.c"), Path(folder, "module.so")
        text.write_bytes(source)
        command = [*compiler(), *FLAGS, "-o", str(library), str(text)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not library.exists():
            raise CompilerFailed(f"`{command[0]}` made no library: {done.stderr.strip()[:200]}")
        return library.read_bytes()


class Instance:
    """A module that runs: one that `compiled` gave. `memory`: its words, which stay where they are."""

    def __init__(self, native: bytes, words: int) -> None:
        with tempfile.TemporaryDirectory(prefix="rulewright-") as folder:
            file = Path(folder, "module.so")
            file.write_bytes(native)
            self.library: Any = ctypes.CDLL(str(file))  # stays loaded when the file is gone
        make, memory, of_global, self.old = (getattr(self.library, name) for name in (NEW, MEMORY, GLOBAL, OLD))
        make.restype = memory.restype = of_global.restype = ctypes.c_void_p
        new: int | None = make()
        if new is None:
            raise MemoryError("there is no room for the memory of a module")
        self.state = ctypes.c_void_p(new)
        self.memory: Any = (ctypes.c_int32 * words).from_address(memory(self.state))
        self.address: int = ctypes.addressof(self.memory)
        names = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self.library, GLOBALS))).decode()
        address = of_global(self.state, ctypes.c_int64(0))
        self.numbers = {name: n for n, name in enumerate(names.split())}
        self.globals: Any = (ctypes.c_int64 * len(self.numbers)).from_address(address)

    def __del__(self) -> None:
        if (state := getattr(self, "state", None)) is not None:
            self.old(state)

    def call(self, name: str, *args: int) -> int:
        """The result of an exported function. Raises Trapped where it gives up."""
        return self.caller(name)(*args)

    def caller(self, name: str) -> Callable[..., int]:
        """An exported function, to be called often. It raises Trapped where it gives up."""
        work, state = self.library[CALL + name], self.state
        found = ctypes.c_int64()
        place, number = ctypes.byref(found), ctypes.c_int64

        def called(*args: int) -> int:
            if work(state, place, *[number(arg) for arg in args]):
                reason = Reason(self.get(REASON))
                self.set(REASON, 0)
                raise Trapped(reason)
            return found.value

        return called

    def get(self, name: str) -> int:
        """The value of a global."""
        return int(self.globals[self.numbers[name]])

    def set(self, name: str, value: int) -> None:
        self.globals[self.numbers[name]] = value

    def write(self, at: int, words: Words) -> None:
        """Copy words into memory."""
        address, count = words.buffer_info()
        ctypes.memmove(self.address + WORD * at, address, WORD * count)

    def read(self, at: int, count: int) -> bytes:
        """So many words of memory, as bytes."""
        return ctypes.string_at(self.address + WORD * at, WORD * count)
