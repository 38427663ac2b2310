"""Compiled rulesets on disk, by digest of everything they were made of.

`store_cached` and `load_cached` keep a value under a key in a folder that only this user can write, and `digest_files`
makes the key; `text_digest` names a part of a value. A file that is missing, truncated, changed or owned by somebody
else reads as None and is rebuilt: nothing is unpickled before its digest agrees and its folder is known to be private.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pickle
import stat
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import dsl
from dsl.base.cache_size import note_use, trim

MAGIC = b"rulewright\x00cache\x00"
VERSION = (1).to_bytes(4, "big")
DIGEST_SIZE = 32
HEADER_SIZE = len(MAGIC) + len(VERSION) + DIGEST_SIZE
COMPILER = Path(dsl.__file__).parent  # not from the place of this file: the digest must cover the whole package


def load_cached(key: str) -> Any | None:
    """The value stored under the key; None when there is none that can be trusted."""
    folder = _folder(create=False)
    if folder is None:
        return None
    try:
        data = _read_private(folder / _file_name(key))
    except OSError:
        return None
    if data is None or not data.startswith(MAGIC + VERSION) or len(data) < HEADER_SIZE:
        return None
    payload = memoryview(data)[HEADER_SIZE:]
    if _checksum(key, payload) != data[HEADER_SIZE - DIGEST_SIZE : HEADER_SIZE]:
        return None
    try:
        with gc_paused():
            return pickle.loads(payload)
    except Exception:  # a class that moved since: whatever it is, the cache is rebuilt
        return None


@contextlib.contextmanager
def gc_paused() -> Iterator[None]:
    """Run without the garbage collector: a big tree that stays alive is built much faster."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def store_cached(key: str, value: Any) -> bool:
    """Store a value; False when the folder cannot be used. The file appears whole or not at all."""
    folder = _folder(create=True)
    if folder is None:
        return False
    payload = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    head = MAGIC + VERSION + _checksum(key, payload)
    temporary = folder / f".new-{os.urandom(8).hex()}"  # `tempfile` takes long to load
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode=0o600)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines((head, payload))
        os.replace(temporary, folder / _file_name(key))
    except OSError:
        temporary.unlink(missing_ok=True)
        return False
    trim(folder, folder / _file_name(key))
    return True


def digest_files(paths: Iterable[Path], root: Path | None = None) -> str:
    """Digest over names, contents and the compiler itself. Names are relative to `root`; the order counts."""
    digest = hashlib.sha256(compiler_digest())
    for path in paths:
        name = path.relative_to(root).as_posix() if root else path.as_posix()
        _add_part(digest, _encoded(name))
        _add_part(digest, path.read_bytes())
    return digest.hexdigest()


def text_digest(name: str, text: str) -> bytes:
    """Digest over one text with its name, and the compiler itself."""
    digest = hashlib.sha256(compiler_digest())
    _add_part(digest, _encoded(name))
    _add_part(digest, _encoded(text))
    return digest.digest()


def _encoded(text: str) -> bytes:
    """A text as bytes, whatever it holds: the name of a file may be no UTF-8, an editor may send half a character."""
    return text.encode("utf-8", "surrogatepass")


@cache
def compiler_digest() -> bytes:
    """Digest of the source of this package: another compiler never reads the files of this one."""
    digest = hashlib.sha256()
    found = [os.path.join(folder, name) for folder, _, names in os.walk(COMPILER) for name in names]
    for path in sorted(path for path in found if path.endswith((".py", ".lark", ".json", ".toml"))):
        with open(path, "rb") as file:
            _add_part(digest, path.removeprefix(str(COMPILER)).encode())
            _add_part(digest, file.read())
    return digest.digest()


def _add_part(digest: Any, data: bytes) -> None:
    """Add a part with its length, so that no two lists of parts join to the same text."""
    digest.update(len(data).to_bytes(8, "big"))
    digest.update(data)


def _checksum(key: str, payload: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(_encoded(key) + b"\x00")
    digest.update(payload)
    return digest.digest()


def _file_name(key: str) -> str:
    return hashlib.sha256(_encoded(key)).hexdigest() + ".bin"


def _folder(create: bool) -> Path | None:
    """The cache's folder if it is a real folder of this user that nobody else can write."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(chosen) if chosen else (Path(base) if base else Path.home() / ".cache") / "rulewright"
        if create:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = os.lstat(folder)
    except (OSError, RuntimeError):  # no home
        return None
    return folder if stat.S_ISDIR(info.st_mode) and _is_private(info) else None


def _is_private(info: os.stat_result) -> bool:
    if os.name != "posix":
        return True  # the user's folders are private there by their access lists
    return info.st_uid == os.getuid() and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _read_private(path: Path) -> bytes | None:
    """The bytes of a regular file of this user; links are not followed, and pipes are not waited for."""
    flags = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    handle = os.open(path, os.O_RDONLY | sum(flags))
    with os.fdopen(handle, "rb") as file:
        info = os.fstat(file.fileno())
        if not stat.S_ISREG(info.st_mode) or not _is_private(info):
            return None
        note_use(path, info)
        return file.read()
