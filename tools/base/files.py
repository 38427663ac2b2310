"""Files of people's own folders: each is written wholly or not at all, with the rights that files have there."""

from __future__ import annotations

import os
from pathlib import Path

from interpreter.records.save import write_atomic


def write_file(path: Path, text: str) -> None:
    """A new file gets the rights that the user's mask gives, an old one keeps those it has."""
    if path.exists():
        mode = path.stat().st_mode
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    write_atomic(path, text)
    path.chmod(mode)
