"""The note about a thing when somebody points at it: its text, and why it cannot be chosen.

Takes the key that pictures name it by; the lines are those of the terminal, for the same reader.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from dsl.base.types import MemberType
from interpreter import Decision, RulesetError, State
from tools.html.elements import Html, joined, tag
from tools.shows.messages import message
from tools.shows.presenter import Presenter
from tools.table.info import info_lines, thing_lines
from tools.table.preview import preview
from tools.table.reasons import why_thing

MOST_LINES = 40
MOST_KEY = 200  # letters


def thing_of_key(state: State, key: str) -> tuple[str, int] | None:
    """The kind or enum and the number of a member with this key; None where there is none."""
    kind, _, id_ = key[:MOST_KEY].partition(".")
    if kind not in state.game.program.domains or not id_:
        return None
    values = state.game.program.domains[kind].values
    value = state.game.names.parse(id_, MemberType(kind, min(values, default=0), max(values, default=0)))
    return (kind, value) if isinstance(value, int) and value else None


def info_of(state: State, seat: int | None, lang: str, key: str) -> Html:
    """What a reader may know about a thing."""
    found = thing_of_key(state, key)
    if found is None:
        return Html()
    kind, value = found
    if state.game.program.domains[kind].sort == "enum":
        return as_html(info_lines(state, seat, lang, key.partition(".")[2]))
    return as_html(thing_lines(Presenter(state, seat, lang), value))


def why_not(state: State, decision: Decision | None, lang: str, key: str) -> Html:
    """Why a thing cannot be chosen by the one who is asked `decision`; nothing where it can, or nobody is asked."""
    found = thing_of_key(state, key)
    if decision is None or found is None:
        return Html()
    told = why_thing(state, decision, *found, lang)
    return Html() if told.offered else as_html(told.lines)


def trial(state: State, decision: Decision, number: int, lang: str) -> Html:
    """What an option would change, as far as that is certain."""
    option = decision.options[number]
    try:
        found = preview(state, option, lang)
    except RulesetError as fault:
        return tag("p", str(fault))
    lines = [Text(option.text(lang), style="bold"), *found.lines]
    if not found.whole:
        lines.append(Text(message(lang, "try_then" if found.lines else "try_chance")))
    elif not found.lines:
        lines.append(Text(message(lang, "try_nothing")))
    return as_html(lines)


def as_html(lines: Sequence[Text]) -> Html:
    """Lines of a terminal as paragraphs, indented as they were."""
    shown = [paragraph(line) for line in lines[:MOST_LINES]]
    return joined([*shown, tag("p", "…") if len(lines) > MOST_LINES else None])


def paragraph(line: Text) -> Html:
    depth = min((len(line.plain) - len(line.plain.lstrip())) // 2, 3)
    bold = "bold" in str(line.style) or any("bold" in str(span.style) for span in line.spans[:1])
    text = line.plain.strip()
    return tag("p", tag("b", text) if bold else text, class_=f"in{depth}" if depth else None)
