"""Edits of texts, and the names of a ruleset that tell a rewriter what a word means there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from dsl.base.record import dataclass

Edit: TypeAlias = tuple[int, int, str]  # beginning and end in the text, and what stands there instead


@dataclass(frozen=True, slots=True)
class OwnNames:
    """The names that a ruleset gives to values, and those of the members of each of its enums and options."""

    values: frozenset[str] = frozenset()
    enums: tuple[frozenset[str], ...] = ()

    def are_members(self, names: Iterable[str]) -> bool:
        """True if each of the names is that of a member, or `none`."""
        return all(name == "none" or any(name in enum for enum in self.enums) for name in names)

    def are_all_members(self, names: Iterable[str]) -> bool:
        """True if the names are all that an enum has."""
        given = {*names}
        return any(enum <= given for enum in self.enums)
