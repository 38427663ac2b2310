"""The host of a module in C: compiled by the C compiler of this machine, and loaded as a library.

Without a compiler there is no host, and `available` says so. `CC` names another compiler than `cc`. A library can be
kept and loaded again where the same compiler made it. It is as safe as its addresses, which it tests itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dsl.base.visible import visible
from interpreter.backends.c.text import CALL, GLOBAL, GLOBALS, MEMORY, NEW, OLD
from interpreter.backends.low.base.kinds import Unloadable, Unsupported
from interpreter.backends.low.form.nodes import REASON, Reason, Trapped
from interpreter.core.words import Words

FLAGS = ("-O2", "-shared", "-fPIC", "-fwrapv", "-w")
WORD = ctypes.sizeof(ctypes.c_int32)
MISSING = "there is no C compiler; the variable CC names one that is not called `cc`"
ASKED, COMPILING = 20, 900  # seconds that the compiler may take to tell its version, and to compile
SAID = 200  # characters of its complaint that are passed on


def compiler() -> tuple[str, ...]:
    """The command of the compiler; empty if there is none."""
    try:
        command = tuple(shlex.split(os.environ.get("CC") or "cc"))
    except ValueError:  # a quotation that is not closed
        return ()
    return command if command and shutil.which(command[0]) else ()


def available() -> bool:
    """True if modules can be compiled here."""
    return bool(compiler())


def build() -> str:
    """The compiler, flags, system and processor to which a compiled module is bound. Raises CompilerFailed."""
    return f"{version_of(compiler())} {' '.join(FLAGS)} {sys.platform} {platform.machine()}"


class CompilerFailed(Unsupported):
    """The compiler refused a module, or made none that loads; the message is what it said first."""


@cache
def version_of(command: tuple[str, ...]) -> str:
    """The first line of what a compiler tells of itself. Raises CompilerFailed."""
    return run([*command, "--version"], ASKED).stdout.partition("\n")[0]


def run(command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
    """Run the compiler, which may ask nothing and write what it likes. Raises CompilerFailed if it does not start or
    does not end."""
    asks = subprocess.DEVNULL
    try:
        return subprocess.run(
            command, stdin=asks, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds, check=False
        )
    except OSError as fault:
        raise CompilerFailed(f"`{command[0]}` does not start: {fault.strerror}") from None
    except subprocess.TimeoutExpired:
        raise CompilerFailed(f"`{command[0]}` had not ended after {seconds} s") from None


def compiled(source: bytes) -> bytes:
    """A module compiled for this machine, to be kept where only its user can write. It has been loaded once, so that
    nothing else is kept. Raises CompilerFailed."""
    with work_folder() as folder:
        text, library = folder / "module.c", folder / "module.so"
        text.write_bytes(source)
        command = [*compiler(), *FLAGS, "-o", str(library), str(text)]
        done = run(command, COMPILING)
        if done.returncode or not library.is_file():
            said = visible(done.stderr.strip())[:SAID] or f"it ended with code {done.returncode}"
            raise CompilerFailed(f"`{command[0]}` made no library: {said}")
        try:
            load(library)
        except Unloadable as reason:
            raise CompilerFailed(f"`{command[0]}` made no library: {reason}") from None
        return library.read_bytes()


@contextlib.contextmanager
def work_folder() -> Iterator[Path]:
    """A folder for a module, removed at the end. Raises CompilerFailed where none can be made or written to."""
    try:
        with tempfile.TemporaryDirectory(prefix="rulewright-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    except OSError as fault:
        raise CompilerFailed(f"no file can be written for the compiler: {fault.strerror or fault}") from None


def load(file: Path) -> Any:
    """A library with all that the host calls; it stays loaded when the file is gone. Raises Unloadable."""
    try:
        library = ctypes.CDLL(str(file))
        ctypes.c_char.in_dll(library, GLOBALS)
        for name in (NEW, MEMORY, GLOBAL, OLD):
            getattr(library, name)
    except (OSError, AttributeError, ValueError) as fault:
        raise Unloadable(f"it does not load: {visible(str(fault).removeprefix(f'{file}: '))[:SAID]}") from None
    return library


class CInstance:
    """A module that runs: one that `compiled` gave. `memory`: its words, which stay where they are. Raises
    Unsupported if it does not load, or has no room."""

    def __init__(self, native: bytes, words: int) -> None:
        with work_folder() as folder:
            file = folder / "module.so"
            file.write_bytes(native)
            self.library: Any = load(file)
        make, memory, of_global, self.old = (getattr(self.library, name) for name in (NEW, MEMORY, GLOBAL, OLD))
        make.restype = memory.restype = of_global.restype = ctypes.c_void_p
        new: int | None = make()
        if new is None:
            raise CompilerFailed("there is no room for the memory of a module")
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
        """The words of memory from `at` on, `count` of them, as bytes."""
        return ctypes.string_at(self.address + WORD * at, WORD * count)
