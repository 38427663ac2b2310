"""The pages of a list of options, and the numbers that stand on the map beside it.

Takes a listing and the things that are on the map. A place carries the number of the option that names it, or the
range of several. Where that would put scattered numbers on one place, options are listed by their first word, one page
each, and a place has its numbers of that page. Where that does not help, an option marks only the first place it names.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from dsl.base.types import MemberType
from interpreter import Option
from tools.table.listing import Listing, by_first_word

BETWEEN = ","  # the ranges of a mark


@dataclass(frozen=True, slots=True)
class OptionPage:
    """Options that are listed together; `word`: the first word of them all, if they are a part of the options;
    `first_of`: if not empty, an option belongs only to the first of these things that it names."""

    listing: Listing
    word: str = ""
    first_of: Set[int] = frozenset()

    @property
    def marks(self) -> dict[int, str]:
        """Thing that can be chosen -> the numbers of the options that name it, besides the word of the page."""
        labels: dict[int, list[str]] = {}
        for label, option in self.listing.rows:
            for thing in self.things(option):
                labels.setdefault(thing, []).append(label)
        return {thing: ranges(found) for thing, found in labels.items()}

    def things(self, option: Option) -> list[int]:
        """The things that an option names, besides the word of the page."""
        found = named_things(option, self.word)
        return [thing for thing in found if thing in self.first_of][:1] if self.first_of else found

    @property
    def title(self) -> str:
        """The name of the word of the page."""
        for _, option in self.listing.rows:
            if option.ids[0] == self.word:
                domains = self.listing.decision.domains(option.raw)
                return self.listing.decision.game.texts.id(self.listing.lang, domains[0] if domains else "", self.word)
        return ""

    def listed_in(self, window: Set[int], on_map: Set[int]) -> Listing:
        """The options that name a thing in a window of the map, and those that name nothing on the map."""

        def places(option: Option) -> set[int]:
            return set(self.things(option)) & on_map

        rows = ((label, o) for label, o in self.listing.rows if not places(o) or not places(o).isdisjoint(window))
        return Listing(self.listing.decision, tuple(rows), self.listing.lang)

    def is_clear(self, on_map: Set[int]) -> bool:
        """True if every place has one number or one range."""
        return not any(BETWEEN in mark for thing, mark in self.marks.items() if thing in on_map)


def named_things(option: Option, word: str = "") -> list[int]:
    """The things that an option names, but for the one called `word`. Things of several kinds may have one id."""
    domains = option.decision.game.program.domains
    named = [found for _, found in option.decision.answers.values(option.raw)]
    ids = option.ids[len(option.ids) - len(named) :]
    things = (
        found.value
        if isinstance(found.type, MemberType) and domains[found.type.domain].sort != "enum" and id_ != word
        else 0
        for id_, found in zip(ids, named, strict=False)
    )
    return [thing for thing in things if thing]


def pages_of(listing: Listing, on_map: Set[int]) -> list[OptionPage]:
    """The options on one page, or in parts whose places have one number or range each."""
    whole = OptionPage(listing)
    if whole.is_clear(on_map):
        return [whole]
    groups = by_first_word(listing)
    others = groups.pop("", [])
    if len(groups) < 2:
        return [OptionPage(listing, first_of=on_map)]
    parts = [
        OptionPage(Listing(listing.decision, (*rows, *others), listing.lang), word) for word, rows in groups.items()
    ]
    return [part if part.is_clear(on_map) else replace(part, first_of=on_map) for part in parts]


def ranges(labels: Sequence[str]) -> str:
    """Numbers in short: `3`, `1-4`, `1-3,7`."""
    found: list[list[str]] = []
    for label in dict.fromkeys(labels):
        if found and label.isdecimal() and found[-1][-1].isdecimal() and int(label) == int(found[-1][-1]) + 1:
            found[-1] = [found[-1][0], label]
        else:
            found.append([label])
    return BETWEEN.join("-".join(part) for part in found)
