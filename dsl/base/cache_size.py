"""The size of the cache: what was used least recently goes when there is more than `RULEWRIGHT_CACHE_MB` of it.

A file's time is that of its last use, noted once an hour. Each time that something is stored, the folder is looked
through; what killed processes left half written goes then too.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

MEGABYTES = 256  # unless the variable says otherwise
VARIABLE = "RULEWRIGHT_CACHE_MB"
HOUR = 3600
OLD = 600  # seconds, for a file that was being written


def most_bytes() -> int:
    """The bytes that the cache may hold; the variable says megabytes, and one that is no number counts as none."""
    chosen = os.environ.get(VARIABLE, "")
    return (int(chosen) if chosen.isascii() and chosen.isdecimal() and len(chosen) < 10 else MEGABYTES) << 20


def note_use(path: Path, info: os.stat_result) -> None:
    """Note that a file was used now, unless it has been noted lately."""
    if time.time() - info.st_mtime > HOUR:
        with contextlib.suppress(OSError):
            os.utime(path)


def trim(folder: Path, newest: Path) -> None:
    """Remove what was used least recently until the rest is small enough; `newest` stays. Other processes may do the
    same at the same time: what is gone is gone."""
    found: list[tuple[float, int, str]] = []
    now, total = time.time(), 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                info = entry.stat(follow_symlinks=False)
                if entry.name.startswith(".new-") and now - info.st_mtime > OLD:
                    os.unlink(entry.path)
                elif entry.name.endswith(".bin"):
                    total += info.st_size
                    found.append((info.st_mtime, info.st_size, entry.path))
    most = most_bytes()
    if total <= most:
        return
    for _, size, path in sorted(found):
        if total <= most:
            break
        if path != str(newest):
            with contextlib.suppress(OSError):
                os.unlink(path)
            total -= size
