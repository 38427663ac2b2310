"""The data of an open question: its options as values, the tests that lead to them, and the members and bounds of a
long answer.

A `Run` holds it; `interpreter.choices` makes and reads it. Codes of options: `(0,)` decline, `(-1,)` ready,
`(alternative + 1, values...)` for one alternative or a number, `(position + 1, values...)` for a member or slot in the
order of its domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dsl import ir
from dsl.base.record import dataclass
from interpreter.core.bounds import Limits, Solver
from interpreter.core.words import Words


class Option(NamedTuple):
    """One small decision. kind: `pick`, `number`, `add`, `amount`, `ready`, `decline`; `alt` is the index of the
    alternative; `values` are those of its binders, for `amount` with the amount last."""

    kind: str
    code: tuple[int, ...]
    alt: int = 0
    values: tuple[int, ...] = ()


DECLINE = Option("decline", (0,))
READY = Option("ready", (-1,))


@dataclass(frozen=True, slots=True)
class Level:
    """What is tested once a binder is bound: `own` are the tests that read no earlier binder, `joint` the others.
    `free`: the domain reads no earlier binder, so that its members that pass `own` are found once."""

    slot: int
    domain: ir.Domain
    own: tuple[ir.Expr, ...]
    joint: tuple[ir.Expr, ...]
    free: bool


@dataclass(frozen=True, slots=True)
class Form:
    """What never changes about the question of a site: where its answer is in the frame, how many words it takes, and
    whether it is a list of (key number, amount)."""

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
    """What does not change between the small decisions of one answer: the members (or slots) that may be chosen and
    their bounds. `store` is the store that it was read from, without the answer; `keys` are the key numbers of the
    slots, filled when they are first needed."""

    form: Form
    store: Words
    items: Sequence[tuple[int, ...]]
    lows: Sequence[int]
    highs: Sequence[int]
    bounds: Solver | Limits
    keys: list[int]
