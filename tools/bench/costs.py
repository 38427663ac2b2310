"""The costs of a ruleset besides play: loading cold and cached, the first decision of a new process, memory, a copy of
the state.

Loading, first decisions and memory are measured in separate processes, in wall-clock time; cold loads use an empty
cache folder, so that no other cache is changed.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import dsl
from dsl.driver.reference import RulesetReference
from interpreter import Game, apply, legal

COPIES = 20_000
COPIED_AFTER = 60  # decisions into a game

COLD = """
import pickle, sys, time
rules = pickle.loads(bytes.fromhex(sys.argv[1]))
begun = time.perf_counter()
rules.compile()
print(time.perf_counter() - begun)
"""

WARM = """
import json, pickle, sys, time
rules = pickle.loads(bytes.fromhex(sys.argv[1]))
begun = time.perf_counter()
program = rules.compile()[0]
loaded = time.perf_counter() - begun
from interpreter import Game, legal
seats = int(sys.argv[2])
game = Game(program)
assert legal(game.new(seats=seats, seed=1))
asked = time.time()
from tools.bench.players import EnginePlayer
EnginePlayer(game, seats).play(1)
from tools.bench.costs import peak_memory
print(json.dumps([loaded, asked, peak_memory()]))
"""


def measure_costs(rules: RulesetReference, game: Game, seats: int) -> dict[str, float]:
    """One round of measurements, by key. `game`: these rules, loaded."""
    cold = cold_load_time(rules)
    begun = time.time()
    loaded, asked, memory = json.loads(run_python(["-c", WARM, as_argument(rules), str(seats)], None))
    return {
        "copy": copy_time(game, seats),
        "load_cold": cold,
        "load_cached": loaded,
        "first_decision": asked - begun,
        "memory": memory,
    }


def as_argument(rules: RulesetReference) -> str:
    """The reference as a word of a command line, for the processes of this module."""
    return pickle.dumps(rules).hex()


def cold_load_time(rules: RulesetReference) -> float:
    """Seconds for compiling in a new process, without the start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run_python(["-c", COLD, as_argument(rules)], folder))


def check_time(name: str) -> float:
    """Seconds of a whole process that checks a ruleset, with its overlays behind its name, with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run_python(["-m", "tools", "check", name], folder)
        return time.perf_counter() - begun


def copy_time(game: Game, seats: int) -> float:
    """Microseconds for one copy of the store in the middle of a game."""
    chance, state = Random(1), game.new(seats=seats, seed=1)
    middle = state.words
    for _ in range(COPIED_AFTER):
        if state.over:
            break
        middle = state.words
        apply(state, chance.choice(legal(state)))
    begun = time.process_time()
    for _ in range(COPIES):
        middle[:]
    return (time.process_time() - begun) / COPIES * 1e6


def peak_memory() -> float:
    """The peak memory of this process in megabytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    except (OSError, StopIteration):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def run_python(arguments: list[str], cache: str | None) -> str:
    """The output of a new Python with the same paths; `cache`: its folder of compiled rulesets."""
    home = str(Path(dsl.__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))}
    if cache is not None:
        environment["RULEWRIGHT_CACHE"] = cache
    done = subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True, text=True)
    return done.stdout
