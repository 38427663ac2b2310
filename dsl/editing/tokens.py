"""Semantic tokens: the sort of each name of a text, for colours that know the meaning: a value is no field, and a zone
no kind.

Takes a `NameIndex` and the name of a file in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.base.span import Span
from dsl.editing.index import NameIndex


def name_sorts(index: NameIndex, file: str) -> Iterator[tuple[Span, str, bool]]:
    """The span of each name that is known, the sort of its symbol, and whether it is declared there, in the order of
    the text. A name that may be several things is left out, unless they are all of one sort."""
    source = index.sources.get(file)
    if source is None or file.endswith(".yaml"):
        return
    end = 0
    for m in sorted(index.names_in(source).mentions, key=lambda m: m.span.start):
        sorts = {symbol.sort for symbol in index.resolve(m)}
        if len(sorts) == 1 and m.span.start >= end and "\n" not in source.text[m.span.start : m.span.end]:
            yield m.span, sorts.pop(), m.role == "declared" or m.binding is not None
            end = m.span.end
