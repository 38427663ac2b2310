"""The games in which mistakes are planted: their texts, and what the checker says after a change of one file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dsl.base.span import Source
from dsl.diagnostics.render import render_json
from dsl.driver.part_cache import PartCache
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import FileTexts, errata_of, read_files, variants_of

RULESETS = Path(__file__).parents[2] / "rulesets"
HEAVY = ("dominant_species", "through_the_ages")
WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass
class Game:
    """A ruleset, perhaps with one overlay. `words` are all words that stand in any of its texts."""

    name: str
    overlay: Path | None = None
    texts: FileTexts = field(init=False)
    sources: dict[str, str] = field(init=False)
    words: set[str] = field(init=False)
    part_cache: PartCache = field(init=False)

    def __post_init__(self) -> None:
        self.texts, unreadable = read_files(RULESETS / self.name, [self.overlay] if self.overlay else [])
        assert not unreadable
        self.sources = {file: source.text for file, source in self.texts.all().items()}
        self.words = {word for text in self.sources.values() for word in WORD.findall(text)}
        self.part_cache = PartCache(f"mistakes in {self.name}")

    def check(self, changed: Mapping[str, str]) -> list[dict[str, Any]]:
        """The messages, in the order in which people read them, with the texts of these files changed."""
        texts = with_texts(self.texts, changed)
        sources = texts.all()
        _, found = compile_texts(texts, self.name, "", part_cache=self.part_cache)
        return render_json(found, sources)


def with_texts(texts: FileTexts, changed: Mapping[str, str]) -> FileTexts:
    def now(source: Source | None) -> Any:
        return Source(source.file, changed[source.file]) if source and source.file in changed else source

    return replace(
        texts,
        rules=[now(s) for s in texts.rules],
        bots=[now(s) for s in texts.bots],
        patches=[now(s) for s in texts.patches],
        data={path: now(s) for path, s in texts.data.items()},
        locale={path: now(s) for path, s in texts.locale.items()},
        manifest=now(texts.manifest),
        clauses=now(texts.clauses),
        display=now(texts.display),
        overlays=[with_texts(layer, changed) for layer in texts.overlays],
    )


def every_game() -> list[Game]:
    """All rulesets that are included, in the order of their names."""
    return [Game(folder.name) for folder in sorted(RULESETS.iterdir()) if (folder / "ruleset.yaml").exists()]


def overlaid_games() -> list[Game]:
    """Each ruleset with each of the overlays that come with it."""
    folders = [folder for folder in sorted(RULESETS.iterdir()) if (folder / "ruleset.yaml").exists()]
    return [Game(f.name, overlay) for f in folders for overlay in (*errata_of(f), *variants_of(f))]
