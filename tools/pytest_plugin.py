"""A pytest plugin: every ruling of a ruleset is a test, and the outline of its transcript a snapshot.

`pytest rulesets/orchard` collects the files with rulings of a ruleset, its cards and its overlays (a ruling of an
overlay is run with it). Expectations are asserted first; `--snapshot-update` writes transcripts of rulings that pass,
so an update never hides a failed expectation. Snapshots are in `__snapshots__` beside the rulings.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from interpreter import Game

SUFFIXES = (".ruling", ".rules", ".cards", ".errata", ".variant")
RULING = re.compile(r"^\s*ruling \w", re.MULTILINE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A collector for a file that has rulings and belongs to a ruleset."""
    if file_path.suffix not in SUFFIXES or not RULING.search(file_path.read_text(encoding="utf-8", errors="replace")):
        return None
    from tools.base.home import reference_of_file

    rules = reference_of_file(file_path)
    if rules is None:
        return None
    collector: pytest.Collector = RulingFile.from_parent(parent, path=file_path)
    return collector


@cache
def load_rules(rules: str) -> Game:
    import warnings

    from interpreter import RulingsLeftOut, load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RulingsLeftOut)  # their files cannot be collected, which says more
        return load(rules)


class RulingFile(pytest.Module):
    """The rulings of a file as the cases of one test."""

    def _getobj(self) -> ModuleType:
        from tools.base.home import reference_of_file

        module = ModuleType(self.path.stem)
        rules = reference_of_file(self.path)
        assert rules is not None
        game = load_rules(rules)
        if errors := errors_in(game, self.path):
            raise self.CollectError("\n".join(errors))
        games = games_of_file(game, rules, self.path)
        module.test_ruling = pytest.mark.parametrize("name", games)(make_test(games, self.path))  # type: ignore[attr-defined]
        return module


def games_of_file(game: Game, rules: str, file: Path) -> dict[str, Game]:
    """Each ruling in a file with the game that it is run in: that of the file, or where it does not hold there the
    first with one of the overlays that rulings name."""
    found = {name: game for name, ruling in game.program.rulings.items() if is_in_file(ruling, file)}
    from interpreter import RulesetInvalid

    left = [name for name, where in game.program.elsewhere.items() if is_named(file, where)]
    for overlay, there in game.program.named_overlays.items():
        if not there or not left:
            continue
        try:
            other = load_rules(f"{rules}+{overlay}")
        except RulesetInvalid:
            continue  # the two do not go together, so nothing holds there
        found |= {name: other for name in left if name in other.program.rulings}
        left = [name for name in left if name not in found]
    return found


def is_in_file(ruling: Any, file: Path) -> bool:
    return is_named(file, ruling.span.file or ruling.file)


def is_named(file: Path, name: str) -> bool:
    return file.as_posix().endswith("/" + name) or file.as_posix() == name


def errors_in(game: Game, file: Path) -> list[str]:
    """The errors of rulings in a file, which were left out of the game."""
    found = []
    for d in game.program.notes if game.program.broken else ():
        if d.severity.value == "error" and is_named(file, d.span.file):
            line, column = game.program.sources[d.span.file].place(d.span.start)
            found.append(f"{d.span.file}:{line}:{column}: error[{d.code}]: {d.message}")
    return found


def make_test(games: dict[str, Game], file: Path) -> Any:
    from syrupy.extensions.amber import AmberSnapshotExtension

    from interpreter.records.ruling import run_ruling

    class StoredTranscripts(AmberSnapshotExtension):
        """Transcripts in `__snapshots__` beside the file, under its name."""

        @classmethod
        def get_location(cls, *, test_location: Any, index: Any) -> str:
            return str(file.parent / "__snapshots__" / f"{file.stem}.ambr")

    def test_ruling(name: str, snapshot: SnapshotAssertion) -> None:
        game = games[name]
        result = run_ruling(game, game.program.rulings[name], traced=True)
        lines = [str(failure) for failure in result.failures] + ["", *result.transcript]
        assert result.passed, "\n".join(lines)
        assert "\n".join(result.outline) == snapshot(extension_class=StoredTranscripts)

    return test_ruling
