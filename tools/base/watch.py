"""Waiting for changes of files: a first time at once, then whenever something below some folders is another.

Takes a function that names the folders, so that new ones are seen; looks a few times a second and reads no file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dsl.files.ruleset import RULES

PAUSE = 0.3  # seconds
FileStamps = dict[str, tuple[int, int]]


def watch_changes(folders: Callable[[], Sequence[Path]], pause: float = PAUSE) -> Iterator[None]:
    """Gives once at the start and once for each change, until it is stopped."""
    before: FileStamps | None = None
    while True:
        now = file_stamps(folders())
        if now != before:
            before = now
            yield
        else:
            time.sleep(pause)


def file_stamps(folders: Sequence[Path]) -> FileStamps:
    """File -> time and size, of the rules and data below rulesets and their cards."""
    found: FileStamps = {}
    for folder in folders:
        for root in (folder, folder.parent.parent / "cards" / folder.name):
            for file in root.rglob("*"):
                if file.suffix in (*RULES, ".yaml"):
                    try:
                        state = file.stat()
                    except OSError:  # gone in between
                        continue
                    found[str(file)] = (state.st_mtime_ns, state.st_size)
    return found
