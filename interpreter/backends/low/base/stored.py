"""Sets as they lie in the store: in words of 31 members from the lowest one of the type on.

Elsewhere they lie in words of 64 from 0 on: a list or map of sets is turned into one of these when it is read, and back
when it is written.
"""

from __future__ import annotations

from dsl.base.types import WORD_BITS, ListType, MapType, SetType, Type, bounds, key_count, width
from interpreter.backends.low.base.context import Lowering, Words
from interpreter.backends.low.base.kinds import (
    MOST_WORDS,
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Unsupported,
    as_members,
    kind_of,
    width_of,
)
from interpreter.backends.low.base.make import ZERO, WordsAt, add, load, load_long, num, scale, shifted, union
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op

MOST_STORED = 2 * MOST_WORDS  # words of a set of the store that goes into variables

# ------------------------------------------------------------ sets


def load_set(lo: Lowering, place: WordsAt, t: SetType) -> Words:
    """The words of a set of the store."""
    lowest, highest = bounds(t.elem)
    count = width(t)
    if count > MOST_STORED:
        raise Unsupported(f"a set of {count} words in the store")
    base = lo.w.let(place.base) if count > 1 else place.base
    found: Words = {}
    for j in range(count):
        at = lowest + WORD_BITS * j
        w, by = at >> 6, at & 63
        part = load(WordsAt(base, place.offset + j))
        part = lo.w.let(part) if by > 64 - WORD_BITS else part
        found[w] = union(found.get(w), shifted(part, by))
        if by > 64 - WORD_BITS:
            found[w + 1] = union(found.get(w + 1), shifted(part, by - 64))
    return {w: e for w, e in found.items() if w <= highest >> 6}


def store_set(lo: Lowering, place: WordsAt, t: SetType, words: Words, kind: MembersKind) -> None:
    """Write a set into the store; gives up if it has members outside of its type."""
    lowest, highest = bounds(t.elem)
    words = {w: lo.w.let(e) for w, e in words.items()}
    lo.refuse({w: outside for w, e in words.items() if (outside := _outside(e, w, kind, lowest, highest)) != ZERO})
    base = lo.w.let(place.base)
    for j in range(width(t)):
        at = lowest + WORD_BITS * j
        w, by = at >> 6, at & 63
        part = shifted(words[w], -by) if w in words else ZERO
        if by > 64 - WORD_BITS and w + 1 in words:
            part = union(part, shifted(words[w + 1], 64 - by))
        lo.w.store(base, place.offset + j, Op("&", part, Num((1 << WORD_BITS) - 1)))


def _outside(e: Expr, w: int, kind: MembersKind, lowest: int, highest: int) -> Expr:
    """The members of a word that lie outside of these bounds."""
    if lowest <= max(kind.low, 64 * w) and min(kind.high, 64 * w + 63) <= highest:
        return ZERO
    inside = ((1 << highest + 1) - 1) >> lowest << lowest if highest >= lowest else 0
    return Op("&", e, num(~(inside >> 64 * w)))


# ------------------------------------------------------------ lists and maps of sets


def set_type(t: Type) -> SetType | None:
    """The type of the items of a list or map of sets; None for other types."""
    match t:
        case ListType(SetType() as elem, _) | MapType(_, SetType() as elem):
            return elem
    return None


def load_row(lo: Lowering, at: Expr, t: Type) -> Expr:
    """The address of a list or map of the store, as it lies elsewhere: that in the store, unless it holds sets."""
    elem = set_type(t)
    if elem is None:
        return at
    kind = kind_of(t)
    assert isinstance(kind, ItemsKind | Dense) and isinstance(kind.item, MembersKind)
    words = kind.item.words
    source = lo.w.let(at)
    size: Expr = lo.w.let(low.Load(source)) if isinstance(kind, ItemsKind) else Num(kind.count)
    first = int(isinstance(kind, ItemsKind))
    found = lo.take(first + (kind.most if isinstance(kind, ItemsKind) else kind.count) * width_of(kind.item))
    if first:
        lo.w.store(found, 0, size)

    def one(n: Expr) -> None:
        item = load_set(lo, WordsAt(add(source, scale(n, width(elem))), first), elem)
        target = lo.w.let(add(found, scale(n, width_of(kind.item))))
        for k, w in enumerate(words):
            lo.w.emit(low.StoreLong(target, first + 2 * k, item.get(w, ZERO)))

    lo.w.upto(ZERO, size, one)
    return found


def store_row(lo: Lowering, source: Expr, target: Expr, t: Type, kind: Kind) -> None:
    """Write a list or map of sets that lies at an address, as it lies elsewhere, into the store, which is empty there.
    The caller has seen that there is room; gives up if a set has members outside of its type."""
    elem = set_type(t)
    assert elem is not None and isinstance(kind, ItemsKind | Dense)
    if isinstance(t, ListType):
        size: Expr = lo.w.let(low.Load(source))
        lo.w.store(target, 0, size)
        head = 1
    else:
        assert isinstance(t, MapType)
        size, head = Num(key_count(t.keys)), 0

    def one(n: Expr) -> None:
        base = lo.w.let(add(source, scale(n, width_of(kind.item))))
        members, words = as_members(kind.item), item_words(WordsAt(base, head), kind.item)
        store_set(lo, WordsAt(add(target, scale(n, width(elem))), head), elem, words, members)

    lo.w.upto(ZERO, size, one)


def item_words(place: WordsAt, kind: Kind) -> Words:
    """The words of an item of a list that is a set; small constant ones are numbers."""
    if isinstance(kind, MembersKind):
        return {w: load_long(WordsAt(place.base, place.offset + 2 * k)) for k, w in enumerate(kind.words)}
    return {w: load(place) for w in as_members(kind).words}
