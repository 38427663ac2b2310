"""A comparison as one page of HTML that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from dsl.files.phrases import phrases_of
from tools.commands.card import text_note
from tools.errata import balance_text
from tools.errata.model import Diff, changed_lines
from tools.errata.pictures import CARDS, is_shown
from tools.picture.differ.zoom import zoomed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.errata.balance import Balance

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
    title, say = f"{found.before} → {found.after}", phrases_of(found.lang, "errata")
    parts = [f"<h1>{escape(title)}</h1>", heading(say("changed", n=len(found.changes)))]
    if found.cut:
        parts.insert(1, f"<p>{escape(found.cut)}</p>")
    for change in found.changes:
        about = ", ".join(filter(None, (change.by, change.dated, change.because)))
        cites = f" [{', '.join(change.clauses)}]" if change.clauses else ""
        parts.append(f"<p><b>{escape(f'{change.word} {change.address}')}</b>{escape(cites)} ({escape(about)})<br>")
        parts.append(f'<span class="place">{escape(change.file)}:{change.line}</span></p>')
        parts += before_and_after(*changed_lines(change))
    parts += [
        f"<p>{escape(begin_large(text_note(card, kept, found.lang)))}.</p>" for card, kept in found.texts_kept.items()
    ]
    parts.append(heading(say("outcomes", n=len(outcome), all=found.compared)))
    for ruling in outcome:
        cites = f" [{', '.join(ruling.clauses)}]" if ruling.clauses else ""
        parts.append(f"<p><b>{escape(ruling.name)}</b> {escape(ruling.title)}{escape(cites)}<br>")
        parts.append(f'<span class="place">{escape(ruling.place)}</span></p>')
        parts += before_and_after(ruling.before, ruling.after)
        parts += picture_of_pair(found, ruling.name)
        if ruling.lines:
            changes = escape("\n".join(ruling.lines))
            head = escape(say("transcript"))
            parts.append(f"<details><summary>{head}</summary><pre>{changes}</pre></details>")
    parts += picture_of_pair(found, CARDS)
    if others:
        parts.append(f"{heading(say('other_ways', n=len(others)))}<ul>")
        parts += [f"<li>{escape(r.name)} {escape(r.title)}</li>" for r in others] + ["</ul>"]
    if found.games:
        parts.append(f"{heading(say('diverge', n=len(diverged), all=len(found.games)))}<ul>")
        for game in diverged:
            where = say("sign", side=say("at_entry", game=game.game, n=game.entry, all=game.entries))
            parts.append(f"<li><b>{escape(where)}</b>{escape(game.difference)}")
            after = say("after_entry", text=game.last_decision)
            last = f'<br><span class="place">{escape(after)}</span></li>'
            parts.append(last if game.last_decision else "</li>")
        parts.append("</ul>")
    if found.balance is not None:
        parts += balance_parts(found.balance, found.lang)
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{found.lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def picture_of_pair(found: Diff, name: str) -> list[str]:
    """What a ruling ends in before and after, or the cards that are changed, as one picture within the page."""
    pair = next((one for one in found.pictures if one.name == name), None)
    if pair is None or not any(map(is_shown, zoomed(*pair.pictures))):
        return []
    data = b64encode(pair.text(".svg").encode()).decode()
    alt = escape(f"{pair.title}: {' / '.join(pair.heads)}")
    return [f'<p><img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="max-width: 100%"></p>']


def begin_large(text: str) -> str:
    return text[:1].upper() + text[1:]


def heading(text: str) -> str:
    return f"<h2>{escape(begin_large(text))}</h2>"


def before_and_after(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Two blocks of lines, each left out where it is empty."""
    found = []
    for name, texts in (("before", before), ("after", after)):
        if text := "\n".join(texts):
            found.append(f'<pre class="{name}">{escape(text)}</pre>')
    return found


def balance_parts(found: Balance, lang: str) -> list[str]:
    """Length, scores, wins and watched values of games by bots."""
    lines = escape("\n".join(balance_text.summary(found, lang)))
    return [
        f"{heading(balance_text.title(found, lang))}<pre>{lines}</pre>",
        *table(balance_text.heads(lang), balance_text.rows(found)),
        *table(balance_text.quartile_heads(lang), balance_text.quartile_rows(found)),
    ]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table; a row that ends with a mark stands out."""
    parts = ["<table><tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"]
    for row in rows:
        style = ' class="clear"' if row[-1] == balance_text.CLEAR else ""
        parts.append(f"<tr{style}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return [*parts, "</table>"]
