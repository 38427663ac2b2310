"""All that a seat can get to know of a state from the engine and its terminal, as plain data by name.

`None` is a spectator. Two states that differ in hidden things alone give equal data. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import interpreter as rw
from dsl.program import ASKING
from tools.table.info import hand_lines, info_lines
from tools.table.preview import preview
from tools.table.reasons import why

MOST = 6  # options whose preview is looked at


def seen(
    state: rw.State, seat: int | None, attempts: Sequence[tuple[str, ...]], things: Sequence[str]
) -> dict[str, Any]:
    """What `seat` sees; `attempts`: answers whose reasons it asks for; `things`: what it wants to know about."""
    decision = state.decision
    found: dict[str, Any] = {"view": rw.view(state, seat), "log": rw.log_for(state, seat)}
    if state.plan is None and decision is not None:
        found["open"] = decision.open_seats
    if seat is None:
        return found
    found["moments"] = [(o.code, o.ids, o.text()) for o in rw.moments(state, seat)]
    if state.plan is None or state.plan.seat == seat:
        for words in attempts:
            found[f"why {' '.join(words)}"] = outcome(state, words, seat)
    for name in things:
        found[f"info {name}"] = [line.plain for line in info_lines(state, seat, "en", name)]
    found["hand"] = [line.plain for line in hand_lines(state, seat, "en")]
    if decision is not None and decision.seat == seat:
        for option in rw.legal(state)[:MOST]:
            found[f"try {' '.join(option.ids) or option.kind}"] = tried(state, option)
        for name in things[:MOST]:
            found[f"why {name}, at the terminal"] = told(state, decision, name)
    return found


def outcome(state: rw.State, words: tuple[str, ...], seat: int) -> Any:
    try:
        return [repr(r) for r in rw.explain(state, words, seat=seat)]
    except (rw.IllegalAnswer, rw.RulesetError) as refused:
        return repr(refused)


def told(state: rw.State, decision: rw.Decision, name: str) -> str:
    """What `why` says at the terminal about what has this name, offered or not."""
    try:
        return "\n".join(line.plain for line in why(state, decision, name, "en").lines)
    except (rw.IllegalAnswer, rw.RulesetError) as refused:
        return repr(refused)


def tried(state: rw.State, option: rw.Option) -> Any:
    """What `try` shows of an option."""
    before = rw.copy(state)
    words = before.words[:]
    words[ASKING] = 0  # chance is drawn, as in a game at the terminal
    before.replace_words(words)
    own = next(o for o in rw.legal(before) if o == option)
    try:
        found = preview(before, own, "en")
    except rw.RulesetError as fault:
        return str(fault)
    return found.whole, [line.plain for line in found.lines]


def first_difference(one: Any, other: Any, at: str = "") -> str:
    """The first place where two such data differ, with both values; empty if they are equal."""
    if one == other:
        return ""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in (*one, *(key for key in other if key not in one)):
            if text := first_difference(one.get(key), other.get(key), f"{at} {key}"):
                return text
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(text for a, b in zip(one, other, strict=True) if (text := first_difference(a, b, at)))
    return f"{at.strip()}: {one!r} against {other!r}"
