"""Environments: the knowledge of the variables of one routine, from one line to the next.

An environment gives a `Fact` for each variable. Where a variable is set again, or a cell changes, the names that rested
on what was there before end; where ways meet, a variable has what either of them gave it.
"""

from __future__ import annotations

from typing import Any

from dsl.knowledge.identity import Env
from dsl.knowledge.labels import Fact, Label, Secret, Seer, Who, copied, each_label, named, plain, renamed, rests_on

SHOWN = "shown"  # the key under which an environment has what was shown to all
SEEN = "seen"  # the first part of the keys under which it has to whom a zone was shown as it is: symbol and owner


def marked(env: Env, label: Label) -> Label:
    """The label, with a mark at what was shown to all."""
    if not label or SHOWN not in env:
        return label
    shown = {s.source for s in env[SHOWN].label}
    return frozenset(s._replace(shown=True) if s.source in shown else s for s in label)


def show_zone(env: Env, symbol: str, owner: Who, seer: Seer) -> None:
    """Note that a zone was shown whole to these, who know what lies in it until something comes or goes."""
    key = (SEEN, symbol, owner.key)
    before = shown_to(env, symbol, owner)
    env[key] = Fact(frozenset({Secret(symbol, before | {seer})}), who=owner)


def shown_to(env: Env, symbol: str, owner: Who | None) -> frozenset[Seer]:
    """The seers to whom a zone was shown as it is now."""
    found = env.get((SEEN, symbol, owner.key)) if owner is not None else None
    if found is None or owner is None or found.who is None or found.who.key != owner.key:
        return frozenset()
    return frozenset(seer for secret in found.label for seer in secret.seers)


def put(env: Env, key: Any, found: Fact, place: Any) -> None:
    """Set a variable. What has no name yet is named by its place in the rules."""
    here = ("set at", place)
    if key in env:  # else nothing can rest on it
        end_names(env, here)
        end_ways(env, key)
    found = without(found, frozenset({here}), None)
    who = found.who or Who(here, frozenset({here}))
    env[key] = named(each_label(found, lambda told: copied(marked(env, told))), who)


def add(env: Env, key: Any, label: Label) -> None:
    """Set a part of a variable, or set it perhaps."""
    before = env.get(key)
    if before is not None:
        label = label | before.label
    env[key] = plain(copied(label), before.who if before is not None else None)


def end_ways(env: Env, variable: Any) -> None:
    """Separate a variable that is set from all that was read through it before."""
    for key, found in env.items():
        if found.label and any(s.through == variable for s in found.label):
            env[key] = each_label(
                found, lambda told: frozenset(s._replace(through=None) if s.through == variable else s for s in told)
            )


def end_names(env: Env, what: Any) -> None:
    """Take the names in `env` away that rest on `what`, since it has changed."""
    for key, found in env.items():
        if found.who is not None and what in found.who.rests_on or found.label and what in rests_on(found.label):
            env[key] = without(found, frozenset({what}), None)


def change(env: Env, symbols: frozenset[str], place: Any) -> None:
    """Cells of these symbols change: names that read them become names of what they held before."""
    for key in [key for key in env if key[0] == SEEN and key[1] in symbols]:
        del env[key]
    for symbol in sorted(symbols & names_in(env)) if symbols else ():
        end_names(env, ("was", place, symbol))
        gone = frozenset({symbol})
        for key, found in env.items():
            env[key] = without(found, gone, ("was", place, symbol))


def names_in(env: Env) -> set[Any]:
    """All that the names in an environment rest on."""
    found: set[Any] = set()
    for fact in env.values():
        if fact.who is not None:
            found |= fact.who.rests_on
        if fact.label:
            found.update(rests_on(fact.label))
    return found


def without(found: Fact, gone: frozenset[Any], old: Any) -> Fact:
    """A fact without the names that rest on `gone`; with `old`, under new names for what was there before."""
    touched = found.who is not None and not gone.isdisjoint(found.who.rests_on)
    if not touched and (not found.label or gone.isdisjoint(rests_on(found.label) | rests_on(found.size))):
        return found

    def rename(who: Who) -> Who | None:
        if gone.isdisjoint(who.rests_on):
            return who
        return Who((*old[:1], old, who.key), who.rests_on - gone | {old}) if old is not None else None

    who = rename(found.who) if found.who is not None else None
    return named(each_label(found, lambda told: renamed(told, rename)), who)


def join(a: Env, b: Env, place: Any) -> Env:
    """The knowledge where two ways meet at `place`: `a` itself if the other way adds nothing to it."""
    result = a
    for key, y in b.items():
        x = a.get(key)
        if x is y or x == y:
            continue
        if key[0] == SEEN:
            continue  # shown on one way alone
        found = y if x is None else either(x, y, ("joined", place, key))
        if found != x:
            result = dict(a) if result is a else result
            result[key] = found
    for key in [key for key in a if key[0] == SEEN and a[key] != b.get(key)]:
        result = dict(a) if result is a else result
        del result[key]
    return result


def either(x: Fact, y: Fact, here: Any) -> Fact:
    """The fact of a variable that has one of two values; `here` names it where they are not known to be one."""
    who = x.who if x.who == y.who and x.who is not None else Who(here, frozenset({here}))
    member = x.member_of if x.member_of == y.member_of else None
    test = x.test if x.test == y.test else None
    return Fact(x.label | y.label, x.size | y.size, x.backs | y.backs, who, member, test)


def leave_join(env: Env, place: Any) -> Env:
    """The environment on its way to `place` once more: what was joined there gets its name anew."""
    names = {n for n in names_in(env) if type(n) is tuple and n[:2] == ("joined", place)}
    if not names:
        return env
    result = dict(env)
    for name in names:
        end_names(result, name)
    return result
