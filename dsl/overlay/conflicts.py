"""Conflicts: places that two overlays change although neither is `on` the other.

Takes the blocks of overlays and the trees before any patch; reports. What is inserted only needs the line beside it, so
it meets nobody but who replaces or drops that line, or a line around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.diagnostics.diagnostic import Label
from dsl.overlay.addresses import find, shown
from dsl.overlay.blocks import OverlayBlock, all_bases
from dsl.overlay.patches import INSERTS
from dsl.overlay.records import find_record
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A place that an overlay changes: a stretch of a file of the ruleset, or the key of a text or a record."""

    by: str  # name of the overlay
    what: str  # for messages
    place: Span | str
    span: Span  # in the overlay
    word: str = "replace"  # of the patch

    @property
    def near(self) -> str:
        """The file, or the first word of the key: places that differ in it never meet."""
        return self.place.file if isinstance(self.place, Span) else self.place.partition(".")[0]

    def meets(self, other: ChangedPlace) -> bool:
        if self.word == other.word == "drop" and self.place == other.place:
            return False  # they agree: it is gone
        inserted = [change for change in (self, other) if change.word in INSERTS]
        if len(inserted) == 2:
            return False
        if inserted:
            changed = other if inserted[0] is self else self
            return changed.word != "alter" and holds(changed.place, inserted[0].place)
        return holds(self.place, other.place) or holds(other.place, self.place)


def holds(outer: Span | str, inner: Span | str) -> bool:
    """True if one place, a span or an address, is the other or has it in it."""
    if isinstance(outer, Span) and isinstance(inner, Span):
        return outer.file == inner.file and outer.start <= inner.start and inner.end <= outer.end
    if isinstance(outer, str) and isinstance(inner, str):
        return outer == inner or inner.startswith(f"{outer}.")
    return False


def changed_places(
    blocks: Sequence[OverlayBlock], files: Sequence[sx.File], data: Mapping[str, tuple[Source, ...]]
) -> list[ChangedPlace]:
    """The places that the patches change, in the rules before any patch."""
    found = []
    for block in blocks:
        for patch in block.patches():
            path = patch.name.split(".")
            target = find(files, path)
            record = find_record(files, data, path) if target is None else None
            place = target.span if target is not None else record.key if record is not None else patch.name
            found.append(ChangedPlace(block.name, f"`{shown(patch.name)}`", place, patch.name_span, patch.word))
    return found


def report_conflicts(found: Sequence[ChangedPlace], blocks: Sequence[OverlayBlock], m: Model) -> bool:
    """Report every place that two unrelated overlays change. Return whether there is one."""
    stands_on = all_bases(blocks)
    before: dict[str, list[ChangedPlace]] = {}
    met = False
    for later in found:
        neighbours = before.setdefault(later.near, [])
        for earlier in neighbours:
            related = later.by in stands_on.get(earlier.by, ()) or earlier.by in stands_on.get(later.by, ())
            if later.by == earlier.by or related or not later.meets(earlier):
                continue
            met = True
            m.error(
                "RW1005",
                later.span,
                f"`{later.by}` changes {later.what}, and `{earlier.by}` {earlier.what}: one place",
                f"leave one of them out, or write `on {earlier.by}` if `{later.by}` is made for what it changes",
                (Label(earlier.span, f"`{earlier.by}` changes {earlier.what} here"),),
            )
        neighbours.append(later)
    return met
