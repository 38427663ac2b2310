"""`bench`: how fast a ruleset is here: decisions, state copies, loading cold and cached, a fresh process to its first
decision.

Each figure is the median of five runs with its least and greatest value. Decisions and copies are measured in time of
the processor, so that other work on the machine changes them little; loads and processes by the clock. It changes no
cache but its own: cold loads use an empty cache folder of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interpreter import Game, State, apply
from tools.bots import RandomBot
from tools.home import all_or_one
from tools.loading import load_game
from tools.stats import median

RUNS = 5
COPIES = 20_000
LEAST_SECONDS = 1.5  # of play for each measured run


@dataclass(frozen=True, slots=True)
class Figure:
    key: str
    what: str
    unit: str
    values: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        shown = {"median": median(self.values), "min": min(self.values), "max": max(self.values)}
        return {
            "what": self.what,
            "unit": self.unit,
            **{k: round(v, 4) for k, v in shown.items()},
            "runs": [round(v, 4) for v in self.values],
        }


def bench_command(ruleset: str | None, as_json: bool) -> int:
    found = {path.name: measure(path) for path in all_or_one(ruleset)}
    if as_json:
        rows = {name: {f.key: f.to_json() for f in figures} for name, figures in found.items()}
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    from rich.table import Table

    from tools.console import stdout

    for name, figures in found.items():
        table = Table(name, "median", "least", "most", "", box=None, pad_edge=False)
        for column in table.columns[1:4]:
            column.justify = "right"
        for f in figures:
            table.add_row(f.what, number(median(f.values)), number(min(f.values)), number(max(f.values)), f.unit)
        stdout().print(table)
    return 0


def number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}" if value >= 1 else f"{value:.4f}"


def measure(path: Path) -> list[Figure]:
    game = load_game(path)
    seats = game.program.seats[1]
    state = middle(game, seats)
    rows: list[tuple[str, str, str, Callable[[], float]]] = [
        (
            "decisions",
            f"decisions, {seats} seats, one process",
            "per second",
            lambda: decisions_per_second(game, seats),
        ),
        ("copy", f"copy of the store, {len(state.words)} words", "microseconds", lambda: copy_time(state)),
        ("load_cold", "load, cold (no cache)", "seconds", lambda: load_time(path, cold=True)),
        ("load_cached", "load, cached", "seconds", lambda: load_time(path, cold=False)),
        ("first_decision", "process start to first decision, cached", "seconds", lambda: first_decision(path)),
        ("check_cold", "check, cold, whole process", "seconds", lambda: check_time(path)),
    ]
    return [Figure(key, what, unit, repeat(once)) for key, what, unit, once in rows]


def repeat(once: Callable[[], float]) -> tuple[float, ...]:
    once()  # the first run warms what the machine keeps
    return tuple(once() for _ in range(RUNS))


def decisions_per_second(game: Game, seats: int) -> float:
    """Random play for a while; choosing and listing the options count as play."""
    done, seed = 0, 0
    begun = time.process_time()
    while time.process_time() - begun < LEAST_SECONDS:
        seed += 1
        bot, state = RandomBot(seed), game.new(seats=seats, seed=seed)
        while not state.over and time.process_time() - begun < LEAST_SECONDS:
            apply(state, bot.choose(state))
            done += 1
    return done / (time.process_time() - begun)


def middle(game: Game, seats: int, decisions: int = 60) -> State:
    """A position some way into a game."""
    bot, state = RandomBot(1), game.new(seats=seats, seed=1)
    for _ in range(decisions):
        if state.over:
            break
        apply(state, bot.choose(state))
    return state


def copy_time(state: State) -> float:
    """Microseconds for one copy of the store."""
    words = state.words
    begun = time.process_time()
    for _ in range(COPIES):
        words[:]
    return (time.process_time() - begun) / COPIES * 1e6


LOAD = """
import sys, time
from pathlib import Path
from dsl.load import compile_ruleset
begun = time.perf_counter()
compile_ruleset(Path(sys.argv[1]))
print(time.perf_counter() - begun)
"""

FIRST = """
import sys
from pathlib import Path
from dsl.load import compile_ruleset
from interpreter import Game, legal
program = compile_ruleset(Path(sys.argv[1]))[0]
assert legal(Game(program).new(seed=1))
"""


def load_time(path: Path, cold: bool) -> float:
    """Seconds that compiling takes in a fresh process, without the start of Python."""
    with tempfile.TemporaryDirectory() as folder:
        return float(run(["-c", LOAD, str(path)], folder if cold else None))


def first_decision(path: Path) -> float:
    """Seconds of a whole process that starts, loads and has its first options."""
    begun = time.perf_counter()
    run(["-c", FIRST, str(path)], None)
    return time.perf_counter() - begun


def check_time(path: Path) -> float:
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run(["-m", "tools", "check", str(path)], folder)
        return time.perf_counter() - begun


def run(arguments: list[str], cache: str | None) -> str:
    """A fresh Python with this one's paths; `cache` is the folder of its compiled rulesets."""
    home = str(Path(__file__).resolve().parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))}
    if cache is not None:
        environment["RULEWRIGHT_CACHE"] = cache
    done = subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True, text=True)
    return done.stdout
