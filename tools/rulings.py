"""`rulings`: run the golden cases of rulesets and show what came out; code 1 when one fails.

Each failure says what was expected and what was seen, in words of the game, with the place in the file.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.named import Named, shipped_overlays
from dsl.nearest import nearest
from dsl.sources import shown_name
from interpreter import Game
from interpreter.ruling import RulingResult, run_ruling
from tools.errors import UserError
from tools.home import all_or_one
from tools.loading import load_game


@dataclass(frozen=True, slots=True)
class Row:
    """A ruling with its result, the file it stands in and its first line there."""

    ruling: ir.Ruling
    result: RulingResult
    file: str
    line: int
    seconds: float


def rulings_command(ruleset: str | None, only: str | None, as_json: bool) -> int:
    games = [(load_game(rules), "") for rules in all_or_one(ruleset)]
    for rules in all_or_one(ruleset):
        games += [(load_game(laid), shown_name(laid.overlays[0], rules.path)) for laid in with_rulings(rules)]
    rows = {game.program.named: run(game, only, own) for game, own in games}
    if only is not None and not any(rows.values()):
        guess = nearest(only, [name for game, _ in games for name in game.program.rulings])
        raise UserError(
            f"no ruling has '{only}' in its name, title, clauses or file"
            + (f": did you mean '{guess}'?" if guess else "; leave --only out to run all of them.")
        )
    if as_json:
        print(json.dumps({name: to_json(found) for name, found in rows.items()}, ensure_ascii=False, indent=2))
    else:
        for name, found in rows.items():
            render(name, found, detailed=only is not None and len(found) <= 3)
        if len(rows) > 1:
            total, passed = (sum(map(f, rows.values())) for f in (len, passes))
            print(f"{passed} of {total} passed")
    return 1 if any(not r.result.passed for found in rows.values() for r in found) else 0


def passes(rows: list[Row]) -> int:
    return sum(row.result.passed for row in rows)


def with_rulings(rules: Named) -> list[Named]:
    """The overlays that come with a ruleset and have rulings of their own; none where overlays were asked for."""
    if not rules.plain:
        return []
    return [Named(rules.path, (p,)) for p in shipped_overlays(rules.path).values() if any(p.rglob("*.ruling"))]


def run(game: Game, only: str | None, own: str = "") -> list[Row]:
    """The rulings of a game; with `own` those of the files below that name."""
    rows = []
    for name, ruling in game.program.rulings.items():
        file, line = place(game, ruling)
        if file.startswith(own) and (only is None or matches(only, name, ruling, file)):
            begun = time.perf_counter()
            result = run_ruling(game, ruling)
            rows.append(Row(ruling, result, file, line, time.perf_counter() - begun))
    return rows


def matches(only: str, name: str, ruling: ir.Ruling, file: str) -> bool:
    wanted = only.casefold()
    return any(wanted in text.casefold() for text in (name, ruling.title, file, *ruling.cites))


def place(game: Game, ruling: ir.Ruling) -> tuple[str, int]:
    file = ruling.span.file or ruling.file
    source = game.program.sources.get(file)
    return file, source.place(ruling.span.start)[0] if source else 0


def to_json(rows: list[Row]) -> dict[str, Any]:
    return {
        "rulings": len(rows),
        "passed": passes(rows),
        "failed": len(rows) - passes(rows),
        "results": [
            {
                "name": r.result.name,
                "title": r.result.title,
                "clauses": list(r.result.cites),
                "passed": r.result.passed,
                "file": r.file,
                "line": r.line,
                "failures": [
                    {"line": f.line or r.line, "text": f.text, "expected": f.expected, "seen": f.seen}
                    for f in r.result.failures
                ],
            }
            for r in rows
        ],
    }


def render(name: str, rows: list[Row], detailed: bool) -> None:
    """A row for each file, then every failure; with `detailed` the transcripts as well."""
    from rich.table import Table
    from rich.text import Text

    from tools.console import stdout

    console = stdout()
    files: dict[str, list[Row]] = {}
    for row in rows:
        files.setdefault(row.file, []).append(row)
    table = Table("rulings", "passed", "failed", "seconds", box=None, pad_edge=False)
    for file, found in files.items():
        bad = sum(not r.result.passed for r in found)
        failed = Text(str(bad), style="bold red") if bad else Text("-")
        table.add_row(file, str(len(found) - bad), failed, f"{sum(r.seconds for r in found):.2f}")
    if rows:
        console.print(table)
    for row in rows:
        if detailed:
            console.print()
            for line in row.result.transcript:
                console.print(Text(line, style="red" if line.strip().startswith("FAILED") else ""))
        if row.result.passed:
            continue
        clauses = f" [{', '.join(row.result.cites)}]" if row.result.cites else ""
        console.print()
        console.print(Text("FAILED ", "bold red") + Text(f'{row.result.name} "{row.result.title}"{clauses}', "bold"))
        for failure in row.result.failures:
            console.print(Text(f"  {row.file}:{failure.line or row.line}: ", "cyan") + Text(failure.text, ""))
            console.print(f"    expected  {failure.expected}")
            console.print(f"    seen      {failure.seen}")
    bad = len(rows) - passes(rows)
    style = "bold red" if bad else "bold green" if rows else "yellow"
    text = f"{name}: {len(rows) - bad} passed" + (f", {bad} failed" if bad else "") if rows else f"{name}: no rulings"
    console.print(Text(text, style=style))
    sys.stdout.flush()
