"""Writing files into the user's folders: each is written completely or not at all, with the usual permissions.

A file is written beside its place under another name first. What a process left there that was killed in between is
removed by the next process that writes into the same folder.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

OLD = 600  # seconds: what is younger may belong to a process on another machine
_LEFT = re.compile(r"\..*\.(?P<process>[0-9]{1,9})-[0-9a-f]{8}\.part")
_swept: set[Path] = set()


def write_atomic(path: Path | str, text: str | bytes) -> None:
    """Write a text, or bytes as they are, completely or not at all. A new file gets the permissions of the user's mask,
    one that exists keeps its own. Raises OSError with the name of the file."""
    target = Path(path)
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    sweep(target.parent)
    temporary = target.parent / part_name(target)
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                with contextlib.suppress(OSError):  # no such file yet, or not ours to change
                    os.chmod(temporary, os.stat(target).st_mode & 0o7777)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as fault:
        fault.filename, fault.filename2 = str(target), None
        raise


def part_name(target: Path) -> str:
    """A hidden name beside the target that tells which process writes there."""
    return f".{target.name[:100]}.{os.getpid()}-{os.urandom(4).hex()}.part"


def sweep(folder: Path) -> None:
    """Remove what processes left in a folder that were killed while they wrote, once for each folder."""
    folder = folder.absolute()
    if folder not in _swept:
        _swept.add(folder)
        with contextlib.suppress(OSError):
            remove_left(Path(entry.path) for entry in os.scandir(folder) if _LEFT.fullmatch(entry.name))


def remove_left(found: Iterable[Path]) -> None:
    """Remove those of these files or folders, made by `part_name`, that are old and whose process has ended."""
    import shutil

    for path in found:
        match = _LEFT.fullmatch(path.name)
        with contextlib.suppress(OSError):
            if match and time.time() - path.lstat().st_mtime > OLD and not is_running(int(match["process"])):
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def is_running(process: int) -> bool:
    """True if a process of this number runs on this machine, or if nobody can tell."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's, or nobody can tell
        return True
    return True
