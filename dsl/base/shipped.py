"""The folders in which games lie: those that come with the program in a checkout beside its packages, in an
installation in the folder `rulewright` beside them, because `rulesets` and `cards` are no names to take in other
people's libraries; those of other people in the folder that the variable RULEWRIGHT_HOME names, or around the current
one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import dsl

HOME = "RULEWRIGHT_HOME"
BESIDE = Path(dsl.__file__).resolve().parents[1]
INSTALLED = BESIDE / "rulewright"


def shipped_home() -> Path:
    """The folder that holds `rulesets` and `cards`; whether they are there is for the caller to see."""
    return INSTALLED if (INSTALLED / "rulesets").is_dir() else BESIDE


class NoHome(FileNotFoundError):
    """RULEWRIGHT_HOME names a `folder` without a folder `rulesets` in it."""

    def __init__(self, folder: str) -> None:
        super().__init__(f"{HOME} is '{folder}', where there is no folder 'rulesets': name the folder above it")
        self.folder = folder


def home_folders() -> Iterator[Path]:
    """Folders that have a folder `rulesets`, best first: RULEWRIGHT_HOME, the current folder and its parents, what came
    with the program. Raises NoHome."""
    seen: set[Path] = set()
    named, current = os.environ.get(HOME), Path.cwd()
    if named and not (Path(named) / "rulesets").is_dir():
        raise NoHome(named)
    for folder in [*([Path(named)] if named else []), current, *current.parents, shipped_home()]:
        folder = folder.resolve()
        if folder not in seen and (folder / "rulesets").is_dir():
            seen.add(folder)
            yield folder
