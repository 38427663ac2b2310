"""`bench`: the speed of rulesets, compared with the reference, hand-written Python and OpenSpiel.

All players of all rulesets take turns in each round, so that other load on the machine affects them alike; play is
measured in processor time. Each figure is the median of the rounds with the least and greatest value. Ctrl-C ends the
run and reports what was measured.
"""

from __future__ import annotations

import contextlib
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from dsl.base.span import Source
from dsl.driver.reference import RulesetReference
from dsl.files.yaml import read_yaml
from interpreter import Game
from tools.base.errors import UserError, unknown_message
from tools.base.home import homes, read_reference, selected_rulesets
from tools.base.loading import load_game
from tools.bench.costs import check_time, measure_costs
from tools.bench.players import BASELINES, BY_HAND, NATIVE, OPEN_SPIEL, calibrate, measure, open_spiel, players
from tools.bench.report import Record, render

MAX_ROUNDS = 1000
MAX_SECONDS = 3600.0
SUITES = "suites.yaml"
STOPPED = 130  # Ctrl-C


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules by the name under which they were asked for, as `orchard+long_winter` or the path of a folder."""

    name: str
    reference: RulesetReference


class Entry:
    """Rules that are measured: their players, the number of games in a batch of each, and their record."""

    def __init__(self, rules: Rules, game: Game, seats: int, peers: bool, seconds: float) -> None:
        self.rules, self.game, self.seconds = rules, game, seconds
        self.players = players(game, seats, peers)
        self.batches: dict[str, int] = {}
        self.record = Record(game.program.named, seats, game.program.state_words)

    def warm_up(self, key: str) -> None:
        self.batches[key] = calibrate(self.players[key], self.seconds)

    def play(self, key: str, number: int) -> None:
        cell = measure(self.players[key], self.seconds, self.batches[key], number)
        self.record.cells.setdefault(key, []).append(cell)

    def measure_costs(self, with_check: bool) -> None:
        found = measure_costs(self.rules.reference, self.game, self.record.seats)
        if with_check:
            found["check_cold"] = check_time(self.rules.name)
        for key, value in found.items():
            self.record.costs.setdefault(key, []).append(value)


def bench_command(
    named: Sequence[str], suite: str | None, rounds: int, seconds: float, seats: int | None, as_json: bool
) -> int:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise UserError(f"--rounds should be a number from 1 to {MAX_ROUNDS}, but {rounds} was given.")
    if not 0 < seconds <= MAX_SECONDS:
        raise UserError(f"--seconds should be a number up to {MAX_SECONDS:.0f}, but {seconds} was given.")
    if len(named) + (suite is not None) > 1:
        raise UserError("RULESET, --game and --suite each say what is measured: give only one of them.")
    ruleset = named[0] if named else None
    chosen = rules_of_suite(suite) if suite is not None else rules_of(ruleset)
    entries = [make_entry(rules, seats, seconds) for rules in chosen]
    begun = time.perf_counter()
    complete = measure_all(entries, rounds, with_check=suite is None)
    notes = notes_on_missing(entries)
    if as_json:
        print(json.dumps(to_json(entries, rounds, seconds, complete, notes), ensure_ascii=False, indent=2))
    else:
        render([e.record for e in entries], notes)
        end = "" if complete else "; stopped before the end, so the figures cover what was measured"
        spent = time.perf_counter() - begun
        played = "1 round" if rounds == 1 else f"{rounds} rounds"
        print(f"{played}, {seconds:g} s of play for each figure, {spent:.0f} s in all{end}.")
    return 0 if complete else STOPPED


def rules_of(name: str | None) -> list[Rules]:
    """Those of this name, or all rulesets."""
    found = selected_rulesets(name)
    return [Rules(name if name is not None else str(reference.path), reference) for reference in found]


def make_entry(rules: Rules, seats: int | None, seconds: float) -> Entry:
    """Its peers, by hand and of OpenSpiel, play the ruleset without overlays and with the least number of seats."""
    reference = rules.reference
    game = load_game(reference)
    low, high = game.program.seats
    if seats is not None and not low <= seats <= high:
        label = reference.label
        raise UserError(f"--seats should be a number from {low} to {high} for {label}, but {seats} was given.")
    return Entry(rules, game, seats or low, seats in (None, low) and reference.plain, seconds)


def rules_of_suite(suite: str) -> list[Rules]:
    """The rules that a suite names, in `rulesets/suites.yaml` of the first home that has it."""
    file = next((f for home in homes() if (f := home / "rulesets" / SUITES).is_file()), None)
    if file is None:
        raise UserError(f"no file 'rulesets/{SUITES}' was found, which names the rulesets of a suite.")
    node, _ = read_yaml(Source(str(file), file.read_text(encoding="utf-8")))
    known = node.plain() if node is not None else None
    if not isinstance(known, dict) or not all(isinstance(names, list) for names in known.values()):
        raise UserError(f"'{file}' should hold lists of rulesets, each after the name of its suite.")
    if suite not in known:
        raise UserError(unknown_message("suite", suite, known))
    return [Rules(str(name), read_reference(str(name))) for name in known[suite]]


def measure_all(entries: Sequence[Entry], rounds: int, with_check: bool) -> bool:
    """Measure; False when it was stopped by Ctrl-C."""
    try:
        with progress((rounds + 1) * sum(len(e.players) for e in entries) + rounds * len(entries)) as step:
            for e in entries:
                for key in e.players:
                    step(f"warming {e.record.ruleset}")
                    e.warm_up(key)
            for number in range(1, rounds + 1):
                for e in entries:
                    for key in e.players:
                        step(f"round {number}: {e.record.ruleset}")
                        e.play(key, number)
                for e in entries:
                    step(f"round {number}: loading {e.record.ruleset}")
                    e.measure_costs(with_check)
    except KeyboardInterrupt:
        return False
    return True


def notes_on_missing(entries: Sequence[Entry]) -> list[str]:
    """Sentences about missing players."""

    def without(key: str) -> str:
        return ", ".join(e.record.ruleset for e in entries if key not in e.players)

    notes = []
    if find_spec("wasmtime") is None:
        notes.append("wasm: the package wasmtime is not installed; the extra `native` installs it.")
    elif missing := without(NATIVE):
        notes.append(f"wasm: not for {missing}.")
    if not BASELINES.is_dir():
        notes.append("by hand: tests/bench was not found; it is part of a checkout of the repository.")
    elif missing := without(BY_HAND):
        notes.append(f"by hand: not for {missing}.")
    if open_spiel() is None:
        notes.append("OpenSpiel: the package open-spiel is not installed; the extra `spiel` installs it.")
    elif missing := without(OPEN_SPIEL):
        notes.append(f"OpenSpiel: not for {missing}.")
    return notes


def to_json(
    entries: Sequence[Entry], rounds: int, seconds: float, complete: bool, notes: Sequence[str]
) -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rounds": rounds,
        "seconds": seconds,
        "complete": complete,
        "notes": list(notes),
        "rulesets": {e.record.ruleset: e.record.to_json() for e in entries},
    }


@contextlib.contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal (on standard error, so that the report can be piped), nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from tools.base.console import stderr

    columns = (BarColumn(bar_width=20), TimeRemainingColumn(), TextColumn("{task.description}"))
    # drawn between measurements only: a thread that draws would be measured as well
    with Progress(*columns, console=stderr(), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=total)
        yield lambda what: bar.update(task, advance=1, description=what, refresh=True)
