"""Lost brackets and quotes: the places in a declaration at which it can be read again.

`mend_lost_signs` gives messages about an unclosed or an unopened bracket or text a place for the other one. Of
several an index in `[..]` gets the shortest, and what stands in `(..)` the longest that can be read. Texts are parsed
again, so this is done for messages that are shown, never while a ruleset is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Diagnostic, Fix
from dsl.syntax.parser import parse_file

UNCLOSED, UNOPENED, QUOTE = "RW0104", "RW0105", "RW0106"
PARTNERS = {'"': '"', "(": ")", "[": "]", "{": "}", ")": "(", "]": "[", "}": "{"}
MOST_PLACES = 60
TITLED = re.compile(r"(?:card|position|ruling)\b")
CITATION = re.compile(r"\[[A-Z]{2,}-\d[\w.]*(?:, *[A-Z]{2,}-\d[\w.]*)*")
WORD_END = re.compile(r"(?<=[\w\"\])}])(?!\w)")
WORD_START = re.compile(r"(?<![\w\"])(?=[\w\"\[({])")


def mend_lost_signs(found: list[Diagnostic], sources: Mapping[str, Source]) -> list[Diagnostic]:
    return [_mended(d, sources) if d.code in (UNCLOSED, UNOPENED, QUOTE) else d for d in found]


def _mended(d: Diagnostic, sources: Mapping[str, Source]) -> Diagnostic:
    source = sources.get(d.span.file)
    if source is None:
        return d
    text = source.text
    low = text.rfind("\n", 0, d.span.start) + 1
    while low and text[low : low + 1] in " \t":
        low = text.rfind("\n", 0, low - 1) + 1
    after = re.compile(r"\n(?=\S)").search(text, d.span.end)
    high = after.start() if after else len(text)
    sign = PARTNERS[text[d.span.start : d.span.start + 1]]
    good = (at for at in _places(text, d) if not parse_file("", text[low:at] + sign + text[at:high] + "\n")[1])
    at = next(good, None)
    if at is None:
        return d
    shown = text[max(text.rfind("\n", 0, at) + 1, at - 20) : at].lstrip() + sign
    return replace(d, help=f"{d.help}: `{shown}`", fix=Fix(Span(d.span.file, at, at), sign))


def _places(text: str, d: Diagnostic) -> Iterator[int]:
    """The places where the other bracket may stand, in the line of the one that is there; likely ones first, and a few
    at most."""
    if citation := CITATION.match(text, d.span.start):
        return iter([citation.end()])
    start, end = text.rfind("\n", 0, d.span.start) + 1, text.find("\n", d.span.start) % (len(text) + 1)
    end = len(re.split(r" #| \[[A-Z]{2,}-\d", text[start:end])[0].rstrip()) + start
    if d.code == QUOTE:
        return _quote_places(text, d.span.start, start, end)
    if d.code == UNCLOSED:
        places = [m.start() for m in WORD_END.finditer(text, d.span.end, end)]
        places += [] if end in places else [end]
        return iter((places if text[d.span.start] == "[" else places[::-1])[:MOST_PLACES])
    places = [m.start() for m in WORD_START.finditer(text, start, d.span.start)]
    return iter((places[::-1] if text[d.span.start] == "]" else places)[:MOST_PLACES])


def _quote_places(text: str, quote: int, start: int, end: int) -> Iterator[int]:
    """The places where the other quote of a text may stand: a title ends before its `:`, a reason begins behind
    `because`."""
    if text[quote - 1 : quote].strip() and quote > start:  # it closes a text that was never opened
        places = [m.start() for m in WORD_START.finditer(text, start, quote)]
        reason = re.compile(r"\bbecause +").search(text, start, quote)
        return iter([*([reason.end()] if reason else []), *places][:MOST_PLACES])
    places = [m.start() for m in WORD_END.finditer(text, quote + 1, end)][::-1]
    title = re.compile(r"\s*:").search(text, quote, end) if TITLED.match(text, start) else None
    return iter([*([title.start()] if title else []), end, *places][:MOST_PLACES])
