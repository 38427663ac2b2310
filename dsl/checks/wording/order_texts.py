"""Texts of the question which of several cards comes first (docs/manual/13-triggers.md): phrases of the tool.

A text in the locale at the same address is used instead; `dsl.checks.wording.addresses` asks for them where somebody
orders cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.checks.wording.strip_texts import Tables, TextReader
from dsl.elaborate.context import Elaboration
from dsl.elaborate.events.chosen import CARD, FIRST


def order_texts(elab: Elaboration, texts: Tables) -> dict[str, dict[str, str]]:
    """The texts of each language at the addresses of the question, its options and the line of the log."""
    asked = any(site.address == FIRST for site in elab.out.sites)
    first = next(iter(texts.values()))
    readers = (TextReader(elab.model, lang, table, first) for lang, table in texts.items())
    return {reader.lang: dict(_of_language(reader)) if asked else {} for reader in readers}


def _of_language(reader: TextReader) -> Iterator[tuple[str, str]]:
    yield f"{FIRST}.ask", reader.phrase("which_card_first")
    yield f"{FIRST}.pick", f"{{{CARD}}}"
    yield f"{FIRST}.done", reader.phrase("comes_first")
