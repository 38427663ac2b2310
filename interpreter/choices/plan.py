"""Trials of plans: whether an action, or an open plan after one more answer, can be completed by its actor's choices.

A trial runs on a copy of the store, depth first over the actor's own answers, until the plan ends or reaches its
commit point (a chance event, a question to another seat, something new shown to the actor). The limit `tries`
counts the small decisions of one trial, those of trials inside it included.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import FP, PLAN, PLAN_FRAME, PLAN_SEAT, SITE, TIMED, WAIVE
from interpreter.core import frames
from interpreter.core.errors import DemandFailed, PlanSettled, TriesUsedUp
from interpreter.core.question import READY, RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, Words


def possible(m: Run, e: ir.Possible, t: Temps) -> int:
    """The value of `possible(...)`. If the limit leaves it undecided, that counts as no; a checking run reports it."""
    try:
        return 1 if trial(m, lambda: begin(m, e, t)) else 0
    except TriesUsedUp:
        if m.probing:
            raise
        if m.checked:
            name = m.program.procs[e.proc].name
            raise m.fault(f"`possible({name})` was not decided within {m.program.limits.tries} tries") from None
        return 0


def begin(m: Run, e: ir.Possible, t: Temps) -> int:
    """Start the action on the copy as a plan of the one who acts; gives its first instruction. The end of its frame
    ends the trial; so does instruction 0, which follows a procedure without a frame."""
    args = [m.value(arg, t) for arg in e.args]
    mods = [(line, [m.value(v, t) for v in values]) for line, values in e.mods]
    words = m.words
    words[PLAN] = words[PLAN_FRAME] = words[PLAN_SEAT] = words[SITE] = 0
    if e.waive or mods or words[TIMED] or words[WAIVE]:
        frames.open_scope(m, e.waive, mods)
    pc = m.enter(e.proc, args, 0)
    if m.program.procs[e.proc].suspends:
        actor = args[e.actor] if args else 0
        words[PLAN], words[PLAN_FRAME] = 1, words[FP]
        words[PLAN_SEAT] = actor if actor in m.seat_numbers else -actor
    return pc


def scoped_copy(m: Run, words: Words, e: ir.Possible, t: Temps) -> Words:
    """A copy of a store in the scope of an order: with what the order waives and changes while its action runs."""
    outer, m.words = m.words, words[:]
    try:
        frames.open_scope(m, e.waive, [(line, [m.value(v, t) for v in values]) for line, values in e.mods])
        return m.words
    finally:
        m.words = outer


def trial(m: Run, start: Callable[[], int]) -> bool:
    """True if what `start` begins on a copy of the store can be completed. Raises TriesUsedUp at the limit."""
    words, offers, outer, plain, given = m.words, m.offers, m.probing, len(m.plain), m.given
    if not outer:
        m.tries = 0
    m.probing = True
    m.words = words[:]
    try:
        return _completes(m, start)
    finally:
        m.words, m.offers, m.probing, m.given = words, offers, outer, given
        del m.plain[plain:]


def _completes(m: Run, start: Callable[[], int]) -> bool:
    """Run on; at a question of the actor try its answers."""
    m.given = None
    try:
        m.loop(start())
    except PlanSettled:
        return True
    except DemandFailed:
        return False
    return _search(m)


def _search(m: Run) -> bool:
    words, offers = m.words, m.offers
    site = m.program.sites[words[SITE] - 1]
    if site.shape == "number" and site.payment is None:
        offers = [offers[-1], *offers[:-1]]
    elif site.shape in ("some", "amounts") and offers[0].kind in ("add", "amount") and READY in offers:
        offers = _try_extremes(m, offers)
        if not offers:
            return True
    for option in offers:
        if _try(m, words, option):
            return True
    return False


def _try(m: Run, words: Words, option: RawOption) -> bool:
    m.words = words[:]
    m.tries += 1
    if m.tries > m.program.limits.tries:
        raise TriesUsedUp
    return _completes(m, lambda: m.accept(option))


def _try_extremes(m: Run, offers: list[RawOption]) -> list[RawOption]:
    """Try the full answer (always the first member, with its greatest amount) and the answer that ends here; gives the
    options left to be tried, none after a success."""
    words = m.words
    m.words = words[:]
    full = offers
    while full[0].kind in ("add", "amount"):
        greatest = [o for o in full if o.code[0] == full[0].code[0]][-1]
        m.tries += 1
        if m.tries > m.program.limits.tries:
            raise TriesUsedUp
        m.loop(m.accept(greatest))
        full = m.offers
    if _try(m, m.words, READY) or _try(m, words, READY):
        return []
    return [o for o in offers if o is not READY]
