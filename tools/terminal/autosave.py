"""The game at the terminal, kept while it is played, so that a closed window or a killed process loses one answer at
most.

`.rulewright/autosaves` of the current folder holds one file for each game under way, named after the ruleset, the seed
and the process that plays it. A game that ends, or is saved by the person who leaves it, has none. The file is a save
like any other.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from dsl.base.writing import is_running
from interpreter import State, save, write_atomic

FOLDER = Path(".rulewright") / "autosaves"
MOST_LEFT = 20  # of a ruleset; when a new game begins, the oldest beyond them are removed


class Autosave:
    """The file of one game. `earlier`: the autosave that the game goes on from, which the new file replaces; `report`
    is told, once, why no file can be written."""

    def __init__(self, state: State, report: Callable[[str], None]) -> None:
        self.ruleset = state.game.program.id
        self.file = FOLDER / f"{self.ruleset}-{state.seed}-{os.getpid()}.json"
        self.earlier: Path | None = None
        self.report = report
        self.kept = state.digest(), len(state.log)  # what need not be written
        self.failed = False

    def keep(self, state: State) -> None:
        """Write the state, if it is another than the last one that was written or the game was begun with."""
        now = state.digest(), len(state.log)
        if now == self.kept:
            return
        try:
            if not self.file.exists():
                FOLDER.mkdir(parents=True, exist_ok=True)
                for old in left_games(self.ruleset)[MOST_LEFT:]:
                    old.unlink(missing_ok=True)
            write_atomic(self.file, json.dumps(save(state), ensure_ascii=False))
            self.kept = now
            if self.earlier is not None and self.earlier != self.file:
                self.earlier.unlink(missing_ok=True)
            self.earlier = None
        except OSError as fault:
            if not self.failed:
                self.failed = True
                self.report(f"{fault.filename or self.file}: {fault.strerror or fault}")

    def drop(self) -> None:
        """Remove the file: the game is over, or saved elsewhere."""
        for file in (self.file, self.earlier):
            if file is not None:
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)


def is_autosave(file: Path) -> bool:
    return file.absolute().parent == FOLDER.absolute()


def left_games(ruleset: str) -> list[Path]:
    """The games of a ruleset that were left without being saved, the latest first."""
    name = re.compile(rf"{re.escape(ruleset)}--?[0-9]+-(?P<process>[0-9]{{1,9}})\.json")
    found: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for file in FOLDER.iterdir():
            match = name.fullmatch(file.name)
            if match and not is_running(int(match["process"])):
                with contextlib.suppress(OSError):
                    found.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(found, reverse=True)]
