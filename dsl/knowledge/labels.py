"""Labels of values: sets of secrets, each with those who see it.

A `Secret` names where something hidden was read, or the question or draw whose outcome not all saw, and its `seers`:
whoever is one of them sees it, and without any nobody does. A `Fact` is what is known of one value: its secrets, those
of its size alone, and a name for the value itself, by which two values are known to be equal. What the arguments of a
function tell is not known while it is looked at: they are secrets of their own, for which those of a call are put in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

EVERYBODY = "everybody"  # all seats see it


class Who(NamedTuple):
    """A name for a value: equal keys are equal values. It holds until one of `rests_on` changes: a place where a
    variable is set, or the symbol of a cell."""

    key: Any
    rests_on: frozenset[Any] = frozenset()


class Seer(NamedTuple):
    """Somebody who sees something hidden, by `sort`: the `owner` of a thing, those whom a function `fn:N` lets see
    what belongs to it, `seats`, a set of them, or `everybody`. Without `who` it is not known of which thing, or
    which seats."""

    sort: str
    who: Who | None = None


class Secret(NamedTuple):
    """Something hidden that a value tells of. `source`: a symbol of the layout, the address of a question, or a
    `Parameter`. `copied`: it comes from a variable, so it was read before. `waits`: all see it once all have answered.
    `shown`: it was shown to all before in the same routine, so that the author knows that it is laid open. `through`:
    the variable that it was read from, so that it is known to whoever gets to know that one."""

    source: Any
    seers: frozenset[Seer] = frozenset()
    copied: bool = False
    waits: bool = False
    shown: bool = False
    through: Any = None


class Parameter(NamedTuple):
    """The source of what an argument tells in the function, purse or timed line `owner`: `part` 0 for the whole
    argument, 1 for its size, 2 for the backs of its things."""

    owner: tuple[str, int]
    number: int
    part: int = 0


Label: TypeAlias = frozenset[Secret]
OPEN: Label = frozenset()

# The source of what was chosen openly among hidden things, whichever these were: rules may go on from it, but texts
# name it to those alone who know it.
SAID = "said"
CHOSEN: Label = frozenset({Secret(SAID, copied=True)})


class Fact(NamedTuple):
    """The knowledge of one value. `label`: what the value tells; `size`: what its size tells; `backs`: what stands on
    the backs of the things; `member_of`: the variable of which it is the first member; `test`: the condition whose
    result is kept, by id."""

    label: Label = OPEN
    size: Label = OPEN
    backs: Label = OPEN
    who: Who | None = None
    member_of: Any = None
    test: int | None = None


PUBLIC = Fact()


def plain(label: Label, who: Who | None = None) -> Fact:
    """The fact of a value whose size tells as much as it tells itself."""
    return Fact(label, label, label, who)


def labels(found: Iterable[Label]) -> Label:
    """The union of these labels."""
    result = OPEN
    for one in found:
        if one:
            result = result | one
    return result


def plain_label(told: Label) -> Fact:
    return plain(told) if told else PUBLIC


def together(*facts: Fact) -> Fact:
    """The fact of a value that is made of several."""
    return Fact(labels(f.label for f in facts), labels(f.size for f in facts), labels(f.backs for f in facts))


def copied(label: Label) -> Label:
    """The label of what is kept in a variable."""
    return frozenset(s if s.copied else s._replace(copied=True) for s in label) if label else label


def each_label(found: Fact, change: Callable[[Label], Label]) -> Fact:
    """The fact with other labels."""
    if not found.label:
        return found
    label = change(found.label)
    size = label if found.size is found.label else change(found.size)
    backs = label if found.backs is found.label else change(found.backs)
    return Fact(label, size, backs, *found[3:])


def named(found: Fact, who: Who | None) -> Fact:
    """The fact of a value that has this name."""
    return Fact(found.label, found.size, found.backs, who, found.member_of, found.test)


def also(found: Fact, told: Label) -> Fact:
    """The fact with this label on all its parts, too."""
    if not told:
        return found
    return Fact(found.label | told, found.size | told, found.backs | told, *found[3:])


def read_through(found: Fact, variable: Any) -> Fact:
    """The fact of a variable that is read, whose secrets are known to whoever gets to know the variable."""
    if not found.label:
        return found
    return each_label(found, lambda told: frozenset(Secret(*s[:-1], through=variable) for s in told))


def bare(label: Label) -> Label:
    """The label without the variables that it was read from."""
    return frozenset(s if s.through is None else s._replace(through=None) for s in label) if label else label


def with_seer(label: Label, seer: Seer) -> Label:
    """The label with one more seer of all its secrets."""
    return frozenset(s._replace(seers=s.seers | {seer}) for s in label) if label else label


Rename: TypeAlias = Callable[[Who], "Who | None"]


def renamed(label: Label, rename: Rename) -> Label:
    """The label with other names for those who see; None: no longer known who they are."""
    if not any(s.seers for s in label):
        return label
    return frozenset(Secret(s.source, frozenset(renamed_seer(x, rename) for x in s.seers), *s[2:]) for s in label)


def renamed_seer(seer: Seer, rename: Rename) -> Seer:
    return seer if seer.who is None else Seer(seer.sort, rename(seer.who))


@lru_cache(maxsize=4096)
def rests_on(label: Label) -> frozenset[Any]:
    """Everything on which the names in a label rest. Kept, since the same few labels are asked for again and again."""
    names = (seer.who.rests_on for secret in label for seer in secret.seers if seer.who is not None)
    return frozenset().union(*names)


def put_in(label: Label, argument: Callable[[Parameter], Label | None]) -> Label:
    """The label with the labels of arguments for parameters; a parameter without one stays."""
    if not any(isinstance(s.source, Parameter) for s in label):
        return label
    found: set[Secret] = set()
    for s in label:
        given = argument(s.source) if isinstance(s.source, Parameter) else None
        if given is None:
            found.add(s)
        else:
            found |= {g._replace(seers=g.seers | s.seers, copied=g.copied or s.copied) for g in given}
    return frozenset(found)


def substitute(key: Any, given: Callable[[Any], Any]) -> Any:
    """A key with other keys for some of its parts: `given` says for a part by what it is replaced, None if by nothing;
    raises `LookupError` where that is not known."""
    if not isinstance(key, tuple):
        return key
    other = given(key)
    if other is not None:
        return other
    return tuple(substitute(part, given) for part in key)
