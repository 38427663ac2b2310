"""The handlers of faults of this process, kept while a library that puts its own in their place is started.

A trap of WebAssembly is a signal that its runtime catches. Whoever takes that signal afterwards ends the process with
the next trap, which for the engine is an ordinary way to give up.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
from collections.abc import Iterator

NAMES = ("SIGILL", "SIGTRAP", "SIGSEGV", "SIGBUS", "SIGFPE")
SIZE = 512  # bytes: more than the `struct sigaction` of any system


@contextlib.contextmanager
def kept_handlers() -> Iterator[None]:
    """Meanwhile handlers may change; afterwards they are as before. Nothing happens where a system has no handlers of
    this sort."""
    try:
        sigaction = ctypes.CDLL(None).sigaction
    except (AttributeError, OSError, TypeError):
        yield
        return
    held = {int(getattr(signal, n)): ctypes.create_string_buffer(SIZE) for n in NAMES if hasattr(signal, n)}
    for number, handler in held.items():
        sigaction(number, None, handler)
    try:
        yield
    finally:
        for number, handler in held.items():
            sigaction(number, handler, None)
