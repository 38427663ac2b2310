"""The options of a question in the function of a whole game, found where it is asked.

Where each alternative has one value at most, the values that can be given are sets, which are counted; else the options
are rows of memory: the number of the alternative, and the values.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from interpreter.backends.low.base.context import Held, Words
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, union
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.games.game import PASSES, GameFunction
from interpreter.backends.low.games.members import filtered, members_that_pass
from interpreter.backends.low.rules.questions import bind
from interpreter.backends.low.values.narrowing import when_all
from interpreter.backends.low.values.ranges import bound_kinds
from interpreter.backends.low.values.sets import count
from interpreter.choices.binding import tested_levels
from interpreter.choices.options import has_bare_bindings

COUNT, GIVEN = "options", "given"
"""Variables: the number of options, and the same without the one to decline."""


def words_name(alternative: int, w: int) -> str:
    """The variable of a word of the values that an alternative can have."""
    return f"values{alternative}_{w}"


def scan_name(alternative: int) -> str:
    """The variable with the passes that it took to find the values of an alternative."""
    return f"scan{alternative}"


def is_counted(site: ir.Site) -> bool:
    """True if the options are counted, not listed."""
    return all(len(a.binders) <= 1 and all(d.kind == "set" for _, _, d, _ in a.binders) for a in site.alternatives)


def site_of(game: GameFunction) -> ir.Site:
    site = game.node.site
    assert site is not None
    if not has_bare_bindings(site):
        raise Unsupported(f"the question `{site.address}` in a whole game")
    return site


def list_options(game: GameFunction) -> Expr:
    """Count the options of a question, or list them; gives whether there is one."""
    w, site = game.lo.w, site_of(game)
    w.set(COUNT, ZERO)
    for k, alternative in enumerate(site.alternatives):
        if is_counted(site):
            _count(game, site, k)
        else:
            _list(game, k, alternative)
    w.set(GIVEN, Local(COUNT))
    if site.decline or site.if_any:
        some = Op("!=", Local(COUNT), ZERO)
        wanted: Expr = ONE if site.decline else low.Not(some)
        wanted = wanted if site.always_ask else both(wanted, some)
        w.set(COUNT, add(Local(COUNT), wanted if isinstance(wanted, Num) else Op("!=", wanted, ZERO)))
    return Local(COUNT)


def _count(game: GameFunction, site: ir.Site, number: int) -> None:
    """Find the values that an alternative can have, and count them."""
    lo, w, alternative = game.lo, game.lo.w, site.alternatives[number]
    with lo.cut_back():
        if not alternative.binders:
            _count_bare(game, site, number)
            return
        before, (level,) = tested_levels(alternative)
        w.set(scan_name(number), Local(PASSES))
        for n in words_of_values(game, alternative):
            w.set(words_name(number, n), ZERO)

        def find() -> None:
            found = members_that_pass(lo, game.plain, level.slot, level.domain, (*level.own, *level.joint))
            for n, e in found.items():
                w.set(words_name(number, n), e)

        when_all(lo, before, find)
        words: Words = {n: Local(words_name(number, n)) for n in words_of_values(game, alternative)}
        w.set(COUNT, add(Local(COUNT), count(words)))
        w.set(scan_name(number), Op("-", Local(PASSES), Local(scan_name(number))))


def _count_bare(game: GameFunction, site: ir.Site, number: int) -> None:
    """Find whether an alternative without values can be chosen."""
    w, name = game.lo.w, words_name(number, 0)
    tests = [guard.test for guard in site.alternatives[number].guards]
    w.set(name, ZERO)
    known = [(test, _repeated(game, site.alternatives[:number], test)) for test in tests]
    left = [test for test, found in known if found is None]
    holds: Expr = ONE
    for _, found in known:
        holds = holds if found is None else both(found, holds)
    w.when(holds, lambda: when_all(game.lo, left, lambda: w.set(name, ONE)))
    w.set(COUNT, add(Local(COUNT), Local(name)))


def _repeated(game: GameFunction, before: Sequence[ir.Alternative], test: ir.Expr) -> Expr | None:
    """A test whether an alternative that is counted already offers something; None: it is another test."""
    asked = game.constants.existence_test(test)
    for number, alternative in enumerate(before if asked is not None else ()):
        if len(alternative.binders) != 1:
            continue
        first, (level,) = tested_levels(alternative)
        own = game.constants.normal_form(level.slot, level.domain, (*level.own, *level.joint))
        if not first and asked is not None and asked[1:] == own:
            some: Expr = ZERO
            for n in words_of_values(game, alternative):
                some = union(some, Local(words_name(number, n)))
            game.lo.passes(Local(scan_name(number)))
            return Op("!=" if asked[0] else "==", some, ZERO)
    return None


def words_of_values(game: GameFunction, alternative: ir.Alternative) -> range:
    """The numbers of the words of the values that an alternative with one value can have."""
    (_, slot, domain, _) = alternative.binders[0]
    domain, _ = filtered(slot, domain, ())
    kind = bound_kinds(game.lo, ((slot, domain),))[0][slot].kind
    if not isinstance(kind, Number) or kind.low < 0:
        raise Unsupported("answers that are no small set")
    return range(kind.low >> 6, (kind.high >> 6) + 1)


def _list(game: GameFunction, number: int, alternative: ir.Alternative) -> None:
    lo, w = game.lo, game.lo.w

    def one(values: list[Held]) -> None:
        w.trap_if(Op(">=", Local(COUNT), Num(MOST_ROWS)), Reason.ROOM)
        at = w.let(lo.option_row(Local(COUNT)), "row")
        row: list[Expr] = [Num(number), *(Local(h.names[0]) for h in values)]
        for k, value in enumerate(row):
            w.store(at, k, value)
        w.set(COUNT, add(Local(COUNT), 1))

    with lo.cut_back():
        bind(lo, alternative, one)
