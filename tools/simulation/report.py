"""The report of a simulation: figures gathered from outcomes, each of one game or of many, printed as text or JSON.

Scores are given by seat (separately for each number of seats) and by actor, as means with 95% intervals; wins as shares
with Wilson's interval. A tie counts as a fraction of a win for each winner.
"""

from __future__ import annotations

import math
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dsl.files.phrases import FALLBACK, Say, phrases_of
from dsl.program import Program
from interpreter.rules.names import Names
from interpreter.rules.texts import Texts
from tools.base.stats import Mean, histogram, mean_of, quantile, share_interval
from tools.simulation.answer_usage import AnswerUsage
from tools.simulation.card_usage import CardUsage
from tools.simulation.playout import MOST_DECISIONS, GameOutcome
from tools.simulation.trajectory import POINTS

if TYPE_CHECKING:
    from tools.base.console import CommandConsole

FIGURE_ROWS = ("finished", "not_over", "failures", "decisions", "length")  # keys of the heads of the lines of figures
MAX_NAMES = 8  # of questions, answers or cards that were not used, unless all are asked for


@dataclass(slots=True)
class Tally:
    """Scores and wins of one seat, bot or actor. `games`: how many had this score, this share of the win, and a winner:
    a lone seat may play for the score alone."""

    games: Counter[tuple[int, float, bool]] = field(default_factory=Counter)

    @property
    def scores(self) -> Counter[int]:
        found: Counter[int] = Counter()
        for (score, _, _), games in self.games.items():
            found[score] += games
        return found

    @property
    def wins(self) -> float:
        return math.fsum(share * games for (_, share, _), games in self.games.items())

    @property
    def decided(self) -> int:
        """The games in which the rules say who wins."""
        return sum(games for (_, _, has_winners), games in self.games.items() if has_winners)

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
    interrupted: bool = False  # stopped before the end
    time_is_up: bool = False  # and that because the time was over that it was given
    handed: dict[int, dict[str, Any]] = field(default_factory=dict)  # number of a game -> the facts of its end
    lengths: Counter[int] = field(default_factory=Counter)  # of games, in decisions
    lost: int = 0  # games that ended and that, by the rules, nobody has won
    unfinished: int = 0  # games that were stopped after the most decisions
    played: int = 0  # games that ended, with or without a failure
    decisions: int = 0
    processor_seconds: float = 0.0  # of all processes together
    failures: list[dict[str, Any]] = field(default_factory=list)
    results: Counter[tuple[int, int, str, int, float, bool]] = field(default_factory=Counter)
    """How many games had so many seats, one of them with this bot, and what a `Tally` counts."""

    by_actor: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    card_usage: CardUsage = field(default_factory=CardUsage)
    answer_usage: AnswerUsage = field(default_factory=AnswerUsage)
    trajectories: dict[str, Counter[tuple[float, ...]]] = field(default_factory=lambda: defaultdict(Counter))

    @property
    def finished(self) -> int:
        return self.lengths.total()

    @property
    def dead_ends(self) -> int:
        return sum(f["kind"] == "dead end" for f in self.failures)

    def add(self, outcome: GameOutcome, file: str | None) -> None:
        self.played += outcome.games
        self.decisions += outcome.decisions * outcome.games
        self.processor_seconds += outcome.seconds
        if outcome.answer_usage is not None:
            self.answer_usage.add(outcome.answer_usage)
        setup = outcome.setup
        if outcome.failure is not None:
            row = {"kind": outcome.failure.kind, "message": outcome.failure.message, "file": file}
            self.failures.append({**row, "game": setup.number, "seats": setup.seats, "seed": setup.seed})
            return
        if outcome.unfinished:
            self.unfinished += outcome.games
            return
        if outcome.handed is not None:
            self.handed[setup.number] = outcome.handed
        self.lengths[outcome.decisions] += outcome.games
        self.lost += outcome.games * (outcome.has_winners and not outcome.seat_wins)
        games, has_winners = outcome.games, outcome.has_winners
        for seat, score in outcome.seat_scores.items():
            win = outcome.seat_wins.get(seat, 0.0)
            self.results[setup.seats, seat, setup.bot_of(seat, self.bots), score, win, has_winners] += games
        if outcome.card_usage is not None:
            self.card_usage.add(outcome.card_usage)
        for name, points in outcome.trajectories.items():
            self.trajectories[name][points] += outcome.games
        for actor, score in outcome.actor_scores.items():
            self.by_actor[actor].games[score, outcome.actor_wins.get(actor, 0.0), has_winners] += games

    @property
    def by_seat(self) -> dict[tuple[int, int], Tally]:
        """By the number of seats and the seat."""
        found: dict[tuple[int, int], Tally] = defaultdict(Tally)
        for (seats, seat, _, score, win, has_winners), games in self.results.items():
            found[seats, seat].games[score, win, has_winners] += games
        return found

    @property
    def by_bot(self) -> dict[str, Tally]:
        found: dict[str, Tally] = defaultdict(Tally)
        for (_, _, bot, score, win, has_winners), games in self.results.items():
            found[bot].games[score, win, has_winners] += games
        return found

    def add_usage(self, cards: CardUsage, answers: AnswerUsage) -> None:
        """Add the usage of games whose outcomes have none of their own."""
        self.card_usage.add(cards)
        self.answer_usage.add(answers)

    def mean_trajectories(self) -> dict[str, list[Mean]]:
        """The mean of each watched value over the games, at the start and after each tenth of a game."""
        found = {}
        for name, games in self.trajectories.items():
            at: list[Counter[float]] = [Counter() for _ in range(POINTS)]
            for points, times in games.items():
                for counts, value in zip(at, points, strict=True):
                    counts[value] += times
            found[name] = [mean_of(counts) for counts in at]
        return found

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
            "time_is_up": self.time_is_up,
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


def render(report: Report, rules: str = "", verbose: bool = False, lang: str = FALLBACK) -> None:
    """Print the report as text in a language; `verbose`: with all names of what was not used."""
    from rich.cells import cell_len
    from rich.text import Text

    from tools.base.console import stdout

    console, texts = stdout(), Texts(Names(report.program))
    say = phrases_of(lang, "simulate")
    console.print(Text(title_of(report, say), style="bold"))
    if report.interrupted:
        console.print(Text(say("stopped", n=report.played, all=report.games), style="yellow"))
    figures = list(figure_rows(report, say))
    width = max(cell_len(say(row)) for row in FIGURE_ROWS) + 3
    for head, text, style in figures:
        console.print(Text(say(head) + " " * (width - cell_len(say(head))) + text, style=style))
    if report.lengths:
        largest = max(n for _, _, n in histogram(report.lengths))
        for low, high, n in histogram(report.lengths):
            console.print(f"  {low:>6} - {high:<6} {n:>6} {'#' * round(40 * n / largest)}")
    for heads, rows in tally_tables(report, texts, lang):
        print_table(console, [say(head) for head in heads], rows)
    if report.trajectories:
        console.print()
        means = report.mean_trajectories().items()
        rows = [(texts.find(lang, name) or name, *(str(mean) for mean in of[::2])) for name, of in means]
        watched = (say("watched"), say("start"), "20%", "40%", "60%", "80%", say("end"))
        console.print_rows(watched, rows, numbers=len(watched))
    if lines := list(unused_lines(report, None if verbose else MAX_NAMES, lang)):
        console.print()
    for line in lines:
        console.print(line, soft_wrap=True)
    for failure in report.failures:
        kind = say(failure["kind"].replace(" ", "_"))
        head = say("failed", kind=kind, n=failure["game"], seats=failure["seats"], seed=failure["seed"])
        console.print(Text(f"\n{head}", "red") + Text(failure["message"], ""))
        if failure["file"] is not None:
            with_rules = f" --rules {shlex.quote(rules)}" if rules else ""
            command = f"rulewright replay {failure['file']}{with_rules}"
            console.print(f"  {say('saved', file=failure['file'], command=command)}")


def title_of(report: Report, say: Say) -> str:
    program, parts = report.program, [bots_text(report.bots, say)]
    if report.checked:
        parts.append(say("checked", n=len(report.invariants)))
    return say("title", game=f"{program.id} {program.version}", n=report.games, bots=say("list").join(parts))


def bots_text(bots: Sequence[str], say: Say) -> str:
    """The names of the bots, which are those of the command line in every language."""
    return say("bots", names=say("and").join(bots))


def figure_rows(report: Report, say: Say) -> Iterator[tuple[str, str, str]]:
    """The key of its head, the text and the style of each line of figures."""
    data = report.to_json()
    yield "finished", say("lost", n=report.finished, lost=report.lost) if report.lost else str(report.finished), ""
    if report.unfinished:
        yield "not_over", say("not_over_n", n=report.unfinished, most=report.max_decisions), "yellow"
    failures = say("failures_n", n=len(report.failures), dead=report.dead_ends)
    yield "failures", failures, "red" if report.failures else "green"
    rate = f"{data['decisions_per_second']:.0f}"
    seconds = f"{report.seconds:.1f}"
    yield "decisions", say("decisions_n", n=report.decisions, seconds=seconds, rate=rate, jobs=report.jobs), ""
    if report.lengths:
        length = data["length"]
        low, high = length["min"], length["max"]
        middle = {name: f"{length[key]:.0f}" for name, key in (("median", "p50"), ("p5", "p5"), ("p95", "p95"))}
        yield "length", say("length_n", low=low, high=high, **middle), ""


def tally_tables(report: Report, texts: Texts, lang: str) -> Iterator[tuple[list[str], Sequence[Sequence[str]]]]:
    """The tables of scores and wins: the keys of their heads, and their rows."""
    say = phrases_of(lang, "simulate")
    by_seat = [
        (str(seats), str(seat), *tally_cells(tally, say)) for (seats, seat), tally in sorted(report.by_seat.items())
    ]
    by_bot = [(name, *tally_cells(tally, say)) for name, tally in sorted(report.by_bot.items())]
    by_actor = [(texts.thing(lang, actor), *tally_cells(tally, say)) for actor, tally in report.by_actor.items()]
    if by_seat:
        yield ["seats", "seat", "games", "score", "wins"], by_seat
    if len(by_bot) > 1:
        yield ["bot", "games", "score", "wins"], by_bot
    if by_actor:
        yield ["actor", "games", "score", "wins"], by_actor


def print_table(console: CommandConsole, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table)


def unused_lines(report: Report, limit: int | None, lang: str = FALLBACK) -> Iterator[str]:
    """What was never asked, offered, taken or chosen: how many of how many, and up to `limit` names, which are those of
    the files."""
    unused, program = report.answer_usage.unused(report.program), report.program
    say, texts = phrases_of(lang, "simulate"), Texts(Names(program))
    rows = [
        ("never_asked", "", unused.questions, unused.never_asked),
        ("never_offered", "", unused.answers, unused.never_offered),
        ("never_taken", "", unused.answers, unused.never_taken),
    ]
    for kind, cards in report.card_usage.never_chosen(program).items():
        total = sum(k == kind for k in program.cards.values())
        offered = report.answer_usage.cards
        kind_text = texts.find(lang, f"kind.{kind}") or kind
        rows.append(("never_offered_of", kind_text, total, [card for card in cards if card not in offered]))
        rows.append(("never_chosen_of", kind_text, total, [card for card in cards if card in offered]))
    for key, of, total, names in rows:
        if names:
            shown = ", ".join(names[:limit])
            if limit is not None and len(names) > limit:
                shown = say("more", names=shown, n=len(names) - limit)
            looked = {"looks": unused.looks, "games": unused.looked_at}
            yield say(key, n=len(names), all=total, kind=of, names=shown, **looked)


def tally_cells(tally: Tally, say: Say) -> tuple[str, str, str]:
    data = tally.to_json()
    wins = "-"
    if tally.decided:
        low, high = data["wins_95"]
        wins = say("share", share=f"{data['wins']:.0%}", low=f"{low:.0%}", high=f"{high:.0%}")
    return str(data["games"]), str(mean_of(tally.scores)), wins
