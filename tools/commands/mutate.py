"""`mutate`: break a ruleset in many small ways, and report the changes that nothing notices.

Mutants run in a pool of processes; those that the checker refuses prove nothing about the rulings and do not count.
Ctrl-C, a signal to end or the end of its time ends the run and reports the results so far. Code 1 if fewer than
`--least` per cent are caught.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl.files.phrases import FALLBACK, phrase
from tools.base.errors import UserError
from tools.base.home import read_reference
from tools.base.loading import choose_backend, load_game, parse_options
from tools.mutation.mutants import Mutant
from tools.mutation.runner import FAULT, PLAY, REFUSED, RULING, SURVIVED, MutantResult, MutantRunner
from tools.simulation.playout import MOST_DECISIONS
from tools.workers.processes import results
from tools.workers.progress import progress
from tools.workers.stopping import TimeIsUp, deadline_after, seconds_of, stoppable

MAX_DECISIONS = 10_000_000


@dataclass(slots=True)
class MutationReport:
    """The results. `known`: number of mutants of the ruleset; `wanted`: how many of them were to be tested."""

    ruleset: str
    known: int
    wanted: int
    seed: int
    results: list[MutantResult] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    interrupted: bool = False  # stopped before the end
    time_is_up: bool = False  # and that because the time was over that it was given

    def tested(self) -> list[MutantResult]:
        return [v for v in self.results if v.outcome not in (REFUSED, FAULT)]

    def with_outcome(self, outcome: str) -> list[MutantResult]:
        return [v for v in self.results if v.outcome == outcome]

    def percent(self) -> float:
        tested = len(self.tested())
        return 100 * (tested - len(self.with_outcome(SURVIVED))) / tested if tested else 100.0

    def to_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.ruleset,
            "mutants": self.known,
            "seed": self.seed,
            "made": len(self.results),
            "refused": len(self.with_outcome(REFUSED)),
            "faults": len(self.with_outcome(FAULT)),
            "tested": len(self.tested()),
            "caught_by_rulings": len(self.with_outcome(RULING)),
            "caught_by_play": len(self.with_outcome(PLAY)),
            "survived": len(self.with_outcome(SURVIVED)),
            "percent": round(self.percent(), 1),
            "failing_rulings": self.failing,
            "interrupted": self.interrupted,
            "time_is_up": self.time_is_up,
            "results": [
                {
                    "file": v.mutant.file,
                    "line": v.mutant.line,
                    "rule": v.mutant.rule,
                    "kind": v.mutant.kind,
                    "change": v.mutant.description,
                    "outcome": v.outcome,
                    "by": v.noticed_by,
                    "message": v.message,
                }
                for v in self.results
            ],
        }


def mutate_command(
    ruleset: str,
    sample: int | None,
    seed: int,
    jobs: int | None,
    games: int,
    least: int,
    as_json: bool,
    options: Sequence[str] = (),
    preset: str | None = None,
    max_decisions: int = MOST_DECISIONS,
    backend: str | None = None,
    time_limit: str | None = None,
) -> int:
    seconds = seconds_of(time_limit)
    for name, value, low, high in (
        ("--sample", sample, 1, 1_000_000), ("--jobs", jobs, 1, 256), ("--games", games, 0, 1000),
        ("--least", least, 0, 100), ("--max-decisions", max_decisions, 1, MAX_DECISIONS),
    ):  # fmt: skip
        if value is not None and not low <= value <= high:
            raise UserError(f"{name} should be a number from {low} to {high}, but {value} was given.")
    rules = read_reference(ruleset)
    game = load_game(rules)
    if game.program.broken:
        raise UserError("mutants are measured by rulings: mend the broken ones first.")
    own = choose_backend(backend, games) if backend is not None else None
    runner = MutantRunner(rules, games, parse_options(game, options, preset), max_decisions, backend=own)
    report = MutationReport(rules.label, 0, sample or 0, seed, failing=runner.failing)
    try:
        with stoppable(deadline_after(seconds)):
            with progress(len(game.program.rulings), False, phrase(FALLBACK, "rulings", "rulings")) as advance:
                known = runner.prepare(advance)
            order = random.Random(seed).sample(known, len(known)) if sample is not None else known
            report.known, report.wanted = len(known), sample or len(known)
            run(report, runner, order, jobs or os.cpu_count() or 1)
    except KeyboardInterrupt as stopped:
        report.interrupted, report.time_is_up = True, isinstance(stopped, TimeIsUp)
    if as_json:
        print(json.dumps(report.to_json(), ensure_ascii=False, indent=2))
    else:
        render(report)
    return 1 if report.interrupted and not report.time_is_up or report.percent() < least else 0


def run(report: MutationReport, runner: MutantRunner, order: list[Mutant], jobs: int) -> None:
    """Run mutants in this order until as many as wanted were tested; the number of processes makes no difference."""
    tested = 0
    with (
        progress(report.wanted, False, "mutants") as advance,
        contextlib.closing(results(run_of, runner, order, jobs, runner.run)) as found,
    ):
        for result in found:
            report.results.append(result)
            if result.outcome not in (REFUSED, FAULT):
                tested += 1
                advance()
            if tested >= report.wanted:
                break


def run_of(runner: MutantRunner) -> Callable[[Mutant], MutantResult]:
    return runner.run


def render(report: MutationReport) -> None:
    """Print the survivors with their places, then faults, then a table by sort of change and the totals."""
    from rich.table import Table
    from rich.text import Text

    from tools.base.console import stdout

    console = stdout()
    for title, outcome in (("nothing noticed", SURVIVED), ("faults of rulewright itself", FAULT)):
        found = sorted(report.with_outcome(outcome), key=lambda v: (v.mutant.file, v.mutant.line))
        if found:
            console.print(Text(title, style="bold red"))
        for v in found:
            why = f" ({v.noticed_by}: {v.message})" if v.noticed_by else ""
            console.print(Text(f"  {v.mutant.file}:{v.mutant.line}: ", "cyan") + Text(f"{v.mutant.description}{why}"))
    table = Table("change", "refused", "by a ruling", "by play", "survived", box=None, pad_edge=False)
    counts = Counter((v.mutant.kind, v.outcome) for v in report.results)
    for kind in sorted({v.mutant.kind for v in report.results}):
        table.add_row(kind, *(str(counts[kind, outcome] or "-") for outcome in (REFUSED, RULING, PLAY, SURVIVED)))
    console.print()
    console.print(table)
    if report.failing:
        console.print(Text(f"left out, because they fail without any change: {', '.join(report.failing)}", "yellow"))
    if report.interrupted:
        console.print(Text("stopped before the end", "yellow"))
    tested, survived = len(report.tested()), len(report.with_outcome(SURVIVED))
    console.print(
        f"{report.ruleset}: {len(report.results)} of {report.known} mutants made (seed {report.seed}), "
        f"{len(report.with_outcome(REFUSED))} refused by the checker"
    )
    if tested:
        console.print(f"{tested} tested: {tested - survived} caught ({report.percent():.1f} %), {survived} survived")
    else:
        console.print("none tested")
