"""The fixed part of a long answer: its place in the frame, its members, and what decides which of them fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from interpreter.core.words import Words
from interpreter.search.limits import AnswerLimits
from interpreter.search.solver import Solver


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The facts of a site's question that never change: where its answer is in the frame, how many words it takes, and
    (`sparse`) that it is a list of (key number, amount)."""

    site: ir.Site
    slot: int
    type: Any
    words: int
    sparse: bool
    kind: str
    strides: tuple[tuple[int, int], ...]  # lowest and number of each key
    whole: bool  # conditions or keys are on the whole answer
    limits: bool  # there is nothing but bounds `at most`


@dataclass(frozen=True, slots=True)
class Question:
    """The facts that hold through all small decisions of one answer: the members (or slots) that may be chosen and
    their bounds. `store` is the store that it was read from, without the answer; `keys` are the key numbers of the
    slots, filled when they are first needed."""

    form: AnswerForm
    store: Words
    items: Sequence[tuple[int, ...]]
    lows: Sequence[int]
    highs: Sequence[int]
    bounds: Solver | AnswerLimits
    keys: list[int]
