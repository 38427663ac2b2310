"""The folder of a site: all its files, put in their place when all of them are written.

An existing folder is replaced only if it is such a site and contains nothing else: the marker lists the files. Any
other folder is left alone, with a message.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from dsl.base.writing import part_name, sweep, write_atomic
from tools.base.errors import UserError

MARKER = ".rulewright-site"


def check_folder(folder: Path) -> None:
    """Raise `UserError` for a file, or a folder with files that are not of a site; an empty folder is fine."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"'{folder}' is not a folder: choose another one with --out.")
    if not folder.is_dir():
        return
    marker = folder / MARKER
    ours = {MARKER, *marker.read_text(encoding="utf-8").splitlines()} if marker.is_file() else set()
    found = (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_symlink() or file.is_file())
    foreign = min((name for name in found if name not in ours), default=None)
    if foreign is not None:
        raise UserError(
            f"'{folder}' holds '{foreign}', which rulewright did not write there: choose another folder with --out."
        )


def write_site(folder: Path, files: Mapping[str, str]) -> None:
    """Make the folder hold exactly these files: path in the folder -> text."""
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    sweep(folder.parent)
    temporary = folder.parent / part_name(folder)
    try:
        whole, before = temporary / "new", temporary / "before"
        for name, text in {**files, MARKER: "".join(f"{name}\n" for name in sorted(files))}.items():
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomic(whole / name, text)
        if not folder.exists():
            whole.rename(folder)
            return
        folder.rename(before)
        try:
            whole.rename(folder)
        except BaseException:
            if not folder.exists():
                before.rename(folder)
            raise
    except OSError as fault:
        fault.filename, fault.filename2 = str(folder), None
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
