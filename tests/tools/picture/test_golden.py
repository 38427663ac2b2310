"""What is drawn of every ruleset at three positions, compared with what was drawn before: the model as lines of JSON,
the SVG as its size, its elements and a digest, so that a change of either is seen and looked at.

After a change that is meant: `pytest tests/tools/picture/test_golden.py --snapshot-update`, and look at the pictures.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import interpreter as rw
from tests.tools.picture.test_rulesets import each_ruleset, game
from tools.picture.model.data import Picture
from tools.picture.model.position import picture_of
from tools.picture.sheets.sheet import svg_of

LAST = 400  # decisions
READERS = ((None, "en"), (1, "en"), (1, "ja"))  # who looks at the start, the middle and the end, in which language


def played(folder: Path) -> Iterator[rw.State]:
    """A random game, after each decision; the last position is its end, or that after many decisions."""
    state, chooser = game(folder).new(seats=game(folder).program.seats[0], seed=11), random.Random(11)
    yield state
    for _ in range(LAST):
        if state.over:
            return
        rw.apply(state, chooser.choice(rw.legal(state)))
        yield state


@cache
def pictures(folder: Path) -> tuple[Picture, ...]:
    """The pictures of the start, the middle and the end."""
    states = [rw.copy(state) for state in played(folder)]  # a copy is quicker than playing again
    last = len(states) - 1
    return tuple(picture_of(states[n], *reader) for n, reader in zip((0, last // 2, last), READERS, strict=True))


def without_defaults(value: Any) -> Any:
    """Data without what is empty, without the texts for whoever points at something, and without names beside keys."""
    if isinstance(value, dict):
        left_out = ("about", "drawings", *(("text",) if value.get("thing") else ()))
        kept = {key: without_defaults(part) for key, part in value.items() if key not in left_out}
        return {key: part for key, part in kept.items() if part not in ("", (), [], {}, None, False)}
    return [without_defaults(part) for part in value] if isinstance(value, (list, tuple)) else value


def model_lines(picture: Picture) -> Iterator[str]:
    data = asdict(picture)
    chart = data.pop("chart") or {}
    parts = [(f"place {place['id']}", place) for place in chart.pop("places", ())]
    parts += [(f"panel {panel['id']}", panel) for panel in data.pop("panels")]
    parts += [(f"{sort} {key}", one) for sort in ("things", "faces") for key, one in data.pop(sort).items()]
    for name, part in (("picture", data), ("map", chart), *parts):
        yield f"{name} {json.dumps(without_defaults(part), ensure_ascii=False)}"


def svg_lines(svg: str) -> Iterator[str]:
    size = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg)
    assert size is not None
    yield f"{size[1]} x {size[2]}"
    counts = Counter(re.findall(r"<([a-z]+)", svg))
    yield ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
    yield sha256(svg.encode()).hexdigest()


@each_ruleset
@pytest.mark.parametrize("at", range(3), ids=["start", "middle", "end"])
def test_what_is_drawn_is_what_was_drawn(folder: Path, at: int, snapshot: SnapshotAssertion) -> None:
    found = pictures(folder)[at]
    assert [*model_lines(found), *svg_lines(svg_of(found))] == snapshot
