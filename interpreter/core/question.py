"""The data of an open question: its options as values, and the tests that lead to them.

A `Run` holds it; `interpreter.choices` makes and reads it. Codes of options: `(0,)` decline, `(-1,)` ready,
`(alternative + 1, values...)` for one alternative or a number, `(position + 1, values...)` for a member or slot in the
order of its domain.
"""

from __future__ import annotations

from typing import NamedTuple

from dsl import ir
from dsl.base.record import dataclass


class RawOption(NamedTuple):
    """One small decision. kind: `pick`, `number`, `add`, `amount`, `ready`, `decline`; `alt` is the index of the
    alternative; `values` are those of its binders, for `amount` with the amount last."""

    kind: str
    code: tuple[int, ...]
    alt: int = 0
    values: tuple[int, ...] = ()


class GreedyChoice(NamedTuple):
    """The greedy bot's choice for a question: the place of the option that it takes, the worth of the best options (no
    more than `now` where none is known to be), and the worth of the position as it stands."""

    place: int
    worth: int
    now: int


DECLINE = RawOption("decline", (0,))
READY = RawOption("ready", (-1,))
AUTOMATIC_LIMIT = 10_000  # forced answers in a row; more of them are an endless loop
ASKED_ANY_MOMENT = "any_moment.action"  # the address of the question which action at any moment a seat takes


@dataclass(frozen=True, slots=True)
class Level:
    """A binder, with the tests that are made once it is bound: `own` are those that read no earlier binder, `joint` the
    others. `free`: the domain reads no earlier binder, so that its members that pass `own` are found once."""

    slot: int
    domain: ir.Domain
    own: tuple[ir.Expr, ...]
    joint: tuple[ir.Expr, ...]
    free: bool
