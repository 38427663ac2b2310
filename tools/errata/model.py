"""The result of comparing a ruleset with and without overlays, for text, JSON and HTML alike."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from dsl.overlay.changes import Change
from tools.commands.draw import MarkedPair
from tools.errata.balance import Balance
from tools.errata.games import GameComparison
from tools.errata.rulings import RulingChange


def changed_lines(change: Change) -> tuple[list[str], list[str]]:
    """The lines that a change takes away, and those that it puts in their place; of `alter` the lines of the rule that
    read otherwise, not what the patch says."""
    before = change.before.splitlines()
    if change.word != "alter" or not change.result:
        return before if change.word in ("replace", "drop", "alter") else [], change.after.splitlines()
    after = change.result.splitlines()
    return [row for row in before if row not in after], [row for row in after if row not in before]


@dataclass(slots=True)
class Diff:
    """`before` and `after`: the labels of the rules compared; `lang`: the language of texts; `compared`: the number of
    rulings run with both."""

    before: str
    after: str
    lang: str
    changes: list[Change] = field(default_factory=list)
    texts_kept: dict[str, str] = field(default_factory=dict)  # card that a patch changes -> its text, which stays
    rulings: list[RulingChange] = field(default_factory=list)
    compared: int = 0
    games: list[GameComparison] = field(default_factory=list)
    balance: Balance | None = None  # of games by bots, if they were asked for
    cut: str = ""  # how far it came, in words, where it was stopped before its end
    time_is_up: bool = False  # it was stopped because the time was over that it was given
    pictures: list[MarkedPair] = field(default_factory=list)  # for a page: of rulings with another outcome

    def to_json(self) -> dict[str, Any]:
        """The result as JSON, as `errata diff --json` prints it."""
        changes = [{k: v for k, v in asdict(c).items() if k != "mark"} for c in self.changes]
        games = [
            {"game": g.game, "entries": g.entries, "entry": g.entry, "told": g.last_decision, "how": g.difference}
            for g in self.games
        ]
        return {
            "before": self.before,
            "after": self.after,
            "changes": changes,
            "texts_kept": self.texts_kept,
            "rulings_compared": self.compared,
            "rulings": [asdict(r) for r in self.rulings],
            "games": games,
            "interrupted": bool(self.cut),
            "time_is_up": self.time_is_up,
            "balance": self.balance.to_json() if self.balance is not None else None,
        }
