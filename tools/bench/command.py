"""`bench`: the speed of rulesets in the ways in which people drive and play them, beside Python written by hand and
OpenSpiel; or beside another checkout.

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
from pathlib import Path
from typing import Any

from dsl.base.span import Source
from dsl.driver.reference import RulesetReference
from dsl.files.yaml import read_yaml
from interpreter import Game, write_atomic
from tools.adapters.actions import TooManyOptions
from tools.base.errors import STOPPED, UserError, unknown_message
from tools.base.home import homes, read_reference, selected_rulesets
from tools.base.loading import load_game
from tools.bench.against import Compared, check_checkout, compare, ratio_table
from tools.bench.cells import Player, calibrate, measure
from tools.bench.costs import check_time, measure_costs
from tools.bench.given_up import count_given_up
from tools.bench.peers import BASELINES, BY_HAND, OPEN_SPIEL, baseline, open_spiel, spiel_player
from tools.bench.players import ADAPTER, PETTINGZOO, VECTOR, WAYS, make_native
from tools.bench.report import LABELS, BenchRecord, tables
from tools.bench.tables import TextTable, print_tables, with_tables

MAX_ROUNDS = 1000
MAX_SECONDS = 3600.0
SUITES = "suites.yaml"
GAMES_COUNTED = 20  # random games in which it is counted what native code gives up
EXTRAS = {ADAPTER: ("pyspiel", "spiel"), PETTINGZOO: ("pettingzoo", "pettingzoo"), VECTOR: ("gymnasium", "pettingzoo")}
"""Modules that some ways need, and the extras that install them."""


@dataclass(frozen=True, slots=True)
class NamedRules:
    """Rules by the name under which they were asked for, as `orchard+long_winter` or the path of a folder."""

    name: str
    reference: RulesetReference


@dataclass(frozen=True, slots=True)
class ReportForm:
    """The form of the report. `into`: a page of Markdown whose tables get the new figures."""

    json: bool = False
    into: Path | None = None

    def show(self, found: Sequence[TextTable]) -> None:
        """Print tables, and put them into the page."""
        print_tables(found)
        if self.into is not None:
            page, missing = with_tables(self.into.read_text(encoding="utf-8"), found)
            write_atomic(self.into, page)
            if missing:
                raise UserError(f"'{self.into}' has no table with the title: {'; '.join(missing)}.")


class BenchEntry:
    """Rules that are measured: their players, the number of games in a batch of each, and their record."""

    def __init__(self, rules: NamedRules, game: Game, seats: int, peers: bool, seconds: float) -> None:
        self.rules, self.game, self.seconds = rules, game, seconds
        self.players = players(game, seats, peers)
        self.batches: dict[str, int] = {}
        self.record = BenchRecord(game.program.named, seats, game.program.state_words)

    def warm_up(self, key: str) -> None:
        """Find the number of games in a batch; a way that cannot number all options of the ruleset is left out."""
        try:
            self.batches[key] = calibrate(self.players[key], self.seconds)
        except TooManyOptions:
            del self.players[key]

    def play(self, key: str, number: int) -> None:
        cell = measure(self.players[key], self.seconds, self.batches[key], number)
        self.record.cells.setdefault(key, []).append(cell)

    def measure_costs(self, with_check: bool) -> None:
        found = measure_costs(self.rules.reference, self.game, self.record.seats)
        if with_check:
            found["check_cold"] = check_time(self.rules.name)
        for key, value in found.items():
            self.record.costs.setdefault(key, []).append(value)

    def count_given_up(self) -> None:
        self.record.given_up = count_given_up(self.game, self.record.seats, GAMES_COUNTED)


def players(game: Game, seats: int, peers: bool) -> dict[str, Player]:
    """The players of this ruleset, by key; `peers`: include those by hand and of OpenSpiel (least number of seats)."""
    make_native(game)
    found = {key: make(game, seats) for key, make in WAYS.items()}
    if peers:
        found |= {BY_HAND: baseline(game.program.id), OPEN_SPIEL: spiel_player(game.program.id)}
    return {key: player for key, player in found.items() if player is not None}


def bench_command(
    named: Sequence[str],
    suite: str | None,
    rounds: int,
    seconds: float,
    seats: int | None,
    form: ReportForm,
    against: Path | None = None,
) -> int:
    if not 1 <= rounds <= MAX_ROUNDS:
        raise UserError(f"--rounds should be a number from 1 to {MAX_ROUNDS}, but {rounds} was given.")
    if not 0 < seconds <= MAX_SECONDS:
        raise UserError(f"--seconds should be a number up to {MAX_SECONDS:.0f}, but {seconds} was given.")
    if len(named) + (suite is not None) > 1:
        raise UserError("RULESET, --game and --suite each say what is measured: give only one of them.")
    if form.into is not None and not form.into.is_file():
        raise UserError(f"--into should be a page of Markdown, but there is no file '{form.into}'.")
    ruleset = named[0] if named else None
    chosen = rules_of_suite(suite) if suite is not None else rules_of(ruleset)
    begun = time.perf_counter()
    if against is not None:
        complete = bench_against(
            [rules.name for rules in chosen], seats, check_checkout(against), rounds, seconds, form
        )
    else:
        entries = [make_entry(rules, seats, seconds) for rules in chosen]
        complete = measure_all(entries, rounds, with_check=suite is None)
        notes = notes_on_missing(entries)
        if form.json:
            print(json.dumps(to_json(entries, rounds, seconds, complete, notes), ensure_ascii=False, indent=2))
        else:
            form.show(tables([e.record for e in entries]))
            print(*notes, sep="\n", end="\n" if notes else "")
    if not form.json:
        end = "" if complete else "; stopped before the end, so the figures cover what was measured"
        spent = time.perf_counter() - begun
        played = "1 round" if rounds == 1 else f"{rounds} rounds"
        print(f"{played}, {seconds:g} s of play for each figure, {spent:.0f} s in all{end}.")
    return 0 if complete else STOPPED


def bench_against(
    names: Sequence[str], seats: int | None, folder: Path, rounds: int, seconds: float, form: ReportForm
) -> bool:
    """Measure beside another checkout and report; False when it was stopped by Ctrl-C."""
    found: list[Compared] = []
    complete = True
    try:
        with progress(rounds * len(names)) as step:
            for name in names:
                found.append(compare(name, seats, folder, rounds, seconds, step))
    except KeyboardInterrupt:
        complete = False
    if form.json:
        shown = {"rounds": rounds, "seconds": seconds, "complete": complete}
        print(json.dumps({**shown, "rulesets": {one.name: one.to_json() for one in found}}, indent=2))
    else:
        form.show([ratio_table(found)])
    return complete


def rules_of(name: str | None) -> list[NamedRules]:
    """The rulesets of this name, or all."""
    found = selected_rulesets(name)
    return [NamedRules(name if name is not None else str(reference.path), reference) for reference in found]


def make_entry(rules: NamedRules, seats: int | None, seconds: float) -> BenchEntry:
    """Its peers, by hand and of OpenSpiel, play the ruleset without overlays and with the least number of seats."""
    reference = rules.reference
    game = load_game(reference)
    low, high = game.program.seats
    if seats is not None and not low <= seats <= high:
        label = reference.label
        raise UserError(f"--seats should be a number from {low} to {high} for {label}, but {seats} was given.")
    return BenchEntry(rules, game, seats or low, seats in (None, low) and reference.plain, seconds)


def rules_of_suite(suite: str) -> list[NamedRules]:
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
    return [NamedRules(str(name), read_reference(str(name))) for name in known[suite]]


def measure_all(entries: Sequence[BenchEntry], rounds: int, with_check: bool) -> bool:
    """Measure; False when it was stopped by Ctrl-C."""
    try:
        with progress((rounds + 1) * sum(len(e.players) + 1 for e in entries)) as step:
            for e in entries:
                step(f"counting {e.record.ruleset}")
                e.count_given_up()
                for key in list(e.players):
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


def notes_on_missing(entries: Sequence[BenchEntry]) -> list[str]:
    """Sentences about missing players."""
    notes = []
    for key in (*WAYS, BY_HAND, OPEN_SPIEL):
        missing = ", ".join(e.record.ruleset for e in entries if key not in e.players)
        if key == BY_HAND and not BASELINES.is_dir():
            notes.append("by hand: tests/bench was not found; it is part of a checkout of the repository.")
        elif key == OPEN_SPIEL and open_spiel() is None:
            notes.append("OpenSpiel: the package open-spiel is not installed; the extra `spiel` installs it.")
        elif key in EXTRAS and find_spec(EXTRAS[key][0]) is None:
            notes.append(f"{LABELS[key]}: the extra `{EXTRAS[key][1]}` is not installed.")
        elif missing:
            notes.append(f"{LABELS[key]}: not for {missing}.")
    return notes


def to_json(
    entries: Sequence[BenchEntry], rounds: int, seconds: float, complete: bool, notes: Sequence[str]
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
