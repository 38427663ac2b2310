"""What a comparison of a ruleset with and without overlays has found, for text, JSON and HTML alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from dsl.overlay.changes import Change
from tools.errata.games import Parting
from tools.errata.rulings import RulingChange
from tools.errata.statistics import Shift


@dataclass(slots=True)
class Diff:
    before: str
    after: str
    changes: list[Change] = field(default_factory=list)
    rulings: list[RulingChange] = field(default_factory=list)
    compared: int = 0
    games: list[Parting] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        changes = [{k: v for k, v in asdict(c).items() if k != "mark"} for c in self.changes]
        return {
            "before": self.before,
            "after": self.after,
            "changes": changes,
            "rulings_compared": self.compared,
            "rulings": [asdict(r) for r in self.rulings],
            "games": [asdict(g) for g in self.games],
            "shifts": [
                {"what": s.what, "before": asdict(s.before), "after": asdict(s.after), "by": asdict(s.by)}
                for s in self.shifts
            ],
        }
