"""The end of a long run before its work is done: by Ctrl-C, by a signal, or because its time is up.

All of them are a `KeyboardInterrupt` for the run, which reports what it has. The time is looked at twice a second,
between two steps of Python in the main thread; where a system has no such timer it is looked at between two items.
"""

from __future__ import annotations

import contextlib
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator

from tools.base.errors import UserError, shorten

TICK = 0.5  # seconds
AGAIN = 5.0  # seconds after which a run that did not stop is interrupted once more
UNITS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
MOST_SECONDS = 30 * 24 * 3600
DURATION = re.compile(r"(\d{1,7})\s*(s|m|min|h|)")


class TimeIsUp(KeyboardInterrupt):
    """The time that a run was given is over."""


def seconds_of(text: str | None) -> int | None:
    """The seconds of a time as it is written: `60s`, `5m`, `1h`; None for none."""
    if text is None:
        return None
    found = DURATION.fullmatch(text.strip())
    seconds = int(found[1]) * UNITS[found[2]] if found else 0
    if not 1 <= seconds <= MOST_SECONDS:
        raise UserError(f"--for should be a time such as 60s, 5m or 1h, but '{shorten(text)}' was given.")
    return seconds


def deadline_after(seconds: int | None) -> float | None:
    """The end of a time that begins now, as `time.monotonic` counts it."""
    return None if seconds is None else time.monotonic() + seconds


@contextlib.contextmanager
def stoppable(deadline: float | None = None) -> Iterator[None]:
    """Meanwhile a run that is terminated, or whose terminal is closed, is interrupted as by Ctrl-C, and at the deadline
    by `TimeIsUp`."""
    due = deadline

    def look() -> None:
        nonlocal due
        if due is not None and time.monotonic() >= due:
            due = time.monotonic() + AGAIN
            raise TimeIsUp

    with contextlib.ExitStack() as stack:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # one that is ignored stays so: `nohup` means that a run goes on when its terminal is closed
            if number is not None and in_main_thread() and signal.getsignal(number) != signal.SIG_IGN:
                stack.callback(signal.signal, number, signal.signal(number, signal.default_int_handler))
        stack.enter_context(ticking(look))
        look()
        yield


_calls: list[Callable[[], None]] = []


@contextlib.contextmanager
def ticking(call: Callable[[], None]) -> Iterator[None]:
    """Meanwhile something is called at every tick, also while one step of the work takes long."""
    if not hasattr(signal, "setitimer") or not in_main_thread():
        yield
        return
    _calls.append(call)
    begun = len(_calls) == 1
    before = signal.signal(signal.SIGALRM, call_all) if begun else None
    if begun:
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        _calls.remove(call)
        if begun:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def call_all(number: int, frame: object) -> None:
    for call in [*_calls]:
        call()


def in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
