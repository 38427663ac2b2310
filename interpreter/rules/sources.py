"""Sources of the values in `display.yaml`: the field, zone, const or value that a name means, for a kind of things
or for the whole game.

This is settled by the ruleset alone; `Presenter.read` reads it in a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, Union

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import MapType, MemberType, Type
from dsl.program import Program
from interpreter.rules.layout import holder_dims
from interpreter.rules.pieces import index_keys
from interpreter.rules.rules import Rules

THING, VIEWER = "thing", "viewer"  # arguments of a value
ORIGINAL = "original"  # the name of the first of the copies of a thing


@dataclass(frozen=True, slots=True)
class Field:
    """A field or zone: of the thing (`owned`), the part of a global one with the thing as index (`indexed`), or all of
    it."""

    entry: ir.LayoutEntry
    owned: bool = False
    indexed: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """The rows of a table of constants, from the thing `first` on."""

    table: int
    type: Type
    first: int


@dataclass(frozen=True, slots=True)
class Original:
    """The first of the copies of the thing."""


@dataclass(frozen=True, slots=True)
class SourceCall:
    """A value, with these arguments: the thing, the seat that looks."""

    function: int
    args: tuple[str, ...]


Source: TypeAlias = Union[Field, Constant, Original, SourceCall]


class Sources:
    """The sources of one ruleset, by name and kind; found ones are kept."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.program = rules, rules.program
        self.entries = {e.symbol: e for e in rules.program.layout}
        self._known: dict[tuple[str, str, bool], Source | None] = {}

    def find(self, name: str, kind: str = "", enum: bool = False) -> Source | None:
        """The source that a name means, of a member of this kind or enum, or of the whole game where there is none;
        None if nothing has it."""
        key = name, kind, enum
        if key not in self._known:
            self._known[key] = self._of_member(name, kind, enum) or self._of_game(name, kind)
        return self._known[key]

    def _of_member(self, name: str, kind: str, enum: bool) -> Source | None:
        if not kind:
            return None
        if not enum and (entry := self.rules.shapes.get(kind, {}).get(name)) is not None:
            return Field(entry, owned=True)
        entry = self.entries.get(name)
        if entry is not None and is_indexed_by(self.program, entry, kind):
            return Field(entry, indexed=True)
        if (const := self.program.consts.get(f"{kind}.{name}")) is not None:
            return Constant(const[0], const[1], self.program.domains[kind].values[0])
        return Original() if name == ORIGINAL and not enum else None

    def _of_game(self, name: str, kind: str) -> Source | None:
        if (entry := self.entries.get(name)) is not None:
            return Field(entry)
        number = self.program.function_names.get(name, -1)
        if number < 0:
            return None
        types = [t for _, t in self.program.functions[number].params]
        args = self._arguments(types, kind)
        return SourceCall(number, args) if len(args) == len(types) else None

    def _arguments(self, types: Sequence[Type], kind: str) -> tuple[str, ...]:
        """The arguments for these parameters: the member alone, or with the seat that looks, in either order; none
        where these are no such parameters."""
        covered = [bool(kind) and has_members_of(self.program, t, kind) for t in types]
        if covered == [True]:
            return (THING,)
        if not kind or len(types) != 2:
            return ()
        seats = [has_members_of(self.program, t, self.program.seat_kind) for t in types]
        if covered[0] and seats[1]:
            return THING, VIEWER
        return (VIEWER, THING) if seats[0] and covered[1] else ()


def has_members_of(program: Program, type_: Type, kind: str) -> bool:
    """True if a type covers the members of this kind or enum."""
    if not isinstance(type_, MemberType):
        return False
    values = program.domains[type_.domain].values
    one = program.domains[kind]
    return type_.domain == kind or (one.sort != "enum" and bool(one.values) and one.values[0] in values)


def is_indexed_by(program: Program, entry: ir.LayoutEntry, kind: str) -> bool:
    """True if the first index of a global map or of zones by member, after faces, covers this kind."""
    keys = entry.dims or (index_keys(entry.type) if isinstance(entry.type, MapType) else ())
    return bool(keys) and not holder_dims(entry) and has_members_of(program, keys[0], kind)


def sources_of(rules: Rules) -> Sources:
    """The sources of a ruleset."""
    return rules.cached(Sources)
