"""The rulesets of the host, loaded once: by name for new tables, by digest for those that were begun before.

A loaded game works on one store at a time, so all tables of a ruleset stay on one thread; only loading is done on
another one.
"""

from __future__ import annotations

import asyncio
import sys
from functools import lru_cache
from pathlib import Path

from dsl.base.span import Source
from dsl.driver.load import load_compiled
from dsl.driver.reference import NoSuchRules, parse_reference
from dsl.files.documents import read_manifest
from dsl.files.phrases import by_language
from dsl.files.ruleset import variants_of
from interpreter import Game
from tools.base.errors import UserError, unknown_message
from tools.base.home import MANIFEST, rulesets
from tools.base.loading import load_game


class Games:
    """The games that were loaded; those of forms are named by ids alone (`name_of`), that of the host may be a path."""

    def __init__(self) -> None:
        self.loaded: dict[str, Game] = {}
        self.loading = asyncio.Lock()

    async def load(self, rules: str) -> Game:
        """The game of this name. Raises UserError for one that does not exist, Stop for one with errors."""
        async with self.loading:
            if rules not in self.loaded:
                self.loaded[rules] = await asyncio.to_thread(load_game, rules)
            return self.loaded[rules]

    async def begun_with(self, digest: str, rules: str) -> Game:
        """The compiled rules that a table was begun with, if they are still kept; else those of today."""
        for game in self.loaded.values():
            if game.program.digest == digest:
                return game
        before = await asyncio.to_thread(load_compiled, digest)
        if before is None:
            return await self.load(rules)
        try:
            found = self.loaded[f"{rules} {digest}"] = Game(before)
        except Exception as fault:  # read as an older rulewright wrote it, it may lack anything
            print(f"{rules}, as it was compiled before: {type(fault).__name__}: {fault}", file=sys.stderr)
            return await self.load(rules)
        return found


def titles(lang: str) -> dict[str, str]:
    """Id -> title of all rulesets of the host, by their manifests."""
    found = {}
    for id_, folder in rulesets().items():
        title = title_in(folder / MANIFEST, (folder / MANIFEST).stat().st_mtime_ns)
        if title is not None:
            found[id_] = by_language(title, lang)[0] if isinstance(title, dict) else title
    return found


@lru_cache(maxsize=500)
def title_in(file: Path, _changed: int) -> str | dict[str, str] | None:
    """The title that a manifest says, by language if it says several; None where it cannot be read. Read again when the
    file has changed."""
    manifest, _ = read_manifest(Source(MANIFEST, file.read_text(encoding="utf-8", errors="replace")))
    return manifest.title if manifest is not None else None


def variants(id_: str) -> list[str]:
    """The names of the variants of a ruleset."""
    folder = rulesets().get(id_)
    return [path.stem for path in variants_of(folder)] if folder is not None else []


def name_of(id_: str, chosen: list[str]) -> str:
    """The name of a ruleset with variants, from ids alone: a form opens no files of its own. Raises UserError."""
    known = rulesets()
    if id_ not in known:
        raise UserError(unknown_message("ruleset", id_, known))
    name = "+".join((id_, *chosen))
    try:
        parse_reference(name, known.__getitem__, only_names=True)
    except (NoSuchRules, ValueError, KeyError):
        raise UserError(unknown_message("variant", ", ".join(chosen), variants(id_), id_)) from None
    return name
