"""A random answer: one of the options of the pending question, each equally likely, without a list of them all.

The candidates are drawn one after the other, and the first one that can be completed is the answer; so only those that
were drawn are tried, and the answer is uniform over the options. `decline` is one of them, what the manifest calls
`seldom` is not: an action that random play would take far too often is really taken once in a while only, and so is the
end of an answer, or `decline`, of a question that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from dsl import ir
from dsl.program import SITE, Program
from interpreter.choices.options import candidates, is_allowed, is_begun, is_tried, may_decline, options, withhold
from interpreter.core.question import DECLINE, READY, RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps

SELDOM_ODDS = 300  # one in how many times such an answer that is drawn is really taken
INTERRUPT_ODDS = 16  # one in how many times a random bot considers actions at any moment, and a greedy one does not
ENDING = -1  # among the indices of seldom actions: the question is seldom declined, its answer seldom ended

Rng = Callable[[], float]  # the next random number, from 0 to below 1


def draw_options(m: Run, rng: Rng) -> list[RawOption]:
    """One option of the pending question, as a list; empty if nothing can be chosen. `m.candidates` becomes the number
    of answers that it was drawn from. What is taken by default is not drawn, but costs a draw as well."""
    site = m.program.sites[m.words[SITE] - 1]
    if site.by_default and not m.list_all:
        offers = options(m)
        m.candidates = len(offers)
        if offers:
            rng()
        return offers
    t: Temps = [0] * m.temps
    begun = is_begun(m, site)
    for tier in candidates(m, site, t):
        pool = [*tier, DECLINE] if tier and site.decline and not begun else tier
        option = first_possible(m, site, pool, t, rng)
        if option is not None:
            return [option]
    if not begun and (site.decline or site.if_any) and site.always_ask:
        m.candidates = 1
        rng()
        return [DECLINE]
    return []


def first_possible(m: Run, site: ir.Site, pool: list[RawOption], t: Temps, rng: Rng) -> RawOption | None:
    """The first option in a random order of the candidates, whose list is used up; None if there is none."""
    m.candidates = len(pool)
    tried, seldom = is_tried(m, site), m.seldom.get(m.words[SITE] - 1, ())
    known = not tried  # whether there is another option than to decline
    declined = False  # `decline` was drawn: an option if there is another
    spurned: RawOption | None = None  # a seldom answer was drawn: it is taken if there is no other
    found: RawOption | None = None
    undecided: list[RawOption] = []
    while pool and found is None:
        at = int(rng() * len(pool))
        option, pool[at] = pool[at], pool[-1]
        del pool[-1]
        rare = is_rare(option, seldom)
        if option is DECLINE:
            if (rare and spurned is not None) or not may_decline(m, site):
                continue
            if rare and m.candidates > 1 and rng() * SELDOM_ODDS >= 1:
                spurned = DECLINE
            else:
                declined = True
                found = DECLINE if known else None
        elif rare and spurned is not None and known:
            continue
        elif not tried or is_allowed(m, site, option, t, undecided):
            known = True
            if declined:
                found = DECLINE
            elif not rare:
                found = option
            elif spurned is None:
                found, spurned = (None, option) if rng() * SELDOM_ODDS >= 1 else (option, None)
    if found is None and (known or spurned is not DECLINE):
        found = spurned
    withhold(m, site, undecided, found is not None)
    return found


def is_rare(option: RawOption, seldom: Collection[int]) -> bool:
    """True for an option that random play takes once in a while only. `seldom`: those of its question, see below."""
    if option.kind == "pick":
        return option.alt in seldom
    return ENDING in seldom and option in (READY, DECLINE)


def seldom_alternatives(program: Program) -> dict[int, frozenset[int]]:
    """The indices of the actions of each question that the manifest calls `seldom`, and ENDING where it names the
    question; by the number of the question."""
    found = {}
    for number, site in enumerate(program.sites if program.seldom else ()):
        rare = {k for k, a in enumerate(site.alternatives) if a.name in program.seldom}
        if site.address in program.seldom:
            rare.add(ENDING)
        if rare:
            found[number] = frozenset(rare)
    return found
