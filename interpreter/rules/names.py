"""Values and their names: the bridge between the numbers of the store and the words of a ruleset.

`Names` writes a value of any type as the ids that people and logs use, and reads such words back (aliases included).
It knows nothing of languages: localised texts are made by `interpreter.rules.texts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    bounds,
)
from dsl.program import Program

NONE_ID = "none"
_TOKEN = re.compile(r"[^\s(),]+")


class Names:
    """Ids of one program, both ways."""

    def __init__(self, program: Program) -> None:
        self.program = program
        seats = program.domains.get(program.seat_kind)
        self._seats = {thing: i + 1 for i, thing in enumerate(seats.values if seats else ())}
        self._ids = {name: dict(zip(d.values, d.ids, strict=True)) for name, d in program.domains.items()}
        self._values = {
            name: {**d.aliases, **dict(zip(d.ids, d.values, strict=True))} for name, d in program.domains.items()
        }

        self.lattices = {name: d.lattice for name, d in program.domains.items() if d.lattice is not None}

    def coordinates(self, lattice: str, id_: str) -> tuple[int, ...] | None:
        """The coordinates of a cell of a lattice by its id; None for another id."""
        values = self._values[lattice]
        if id_ not in values:
            return None
        return self.lattices[lattice].coordinates(values[id_] - self.program.domains[lattice].values[0])

    # ------------------------------------------------------------ values to words

    def member(self, domain: str, value: int) -> str:
        if value == 0:
            return NONE_ID
        found = self._ids.get(domain, {}).get(value)
        if found is None and 0 < value < len(self.program.thing_ids) and domain not in self._ids:
            found = self.program.thing_ids[value]
        return found if found is not None else f"{domain}#{value}"

    def place(self, zone: int) -> str:
        if not 0 < zone < len(self.program.zones):
            return "nowhere"
        z = self.program.zones[zone]
        member = f"[{self.text(z.member[1], z.member[0])}]" if z.member else ""
        if not z.holder:
            return z.symbol + member
        return f"{self.program.thing_ids[z.holder]}.{z.symbol.rpartition('.')[2]}{member}"

    def keys(self, keys: Sequence[Type]) -> list[tuple[int, ...]]:
        """All key combinations of a map, row-major."""
        rows: list[tuple[int, ...]] = [()]
        for k in keys:
            low, high = bounds(k)
            rows = [(*r, v) for r in rows for v in range(low, high + 1)]
        return rows

    def items(self, value: Any, t: Type) -> list[str]:
        """The parts of a value, in words: the members of a set or list, `key amount` for maps, else one word."""
        match t:
            case SetType(elem):
                return [self.text(v, elem) for v in members(value)]
            case ListType(elem, _):
                return [self.text(v, elem) for v in value]
            case MapType(keys, item):
                return [
                    f"{self.key(k, keys)} {self.text(v, item)}"
                    for k, v in zip(self.keys(keys), value, strict=True)
                    if v not in (0, ())
                ]
            case SparseType(keys, _):
                rows = self.keys(keys)
                return [f"{self.key(rows[k], keys)} {n}" for k, n in value]
        return [self.text(value, t)]

    def key(self, values: Sequence[int], types: Sequence[Type]) -> str:
        return " ".join(self.text(v, t) for v, t in zip(values, types, strict=True))

    def text(self, value: Any, t: Type) -> str:
        match t:
            case BoolType():
                return "true" if value else "false"
            case MemberType(domain, _, _, _):
                return self.member(domain, value)
            case PlaceType():
                return self.place(value)
            case SetType() | ListType() | MapType() | SparseType():
                body = ", ".join(self.items(value, t))
                return "{" + body + "}" if isinstance(t, SetType) else body or NONE_ID
        return str(value)

    # ------------------------------------------------------------ words to values

    def parse(self, word: str, t: Type) -> int | None:
        """The number that a single word stands for if a `t` is expected; None if the word is no such value."""
        match t:
            case BoolType():
                return {"true": 1, "false": 0}.get(word)
            case MemberType(domain, low, high, optional):
                if word == NONE_ID:
                    return 0 if optional else None
                found = self._values.get(domain, {}).get(word)
                return found if found is not None and low <= found <= high else None
            case IntType(low, high):
                number = as_int(word)
                return number if number is not None and low <= number <= high else None
            case PlaceType():
                for i in range(1, len(self.program.zones)):
                    if self.place(i) == word:
                        return i
        return None

    def words_of(self, t: Type) -> list[str]:
        match t:
            case BoolType():
                return ["true", "false"]
            case MemberType(domain, _, _, _):
                return list(self._values.get(domain, {}))
        return []

    def seat_number(self, thing: int) -> int:
        """1..n for the thing of a seat, 0 for anything else."""
        return self._seats.get(thing, 0)

    def plays(self, row: Sequence[int], keys: Sequence[Type], seats: int) -> bool:
        """True if these keys are members that there are, and seats among the first `seats`."""
        pairs = zip(row, keys, strict=True)
        return all(self.has(value, t) and self.seat_number_of(value, t) <= seats for value, t in pairs)

    def seat_number_of(self, value: int, t: Type) -> int:
        """The number of the seat that a value of this type names; 0 if it names none."""
        return self.seat_number(value) if isinstance(t, MemberType) and t.domain == self.program.seat_kind else 0

    def has(self, value: int, t: Type) -> bool:
        """True if a number in the bounds of a type is a value of it: between the members of a union may be gaps."""
        return not isinstance(t, MemberType) or value == 0 or value in self._ids.get(t.domain, {})

    def seat_thing(self, seat: int) -> int:
        return self.program.domains[self.program.seat_kind].values[seat - 1]

    def seat_id(self, seat: int) -> str:
        domain = self.program.domains.get(self.program.seat_kind)
        return domain.ids[seat - 1] if domain and 0 < seat <= len(domain.ids) else f"seat {seat}"

    def seats_of(self, mask: int) -> tuple[int, ...]:
        """Seat numbers of a set of seats."""
        return tuple(s for s in (self.seat_number(v) for v in members(mask)) if s)


def members(mask: int) -> list[int]:
    """The members of a set value, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def as_int(word: str) -> int | None:
    return int(word) if re.fullmatch(r"-?\d{1,10}", word) else None


def tokens(item: Any) -> list[str]:
    """The words of one item of an answer: `"E3 3"`, `("E3", 3)`, `"promote(tail)"` and nested tuples alike."""
    if isinstance(item, bool):
        return ["true" if item else "false"]
    if isinstance(item, (tuple, list)):
        return [t for part in item for t in tokens(part)]
    return _TOKEN.findall(str(item))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that is most similar to `word`; None if none is similar."""
    import difflib  # only mistakes need it

    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def hint(word: str, known: Iterable[str]) -> str:
    found = nearest(word, known)
    return f"; did you mean `{found}`?" if found else ""
