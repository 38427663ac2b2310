"""`dsl.base.record.dataclass` gives what the standard library's gives, for classes that have slots."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from dsl.base.record import dataclass, flattened


@dataclass(frozen=True, slots=True)
class Base:
    where: int = dataclasses.field(default=-1, kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pair(Base):
    first: Any
    second: Any = 7


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    held: dict[str, int] = dataclasses.field(default_factory=dict)


@flattened
@dataclass(frozen=True, slots=True)
class Place:
    row: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class Marked(Base):
    name: str
    at: Place = Place(0)


@dataclass(frozen=True, slots=True)
class Only:
    at: Place


@dataclass(frozen=True, slots=True)
class Rooted:
    """As the nodes of a tree: the place is given by its name."""

    at: Place = dataclasses.field(default=Place(0), kw_only=True, compare=False)


@dataclass(frozen=True, slots=True)
class Leaf(Rooted):
    name: str


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    number: int

    def __repr__(self) -> str:
        return f"told {self.number}"


@dataclass(slots=True)
class Open:
    number: int
    names: list[str] = dataclasses.field(default_factory=list)
    note: str = dataclasses.field(default="", kw_only=True, compare=False)


@dataclass(frozen=True)
class Loose:
    number: int


def test_fields_are_given_by_place_or_name_and_have_defaults() -> None:
    pair = Pair(1, where=5)
    assert (pair.first, pair.second, pair.where) == (1, 7, 5)
    assert Pair(second=3, first=2).where == -1
    with pytest.raises(TypeError):
        Pair()
    with pytest.raises(TypeError):
        Pair(1, 2, 3)  # the place is given by its name only


def test_each_value_has_a_fresh_default() -> None:
    one, other = Box("a"), Box("b")
    one.held["x"] = 1
    assert other.held == {} and Box("c", {"y": 2}).held == {"y": 2}


def test_equal_are_values_of_one_class_with_equal_fields_that_count() -> None:
    assert Pair(1, 2, where=3) == Pair(1, 2, where=4)
    assert hash(Pair(1, 2, where=3)) == hash(Pair(1, 2, where=4))
    assert Pair(1, 2) != Pair(1, 3)
    assert Empty() == Empty()
    others: list[Any] = [(1, 2), Base()]
    assert Pair(1, 2) not in others and Empty() not in others
    assert len({Pair(1), Pair(1), Pair(2)}) == 2


def test_nothing_can_be_set_or_added() -> None:
    pair = Pair(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair.first = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del pair.first
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair.third = 2  # type: ignore[attr-defined]
    assert not hasattr(pair, "__dict__")


def test_it_is_shown_by_its_fields() -> None:
    assert repr(Pair("a", where=3)) == "Pair(first='a', second=7)"
    assert repr(Empty()) == "Empty()" and repr(Told(3)) == "told 3"


def test_it_is_matched_replaced_and_asked_for_fields() -> None:
    match Pair(1, 2):
        case Pair(first, second):
            assert (first, second) == (1, 2)
    changed = dataclasses.replace(Pair(1, 2, where=3), second=5)
    assert (changed.first, changed.second, changed.where) == (1, 5, 3)
    assert [f.name for f in dataclasses.fields(Pair)] == ["where", "first", "second"]


VALUES = [
    Pair(Pair(1), (2,), where=3),
    Box("a", {"b": 1}),
    Empty(),
    Told(4),
    Place(1, 2),
    Marked("a", Place(3, 4), where=5),
    Only(Place(6)),
    Leaf("b", at=Place(7, 8)),
]


@pytest.mark.parametrize("value", VALUES)
def test_pickles_and_copies_are_equal(value: Any) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert type(again) is type(value) and again == value
        assert getattr(again, "where", None) == getattr(value, "where", None)
        assert getattr(again, "at", None) == getattr(value, "at", None)


def test_what_is_not_frozen_can_be_set_and_has_no_hash() -> None:
    value = Open(1, note="a")
    value.number = 2
    value.names.append("x")
    assert value == Open(2, ["x"]) and value != Open(2) and value != 2
    assert repr(value) == "Open(number=2, names=['x'], note='a')"
    assert copy.deepcopy(value) == value and dataclasses.replace(value, number=3).note == "a"
    assert pickle.loads(pickle.dumps(value)) == value
    with pytest.raises(TypeError):
        hash(value)
    with pytest.raises(AttributeError):
        value.other = 1  # type: ignore[attr-defined]


def test_classes_with_as_many_fields_do_not_share_their_names() -> None:
    """Their `__init__` share their code; arguments that do not fit are reported by their own names."""
    with pytest.raises(TypeError, match=r"Box.__init__\(\) missing 1 required positional argument: 'name'"):
        Box()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Told.__init__\(\) got an unexpected keyword argument 'first'"):
        Told(first=1)  # type: ignore[call-arg]


def test_a_field_without_a_default_stands_before_those_that_have_one() -> None:
    with pytest.raises(TypeError, match="Wrong without a default follows"):

        @dataclass(frozen=True, slots=True)
        class Wrong:
            first: int = 1
            second: int  # type: ignore[misc]


def test_what_has_no_slots_is_left_to_the_standard_library() -> None:
    loose = Loose(1)
    assert loose == Loose(1) and loose.__dict__ == {"number": 1}
