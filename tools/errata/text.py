"""A comparison as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from dsl.files.phrases import Say, phrases_of
from tools.base.console import stdout
from tools.commands.card import text_note
from tools.errata.balance_text import print_balance, title
from tools.errata.model import Diff, changed_lines

if TYPE_CHECKING:
    from rich.console import Console

MAX_LINES = 8  # of the changes in the transcript of a ruling


def print_diff(found: Diff) -> None:
    """Print a comparison to standard output."""
    console, say = stdout(), phrases_of(found.lang, "errata")
    console.print(Text(f"{found.before}  ->  {found.after}", style="bold"))
    if found.cut:
        console.print(Text(found.cut, style="yellow"), soft_wrap=True)
    print_heading(console, say("changed", n=len(found.changes)))
    for change in found.changes:
        cites = f"  [{', '.join(change.clauses)}]" if change.clauses else ""
        about = ", ".join(filter(None, (change.by, change.dated, change.because)))
        console.print(Text(f"{change.word} {change.address}", style="bold") + Text(f"{cites}  ({about})"))
        console.print(Text(f"  {change.file}:{change.line}", style="cyan"))
        gone, come = changed_lines(change)
        print_lines(console, gone, "- ", "red", say)
        print_lines(console, come, "+ ", "green", say)
    for card, kept in found.texts_kept.items():
        console.print(Text(text_note(card, kept, found.lang), style="yellow"), soft_wrap=True)
    outcome = [ruling for ruling in found.rulings if ruling.outcome]
    print_heading(console, say("outcomes", n=len(outcome), all=found.compared))
    for ruling in outcome:
        cites = f"  [{', '.join(ruling.clauses)}]" if ruling.clauses else ""
        console.print(Text(f'{ruling.name} "{ruling.title}"', style="bold") + Text(cites))
        console.print(Text(f"  {ruling.place}", style="cyan"))
        print_lines(console, list(ruling.before), say("sign", side=say("before")), "red", say)
        print_lines(console, list(ruling.after), say("sign", side=say("after")), "green", say)
        print_lines(console, list(ruling.lines), "", "dim", say, MAX_LINES)
    files = list(dict.fromkeys(change.file for change in found.changes if change.word not in ("add", "text")))
    if outcome and len(files) == 1:
        shown = say("pictures", command=f"rulewright draw {files[0]} --out pictures.html")
        console.print(Text(shown, style="dim"), soft_wrap=True)
    others = [ruling for ruling in found.rulings if not ruling.outcome]
    if others:
        print_heading(console, say("other_ways", n=len(others)))
        for ruling in others:
            console.print(Text(f'{ruling.name} "{ruling.title}"') + Text(f"  {ruling.place}", style="cyan"))
    diverged = [game for game in found.games if game.entry is not None]
    if found.games:
        print_heading(console, say("diverge", n=len(diverged), all=len(found.games)))
    for game in diverged:
        where = say("at_entry", game=game.game, n=game.entry, all=game.entries)
        console.print(Text(say("sign", side=where), style="bold") + Text(game.difference))
        if game.last_decision:
            console.print(Text(f"  {say('after_entry', text=game.last_decision)}", style="dim"))
    if found.balance is not None:
        print_heading(console, title(found.balance, found.lang))
        print_balance(console, found.balance, found.lang)


def print_heading(console: Console, text: str) -> None:
    console.print()
    console.print(Text(text, style="bold underline"))


def print_lines(console: Console, texts: list[str], sign: str, style: str, say: Say, limit: int = 10**6) -> None:
    """Print indented lines, each behind a sign; of more than `limit` only the number of the others."""
    for text in texts[:limit]:
        console.print(Text(f"    {sign}{text}", style=style), soft_wrap=True)
    if len(texts) > limit:
        console.print(Text(f"    {sign}{say('more', n=len(texts) - limit)}", style=style))
