"""The options of a question with the labels by which people choose them: their value where they are numbers."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import Decision, Option
from tools.shows.messages import message

HEADED_FROM = 8  # from this many options on, they are grouped by action
GROUPED_FROM = 31


@dataclass(frozen=True, slots=True)
class Listing:
    """The options of a decision with their labels, in order; `later`: members that an answer can have after others."""

    decision: Decision
    rows: tuple[tuple[str, Option], ...]
    lang: str
    later: tuple[tuple[str, Option], ...] = ()

    def find(self, label: str) -> Option | None:
        return next((o for known, o in self.rows if known == label), None)

    def later_text(self) -> str:
        """The members that can only be named together with others; empty if there are none."""
        named = ", ".join(f"{label} {option.text(self.lang)}" for label, option in self.later)
        return message(self.lang, "later", named=named) if named else ""

    def find_member(self, label: str) -> Option | None:
        """The option or later member with this label."""
        return next((o for known, o in (*self.rows, *self.later) if known == label), None)

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in (*self.rows, *self.later)]


def list_options(decision: Decision, lang: str) -> Listing:
    rows = []
    for number, option in enumerate(decision.options, 1):
        by_value = decision.shape == "number"
        rows.append((option.ids[-1] if by_value else str(number), option))
    later = [(str(number), option) for number, option in enumerate(decision.later, len(rows) + 1)]
    return Listing(decision, tuple(rows), lang, tuple(later))


def group_by_action(listing: Listing) -> dict[str, list[tuple[str, Option]]]:
    """Action -> its options, if there are several actions and each has a title; else empty."""
    groups: dict[str, list[tuple[str, Option]]] = {}
    for label, option in listing.rows:
        groups.setdefault(listing.decision.case(option.raw), []).append((label, option))
    titled = all(listing.decision.game.texts.find(listing.lang, f"{case}.title") for case in groups if case)
    return groups if titled and len([case for case in groups if case]) > 1 else {}


def by_first_word(listing: Listing) -> dict[str, list[tuple[str, Option]]]:
    """First word -> its options; those of one word under the empty word."""
    groups: dict[str, list[tuple[str, Option]]] = {}
    for label, option in listing.rows:
        groups.setdefault(option.ids[0] if len(option.ids) > 1 else "", []).append((label, option))
    return groups
