"""A comparison as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from tools.base.console import stdout

if TYPE_CHECKING:
    from rich.console import Console

    from tools.errata.model import Diff

MOST_LINES = 8  # of the way that a ruling goes


def render(found: Diff) -> None:
    console = stdout()
    console.print(Text(f"{found.before}  ->  {found.after}", style="bold"))
    head(console, f"rules touched: {len(found.changes)}")
    for change in found.changes:
        cites = f"  [{', '.join(change.clauses)}]" if change.clauses else ""
        about = ", ".join(filter(None, (change.by, change.dated, change.because)))
        console.print(Text(f"{change.word} {change.address}", style="bold") + Text(f"{cites}  ({about})"))
        console.print(Text(f"  {change.file}:{change.line}", style="cyan"))
        lines(console, change.before.splitlines() if change.word in ("replace", "drop", "alter") else [], "- ", "red")
        lines(console, change.after.splitlines(), "+ ", "green")
    outcome = [ruling for ruling in found.rulings if ruling.outcome]
    head(console, f"rulings that come out otherwise: {len(outcome)} of {found.compared}")
    for ruling in outcome:
        cites = f"  [{', '.join(ruling.clauses)}]" if ruling.clauses else ""
        console.print(Text(f'{ruling.name} "{ruling.title}"', style="bold") + Text(cites))
        console.print(Text(f"  {ruling.place}", style="cyan"))
        lines(console, list(ruling.before), "before: ", "red")
        lines(console, list(ruling.after), "after: ", "green")
        lines(console, list(ruling.lines), "", "dim", MOST_LINES)
    others = [ruling for ruling in found.rulings if not ruling.outcome]
    if others:
        head(console, f"rulings that hold but go another way: {len(others)}")
        for ruling in others:
            console.print(Text(f'{ruling.name} "{ruling.title}"') + Text(f"  {ruling.place}", style="cyan"))
    parted = [game for game in found.games if game.entry is not None]
    if found.games:
        head(console, f"recorded games that part: {len(parted)} of {len(found.games)}")
    for game in parted:
        console.print(Text(f"{game.game}: at entry {game.entry} of {game.entries}: ", style="bold") + Text(game.how))
        if game.told:
            console.print(Text(f"  after: {game.told}", style="dim"))
    if found.shifts:
        head(console, "random games")
        table = Table("", "before", "after", "by (95%)", box=None, pad_edge=False)
        for shift in found.shifts:
            style = "bold" if shift.clear else ""
            table.add_row(shift.what, str(shift.before), str(shift.after), Text(f"{shift.by}", style=style))
        console.print(table)


def head(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold underline"))


def lines(console: Console, texts: list[str], sign: str, style: str, most: int = 10**6) -> None:
    for text in texts[:most]:
        console.print(Text(f"    {sign}{text}", style=style), soft_wrap=True)
    if len(texts) > most:
        console.print(Text(f"    {sign}.. {len(texts) - most} more", style=style))
