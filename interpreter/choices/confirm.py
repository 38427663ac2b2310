"""Confirming the answers of a loop `at once`: whether an answer given earlier could still be given.

Takes a site whose answer is stored in the frame variables; finds out whether the machine would offer it now, one small
decision at a time. The store stays as it is.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import SparseType
from dsl.program import FP, FRAME_LINK, PC, SITE, Program
from interpreter.choices import options, sequence
from interpreter.core.question import READY, RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, load, members


def confirm(m: Run, i: ir.Confirm, pc: int, t: Temps) -> int:
    return i.target if _is_offered(m, i.site, asked_again(m.program, pc)) else pc + 1


def _is_offered(m: Run, number: int, again: int) -> bool:
    """True if the answer of site `number` in the running frame is one of its answers now; `again`: the instruction that
    asks for another one if it is not."""
    words = m.words
    m.words = words[:]
    m.words[SITE] = number + 1
    m.words[PC] = again  # what is tried goes on behind the question
    try:
        return _finds_answer(m, m.program.sites[number])
    finally:
        m.words = words


def asked_again(program: Program, pc: int) -> int:
    """The instruction that asks again where the one at `pc` does not confirm an answer."""
    return next(n for n in range(pc + 1, len(program.code)) if isinstance(program.code[n], ir.Ask))


def _finds_answer(m: Run, site: ir.Site) -> bool:
    base = m.words[FP] + FRAME_LINK
    answer = load(m.words, base + site.answer[0], site.answer[1]) if site.answer else 1
    if site.shape == "number":
        return any(o.values[-1] == answer for o in options.options(m) if o.kind == "number")
    if site.shape not in ("some", "amounts"):
        alternative = answer - 1
        values = tuple(load(m.words, base + slot, t) for slot, t in site.alternatives[alternative].slots)
        return any((o.alt, o.values) == (alternative, values) for o in options.options(m) if o.kind == "pick")
    assert site.answer is not None, "a set or map is always answered into a variable"
    m.words[base + site.cursor] = 0
    while True:
        offers = options.options(m)
        option = next((o for o in offers if o.kind != "decline" and _belongs_to(site, o, answer)), None)
        if option is None:
            return False
        done = option is READY
        if done:
            given = load(m.words, base + site.answer[0], site.answer[1]) if m.words[base + site.cursor] else None
            return bool((given or None) == (answer or None))
        sequence.take(m, site, option)


def _belongs_to(site: ir.Site, option: RawOption, answer: Any) -> bool:
    """True if a small decision belongs to this answer; `ready` comes last in every list."""
    if option is READY:
        return True
    assert site.answer is not None
    if isinstance(site.answer[1], SparseType):
        return (sequence.key_number(site, option.values[:-1]), option.values[-1]) in answer
    return option.values[-1] in members(answer)
