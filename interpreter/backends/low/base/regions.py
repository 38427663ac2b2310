"""The regions of a module's memory, for its host."""

from __future__ import annotations

from dsl.base.record import dataclass


@dataclass(frozen=True, slots=True)
class Regions:
    """The addresses and sizes of the parts of a module's memory. `top`: the words that a store may have; `words`: those
    of the memory; `stride`: the words of an option; `before`, `begun`, `kept`, `planned` and `noted`: see `Memory`; the
    last two are 0 where nothing is kept there. `keeps`: whether random games keep each decision; `bots`: where the
    generator of the greedy bot lies."""

    top: int
    words: int
    options: int
    stride: int
    mersenne: int
    before: int
    begun: int
    kept: int
    planned: int
    noted: int
    keeps: bool
    bots: int


@dataclass(frozen=True, slots=True)
class Slots:
    """The places of the slots of many games. Words of the module: `now`, the slot in work; `phase`, what is done in it;
    `most`, the decisions of a game; `row`, the option that is taken; `bases`, the addresses of the arrays, which the
    host lays out. `widths`: the words of each array for a slot, `actions`: how many numbers of answers there are;
    `masked`: whether there is a mask of them."""

    now: int
    phase: int
    most: int
    row: int
    bases: int
    widths: tuple[int, ...]
    actions: int
    masked: bool
