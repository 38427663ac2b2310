"""The options of a pending question, in canonical order, and what taking one does.

Every answer is split into small decisions: one alternative, one number, or for sets and amounts the next member (with
its amount) or `ready`. The options are a pure function of the store; this module and `interpreter.choices.sequence`
list them.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.program import FP, FRAME_LINK, MOST_OPTIONS, PLAN, SITE, STEPS
from interpreter.choices import plan, sequence
from interpreter.choices.binding import rebind
from interpreter.core.errors import RulesetError, TriesUsedUp
from interpreter.core.question import DECLINE, READY, RawOption
from interpreter.core.run import Run
from interpreter.core.words import Temps, save
from interpreter.semantics.folds import rank

__all__ = ["DECLINE", "READY", "UNLISTED", "RawOption", "ahead", "end_of_answer", "options", "take"]

UNLISTED = [RawOption("unlisted", ())]  # stands for the options of a question that were not listed
FIRST_WAY = [RawOption("number", (1, 1), 0, (1,))]


def has_bare_bindings(site: ir.Site) -> bool:
    """True if the options of a question are the bindings of its alternatives as they are: nothing has to be searched,
    compared, tried, or taken by default."""
    plain = site.shape in ("one", "number") and not site.such_that and not site.keys and not site.by_default
    return plain and all(a.probe is None for a in site.alternatives)


def ahead(m: Run) -> list[RawOption]:
    """The options of the pending question for a run that looks ahead: the first way of a payment or gain that answers
    itself, and `UNLISTED` for a menu, and where options have to be searched or tried."""
    site = m.program.sites[m.words[SITE] - 1]
    if site.by_default:
        return FIRST_WAY
    menu = len(site.alternatives) > 1
    return UNLISTED if menu or m.words[PLAN] or not has_bare_bindings(site) else options(m)


def end_of_answer(m: Run) -> RawOption:
    """The next option for a long answer that has been begun and shall be short: its end, or else the first member."""
    site, t = m.program.sites[m.words[SITE] - 1], [0] * m.temps
    if not is_tried(m, site) and sequence.may_end(m, site, t):
        return READY
    offers = m.list_options()
    return READY if READY in offers else offers[0]


def options(m: Run) -> list[RawOption]:
    """All options of the pending question; empty if nothing can be chosen."""
    site = m.program.sites[m.words[SITE] - 1]
    t: Temps = [0] * m.temps
    offers = next((found for tier in candidates(m, site, t) if (found := feasible(m, site, tier, t))), [])
    if not is_begun(m, site) and (site.decline or (site.if_any and not offers)) and (offers or site.always_ask):
        if not offers or may_decline(m, site):
            offers.append(DECLINE)
    return offers


def is_begun(m: Run, site: ir.Site) -> bool:
    """True if a part of a long answer has been given; it cannot be declined any more."""
    return site.shape in ("some", "amounts") and sequence.cursor(m, site) > 0


def may_decline(m: Run, site: ir.Site) -> bool:
    """True if the open plan can be completed after the answer `decline`, which stays if that is not decided."""
    if m.probing or not (m.words[PLAN] and site.filter):
        return True
    try:
        return plan.trial(m, lambda: take(m, DECLINE))
    except TriesUsedUp:
        return True


# ------------------------------------------------------------ alternatives and numbers


def candidates(m: Run, site: ir.Site, t: Temps) -> Iterator[list[RawOption]]:
    """The options as far as nothing has to be tried, in tiers, those with the best keys first. The options are in the
    first tier that has any."""
    if site.shape in ("some", "amounts"):
        yield sequence.offers(m, site, t)
    elif not site.such_that and not site.keys:
        yield m.singles(site, t)
    else:
        yield from _conditional(m, site, t)


def _conditional(m: Run, site: ir.Site, t: Temps) -> Iterator[list[RawOption]]:
    """The candidates of a question with conditions or keys on its answer."""
    kind = "number" if site.shape == "number" else "pick"
    found: list[RawOption] = []
    ranks: list[tuple[int, ...]] = []
    for k, alternative in enumerate(site.alternatives):
        for values in m.bound(alternative, t):
            if site.such_that and not _meets_conditions(m, site, values, t):
                continue
            found.append(RawOption(kind, (k + 1, *values), k, values))
            if len(found) > MOST_OPTIONS:
                raise too_many(m, site)
            if site.keys:
                ranks.append(rank(m, site.keys, t))
    if not site.keys:
        yield found
    for best in sorted(set(ranks)):
        yield [option for option, own in zip(found, ranks, strict=True) if own == best]


def singles(m: Run, site: ir.Site, t: Temps) -> list[RawOption]:
    """All bindings of all alternatives."""
    kind = "number" if site.shape == "number" else "pick"
    found = []
    for k, alternative in enumerate(site.alternatives):
        for values in m.bound(alternative, t):
            found.append(RawOption(kind, (k + 1, *values), k, values))
            if len(found) > MOST_OPTIONS:
                raise too_many(m, site)
    return found


def too_many(m: Run, site: ir.Site) -> RulesetError:
    """The fault of a question with more options than anybody can go through."""
    message = f"there are more than {MOST_OPTIONS} answers at `{site.address}`"
    return m.fault(f"{message}: ask for one thing after the other, or offer fewer", site.span, site.cites)


def _meets_conditions(m: Run, site: ir.Site, values: tuple[int, ...], t: Temps) -> bool:
    if site.whole_slot >= 0 and values:
        t[site.whole_slot] = values[-1]
    return all(m.value(guard.test, t) for guard in site.such_that)


# ------------------------------------------------------------ what a plan allows


def feasible(m: Run, site: ir.Site, offers: list[RawOption], t: Temps) -> list[RawOption]:
    """The options after which the open plan can be completed, and whose own action is possible. In a trial all stay,
    since it goes on with them anyway. If the first is taken by default, the others are listed only with `m.list_all`.
    Options that are not decided within the limit of tries are withheld, and stored in `m.undecided`."""
    if m.probing:
        return offers
    first = site.by_default and not m.list_all
    if not is_tried(m, site):
        return offers[:1] if first else offers
    allowed: list[RawOption] = []
    undecided: list[RawOption] = []
    for option in offers:
        if first and allowed:
            break
        if is_allowed(m, site, option, t, undecided):
            allowed.append(option)
    withhold(m, site, undecided, bool(allowed))
    return allowed


def is_tried(m: Run, site: ir.Site) -> bool:
    """True if candidates of this question have to be tried: a plan is open, or actions must be possible."""
    return bool(m.words[PLAN] and site.filter) or any(a.probe is not None for a in site.alternatives)


def is_allowed(m: Run, site: ir.Site, option: RawOption, t: Temps, undecided: list[RawOption]) -> bool:
    """True for a candidate that can be completed. One that is not decided within the limit of tries is added to
    `undecided`."""
    try:
        if m.words[PLAN] and site.filter:
            return plan.trial(m, lambda: take(m, option))
        probe = site.alternatives[option.alt].probe if option.kind in ("pick", "number") else None
        if probe is None:
            return True
        rebind(site.alternatives[option.alt], option.values, t)
        return plan.trial(m, lambda: plan.begin(m, probe, t))
    except TriesUsedUp:
        undecided.append(option)
        return False


def withhold(m: Run, site: ir.Site, undecided: list[RawOption], offered: bool) -> None:
    """Store the candidates that were not decided; a fault in checking runs, and where nothing else can be answered."""
    if undecided and (m.checked or not (offered or site.decline)):
        limit = m.program.limits.tries
        raise m.fault(f"an answer at `{site.address}` was not decided within {limit} tries", site.span, site.cites)
    if undecided:
        m.undecided = tuple(undecided)


# ------------------------------------------------------------ taking an option


def take(m: Run, option: RawOption) -> int:
    """Write the answer into the frame; gives the instruction that follows."""
    words = m.words
    site = m.program.sites[words[SITE] - 1]
    pc, ask = m.pending()
    words[SITE] = words[STEPS] = 0
    if option.kind == "decline":
        return ask.skip
    if site.shape in ("some", "amounts"):
        return pc if sequence.take(m, site, option) else pc + 1
    base = words[FP] + FRAME_LINK
    for (slot, type_), value in zip(site.alternatives[option.alt].slots, option.values, strict=False):
        save(words, base + slot, type_, value)
    if site.answer is not None:
        slot, type_ = site.answer
        save(words, base + slot, type_, option.values[-1] if site.shape == "number" else option.alt + 1)
    return pc + 1
