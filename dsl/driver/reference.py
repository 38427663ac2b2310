"""References to a set of rules as people and files write them: `orchard+long_winter@2020-05-01/first`.

A ruleset by id or path, then overlays after `+` (by name or path), then after `@` the day up to which all errata apply,
and a printing after `/`. `parse_reference` finds the folders. Of what is in them only the heads of overlays are read:
an overlay that is `on` another one of the ruleset takes it along.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.base.record import dataclass
from dsl.driver.load import Result, compile_ruleset, errata_choice
from dsl.files.ruleset import errata_of, overlay_files, variants_of

if TYPE_CHECKING:
    from dsl.overlay import ErrataChoice

HEAD = re.compile(r"^(?:variant|errata)\s+\w+\s+on\s+(\w+(?:\s*,\s*\w+)*)", re.MULTILINE)
ENDING = re.compile(r"@(?P<day>[^@/]*)(?:/(?P<printing>[^@/]+))?$")


class NoSuchRules(LookupError):
    """A name of a ruleset or overlay that does not exist: `what` was looked for, its `name`, and the `known` names."""

    def __init__(self, what: str, name: str, known: list[str]) -> None:
        super().__init__(f"there is no {what} '{name}'")
        self.what, self.name, self.known = what, name, known


@dataclass(frozen=True, slots=True)
class RulesetReference:
    """A ruleset's folder, with its overlays and the errata that apply."""

    path: Path
    overlays: tuple[Path, ...] = ()
    as_of: str | None = None
    printing: str | None = None

    @property
    def plain(self) -> bool:
        return not self.overlays and self.as_of is None and self.printing is None

    @property
    def layers(self) -> tuple[Path, ...]:
        """All overlays that are read: those that are named, then with a day the other errata, whose dates decide."""
        named = tuple(path.resolve() for path in self.overlays)
        dated = errata_of(self.path) if self.as_of is not None else ()
        return (*named, *(path for path in dated if path.resolve() not in named))

    @property
    def label(self) -> str:
        day = f"@{self.as_of or ''}" if self.as_of or self.printing else ""
        names = "+".join((self.path.name, *(o.stem for o in self.overlays)))
        return names + day + (f"/{self.printing}" if self.printing else "")

    @property
    def chosen(self) -> ErrataChoice:
        """The errata that apply, by the layers, the day and the printing."""
        return errata_choice(self.path, self.layers, self.as_of, self.printing)

    def compile(self) -> Result:
        return compile_ruleset(self.path, self.overlays, as_of=self.as_of, printing=self.printing)


def parse_reference(name: str, find: Callable[[str], Path], only_names: bool = False) -> RulesetReference:
    """`find` gives the folder of a ruleset by id or path; with `only_names` overlays are those that come with the
    ruleset, and no other file is looked at. Raises NoSuchRules for an overlay, ValueError for a day."""
    if not only_names and Path(name).exists():
        return RulesetReference(find(name))
    day = printing = None
    ending = ENDING.search(name)
    if ending is not None:
        name = name[: ending.start()]
        day, printing = ending["day"] or None, ending["printing"]
        if day is not None:
            datetime.date.fromisoformat(day)
    base, *overlays = name.split("+")
    path = find(base)
    found = with_bases(path, [find_overlay(path, overlay, only_names) for overlay in overlays])
    return RulesetReference(path, found, day, printing)


def shipped_overlays(path: Path) -> dict[str, Path]:
    """Name -> folder or file of each overlay that comes with a ruleset: its variants, then its errata."""
    return {p.stem: p for p in (*variants_of(path), *errata_of(path))}


def find_overlay(path: Path, name: str, only_names: bool = False) -> Path:
    """The file or folder of an overlay by its name or, unless `only_names`, by its path. Raises NoSuchRules for a path
    that is neither: a device or a pipe has no end."""
    known = shipped_overlays(path)
    if name in known:
        return known[name]
    given = Path(name)
    if name and not only_names and (given.is_file() or given.is_dir()):
        return given.resolve()
    raise NoSuchRules(f"overlay of {path.name}", name, list(known))


def overlaid(path: Path, overlay: Path) -> RulesetReference:
    """A ruleset with one overlay, and with those that this is `on`."""
    return RulesetReference(path, with_bases(path, [overlay]))


def with_bases(path: Path, overlays: Sequence[Path]) -> tuple[Path, ...]:
    """The overlays, and in front of each of them those of the ruleset that it is `on` and that nobody named."""
    known = shipped_overlays(path) if overlays else {}
    named = {overlay.stem for overlay in overlays}
    found: list[Path] = []

    def add(overlay: Path, within: frozenset[str]) -> None:
        for name in bases_of(overlay):
            if name in known and name not in named | within:
                add(known[name], within | {name})
        if overlay not in found:
            found.append(overlay)

    for overlay in overlays:
        add(overlay, frozenset({overlay.stem}))
    return tuple(found)


def bases_of(overlay: Path) -> list[str]:
    """The names behind the `on` of an overlay's blocks. What cannot be read is told where it is loaded."""
    texts = []
    with suppress(OSError):
        for file in overlay_files(overlay):
            if file.suffix in (".variant", ".errata"):
                texts.append(file.read_text("utf-8", errors="replace"))
    return [name.strip() for text in texts for names in HEAD.findall(text) for name in names.split(",")]
