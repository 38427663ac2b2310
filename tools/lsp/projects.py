"""Projects of the editor: the ruleset of a file, and its texts as they stand in the editor.

A file of an overlay belongs to the ruleset with that overlay applied. Only files that `dsl.files.ruleset` reads are
read; a text that is open in the editor takes precedence over the file on disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.reference import shipped_overlays
from dsl.files.ruleset import RULES, FileTexts, read_files, shown_name

MANIFEST = "ruleset.yaml"


@dataclass(frozen=True, slots=True)
class Project:
    """The folder of a ruleset, and the overlay that is edited with it, if any."""

    path: Path
    overlay: Path | None = None

    @property
    def id(self) -> str:
        return self.path.name

    def displayed_path(self, file: Path) -> str:
        """The path of a file as spans and messages name it."""
        return shown_name(file, self.path)

    def file(self, displayed: str) -> Path:
        """The file on disk of a displayed path."""
        return self.path.parent.parent / displayed

    def read(self, open_texts: Mapping[Path, str]) -> tuple[FileTexts, list[Diagnostic]]:
        """All texts, and the messages about files that cannot be read."""
        return read_files(self.path, [self.overlay] if self.overlay else [], open_texts)

    def layers(self, open_texts: Mapping[Path, str]) -> tuple[FileTexts, list[FileTexts]]:
        """The texts of the base, and those of every overlay that comes with it."""
        texts, _ = read_files(self.path, list(shipped_overlays(self.path).values()), open_texts)
        layers, texts.overlays = texts.overlays, []
        return texts, layers


def project_of(file: Path) -> Project | None:
    """The ruleset of a file, found by the folders around it; None for a file that belongs to none."""
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
    """The overlay that a file is, or belongs to, in a folder of overlays."""
    return folder / file.relative_to(folder).parts[0] if file.is_relative_to(folder) else None
