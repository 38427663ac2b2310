"""Writing files into the user's folders: each is written completely or not at all, with the usual permissions."""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.records.save import write_atomic


def write_file(path: Path, text: str) -> None:
    """Write a file; a new one gets the permissions of the user's mask, an existing one keeps its own."""
    if path.exists():
        mode = path.stat().st_mode
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    write_atomic(path, text)
    path.chmod(mode)
