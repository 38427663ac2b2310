"""A process that plays on from saves: reads one request a line as JSON, answers each with a line.

A request names a ruleset, how to begin (`save`, or seats, options and seed) and the policy's seed and steps; the answer
is the digest of the store at each step. It keeps its games loaded, so that many requests cost one start.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import interpreter as rw
from tests.conformance.tables import ROOT, advance, load


def digests(state: rw.State, seed: int, steps: int) -> list[str]:
    """The digest now and after each random decision."""
    chooser = random.Random(seed)
    found = [state.digest()]
    while not state.over and len(found) <= steps:
        advance(state, chooser)
        found.append(state.digest())
    return found


def serve(request: dict[str, Any]) -> dict[str, Any]:
    game = load(request["folder"])
    if "save" in request:
        state = rw.restore(game, request["save"])
    else:
        state = game.new(seats=request["seats"], options=request["options"], seed=request["seed"])
    return {"digests": digests(state, request["policy"], request["steps"]), "hash": hash("a fixed text")}


@dataclass
class Worker:
    """The other end of the pipe; its process has its own hashing of strings."""

    hash_seed: str
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.worker"], cwd=ROOT, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONHASHSEED": self.hash_seed},
        )  # fmt: skip

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, f"the other process has ended with code {self.process.wait()}"
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(serve(json.loads(line))), flush=True)
