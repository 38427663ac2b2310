"""Values of all types: packing is undone by unpacking, and a value keeps to its words."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dsl.base.types import (
    BOOL,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    SparseType,
    Type,
    bounds,
    default,
    pack,
    unpack,
    width,
)
from interpreter.core.words import load, members, save, to_mask

SCALARS: list[Type] = [BOOL, IntType(-5, 40), MemberType("A", 1, 6), MemberType("B", 30, 70)]
KEYS: list[Type] = [IntType(0, 3), MemberType("A", 1, 6), MemberType("B", 30, 70)]


def value_of(t: Type) -> st.SearchStrategy[Any]:
    match t:
        case SetType(elem):
            low, high = bounds(elem)
            return st.sets(st.integers(low, high)).map(lambda s: sum(1 << v for v in s))
        case ListType(elem, cap):
            return st.lists(value_of(elem), max_size=cap).map(tuple)
        case MapType(keys, item):
            count = 1
            for k in keys:
                count *= bounds(k)[1] - bounds(k)[0] + 1
            return st.lists(value_of(item), min_size=count, max_size=count).map(tuple)
        case SparseType(_, cap):
            pairs = st.dictionaries(st.integers(0, 99), st.integers(1, 9), max_size=cap)
            return pairs.map(lambda d: tuple(sorted(d.items())))
    return st.integers(*bounds(t))


def types() -> st.SearchStrategy[Type]:
    sets = st.sampled_from(KEYS).map(SetType)
    simple = st.sampled_from(SCALARS) | sets
    lists = st.tuples(simple, st.integers(0, 5)).map(lambda p: ListType(*p))
    maps = st.tuples(st.sampled_from(KEYS[:2]), simple | lists).map(lambda p: MapType((p[0],), p[1]))
    sparse = st.integers(0, 5).map(lambda cap: SparseType((KEYS[2],), cap))
    return simple | lists | maps | sparse


@given(st.data())
def test_packing_is_undone_by_unpacking(data: st.DataObject) -> None:
    t = data.draw(types())
    value = data.draw(value_of(t))
    words = pack(value, t)
    assert len(words) == width(t)
    assert all(type(w) is int and -(2**31) < w < 2**31 for w in words)
    assert unpack([7, *words, 7], 1, t) == value


@given(st.data())
def test_store_agrees_with_types(data: st.DataObject) -> None:
    t = data.draw(types())
    value = data.draw(value_of(t))
    words = [7] * (width(t) + 2)
    save(words, 1, t, value)
    assert words == [7, *pack(value, t), 7]
    assert load(words, 1, t) == value


@given(types())
def test_zeroed_words_are_the_default(t: Type) -> None:
    assert unpack([0] * width(t), 0, t) == default(t)


@given(st.sets(st.integers(0, 200)))
def test_members_of_a_mask(found: set[int]) -> None:
    mask = sum(1 << v for v in found)
    assert members(mask) == tuple(sorted(found))
    assert to_mask(tuple(found)) == mask & ~1
