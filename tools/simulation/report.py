"""The report of a simulation: figures gathered game by game, printed as text or JSON.

Scores are given by seat (separately for each number of seats) and by actor, as means with 95% intervals; wins as shares
with Wilson's interval. A tie counts as a fraction of a win for each winner.
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dsl.program import Program
from tools.base.stats import Mean, histogram, mean_of, quantile, share_interval
from tools.simulation.answer_usage import AnswerUsage
from tools.simulation.card_usage import CardUsage
from tools.simulation.playout import MOST_DECISIONS, Outcome

MAX_NAMES = 8  # of questions, answers or cards that were not used, unless all are asked for


@dataclass(slots=True)
class Tally:
    """Scores and wins of one seat or actor."""

    scores: list[int] = field(default_factory=list)
    wins: float = 0.0
    decided: int = 0  # games in which the rules say who wins; a lone seat may play for the score alone

    def add(self, score: int, win: float, outcome: Outcome) -> None:
        self.scores.append(score)
        self.wins += win
        self.decided += outcome.has_winners

    def to_json(self) -> dict[str, Any]:
        mean = mean_of(self.scores)
        low, high = share_interval(self.wins, self.decided)
        interval = [mean.mean - mean.margin, mean.mean + mean.margin] if mean.margin is not None else None
        return {
            "games": mean.n,
            "score": round(mean.mean, 3),
            "score_95": [round(v, 3) for v in interval] if interval else None,
            "wins": round(self.wins / self.decided, 4) if self.decided else None,
            "wins_95": [round(low, 4), round(high, 4)] if self.decided else None,
        }


@dataclass(slots=True)
class Report:
    program: Program
    games: int
    checked: bool
    bots: tuple[str, ...]
    jobs: int
    invariants: tuple[str, ...] = ()  # tested after every change in checking runs, beside conservation
    max_decisions: int = MOST_DECISIONS  # after which a game counts as not finished
    seconds: float = 0.0
    interrupted: bool = False
    lengths: list[int] = field(default_factory=list)
    lost: int = 0  # games that ended and that, by the rules, nobody has won
    unfinished: int = 0  # games that were stopped after the most decisions
    played: int = 0  # games that ended, with or without a failure
    decisions: int = 0
    processor_seconds: float = 0.0  # of all processes together
    failures: list[dict[str, Any]] = field(default_factory=list)
    by_seat: dict[tuple[int, int], Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_actor: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    by_bot: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    card_usage: CardUsage = field(default_factory=CardUsage)
    answer_usage: AnswerUsage = field(default_factory=AnswerUsage)
    trajectories: dict[str, list[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def finished(self) -> int:
        return len(self.lengths)

    @property
    def dead_ends(self) -> int:
        return sum(f["kind"] == "dead end" for f in self.failures)

    def add(self, outcome: Outcome, file: str | None) -> None:
        self.played += 1
        self.decisions += outcome.decisions
        self.processor_seconds += outcome.seconds
        self.answer_usage.add(outcome.answer_usage)
        setup = outcome.setup
        if outcome.failure is not None:
            row = {"kind": outcome.failure.kind, "message": outcome.failure.message, "file": file}
            self.failures.append({**row, "game": setup.number, "seats": setup.seats, "seed": setup.seed})
            return
        if outcome.unfinished:
            self.unfinished += 1
            return
        self.lengths.append(outcome.decisions)
        self.lost += outcome.has_winners and not outcome.seat_wins
        for seat, score in outcome.seat_scores.items():
            for tally in (self.by_seat[setup.seats, seat], self.by_bot[outcome.bots_by_seat(self.bots)[seat]]):
                tally.add(score, outcome.seat_wins.get(seat, 0.0), outcome)
        self.card_usage.add(outcome.card_usage)
        for name, points in outcome.trajectories.items():
            self.trajectories[name].append(points)
        for actor, score in outcome.actor_scores.items():
            self.by_actor[actor].add(score, outcome.actor_wins.get(actor, 0.0), outcome)

    def mean_trajectories(self) -> dict[str, list[Mean]]:
        """The mean of each watched value over the games, at the start and after each tenth of a game."""
        return {name: [mean_of(at) for at in zip(*games, strict=True)] for name, games in self.trajectories.items()}

    def to_json(self) -> dict[str, Any]:
        return {
            "ruleset": self.program.id,
            "version": self.program.version,
            "digest": self.program.digest,
            "bot": ",".join(self.bots),
            "checked": self.checked,
            "invariants": list(self.invariants),
            "games": self.games,
            "finished": self.finished,
            "not_finished": self.unfinished,
            "max_decisions": self.max_decisions,
            "lost": self.lost,
            "failures": len(self.failures),
            "dead_ends": self.dead_ends,
            "interrupted": self.interrupted,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "jobs": self.jobs,
            "decisions_per_second": round(self.decisions / self.seconds, 1) if self.seconds else 0.0,
            "decisions_per_second_and_process": round(self.decisions / self.processor_seconds, 1)
            if self.processor_seconds
            else 0.0,
            "length": {
                "min": min(self.lengths, default=0),
                **{f"p{q}": quantile(self.lengths, q / 100) for q in (5, 25, 50, 75, 95)},
                "max": max(self.lengths, default=0),
                "mean": round(mean_of(self.lengths).mean, 1),
                "histogram": [{"from": a, "to": b, "games": n} for a, b, n in histogram(self.lengths)],
            },
            "seats": [
                {"seats": seats, "seat": seat, **tally.to_json()}
                for (seats, seat), tally in sorted(self.by_seat.items())
            ],
            "watched": {name: [round(m.mean, 3) for m in means] for name, means in self.mean_trajectories().items()},
            "bots": {name: tally.to_json() for name, tally in sorted(self.by_bot.items())},
            "unused": self.answer_usage.unused(self.program).to_json(),
            "cards": self.card_usage.to_json(self.program),
            "actors": {actor: tally.to_json() for actor, tally in self.by_actor.items()},
            "failed_games": self.failures,
        }


def render(report: Report, rules: str = "", verbose: bool = False) -> None:
    """Print the report as text; `verbose`: with all names of what was not used."""
    from rich.table import Table
    from rich.text import Text

    from tools.base.console import stdout

    console, program = stdout(), report.program
    data, bots = report.to_json(), " and ".join(report.bots)
    invariants = f"{len(report.invariants)} invariant{'' if len(report.invariants) == 1 else 's'}"
    checked = f", every change checked ({invariants})" if report.checked else ""
    console.print(Text(f"{program.id} {program.version}: {report.games} games, {bots} bots{checked}", style="bold"))
    if report.interrupted:
        console.print(Text(f"stopped after {report.played} of {report.games} games", style="yellow"))
    lost = f"  ({report.lost} lost to the game)" if report.lost else ""
    console.print(f"finished    {report.finished}{lost}")
    if report.unfinished:
        stopped = f"stopped after {report.max_decisions} decisions, --max-decisions"
        console.print(Text(f"not over    {report.unfinished}  ({stopped})", style="yellow"))
    bad = "red" if report.failures else "green"
    console.print(Text(f"failures    {len(report.failures)}  (dead ends {report.dead_ends})", style=bad))
    console.print(
        f"decisions   {report.decisions} in {report.seconds:.1f} s: {data['decisions_per_second']:.0f} a second with "
        f"{report.jobs} {'process' if report.jobs == 1 else 'processes'}"
    )
    if report.lengths:
        length = data["length"]
        console.print(
            f"length      {length['min']} to {length['max']} decisions, median {length['p50']:.0f}, "
            f"nine in ten from {length['p5']:.0f} to {length['p95']:.0f}"
        )
        largest = max(n for _, _, n in histogram(report.lengths))
        for low, high, n in histogram(report.lengths):
            console.print(f"  {low:>6} - {high:<6} {n:>6} {'#' * round(40 * n / largest)}")
    if report.by_seat:
        table = Table("seats", "seat", "games", "score (95%)", "wins (95%)", box=None, pad_edge=False)
        for (seats, seat), tally in sorted(report.by_seat.items()):
            table.add_row(str(seats), str(seat), *tally_cells(tally))
        console.print()
        console.print(table)
    if len(report.by_bot) > 1:
        table = Table("bot", "games", "score (95%)", "wins (95%)", box=None, pad_edge=False)
        for name, tally in sorted(report.by_bot.items()):
            table.add_row(name, *tally_cells(tally))
        console.print()
        console.print(table)
    if report.by_actor:
        table = Table("actor", "games", "score (95%)", "wins (95%)", box=None, pad_edge=False)
        for actor, tally in report.by_actor.items():
            table.add_row(actor, *tally_cells(tally))
        console.print()
        console.print(table)
    if report.trajectories:
        console.print()
        heads = ("watched", "start", "20%", "40%", "60%", "80%", "end")
        rows = [(name, *(str(mean) for mean in means[::2])) for name, means in report.mean_trajectories().items()]
        console.print_rows(heads, rows, numbers=len(heads))
    if lines := list(unused_lines(report, None if verbose else MAX_NAMES)):
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True)
    for failure in report.failures:
        console.print(
            Text(
                f"\n{failure['kind']}, game {failure['game']} ({failure['seats']} seats, seed {failure['seed']}): ",
                "red",
            )
            + Text(failure["message"], "")
        )
        if failure["file"] is not None:
            with_rules = f" --rules {shlex.quote(rules)}" if rules else ""
            console.print(f"  saved as {failure['file']}: rulewright replay {failure['file']}{with_rules}")


def unused_lines(report: Report, limit: int | None) -> Iterator[str]:
    """What was never asked, offered, taken or chosen: how many of how many, and up to `limit` names."""
    unused, program = report.answer_usage.unused(report.program), report.program
    looks = f" in the {unused.looks} questions that were looked at"
    rows = [
        ("never asked", "questions", unused.questions, unused.never_asked, ""),
        ("never offered", "answers", unused.answers, unused.never_offered, looks),
        ("never taken", "answers", unused.answers, unused.never_taken, ""),
    ]
    for kind, cards in report.card_usage.never_chosen(program).items():
        total = sum(k == kind for k in program.cards.values())
        offered = report.answer_usage.cards
        rows.append(("never offered", kind, total, [card for card in cards if card not in offered], looks))
        rows.append(("never chosen", kind, total, [card for card in cards if card in offered], ""))
    for what, of, total, names, where in rows:
        if names:
            left = "" if limit is None or len(names) <= limit else f" and {len(names) - limit} more (--verbose)"
            yield f"{what}{where}, {len(names)} of {total} {of}: {', '.join(names[:limit])}{left}"


def tally_cells(tally: Tally) -> tuple[str, str, str]:
    data = tally.to_json()
    wins = "-"
    if tally.decided:
        low, high = data["wins_95"]
        wins = f"{data['wins']:.0%} ({low:.0%} to {high:.0%})"
    return str(data["games"]), str(mean_of(tally.scores)), wins
