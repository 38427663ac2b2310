"""A comparison as one page of HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from tools.commands.card import text_note
from tools.errata import balance_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.errata.balance import Balance
    from tools.errata.model import Diff

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; border-bottom: 1px solid #ccc; }
pre { background: #f6f6f4; padding: .5rem .8rem; overflow-x: auto; font-size: .85rem; margin: .3rem 0; }
.before { border-left: .3rem solid #c44; } .after { border-left: .3rem solid #4a4; }
.place { color: #567; font-size: .85rem; } table { border-collapse: collapse; }
td, th { text-align: left; padding: .2rem .8rem .2rem 0; } .clear { font-weight: bold; }
"""


def diff_page(found: Diff) -> str:
    """The page as text."""
    outcome = [ruling for ruling in found.rulings if ruling.outcome]
    others = [ruling for ruling in found.rulings if not ruling.outcome]
    diverged = [game for game in found.games if game.entry is not None]
    title = f"{found.before} → {found.after}"
    parts = [f"<h1>{escape(title)}</h1>", f"<h2>Rules changed: {len(found.changes)}</h2>"]
    for change in found.changes:
        about = ", ".join(filter(None, (change.by, change.dated, change.because)))
        cites = f" [{', '.join(change.clauses)}]" if change.clauses else ""
        parts.append(f"<p><b>{escape(f'{change.word} {change.address}')}</b>{escape(cites)} ({escape(about)})<br>")
        parts.append(f'<span class="place">{escape(change.file)}:{change.line}</span></p>')
        parts += before_and_after(change.before.splitlines(), change.after.splitlines())
    parts += [f"<p>Note: {escape(text_note(card, kept))}.</p>" for card, kept in found.texts_kept.items()]
    parts.append(f"<h2>Rulings with another outcome: {len(outcome)} of {found.compared}</h2>")
    for ruling in outcome:
        cites = f" [{', '.join(ruling.clauses)}]" if ruling.clauses else ""
        parts.append(f"<p><b>{escape(ruling.name)}</b> {escape(ruling.title)}{escape(cites)}<br>")
        parts.append(f'<span class="place">{escape(ruling.place)}</span></p>')
        parts += before_and_after(ruling.before, ruling.after)
        if ruling.lines:
            changes = escape("\n".join(ruling.lines))
            parts.append(f"<details><summary>changes in the transcript</summary><pre>{changes}</pre></details>")
    if others:
        parts.append(f"<h2>Rulings that hold but go another way: {len(others)}</h2><ul>")
        parts += [f"<li>{escape(r.name)} {escape(r.title)}</li>" for r in others] + ["</ul>"]
    if found.games:
        parts.append(f"<h2>Recorded games that diverge: {len(diverged)} of {len(found.games)}</h2><ul>")
        for game in diverged:
            where = f"{game.game}: at entry {game.entry} of {game.entries}"
            parts.append(f"<li><b>{escape(where)}</b>: {escape(game.difference)}")
            last = f'<br><span class="place">after: {escape(game.last_decision)}</span></li>'
            parts.append(last if game.last_decision else "</li>")
        parts.append("</ul>")
    if found.balance is not None:
        parts += balance_parts(found.balance)
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def before_and_after(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Two blocks of lines, each left out where it is empty."""
    found = []
    for name, texts in (("before", before), ("after", after)):
        if text := "\n".join(texts):
            found.append(f'<pre class="{name}">{escape(text)}</pre>')
    return found


def balance_parts(found: Balance) -> list[str]:
    """Length, scores, wins and watched values of games by bots."""
    lines = escape("\n".join(balance_text.summary(found)))
    return [
        f"<h2>{escape(balance_text.title(found).capitalize())}</h2><pre>{lines}</pre>",
        *table(balance_text.HEADS, balance_text.rows(found)),
        *table(balance_text.QUARTILE_HEADS, balance_text.quartile_rows(found)),
    ]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table; a row that ends with a mark stands out."""
    parts = ["<table><tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"]
    for row in rows:
        style = ' class="clear"' if row[-1] == balance_text.CLEAR else ""
        parts.append(f"<tr{style}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return [*parts, "</table>"]
