"""Facts: values as plain data, in which one game hands them on and another takes them over.

A number is a number, a truth is true or false, a member is its id, none is null, a set or list is a list, and what
there is for each member is an object by ids. So facts cross between games that know each other by name only. Reading
trusts nothing: `FactError` says which part of which fact does not fit, and what would.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from dsl import ir
from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    key_count,
    pack,
    width,
)
from interpreter.rules.names import Names, hint, members
from interpreter.rules.rules import Rules

Cells: TypeAlias = list[tuple[int, list[int]]]  # (address, words) for each cell that facts set
SHOWN = 60  # characters of a value that a message quotes


class FactError(ValueError):
    """A fact that a game cannot begin with; the message names it."""


# ------------------------------------------------------------ values to facts


def fact_of(names: Names, value: Any, t: Type) -> Any:
    """A value as plain data."""
    match t:
        case BoolType():
            return bool(value)
        case MemberType(domain):
            return None if value == 0 else names.member(domain, value)
        case SetType(elem):
            return [fact_of(names, item, elem) for item in members(value)]
        case ListType(elem):
            return [fact_of(names, item, elem) for item in value]
    return value


def texts(names: Names, row: Sequence[int], keys: Sequence[Type]) -> list[str]:
    return [names.text(key, t) for key, t in zip(row, keys, strict=True)]


def flat_rows(names: Names, row: tuple[int, ...], value: Any, t: Type, seats: int) -> list[tuple[tuple[int, ...], Any]]:
    """The rows that a value makes under the keys of `row`: of a map one for each of its own keys, of seats those that
    play."""
    if not isinstance(t, MapType):
        return [(row, value)]
    inner = zip(names.keys(t.keys), value, strict=True)
    known = [(key, item) for key, item in inner if names.plays(key, t.keys, seats)]
    return [found for key, item in known for found in flat_rows(names, (*row, *key), item, t.value, seats)]


def nested(rows: Sequence[tuple[list[str], Any]]) -> Any:
    """Rows of key texts and a fact as objects in each other; without keys the only fact, without rows an empty one."""
    found: dict[str, Any] = {}
    for path, fact in rows:
        if not path:
            return fact
        inner = found
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = fact
    return found


# ------------------------------------------------------------ facts to values


def cells_of(rules: Rules, facts: Mapping[str, Any]) -> tuple[Cells, int]:
    """The cells that these facts set, and the highest number of a seat that they name. Facts that the game does not
    take are not for it, unless their name is nearly that of one which is missing. Raises FactError."""
    if not isinstance(facts, Mapping):
        raise FactError(f"facts are names with their values, not {shown(facts)}")
    known = {field.name: field for field in rules.program.given}
    for name in facts:
        if name not in known and (meant := hint(str(name), known.keys() - facts.keys())):
            raise FactError(f"this game takes no fact `{name}`{meant}")
    for field in known.values():
        if field.name not in facts and not field.optional:
            raise FactError(f"the fact `{field.name}` is missing, without which this game begins from no others")
    entries = {entry.symbol: entry for entry in rules.program.layout}
    reader = FactReader(rules.names)
    cells: Cells = []
    for name, fact in taken(rules, facts).items():
        field = known[name]
        base, size = entries[field.symbol].base, width(field.type)
        for number, value in reader.rows(fact, field, field.keys, f"`{name}`"):
            cells.append((base + number * size, pack(value, field.type)))
    return cells, reader.seats


def taken(rules: Rules, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that the game takes over."""
    known = {field.name for field in rules.program.given}
    return {name: fact for name, fact in facts.items() if name in known}


class FactReader:
    """Reads facts by the types of fields, and notes the highest seat that they name."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.seats = 0

    def rows(
        self, fact: Any, field: ir.GivenField, keys: Sequence[Type], where: str, number: int = 0
    ) -> Iterator[tuple[int, Any]]:
        """The rows of a fact with their numbers."""
        if not keys:
            yield number, self.value(fact, field.type, where)
            return
        first, *rest = keys
        if not isinstance(fact, dict):
            raise FactError(f"{where} is {shown(fact)}, expected an object with a value for each {first}")
        for text, inner in fact.items():
            key = self.key(text, first, where)
            at = number + (key - bounds(first)[0]) * key_count(tuple(rest))
            yield from self.rows(inner, field, rest, f"{where} of `{text}`", at)

    def key(self, text: Any, t: Type, where: str) -> int:
        found = self.names.parse(text, t) if isinstance(text, str) else None
        if found is None or not self.names.has(found, t):
            raise FactError(f"{where} has a row for {shown(text)}, expected {self.wanted(t)}{self.near(text, t)}")
        self.seats = max(self.seats, self.names.seat_number_of(found, t))
        return found

    def value(self, fact: Any, t: Type, where: str) -> Any:
        """The value of a fact; raises FactError if it is none of this type."""
        match t:
            case SetType(elem):
                return sum({1 << item for item in self.items(fact, elem, where)})
            case ListType(elem, cap):
                found = self.items(fact, elem, where)
                if len(found) > cap:
                    raise FactError(f"{where} has {len(found)} items, expected at most {cap}")
                return tuple(found)
            case BoolType() if isinstance(fact, bool):
                return int(fact)
            case IntType(low, high) if type(fact) is int and low <= fact <= high:
                return fact
            case MemberType() if fact is None and t.optional:
                return 0
            case MemberType() if isinstance(fact, str) and (member := self.names.parse(fact, t)):
                self.seats = max(self.seats, self.names.seat_number_of(member, t))
                return member
        raise FactError(f"{where} is {shown(fact)}, expected {self.wanted(t)}{self.near(fact, t)}")

    def items(self, fact: Any, elem: Type, where: str) -> list[Any]:
        if not isinstance(fact, list):
            raise FactError(f"{where} is {shown(fact)}, expected a list")
        return [self.value(item, elem, f"item {number} of {where}") for number, item in enumerate(fact, 1)]

    def wanted(self, t: Type) -> str:
        match t:
            case BoolType():
                return "true or false"
            case IntType(low, high):
                return f"a number from {low} to {high}"
            case MemberType(domain) if domain == self.names.program.seat_kind:
                return f"a seat from `{self.names.seat_id(1)}` to `{self.names.seat_id(self.names.program.seats[1])}`"
            case MemberType(domain, _, _, optional):
                return f"a `{domain}`" + (" or null" if optional else "")
        return f"a {t}"

    def near(self, fact: Any, t: Type) -> str:
        known = self.names.words_of(t) if isinstance(t, MemberType) else []
        return hint(fact, known) if isinstance(fact, str) else ""


def shown(fact: Any) -> str:
    """A fact for a message, on one line and not too long."""
    try:
        text = json.dumps(fact, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(fact).__name__}"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
