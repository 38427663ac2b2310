"""`bench --against FOLDER`: this version beside another checkout of the repository, as ratios of processor time.

Each side is a process that plays the rulesets of its own checkout (`side`); they take turns, so that what else runs on
the machine meets both. A way that only this version has is compared with the one that it takes the place of.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import dsl
from tools.base.errors import UserError
from tools.bench.cells import Measurement
from tools.bench.players import ADAPTER, BULK, DRIVER, PETTINGZOO, SESSION, SIMULATE, VECTOR
from tools.bench.report import LABELS, figure
from tools.bench.tables import TextTable, format_range

SIDE = Path(__file__).resolve().parent / "side.py"
HERE = Path(dsl.__file__).resolve().parents[1]
COMPARED = {
    DRIVER: SESSION, SESSION: SESSION, ADAPTER: ADAPTER, PETTINGZOO: PETTINGZOO, VECTOR: PETTINGZOO, BULK: BULK,
    SIMULATE: SIMULATE,
}  # fmt: skip
"""Ways of this version, and what each is compared with there."""


class Side:
    """The process of one checkout that plays a ruleset."""

    def __init__(self, folder: Path, ruleset: str, seats: int) -> None:
        self.folder = folder
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        environment.pop("RULEWRIGHT_HOME", None)
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(SIDE), ruleset, str(seats)],
            cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def play(self, way: str, seconds: float, seed: int) -> Measurement | None:
        """Measure once; None where the checkout has no such way. Raises UserError if the process has ended."""
        assert self.process.stdin is not None and self.process.stdout is not None, "its ends are pipes"
        try:
            self.process.stdin.write(json.dumps([way, seconds, seed]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise UserError(f"'{self.folder}' did not play {LABELS[way]}; its message stands above.")
        found = json.loads(line)
        return Measurement(*found) if found is not None else None

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def check_checkout(folder: Path) -> Path:
    """The folder, if it is a checkout. Raises UserError."""
    if not (folder / "interpreter" / "__init__.py").is_file():
        raise UserError(f"--against should be a checkout of this repository, but '{folder}' has no 'interpreter'.")
    return folder.resolve()


class Compared:
    """One ruleset on both sides: decisions per second here and there, by way, one value for each round."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.here: dict[str, list[float]] = {}
        self.there: dict[str, list[float]] = {}

    def add(self, way: str, here: Measurement, there: Measurement) -> None:
        self.here.setdefault(way, []).append(here.decisions_per_second)
        self.there.setdefault(way, []).append(there.decisions_per_second)

    def ratios(self, way: str) -> list[float]:
        return [a / b for a, b in zip(self.here.get(way, ()), self.there.get(way, ()), strict=True)]

    def to_json(self) -> dict[str, Any]:
        return {
            way: {
                "than": COMPARED[way],
                "here": figure(self.here[way], "per second"),
                "there": figure(self.there[way], "per second"),
                "ratio": figure(self.ratios(way), ""),
            }
            for way in self.here
        }


def compare(
    name: str, seats: int | None, folder: Path, rounds: int, seconds: float, step: Callable[[str], None]
) -> Compared:
    """Measure a ruleset in both checkouts in turn. `step` is told of each round."""
    found = Compared(name)
    here, there = Side(HERE, name, seats or 0), Side(folder, name, seats or 0)
    try:
        for number in range(1, rounds + 1):
            step(f"round {number}: {name}")
            for way, other in COMPARED.items():
                ours = here.play(way, seconds, number)
                theirs = there.play(other, seconds, number) if ours is not None else None
                if ours is not None and theirs is not None:
                    found.add(way, ours, theirs)
    finally:
        here.end()
        there.end()
    return found


def ratio_table(found: Sequence[Compared]) -> TextTable:
    heads = [LABELS[way] if way == other else f"{LABELS[way]} / {LABELS[other]}" for way, other in COMPARED.items()]
    rows = [[one.name, *(format_range(one.ratios(way)) for way in COMPARED)] for one in found]
    title = "Times as fast as the other checkout (decisions per second of processor time)"
    return TextTable(title, ["", *heads], rows).without_empty_columns()
