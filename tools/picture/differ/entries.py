"""Entries of a panel, by where it says them, so that two panels can be compared line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tools.picture.model.data import FactBlock, FactTable, Groups, Panel, PrintedFact, PrintedFacts, Track
from tools.shows.parts import Part

Entries = Mapping[str, Any]


def entries(panel: Panel) -> Entries:
    """The entries of a panel, each by its place in it."""
    match panel:
        case PrintedFacts():
            return {fact_key(block, fact): fact.parts for block in panel.blocks for row in block.rows for fact in row}
        case FactTable():
            return {f"{key_of(row.head)}/{head}": cell for row in panel.rows
                    for head, cell in zip(panel.heads, row.cells, strict=True)}  # fmt: skip
        case Groups():
            return {f"{key_of(row.head)}/{at}": cell for row in panel.rows for at, cell in enumerate(row.cells)}
        case Track():
            return {lane.thing: lane for lane in panel.lanes}


def fact_key(block: FactBlock, fact: PrintedFact) -> str:
    return f"{key_of(block.title)}/{fact.label}"


def key_of(parts: Iterable[Part]) -> str:
    return " ".join(part.thing or part.text for part in parts)
