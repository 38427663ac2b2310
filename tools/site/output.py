"""The folder of a site: all its files, put in their place when all of them are written.

A folder that is there already is replaced only if it is such a site, and nothing else lies in it: the marker lists
the files. Anything else is left alone, with a message.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from tools.base.errors import UserError
from tools.base.files import write_file

MARKER = ".rulewright-site"


def check_folder(folder: Path) -> None:
    """Refuse a folder or file that is no site of ours; an empty folder is fine."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"'{folder}' is not a folder: choose another one with --out.")
    if not folder.is_dir():
        return
    marker = folder / MARKER
    ours = {MARKER, *marker.read_text(encoding="utf-8").splitlines()} if marker.is_file() else set()
    there = (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_symlink() or file.is_file())
    strange = min((name for name in there if name not in ours), default=None)
    if strange is not None:
        raise UserError(
            f"'{folder}' holds '{strange}', which rulewright did not write there: choose another folder with --out."
        )


def write_site(folder: Path, files: Mapping[str, str]) -> None:
    """The folder with exactly these files."""
    check_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".site-") as temporary:
        whole, before = Path(temporary) / "new", Path(temporary) / "before"
        for name, text in {**files, MARKER: "".join(f"{name}\n" for name in sorted(files))}.items():
            (whole / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(whole / name, text)
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
