"""Marks on the things of a picture that belong to answers: what can be clicked.

Takes a decision; gives the keys that pictures name things by (`Kind.id`) with the numbers of the options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from dsl.base.types import MemberType
from interpreter import Option
from interpreter.visibility.audiences import knows, place_of
from tools.shows.presenter import Presenter
from tools.table.info import only_content


@dataclass(frozen=True)
class Marks:
    """`shown`: the keys of the things that are drawn."""

    presenter: Presenter
    shown: Set[str]

    def of(self, options: Sequence[Option]) -> dict[str, list[int]]:
        """Key of a thing -> the numbers of the options that name it, or what lies in it or holds it."""
        found: dict[str, list[int]] = {}
        for number, option in enumerate(options):
            for key in self.keys(option):
                found.setdefault(key, []).append(number)
        return found

    def keys(self, option: Option) -> list[str]:
        """The things that an option names, with what lies alone in them; those that are not drawn are stood for by what
        holds them. Members of enums only where it names no thing."""
        values = [value for _, value in option.decision.answers.values(option.raw)]
        named = [(one.value, one.type) for one in values if isinstance(one.type, MemberType) and one.value]
        things = [thing for thing, type_ in named if not self.is_enum(type_)]
        found = [key for thing in things for key in self.standing_for(thing)]
        found = found or [self.presenter.key(value, type_) for value, type_ in named]
        return list(dict.fromkeys(found))

    def standing_for(self, thing: int) -> Iterator[str]:
        """The keys of a thing and what lies in it; if none of them is drawn, those of what holds it, and then of things
        with the same id, such as a place of which a border is named."""
        keys = [self.key(one) for one in (thing, *only_content(self.presenter, thing))]
        if self.shown.isdisjoint(keys) and (holder := self.holder(thing)):
            keys.append(self.key(holder))
        if self.shown.isdisjoint(keys):
            keys += [other for key in keys[-1:] for other in self.by_id.get(key.partition(".")[2], ())]
        yield from keys

    @cached_property
    def by_id(self) -> dict[str, list[str]]:
        """Id -> the keys of the things with it that are drawn."""
        found: dict[str, list[str]] = {}
        for key in sorted(self.shown):
            found.setdefault(key.partition(".")[2], []).append(key)
        return found

    def holder(self, thing: int) -> int:
        """What a thing lies in, as far as the reader knows it; 0: nothing."""
        game, words = self.presenter.game, self.presenter.words
        place = place_of(game, words, thing)
        if not place or not knows(game, words, thing, self.presenter.seat):
            return 0
        return game.program.zones[place].holder

    def key(self, thing: int) -> str:
        kind = self.presenter.program.thing_kinds[thing]
        return self.presenter.key(thing, MemberType(kind, thing, thing))

    def is_enum(self, type_: MemberType) -> bool:
        return self.presenter.program.domains[type_.domain].sort == "enum"
