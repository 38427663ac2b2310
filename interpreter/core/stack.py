"""Reading the control stack: the frames of a store, and the procedures that they belong to.

Takes the words of a store and changes nothing; `interpreter.core.frames` makes and drops frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.program import FP, Program
from interpreter.core.words import Words


def bases(words: Words) -> Iterator[int]:
    """The bases of all frames, the innermost first."""
    base = words[FP]
    while base:
        yield base
        base = words[base + 1]


def innermost(words: Words, procs: Sequence[int]) -> int:
    """Base of the innermost running frame of one of these procedures; 0: none."""
    for base in bases(words):
        if words[base + 2] in procs:
            return base
    return 0


def innermost_action(program: Program, words: Words) -> int:
    """Base of the innermost running frame of an action or icon; 0: none."""
    numbers = ((base, words[base + 2]) for base in bases(words))
    return next((base for base, n in numbers if n >= 0 and program.procs[n].word in ("action", "icon")), 0)


def names(program: Program, words: Words) -> list[str]:
    """The names of the procedures on the stack, the innermost last."""
    found = []
    for base in bases(words):
        number = words[base + 2]
        found.append(program.procs[number if number >= 0 else ~number].name)
    return found[::-1]
