"""What the checker makes of a planted mistake: is it told where it is, in one message, and does the message mend it?

`python -m tests.mistakes` prints the figures. A message mends the mistake if what it says can be carried out without a
thought - its fix, the word behind `did you mean`, or that behind `write` - and the game is clean afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsl.base.span import Source
from tests.mistakes.plant import KINDS, Mistake

STATED = re.compile(r"(?:did you mean|^write) `([^`]*)`")


@dataclass(frozen=True)
class Verdict:
    """`at_line`: the first message stands at the line of the mistake; `alone`: it is the only one; `mended`: after what
    it says the game is clean; `restored`: and as it was."""

    mistake: Mistake
    messages: tuple[str, ...]
    at_line: bool
    alone: bool
    mended: bool
    restored: bool


def judge(mistake: Mistake) -> Verdict:
    game, file = mistake.place.game, mistake.place.file
    found = game.check({file: mistake.text})
    first = found[0] if found else None
    at_line = first is not None and (first["file"], first["line"]) == (file, mistake.line)
    changed = mend(first, {**game.sources, file: mistake.text}) if first else None
    mended = changed is not None and not game.check({file: mistake.text} | dict([changed]))
    restored = mended and changed is not None and changed == (file, game.sources[file])
    return Verdict(mistake, tuple(map(shown, found)), at_line, len(found) == 1, mended, restored)


def mend(message: dict[str, Any], texts: dict[str, str]) -> tuple[str, str] | None:
    """The file, and its text after what the message says was done; None where it does not say what to write."""
    place, text = message, None
    if message["fix"] is not None:
        place, text = message["fix"], message["fix"]["text"]
    elif stated := STATED.search(message["help"] or ""):
        text = stated[1]
    if text is None or place["file"] not in texts:
        return None
    whole = texts[place["file"]]
    start = offset(whole, place["line"], place["column"])
    end = offset(whole, place["end_line"], place["end_column"])
    return place["file"], whole[:start] + text + whole[end:]


def offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return sum(len(row) + 1 for row in lines[: line - 1]) + column - 1


def shown(message: dict[str, Any]) -> str:
    place = f"{message['file']}:{message['line']}:{message['column']}"
    return f"{place} {message['code']} {message['message']} | {message['help']}"


def table(verdicts: Sequence[Verdict]) -> str:
    """The figures of each kind and of all, a row each."""
    rows = [f"{'':22}{'planted':>8}{'at line':>8}{'alone':>8}{'mended':>8}{'restored':>9}"]
    for kind in (*KINDS, ""):
        those = [v for v in verdicts if kind in ("", v.mistake.kind)]
        counts = [sum(getattr(v, what) for v in those) for what in ("at_line", "alone", "mended", "restored")]
        rows.append(f"{kind or 'all':22}{len(those):>8}{counts[0]:>8}{counts[1]:>8}{counts[2]:>8}{counts[3]:>9}")
    return "\n".join(rows)


def missed(verdict: Verdict) -> str:
    """A paragraph about a verdict that is not wholly good."""
    bad = [what for what in ("at_line", "alone", "mended") if not getattr(verdict, what)]
    line = Source("", verdict.mistake.text).line(verdict.mistake.line).strip()
    more = [f"    {m}" for m in verdict.messages[:4]] or ["    nothing is said"]
    head = f"{verdict.mistake} (not {', '.join(bad)}; {len(verdict.messages)} messages)"
    return "\n".join([head, f"    > {line}", *more])
