"""Watching for changes of files: yield once at the start, then whenever a file in some folders has changed.

Takes a function that returns the folders, so that new ones are noticed; polls a few times a second and reads no file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dsl.files.ruleset import RULES

PAUSE = 0.3  # seconds
FileStamps = dict[str, tuple[int, int]]


def watch_changes(folders: Callable[[], Sequence[Path]], pause: float = PAUSE) -> Iterator[None]:
    """Yield once at the start and once for each change, for ever."""
    before: FileStamps | None = None
    while True:
        now = file_stamps(folders())
        if now != before:
            before = now
            yield
        else:
            time.sleep(pause)


def file_stamps(folders: Sequence[Path]) -> FileStamps:
    """File -> (time, size), for the rules and data of rulesets and their cards."""
    found: FileStamps = {}
    for folder in folders:
        for root in (folder, folder.parent.parent / "cards" / folder.name):
            for file in root.rglob("*") if root.is_dir() else [root]:
                if file.suffix in (*RULES, ".yaml"):
                    try:
                        state = file.stat()
                    except OSError:  # gone in between
                        continue
                    found[str(file)] = (state.st_mtime_ns, state.st_size)
    return found
