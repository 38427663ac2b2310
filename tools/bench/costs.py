"""The costs of a ruleset besides play: how long it takes until the first decision and until native code plays, with an
empty cache and with a filled one; memory, and a copy of the state.

All but the last are measured in separate processes, in wall-clock time; what is cold has an empty cache folder of its
own, so that no other cache is changed.
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
from interpreter import Game, State, apply, legal

COPIES = 20_000
COPIED_AFTER = 60  # decisions into a game

COLD = """
import json, pickle, sys, time
from tools.bench.costs import answer_until_native
rules = pickle.loads(bytes.fromhex(sys.argv[1]))
begun = time.perf_counter()
program = rules.compile()[0]
loaded = time.perf_counter() - begun
from interpreter import Game, legal
game = Game(program)
state = game.new(seats=int(sys.argv[2]), seed=1)
assert legal(state)
asked = time.time()
print(json.dumps([loaded, asked, answer_until_native(game, state)]))
"""
"""With an empty cache: seconds of loading, when the first decision was there, and how long the reference played on."""

MAKING = """
import json, pickle, sys, time
program = pickle.loads(bytes.fromhex(sys.argv[1])).compile()[0]
from interpreter import Game
game = Game(program)
begun = time.perf_counter()
game.driver(int(sys.argv[2]))
print(json.dumps(time.perf_counter() - begun))
"""
"""Seconds until a driver is there."""

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
from tools.bench.costs import peak_memory
from tools.bench.players import SESSION, WAYS
WAYS[SESSION](game, seats).play(1)
print(json.dumps([loaded, asked, peak_memory()]))
"""
"""From the cache: seconds of loading, when the first decision was there, and the memory of a game."""


def measure_costs(rules: RulesetReference, game: Game, seats: int) -> dict[str, float]:
    """One round of measurements, by key. `game`: these rules, loaded, whose native module is in the cache."""
    words = [as_argument(rules), str(seats)]
    with tempfile.TemporaryDirectory() as folder:
        begun = time.time()
        load_cold, asked_cold, played = json.loads(run_python(["-c", COLD, *words], folder))
        found = {"first_cold": asked_cold - begun, "load_cold": load_cold}
    if played is not None:
        found["native_cold"] = played
    with tempfile.TemporaryDirectory() as folder:
        found["driver_cold"] = float(run_python(["-c", MAKING, *words], folder))
    begun = time.time()
    load_cached, asked, memory = json.loads(run_python(["-c", WARM, *words], None))
    return found | {
        "first_cached": asked - begun,
        "load_cached": load_cached,
        "driver_cached": float(run_python(["-c", MAKING, *words], None)),
        "memory": memory,
        "copy": copy_time(game, seats),
    }


def answer_until_native(game: Game, state: State) -> float | None:
    """Seconds that a game is played at random until native code goes on in it; None where there is none for it."""
    making, chance, begun = game.making, Random(1), time.perf_counter()
    if making is None:
        return None
    while making.instance() is None:
        if making.notice:
            return None
        if state.over:
            state = game.new(state.seats, seed=chance.getrandbits(32))
        if options := legal(state):
            apply(state, chance.choice(options))
    return time.perf_counter() - begun


def as_argument(rules: RulesetReference) -> str:
    """The reference as a word of a command line, for the processes of this module."""
    return pickle.dumps(rules).hex()


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
