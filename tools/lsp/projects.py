"""Which ruleset a file belongs to, and its texts as they stand in the editor.

A file of an overlay belongs to the ruleset with that overlay laid over it. Nothing is read but what `dsl.files.ruleset`
reads; text that is open in the editor counts before what is on disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.reference import shipped_overlays
from dsl.files.ruleset import RULES, Texts, read_files, shown_name

MANIFEST = "ruleset.yaml"


@dataclass(frozen=True, slots=True)
class Project:
    """A ruleset's folder, and the overlay whose files are edited."""

    path: Path
    overlay: Path | None = None

    @property
    def id(self) -> str:
        return self.path.name

    def shown(self, file: Path) -> str:
        """A file as spans and messages name it."""
        return shown_name(file, self.path)

    def file(self, shown: str) -> Path:
        return self.path.parent.parent / shown

    def read(self, opened: Mapping[Path, str]) -> tuple[Texts, list[Diagnostic]]:
        return read_files(self.path, [self.overlay] if self.overlay else [], opened)

    def layers(self, opened: Mapping[Path, str]) -> tuple[Texts, list[Texts]]:
        """The base, and every overlay that comes with it."""
        texts, _ = read_files(self.path, list(shipped_overlays(self.path).values()), opened)
        layers, texts.overlays = texts.overlays, []
        return texts, layers


def project_of(file: Path) -> Project | None:
    """The ruleset of a file, by the folders that it lies in; None for a file that belongs to none."""
    if file.suffix not in (*RULES, ".yaml"):
        return None
    for folder in file.parents:
        if (folder / MANIFEST).is_file():
            return Project(folder, overlay_in(folder / "variants", file))
        cards = folder.parent
        if cards.name == "cards" and (cards.parent / "rulesets" / folder.name / MANIFEST).is_file():
            return Project(cards.parent / "rulesets" / folder.name, overlay_in(folder / "errata", file))
    return None


def overlay_in(folder: Path, file: Path) -> Path | None:
    """The overlay in a folder of overlays that a file is, or belongs to."""
    return folder / file.relative_to(folder).parts[0] if file.is_relative_to(folder) else None
