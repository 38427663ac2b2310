"""Rulings are transcripts: every ruling of every ruleset holds, and its moves, traces and clauses are those on file.

One snapshot file for each ruling file, reviewed as a diff: `pytest tests/rulings --snapshot-update` writes them anew.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.amber import AmberSnapshotExtension
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from dsl import ir
from dsl.named import shipped_overlays
from dsl.sources import shown_name
from interpreter.ruling import run_ruling
from tests.conformance.tables import ROOT, folders, load

SNAPSHOTS = Path(__file__).parent / "__snapshots__"
NAME = re.compile(r"^# name: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """A ruling, with the folder of its ruleset."""

    folder: str
    ruling: ir.Ruling

    @property
    def snapshots(self) -> Path:
        """Where its transcript is: a file for each file of rulings or cards."""
        file = self.ruling.span.file or self.ruling.file
        return SNAPSHOTS / Path(self.folder).name / f"{Path(file).stem}.ambr"

    @property
    def name(self) -> str:
        return f"{Path(self.folder).name}-{self.ruling.name}"


def cases() -> list[Case]:
    """Those of each ruleset, and those that its overlays bring along."""
    found = []
    for path in folders():
        folder = str(path.relative_to(ROOT))
        found += [Case(folder, ruling) for ruling in load(folder).program.rulings.values()]
        for name, overlay in shipped_overlays(path).items():
            own = shown_name(overlay, path)
            laid = f"{folder}+{name}"
            rulings = load(laid).program.rulings.values() if any(overlay.rglob("*.ruling")) else ()
            found += [Case(laid, ruling) for ruling in rulings if ruling.span.file.startswith(own)]
    return found


class RulingFiles(AmberSnapshotExtension):
    """Transcripts by the file of the ruling."""

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        case: Case = test_location.item.callspec.params["case"]  # type: ignore[attr-defined]
        return str(case.snapshots)


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.name)
def test_ruling(case: Case, snapshot: SnapshotAssertion) -> None:
    result = run_ruling(load(case.folder), case.ruling, traced=True)
    assert result.passed, "\n".join([str(f) for f in result.failures] + ["", *result.transcript])
    assert "\n".join(result.transcript) == snapshot(extension_class=RulingFiles)


def test_every_ruleset_has_rulings() -> None:
    assert {case.folder for case in cases()} >= {str(path.relative_to(ROOT)) for path in folders()}


def test_a_transcript_does_not_depend_on_being_traced() -> None:
    """What a ruling does is the same in the machine that plays and in the one that writes the trace."""
    for case in cases():
        plain, traced = (run_ruling(load(case.folder), case.ruling, traced=t) for t in (False, True))
        assert plain.passed and traced.passed, case.name
        kept = iter(traced.transcript)
        assert all(line in kept for line in plain.transcript), case.name


def test_no_transcript_is_left_over(pytestconfig: pytest.Config) -> None:
    """A ruling that was renamed or dropped leaves its snapshot behind."""
    if pytestconfig.option.update_snapshots:
        pytest.skip("the snapshots are being written")
    wanted = {(case.snapshots, f"test_ruling[{case.name}]") for case in cases()}
    found = {(path, name) for path in SNAPSHOTS.rglob("*.ambr") for name in NAME.findall(path.read_text("utf-8"))}
    assert found == wanted
